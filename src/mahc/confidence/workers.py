"""Learning from resamples side by side on threads, in memory that does not grow with their number."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.resampling import Resampler
from mahc.data import Dataset
from mahc.engine.control import Stopped
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


class Resamples(Protocol):
    """Where resamples come from: rows in memory, or pieces."""

    ahead: ClassVar[int]  # searches that wait or run, for each that runs

    def workers(self, threads: int) -> int:
        """How many searches run side by side."""
        ...

    def begin(self, number: int, last: int, control: Control) -> None:
        """A search of resample `number` is about to start, and those up to `last` will follow; in their order."""
        ...

    def search(self, request: Request, number: int, control: Control) -> Searched:
        """What is found in a resample; `Stopped` where the run was stopped before there was anything to find."""
        ...

    def end(self, number: int) -> None:
        """The search is over, or will not take place."""
        ...


def learn_resamples(
    request: Request, resamples: Resamples, numbers: Sequence[int], control: Control
) -> Iterator[LearnedResample]:
    """The graphs of these resamples in their order; ends early, with all before it given, when the run is to stop."""
    threads = request.threads or available_processors()
    workers = resamples.workers(threads)
    request = replace(request, threads=max(1, threads // workers))
    waiting: deque[tuple[int, Future[LearnedResample | None]]] = deque()
    left = iter(numbers)
    total, done = len(numbers), 0
    with ThreadPoolExecutor(workers, thread_name_prefix="mahc-resample") as pool:
        try:
            while True:
                while len(waiting) < resamples.ahead * workers and (number := next(left, None)) is not None:
                    try:
                        resamples.begin(number, numbers[-1], control)
                    except Stopped:
                        left = iter(())
                        break
                    waiting.append((number, pool.submit(_learn_one, request, resamples, number, control)))
                if not waiting:
                    return
                found = _wait(waiting.popleft()[1], control, done, total)
                if found is None:
                    return
                done += 1
                yield found
        except BaseException:
            control.token.cancel()  # an error, or the second Ctrl-C: the others need not go on
            raise
        finally:
            for number, future in waiting:
                if future.cancel():
                    resamples.end(number)


class RowResamples:
    """Resamples of rows in memory.

    Parameters
    ----------
    resampler : Resampler
        Draws their weights.
    """

    ahead: ClassVar[int] = 2

    def __init__(self, resampler: Resampler) -> None:
        self.resampler = resampler

    def workers(self, threads: int) -> int:
        """Small tables side by side, large ones one after another, each on all threads."""
        data = self.resampler.prepare()
        size = data.rows * data.row_bytes
        return max(1, min(threads, SIDE_BY_SIDE_BYTES // max(1, size)))

    def begin(self, number: int, last: int, control: Control) -> None:
        """Weights are drawn when they are needed."""

    def search(self, request: Request, number: int, control: Control) -> Searched:
        """Search the weighted rows; missing values are treated anew."""
        if request.incomplete:
            return search(replace(request, data=self.resampler.table(number)), control, details=False)
        return search_weighted(request, self.resampler.prepare(), self.resampler.weights(number), control)

    def end(self, number: int) -> None:
        """Nothing is kept."""


def search_weighted(request: Request, data: Dataset, weights: NDArray[np.int64], control: Control) -> Searched:
    """Search rows with the weights of a resample."""
    rows = request.score.hold(
        data, weights=weights, threads=request.threads, cache_mebibytes=cache_size(request.algorithm)
    )
    return search(request, control, rows, details=False)


def _wait(future: Future[LearnedResample | None], control: Control, done: int, total: int) -> LearnedResample | None:
    """The result of a resample; progress is reported while it is waited for."""
    while True:
        control.phase = f"resample {done + 1:,} of {total:,}"
        control.should_stop(done, math.nan)
        try:
            return future.result(timeout=0.05)
        except TimeoutError:
            continue


def _learn_one(request: Request, resamples: Resamples, number: int, control: Control) -> LearnedResample | None:
    """The graph of one resample; None where the run was stopped before it was finished."""
    try:
        if control.stop_reason() is not None:
            return None
        seconds = control.seconds_left()
        searched = resamples.search(request, number, Control(seconds if seconds < 1e17 else None, None, control.token))
    except Stopped:
        return None
    finally:
        resamples.end(number)
    if StopReason(searched.found.stop_reason).by_clock_or_user:
        return None
    graph = learned_graph(request, searched)
    if isinstance(graph, DAG):
        return LearnedResample("DAG", graph, find_pattern(graph, request.knowledge, request.experiments))
    assert isinstance(searched.found, FoundPattern)
    return LearnedResample(searched.found.kind, graph, graph)
