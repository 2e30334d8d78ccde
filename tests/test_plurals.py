"""One of a thing is written in the singular, in reprs, pictures and on the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import mahc
from mahc.cli.main import run
from mahc.drawing.svg import svg
from mahc.graphs import DAG

WRONG = re.compile(r"(?<![\d.,])1 (arcs|edges|rows|variables|columns|states|graphs|problems|steps|free parameters)\b")


def test_reprs_and_pictures() -> None:
    graph = DAG(("a", "b"), [("a", "b")])
    learned = mahc.learn({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30})
    texts = [repr(graph), repr(DAG(("a",))), repr(learned), svg(graph), learned.plot().svg, learned._repr_html_()]
    texts.append(repr(mahc.read({"a": ["x", "y"]})))
    assert not [text for text in texts if WRONG.search(text)]
    assert "graph of 2 variables and 1 edge" in svg(graph)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.csv").write_text("a\n1.5\n2.5\n3.25\n")
    (tmp_path / "two.csv").write_text("a,b\n" + "x,u\ny,v\n" * 30)
    one, two, out = (str(tmp_path / name) for name in ("one.csv", "two.csv", "out"))
    network = str(tmp_path / "net.bif")
    compare = ["compare", out, out]
    for words in (["audit", one], ["learn", two, "--out", out], ["fit", out, two, "--out", network], compare):
        with pytest.raises(SystemExit):
            run(words)
        captured = capsys.readouterr()
        assert not WRONG.search(captured.out + captured.err), captured
