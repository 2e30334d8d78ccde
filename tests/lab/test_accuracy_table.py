"""The plan `accuracy`, and tools/make_accuracy_table.py on rows that are made up."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import MappingProxyType, ModuleType

import pytest

from mahc.lab.outline import TRUTH, ContestantInfo, Outline, Row, Selection
from mahc.lab.plan_file import read_plan

TOOL = Path(__file__).resolve().parents[2] / "tools" / "make_accuracy_table.py"
OUTLINE = Outline(
    "accuracy",
    (
        ContestantInfo("boss"),
        ContestantInfo("hc"),
        ContestantInfo("exact", selection=Selection(cases=("asia", "survey"))),
    ),
    ("asia", "survey", "andes"),
    (100, 1000),
    ("clean",),
    (1, 2),
    narrowed=(Selection(("andes",), (100, 1000), (1,)),),
)
F1 = {"boss": 0.8, "hc": 0.6, "exact": 0.7}


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_accuracy_table", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_row(label: str, case: str, data: str, size: int, seed: int) -> Row:
    if (label, case, size) == ("exact", "survey", 1000):
        return Row(label, case, data, size, seed, "time_limit")
    f1 = F1[label] - (0.6 if case == "andes" else 0.0)
    measures = {"f1": f1, "shd": 10 * (1 - f1), "precision": f1, "recall": f1, "bsf": f1}
    return Row(label, case, data, size, seed, "done", measures=MappingProxyType(measures), seconds=0.5)


def test_contestants_that_take_part_in_some_samples_have_a_table_of_their_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    everyone = [one.label for one in OUTLINE.contestants]
    cells = [(label, *where) for label in everyone for where in OUTLINE.samples() if OUTLINE.has_cell(label, *where)]
    rows = [make_row(*cell) for cell in cells]
    load_tool().print_tables([OUTLINE], rows, Selection())
    mean, paired, count, measures, _, partial, differences, _, unfinished = capsys.readouterr().out.split("\n\n")
    # Each network counts the same, although andes has one seed and the others two: (0.8 + 0.8 + 0.2) / 3.
    assert mean.splitlines()[0] == "| contestant | 100 rows, clean (5) | 1,000 rows, clean (5) |"
    assert mean.splitlines()[2:] == ["| boss | 0.600 / 4.0 | 0.600 / 4.0 |", "| hc | 0.400 / 6.0 | 0.400 / 6.0 |"]
    assert "| hc | +0.200 (+0.200 to +0.200) | -2.0 (-2.0 to -2.0) | 10 of 3 networks |" in paired
    assert count == "10 samples."
    assert "| hc | 0.400 | 0.400 | 0.400 | 0.500 | 0.500 |" in measures
    assert "exact" not in mean + paired + measures
    assert partial.splitlines()[2:] == [
        "| exact | 0.700 / 3.0 (4) | 0.700 / 3.0 (2) |",
        "| boss, samples of exact | 0.800 / 2.0 (4) | 0.800 / 2.0 (2) |",
        "| hc, samples of exact | 0.600 / 4.0 (4) | 0.600 / 4.0 (2) |",
    ]
    assert differences.splitlines()[2:] == [
        "| exact | +0.100 (+0.100 to +0.100) | -1.0 (-1.0 to -1.0) | 6 of 2 networks |"
    ]
    assert unfinished.strip() == "- exact: survey, 1,000 rows (2 of 2, time limit)"
    load_tool().print_tables([OUTLINE], rows, Selection(sizes=(100,), seeds=(1,)))
    text = capsys.readouterr().out
    assert text.startswith("| contestant | 100 rows, clean (3) |\n")
    assert text.endswith("Cells that gave no graph:\n\nNone.\n")


def test_the_plan_of_accuracy_is_narrowed() -> None:
    outline = read_plan("accuracy").outline_without_networks()
    samples = list(outline.samples())
    small = {"asia", "survey", "sachs", "sports", "property", "child"}
    assert {case for case, _, size, _ in samples if size == 100_000} == small
    seeds = {case: {seed for name, _, _, seed in samples if name == case} for case in outline.cases}
    assert {case for case, many in seeds.items() if many == {1, 2, 3}} == {
        *("hailfinder", "hepar2", "win95pts", "formed", "pathfinder", "andes", "mildew", "barley")
    }
    assert all(many in ({1, 2, 3}, {1, 2, 3, 4, 5}) for many in seeds.values())
    number = {one.label: sum(outline.has_cell(one.label, *s) for s in samples) for one in outline.contestants}
    assert len(samples) == number[TRUTH] == number["boss"] == 474
    some = {label: cells for label, cells in number.items() if cells < 474}
    assert some == {
        "tabu": 456,
        "tabu, qNML": 456,
        "exact": 64,
        "causal-learn BOSS": 24,
        "causal-learn GRaSP": 24,
        "pyAgrum MIIC": 276,
        "pgmpy GES": 32,
    }
