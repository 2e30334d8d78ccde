"""`mahc.bootstrap`: learn from many resamples of the data, and count how often each edge comes back."""

from __future__ import annotations

import time
from collections.abc import Callable
from os import PathLike
from typing import Any

from msgspec.structs import replace

from mahc.confidence.resampling import POISSON, Resampler
from mahc.confidence.settings import BootstrapSettings
from mahc.confidence.workers import Resamples, RowResamples, learn_resamples
from mahc.data import Dataset
from mahc.engine import CancelFlag, CancelToken, CountSource
from mahc.engine.counts import PassSource
from mahc.errors import DataError, InvalidSettingError, Mention, NothingDoneError, SettingError
from mahc.graphs import DAG
from mahc.learn import make_request, settle
from mahc.learning.algorithm import Algorithm
from mahc.learning.control import Control, Progress
from mahc.learning.request import Request
from mahc.learning.settings import RunSettings
from mahc.learning.stop_reason import StopReason
from mahc.opening import close_opened, refuse_light_pieces, rows_of
from mahc.results.graph_sample import FILE, GraphSample, order_members
from mahc.results.records import record_data, record_run

MOST_MEMBERS = 10_000  # resamples whose graphs are kept; of more only the counts are, so that memory does not grow


def bootstrap(
    data: object,
    algorithm: str | Algorithm = "mahc",
    *,
    resamples: int = 200,
    seed: int = 1,
    how: str = "bootstrap",
    algorithm_seed: int | None = None,
    resume: GraphSample | str | PathLike[str] | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: CancelToken | CancelFlag | None = None,
    **settings: Any,
) -> GraphSample:
    """Learn from resamples of the data, and count how often each edge and each direction comes back.

    Each resample gives exactly the graph that `mahc.learn` gives for the table `mahc.confidence.resampled`. With
    `missing="impute"` and its like, missing values are drawn as such, and each resample is imputed or weighted anew.
    The result depends on the content of the data, the settings and the seed: not on the number of threads, nor on the
    order of rows (except with `how="poisson"`) and columns.

    Parameters
    ----------
    data : str, path, frame, array, dict of lists or Dataset
        Whatever `mahc.learn` takes. Where the distinct rows of data in pieces do not fit into memory, use
        `how="poisson"`.
    algorithm : str or Algorithm
        The algorithm that learns from every resample.
    resamples : int
        Number of resamples.
    seed : int
        Seed of the resamples; each has a random stream of its own.
    how : str
        "bootstrap" (as many rows as there are, with replacement), "half" (half of them, without replacement) or
        "poisson" (a row of weight w is drawn Poisson(w) times). Poisson weights depend on the seed and on the number of
        the row in the data: on its file and its place there, not on how the data are cut into pieces. This way alone
        depends on the order of the rows.
    algorithm_seed : int, optional
        Seed of the algorithm's own random choices (boss), the same for all resamples; its default if left out.
    resume : GraphSample, str or path, optional
        A saved bootstrap of the same data, settings and seed, to which the resamples that it lacks are added.
    time_limit : float, optional
        Stop after this many seconds with the resamples done so far.
    threads : int, optional
        Number of threads, all processors if left out; resamples are learned side by side.
    progress : callable, optional
        Called now and then with a `Progress`, whose `steps` are the resamples done; Ctrl-C ends the bootstrap with
        those.
    cancel : CancelToken or threading.Event, optional
        Ends the bootstrap with the resamples done so far when any thread calls its `cancel()`.
    **settings
        The other arguments of `mahc.learn`: knowledge, start graph, reading, settings of algorithm and score.

    Returns
    -------
    GraphSample
        The counts, and how they were made.

    Raises
    ------
    MahcError
        Whatever the caller can correct, in one sentence.

    Examples
    --------
    >>> columns = {"rain": ["no", "yes"] * 40, "wet": ["dry", "wet"] * 40, "day": ["a", "a", "b", "b"] * 20}
    >>> bootstrap(columns, "hc", resamples=25).edge("rain", "wet")
    1.0
    """
    chosen = BootstrapSettings(resamples=resamples, seed=seed, how=how, algorithm_seed=algorithm_seed)
    RunSettings(time_limit=time_limit, threads=threads)
    control = Control(time_limit, progress, cancel)
    own: dict[str, Any] = {**settings, **chosen.own_seed(algorithm)}
    numbers = own.pop("numbers", None) or "auto"
    RunSettings(numbers=numbers)
    request = make_request(data, algorithm, threads=threads, control=control, numbered=chosen.how == POISSON, **own)
    opened = request.data
    try:
        with control.catching_interrupts():
            request = settle(request, numbers, own.get("objective") is not None, control)  # the same for all resamples
            return learn_from_resamples(request, opened, data, chosen, control, resume)
    finally:
        close_opened(opened, data)


def learn_from_resamples(
    request: Request,
    opened: Dataset | CountSource,
    data: object,
    settings: BootstrapSettings,
    control: Control,
    resume: GraphSample | str | PathLike[str] | None = None,
) -> GraphSample:
    """The bootstrap of a settled request, whose data were `opened` from `data`."""
    resamples = choose_resamples(request, opened, data, settings)
    return _continue(_start(request, settings, resume), request, resamples, control)


def _start(
    request: Request, settings: BootstrapSettings, resume: GraphSample | str | PathLike[str] | None
) -> GraphSample:
    """The sample to add resamples to: a saved one, or one without any."""
    fresh = GraphSample(
        data=record_data(request.data),
        run=record_run(request, StopReason.CONVERGED, 0.0),
        origin=settings.how,
        seed=settings.seed,
        requested=settings.resamples,
        kind="DAG",
        variables=request.data.names,
        size=0,
        graphs={},
        patterns={},
    )
    return fresh if resume is None else take_saved(resume, fresh)


def choose_resamples(
    request: Request, opened: Dataset | CountSource, data: object, settings: BootstrapSettings
) -> Resamples:
    """Where the resamples of a request come from: rows in memory or, of Poisson weights, pieces."""
    refuse_passes(request.data, settings.how)
    refuse_light_pieces(opened)
    if settings.how != POISSON or isinstance(opened, Dataset):
        return RowResamples(Resampler(rows_of(request.data, data), settings))
    from mahc.confidence.piece_resamples import resamples_of_pieces  # few runs need it

    return resamples_of_pieces(request, opened, settings)


def refuse_passes(data: Dataset | CountSource, how: str) -> None:
    """Only Poisson resamples are drawn in passes."""
    if how != POISSON and isinstance(data, PassSource):
        raise DataError(
            "the distinct rows do not fit into memory, and other resamples than Poisson ones are drawn from them: use ",
            Mention("how", POISSON),
        )


def _continue(start: GraphSample, request: Request, resamples: Resamples, control: Control) -> GraphSample:
    began = time.perf_counter()
    graphs, patterns, kind = start.edge_counts.copy(), start.pattern_counts.copy(), start.kind
    members = {each.arcs: each.weight for each in start.members}
    kept = start.requested <= MOST_MEMBERS and sum(members.values()) == start.size
    for found in learn_resamples(request, resamples, range(start.size, start.requested), control):
        graphs.add(found.graph)
        patterns.add(found.pattern)
        kind = found.kind
        if kept and isinstance(found.graph, DAG):
            arcs = start.numbered(found.graph)
            members[arcs] = members.get(arcs, 0) + 1
    reason = StopReason.CONVERGED
    if graphs.graphs < start.requested:
        reason = StopReason(control.stop_reason() or StopReason.MEMORY_LIMIT)  # which a search watches by itself
    if graphs.graphs == 0:
        raise NothingDoneError(
            f"{reason.words} before the first resample was learned: allow more "
            f"{'memory' if reason is StopReason.MEMORY_LIMIT else 'time'}, or use fewer rows",
            reason.value,
        )
    seconds = time.perf_counter() - began
    run = replace(start.run, stop_reason=reason, seconds=start.run.seconds + seconds).timed(resamples=seconds)
    return replace(
        start,
        run=run,
        kind=kind,
        size=graphs.graphs,
        graphs=graphs.counts,
        patterns=patterns.counts,
        members=order_members(members) if kept else (),
    )


def take_saved(saved: GraphSample | str | PathLike[str], fresh: GraphSample, what: str = "bootstrap") -> GraphSample:
    """The saved counts, with the number of graphs that is asked for now.

    `fresh` is what the call would begin with if nothing was saved. Where more graphs were saved than asked for, all of
    them stay.
    """
    if isinstance(saved, str | PathLike):
        saved = GraphSample.load(saved)
    if not isinstance(saved, GraphSample):
        raise InvalidSettingError("resume", saved, f"give a GraphSample, or the path of a {FILE}")
    if saved.parts:
        raise SettingError("the saved graphs are the mean of samples, which cannot be continued: start anew")
    if saved.data.fingerprint != fresh.data.fingerprint:
        raise DataError(f"the saved {what} is of other data: give the same data with the same options, or start anew")
    for name, theirs, ours in _compare(saved, fresh):
        if theirs != ours:
            raise SettingError(
                f"the saved {what} has {name} {_show(theirs)}, this call {_show(ours)}: give the same, or start anew"
            )
    # The columns may be in another order now: the saved counts keep theirs.
    return replace(saved, requested=max(fresh.requested, saved.size))


def _compare(saved: GraphSample, fresh: GraphSample) -> list[tuple[str, object, object]]:
    pairs: list[tuple[str, object, object]] = [
        ("algorithm", saved.run.algorithm, fresh.run.algorithm),
        ("seed", saved.seed, fresh.seed),
        ("how", saved.origin, fresh.origin),
        ("score", saved.run.score, fresh.run.score),
        ("ties", saved.run.ties, fresh.run.ties),
        ("knowledge", saved.run.knowledge.to_dict(), fresh.run.knowledge.to_dict()),
        ("missing", saved.run.missing, fresh.run.missing),
        ("start graph", saved.run.start, fresh.run.start),
        ("version", saved.run.version, fresh.run.version),
    ]
    for name in ("beta", "chains", "candidate_parents", "warm_up", "thinning"):
        pairs.append((name, getattr(saved.sampling, name, None), getattr(fresh.sampling, name, None)))
    names = sorted({*saved.run.settings, *fresh.run.settings})
    for name in names:
        # The seed above is that of the resamples.
        shown = "algorithm_seed" if name == "seed" else name
        pairs.append((shown, saved.run.settings.get(name), fresh.run.settings.get(name)))
    return pairs


def _show(value: object) -> str:
    text = str(value) if value is not None else "no value"
    return text if len(text) <= 60 else text[:57] + "..."
