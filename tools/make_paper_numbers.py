"""Make the CSV files of the paper's printed tables that ship with mahc from a Markdown text of the paper.

    python tools/make_paper_numbers.py PAPER.md

Only numbers with the names of their rows and columns. The numbers of sentences (text.csv) were copied by hand; a test
searches the text of the paper for each of them.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "src" / "mahc" / "lab" / "paper" / "printed"
MEASURES = ("bsf", "shd", "f1", "recall", "precision")
WINS = tuple(f"{measure} {word}" for measure in (*MEASURES, "overall") for word in ("better", "same", "worse"))
PHASES = ("bsf", "f1", "recall", "precision", "shd", "bic", "free_parameters", "edges", "seconds")
Lines = list[list[str]]


def main(paper: Path) -> None:
    """Write one CSV file for each table."""
    for name, text in make(paper.read_text(encoding="utf-8")).items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {text.count(chr(10)) - 1} rows")


def make(paper: str) -> dict[str, str]:
    """The text of every file, by its name."""
    return {
        "table_2.csv": _text(
            ["case", "nodes", "arcs", "average_degree", "maximum_in_degree", "free_parameters"], _two(paper)
        ),
        "table_4.csv": _text(["relative_to", "learning_class", *WINS], _wins(paper, "Table 4")),
        "table_5.csv": _text(["relative_to", "learning_class", *WINS], _wins(paper, "Table 5")),
        "table_6.csv": _text(["data", "rows", "algorithm", "percent"], _six(paper)),
        "table_7.csv": _text(["data", "algorithm", *PHASES], _seven(paper)),
        "table_b1.csv": _text(["algorithm", "case", "rows", "data", "bic", *MEASURES, "note"], _b1(paper)),
    }


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _table(paper: str, name: str) -> Iterator[list[str]]:
    """The cells of each line of the first table after its caption."""
    lines = iter(paper.splitlines())
    for line in lines:
        if line.startswith(f"**{name}.**"):
            break
    started = False
    for line in lines:
        if line.startswith("|"):
            started = True
            yield _cells(line)
        elif started:
            return


def _number(cell: str) -> str:
    return cell.replace(",", "").removesuffix("%")


def _power(cell: str) -> str:
    found = re.fullmatch(r"\$10\^(\d)\$", cell)
    if found is None:
        raise SystemExit(f"{cell!r} is not a sample size")
    return str(10 ** int(found[1]))


def _two(paper: str) -> Lines:
    return [[row[0], *map(_number, row[1:])] for row in list(_table(paper, "Table 2"))[2:]]


def _wins(paper: str, name: str) -> Lines:
    return [[*row[:2], *map(_number, row[2:])] for row in list(_table(paper, name))[2:]]


def _six(paper: str) -> Lines:
    rows = list(_table(paper, "Table 6"))
    data, found = "", []
    for row in rows[2:]:
        if row[0].endswith(" data"):
            data = row[0].removesuffix(" data")
            continue
        for algorithm, cell in zip(rows[0][1:], row[1:], strict=True):
            found.append([data, _power(row[0]), algorithm, _number(cell)])
    return found


def _seven(paper: str) -> Lines:
    data, found = "", []
    for row in list(_table(paper, "Table 7"))[2:]:
        if not row[0]:
            data = next(cell for cell in row if cell).removesuffix(" data")
        else:
            found.append([data, row[0], *map(_number, row[1:])])
    return found


def _b1(paper: str) -> Lines:
    found = []
    for line in paper.splitlines():
        row = _cells(line)
        if len(row) != 10 or row[3] not in ("Clean", "Noisy"):
            continue
        # The column of the score may say why there is none: "cyclic", "> 8 parents".
        note = row[4] if row[4] and not re.fullmatch(r"-?[\d.]+", row[4]) else ""
        found.append([row[0], row[1], _power(row[2]), row[3], "" if note else row[4], *row[5:], note])
    return found


def _text(header: list[str], rows: Lines) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
