"""`mahc check`: the independences that a graph implies and the edges that it has, tested on data."""

from __future__ import annotations

from typing import Annotated

from mahc.cli.options.data_options import Options, plain_texts, with_options
from mahc.cli.options.groups import ALGORITHM, DATA, JSON, LIMITS, argument, option
from mahc.cli.options.limits import MemoryOption, parse_memory
from mahc.cli.options.pieces import OnOption, PiecesArgument, load_rows
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say, say_json, tell
from mahc.cli.progress import progress_line
from mahc.confidence.checking import CheckSettings, GraphCheck, TestedPair, check_graph
from mahc.measures.graph_score import require_dag
from mahc.opening import closing_opened
from mahc.plurals import count, verb
from mahc.settings import declarations
from mahc.sources import find_directed

SHOWN = 50


@with_options(lambda: plain_texts(declarations(CheckSettings)), ALGORITHM)
class CheckOptions(Options):
    """How a graph is checked."""

    def settings(self) -> CheckSettings:
        """The options as settings."""
        return CheckSettings(**self.given())  # type: ignore[arg-type]


def command(
    graph: Annotated[str, argument("GRAPH", "A graph or network file, a result folder, or a network's name.", DATA)],
    data: PiecesArgument,
    /,
    *,
    options: CheckOptions = CheckOptions(),
    time_limit: Annotated[float | None, option("--time-limit", "S", "Stop with the tests made so far.", LIMITS)] = None,
    threads: Annotated[int | None, option("--threads", "N", "Number of threads.", LIMITS)] = None,
    memory: MemoryOption = None,
    on: OnOption = None,
    reading: ReadingOptions = ReadingOptions(),
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Test on DATA what GRAPH implies: independences that should hold, and edges that should be needed."""
    settings = options.settings()
    found, note = find_directed(graph)
    if note is not None:
        tell(f"note: {note}")
    dag = require_dag(found, graph)
    table = load_rows(data, reading.settings(), on, threads, parse_memory(memory), time_limit)
    with closing_opened(table), progress_line("result of the tests so far") as progress:
        report = check_graph(
            dag,
            table,
            fdr=settings.fdr,
            basis=settings.basis,
            min_rows_per_df=settings.min_rows_per_df,
            time_limit=time_limit,
            threads=threads,
            progress=progress,
        )
    if as_json:
        say_json(report.to_dict(), indent=2)
    else:
        say(*report_lines(report))
    if report.left:
        tell(f"note: {report.stop_reason.words}: {count(report.left, 'test')} {verb(report.left, 'were')} not made")


def report_lines(report: GraphCheck) -> list[str]:
    """The violations with the arcs that would cure them, then the unneeded edges."""
    rate = f"at a false discovery rate of {report.settings.fdr:g}"
    violated = len(report.violations)
    implied = count(report.tests, "implied independence")
    lines = [f"{violated:,} of {implied} {verb(violated)} contradicted, {rate}"]
    lines += [f"  {_show(each)}: add {each.edge[0]} -> {each.edge[1]}" for each in report.violations[:SHOWN]]
    lines += _more(len(report.violations))
    unneeded = len(report.unneeded)
    lines.append(f"{unneeded:,} of {count(report.edges, 'edge')} {verb(unneeded)} not needed to explain the data")
    lines += [f"  {_show(each)}: remove {each.edge[0]} -> {each.edge[1]}" for each in report.unneeded[:SHOWN]]
    lines += _more(len(report.unneeded))
    if report.suspects_measurement_error:
        lines.append(
            f"If the graph is right, the data look as if values were measured with error (kappa {report.kappa:.2g}): "
            "parents do not explain what variables two steps apart share. Most is left between"
        )
        lines += [
            f"  {first} and {second} given {', '.join(given)}: {100 * share:.0f} % of what they share"
            for first, second, given, share in report.unexplained
        ]
    if report.untested:
        least = report.settings.min_rows_per_df
        not_made = f"{count(report.untested, 'test')} {verb(report.untested, 'were')} not made"
        lines.append(f"{not_made}: fewer than {least:g} rows per degree of freedom")
    return lines


def _show(pair: TestedPair) -> str:
    given = f" | {', '.join(pair.given)}" if pair.given else ""
    return f"{pair.first}, {pair.second}{given}  p = {pair.p_value:.3g}"


def _more(number: int) -> list[str]:
    return [f"  and {number - SHOWN:,} more; --json lists all"] if number > SHOWN else []
