"""Settings by column: a rule for all columns with exceptions, tokens of one column, and what the audit notices."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.cli.main import run as main
from mahc.cli.spelling import CommandLineSpelling
from mahc.data import ReadSettings, audit, read
from mahc.data.reading import suggest_settings
from mahc.errors import MahcError, Mention
from mahc.settings import declarations

ROWS = 300


def people(path: Path) -> Path:
    """Ages to 99, which is a real age; 99 in `educ` means missing."""
    lines = ["age,educ,bmi,note"]
    for i in range(ROWS):
        age = 99 if i % 20 == 0 else 20 + i % 77
        lines.append(f"{age},{99 if i % 10 == 3 else i % 4},{18 + i % 23}.5,{['a', 'b'][i % 2]}")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_rule_for_all_columns_has_exceptions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = people(tmp_path / "people.csv")
    found = read(path, discretise={"*": "quantile:3", "age": [35, 50, 65]})
    cuts = {note.column: note.numbers for note in found.notes if note.kind == "discretised"}
    assert cuts["age"] == (35, 50, 65)
    assert len(cuts["bmi"]) == 2
    words = ["--discretise", "quantile:3", "--discretise", "age=35,50,65"]
    with pytest.raises(SystemExit) as ended:
        main(["learn", str(path), *words, "--out", str(tmp_path / "out"), "--json"])
    assert ended.value.code == 0
    assert mahc.Learned.load(tmp_path / "out/result.json").data.fingerprint == found.fingerprint()
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["learn", str(path), "--discretise", "quantile:3", "--discretise", "quantile:4"])
    assert ended.value.code == 2
    assert "--discretise gives two rules for all columns: give one rule" in capsys.readouterr().err


def test_a_token_of_one_column_is_a_value_in_the_others(tmp_path: Path) -> None:
    path = people(tmp_path / "people.csv")
    how = {"discretise": {"*": "quantile:3"}, "missing": "state"}
    found = read(path, missing_tokens={"educ": 99}, **how)
    assert [note.column for note in found.notes if note.kind == "missing-state"] == ["educ"]
    everywhere = read(path, missing_tokens=[99], **how)
    assert {note.column for note in everywhere.notes if note.kind == "missing-state"} == {"age", "educ"}
    with pytest.raises(MahcError, match="unknown column 'edu'"):
        read(path, missing_tokens={"edu": ["99"]}, **how)


def test_the_advice_of_the_audit_loses_no_data(tmp_path: Path) -> None:
    path = people(tmp_path / "people.csv")
    found = audit(path)
    chosen = suggest_settings(path, ReadSettings(), found)
    assert chosen is not None
    assert chosen.tokens.get("educ") == ("99",)
    assert "age" not in chosen.tokens
    assert "*" not in chosen.tokens
    used = read(path, **{name: getattr(chosen, name) for name in declarations(ReadSettings)})
    assert {note.column for note in used.notes if note.kind == "missing-state"} == {"educ"}


tokens = st.dictionaries(
    st.sampled_from(["*", "a", "b c"]), st.lists(st.sampled_from(["99", "NA", "?", "-9"]), min_size=1, unique=True)
)
rules = st.dictionaries(st.sampled_from(["*", "a", "b c"]), st.sampled_from(["quantile:3", "18,65"]), min_size=1)


@given(tokens, rules)
def test_the_options_of_the_command_line_give_the_same_settings(given_tokens: object, given_rules: object) -> None:
    for name, value in (("missing_tokens", given_tokens), ("discretise", given_rules)):
        declared = declarations(ReadSettings)[name]
        words = CommandLineSpelling().words(Mention(name, value))[1::2]
        read_back = ReadSettings(**{name: declared.check.parse(words)})
        expected = ReadSettings(**{name: value})
        assert read_back.rules == expected.rules
        assert {k: set(v) for k, v in read_back.tokens.items() if v} == {
            k: set(v) for k, v in expected.tokens.items() if v
        }


def kinds(rows: str, path: Path, **settings: object) -> dict[str | None, list[str]]:
    path.write_text(rows)
    found: dict[str | None, list[str]] = {}
    report = audit(path, **settings)
    for each in [*report.problems, *(note for note in report.notes if note.warning)]:
        found.setdefault(each.column, []).append(each.kind)
    return found


def test_the_audit_notices_a_word_among_whole_numbers(tmp_path: Path) -> None:
    rows = "age,b\n" + "".join(f"{'unknown' if i % 9 == 0 else 20 + i % 30},{i % 2}\n" for i in range(300))
    assert kinds(rows, tmp_path / "a.csv")["age"] == ["numbers-as-text"]
    chosen = suggest_settings(tmp_path / "a.csv", ReadSettings(), audit(tmp_path / "a.csv"))
    assert chosen is not None
    assert chosen.tokens["age"] == ("unknown",)
    assert (chosen.discretise, chosen.missing) == (None, "impute")


def test_the_audit_notices_identical_columns_free_text_and_dates(tmp_path: Path) -> None:
    words = ["pain in the left arm", "no pain at all today", "pain after a long walk", "felt dizzy in the morning"]
    lines = ["sex,gender,remark,seen,day,when"]
    for i in range(40):
        sex = i * 7 % 3 == 0
        day = f"2020-01-{1 + i % 3:02d},202001{1 + i % 7:02d},{1 + i % 3} May 2020"
        lines.append(f"{'fm'[sex]},{'12'[sex]},{words[i % 4]} {i},{day}")
    found = kinds("\n".join(lines) + "\n", tmp_path / "a.csv")
    assert found == {
        "sex": ["identical"],
        "remark": ["free-text"],
        "seen": ["dates", "identical"],
        "day": ["dates"],
        "when": ["dates"],
    }


def test_a_saved_result_keeps_settings_by_column(tmp_path: Path) -> None:
    path = people(tmp_path / "people.csv")
    how = {"missing_tokens": {"educ": ["99"]}, "discretise": {"*": "quantile:3", "age": [40]}, "missing": "state"}
    mahc.learn(path, "hc", **how).save(tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text())["reading"]["settings"]["missing_tokens"] == {"educ": ["99"]}
    saved = mahc.Learned.load(tmp_path / "out.json")
    assert mahc.replay(saved, path) == saved
    model = saved.fit(path)
    assert model.predict_proba([{"educ": 99}], "note").tolist() == model.predict_proba([{"educ": ""}], "note").tolist()
