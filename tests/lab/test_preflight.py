"""Misspelt names and unusable data are refused before the first cell runs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from mahc.cli.main import run
from mahc.errors import FormatError, SettingError
from mahc.lab.contestants.theirs import defined_names
from mahc.lab.plan_file import read_plan
from mahc.lab.running import run as run_plan

PLAN = """
sizes = [50]
cases = {cases}
[[contestants]]
label = "mine"
{contestant}
"""
HC = 'algorithm = "hc"'


def write_plan(folder: Path, cases: str = '["asia"]', contestant: str = HC) -> Path:
    file = folder / "plan.toml"
    file.write_text(PLAN.format(cases=cases, contestant=contestant))
    return file


def test_a_misspelt_function_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tree.py").write_text("raise SystemExit  # the file is not run\ndef learn(path): ...\n")
    assert read_plan(write_plan(tmp_path, contestant='callable = "tree.py:learn"')).contestants
    with pytest.raises(FormatError, match=r"'tree.py' has no function 'lern': did you mean 'learn'\?"):
        read_plan(write_plan(tmp_path, contestant='callable = "tree.py:lern"'))
    with pytest.raises(FormatError, match="'tree' has no function 'other': correct the name"):
        read_plan(write_plan(tmp_path, contestant='callable = "tree:other"'))


def test_a_file_that_is_not_python_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "tree.py").write_text("import os\ndef learn(path:\n")
    with pytest.raises(FormatError, match=r"'tree.py' is not valid Python \(line 2\): correct it"):
        read_plan(write_plan(tmp_path, contestant='callable = "tree.py:learn"'))


MODULES = [
    "def learn(path): ...",
    "async def learn(path): ...",
    "class learn: ...",
    "learn = print",
    "learn: object = print",
    "(other, [learn, *more]) = 1, [2, 3]",
    "from os import path as learn",
    "import os.path as learn",
    "import learn.inner",
    "if True:\n    pass\nelif False:\n    learn = 1",
    "try:\n    import a\nexcept ImportError:\n    learn = 1",
    "try:\n    pass\nfinally:\n    learn = 1",
    "with open('x') as learn:\n    pass",
    "for learn in []:\n    pass",
    "while False:\n    pass\nelse:\n    learn = 1",
    "match 1:\n    case 1:\n        learn = 1",
    "if (learn := print):\n    pass",
]


@pytest.mark.parametrize("text", MODULES)
def test_every_way_to_define_a_name_is_seen(text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(text)
    names = defined_names(tmp_path / "mine.py")
    assert names is not None
    assert "learn" in names


@pytest.mark.parametrize("text", ["from os import *", "def __getattr__(name): ...", "globals()['learn'] = print"])
def test_names_that_only_a_run_shows_are_left_to_the_cells(text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(text)
    assert defined_names(tmp_path / "mine.py") is None


def test_names_within_functions_are_not_names_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def outer():\n    def learn(): ...\nclass C:\n    def learn(self): ...\n")
    assert defined_names(tmp_path / "mine.py") == {"outer", "C"}


def test_a_misspelt_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"case 'assia': unknown network 'assia': did you mean 'asia'\?"):
        run_plan(write_plan(tmp_path, cases='["assia"]'), tmp_path / "store")
    assert not (tmp_path / "store").exists()


def test_data_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    draw = random.Random(1)
    rows = [f"{draw.choice(['x', 'y', ''])},{draw.choice('uv')}" for _ in range(100)]
    (tmp_path / "ward.csv").write_text("a,b\n" + "\n".join(rows) + "\n")
    with pytest.raises(SettingError, match=r"case 'ward': .*missing.*reading\.missing = "):
        run_plan(write_plan(tmp_path, cases='[{ data = "ward.csv" }]'), tmp_path / "store")
    assert not (tmp_path / "store").exists()
    cases = '[{ data = "ward.csv", reading = { missing = "state" } }]'
    assert run_plan(write_plan(tmp_path, cases=cases), tmp_path / "store").outcomes == (("done", 1),)


def test_a_setting_of_reading_is_sent_to_its_table(tmp_path: Path) -> None:
    (tmp_path / "ward.csv").write_text("id,a\n1,x\n2,y\n")
    with pytest.raises(FormatError, match=r"cases 1: drop says how to read: write reading = \{ drop = \.\.\. \}"):
        read_plan(write_plan(tmp_path, cases='[{ data = "ward.csv", drop = ["id"] }]'))


def test_a_program_that_is_not_installed_is_named_before_the_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plan = write_plan(tmp_path, contestant='command = ["pyton3", "{data}", "{output}"]')
    with pytest.raises(SystemExit) as ending:
        run(["experiment", "run", str(plan), "--store", str(tmp_path / "s")])
    assert ending.value.code == 0
    said = capfd.readouterr().err
    assert said.startswith("mahc: warning: 1 of 2 cells cannot run here: the program 'pyton3' is not installed")
