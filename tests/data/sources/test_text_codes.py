"""Codes of texts are exact: columns that polars lends, and columns of delimited text, against lists and `csv`."""

from __future__ import annotations

import csv
import io
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mahc.data._texts import TextColumns, number_texts, split_record
from mahc.data.sources.frames import code_texts

pytestmark = pytest.mark.long

# Texts that are in their view and texts that are not, prefixes of each other, lengths around the borders of words.
TEXTS = st.one_of(
    st.none(),
    st.text(max_size=20),
    st.integers(0, 40).map(lambda length: "x" * length),
    st.sampled_from(["yes", "no", "", "\0", "\0\0", "abcdefg", "abcdefgh", "exactly8exactly8", "exactly8exactly9"]),
)
FIELDS = st.one_of(st.text("ab\"',;\n\r é", max_size=12), st.sampled_from(["", "yes", "exactly8", "exactly8exactly9"]))


@given(st.lists(TEXTS, max_size=40), st.lists(st.integers(0, 40), max_size=3), st.integers(1, 50))
def test_random_texts_in_chunks_and_slices(column: list[str | None], cuts: list[int], repeats: int) -> None:
    bounds = sorted({0, *(min(cut, len(column)) for cut in cuts), len(column)})
    parts = [pl.Series(column[a:b] * repeats, dtype=pl.String) for a, b in pairwise(bounds)]
    series = pl.concat(parts, rechunk=False) if parts else pl.Series([], dtype=pl.String)
    for begin, rows in ((0, len(series)), (min(3, len(series)), 17)):
        part = series.slice(begin, rows)
        texts, codes = code_texts(part)
        assert [texts[code] for code in codes.tolist()] == part.to_list()
        assert texts[:-1] == sorted({text for text in part.to_list() if text is not None})[: len(texts[:-1])]
        assert len(set(texts)) == len(texts) == part.n_unique()


@pytest.mark.parametrize("count", [1, 255, 256, 257, 65_535, 65_536, 65_537])
def test_many_texts(count: int) -> None:
    column = [f"s{k * 7919 % count}" for k in range(max(40_000, count))]
    texts, codes = code_texts(pl.Series(column))
    assert [texts[code] for code in codes.tolist()] == column
    assert codes.dtype == np.min_scalar_type(count - 1)
    again = split(",".join(["a", *column]), 1 + len(column))
    assert [values[0] for values in again[1:]] == column


def test_what_is_not_text_is_refused() -> None:
    with pytest.raises(TypeError, match="not made of views of texts"):
        number_texts(pl.Series([1, 2]).__arrow_c_stream__())


def split(text: str, width: int, block: int = 1 << 20, delimiter: str = ",", quote: str = '"') -> list[list[str]]:
    """The columns of a text that is given block by block."""
    columns = TextColumns(delimiter, quote, width, range(width))
    rest, content = b"", text.encode() + b"\n"
    for begin in range(0, len(content), block):
        rest += content[begin : begin + block]
        cut, problem, _, _ = columns.scan(rest, begin + block >= len(content))
        assert problem == ""
        rest = rest[cut:]
    taken = [columns.take(number) for number in range(width)]
    return [[texts[code] for code in codes.tolist()] for texts, codes in taken]


@given(st.lists(st.lists(FIELDS, min_size=3, max_size=3), min_size=1, max_size=20), st.integers(1, 60), st.booleans())
def test_columns_of_text_are_those_of_csv(rows: list[list[str]], block: int, crlf: bool) -> None:
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n" if crlf else "\n").writerows(rows)
    content = text.getvalue()
    assert split(content[: -(2 if crlf else 1)], 3, block) == [list(column) for column in zip(*rows, strict=True)]
    cut, problem, _, fields = split_record(content.encode(), ",", '"')
    assert ([field.decode() for field in fields], problem) == (rows[0], "")
    assert content.encode()[:cut].endswith(b"\n")


def test_many_values_are_told_apart_across_blocks() -> None:
    texts = [f"value number {n}" for n in range(20_000)]
    assert split("\n".join([*texts, *texts[::-1]]), 1, 1000) == [[*texts, *texts[::-1]]]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b'1,2\nx"y,2\n', ("quote", 5, 0)),
        (b'1,2\n"x"y,2\n', ("quote", 6, 0)),
        (b'1,2\n"x"\r,2\n', ("quote", 6, 0)),
        (b'1,2\n"x,2\n', ("open", 4, 0)),
        (b"1,2\n3\n", ("width", 4, 1)),
        (b"1,2\n3,4,5\n", ("width", 4, 3)),
        (b"1,2\n\r\n\n3,4\n", ("empty", 4, 0)),
        (b"1,2\n\r\n\n", ("", 0, 0)),
    ],
)
def test_a_problem_has_its_place(text: bytes, problem: tuple[str, int, int]) -> None:
    columns = TextColumns(",", '"', 2, [0, 1])
    assert columns.scan(text, True) == (4, *problem)
    assert columns.rows == 1


def test_a_column_begins_anew_or_is_ignored() -> None:
    columns = TextColumns(",", "", 3, [0, 2])
    columns.scan(b'a,b,"\nc,d,e\n', False)
    assert columns.overfull(1) == [0, 1]
    assert columns.take(1)[0] == ['"', "e"]
    columns.ignore(0)
    columns.scan(b"f,g,h\n", True)
    assert (columns.take(0)[0], columns.take(1)[0], columns.rows) == ([], ["h"], 3)
    with pytest.raises(IndexError):
        columns.take(2)
    with pytest.raises(ValueError, match="out of range"):
        TextColumns(",", "", 1, [1])
