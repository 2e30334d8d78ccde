"""`mahc.confidence.validate`: which algorithm, score or setting predicts held-out rows best, without a true graph."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.row_order import sort_rows, split_copies
from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.dataset import refuse_fractions
from mahc.engine import CancelFlag, CancelToken, CountSource
from mahc.engine.control import Stopped
from mahc.engine.counts import PassSource
from mahc.engine.fold_weights import FoldWeights
from mahc.errors import DataError, InvalidSettingError, MahcError, Mention, SettingError
from mahc.graphs import DAG
from mahc.inference.em import fit_em, observed_bits
from mahc.learn import learn
from mahc.learning.control import Control, Progress
from mahc.learning.settings import RunSettings, choose
from mahc.learning.stop_reason import StopReason
from mahc.networks import fit, row_bits
from mahc.networks.fitting import count_tables
from mahc.networks.random_streams import MAX_SEED, stream
from mahc.opening import closing_opened, kept_method, open_data, rows_of
from mahc.plurals import count
from mahc.setting_checks import Number, OneOf, Whole
from mahc.settings import check_settings, setting

if TYPE_CHECKING:
    from mahc.cluster.sharded_rows import ShardedRows

CONTENT, POSITION = "content", "position"


@dataclass(frozen=True)
class ValidationSettings:
    """How rows are held out, and how tables are fitted to the others.

    >>> ValidationSettings(folds=5).prior
    1.0
    """

    folds: int = setting(10, help="Number of parts; each is held out once.", check=Whole(2, 1000), metavar="N")
    seed: int = setting(1, help="Seed of the parts.", check=Whole(0, MAX_SEED), metavar="N")
    prior: float = setting(
        1.0,
        help="Equivalent sample size of the Dirichlet prior of the tables.",
        check=Number(above=0, hint="1 is usual"),
        metavar="N",
    )
    split: str = setting(
        CONTENT,
        help="How rows are divided: content (by their values, in any order) or position (by their place in the data, "
        "also where the distinct rows of data in pieces do not fit into memory).",
        check=OneOf(CONTENT, POSITION),
        metavar="WAY",
    )

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True)
class Candidate:
    """An algorithm with a score and settings, to be compared with others.

    Parameters
    ----------
    algorithm : str
        Its name.
    objective : str, optional
        The name of the score; the algorithm's own if left out.
    settings : mapping
        Settings of the algorithm and of the score.

    Examples
    --------
    >>> Candidate("hc", "bdeu", {"equivalent_sample_size": 10.0}).label
    'hc, bdeu, equivalent_sample_size=10'
    """

    algorithm: str
    objective: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Its name in tables."""
        parts = [self.algorithm] + ([self.objective] if self.objective else [])
        shown = ((name, f"{v:g}" if isinstance(v, float) else str(v)) for name, v in sorted(self.settings.items()))
        return ", ".join([*parts, *(f"{name}={value}" for name, value in shown)])


@dataclass(frozen=True)
class Held:
    """What one candidate costs on held-out rows.

    Parameters
    ----------
    candidate : Candidate
        The candidate.
    fold_bits : tuple of float
        The mean bits per row of each part.
    arcs : float
        The mean number of arcs.
    failure : str, optional
        Why there are no numbers.

    Examples
    --------
    >>> Held(Candidate("hc"), (3.0, 3.5), 8.0).bits
    3.25
    """

    candidate: Candidate
    fold_bits: tuple[float, ...]
    arcs: float = math.nan
    failure: str | None = None

    @property
    def bits(self) -> float:
        """Bits per row: the mean over the parts; infinite where the candidate failed."""
        return math.fsum(self.fold_bits) / len(self.fold_bits) if self.fold_bits else math.inf

    @property
    def standard_error(self) -> float:
        """The standard error of that mean, from the differences between the parts."""
        return _standard_error(self.fold_bits)

    def difference(self, other: Held) -> tuple[float, float]:
        """The mean difference to another candidate on the same parts, and its standard error."""
        pairs = [a - b for a, b in zip(self.fold_bits, other.fold_bits, strict=True)]
        return (math.fsum(pairs) / len(pairs), _standard_error(pairs)) if pairs else (math.inf, math.nan)


def _standard_error(values: Sequence[float]) -> float:
    if len(values) < 2:
        return math.nan
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


@dataclass(frozen=True)
class Validation:
    """The candidates, the best first, and how many parts were held out.

    Parameters
    ----------
    held : tuple of Held
        One entry per candidate, fewest bits first.
    folds : int
        Parts that were held out.
    requested : int
        Parts that were asked for; more than `folds` where the run was stopped.

    Examples
    --------
    >>> Validation((Held(Candidate("hc"), (3.0, 3.5), 8.0),), 2, 2).best.label
    'hc'
    """

    held: tuple[Held, ...]
    folds: int
    requested: int

    @property
    def best(self) -> Candidate:
        """The candidate with the fewest bits per held-out row."""
        return self.held[0].candidate

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        rows = []
        for each in self.held:
            more, error = each.difference(self.held[0]) if each.failure is None else (None, None)
            rows.append(
                {
                    "candidate": each.candidate.label,
                    "algorithm": each.candidate.algorithm,
                    "objective": each.candidate.objective,
                    "settings": dict(each.candidate.settings),
                    "bits_per_row": _finite(each.bits),
                    "standard_error": _finite(each.standard_error),
                    "difference": _finite(more),
                    "difference_standard_error": _finite(error),
                    "arcs": _finite(each.arcs),
                    "failure": each.failure,
                }
            )
        return {"folds": self.folds, "requested": self.requested, "best": self.best.label, "candidates": rows}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def validate(
    data: object,
    candidates: Sequence[str | Candidate],
    *,
    folds: int = 10,
    seed: int = 1,
    prior: float = 1.0,
    split: str = CONTENT,
    knowledge: Any = None,
    time_limit: float | None = None,
    memory_mebibytes: int | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: CancelToken | CancelFlag | None = None,
    on: object = None,
    **reading: Any,
) -> Validation:
    """Compare algorithms, scores and settings by the bits that their models need for held-out rows.

    The rows are divided into parts. For each part and candidate, a graph is learned from the other parts, its tables
    are fitted to them, and the held-out rows are scored. All candidates see the same parts, so their differences are
    paired. The parts do not depend on the order of rows and columns, nor on the labels of states.

    Parameters
    ----------
    data : str, path, frame, array, dict of lists or Dataset
        Whatever `mahc.read` takes.
    candidates : list of str or Candidate
        Names of algorithms, or candidates with a score and settings.
    folds : int
        Number of parts.
    seed : int
        Seed of the parts.
    prior : float
        Equivalent sample size of the prior of the tables.
    split : str
        "content": the parts depend on the values of the rows, not on their order. "position": they depend on the
        numbers of the rows in the data, so that data in pieces whose distinct rows do not fit into memory can be
        divided; a row with its whole weight is in one part.
    knowledge : Knowledge, dict, str or path, optional
        Constraints that all candidates obey.
    time_limit : float, optional
        Stop after this many seconds with the parts that all candidates have finished.
    memory_mebibytes : int, optional
        How much the process may grow while it learns, as for `mahc.learn`.
    threads : int, optional
        Number of threads; all processors if left out.
    progress : callable, optional
        Called now and then with a `Progress`.
    cancel : CancelToken or threading.Event, optional
        Stops with the parts finished so far.
    on : distributed.Client, Spark session or str, optional
        The cluster that reads and counts files, as for `mahc.learn`.
    **reading
        Settings of `mahc.read`, for data that are not read yet.

    Returns
    -------
    Validation
        Bits per row with standard errors, the best candidate first.

    Raises
    ------
    MahcError
        For wrong settings, fewer rows than parts, and where no part was finished or every candidate failed.

    Examples
    --------
    >>> columns = {"rain": ["no", "yes"] * 40, "wet": ["dry", "wet"] * 40}
    >>> validate(columns, ["hc", Candidate("hc", "aic")], folds=4).folds
    4
    """
    settings = ValidationSettings(folds=folds, seed=seed, prior=prior, split=split)
    RunSettings(time_limit=time_limit, threads=threads)
    chosen = check_candidates(candidates)
    wanted = ReadSettings(**reading)
    control = Control(time_limit, progress, cancel)
    opened = open_data(
        data,
        wanted,
        kinds=shared_kinds(chosen),
        on=on,
        threads=threads,
        memory_mebibytes=memory_mebibytes,
        control=control,
        numbered=split == POSITION,
    )
    with closing_opened(None if opened is data else opened):
        refuse_fractions(opened, "validation")
        learning = {"knowledge": knowledge, "threads": threads, "memory_mebibytes": memory_mebibytes}
        return _validate(_divisible(opened, settings), chosen, settings, control, learning, wanted)


def _divisible(opened: Dataset | CountSource, settings: ValidationSettings) -> Dataset | ShardedRows:
    """The data as their parts are taken from them."""
    if opened.size < settings.folds:
        raise DataError(
            f"the data have {count(opened.size, 'row')} and folds is {settings.folds}: give at most {opened.size:,}"
        )
    if settings.split == CONTENT and isinstance(opened, PassSource):
        raise DataError(
            "the distinct rows do not fit into memory, and rows are divided by content: use ",
            Mention("split", POSITION),
        )
    if settings.split == CONTENT or isinstance(opened, Dataset):
        return rows_of(opened, opened)
    from mahc.cluster.resampling import count_in_passes
    from mahc.cluster.sharded_rows import CompactRows, ShardedRows

    if not isinstance(opened, CompactRows | ShardedRows):
        raise DataError("a count source has no rows to hold out: give the data themselves")
    return count_in_passes(opened)


def _validate(
    dataset: Dataset | ShardedRows,
    chosen: list[Candidate],
    settings: ValidationSettings,
    control: Control,
    learning: Mapping[str, Any],
    wanted: ReadSettings,
) -> Validation:
    """Hold out one part after another."""
    folds = settings.folds
    learning = {**learning, "missing": kept_method(dataset, wanted)}
    bits: list[list[float]] = [[] for _ in chosen]
    arcs: list[list[int]] = [[] for _ in chosen]
    failures: dict[int, str] = {}
    done = 0
    with control.catching_interrupts():
        for number, (rest, part) in enumerate(_parts(dataset, settings, control)):
            found: dict[int, tuple[float, int]] = {}
            for place, candidate in enumerate(chosen):
                if control.should_stop(number, math.nan):
                    break
                control.phase = f"part {number + 1} of {folds}, {candidate.label}"
                if place not in failures:
                    try:
                        result = _hold_out(candidate, rest, part, settings, learning, control)
                    except MahcError as problem:
                        failures[place] = str(problem)
                        continue
                    if result is None:
                        break
                    found[place] = result
            if len(found) + len(failures) < len(chosen):
                break
            for place, (cost, edges) in found.items():
                bits[place].append(cost)
                arcs[place].append(edges)
            done += 1
    return _conclude(chosen, bits, arcs, failures, done, folds)


def check_candidates(candidates: Sequence[str | Candidate]) -> list[Candidate]:
    """The candidates; wrong names and settings are refused."""
    if isinstance(candidates, str) or not candidates:
        raise InvalidSettingError("candidates", candidates, "give a list of names of algorithms, or of candidates")
    chosen = [each if isinstance(each, Candidate) else Candidate(each) for each in candidates]
    labels = [each.label for each in chosen]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise SettingError(f"the candidate '{twice}' is named twice: name it once")
    shared_kinds(chosen)
    return chosen


def shared_kinds(candidates: Sequence[Candidate]) -> frozenset[Kind]:
    """The kinds of columns that all candidates take: bits of states and of numbers cannot be compared."""
    taken = frozenset(Kind)
    for each in candidates:
        algorithm, score = choose(each.algorithm, each.objective, each.settings)
        taken &= algorithm.kinds(score)
    return taken


Rows = TypeVar("Rows", "Dataset", "ShardedRows")


def _parts(
    data: Dataset | ShardedRows, settings: ValidationSettings, control: Control | None = None
) -> Iterator[tuple[Dataset, Dataset] | tuple[ShardedRows, ShardedRows]]:
    """For each part, the other rows and the part; ends where the run is to stop."""
    if not isinstance(data, Dataset):
        yield from _parts_in_passes(data, settings, control)
        return
    if settings.split == POSITION:
        places = FoldWeights(settings.seed, settings.folds).part_of(0, data.rows)
        for fold in range(settings.folds):
            yield data.take(places != fold), _with_rows(data.take(places == fold))
        return
    order, starts = sort_rows(data)
    weights = np.ones(data.rows, np.int64) if data.weights is None else data.weights
    rows, copies = order[starts], np.add.reduceat(weights[order], starts)
    for inside in split_copies(copies, settings.folds, stream(settings.seed, "validate")):
        yield _take(data, rows, copies - inside), _take(data, rows, inside)


def _parts_in_passes(
    data: ShardedRows, settings: ValidationSettings, control: Control | None
) -> Iterator[tuple[ShardedRows, ShardedRows]]:
    from mahc.cluster.resampling import SharedPasses, resample_in_passes

    shared = SharedPasses(data.numbered, FoldWeights(settings.seed, settings.folds))
    shared.join()
    for fold in range(settings.folds):
        try:
            rest, part = (
                resample_in_passes(data, shared, 2 * fold + inside, data.budget // 2, control) for inside in (0, 1)
            )
        except Stopped:
            return
        yield rest, _with_rows(part)


def _with_rows(part: Rows) -> Rows:
    if not part.size:
        raise DataError("a part has no rows: give fewer ", Mention("folds"), ", or use ", Mention("split", CONTENT))
    return part


def _take(data: Dataset, rows: NDArray[np.uint32], copies: NDArray[np.int64]) -> Dataset:
    """Rows with these numbers of copies; all states stay states."""
    kept = np.flatnonzero(copies)
    return data.take(rows[kept], None if copies.max() <= 1 else copies[kept])


def _hold_out(
    candidate: Candidate,
    rest: Dataset | ShardedRows,
    part: Dataset | ShardedRows,
    settings: ValidationSettings,
    learning: Mapping[str, Any],
    control: Control,
) -> tuple[float, int] | None:
    """The mean bits of the held-out rows and the number of arcs; None where the run is to stop."""
    left = control.seconds_left()
    learned = learn(
        rest,
        candidate.algorithm,
        objective=candidate.objective,
        time_limit=left if left < 1e17 else None,
        cancel=control.token,
        **{**learning, **candidate.settings},
    )
    if learned.stop_reason is StopReason.MEMORY_LIMIT:
        raise MahcError("the memory limit was reached: raise it, or use fewer variables")
    if control.stop_reason() is not None:
        return None
    if not isinstance(rest, Dataset) or not isinstance(part, Dataset):
        return _counted_bits(learned.dag, rest, part, settings.prior)
    if Kind.CONTINUOUS in rest.kinds:
        return learned.fit(rest, prior=settings.prior).score(part), len(learned.dag.arcs)
    if not rest.complete or not part.complete:
        return _incomplete_bits(learned.dag, rest, part, settings.prior, control)
    if settings.split == POSITION:
        return _counted_bits(learned.dag, rest, part, settings.prior)
    network = fit(learned.dag, rest, settings.prior)
    costs = row_bits(network, part)
    counts = np.ones(part.rows) if part.weights is None else part.weights.astype(np.float64)
    return math.fsum((np.sort(costs * counts)).tolist()) / part.size, len(network.arcs)


def _counted_bits(
    dag: DAG, rest: Dataset | ShardedRows, part: Dataset | ShardedRows, prior: float
) -> tuple[float, int]:
    """The same from the counts of families alone."""
    network = fit(dag, rest, prior)
    terms: list[float] = []
    for table, counts in zip(network.tables, count_tables(dag, part), strict=True):
        terms += (-counts * np.log2(table)).ravel().tolist()  # a prior above 0 leaves no probability of 0
    return math.fsum(terms) / part.size, len(network.arcs)


def _incomplete_bits(
    dag: DAG, rest: Dataset, part: Dataset, prior: float, control: Control
) -> tuple[float, int] | None:
    """The same where values are missing: tables by EM, and the bits of what is observed in the held-out rows."""
    network = fit_em(dag, rest, prior, control=control).network
    bits = observed_bits(network, part, control)
    return None if bits is None else (bits / part.size, len(network.arcs))


def _conclude(
    chosen: list[Candidate],
    bits: list[list[float]],
    arcs: list[list[int]],
    failures: Mapping[int, str],
    done: int,
    folds: int,
) -> Validation:
    if not done:
        raise MahcError("the run was stopped before the first part was finished: allow more time")
    if len(failures) == len(chosen):
        raise MahcError(f"every candidate failed; the first, {chosen[0].label}: {failures[0]}")
    held = [
        Held(each, (), failure=failures[place])
        if place in failures
        else Held(each, tuple(bits[place]), float(np.mean(arcs[place])))
        for place, each in enumerate(chosen)
    ]
    return Validation(tuple(sorted(held, key=lambda each: (each.bits, each.candidate.label))), done, folds)
