"""The JSON document of a result, and the report file that holds it."""

from __future__ import annotations

import base64
import itertools
import json
import re
import zlib
from pathlib import Path

import pytest

import mahc
from mahc.networks import load_network, sample
from mahc.ui.bundle import bundle, list_modules, read_static
from mahc.ui.document import make_document
from mahc.ui.page_words import with_arrows
from mahc.ui.places import place
from mahc.ui.report import page_of, report_html
from mahc.ui.reproduce import Source

ODD = "<script>alert(1)</script>"
RTL = "عمر‏"


@pytest.fixture(scope="module")
def data() -> mahc.Dataset:
    return sample(load_network("asia"), 2000, 1)


@pytest.fixture(scope="module")
def learned(data: mahc.Dataset) -> mahc.Learned:
    return mahc.learn(data, knowledge={"tiers": [["asia", "smoke"], ["xray"]], "required_arcs": [["smoke", "bronc"]]})


def embedded(page: str) -> dict[str, object]:
    return json.loads(re.findall(r'id="document">(.*?)</script>', page, re.DOTALL)[0])


def test_arcs_variables_and_counts_are_those_of_the_result(learned: mahc.Learned, data: mahc.Dataset) -> None:
    found = make_document(learned, data)
    names = [variable["name"] for variable in found["variables"]]
    assert names == list(learned.variables)
    assert sorted((names[arc["from"]], names[arc["to"]]) for arc in found["arcs"]) == sorted(learned.arcs)
    strengths = {(names[arc["from"]], names[arc["to"]]): arc["strength"] for arc in found["arcs"]}
    assert strengths == pytest.approx(learned.strengths(), abs=1e-4)
    assert all(sum(variable["counts"]) == 2000 for variable in found["variables"])
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    reversible = {arc["reversible"] for arc in found["arcs"] if arc["from"] == names.index("smoke")}
    assert False in reversible


def test_an_edge_past_very_many_layers_has_no_route() -> None:
    names = [f"v{i:02}" for i in range(70)]
    chain = list(itertools.pairwise(names))
    places = place(mahc.DAG(names, [*chain, (names[0], names[-1]), (names[0], names[20])]))
    assert set(places.routes) == {*chain, (names[0], names[20])}


def test_every_reason_in_the_packed_lists_is_the_one_of_explain(learned: mahc.Learned) -> None:
    lists = make_document(learned)["reasons"]["lists"]
    for b, packed in zip(learned.variables, lists, strict=True):
        sentences = json.loads(zlib.decompress(base64.b64decode(packed), -15))
        expected = [None if a == b else with_arrows(learned.explain(a, b).sentence) for a in learned.variables]
        assert sentences == expected


def test_tables_are_the_frequencies(learned: mahc.Learned, data: mahc.Dataset) -> None:
    tables = make_document(learned, data)["tables"]
    for v, table in enumerate(tables):
        parents = {a for a, b in learned.arcs if b == learned.variables[v]}
        assert {learned.variables[p] for p in table["parents"]} == parents
        assert all(sum(row) == pytest.approx(1, abs=1e-3) for row in table["rows"])
    lone = next(v for v, table in enumerate(tables) if not table["parents"])
    counts = make_document(learned, data)["variables"][lone]["counts"]
    assert tables[lone]["rows"][0] == pytest.approx([count / 2000 for count in counts], abs=1e-3)


@pytest.mark.parametrize("algorithm", ["pc-stable", "fci"])
def test_marks_of_cpdag_and_pag(algorithm: str, data: mahc.Dataset) -> None:
    found = mahc.learn(data, algorithm)
    document = make_document(found, data)
    assert document["kind"] == found.kind
    assert document["pattern"] is None
    signs = {"tail": "--", "arrow": "<>", "circle": "oo"}
    edges = {
        (
            found.variables[arc["from"]],
            f"{signs[arc['marks'][0]][0]}-{signs[arc['marks'][1]][1]}",
            found.variables[arc["to"]],
        )
        for arc in document["arcs"]
    }
    assert edges == {tuple(edge) for edge in found.edges or ()}


def test_python_that_repeats_the_run_gives_the_same_result(
    learned: mahc.Learned, data: mahc.Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = zip(
        *([states[code] for code in column] for states, column in zip(data.labels, data.codes, strict=True)),
        strict=True,
    )
    Path("data.csv").write_text("\n".join(",".join(row) for row in [data.names, *rows]) + "\n")
    space: dict[str, object] = {}
    exec(make_document(learned, data, Source("data.csv"))["reproduce"]["python"], space)
    assert space["learned"] == learned
    assert Path("report.html").stat().st_size > 50_000


def test_names_cannot_leave_the_data_element() -> None:
    columns = {ODD: ["n", "y"] * 90, RTL: ["</script>", "<!--"] * 90, "c": ["x", "x", "y"] * 60}
    page = report_html(mahc.learn(columns, "hc"), mahc.read(columns))
    assert page.count("<script>") == 1
    assert ODD not in page
    assert [variable["name"] for variable in embedded(page)["variables"]] == list(columns)  # type: ignore[attr-defined]


def test_the_policy_allows_only_the_script_and_styles_of_the_page(learned: mahc.Learned) -> None:
    page = page_of(make_document(learned))
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)[0]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert not re.search(r"\son\w+=", page.split("<body>")[1].split("<script")[0])


def test_other_data_are_refused(learned: mahc.Learned) -> None:
    with pytest.raises(mahc.MahcError, match="not the data that the result was learned from"):
        report_html(learned, sample(load_network("asia"), 2000, 2))


def test_a_report_is_written_by_the_command(
    learned: mahc.Learned, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from mahc.cli.main import run

    learned.save(tmp_path / "result.json")
    with pytest.raises(SystemExit) as end:
        run(["report", str(tmp_path), "--out", str(tmp_path / "report.html")])
    assert end.value.code == 0
    assert embedded((tmp_path / "report.html").read_text())["format"] == "mahc-view"
    with pytest.raises(SystemExit) as end:
        run(["report", str(tmp_path), "--out", str(tmp_path / "x.html"), "--missing", "drop"])
    assert end.value.code == 2
    assert "add --data FILE" in capsys.readouterr().err


@pytest.mark.parametrize("entry", ["report.js", "widget.js"])
def test_the_bundle_has_every_module_once(entry: str) -> None:
    modules = list_modules(entry)
    assert modules[-1] == entry
    assert len(modules) == len(set(modules))
    assert all(bundle(entry).count(read_static(name).splitlines()[0]) == 1 for name in modules)


def test_no_module_sets_html_or_evaluates_text() -> None:
    names = {name for entry in ("report.js", "widget.js") for name in list_modules(entry)}
    for name in names:
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", read_static(name)
        )


def test_the_widget_holds_the_document(learned: mahc.Learned) -> None:
    pytest.importorskip("anywidget")
    view = learned.view()
    assert json.loads(view.document)["kind"] == "DAG"
    assert "export default" in str(view.trait_values()["_esm"])


def test_without_the_extra_the_view_is_the_picture(learned: mahc.Learned, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "anywidget", None)
    shown = learned.view()
    assert "<svg" in shown._repr_html_()
    assert "mahc[notebook]" in repr(shown)
