"""Every setting of every algorithm is reachable from learn(), the estimator, the command line, plans and the docs."""

from __future__ import annotations

import dataclasses
import importlib.util
import inspect
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

import mahc
from mahc.cli.main import run
from mahc.cli.spelling import CommandLineSpelling, option_name
from mahc.data import ReadSettings
from mahc.errors import FormatError, SettingError
from mahc.estimators import estimator_for
from mahc.lab import read_plan
from mahc.lab.contestants import Contestant
from mahc.learning.algorithm import ALGORITHMS, Algorithm
from mahc.learning.catalogue import score_settings
from mahc.learning.found import FoundDag
from mahc.learning.problem import Problem
from mahc.learning.settings import RunSettings
from mahc.setting_checks import Flag, Memory, Number, OneOf, Whole
from mahc.settings import Declaration, declarations, setting

ROOT = Path(__file__).resolve().parents[1]
DATA = {"a": ["x", "y"] * 8, "b": ["u", "v"] * 8}
CASES = [(name, declared) for name in ALGORITHMS for declared in declarations(ALGORITHMS[name]).values()]
Captured = pytest.CaptureFixture[str]


def name_case(value: object) -> str:
    return value.name if isinstance(value, Declaration) else str(value)


every_setting = pytest.mark.parametrize(("algorithm", "declared"), CASES, ids=name_case)


def other_value(declared: Declaration) -> Any:
    """A value that differs from the default."""
    check = declared.check
    if isinstance(check, Flag):
        return not declared.default
    if isinstance(check, OneOf):
        return next(name for name in check.names if name not in (declared.default, "auto"))
    if isinstance(check, Whole):
        return 2
    if isinstance(check, Memory):
        return 64
    assert isinstance(check, Number)
    return 0.02


def wrong_value(declared: Declaration) -> Any:
    return 7 if isinstance(declared.check, Flag | OneOf) else "many"


def call(*words: object) -> int:
    with pytest.raises(SystemExit) as ending:
        run([str(word) for word in words])
    assert isinstance(ending.value.code, int)
    return ending.value.code


def write_plan(folder: Path, algorithm: str, name: str, value: object) -> Path:
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    contestant = f'[[contestants]]\nlabel = "it"\nalgorithm = "{algorithm}"\nsettings = {{ {name} = {text} }}\n'
    path = folder / "plan.toml"
    path.write_text(f'sizes = [50]\ncases = ["asia"]\n{contestant}')
    return path


def find_contestant(plan: Path) -> Contestant:
    return next(contestant for contestant in read_plan(plan).contestants if contestant.label == "it")


@every_setting
def test_a_setting_reaches_learn_and_the_estimator(algorithm: str, declared: Declaration) -> None:
    value = other_value(declared)
    learned = mahc.learn(DATA, algorithm, **{declared.name: value})
    assert learned.settings[declared.name] == value
    kind = estimator_for(algorithm)
    assert inspect.signature(kind).parameters[declared.name].default == declared.default
    assert kind(**{declared.name: value}).fit(DATA).learned_.settings[declared.name] == value


@every_setting
def test_a_setting_is_an_option(algorithm: str, declared: Declaration, tmp_path: Path, capfd: Captured) -> None:
    value, option = other_value(declared), option_name(declared)
    words = [option] if value is True else [option.replace("--", "--no-", 1)] if value is False else [option, value]
    assert call("learn", "asia", "--algorithm", algorithm, *words, "--out", tmp_path / "out") == 0
    assert mahc.Learned.load(tmp_path / "out" / "result.json").settings[declared.name] == value


def test_the_help_lists_every_option(capfd: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert call("learn", "--help") == 0
    shown = capfd.readouterr().out
    assert all(len(line) <= 80 for line in shown.splitlines())
    for _, declared in CASES:
        assert re.search(rf"{option_name(declared)}\b", shown), declared.name
    places = [shown.index(f"─ {title} ─") for title in ("Data", "Algorithm", "Knowledge", "Limits", "Output")]
    assert places == sorted(places)


@every_setting
def test_a_setting_is_accepted_in_a_plan(algorithm: str, declared: Declaration, tmp_path: Path) -> None:
    value = other_value(declared)
    contestant = find_contestant(write_plan(tmp_path, algorithm, declared.name, value))
    assert contestant.identity()["settings"][declared.name] == value


@every_setting
def test_a_wrong_type_is_refused_in_each_spelling(
    algorithm: str, declared: Declaration, tmp_path: Path, capfd: Captured
) -> None:
    wrong = wrong_value(declared)
    with pytest.raises(SettingError) as refused:
        mahc.learn(DATA, algorithm, **{declared.name: wrong})
    assert str(refused.value).startswith(f"{declared.name} is {wrong!r}: give ")
    assert (refused.value.setting, refused.value.value) == (declared.name, wrong)
    with pytest.raises(SettingError, match=rf"^{declared.name} is {wrong!r}: give "):
        estimator_for(algorithm)(**{declared.name: wrong}).fit(DATA)
    with pytest.raises(FormatError, match=rf"settings\.{declared.name} is {wrong!r}: give "):
        read_plan(write_plan(tmp_path, algorithm, declared.name, wrong))
    if not isinstance(declared.check, Flag):  # a flag has no value
        assert call("learn", "asia", "--algorithm", algorithm, option_name(declared), wrong) == 2
        (line,) = capfd.readouterr().err.splitlines()
        assert line.startswith(f"mahc: {option_name(declared)} is '{wrong}': give ")


def test_help_of_learn_documents_every_setting() -> None:
    text = inspect.getdoc(mahc.learn) or ""
    for _, declared in CASES:
        assert re.search(rf"^ +{declared.name} : ", text, re.M)
        assert declared.help.split(";")[0][:40] in text


def test_help_of_read_documents_every_setting() -> None:
    text = inspect.getdoc(mahc.read) or ""
    for name, declared in declarations(ReadSettings).items():
        assert f"{name} : {declared.allowed}\n    {declared.help}" in text
    assert list(inspect.signature(mahc.read).parameters)[1:] == list(declarations(ReadSettings))


def load_tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_settings_is_up_to_date() -> None:
    page = load_tool("make_settings_tables").make_page()
    assert (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8") == page
    for _, declared in CASES:
        assert f"| `{declared.name}` |" in page


def test_the_settings_in_the_docstring_of_learn_are_up_to_date() -> None:
    assert load_tool("make_settings_tables").make_source() == (ROOT / "src" / "mahc" / "learn.py").read_text(
        encoding="utf-8"
    )


def test_the_stub_of_the_estimators_is_up_to_date() -> None:
    tool = load_tool("make_estimator_stub")
    assert tool.STUB.read_text(encoding="utf-8") == tool.make_stub()


@pytest.mark.long
def test_type_checkers_know_the_parameters_of_estimators(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    program = tmp_path / "program.py"
    lines = ("import mahc", "mahc.MAHC(search_in_degree=3).fit({}).learned_.arcs", "mahc.MAHC(search_in_degre=3)")
    program.write_text("\n".join(lines))
    said, _, _ = api.run(["--cache-dir", str(tmp_path), str(program)])
    errors = [line for line in said.splitlines() if ": error:" in line]
    assert len(errors) == 1
    assert 'program.py:3: error: Unexpected keyword argument "search_in_degre"' in errors[0]


@dataclass(frozen=True)
class ToySearch(Algorithm):
    """An algorithm that learns nothing."""

    patience: int = setting(3, help="How patient the toy is.", check=Whole(1, 9), metavar="N")

    name: ClassVar[str] = "toy-search"

    def search(self, problem: Problem) -> FoundDag:
        return FoundDag(problem.start, (), "converged")


def test_a_registered_algorithm_reaches_everything_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ALGORITHMS._entries, "toy-search", ToySearch)
    assert mahc.learn(DATA, "toy-search", patience=4).settings["patience"] == 4
    with pytest.raises(SettingError, match="patience is 10: give a whole number from 1 to 9"):
        mahc.learn(DATA, "toy-search", patience=10)
    kind = estimator_for("toy-search")
    assert getattr(mahc.estimators, "ToySearch") is kind  # noqa: B009
    assert kind(patience=5).fit(DATA).learned_.settings["patience"] == 5
    assert "patience : a whole number from 1 to 9" in (kind.__doc__ or "")
    contestant = find_contestant(write_plan(tmp_path, "toy-search", "patience", 6))
    assert contestant.identity()["settings"] == {"patience": 6}
    assert (
        "| `patience` | `--patience` | a whole number from 1 to 9 | `3` | How patient"
        in load_tool("make_settings_tables").make_page()
    )


@pytest.mark.long
def test_a_registered_algorithm_reaches_the_command_line() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'tests')!r})\n"
        "from test_settings_reach import ToySearch\n"
        "from mahc.learning.algorithm import ALGORITHMS\n"
        "ALGORITHMS.register('toy-search')(ToySearch)\n"
        "from mahc.cli.main import run\n"
        "run(sys.argv[1:])"
    )

    def answer(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)

    assert "How patient the toy is. For toy-search." in " ".join(answer("learn", "--help").stdout.split())
    wrong = answer("learn", "asia", "--algorithm", "toy-search", "--patience", "x")
    assert (wrong.returncode, wrong.stderr) == (2, "mahc: --patience is 'x': give a whole number from 1 to 9\n")
    assert answer("learn", "asia", "--algorithm", "toy-search", "--patience", "4").returncode == 0


def test_an_unknown_setting_is_refused_with_what_there_is() -> None:
    with pytest.raises(SettingError, match=r"algorithm 'hc' has no setting step_limi: did you mean step_limit\?"):
        mahc.learn(DATA, "hc", step_limi=3)
    with pytest.raises(
        SettingError, match=r'algorithm .hc. has no setting alpha: leave it out, or use "boss-pag", "fci", "mmhc"'
    ):
        mahc.learn(DATA, "hc", alpha=0.1)
    with pytest.raises(
        SettingError, match=r'score .bic. has no setting equivalent_sample_size: leave it out, or use "b'
    ):
        mahc.learn(DATA, "hc", equivalent_sample_size=3)
    with pytest.raises(SettingError, match=r"search_in_degree is given with .*, which has its own"):
        mahc.learn(DATA, dataclasses.replace(ALGORITHMS["hc"]()), search_in_degree=3)


def test_the_objective_has_one_name_in_python_and_its_option_on_the_command_line(
    tmp_path: Path, capfd: Captured
) -> None:
    assert mahc.learn(DATA, "hc", objective="aic").run.score.name == "aic"
    assert mahc.HC(objective="aic").fit(DATA).learned_.run.score.name == "aic"
    assert mahc.score_graph("asia", "asia", objective="aic").score.name == "aic"
    with pytest.raises(SettingError, match=r"^objective is 3: give one of"):
        mahc.learn(DATA, "hc", objective=3)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match=r"no setting score: did you mean objective\?"):
        mahc.learn(DATA, "hc", score="bic")
    assert CommandLineSpelling().name("objective") == "--score"
    assert call("learn", "asia", "--score", "bci") == 2
    assert "unknown score 'bci': did you mean 'bic'?" in capfd.readouterr().err
    plan = write_plan(tmp_path, "hc", "search_in_degree", 2)
    plan.write_text(plan.read_text() + 'objective = "aic"\n')
    assert "objective" in find_contestant(plan).identity()


READING = [
    ({"a": ["x", ""] * 8, "b": ["u", "v"] * 8}, {"missing": "state"}),
    ({"a": ["x", "NA"] * 8, "b": ["u", "v"] * 8}, {"missing": "drop", "missing_tokens": ["NA"]}),
    ({"a": [0.5, 1.5, 2.5, 3.5] * 4, "b": ["u", "v"] * 8}, {"discretise": "quantile:2"}),
    ({"a": ["x", "y"] * 8, "b": ["u", "v"] * 8, "c": ["s", "t"] * 8}, {"columns": ["b", "c"]}),
    ({"a": ["x", "y"] * 8, "b": ["u", "v"] * 8, "c": [1.5, 2.5] * 8}, {"drop": ["c"]}),
    ({"a": ["x", "y"] * 8, "b": ["u", "v"] * 8, "n": [2, 3] * 8}, {"weights": "n"}),
]


@pytest.mark.parametrize(("data", "settings"), READING, ids=lambda value: str(value)[:30])
def test_settings_of_reading_are_given_to_learn_and_to_estimators(data: Any, settings: dict[str, Any]) -> None:
    table = mahc.read(data, **settings)
    assert mahc.learn(data, "hc", **settings) == mahc.learn(table, "hc")
    model = mahc.HC(**settings).fit(data)
    assert model.learned_ == mahc.learn(table, "hc")
    assert model.score(data) == mahc.HC().fit(table).score(table)
    # `drop` is for a data set too: its state `missing` is what is dropped.
    name = next(name for name, value in settings.items() if value != "drop")
    with pytest.raises(SettingError, match=f"{name} is a reading setting, and a Dataset is already read"):
        mahc.learn(table, "hc", **settings)


def test_no_setting_of_reading_has_the_name_of_another() -> None:
    others = {declared.name for _, declared in CASES} | set(score_settings()) | set(declarations(RunSettings))
    assert not others & set(declarations(ReadSettings))
    assert not {"objective", "knowledge", "start", "score", "fit"} & (others | set(declarations(ReadSettings)))
