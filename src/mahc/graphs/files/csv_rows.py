"""Reading and writing the rows of a CSV text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from mahc.graphs.files.graph_format import GraphBuilder


def read_rows(builder: GraphBuilder, text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of its last line; wrong quoting is an error."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as mistake:
            builder.refuse(f"this is not CSV: {mistake}", reader.line_num)
        if any(cell.strip() for cell in row):
            yield reader.line_num, row


def write_rows(rows: Iterable[Sequence[str]]) -> str:
    """The rows as CSV text with LF line ends.

    >>> write_rows([["from", "to"], ["a,b", "c"]])
    'from,to\\n"a,b",c\\n'
    """
    out = io.StringIO()
    listed = list(rows)
    # Before Python 3.13 the writer leaves a lone carriage return without quotes, where it would end the row.
    has_cr = any("\r" in cell for row in listed for cell in row)
    if has_cr:
        csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(listed)
    else:
        csv.writer(out, lineterminator="\n").writerows(listed)
    return out.getvalue()


def first_row(text: str) -> list[str]:
    """The cells of the first line, without quotes and spaces around them."""
    line = text.lstrip().split("\n", 1)[0]
    return [cell.strip().strip('"').strip().lower() for cell in line.split(",")]
