"""Text files in all their habits give the data that they mean."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from mahc.data import Dataset, read
from mahc.data.sources.dialect import find_dialect

WANTED = read({"size": ["small", "large", "small"], "grade": [10, 9, 10]})


def written(folder: Path, text: str, name: str = "a.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        "size,grade\nsmall,10\nlarge,9\nsmall,10\n",
        "size,grade\nsmall,10\nlarge,9\nsmall,10",
        "size,grade\r\nsmall,10\r\nlarge,9\r\nsmall,10\r\n",
        "size,grade\nsmall,10\nlarge,9\nsmall,10\n\n\r\n\n",
        "\ufeffsize,grade\nsmall,10\nlarge,9\nsmall,10\n",
        "size;grade\nsmall;10\nlarge;9\nsmall;10\n",
        "size\tgrade\nsmall\t10\nlarge\t9\nsmall\t10\n",
        "size|grade\nsmall|10\nlarge|9\nsmall|10\n",
        "size grade\nsmall 10\nlarge 9\nsmall 10\n",
        '"size","grade"\n"small","10"\n"large","9"\n"small","10"\n',
        '"size","grade"\r\n"small",10\r\n"large",9\r\n"small",10',
        "'size','grade'\n'small','10'\n'large','9'\n'small','10'\n",
        "size,grade\nsmall,10.0\nlarge,9\nsmall,1e1\n",
    ],
)
def test_dialects_mean_the_same(text: str, tmp_path: Path) -> None:
    assert read(written(tmp_path, text)) == WANTED
    packed = tmp_path / "a.txt.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert read(packed) == WANTED


def test_delimiter_may_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, "a;b,c\n1;2,x\n1;2,x\n")
    assert read(path, delimiter="semicolon").names == ("a", "b,c")
    assert read(path, delimiter=",").names == ("a;b", "c")


def test_tsv_prefers_tabs(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b\tc\n1,x\t3\n1,x\t4\n", "a.tsv")
    assert read(path).names == ("a,b", "c")


def test_decimal_commas_do_not_hide_the_semicolon(tmp_path: Path) -> None:
    path = written(tmp_path, "a,x;b\n1,5;2\nfree, wild;2\nplain;3\n")
    assert read(path).names == ("a,x", "b")


def test_embedded_delimiters_newlines_and_quotes(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,b\n"x, y",1\n"two\r\nlines",2\n"say ""hi""",3\n"""",4\n')
    assert set(read(path).labels[0]) == {"x, y", "two\r\nlines", 'say "hi"', '"'}


def test_quotes_may_be_ordinary_characters(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,b\n5" pipe,1\n7" pipe,2\n')
    assert read(path).labels[0] == ('5" pipe', '7" pipe')  # found out: quotes stand within fields only
    path = written(tmp_path, 'a,b\n"x",1\n7" pipe,2\n')
    assert read(path, quote="none").labels[0] == ('"x"', '7" pipe')


def test_one_column_and_its_empty_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "a\nx\n\ny\n")
    assert read(path, missing="state").labels == (("x", "y", "missing"),)


def test_a_header_of_digits_is_warned_about_when_it_is_data(tmp_path: Path) -> None:
    data = read(written(tmp_path, "0,1\n1,0\n0,1\n"))
    assert "header" in {warning.kind for warning in data.warnings}
    data = read(written(tmp_path, "0,1\n1,0\n1,1\n"))
    assert "header" not in {warning.kind for warning in data.warnings}


def test_columns_and_drop_choose(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b,c\n1,2.5,3\n2,3.5,4\n")
    assert read(path, columns=["c", "a"]).names == ("c", "a")
    assert read(path, drop=["b"]).names == ("a", "c")


def test_many_blocks_give_what_one_block_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    words = [
        "",
        "ä",
        "exactly8",
        "exactly8+",
        "a much longer label than one word",
        '"quoted, too"',
        "'",
        "line\nbreak",
    ]
    table = rng.integers(0, len(words), (500, 3))
    lines = [",".join('"' + words[k].replace('"', '""') + '"' for k in row) for row in table]
    path = written(tmp_path, "a,b,c\r\n" + "\r\n".join(lines) + "\r\n")
    whole = read(path, missing="state")
    assert whole == read({n: [words[k] for k in table[:, j]] for j, n in enumerate("abc")}, missing="state")
    monkeypatch.setattr("mahc.data.sources.text_table._HEAD", 50)
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr("mahc.data.sources.text_records._BLOCK", size)
        assert read(path, missing="state") == whole


def test_every_row_counts_for_the_type_not_only_the_first(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b\n" + "10,9\n" * 5000 + "x,9\n")
    data = read(path)
    assert data.labels == (("10", "x"), ("9",))
    assert data.size == 5001


def test_one_row_that_counts_many_times_is_read(tmp_path: Path) -> None:
    data = read(written(tmp_path, "a,b,n\n1,2,5\n"), weights="n")
    assert (data.rows, data.size) == (1, 5)


def test_real_numbers_that_a_word_makes_text_are_warned_about(tmp_path: Path) -> None:
    data = read(written(tmp_path, "a\n" + "1.5\n2.5\n2\nlots\n" * 9))
    assert [warning.sentence() for warning in data.warnings] == [
        "column 'a': 3 of 4 states look like real numbers (1.5, 2 and 1 more), read as text because of 'lots'; "
        "to use it as numbers, "
        'pass missing_tokens={"a": ["lots"]} if that means missing, or remove that value'
    ]


def test_65535_states_are_still_read(tmp_path: Path) -> None:
    path = written(tmp_path, "v\n" + "".join(f"v{row}\n" for row in range(65_535)))
    data = read(path)
    assert data.state_counts.tolist() == [65_535]
    assert data.codes[0].dtype == np.uint16


def test_more_numbers_than_states_can_be_cut(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=70_000)
    path = written(tmp_path, "x\n" + "".join(f"{number!r}\n" for number in numbers.tolist()))
    data = read(path, discretise="quantile:4")
    assert data == read({"x": numbers}, discretise="quantile:4")
    assert np.bincount(data.codes[0]).tolist() == [17_500] * 4
    numbered = written(tmp_path, "id\n" + "".join(f"{row}\n" for row in range(70_000)), "b.csv")
    assert read(numbered, discretise={"id": [34_999.5]}).states == (("<= 34999.5", "> 34999.5"),)


def test_the_dialect_is_recorded(tmp_path: Path) -> None:
    data = read(written(tmp_path, "a;b\n1;2\n1;3\n"))
    assert isinstance(data, Dataset)
    assert [d.message for d in data.notes if d.kind == "delimiter"] == [
        'fields are separated by semicolon and quoted with "'
    ]


def test_header_quotes_hide_delimiters() -> None:
    dialect = find_dialect(b'"a;b","c;d"\n"1","2"\n', True, Path("a.csv"), None, None)
    assert dialect.delimiter == ","
