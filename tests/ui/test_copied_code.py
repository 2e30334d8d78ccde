"""What the report lets one copy repeats the run: the Python and the commands, for every setting of reading."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mahc
from mahc.cli.main import run
from mahc.data import ReadSettings
from mahc.data.settings import MISSING_EM, MISSING_METHODS
from mahc.results.learned import Learned
from mahc.settings import declarations
from mahc.ui.document import make_document
from mahc.ui.reproduce import Source

pytestmark = pytest.mark.long

CSV = "age,educ,bmi,Sex,code,n\n"


def plain_rows(rows: int = 240) -> str:
    rng = np.random.default_rng(3)
    lines = []
    for i in range(rows):
        age, sex = int(rng.integers(18, 90)), "fm"[int(rng.integers(2))]
        educ = 99 if i % 17 == 0 else int(rng.integers(1, 4))
        lines.append(f"{age},{educ},{20 + age / 8 + rng.normal():.1f},{sex},{i % 3 + 100},{1 + i % 3}")
    return CSV + "\n".join(lines) + "\n"


PLAIN = plain_rows()
GAPS = PLAIN.replace(",99,", ",,")
HEAD, *BODY = PLAIN.splitlines()
TARGETS = "\n".join([HEAD + ",target", *(row + ("," if i % 4 else ",educ") for i, row in enumerate(BODY))]) + "\n"
CODED = "\n".join([HEAD + ",target", *(f"{row},{min(i % 4, 2)}" for i, row in enumerate(BODY))]) + "\n"
CUT = {"discretise": {"*": "quantile:3", "age": [35, 50 + 1 / 3]}}
SETTINGS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "missing": [(GAPS, CUT | {"missing": how}) for how in ("state", "drop", *MISSING_METHODS)],
    "missing_tokens": [
        (PLAIN, CUT | {"missing": "state", "missing_tokens": tokens}) for tokens in (["99"], [99], {"educ": ["99", 98]})
    ],
    "discretise": [(PLAIN, {"discretise": rule}) for rule in ("quantile:3", {"age": [40], "bmi": "equal-width:3"})],
    "categorical": [(PLAIN, {"discretise": {"bmi": "quantile:2"}, "categorical": ["age"]})],
    "ordinal": [
        (PLAIN, CUT | {"ordinal": order}) for order in ({"Sex": ["m", "f"]}, {"code": [["100", "101"], "102"]})
    ],
    "continuous": [(PLAIN, {"continuous": ["educ"]})],
    "merge_states": [(PLAIN.replace(",f,", ", F ,", 9), CUT | {"merge_states": True})],
    "weights": [(PLAIN, CUT | {"weights": "n"})],
    "interventions": [(TARGETS, CUT | {"interventions": "target"})],
    "interventions_coded": [(CODED, CUT | {"interventions": "target", "interventions_coded": True})],
    "mechanism": [(TARGETS, CUT | {"interventions": "target", "mechanism": "changed"})],
    "keep_unused_states": [(PLAIN, CUT | {"keep_unused_states": True})],
    "delimiter": [(PLAIN.replace(",", "|"), CUT | {"delimiter": "pipe"})],
    "quote": [(PLAIN.replace(",f,", ",'f',"), CUT | {"quote": "'"})],
    "decimal": [(PLAIN.replace(",", ";").replace(".", ","), CUT | {"decimal": ","})],
    "encoding": [(PLAIN.replace(",f,", ",ä,"), CUT | {"encoding": "cp1252"})],
    "header": [(PLAIN.partition("\n")[2], {"header": False, "discretise": "quantile:3"})],
    "sheet": [],  # of a spreadsheet: tests/data/sources/test_spreadsheets.py
    "columns": [(PLAIN, {"columns": ["educ", "Sex", "code"]})],
    "drop": [(PLAIN, {"drop": ["age", "bmi"]})],
    "names": [],  # for arrays, which no file repeats
}
CASES = [(name, text, how) for name, listed in SETTINGS.items() for text, how in listed]


def test_every_setting_of_reading_is_tried() -> None:
    assert SETTINGS.keys() == declarations(ReadSettings).keys()
    assert MISSING_EM not in MISSING_METHODS


@pytest.mark.parametrize(("name", "text", "how"), CASES, ids=[f"{name}-{i}" for i, (name, _, _) in enumerate(CASES)])
def test_copied_code_gives_the_same_data_and_graph(
    name: str, text: str, how: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("my data.csv")
    file.write_text(text, encoding=how.get("encoding", "utf-8"))
    learned = mahc.learn(file, "hc", objective="bic", search_in_degree=2, **how)
    learned.save("saved.json")
    copied = make_document(mahc.Learned.load("saved.json"), None, Source(str(file)))["reproduce"]
    space: dict[str, Any] = {}
    exec(copied["python"], space)
    assert space["learned"].data.fingerprint == learned.data.fingerprint
    assert space["learned"] == learned
    assert Path("report.html").exists()
    if name == "columns":  # which the command line does not have
        assert "keep only educ, Sex, code" in copied["commands"]
        return
    Path("report.html").unlink()
    for command in copied["commands"].splitlines():
        with pytest.raises(SystemExit) as ended:
            run(shlex.split(command)[1:])
        assert ended.value.code == 0, command
    again = mahc.Learned.load("result/result.json")
    assert again.data.fingerprint == learned.data.fingerprint
    assert again == learned
    assert Path("report.html").exists()


def document_of(tmp_path: Path, text: str = GAPS, **how: Any) -> dict[str, Any]:
    (tmp_path / "rows.csv").write_text(text)
    learned = mahc.learn(tmp_path / "rows.csv", "hc", **how)
    from mahc.opening import open_again

    return make_document(learned, open_again(tmp_path / "rows.csv", learned.data.reading))


def test_the_report_of_an_imputed_run_shows_no_state_for_missing_values(tmp_path: Path) -> None:
    found = document_of(tmp_path, missing="impute", **CUT)
    educ = next(each for each in found["variables"] if each["name"] == "educ")
    assert educ["states"] == ["1", "2", "3"]
    assert educ["missing"] == GAPS.count(",,")
    remarks = next(each["remarks"] for each in found["audit"]["columns"] if each["name"] == "educ")
    told = [each["text"] for each in remarks]
    assert f"{GAPS.count(',,')} missing values: the method impute treats them" in told
    assert "is the state" not in str(found["audit"])
    assert "are the state" not in str(found["audit"])
    assert all(len(row) == 3 for row in found["tables"][[v["name"] for v in found["variables"]].index("educ")]["rows"])


def test_the_methods_paragraph_tells_what_was_done_to_the_data(tmp_path: Path) -> None:
    told = document_of(
        tmp_path, PLAIN, missing="impute", missing_tokens={"educ": [99]}, drop=["code"], weights="n", **CUT
    )["methods"]["paragraph"]
    for sentence in (
        "Left out: the column code.",
        "The rows were weighted by the column n.",
        "Read as missing in educ: 99.",
        "Missing values were filled in with their most probable state",
        "age was cut into intervals at 35, 50.3333.",
        "bmi was cut into intervals at ",
    ):
        assert sentence in told
    other = document_of(tmp_path, missing="drop", categorical=["age"], merge_states=True, discretise="quantile:2")
    assert "Rows with missing values were left out. " in other["methods"]["paragraph"]
    assert "Every number was kept as a state: the column age." in other["methods"]["paragraph"]
    assert "States that differ only in case or blanks were made one." in other["methods"]["paragraph"]


@pytest.mark.parametrize("how", ["state", "drop", *MISSING_METHODS])
def test_a_report_and_tables_follow_every_treatment_of_missing_values(how: str, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(GAPS)
    learned = mahc.learn(tmp_path / "rows.csv", "hc", missing=how, **CUT)
    learned.report(tmp_path / "report.html", tmp_path / "rows.csv")
    assert len(learned.fit(tmp_path / "rows.csv").states("educ")) == (4 if how == "state" else 3)


@pytest.mark.parametrize("algorithm", ["hc", "mahc", "boss"])
@pytest.mark.parametrize("how", [{}, {"objective": "bic"}, {"numbers": "cuts"}, {"numbers": "smooth"}, {"degree": 2}])
def test_code_of_a_run_with_numbers_gives_the_same_graph(
    how: dict[str, Any], algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text(PLAIN)
    learned = mahc.learn("rows.csv", algorithm, drop=["educ"], **how)
    code = make_document(learned, None, Source("rows.csv"), with_reasons=False)["reproduce"]
    scope: dict[str, Any] = {}
    exec(code["python"], scope)
    assert scope["learned"] == learned
    assert scope["learned"].run.numbers == learned.run.numbers
    with pytest.raises(SystemExit) as ended:
        run([*shlex.split(code["commands"].splitlines()[0])[1:], "--overwrite"])
    assert ended.value.code in (0, None)
    assert Learned.load("result/result.json") == learned
