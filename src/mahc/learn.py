"""`mahc.learn`: from data to a learned graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.dataset import refuse_fractions
from mahc.data.prepare.audit import DISCRETE_ONLY
from mahc.data.prepare.types import CUT, name_column, refuse_numbers
from mahc.data.watching import watched_by
from mahc.engine import CancelFlag, CancelToken, CountSource
from mahc.errors import DataError, InvalidSettingError, Mention
from mahc.graphs import DAG
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.parsing import check_pairs
from mahc.learning.algorithm import Algorithm
from mahc.learning.control import Control, Progress
from mahc.learning.problem_making import refuse_too_large
from mahc.learning.request import Request
from mahc.learning.searching import Settled, search
from mahc.learning.settings import RunSettings, check_use, choose
from mahc.learning.stop_reason import StopReason
from mahc.opening import close_opened, kept_method, method_of, open_data
from mahc.results.learned import Learned
from mahc.results.outcomes.building import build_outcome, build_sample
from mahc.results.records import record_data, record_run
from mahc.scores import Score
from mahc.settings import complete_docstring, declarations, describe


def learn(
    data: object,
    algorithm: str | Algorithm = "mahc",
    *,
    objective: str | Score | None = None,
    knowledge: Knowledge | Mapping[str, Any] | str | PathLike[str] | None = None,
    context: Iterable[str] = (),
    start: DAG | Iterable[tuple[str, str]] = (),
    ties: str = "data",
    numbers: str = "auto",
    time_limit: float | None = None,
    threads: int | None = None,
    on_interrupt: str = "return",
    progress: Callable[[Progress], None] | None = None,
    cancel: CancelToken | CancelFlag | None = None,
    on: object = None,
    **settings: Any,
) -> Learned:
    """Learn the structure of a Bayesian network from data.

    Parameters
    ----------
    data : str, path, frame, array, dict of lists, Dataset or CountSource
        Whatever `mahc.read` takes: the path or address (s3://, https://) of a file, a pandas, polars or Arrow table, a
        numpy array, a dict of lists, a list of dicts. A folder, a glob such as "sales/*.parquet", a list of files, a
        prefix in a store, a Delta or Iceberg table, a dataset of pyarrow, a DuckDB relation, a Dask or a Spark data
        frame are read in pieces and need not fit into memory. Or a `mahc.engine.CountSource`, which
        counts rows elsewhere.
    algorithm : str or Algorithm
        The name of an algorithm, or an algorithm made already, which brings its own settings.
    objective : str or Score, optional
        The score to maximise: its name, or a score made already. Left out it is the algorithm's default: "bic", or
        "qnml" for "boss" ("bic" with missing="structural-em"). Constraint-based algorithms only report it.
    knowledge : Knowledge, dict, str or path, optional
        Constraints on the graph; a dict says what a knowledge file says, a text is the path of one.
    context : list of str
        Variables that say where or when a row comes from, such as hospital or year: nothing causes them, and arcs out
        of them say what differs between the places. The same as `contexts` in `knowledge`.
    start : DAG or list of (from, to)
        The graph from which the search starts; empty by default.
    ties : str
        Rule that breaks ties: "data" (the same whatever the order of columns) or "file-order".
    numbers : str
        How columns of numbers are treated: "smooth" (functions of their ranks), "cuts" (intervals whose cut points
        are learned with the graph), or "auto" (the one that explains the data better). A score of states implies cuts.
    time_limit : float, optional
        Stop after this many seconds with the best graph so far. The time that reading takes counts; data that are
        not read by then are refused.
    threads : int, optional
        Number of threads; all processors if left out.
    on_interrupt : str
        What Ctrl-C does: "return" ends the search with the best graph so far, "raise" raises KeyboardInterrupt. A
        second Ctrl-C always raises.
    progress : callable, optional
        Called in the thread of the caller, at most twenty times a second, with a `Progress`. An exception in it ends
        the run and is raised here.
    cancel : CancelToken or threading.Event, optional
        Ends the search with the best graph so far when any thread calls its `cancel()`, or sets the event.
    on : distributed.Client, Spark session or str, optional
        Who reads and counts the files: a cluster, or its address (dask://host:8786, spark://host:7077). This process
        if left out.
    **settings
        Settings of the algorithm and of the score, then those of `mahc.read`. Those left out or None keep their
        defaults; one that the chosen algorithm and score do not have is refused.

        prune_in_degree : a whole number from 1 to 100, default 3
            Largest parent set that pruning considers (M_P). For mahc.
        search_in_degree : a whole number from 1 to 1,000,000, default 8; exact 3
            Largest number of parents of a variable (M_S). For mahc, boss, boss-pag, exact, hc, mmhc,
            saiyanh, tabu.
        pruning : True or False, default True
            Prune arcs that no candidate parent set needs before the climb. For mahc.
        averaging : True or False, default True
            Climb by the average score over a graph's neighbours. For mahc.
        arc_price : a number from 0 up, default 0; boss automatic; boss-pag automatic
            Price per arc: what an arc must gain to be worth having, in units of the score; for boss half
            the logarithm of the number of variables if left out. For mahc, boss, boss-pag, exact, hc, tabu.
        relative_price : a number from 0 to below 1, default 0
            Price per arc as a share of what its two variables gain alone: 0.25 keeps an arc that adds more
            than a quarter of that to the graph. Removes arcs that only measurement error makes necessary.
            For mahc, boss, boss-pag, exact, hc, tabu.
        step_limit : a whole number from 0 to 1,000,000,000,000,000, optional
            Stop after this many steps. For mahc, hc, mmhc, tabu.
        memory_mebibytes : a whole number of MiB from 1 to 1,000,000,000, or a size such as 4GB or 512MiB, optional
            Memory that learning may use, such as 4GB or 512MiB (a bare number is MiB); files that do not
            fit are read in pieces. Three quarters of the machine's if left out. For mahc, boss, boss-pag,
            exact, fci, hc, mmhc, pc-stable, saiyanh, tabu.
        candidates : one of auto, level-1, all, pruned, default auto
            Arcs to search in: level-1 (worth their price alone), pruned (left by all three levels), all, or
            auto (all for the smooth score, level-1 for the others). For boss, boss-pag.
        measurement_error : one of auto, never, always, default auto
            Measurement error: auto (search again with a relative price where the graph shows signs of it),
            never, or always (search with a relative price). For boss, boss-pag.
        kicks : a whole number from 0 to 1,000,000, default 10
            Restarts from a disturbed best graph. For boss, boss-pag.
        seed : a whole number from 0 to 9,223,372,036,854,775,807, default 0
            Seed of the kicks. For boss, boss-pag.
        alpha : a number between 0 and 1 (0.01 is usual), default 0.01; mmhc 0.05
            Significance level of the independence tests. For boss-pag, fci, mmhc, pc-stable.
        test : one of auto, g2, x2, mi, smooth, fisher-z, default auto
            Test of independence: g2 (likelihood ratio), x2 (Pearson's chi-squared) or mi (mutual
            information) of discrete columns, smooth (functions of ranks, any columns), fisher-z (partial
            correlation of numbers), or auto: smooth where there are numbers, otherwise g2 (fci x2, mmhc
            mi). For boss-pag, fci, mmhc, pc-stable.
        degrees_of_freedom : one of adjusted, plain, default adjusted; mmhc plain
            Degrees of freedom of a test: adjusted (without empty rows and columns) or plain (with them).
            For boss-pag, fci, mmhc, pc-stable.
        min_rows_per_df : a number from 0 up, default 0
            Rows per degree of freedom that a test needs; with fewer the pair counts as independent. For
            boss-pag, fci, pc-stable.
        method : one of auto, orders, program, default auto
            Method: orders (dynamic programming), program (a 0-1 program, needs SCIP) or auto (orders if
            possible). For exact.
        max_conditions : a whole number from 0 to 1,000,000, optional
            Size of the largest conditioning set; no limit if left out. For fci, mmhc, pc-stable.
        only_needed : True or False, default True
            Draw separating sets only from variables that can be needed to separate the two. For fci,
            pc-stable.
        jci : one of 123, 12, 13, 1, default 123
            Assumptions about contexts: 1 (nothing causes them), 2 (no hidden common cause of a context and
            another variable), 3 (their dependence on each other is given and not tested). For fci.
        threshold : a number between 0 and 1 (0.05 is usual), default 0.05
            Conditional MMD below which two variables count as independent. For saiyanh.
        list_length : a whole number from 1 to 1,000,000, optional
            Length of the tabu list: keep moving, also downhill, without returning to the last N graphs;
            stop after N steps without a better graph. If left out: the escapes of Bayesys. For tabu.
        base : a number above 1 (2 for bits, e for nats), default 2
            Base of the score's logarithms. For aic, bdeu, bge, bic, fnml, gaussian-bic, loglik, mixed,
            qnml, smooth.
        equivalent_sample_size : a number above 0 (1 is usual), default 1
            Rows that the Dirichlet prior is worth. For bdeu.
        alpha_mu : a number above 0 (1 is usual), default 1
            Rows that the prior mean is worth. For bge.
        alpha_w : a number above 2, optional
            Degrees of freedom of the Wishart prior; the number of variables + alpha_mu + 1 if left out. For
            bge.
        degree : a whole number from 1 to 12, optional
            Functions of each column of numbers: 1 sees monotone relations, more see curves; the best if
            left out. For mixed, smooth.
        bins : a whole number from 3 to 255, default 31
            Rank bins of a column of numbers. For mixed, smooth.
        {reading}

    Returns
    -------
    Learned
        The graph, its score, and why every arc is in it or not.

    Raises
    ------
    MahcError
        Whatever the caller can correct, in one sentence: SettingError, DataError, KnowledgeError, FormatError.

    Examples
    --------
    >>> columns = {"rain": ["no", "yes"] * 40, "wet": ["dry", "wet"] * 40, "day": ["a", "a", "b", "b"] * 20}
    >>> learn(columns, "hc").arcs
    (('rain', 'wet'),)
    >>> learn(columns, "mahc", search_in_degree=4, objective="bdeu", equivalent_sample_size=2).run.score
    BDeu(base=2.0, equivalent_sample_size=2)
    """
    RunSettings(ties=ties, numbers=numbers, time_limit=time_limit, threads=threads, on_interrupt=on_interrupt)
    began, control = time.perf_counter(), Control(time_limit, progress, cancel)
    with watched_by(control.watch_reading):
        request = make_request(
            data,
            algorithm,
            objective=objective,
            knowledge=knowledge,
            context=context,
            start=start,
            ties=ties,
            threads=threads,
            on=on,
            control=control,
            **settings,
        )
    try:
        with control.catching_interrupts(raising=on_interrupt == "raise"):
            return _learn(request, numbers, objective is not None, control, time.perf_counter() - began)
    finally:
        close_opened(request.data, data)


if learn.__doc__:  # not there under python -OO
    learn.__doc__ = complete_docstring(learn.__doc__, "{reading}", describe(ReadSettings))


def make_request(
    data: object,
    algorithm: str | Algorithm,
    *,
    objective: str | Score | None = None,
    knowledge: Knowledge | Mapping[str, Any] | str | PathLike[str] | None = None,
    context: Iterable[str] = (),
    start: DAG | Iterable[tuple[str, str]] = (),
    ties: str = "data",
    threads: int | None = None,
    on: object = None,
    control: Control | None = None,
    numbered: bool = False,
    **settings: Any,
) -> Request:
    """Check the arguments of `learn`, settings before data; what remains is to search.

    With `numbered`, data in pieces stay open, for resamples that need the numbers of the rows.
    """
    RunSettings(ties=ties, threads=threads)
    if context:
        knowledge = take_knowledge(knowledge).merged(Knowledge(contexts=context))
    reading, others = split_settings(settings)
    chosen, chosen_score = choose(algorithm, objective, others, method_of(data, reading))
    memory = getattr(chosen, "memory_mebibytes", None)
    table = open_data(
        data,
        reading,
        on=on,
        threads=threads,
        memory_mebibytes=memory,
        control=control,
        kinds=chosen.kinds(chosen_score),
        numbered=numbered,
    )
    try:
        return _check_request(table, kept_method(table, reading), chosen, chosen_score, knowledge, start, ties, threads)
    except BaseException:
        close_opened(table, data)
        raise


def _check_request(
    table: Dataset | CountSource,
    missing: str | None,
    chosen: Algorithm,
    chosen_score: Score,
    knowledge: Knowledge | Mapping[str, Any] | str | PathLike[str] | None,
    start: DAG | Iterable[tuple[str, str]],
    ties: str,
    threads: int | None,
) -> Request:
    """Check what depends on the variables."""
    _check_kinds(table, chosen, chosen_score)
    if missing is not None:
        from mahc.learning.incomplete.solving import check_method

        check_method(missing, chosen, chosen_score, table.size)
    _check_weights(table, missing, chosen, chosen_score)
    known = take_knowledge(knowledge)
    refuse_too_large(chosen, len(table.names))
    constraints = known.check(table.names, chosen.in_degree)
    arcs = tuple(sorted(DAG(table.names, start.arcs if isinstance(start, DAG) else check_pairs("start", start)).arcs))
    check_use(chosen, known, bool(arcs))
    return Request(table, chosen, chosen_score, known, constraints, arcs, ties, threads, missing)


def _check_weights(table: Dataset | CountSource, missing: str | None, algorithm: Algorithm, score: Score) -> None:
    """Refuse weights with fractions where something counts whole rows."""
    if Kind.CONTINUOUS in getattr(table, "kinds", DISCRETE_ONLY):  # whatever the score
        refuse_fractions(table, "the treatment of columns of numbers", ", or cut the numbers with ", CUT)
    if missing is not None:
        refuse_fractions(table, f"the missing-value method {missing}", ", or use ", Mention("missing", "state"))
    if algorithm.counts_states:
        refuse_fractions(table, algorithm.name, ", or use ", Mention("algorithm", "tabu"))
    if not score.fractional:
        refuse_fractions(table, f"the score {score.name}", ", or use ", Mention("objective", "bic"))


def _check_kinds(table: Dataset | CountSource, algorithm: Algorithm, score: Score) -> None:
    """Refuse columns that the algorithm's tests or the score do not take."""
    taken = algorithm.kinds(score)
    found: frozenset[Kind] = getattr(table, "kinds", DISCRETE_ONLY)
    if found <= taken:
        return
    if Kind.CONTINUOUS not in taken and isinstance(table, Dataset):
        refuse_numbers(table)
    odd, fit = found - taken, next(iter(taken)).value
    raise DataError(
        f"{score.name} is a score for {fit} data, and {name_column(table, odd)} is {next(iter(odd)).value}: "
        "leave it out, or use ",
        Mention("objective", "smooth"),
    )


def _learn(request: Request, numbers: str, score_given: bool, control: Control, reading: float) -> Learned:
    began = time.perf_counter()
    settled = _settle(request, numbers, score_given, control)
    request = settled.request
    if isinstance(request.data, Dataset):
        request.data.fingerprint()  # the result keeps it; made now, it does not add to what is done after a stop
    searched = settled.searched or search(request, control)
    request = replace(request, score=searched.score)
    run = record_run(
        request, StopReason(searched.found.stop_reason), time.perf_counter() - began, searched.measurement_error
    )
    # The outcome may need passes over the data, so it comes before the record of these passes.
    outcome = build_outcome(request, searched)
    data = record_data(request.data)
    run = run.timed(reading=reading, search=run.seconds, description=time.perf_counter() - began - run.seconds)
    return Learned(data, run, outcome, build_sample(searched, data, run, request.data.names))


def settle(request: Request, numbers: str, score_given: bool, control: Control) -> Request:
    """The request with a treatment for its columns of numbers, where there are any, checked against its tests."""
    return _settle(request, numbers, score_given, control).request


def _settle(request: Request, numbers: str, score_given: bool, control: Control) -> Settled:
    settled = Settled(request)
    if Kind.CONTINUOUS in getattr(request.data, "kinds", ()) or (numbers != "auto" and _has_order(request.data)):
        refuse_fractions(request.data, "the treatment of columns of numbers", ", or cut the numbers with ", CUT)
        from mahc.learning.numbers.deciding import settle_numbers  # most data have no numbers

        settled = settle_numbers(request, numbers, score_given, control)
    settled.request.algorithm.refuse_columns(settled.request.data)
    return settled


def _has_order(data: Dataset | CountSource) -> bool:
    """Whether a column has an order, so that it can be smooth or cut."""
    return isinstance(data, Dataset) and any(column.ranked for column in data.columns)


def split_settings(settings: Mapping[str, Any]) -> tuple[ReadSettings, dict[str, Any]]:
    """The settings of reading, checked, and the others."""
    known = declarations(ReadSettings)
    given = {name: value for name, value in settings.items() if name in known and value is not None}
    return ReadSettings(**given), {name: value for name, value in settings.items() if name not in known}


def take_knowledge(knowledge: object) -> Knowledge:
    """Knowledge in any of the ways it may be given: as itself, as a dict, as the path of a file, not at all."""
    if knowledge is None or isinstance(knowledge, Knowledge):
        return knowledge or Knowledge()
    if isinstance(knowledge, Mapping):
        return Knowledge.from_dict(knowledge)
    if isinstance(knowledge, str | PathLike):
        from mahc.knowledge.knowledge_files import read_knowledge

        return read_knowledge(knowledge)
    raise InvalidSettingError("knowledge", knowledge, "give a Knowledge, a dict, or the path of a knowledge file")
