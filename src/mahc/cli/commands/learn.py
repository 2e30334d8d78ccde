"""`mahc learn`: from data to a graph, shown and written."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from mahc.cli.options.algorithm_options import AlgorithmOptions, RunOptions, ScoreOptions
from mahc.cli.options.groups import ALGORITHM, JSON, KNOWLEDGE, OUTPUT, OVERWRITE, option
from mahc.cli.options.pieces import OnOption, RowsArgument, SqlOptions, load_rows, time_left
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.output import check_out, deliver
from mahc.cli.progress import progress_line
from mahc.graphs.files import read_dag
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.knowledge_files import read_knowledge
from mahc.knowledge.parsing import parse_pair, parse_tiers
from mahc.learn import learn
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.catalogue import default_scores
from mahc.learning.settings import check_use, choose
from mahc.opening import close_opened
from mahc.scores import SCORES

AlgorithmOption = Annotated[
    str, option("--algorithm", "NAME", f"Algorithm: {', '.join(ALGORITHMS)}; best is boss.", ALGORITHM, "mahc")
]
LearningScoreOption = Annotated[
    str | None, option("--score", "NAME", f"Score: {', '.join(SCORES)}.", ALGORITHM, default_scores())
]
Pairs = list[str] | None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ConstraintOptions:
    """Constraints on the graph."""

    require: Annotated[
        Pairs, option("--require", "A,B", "The arc A -> B must be there; may be repeated.", KNOWLEDGE)
    ] = None
    require_edge: Annotated[
        Pairs, option("--require-edge", "A,B", "A and B must be joined; the data decide the direction.", KNOWLEDGE)
    ] = None
    forbid: Annotated[Pairs, option("--forbid", "A,B", "The arc A -> B must not be there.", KNOWLEDGE)] = None
    forbid_edge: Annotated[Pairs, option("--forbid-edge", "A,B", "A and B must not be joined.", KNOWLEDGE)] = None
    tiers: Annotated[
        str | None,
        option("--tiers", "A,B < C", "Order in time: no path leads from a later tier to an earlier one.", KNOWLEDGE),
    ] = None
    belief: Annotated[
        Pairs,
        option(
            "--belief",
            "BELIEF",
            "How probable an arc is: 'A -> B = 0.8', or 'A - B = 0.8' for either direction; may be repeated.",
            KNOWLEDGE,
        ),
    ] = None
    context: Annotated[
        Pairs,
        option(
            "--context",
            "COLUMN",
            "A column that says where or when a row comes from: nothing causes it; may be repeated.",
            KNOWLEDGE,
        ),
    ] = None
    knowledge: Annotated[
        list[Path] | None,
        option("--knowledge", "FILE", "Constraints: TOML, JSON or Bayesys CSV; may be repeated.", KNOWLEDGE),
    ] = None

    def gather(self) -> Knowledge:
        """All constraints together."""
        found = Knowledge(
            required_arcs=_parse(self.require),
            required_edges=_parse(self.require_edge),
            forbidden_arcs=_parse(self.forbid),
            forbidden_edges=_parse(self.forbid_edge),
            tiers=() if self.tiers is None else parse_tiers(self.tiers),
            beliefs=self.belief or (),
            contexts=self.context or (),
        )
        for file in self.knowledge or ():
            found = found.merged(read_knowledge(file))
        return found


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class KnowledgeOptions(ConstraintOptions):
    """Constraints on the graph, and the graph to start from."""

    start: Annotated[
        Path | None, option("--start", "GRAPH", "Start from this graph instead of the empty one.", KNOWLEDGE)
    ] = None


def _parse(texts: Pairs) -> tuple[tuple[str, str], ...]:
    return tuple(parse_pair(text) for text in texts or ())


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """Where the result goes."""

    out: Annotated[
        Path | None, option("--out", "DIR", "Write graph.csv, .dot, .graphml, .svg and result.json there.", OUTPUT)
    ] = None
    overwrite: Annotated[bool, OVERWRITE] = False
    as_json: Annotated[bool, JSON] = False


def command(
    data: RowsArgument = None,
    /,
    *,
    algorithm: AlgorithmOption = "mahc",
    score: LearningScoreOption = None,
    settings: AlgorithmOptions = AlgorithmOptions(),
    score_settings: ScoreOptions = ScoreOptions(),
    running: RunOptions = RunOptions(),
    constraints: KnowledgeOptions = KnowledgeOptions(),
    output: OutputOptions = OutputOptions(),
    reading: ReadingOptions = ReadingOptions(),
    query: SqlOptions = SqlOptions(),
    on: OnOption = None,
) -> None:
    """Learn a graph from data and show it, with the strength of every arc."""
    # Settings are checked before the data, which may be large, are read.
    given: dict[str, Any] = {**settings.given(), **score_settings.given()}
    chosen, counted = choose(algorithm, score, given, reading.settings().missing)
    run = running.settings()
    source = query.source(data)
    check_out(output.out, output.overwrite)
    known = constraints.gather()
    check_use(chosen, known, constraints.start is not None)
    began = time.perf_counter()
    read_settings = reading.settings()
    memory = getattr(chosen, "memory_mebibytes", None)
    table = load_rows(source, read_settings, on, run.threads, memory, run.time_limit, chosen.kinds(counted))
    load_seconds = time.perf_counter() - began
    try:
        with progress_line() as report:
            learned = learn(
                table,
                algorithm,
                objective=score,
                numbers=run.numbers,
                knowledge=known,
                start=() if constraints.start is None else read_dag(constraints.start, names=table.names).arcs,
                ties=run.ties,
                time_limit=time_left(run.time_limit, load_seconds),
                threads=run.threads,
                progress=report,
                missing=read_settings.missing if read_settings.keeps_missing else None,
                **given,
            )
    finally:
        close_opened(table, None)  # coded rows may be on disk
    learned = replace(learned, run=learned.run.timed(reading=load_seconds))
    deliver(learned, source, reading.words(), output.out, load_seconds if output.as_json else None)
