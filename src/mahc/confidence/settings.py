"""The settings of a bootstrap and of a consensus, declared once for Python, the command line and plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mahc.errors import Mention, SettingError
from mahc.learning.algorithm import ALGORITHMS, Algorithm
from mahc.results.graph_sample import HOW
from mahc.setting_checks import Number, OneOf, Whole
from mahc.settings import check_settings, declarations, setting

MOST_RESAMPLES = 1_000_000
MOST_SEED = 2**63 - 1
AUTOMATIC = "auto"
RULES = {
    "f1": "the highest expected F1",
    "shd": "the lowest expected SHD",
    "median": "edges in more than half of the graphs",
}
NOISY_KAPPA = 0.05  # from here on the data look as if values were measured with error


def declare_algorithm_seed() -> int | None:
    """The seed of the algorithm itself, where `seed` is that of resamples or chains."""
    return setting(
        None,
        help="Seed of the algorithm's own random choices, for algorithms that have a seed; the same for all resamples.",
        check=Whole(0, MOST_SEED),
        metavar="N",
    )


class PowerCheck(Number):
    """A number, or auto."""

    def accepts(self, value: object) -> bool:
        """Whether the value is a number within the limits, or auto."""
        return value == AUTOMATIC or super().accepts(value)

    def parse(self, text: str) -> object:
        """A number, or auto."""
        return AUTOMATIC if text == AUTOMATIC else super().parse(text)


@dataclass(frozen=True)
class BootstrapSettings:
    """How many resamples, which, and how they are drawn.

    >>> BootstrapSettings(resamples=50).how
    'bootstrap'
    """

    resamples: int = setting(
        200, help="Number of resamples to learn from.", check=Whole(1, MOST_RESAMPLES), metavar="N"
    )
    seed: int = setting(1, help="Seed of the resamples.", check=Whole(0, MOST_SEED), metavar="N")
    how: str = setting(
        "bootstrap",
        help=f"How rows are drawn: {'; '.join(f'{name} ({text})' for name, text in HOW.items())}.",
        check=OneOf(*HOW),
        metavar="WAY",
    )
    algorithm_seed: int | None = declare_algorithm_seed()

    def __post_init__(self) -> None:
        check_settings(self)

    def own_seed(self, algorithm: str | Algorithm) -> dict[str, int]:
        """The setting `seed` of the algorithm, where one is given.

        >>> BootstrapSettings(algorithm_seed=5).own_seed("boss"), BootstrapSettings().own_seed("boss")
        ({'seed': 5}, {})
        """
        if self.algorithm_seed is None:
            return {}
        check_algorithm_seed([algorithm], self.algorithm_seed)
        return {"seed": self.algorithm_seed}


@dataclass(frozen=True)
class PosteriorSettings:
    """How many graphs are drawn from the posterior, and how.

    >>> PosteriorSettings(samples=301, chains=2).wanted(0), PosteriorSettings(samples=301, chains=2).wanted(1)
    (151, 150)
    """

    samples: int = setting(
        300, help="Number of graphs to draw, by all chains together.", check=Whole(1, MOST_RESAMPLES), metavar="N"
    )
    chains: int = setting(2, help="Number of chains; two or more show whether they agree.", check=Whole(1, 64))
    seed: int = setting(1, help="Seed of the chains.", check=Whole(0, MOST_SEED), metavar="N")
    beta: float | str = setting(
        AUTOMATIC,
        help="Power of the score: a graph is drawn in proportion to exp(beta * score). 1 is a posterior where the "
        "score is a marginal likelihood (bdeu, bge); auto is 1 for these, and 0.5 for others, which are overconfident.",
        check=PowerCheck(above=0, below=10, hint="or auto"),
        metavar="B",
    )
    candidate_parents: int = setting(
        16,
        help="Candidate parents of a variable; of all others one at a time can be a parent.",
        check=Whole(1, 32),
        metavar="N",
    )
    warm_up: int = setting(
        40, help="Warm-up of a chain, in graphs that are not kept.", check=Whole(0, 1_000_000), metavar="N"
    )
    thinning: int = setting(
        6, help="Moves per variable from one graph to the next.", check=Whole(1, 1_000_000), metavar="N"
    )
    resamples: int = setting(
        0,
        help="Learn from so many resamples with boss too, and give the mean of posterior and bootstrap.",
        check=Whole(0, MOST_RESAMPLES),
        metavar="N",
    )
    algorithm_seed: int | None = declare_algorithm_seed()

    def __post_init__(self) -> None:
        check_settings(self)

    def wanted(self, chain: int) -> int:
        """How many graphs this chain draws."""
        return self.samples // self.chains + (chain < self.samples % self.chains)

    def steps(self, variables: int) -> int:
        """The steps from one graph to the next."""
        return self.thinning * max(1, variables)

    def choose_beta(self, marginal_likelihood: bool, kappa: float | None) -> float:
        """The power of the score."""
        if not isinstance(self.beta, str):
            return float(self.beta)
        return 1.0 if marginal_likelihood else choose_beta(kappa)


def choose_beta(kappa: float | None) -> float:
    """The power of a score that is no marginal likelihood; `kappa` measures how much error the data seem to have.

    >>> choose_beta(None), choose_beta(0.18)
    (0.5, 0.25)
    """
    return 0.25 if kappa is not None and kappa >= NOISY_KAPPA else 0.5


def check_algorithm_seed(algorithms: Sequence[str | Algorithm], algorithm_seed: int | None) -> None:
    """Refuse a seed where none of the algorithms has one."""
    if algorithm_seed is not None and not any(map(has_own_seed, algorithms)):
        names = ", ".join(each if isinstance(each, str) else each.name for each in algorithms)
        fix = f" is for algorithms that have a seed ({names}: none): leave it out"
        raise SettingError(Mention("algorithm_seed", algorithm_seed), fix)


def has_own_seed(algorithm: str | Algorithm) -> bool:
    """Whether an algorithm makes random choices of its own.

    >>> has_own_seed("boss"), has_own_seed("hc")
    (True, False)
    """
    return "seed" in declarations(ALGORITHMS[algorithm] if isinstance(algorithm, str) else algorithm)


@dataclass(frozen=True)
class ConsensusSettings:
    """Which edges of many graphs are in their consensus; where nothing is given, their shares give the threshold.

    >>> ConsensusSettings(threshold=0.5).least is None
    True
    """

    least: int | None = setting(
        None,
        help="An edge is in if at least this many graphs have it.",
        check=Whole(1, 1_000_000_000),
        metavar="N",
    )
    threshold: float | None = setting(
        None,
        help="An edge is in if a larger share of the graphs has it.",
        check=Number(least=0, below=1, hint="0.5 is a majority"),
        metavar="SHARE",
    )
    rule: str | None = setting(
        None,
        help=f"A rule that gives a DAG and its CPDAG: {'; '.join(f'{name} ({text})' for name, text in RULES.items())}.",
        check=OneOf(*RULES),
        metavar="RULE",
    )

    def __post_init__(self) -> None:
        check_settings(self)
        given = [name for name in ("least", "threshold", "rule") if getattr(self, name) is not None]
        if len(given) > 1:
            raise SettingError(Mention(given[0]), " and ", Mention(given[1]), " say the same in two ways: give one")
