"""What the csv module writes comes back unchanged, whatever the text, delimiter, quoting and line end."""

from __future__ import annotations

import csv
import io
import tempfile
from functools import partial
from pathlib import Path
from unittest.mock import patch

from hypothesis import example, given, settings
from hypothesis import strategies as st

from mahc.data import Dataset, read
from mahc.data.source_table import LabelColumn
from mahc.errors import DataError

# Letters, digits, all delimiters, quotes, line ends, and anything else but the zero byte.
nasty = st.text(st.sampled_from("ab1.,;\t| \"'\n\r-äß€😀"), max_size=12)
wild = st.text(st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
cells = st.one_of(nasty, wild, st.sampled_from(["yes", "no", "1", "2.0", "0.5", "true", "NA", "missing", ""]))


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    width = draw(st.integers(1, 4))
    return draw(st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=15))


def outcome(source: object, **options: str) -> Dataset | str:
    try:
        return read(source, missing="state", discretise="quantile:2", **options)  # type: ignore[arg-type]
    except DataError as refusal:
        return str(refusal).partition(": ")[2]


@settings(max_examples=200, deadline=None)
@given(
    tables(),
    st.sampled_from(",;\t| "),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\r\n", "\n"]),
    st.integers(1, 200),
    st.booleans(),
)
def test_csv_comes_back(
    rows: list[list[str]], delimiter: str, quoting: int, line_end: str, block: int, mark: bool
) -> None:
    names = [f"name{j}" for j in range(len(rows[0]))]
    if line_end == "\n" and quoting == csv.QUOTE_MINIMAL:
        # The writer leaves a CR bare when it is no part of the line end, and nobody could tell it from one.
        rows = [[cell.replace("\r", "_") for cell in row] for row in rows]
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator=line_end)  # type: ignore[arg-type]
    writer.writerow(names)
    writer.writerows(rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(text.getvalue().encode("utf-8-sig" if mark else "utf-8"))
        with (
            patch("mahc.data.sources.text_records._BLOCK", block),
            patch("mahc.data.sources.text_table._HEAD", 4 * block),
        ):
            found = outcome(path, delimiter=delimiter, quote='"')
    columns = {name: [row[j] for row in rows] for j, name in enumerate(names)}
    with patch("mahc.data.sources.lists.LabelColumn", partial(LabelColumn, spelt=True)):  # as fields of a file
        assert found == outcome(columns)


word = st.text(st.sampled_from("abcxyz0123456789_-"), min_size=1, max_size=10)


@settings(max_examples=100, deadline=None)
@example([("0", "a", "1"), ("-0", "a", "1")], ",", csv.QUOTE_MINIMAL, '"')
@given(
    st.lists(st.tuples(word, word, word), min_size=1, max_size=10),
    st.sampled_from(",;\t| "),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from("\"'"),
)
def test_the_dialect_is_found_out(rows: list[tuple[str, ...]], delimiter: str, quoting: int, quote: str) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting, quotechar=quote)  # type: ignore[arg-type]
    writer.writerow(["a", "b", "c"])
    writer.writerows(rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(text.getvalue(), newline="")
        found = outcome(path)
    # Fields of a file spell numbers (0 and -0 are one), text of a dict is text: the dict is read as fields are.
    with patch("mahc.data.sources.lists.LabelColumn", partial(LabelColumn, spelt=True)):
        assert found == outcome({name: [row[j] for row in rows] for j, name in enumerate("abc")})
