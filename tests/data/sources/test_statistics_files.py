"""Files of SPSS and Stata: value labels, user-missing codes, dates, and files that are none."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

import mahc
from mahc.errors import MahcError

pyreadstat = pytest.importorskip("pyreadstat")
pd = pytest.importorskip("pandas")

FRAME = pd.DataFrame(
    {
        "sex": [1.0, 2.0, 2.0, 1.0, 9.0, 2.0],
        "pain": [3.0, 1.0, 2.0, 2.0, 1.0, 3.0],
        "score": [0.0, 10.5, 20.25, 30.0, 41.5, 7.0],
        "town": ["Bonn", "", "Köln", "Bonn", "Bonn", "Köln"],
    }
)
LABELS = {
    "sex": {1: "male", 2: "female", 9: "refused"},
    "pain": {1: "low", 2: "middle", 3: "high"},
    "score": {0: "none"},
}


def write_sav(path: Path) -> None:
    pyreadstat.write_sav(
        FRAME,
        str(path),
        variable_value_labels=LABELS,
        missing_ranges={"sex": [9]},
        variable_measure={"pain": "ordinal", "sex": "nominal"},
    )


def test_labels_become_states_in_the_order_of_the_codes(tmp_path: Path) -> None:
    write_sav(tmp_path / "study.sav")
    found = mahc.read(tmp_path / "study.sav", missing="state", categorical=["score"])
    states = dict(zip(found.names, found.labels, strict=True))
    assert states["sex"] == ("male", "female", "missing")
    assert states["pain"] == ("low", "middle", "high")
    assert states["score"][:3] == ("0", "7", "10.5")  # only one value has a label: the numbers stay
    assert states["town"] == ("Bonn", "Köln", "missing")
    columns = dict(zip(found.names, found.columns, strict=True))
    assert [columns["pain"].labels[code] for code in columns["pain"].codes] == [
        "high",
        "low",
        "middle",
        "middle",
        "low",
        "high",
    ]
    assert columns["pain"].ordered
    assert not columns["sex"].ordered


def test_stata_and_spss_give_the_same_rows(tmp_path: Path) -> None:
    write_sav(tmp_path / "study.sav")
    pyreadstat.write_dta(
        FRAME.assign(sex=FRAME.sex.replace(9.0, None)), str(tmp_path / "study.dta"), variable_value_labels=LABELS
    )
    spss, stata = (
        mahc.audit(tmp_path / f"study.{ending}", missing="state", drop=["score"]).dataset for ending in ("sav", "dta")
    )
    assert spss is not None
    assert stata is not None
    assert (spss.names, spss.labels) == (stata.names, stata.labels)
    assert [c.codes.tolist() for c in spss.discrete] == [c.codes.tolist() for c in stata.discrete]


def test_dates_are_refused_as_in_other_files(tmp_path: Path) -> None:
    frame = pd.DataFrame({"day": [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)] * 5, "a": [1.0, 2.0] * 5})
    pyreadstat.write_sav(frame, str(tmp_path / "dates.sav"))
    found = mahc.audit(tmp_path / "dates.sav")
    assert [problem.column for problem in found.problems] == ["day"]


def test_a_file_that_is_none_is_refused_in_one_sentence(tmp_path: Path) -> None:
    for name in ("x.sav", "x.dta", "x.sas7bdat", "x.xpt", "x.por"):
        (tmp_path / name).write_bytes(b"no such file at all" * 50)
        with pytest.raises(MahcError, match="save it again, or as CSV"):
            mahc.read(tmp_path / name)
