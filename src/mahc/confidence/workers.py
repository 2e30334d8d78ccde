"""Learning from resamples side by side on threads, in memory that does not grow with their number."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from dataclasses import dataclass, replace

from mahc.confidence.resampling import Resampler
from mahc.engine.rows import available_processors
from mahc.graphs import DAG, MixedGraph
from mahc.learning.control import Control
from mahc.learning.found import FoundPattern
from mahc.learning.problem_making import cache_size
from mahc.learning.request import Request
from mahc.learning.searching import Searched, search
from mahc.learning.stop_reason import StopReason
from mahc.results.outcomes.building import learned_graph
from mahc.results.outcomes.dag import find_pattern

SIDE_BY_SIDE_BYTES = 1 << 26  # of resampled rows; larger ones are learned one after another, each on all threads


@dataclass(frozen=True)
class LearnedResample:
    """The graph of one resample, and its CPDAG or PAG."""

    kind: str
    graph: DAG | MixedGraph
    pattern: MixedGraph


def learn_resamples(
    request: Request, resampler: Resampler, numbers: Sequence[int], control: Control
) -> Iterator[LearnedResample]:
    """The graphs of these resamples in their order; ends early, with all before it given, when the run is to stop."""
    threads = request.threads or available_processors()
    workers = _workers(resampler, threads)
    request = replace(request, threads=max(1, threads // workers))
    waiting: deque[Future[LearnedResample | None]] = deque()
    left = iter(numbers)
    total, done = len(numbers), 0
    with ThreadPoolExecutor(workers, thread_name_prefix="mahc-resample") as pool:
        try:
            while True:
                while len(waiting) < 2 * workers and (number := next(left, None)) is not None:
                    waiting.append(pool.submit(_learn_one, request, resampler, number, control))
                if not waiting:
                    return
                found = _wait(waiting.popleft(), control, done, total)
                if found is None:
                    return
                done += 1
                yield found
        except BaseException:
            control.token.cancel()  # an error, or the second Ctrl-C: the others need not go on
            raise
        finally:
            for future in waiting:
                future.cancel()


def _workers(resampler: Resampler, threads: int) -> int:
    data = resampler.prepare()
    size = data.rows * data.row_bytes
    return max(1, min(threads, SIDE_BY_SIDE_BYTES // max(1, size)))


def _wait(future: Future[LearnedResample | None], control: Control, done: int, total: int) -> LearnedResample | None:
    """The result of a resample; progress is reported while it is waited for."""
    while True:
        control.phase = f"resample {done + 1:,} of {total:,}"
        control.should_stop(done, math.nan)
        try:
            return future.result(timeout=0.05)
        except TimeoutError:
            continue


def _search(request: Request, resampler: Resampler, number: int, control: Control) -> Searched:
    if request.incomplete:
        return search(replace(request, data=resampler.table(number)), control, details=False)
    rows = request.score.hold(
        resampler.prepare(),
        weights=resampler.weights(number),
        threads=request.threads,
        cache_mebibytes=cache_size(request.algorithm),
    )
    return search(request, control, rows, details=False)


def _learn_one(request: Request, resampler: Resampler, number: int, control: Control) -> LearnedResample | None:
    """The graph of one resample; None where the run was stopped before it was finished."""
    if control.stop_reason() is not None:
        return None
    seconds = control.seconds_left()
    own = Control(seconds if seconds < 1e17 else None, None, control.token)
    searched = _search(request, resampler, number, own)
    if StopReason(searched.found.stop_reason).by_clock_or_user:
        return None
    graph = learned_graph(request, searched)
    if isinstance(graph, DAG):
        return LearnedResample("DAG", graph, find_pattern(graph, request.knowledge, request.experiments))
    assert isinstance(searched.found, FoundPattern)
    return LearnedResample(searched.found.kind, graph, graph)
