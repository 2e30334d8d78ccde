"""What a notebook shows: an audit as a table, a mistake as one sentence, pictures as PNG and PDF."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import mahc
from mahc.errors import MahcError


def test_an_audit_is_a_table_with_everything_from_the_data_escaped() -> None:
    found = mahc.audit({"<b>age</b>": [20.5, 31.25, 44.0, 20.5], "flag": ["<script>", "no", "no", None]})
    shown = ElementTree.fromstring(found._repr_html_())
    rows = [["".join(cell.itertext()) for cell in row] for row in shown.iter("tr")]
    assert rows[0][:4] == ["column", "kind", "states", "missing"]
    assert [row[:4] for row in rows[1:]] == [
        ["<b>age</b>", "continuous: real numbers", "", ""],
        ["flag", "nominal: text", "2", "1"],
    ]
    assert shown.find("pre") is not None


@pytest.mark.long
def test_ipython_shows_a_mistake_as_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    shells = pytest.importorskip("IPython.core.interactiveshell")
    shell = shells.InteractiveShell.instance()
    try:
        assert not shell.run_cell("import mahc; mahc.learn({'a': [1, 2]}, 'nothing')").success
        assert isinstance(sys.last_value, MahcError)
    finally:
        shells.InteractiveShell.clear_instance()
    said = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert said == [f"UnknownNameError: {sys.last_value}"]


@pytest.mark.long
def test_pictures_are_saved_as_png_and_pdf(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    names = ['a "quoted" #name', "b <c> & $d$"]
    picture = mahc.learn({names[0]: ["x", "y"] * 40, names[1]: ["u", "v"] * 40}, "hc").plot()
    picture.save(tmp_path / "graph.pdf")
    assert (tmp_path / "graph.pdf").read_bytes().startswith(b"%PDF")
    sizes = []
    for dpi in (72, 144):
        picture.save(tmp_path / "graph.png", dpi=dpi)
        content = (tmp_path / "graph.png").read_bytes()
        assert content.startswith(b"\x89PNG")
        sizes.append(int.from_bytes(content[16:20], "big"))
    assert abs(sizes[1] - 2 * sizes[0]) <= 2
    with pytest.raises(MahcError, match="dpi is 5: give a number of pixels per inch from 10 to 2400"):
        picture.save(tmp_path / "graph.png", dpi=5)


def test_without_the_extra_png_is_refused_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MahcError, match=r"PNG pictures need the extra 'pictures': pip install 'mahc\[pictures\]'"):
        mahc.learn("asia", "hc").plot().save(tmp_path / "graph.png")
    assert not (tmp_path / "graph.png").exists()
