"""How long a run on a cluster will take, what it reads and sends, and what it costs: foretold from a trial."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mahc.cluster.choosing import choose_way
from mahc.cluster.columns import column_names
from mahc.cluster.engines import refuse_address
from mahc.cluster.meter import format_bytes
from mahc.cluster.opening import name_source
from mahc.cluster.pieces import Piece, find_pieces
from mahc.cluster.runner import Runner
from mahc.cluster.trial import CODING, EmptyPass, PassTime, Trial, choose_pieces, run_trial
from mahc.data.dataset import LARGEST_SIZE
from mahc.data.settings import ReadSettings
from mahc.errors import DataError
from mahc.plurals import count

BRANCHES = 8  # answers that one task adds up
TASKS, TRIPS = 32, 3  # of the trips that are timed on a cluster


@dataclass(frozen=True)
class Cluster:
    """What counting elsewhere costs besides counting.

    Parameters
    ----------
    workers : int
        Threads that count one piece each, each in a process of its own.
    pass_seconds, task_seconds : float
        Seconds for a pass that counts nothing, and for each of its tasks: those of Dask on one machine
        (`benchmarks/plan_cluster.py --overhead`) unless they were measured on the cluster.
    byte_seconds : float
        Seconds to send a byte: 100 MB in a second.
    """

    workers: int
    pass_seconds: float = 0.03
    task_seconds: float = 0.0006
    byte_seconds: float = 1e-8


@dataclass(frozen=True)
class PhasePlan:
    """The passes of one kind: how many, their seconds, and the bytes that they read and send."""

    name: str
    passes: int
    seconds: float
    read_bytes: int
    sent_bytes: int


@dataclass(frozen=True)
class Plan:
    """A run of mahc on a cluster, as foretold.

    Parameters
    ----------
    rows, columns, pieces, tried, workers : int
        The data, the pieces that were tried, and the workers.
    phases : tuple of PhasePlan
        The passes, and last the search.
    in_passes : bool
        Whether the distinct rows do not fit into the memory.
    distinct_rows : int
        How many there will be.
    worker_bytes : int
        The memory of a worker: coded rows and the answers that it adds up.
    remarks : tuple of str
        What will break, or takes longer than counting.

    Examples
    --------
    >>> trial = Trial(2000, 5, 2, (PassTime("values", 3.0, reads_files=True),), 10**6, 32, False, 1.0, 0.0)
    >>> plan(trial, 100, 10**9, Cluster(10)).seconds
    31.03
    """

    rows: int
    columns: int
    pieces: int
    tried: int
    workers: int
    phases: tuple[PhasePlan, ...]
    in_passes: bool
    distinct_rows: int
    worker_bytes: int
    remarks: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """How long the run takes, without starting the cluster."""
        return sum(phase.seconds for phase in self.phases)

    @property
    def passes(self) -> int:
        """How many passes there are."""
        return sum(phase.passes for phase in self.phases)

    @property
    def worker_hours(self) -> float:
        """Hours times workers."""
        return self.workers * self.seconds / 3600


def plan_files(
    data: Any,
    settings: ReadSettings,
    memory_bytes: int,
    learn: Callable[[Any], object],
    *,
    workers: int | None = None,
    on: str | None = None,
    rows: int | None = None,
) -> Plan:
    """Try a few pieces of files, and foretell mahc on all of them.

    Parameters
    ----------
    data : path or list of paths
        The files.
    settings : ReadSettings
        How they are read.
    memory_bytes : int
        The memory limit of the client.
    learn : callable
        `mahc.learn`. On Dask a worker runs the trial, and so needs it too.
    workers : int, optional
        How many workers count; those of the cluster if left out.
    on : str, optional
        The address of a cluster, whose trips are measured; without it those of Dask on one machine are assumed.
    rows : int, optional
        Foretell for so many rows of this kind instead of those that there are.

    Returns
    -------
    Plan
        What the run will take.
    """
    size = choose_way(data, settings, measure=True).size
    if size is None or not size.rows:
        raise DataError(
            f"{name_source(data)} is not cut into pieces, or has no rows: a run on a cluster cannot be planned"
        )
    pieces = find_pieces(data, settings)
    names, _ = column_names(pieces, settings)
    times = 1.0 if rows is None else rows / size.rows
    chosen, how = choose_pieces(pieces), (names, settings, memory_bytes, learn, times * len(pieces))
    if on is None:
        cluster, trial = Cluster(workers or 1), run_trial(chosen, *how)
    else:
        cluster, trial = _try_on(on, chosen, how)
        cluster = replace(cluster, workers=workers or cluster.workers)
    if rows is None and len(chosen) < len(pieces):
        rows = size.rows  # otherwise the trial has counted them
    return plan(trial, math.ceil(times * len(pieces)), round(times * size.bytes), cluster, rows)


def _try_on(on: str, chosen: Sequence[Piece], how: tuple[Any, ...]) -> tuple[Cluster, Trial]:
    """The workers of a cluster, the seconds of its trips, and the trial: on a Dask worker, for Spark here."""
    if on.startswith(("dask://", "tcp://", "tls://")):
        from mahc.cluster.dask_runner import DaskRunner, connect_dask

        with connect_dask(on) as client:
            cluster = measure_trips(lambda pieces: DaskRunner(client, pieces), chosen, sum(client.nthreads().values()))
            return cluster, client.submit(run_trial, chosen, *how, pure=False).result()
    if on.startswith("spark://"):
        from mahc.cluster.spark_runner import SparkRunner, frame_of_pieces, open_session

        session = open_session(on)

        def on_spark(pieces: Sequence[Piece]) -> Runner:
            return SparkRunner(frame_of_pieces(session, pieces), None, pieces)

        return measure_trips(on_spark, chosen, session.sparkContext.defaultParallelism), run_trial(chosen, *how)
    raise refuse_address(on)


def measure_trips(make: Callable[[Sequence[Piece]], Runner], chosen: Sequence[Piece], workers: int) -> Cluster:
    """What trips to one piece and to many take, the shortest of a few each."""
    seconds = []
    for many in (1, TASKS):
        runner = make([chosen[0]] * many)
        seconds.append(min(_time(runner) for _ in range(TRIPS)))
    return Cluster(workers, seconds[0], max(0.0, (seconds[1] - seconds[0]) / TASKS))


def _time(runner: Runner) -> float:
    began = time.perf_counter()
    runner.run(EmptyPass())
    return time.perf_counter() - began


def plan(trial: Trial, pieces: int, file_bytes: int, cluster: Cluster, rows: int | None = None) -> Plan:
    """Foretell a run on so many pieces.

    Parameters
    ----------
    trial : Trial
        What some of them took (`run_trial`).
    pieces, file_bytes : int
        All pieces, and their bytes.
    cluster : Cluster
        Who counts them.
    rows : int, optional
        All rows, where they are known; those of the trial in proportion if left out.

    Returns
    -------
    Plan
        Seconds, bytes, memory and what limits the run.
    """
    times = pieces / trial.pieces
    known = round(trial.rows * times) if rows is None else rows
    found = [(each, _seconds(each, pieces, trial, cluster)) for each in trial.passes]
    search = trial.here * max(1.0, times) ** trial.here_growth
    phases: dict[str, PhasePlan] = {}
    for each, (counting, rest) in found:
        old = phases.get(each.name, PhasePlan(each.name, 0, 0.0, 0, 0))
        phases[each.name] = replace(
            old,
            passes=old.passes + (each.name != CODING),
            seconds=old.seconds + counting + rest,
            read_bytes=old.read_bytes + (file_bytes if each.reads_files else 0),
            sent_bytes=old.sent_bytes + sum(_sent(each, pieces)),
        )
    largest = max((BRANCHES + 1) * max(_level_bytes(each, pieces), default=0) for each in trial.passes)
    worker_bytes = round(trial.coded_bytes * -(-pieces // cluster.workers) + largest)
    listed = (*phases.values(), PhasePlan("search", 0, search, 0, 0))
    made = Plan(
        known,
        trial.columns,
        pieces,
        trial.pieces,
        cluster.workers,
        listed,
        trial.in_passes,
        min(trial.distinct_rows, known),
        worker_bytes,
    )
    return replace(made, remarks=_remarks(made, [parts for _, parts in found], largest, trial))


def _level_bytes(each: PassTime, pieces: int) -> list[float]:
    """The bytes of one answer at each level of the tree that adds answers up, the lowest first."""
    levels = math.ceil(math.log(pieces, BRANCHES) - 1e-9) if pieces > 1 else 0
    factors = [BRANCHES ** (level * each.growth) for level in range(levels)]
    return [each.answer_bytes * factor for factor in factors if factor <= each.most_growth]


def _sent(each: PassTime, pieces: int) -> list[int]:
    """The bytes that all answers of each level take together."""
    return [round(size * pieces / BRANCHES**level) for level, size in enumerate(_level_bytes(each, pieces))]


def _seconds(each: PassTime, pieces: int, trial: Trial, cluster: Cluster) -> tuple[float, float]:
    """Of a pass: the seconds of counting, and what comes on top: the scheduler, and adding the answers."""
    counting = each.seconds * -(-pieces // cluster.workers)
    tasks = pieces * (1 + 1 / (BRANCHES - 1)) if each.answer_bytes else pieces
    scheduling = cluster.pass_seconds + max(0.0, tasks * cluster.task_seconds - counting)
    adding, waiting = 0.0, float(pieces)
    for level, size in enumerate(_level_bytes(each, pieces)):
        waiting = math.ceil(waiting / BRANCHES)
        rounds = math.ceil(waiting / cluster.workers)
        slower = BRANCHES ** (level * each.growth)
        adding += rounds * (BRANCHES - 1) * (each.adding * slower + size * cluster.byte_seconds)
    return counting, scheduling + adding


def _remarks(made: Plan, parts: Sequence[tuple[float, float]], largest: float, trial: Trial) -> tuple[str, ...]:
    """What breaks first, and what takes longer than counting."""
    found = []
    if made.rows > LARGEST_SIZE:
        found.append(f"more than 2^53 - 1 rows are refused: {made.rows:.3g}")
    if largest > made.worker_bytes / 2:
        found.append(
            f"the answers of {count(BRANCHES + 1, 'piece')}, which one worker holds to add them up, take "
            f"{format_bytes(round(largest))}, more than its coded rows"
        )
    if sum(rest for _, rest in parts) > sum(counting for counting, _ in parts):
        found.append("scheduling and adding take longer than counting: use larger pieces, or fewer workers")
    if made.phases[-1].seconds > made.seconds / 2:
        found.append(
            "the search, which runs where the client is, takes longer than all passes: more workers do not help"
        )
    if made.workers > made.pieces:
        found.append(
            f"only {made.pieces:,} of {count(made.workers, 'worker')} have a piece: cut the files into smaller ones"
        )
    return tuple(found)
