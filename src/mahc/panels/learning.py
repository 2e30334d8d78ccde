"""`mahc.learn_panel`: from a long table to a network of time slices."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from mahc.confidence.row_order import hash_rows
from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.columns import mix
from mahc.data.reading_record import record_reading
from mahc.errors import InvalidSettingError, KnowledgeError
from mahc.inference.fitting import fit_model
from mahc.knowledge.knowledge import Knowledge
from mahc.learn import learn, split_settings, take_knowledge
from mahc.learning.algorithm import Algorithm
from mahc.networks import fit
from mahc.networks.random_streams import stream
from mahc.panels.network import Arc, PanelNetwork
from mahc.panels.slices import GAPS, Panel, at, before, now, read_panel
from mahc.results.learned import Learned
from mahc.settings import declarations

_LOG = logging.getLogger("mahc.panels")
MOST_LAGS = 100


def learn_panel(
    data: Any,
    subject: str,
    time: str,
    algorithm: str | Algorithm = "boss",
    *,
    lags: int = 1,
    static: Sequence[str] = (),
    within: bool = True,
    gaps: str = "drop",
    knowledge: Knowledge | Mapping[str, Any] | str | PathLike[str] | None = None,
    prior: float = 1.0,
    resamples: int = 0,
    resample_seed: int = 1,
    **settings: Any,
) -> PanelNetwork:
    """Learn a network of time slices from subjects that were seen several times.

    Each window of `lags` + 1 rows of a subject that follow each other in time is one row; subjects are never joined.
    What is earlier is given: only the causes of the present slice are scored. The first slices are learned apart.

    Parameters
    ----------
    data : path, frame, dict of lists or Dataset
        A long table: one row per subject and time.
    subject, time : str
        The columns that say whose row it is, and when. Times are numbers, or dates such as 2024-05-31.
    algorithm : str or Algorithm
        The algorithm; one that gives a DAG.
    lags : int
        How many slices before the present one may have an effect.
    static : list of str
        Columns that do not change within a subject, such as sex.
    within : bool
        Whether there may be arcs within a slice.
    gaps : str
        Where a subject lacks a time that others have: "drop" (leave out windows that span the gap) or "next" (the next
        row of the subject follows).
    knowledge : Knowledge, dict or path, optional
        Constraints on the transition graph, whose variables are called pain(t), pain(t-1), and so on; tiers order the
        present slice.
    prior : float
        The equivalent sample size of the prior of the tables.
    resamples : int
        How many resamples of the subjects to learn from, for `PanelNetwork.confidence`.
    resample_seed : int
        The seed of the resamples.
    **settings
        Settings of the algorithm, of the score, of `mahc.learn` and of `mahc.read`.

    Returns
    -------
    PanelNetwork
        The arcs from earlier slices and within a slice, for `unroll` and `forecast`.

    Raises
    ------
    MahcError
        Whatever the caller can correct, in one sentence.

    Examples
    --------
    >>> dose = ["high", "low", "low", "high", "low", "high"] * 40
    >>> pain = ["y", *("n" if each == "high" else "y" for each in dose[:-1])]
    >>> rows = range(240)
    >>> columns = {"id": [row // 6 for row in rows], "day": [row % 6 for row in rows], "dose": dose, "pain": pain}
    >>> ("dose", 1, "pain") in learn_panel(columns, "id", "day").lagged_arcs
    True
    """
    panel, rest = _open(data, subject, time, static, lags, gaps, settings)
    _require_whole("resamples", resamples, 0, 10**6)
    known = with_slices(take_knowledge(knowledge), panel, lags, within)
    found = _learn(panel, algorithm, lags, gaps, known, prior, rest)
    found = replace(found, subject=subject, time=time, reading=record_reading(split_settings(settings)[0], ()).settings)
    for note in found.notes:
        _LOG.warning(note)
    if not resamples:
        return found
    shares = _resample(panel, lags, gaps, algorithm, known, resamples, resample_seed, rest)
    return replace(found, confidence=shares)


def _open(
    data: Any, subject: str, time: str, static: Sequence[str], lags: int, gaps: str, settings: Mapping[str, Any]
) -> tuple[Panel, dict[str, Any]]:
    """The panel, and the settings that are not those of reading."""
    reading, rest = split_settings(settings)
    return open_panel(data, subject, time, static, lags, gaps, reading), rest


def open_panel(
    data: Any, subject: str, time: str, static: Sequence[str], lags: int, gaps: str, reading: ReadSettings
) -> Panel:
    """The panel of a long table, whose windows are to have so many lags and this rule for gaps."""
    _require_whole("lags", lags, 1, MOST_LAGS)
    if gaps not in GAPS:
        raise InvalidSettingError("gaps", gaps, f"give {' or '.join(GAPS)}")
    given = {name: getattr(reading, name) for name, each in declarations(reading).items() if each.differs(reading)}
    return read_panel(data, subject, time, static=static, **given)


def _require_whole(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidSettingError(name, value, f"give a whole number from {least} to {most:,}")


def _learn(
    panel: Panel,
    algorithm: str | Algorithm,
    lags: int,
    gaps: str,
    known: Knowledge,
    prior: float,
    rest: Mapping[str, Any],
) -> PanelNetwork:
    windows, beginnings = panel.windows(lags, gaps), panel.beginnings(lags, gaps)
    transition = learn(windows, algorithm, knowledge=known, **rest)
    initial = learn(beginnings, algorithm, knowledge=initial_knowledge(panel, lags), **rest)
    discrete = Kind.CONTINUOUS not in windows.kinds
    if discrete:
        tables: Any = fit(transition.dag, windows, prior, "transition")
    else:
        degree = getattr(transition.run.score, "degree", None)
        tables = fit_model(transition.dag, windows, prior=prior, degree=degree).network
    return PanelNetwork(
        variables=panel.variables,
        static=panel.static,
        lags=lags,
        transition=transition,
        initial=initial,
        subjects=panel.subject_count,
        waves=panel.wave_count,
        windows=windows.rows,
        transition_tables=tables,
        initial_tables=fit(initial.dag, beginnings, prior, "initial") if discrete else None,
        notes=tuple(list_notes(panel)),
        gaps=gaps,
    )


def transition_knowledge(panel: Panel, lags: int, within: bool) -> Knowledge:
    """What is known of the transition graph: everything before the present slice is given.

    >>> panel = read_panel({"id": [1, 1, 2, 2], "day": [1, 2, 1, 2], "pain": ["n", "y", "y", "y"]}, "id", "day")
    >>> transition_knowledge(panel, 1, within=True)
    Knowledge(tiers=(('pain(t-1)',), ('pain(t)',)), contexts=('pain(t-1)',))
    """
    earlier = [[before(name, lag) for name in panel.variables] for lag in range(lags, 0, -1)]
    tiers = [*([list(panel.static)] if panel.static else []), *earlier, [now(name) for name in panel.variables]]
    contexts = [*panel.static, *(name for tier in earlier for name in tier)]
    return Knowledge(tiers=tiers, strict_tiers=not within, contexts=contexts)


def with_slices(given: Knowledge, panel: Panel, lags: int, within: bool) -> Knowledge:
    """What a person knows, with the order in time; tiers that are given order the present slice."""
    own = transition_knowledge(panel, lags, within)
    if not given.tiers:
        return given.merged(own)
    present = {now(name) for name in panel.variables}
    odd = next((name for tier in given.tiers for name in tier if name not in present), None)
    if odd is not None:
        raise KnowledgeError(
            f"the tiers name '{odd}': name variables of the present slice, such as '{now(panel.variables[0])}'; "
            "what is earlier comes first anyway"
        )
    if not within:
        raise KnowledgeError("arcs within a slice are forbidden, so tiers within it say nothing: leave them out")
    tiers = [*own.tiers[:-1], *given.tiers]
    return Knowledge.from_dict({**given.to_dict(), "tiers": tiers}).merged(Knowledge(contexts=own.contexts))


def without_slices(known: Knowledge, earlier: int) -> tuple[Knowledge, bool]:
    """What a person stated besides the order in time, and whether arcs within a slice are allowed.

    The first `earlier` tiers of `known` are those of static variables and earlier slices.

    >>> panel = read_panel({"id": [1, 1, 2, 2], "day": [1, 2, 1, 2], "pain": ["n", "y", "y", "y"]}, "id", "day")
    >>> without_slices(transition_knowledge(panel, 1, within=False), 1)
    (Knowledge(), False)
    """
    present = known.tiers[earlier:]
    ordered = len(present) > 1
    past = {name for tier in known.tiers[:earlier] for name in tier}
    stated = {
        **known.to_dict(),
        "tiers": present if ordered else [],
        "strict_tiers": ordered and known.strict_tiers,
        "contexts": [name for name in known.contexts if name not in past],
    }
    return Knowledge.from_dict(stated), ordered or not known.strict_tiers


def initial_knowledge(panel: Panel, lags: int) -> Knowledge:
    """What is known of the first slices: static variables come first, then slice by slice."""
    slices = [[at(name, step) for name in panel.variables] for step in range(lags)]
    tiers = [*([list(panel.static)] if panel.static else []), *slices]
    return Knowledge(tiers=tiers) if len(tiers) > 1 else Knowledge()


def list_notes(panel: Panel) -> list[str]:
    """What to know before trusting what is learned."""
    if panel.subject_count > 1:
        return []
    return [
        "there is one subject, whose rows depend on each other: the scores count them as independent, so weak arcs are "
        "less sure than they seem, and there are no subjects to resample"
    ]


def _resample(
    panel: Panel,
    lags: int,
    gaps: str,
    algorithm: str | Algorithm,
    known: Knowledge,
    resamples: int,
    seed: int,
    settings: Mapping[str, Any],
) -> dict[Arc, float]:
    """For each arc the share of resamples of the subjects whose transition graph has it."""
    windows = panel.windows(lags, gaps)
    ends = panel.complete_ends(lags, gaps)
    order = order_subjects(panel)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    whose = place[panel.subjects[ends]]
    counts: dict[Arc, int] = {}
    for number in range(resamples):
        drawn = stream(seed, "panel", str(number)).integers(0, len(order), len(order))
        weights = np.bincount(drawn, minlength=len(order))[whose]
        kept = np.flatnonzero(weights)
        found = _learn_weighted(windows, kept, weights[kept], algorithm, known, settings)
        for arc in found.dag.arcs:
            counts[arc] = counts.get(arc, 0) + 1
    return {arc: times / resamples for arc, times in counts.items()}


def _learn_weighted(
    windows: Dataset, kept: Any, weights: Any, algorithm: str | Algorithm, known: Knowledge, settings: Mapping[str, Any]
) -> Learned:
    return learn(windows.take(kept, weights), algorithm, knowledge=known, **settings)


def order_subjects(panel: Panel) -> Any:
    """The subjects in an order that depends on their rows alone, not on their names nor on the order of rows."""
    rows = mix(hash_rows(panel.data) ^ mix(panel.waves.astype(np.uint64)))
    sums = np.zeros(panel.subject_count, np.uint64)
    np.add.at(sums, panel.subjects, rows)
    return np.argsort(sums, kind="stable")


@dataclass(frozen=True)
class PanelValidation:
    """How well slices of held-out subjects are predicted from the slices before.

    Parameters
    ----------
    bits : tuple of float
        For each fold the mean bits per variable and window of subjects that were not learned from; fewer is better.

    Examples
    --------
    >>> round(PanelValidation((0.8, 0.9)).mean, 2)
    0.85
    """

    bits: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over the folds."""
        return float(np.mean(self.bits))

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        return float(np.std(self.bits, ddof=1) / np.sqrt(len(self.bits)))


def validate_panel(
    data: Any,
    subject: str,
    time: str,
    algorithm: str | Algorithm = "boss",
    *,
    lags: int = 1,
    static: Sequence[str] = (),
    within: bool = True,
    gaps: str = "drop",
    knowledge: Knowledge | Mapping[str, Any] | str | PathLike[str] | None = None,
    prior: float = 1.0,
    folds: int = 5,
    fold_seed: int = 1,
    **settings: Any,
) -> PanelValidation:
    """Learn without some of the subjects, and predict their slices from the slices before.

    Parameters
    ----------
    data, subject, time, algorithm, lags, static, within, gaps, knowledge, prior, **settings
        As for `learn_panel`.
    folds : int
        Into how many parts the subjects are divided.
    fold_seed : int
        The seed of the division.

    Returns
    -------
    PanelValidation
        Bits per variable and window; compare lags, algorithms and scores by them.

    Raises
    ------
    MahcError
        Where there are fewer subjects than folds.

    Examples
    --------
    >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
    >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
    >>> validate_panel(columns, "id", "wave").mean < 0.7
    True
    """
    panel, rest = _open(data, subject, time, static, lags, gaps, settings)
    _require_whole("folds", folds, 2, 1000)
    if panel.subject_count < folds:
        fix = f"give at most the number of subjects, {panel.subject_count}"
        raise InvalidSettingError("folds", folds, fix)
    known = with_slices(take_knowledge(knowledge), panel, lags, within)
    order = order_subjects(panel)
    place = np.empty(len(order), np.int64)
    place[order] = stream(fold_seed, "panel folds").permutation(len(order)) % folds
    fold = place[panel.subjects]
    bits = []
    for number in range(folds):
        found = _learn(panel.take(fold != number), algorithm, lags, gaps, known, prior, rest)
        bits.append(found.bits_per_variable(panel.take(fold == number).windows(lags, gaps)))
    return PanelValidation(tuple(bits))
