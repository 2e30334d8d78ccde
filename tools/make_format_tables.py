"""Write docs/reference/formats.md, the tables of graph and network formats, from their registries.

python tools/make_format_tables.py
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mahc.graphs.files import GRAPH_FORMATS
from mahc.networks.files import NETWORK_FORMATS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "formats.md"
INTRODUCTION = """\
# File formats
`tools/make_format_tables.py` writes this page from the registries; `tests/test_format_tables.py` checks that it is up
to date.
"""
GRAPHS = """
## Graphs
`read_graph`, `write_graph` and `format_graph` in `mahc.graphs.files`. The suffix selects the format, or `format=NAME`
does. Where several formats read one suffix, the beginning of the file decides.

"""
NETWORKS = """
## Networks
`read_network`, `write_network` and `format_network` in `mahc.networks.files`. The suffix selects the format; each may
end in `.gz`. Numbers are read and written in full precision.

"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(make_page(), encoding="utf-8", newline="\n")
    print(f"{len(GRAPH_FORMATS.names())} graph formats, {len(NETWORK_FORMATS.names())} network formats in {PAGE}")


def make_page() -> str:
    """The text of the page."""
    graphs = make_table(("name", "format", "suffixes", "also read from", "keeps"), _graph_rows())
    networks = make_table(("name", "format", "suffixes", "read", "written", "keeps"), _network_rows())
    return INTRODUCTION + GRAPHS + graphs + NETWORKS + networks


def make_table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A Markdown table.

    >>> print(make_table(("a", "b"), [("1", "2")]), end="")
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    lines = [f"| {' | '.join(row)} |" for row in (header, *rows)]
    return "\n".join([lines[0], "|---" * len(header) + "|", *lines[1:]]) + "\n"


def _graph_rows() -> Iterable[tuple[str, ...]]:
    for name in GRAPH_FORMATS:
        kind = GRAPH_FORMATS[name]
        yield f"`{name}`", kind.title, _code(kind.suffixes), _code(kind.also_read), kind.keeps


def _network_rows() -> Iterable[tuple[str, ...]]:
    for name in NETWORK_FORMATS:
        kind = NETWORK_FORMATS[name]
        yield f"`{name}`", kind.title, _code(kind.suffixes), "yes", "yes" if kind.writable else "no", kind.keeps


def _code(suffixes: Iterable[str]) -> str:
    return " ".join(f"`{suffix}`" for suffix in suffixes)


if __name__ == "__main__":
    main()
