"""`mahc fit`: tables for a learned graph, and the whole network as a file for other programs."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from mahc.cli.options.fitting_data import load_fitting_data
from mahc.cli.options.groups import ALGORITHM, OUTPUT, argument, flag, option
from mahc.cli.options.limits import MemoryOption, TimeLimitOption, parse_memory, parse_time_limit
from mahc.cli.options.pieces import OnOption, PiecesArgument
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say, tell
from mahc.cli.progress import progress_line
from mahc.data.prepare.notes import enumerate_some
from mahc.data.settings import MISSING_EM
from mahc.engine.rows import available_processors
from mahc.learning.control import Control
from mahc.learning.memory import MemoryLimit
from mahc.networks import fit
from mahc.networks.files import check_writable, network_suffixes, write_network
from mahc.networks.safe_names import with_safe_names
from mahc.opening import closing_opened, rows_of
from mahc.plurals import count
from mahc.sources import find_directed, find_model

if TYPE_CHECKING:
    from mahc.data import Dataset
    from mahc.engine.counts import TableSource
    from mahc.graphs import DAG, MixedGraph
    from mahc.networks import Network
    from mahc.networks.safe_names import Renamed

OUT_HELP = f"Network file: {', '.join(network_suffixes(writable=True))} (each may end in .gz)."
ESS_HELP = "Equivalent sample size of a Dirichlet prior; 0 is maximum likelihood."


def command(
    result: Annotated[str, argument("RESULT", "A graph file, result.json, or the folder of `mahc learn --out`.")],
    data: PiecesArgument,
    /,
    *,
    out: Annotated[Path, option("--out", "FILE", OUT_HELP, OUTPUT)],
    ess: Annotated[float, option("--ess", "N", ESS_HELP, ALGORITHM, "0")] = 0.0,
    safe_names: Annotated[
        bool, flag("--safe-names", "Replace names that the format cannot hold, and say which.", OUTPUT)
    ] = False,
    time_limit: TimeLimitOption = None,
    memory: MemoryOption = None,
    on: OnOption = None,
    reading: ReadingOptions = ReadingOptions(),
) -> None:
    """Fit the probability tables of a graph to data and write the network for inference elsewhere.

    Where columns hold numbers, the graph has regressions too, and the model is written as JSON for `mahc query`.
    """
    form = check_writable(out)
    found, note = find_directed(result)
    if note is not None:
        tell(f"note: {note}")
    dag = _directed(found)
    limit = MemoryLimit(parse_memory(memory))
    seconds = parse_time_limit(time_limit)
    with progress_line("the tables so far") as report:
        control = Control(seconds, report, memory=limit)
        dataset, by_em = load_fitting_data(
            result, dag.names, data, reading, seconds, on, parse_memory(memory), counts_only=True
        )
        with closing_opened(dataset):
            held = dict(zip(dataset.names, dataset.columns, strict=True))
            if any(held[each].state_count is None for each in dag.names if each in held):
                _fit_numbers(result, dataset, by_em, ess, out)
                return
            limit.require(limit.growth() + fitting_bytes(dag, dataset, by_em), "fitting", "use fewer rows")
            name = out.name.partition(".")[0]
            if by_em:
                network = _fit_em(dag, rows_of(dataset, data), ess, name, control)
            else:
                network = fit(dag, dataset, ess, name=name)
    _tell_left_out([name for name in dataset.names if name not in dag.names])
    if safe_names:
        renamed = with_safe_names(network, form.names, form.state_names)
        network = renamed.network
        _tell(renamed)
    write_network(network, out)
    size = f"{count(len(network.names), 'variable')}, {count(len(network.arcs), 'arc')}"
    say(f"{size}, {count(network.free_parameters, 'free parameter')}")
    say(f"Tables {network.origin}")
    say(f"Written to {out}")


def _fit_numbers(result: str, dataset: Dataset | TableSource, by_em: bool, ess: float, out: Path) -> None:
    """Fit a model with numbers, which only our own JSON can hold."""
    model, _ = find_model(result, dataset, ess, MISSING_EM if by_em else "error")
    model.save(out)
    say(f"{model!r}")
    say(f"Written to {out}")


def fitting_bytes(dag: DAG, dataset: Dataset | TableSource, by_em: bool) -> float:
    """What fitting takes, roughly: two copies of the tables; for EM also sums for each thread, and the rows."""
    sizes = {name: column.state_count or 1 for name, column in zip(dataset.names, dataset.columns, strict=True)}
    numbers: int = sum(
        sizes.get(name, 1) * prod(sizes.get(dag.names[p], 1) for p in parents)
        for name, parents in zip(dag.names, dag.parent_sets, strict=True)
    )
    if not by_em:
        return 16.0 * numbers
    return numbers * (48.0 + 16 * available_processors()) + dataset.rows * (8.0 * len(dag.names) + 48)


def _fit_em(dag: DAG, dataset: Dataset, ess: float, name: str, control: Control) -> Network:
    from mahc.inference.em import fit_em

    control.phase = "expectation-maximisation"
    with control.catching_interrupts():
        return fit_em(dag, dataset.state_as_missing(), ess, name=name, control=control, progress=control.report).network


def _directed(graph: DAG | MixedGraph) -> DAG:
    from mahc.errors import GraphError
    from mahc.graphs import DAG, cpdag_to_dag

    if isinstance(graph, DAG):
        return graph
    odd = next((edge for edge in graph.edges if edge.mark not in ("-->", "---")), None)
    if odd is not None:
        raise GraphError(f"the graph has the edge {' '.join(odd)}: tables are fitted to a DAG or a CPDAG only")
    dag = cpdag_to_dag(graph)
    tell("the graph has undirected edges: the tables are those of one DAG of its class")
    return dag


def _tell_left_out(names: list[str]) -> None:
    if names:
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if names[5:] else "")
        tell(f"columns that the graph does not have are no part of the network: {shown}")


def _tell(renamed: Renamed) -> None:
    variables = [f"'{old}' as {new}" for old, new in renamed.variables]
    states = [f"'{old}' of '{variable}' as {new}" for variable, old, new in renamed.states]
    for kind, replaced in (("variable", variables), ("state", states)):
        if replaced:
            tell(f"note: {count(len(replaced), kind)} renamed for the format: {enumerate_some(replaced)}")
    if not variables and not states:
        tell("note: the format can hold all names; none was replaced")
