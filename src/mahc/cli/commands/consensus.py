"""`mahc consensus`: one graph from several algorithms or scores, and how far they agree."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Annotated

from mahc.cli.commands.learn import KnowledgeOptions
from mahc.cli.consensus_view import deliver_consensus
from mahc.cli.options.algorithm_options import LeastOption, RunOptions, ThresholdOption, parse_threshold
from mahc.cli.options.groups import ALGORITHM, JSON, OUTPUT, RESAMPLING, option
from mahc.cli.options.limits import MemoryOption, parse_memory
from mahc.cli.options.pieces import OnOption, PiecesArgument, load_rows, time_left
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say, tell
from mahc.cli.progress import progress_line
from mahc.confidence import Agreement, consensus
from mahc.confidence.resampling import POISSON
from mahc.confidence.settings import BootstrapSettings
from mahc.data import Kind
from mahc.graphs.files import read_dag
from mahc.opening import closing_opened
from mahc.plurals import count
from mahc.settings import declarations

_DECLARED = declarations(BootstrapSettings)
NAMES = "Algorithms, separated by commas, each with a score after a slash if not its default: mahc,hc/bdeu,boss."


def command(
    data: PiecesArgument,
    /,
    *,
    algorithms: Annotated[str, option("--algorithms", "NAMES", NAMES, ALGORITHM)],
    resamples: Annotated[
        int, option("--resamples", "N", "Resamples that each learns from; 0: learn once.", RESAMPLING, "0")
    ] = 0,
    seed: Annotated[int, option("--seed", "N", _DECLARED["seed"].help, RESAMPLING, "1")] = 1,
    how: Annotated[str, option("--how", "WAY", _DECLARED["how"].help, RESAMPLING, "bootstrap")] = "bootstrap",
    algorithm_seed: Annotated[
        int | None, option("--algorithm-seed", "N", _DECLARED["algorithm_seed"].help, RESAMPLING)
    ] = None,
    least: LeastOption = None,
    threshold: ThresholdOption = None,
    running: RunOptions = RunOptions(),
    memory: MemoryOption = None,
    constraints: KnowledgeOptions = KnowledgeOptions(),
    out: Annotated[
        Path | None, option("--out", "FILE", "Write the graph there; the suffix selects the format.", OUTPUT)
    ] = None,
    as_json: Annotated[bool, JSON] = False,
    reading: ReadingOptions = ReadingOptions(),
    on: OnOption = None,
) -> None:
    """Learn with several algorithms, make one graph of what they find, and show how far they agree."""
    # Warnings are printed below; without a handler Python would print the logged ones once more.
    logging.getLogger("mahc.confidence").addHandler(logging.NullHandler())
    run, share = running.settings(), parse_threshold(threshold)
    known = constraints.gather()
    limit, began = parse_memory(memory), time.perf_counter()
    numbered = bool(resamples) and how == POISSON
    taken = frozenset(Kind)
    table = load_rows(data, reading.settings(), on, run.threads, limit, run.time_limit, taken, numbered=numbered)
    start = () if constraints.start is None else read_dag(constraints.start, names=table.names).arcs
    with closing_opened(table), progress_line("resamples so far" if resamples else "best graph so far") as report:
        found = consensus(
            table,
            [name.strip() for name in algorithms.split(",") if name.strip()],
            resamples=resamples,
            seed=seed,
            how=how,
            algorithm_seed=algorithm_seed,
            least=least,
            threshold=share,
            knowledge=known,
            start=start,
            ties=run.ties,
            numbers=run.numbers,
            time_limit=time_left(run.time_limit, time.perf_counter() - began),
            memory_mebibytes=limit,
            threads=run.threads,
            progress=report,
        )
    ended = {name: str(reason) for name, reason in found.stop_reasons.items()}
    more: dict[str, object] = {
        "agreement": found.table().to_dicts(),
        "stop_reasons": ended,
        "numbers": found.treatments,
    }
    deliver_consensus(found.consensus, out, as_json, more)
    if not as_json:
        if found.treatments:
            say("", "Numbers: " + ", ".join(f"{name} {how}" for name, how in found.treatments.items()))
        say("", "Agreement (edges in common, and their share of the edges of either)", *_agreement(found))
    for name, reason in found.stop_reasons.items():
        if reason.early:
            kind = "note" if name in found.samples else "warning"
            tell(f"{kind}: {name}: {_describe_end(found, name, resamples)}")


def _describe_end(found: Agreement, name: str, resamples: int) -> str:
    reason = found.stop_reasons[name]
    if name not in found.samples:
        return f"{reason.words} before it had a graph: it takes no part; allow more time or leave it out"
    done = f"{found.samples[name].size:,} of {count(resamples, 'resample')} done"
    return f"{reason.words}: {done}" if resamples else reason.describe("")


def _agreement(found: Agreement) -> list[str]:
    if len(found.members) < 2:
        return ["  only one algorithm has a graph"]
    width = max(map(len, found.members))
    lines = []
    for row in found.table().iter_rows(named=True):
        names = f"{row['first'].ljust(width)}  {row['second'].ljust(width)}"
        common = f"{row['common']} of {row['edges_first']} and {row['edges_second']}"
        lines.append(f"  {names}  {row['share_common']:>4.0%}  {common}, {row['same_marks']} with the same direction")
    return lines
