"""The settings of a run: which algorithm and score they belong to, checked before any data are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mahc.data.settings import STRUCTURAL_EM
from mahc.errors import InvalidSettingError, Mention, Message, SettingError, UnknownSettingError, choices
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.algorithm import ALGORITHMS, Algorithm, make_algorithm
from mahc.learning.tie_order import TIE_RULES
from mahc.registry import Registry
from mahc.scores import SCORES, PenalisedScore, Score, make_score
from mahc.setting_checks import Number, OneOf, Whole
from mahc.settings import check_settings, declarations, setting

MOST_THREADS = 1024
NUMBERS = ("auto", "smooth", "cuts")
SMOOTH, SMOOTH_ONLY = "smooth", ("degree", "bins")  # settings that no other score has


@dataclass(frozen=True)
class RunSettings:
    """What any run has, whatever the algorithm.

    >>> RunSettings(threads=2).ties
    'data'
    """

    ties: str = setting(
        "data",
        help="Rule that breaks ties: data (independent of the order of columns) or file-order (as other tools do).",
        check=OneOf(*TIE_RULES),
        metavar="RULE",
    )
    numbers: str = setting(
        "auto",
        help="Columns of numbers: smooth (functions of ranks), cuts (cut points learned with the graph), or auto (the "
        "better of both).",
        check=OneOf(*NUMBERS),
        metavar="HOW",
    )
    time_limit: float | None = setting(
        None,
        help="Stop after this many seconds with the best graph so far.",
        check=Number(above=0, hint="seconds"),
        metavar="S",
        group="Limits",
    )
    threads: int | None = setting(
        None,
        help="Number of threads; all processors if left out.",
        check=Whole(1, MOST_THREADS),
        metavar="N",
        group="Limits",
    )

    on_interrupt: str = setting(
        "return",
        help="What Ctrl-C does: return (end with the best graph so far) or raise (KeyboardInterrupt).",
        check=OneOf("return", "raise"),
        option="",
        group="Limits",
    )

    def __post_init__(self) -> None:
        check_settings(self)


def choose(
    algorithm: object, score: object, settings: Mapping[str, object], missing: str | None = None
) -> tuple[Algorithm, Score]:
    """The algorithm and the score of a run; each setting goes to the one that has it, None keeps the default.

    Without a score it is the default of the algorithm with this treatment of missing values, or `smooth` where one of
    its own settings is given.

    >>> learner, measure = choose("hc", "bdeu", {"search_in_degree": 4, "equivalent_sample_size": 2.0})
    >>> learner.settings()["search_in_degree"], measure.describe()
    (4, 'bdeu, log base 2, equivalent_sample_size 2')
    """
    _check_choice("algorithm", algorithm, Algorithm, ALGORITHMS)
    if score is None:
        score = (
            SMOOTH if any(settings.get(name) is not None for name in SMOOTH_ONLY) else default_score(algorithm, missing)
        )
    _check_choice("objective", score, Score, SCORES)
    ours = declarations(ALGORITHMS[algorithm] if isinstance(algorithm, str) else algorithm)
    theirs = declarations(SCORES[score] if isinstance(score, str) else score)
    for name in settings:
        if name not in ours and name not in theirs:
            raise _refuse_unknown(name, algorithm, score, (*ours, *theirs))
    return (
        choose_algorithm(algorithm, {name: value for name, value in settings.items() if name in ours}),
        choose_score(score, {name: value for name, value in settings.items() if name not in ours}),
    )


def default_score(algorithm: object, missing: str | None = None) -> str:
    """The name of the score that an algorithm, or the one of that name, uses where none is given.

    Structural EM needs a score that is linear in the counts: it is BIC where the usual one is not.

    >>> default_score("mahc"), default_score("boss"), default_score("boss", "structural-em")
    ('bic', 'qnml', 'bic')
    """
    kind: Any = ALGORITHMS[algorithm] if isinstance(algorithm, str) else algorithm
    usual = str(kind.default_score)
    return usual if missing != STRUCTURAL_EM or issubclass(SCORES[usual], PenalisedScore) else "bic"


def choose_algorithm(algorithm: object, settings: Mapping[str, object]) -> Algorithm:
    """An algorithm by its name and settings (None: the default), or one made already, which brings its own.

    >>> choose_algorithm("hc", {"search_in_degree": 4}).settings()["search_in_degree"]
    4
    """
    _check_choice("algorithm", algorithm, Algorithm, ALGORITHMS)
    if isinstance(algorithm, Algorithm):
        _refuse_beside(algorithm, settings)
        return algorithm
    return make_algorithm(str(algorithm), **settings)


def choose_score(score: object, settings: Mapping[str, object]) -> Score:
    """A score by its name and settings, or one made already, which brings its own."""
    _check_choice("objective", score, Score, SCORES)
    if isinstance(score, Score):
        _refuse_beside(score, settings)
        return score
    return make_score(str(score), **settings)


def _check_choice(what: str, value: object, kind: type, registry: Registry[type]) -> None:
    if not isinstance(value, str | kind):
        raise InvalidSettingError(what, value, Message("give one of ", choices(registry.names())))


def _refuse_beside(made: object, settings: Mapping[str, object]) -> None:
    for name, value in settings.items():
        if value is not None:
            raise SettingError(Mention(name), f" is given with {made!r}, which has its own: set it there")


def _refuse_unknown(name: str, algorithm: object, score: object, known: Iterable[str]) -> UnknownSettingError:
    """The error for a setting that neither has: others that do have it are named, else the nearest name."""
    kinds: tuple[tuple[str, object, Registry[Any]], ...] = (
        ("algorithm", algorithm, ALGORITHMS),
        ("score", score, SCORES),
    )
    for what, chosen, registry in kinds:
        owners = [owner for owner in registry if name in declarations(registry[owner])]
        if owners:
            kind: Any = registry[chosen] if isinstance(chosen, str) else type(chosen)
            fix = Message("leave it out, or use ", choices(owners, " or "))
            return UnknownSettingError(f"{what} '{kind.name}'", name, declarations(kind), fix)
    if name == "score":
        return UnknownSettingError("learn", name, known, Message("did you mean ", Mention("objective"), "?"))
    owner = f"algorithm '{algorithm if isinstance(algorithm, str) else type(algorithm).__name__}'"
    return UnknownSettingError(owner, name, known)


def check_use(algorithm: Algorithm, knowledge: Knowledge, start: bool) -> None:
    """Refuse what the algorithm would have to ignore."""
    for name in algorithm.idle:
        if start if name == "start" else getattr(knowledge, name):
            said = "a start graph" if name == "start" else f"'{name}' in the knowledge"
            raise SettingError(f"{algorithm.name} cannot use {said}: leave it out")
