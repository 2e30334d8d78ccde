"""`mahc networks`: the available networks and their sizes."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from mahc.cli.options.groups import NETWORKS, OUTPUT, flag
from mahc.cli.printing import say, say_json, tell

if TYPE_CHECKING:
    from mahc.networks.library import NetworkSize

HEAD = ("network", "nodes", "arcs", "average degree", "max in-degree", "free parameters")


def command(
    *,
    networks: Annotated[Path | None, NETWORKS] = None,
    as_json: Annotated[bool, flag("--json", "Print JSON.", OUTPUT)] = False,
) -> None:
    """List the networks that can be sampled, and their sizes as in the paper's Table 2."""
    from mahc.networks.library import NetworkSize, measure_networks

    rows = measure_networks(networks)
    if as_json:
        say_json({"networks": [asdict(row) for row in rows]}, indent=2)
        return
    say(*_table([row for row in rows if isinstance(row, NetworkSize)]))
    for row in rows:
        if not isinstance(row, NetworkSize):
            tell(f"{row.name} is left out: {row.error}")


def _table(rows: list[NetworkSize]) -> list[str]:
    cells: list[tuple[str, ...]] = [HEAD]
    for row in rows:
        numbers = (row.nodes, row.arcs, row.average_degree, row.max_in_degree, row.free_parameters)
        cells.append(
            (
                row.name,
                *(f"{number:.2f}" if isinstance(number, float) else f"{number:,}" for number in numbers),
            )
        )
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for line in cells:
        padded = [line[0].ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        lines.append("  ".join(padded))
    return lines
