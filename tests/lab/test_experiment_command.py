"""`mahc experiment`: its help, what it prints, and how long it says that it will take."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from mahc.cli.commands import experiment as command_file
from mahc.cli.commands.experiment import parse_seeds, progress_line, write_line
from mahc.cli.main import run
from mahc.errors import SettingError
from mahc.lab.cells import Cell, make_cells
from mahc.lab.plan_file import read_plan
from mahc.lab.processes import Limits
from mahc.lab.running import Estimate, Estimator, Progress
from mahc.lab.store import read_rows

pytestmark = pytest.mark.long

Captured = pytest.CaptureFixture[str]
PLAN = """
sizes = [50]
cases = ["sports"]
[[contestants]]
label = "HC"
algorithm = "hc"
"""


def experiment(*words: object) -> int:
    with pytest.raises(SystemExit) as ending:
        run(["experiment", *map(str, words)])
    assert isinstance(ending.value.code, int)
    return ending.value.code


def test_help_lists_both_commands_and_loads_neither(capfd: Captured) -> None:
    assert experiment("--help") == 0
    shown = capfd.readouterr().out
    assert " run " in shown
    assert " report " in shown
    program = "import sys; from mahc.cli.main import run\ntry: run(['experiment', '--help'])\n"
    program += "except SystemExit: assert not {'mahc.lab.running', 'mahc.lab.plan_file', 'numpy'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert experiment("run", "--help") == 0
    shown = capfd.readouterr().out
    for option in ("--store", "--jobs", "--quick", "--networks", "--seeds"):
        assert option in shown


def test_a_run_prints_its_outcomes_and_the_next_command(tmp_path: Path, capfd: Captured) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    assert experiment("run", tmp_path / "plan.toml", "--store", tmp_path / "s", "--jobs", 1) == 0
    captured = capfd.readouterr()
    (reason,) = {row.reason for row in read_rows(tmp_path / "s")}
    assert reason.startswith("no network for the case 'sports'")
    assert captured.err == f"mahc: warning: 2 of 2 cells cannot run here: {reason}\n"
    assert captured.out == (
        "2 cells: 2 not available (0 run now, 0 kept from before)\n"
        f"  2 not available (HC, Ground truth): {reason}\n"
        f"Next: mahc experiment report {tmp_path / 's'} --out DIR\n"
    )


def test_a_name_that_the_paper_does_not_have_is_refused_before_anything_runs(tmp_path: Path, capfd: Captured) -> None:
    (tmp_path / "plan.toml").write_text(PLAN + 'paper_name = "MAHCC"\n')
    assert experiment("run", tmp_path / "plan.toml", "--store", tmp_path / "s") == 2
    assert "contestant 'HC': paper_name is 'MAHCC', which the paper does not have" in capfd.readouterr().err
    assert not (tmp_path / "s").exists()


@pytest.mark.long
def test_a_report_says_where_it_is_and_a_full_output_is_an_error(tmp_path: Path, capfd: Captured) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    assert experiment("run", tmp_path / "plan.toml", "--store", tmp_path / "s") == 0
    capfd.readouterr()
    words = ["report", tmp_path / "s", "--out", tmp_path / "r"]
    assert experiment(*words) == 0
    assert capfd.readouterr().out == (
        "All cells have been run (2). 2 cells gave no graph (2 not available); the reasons are in failed.csv.\n"
        f"Report: {tmp_path / 'r' / 'index.html'}\n"
    )
    if Path("/dev/full").exists():
        program = f"from mahc.cli.main import run; run({['experiment', *map(str, words)]!r})"
        with Path("/dev/full").open("w") as full:
            done = subprocess.run([sys.executable, "-c", program], stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert done.stderr == b"mahc: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "nowhere.toml", "--store", "s"], "nowhere.toml: no such file"),
        (["run", "paper", "--store", "s", "--seeds", "5-1"], "--seeds '5-1'"),
        (["run", "paper", "--store", "s", "--networks", "nowhere"], "the networks folder 'nowhere' does not exist"),
        (["run", "paper", "--store", "s", "--seeds", "3-1"], "the range 3-1 is empty: write 1-3"),
        (["run", "paper", "--store", "s", "--seeds", "1-3,2"], "a seed of '2' is given twice: give it once"),
        (["run", "paper"], "--store is missing"),
        (["run", "paper", "--stor", "s"], "unknown option --stor (did you mean --store?)"),
        (["run", "paper", "--stor=s"], "unknown option --stor (did you mean --store?)"),
        (["run", "pape", "--store", "s"], "did you mean 'paper'?"),
        (["rum"], "rum"),
        (["run", "a" * 5000, "--store", "s"], "the plan cannot be read: File name too long"),
        (["run", ".", "--store", "s"], "cannot be read: it is a folder"),
        (["run", "paper", "--store", "a" * 5000], "cannot be created: File name too long"),
        (["report", "a" * 5000, "--out", "x"], "is not a store of an experiment"),
        (["run", "paper", "--store", "s", "--seeds", "1" * 5000], "has more than 18 digits"),
        (["report", "nowhere", "--out", "x"], "'nowhere' is not a store"),
    ],
)
def test_a_mistake_is_one_sentence(words: list[str], said: str, capfd: Captured) -> None:
    assert experiment(*words) == 2
    *warnings, line = capfd.readouterr().err.splitlines()
    assert all(warning.startswith("mahc: warning: ") for warning in warnings)
    assert line.startswith("mahc: ")
    assert said in line


@pytest.mark.parametrize("text", ["", "x", "1,1", "1-", "-3", "1-99999999999", "3-2", "9" * 19, "1" * 5000])
def test_odd_seeds_are_refused(text: str) -> None:
    with pytest.raises(SettingError, match="--seeds"):
        parse_seeds(text)


def test_a_line_of_a_log_names_some_cells_in_full() -> None:
    standing = Progress(1, 1000, ("MAHC alarm 1,000 clean",) * 9, Estimate(100, 10_000))
    shown = write_line(standing, command_file.LOG_WIDTH)
    assert shown.endswith("; MAHC alarm 1,000 clean and 5 more")


def test_the_help_names_every_shipped_plan(capfd: Captured) -> None:
    assert experiment("run", "--help") == 0
    shown = " ".join(capfd.readouterr().out.replace("\u2502", " ").split())
    names = sorted(entry.name.removesuffix(".toml") for entry in files("mahc.lab").joinpath("plans").iterdir())
    assert f"a shipped plan: {', '.join(names)}." in shown


def test_an_interrupt_says_how_many_cells_are_kept(
    tmp_path: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    words = ["run", tmp_path / "plan.toml", "--store", tmp_path / "s"]

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("mahc.lab.run", interrupt)
        assert experiment(*words) == 130
        assert "interrupted; no cell has run: run the same command again" in capfd.readouterr().err
    assert experiment(*words) == 0
    monkeypatch.setattr("mahc.lab.run", interrupt)
    assert experiment(*words) == 130
    assert f"interrupted; 2 of 2 cells are kept in {tmp_path / 's'}: run" in capfd.readouterr().err


def test_the_line_is_never_as_wide_as_the_terminal() -> None:
    standing = Progress(1, 1000, ("MAHC alarm 1,000 clean",) * 9, Estimate(100, 10_000))
    assert write_line(standing, 40) == "1/1,000 cells, 2 min to 2.8 h left, run"


def test_the_estimate_narrows_with_what_it_has_seen(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN.replace("[50]", "[100, 1000]").replace("sports", "asia"))
    cells: list[Cell] = [
        cell for cell in make_cells(read_plan(tmp_path / "plan.toml")) if cell.contestant.label == "HC"
    ]
    estimator = Estimator(Limits(seconds=100), jobs=1)
    assert estimator.estimate(cells, []) == Estimate(2, 202)
    estimator.record(cells[0].row("done"), 3.0)
    left = estimator.estimate(cells[1:], [])
    assert left.low == 3.0
    assert left.high == pytest.approx(3 * 10**1.5)
    estimator.record(cells[1].row("done"), 8.0)
    assert estimator.estimate(cells[1:], []) == Estimate(8, 8)
    assert estimator.estimate([], [(cells[1], 5.0)]) == Estimate(3, 3)
    both = Estimator(Limits(seconds=100), jobs=2, rows=[cells[0].row("done", seconds=9.0)])
    assert both.estimate([cells[0]] * 4, []) == Estimate(20, 25)  # at worst one starts when the others are done


def test_a_run_without_a_terminal_prints_its_progress_once_a_minute(
    monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    standing = Progress(1, 40, ("HC asia 100 clean",), Estimate(100, 120))
    with progress_line() as report:
        assert report is not None
        report(standing)
        assert capfd.readouterr().err == ""
        monkeypatch.setattr(command_file, "SILENCE", 0.0)
        report(standing)
    assert capfd.readouterr().err == "mahc: 1/40 cells, about 2 min left, running HC asia 100 clean\n"


def test_a_folder_with_the_name_of_a_shipped_plan_does_not_hide_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paper").mkdir()
    assert len(read_plan("paper").cases) == 6
    (tmp_path / "paper").rmdir()
    (tmp_path / "paper").write_text(PLAN)
    assert len(read_plan("paper").cases) == 1


def test_nothing_but_the_commands_loads_the_laboratory() -> None:
    program = "import sys, mahc; mahc.learn({'a': ['x', 'y'] * 9, 'b': ['x', 'y'] * 9}); mahc.HC()\n"
    program += "assert not [name for name in sys.modules if name.startswith(('mahc.lab', 'matplotlib', 'jinja2'))]"
    subprocess.run([sys.executable, "-c", program], check=True)
