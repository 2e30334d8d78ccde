"""Plans in which cases have their own sizes and seeds, and contestants take part in some samples only."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mahc.errors import MahcError
from mahc.lab import Outline, run, write_report
from mahc.lab.cells import make_cells
from mahc.lab.outline import TRUTH, Selection
from mahc.lab.plan import Plan
from mahc.lab.plan_file import read_plan

pytestmark = pytest.mark.long

NARROWED = """
sizes = [100, 200]
data = ["clean", "cMISL"]
seeds = [1, 2]
[quick]
sizes = [50]
[[cases]]
name = "asia"
[[cases]]
name = "cancer"
sizes = [100, 400]
[[cases]]
name = "survey"
seeds = [3]
[[contestants]]
label = "HC"
algorithm = "hc"
[[contestants]]
label = "TABU"
algorithm = "tabu"
cases = ["cancer", "survey"]
sizes = [50, 100]
seeds = [1, 3]
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "plan.toml"
    file.write_text(text, encoding="utf-8")
    return file


def places(plan: Plan, label: str) -> set[tuple[str, int, int]]:
    return {(cell.case.name, cell.rows, cell.seed) for cell in make_cells(plan) if cell.contestant.label == label}


SAMPLES = {
    *(("asia", size, seed) for size in (100, 200) for seed in (1, 2)),
    *(("cancer", size, seed) for size in (100, 400) for seed in (1, 2)),
    *(("survey", size, 3) for size in (100, 200)),
}


def test_cases_have_their_own_sizes_and_seeds_and_contestants_their_samples(tmp_path: Path) -> None:
    plan = read_plan(write(tmp_path, NARROWED))
    assert places(plan, "HC") == places(plan, TRUTH) == SAMPLES
    assert places(plan, "TABU") == {("cancer", 100, 1), ("survey", 100, 3)}
    cells, outline = make_cells(plan), plan.outline()
    assert len(cells) == outline.cells == 2 * (10 + 10 + 2)
    assert (outline.sizes, outline.seeds) == ((100, 200, 400), (1, 2, 3))
    assert [cell.rows for cell in cells] == sorted(cell.rows for cell in cells)
    held = {(c.contestant.label, c.case.name, c.data, c.rows, c.seed) for c in cells}
    assert held == {
        (one.label, case, data, size, seed)
        for one in outline.contestants
        for case in outline.cases
        for data in outline.data
        for size in outline.sizes
        for seed in outline.seeds
        if outline.has_cell(one.label, case, data, size, seed)
    }


def test_quick_and_seeds_replace_those_of_cases_and_are_met_with_those_of_contestants(tmp_path: Path) -> None:
    file = write(tmp_path, NARROWED)
    names = ("asia", "cancer", "survey")
    quick = read_plan(file, quick=True)
    assert places(quick, TRUTH) == {("asia", 50, 1), ("asia", 50, 2), ("cancer", 50, 1), ("cancer", 50, 2)} | {
        ("survey", 50, 3)  # [quick] has no seeds, so those of the case stay
    }
    assert places(quick, "TABU") == {("cancer", 50, 1), ("survey", 50, 3)}
    seeds = read_plan(file, quick=True, seeds=(3, 4))
    assert places(seeds, "HC") == {(name, 50, seed) for name in names for seed in (3, 4)}
    assert places(seeds, "TABU") == {("cancer", 50, 3), ("survey", 50, 3)}
    assert places(read_plan(file, seeds=(7,)), "TABU") == set()


def test_what_narrows_a_plan_is_not_in_the_key_of_a_cell(tmp_path: Path) -> None:
    plain = NARROWED.replace("sizes = [100, 400]\n", "").replace("seeds = [3]\n", "").split("cases = [")[0]
    wide = {cell.key for cell in make_cells(read_plan(write(tmp_path, plain)))}
    narrow = [cell for cell in make_cells(read_plan(write(tmp_path, NARROWED))) if cell.rows < 400 and cell.seed < 3]
    assert narrow
    assert {cell.key for cell in narrow} <= wide


def test_an_outline_comes_back_from_the_store_also_from_before_plans_could_be_narrowed(tmp_path: Path) -> None:
    outline = read_plan(write(tmp_path, NARROWED)).outline()
    kept = json.loads(json.dumps(outline.to_dict()))
    assert Outline.from_dict(kept) == outline
    assert outline.narrowed == (
        Selection(("asia",), (100, 200), (1, 2)),
        Selection(("cancer",), (100, 400), (1, 2)),
        Selection(("survey",), (100, 200), (3,)),
    )
    del kept["narrowed"]
    for one in kept["contestants"]:
        del one["selection"]
    old = Outline.from_dict(kept)
    assert old.cells == 3 * 3 * 3 * 3 * 2  # contestants, cases, sizes, seeds, kinds of data


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"cancer", "survey"', '"cancr"', "contestants 2 ('TABU'): unknown case 'cancr': did you mean 'cancer'?"),
        ('"cancer", "survey"', "", "contestants 2: cases is []: give a list in brackets"),
        ('"cancer", "survey"', '"asia", "asia"', "'asia' is given twice"),
        ("[50, 100]", "[100, 300]", "contestants 2: sizes is 300: no case of the plan has it: give some of 50, 100"),
        ("[50, 100]", "100", "contestants 2: sizes is 100: give a list in brackets"),
        ("[1, 3]", "[9]", "contestants 2: seeds is 9: no case of the plan has it: give some of 1, 2, 3"),
        ("[1, 3]", "[-1]", "contestants 2: seeds is -1: give whole numbers from 0"),
        ('["cancer", "survey"]\nsizes = [50, 100]', '["asia"]\nsizes = [400]', "no sample of the plan has its cases"),
        ("sizes = [100, 400]", "sizes = [0]", "cases 2: sizes is 0: give whole numbers from 1"),
        ("seeds = [3]", 'seeds = ["3"]', "cases 3: seeds is '3': give whole numbers from 0"),
        ("seeds = [3]", "seed = [3]", "unknown key in cases 3 'seed': did you mean 'seeds'?"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in NARROWED
    with pytest.raises(MahcError) as mistake:
        read_plan(write(tmp_path, NARROWED.replace(old, new, 1)))
    assert said in str(mistake.value)
    assert "plan.toml" in str(mistake.value)
    assert "\n" not in str(mistake.value)


def test_a_data_set_can_have_its_own_sizes(tmp_path: Path) -> None:
    (tmp_path / "ward.csv").write_text("a,b\n" + "0,1\n1,0\n" * 40)
    plan = read_plan(
        write(
            tmp_path,
            'sizes = [100]\ncases = ["asia", { data = "ward.csv", sizes = [20] }]\n'
            '[[contestants]]\nlabel = "HC"\nalgorithm = "hc"\n',
        )
    )
    assert places(plan, "HC") == {("asia", 100, 1), ("ward", 20, 1)}
    assert places(plan, TRUTH) == {("asia", 100, 1)}


@pytest.mark.long
def test_a_narrowed_plan_runs_and_nothing_is_missing(tmp_path: Path) -> None:
    text = NARROWED.replace('["clean", "cMISL"]', '["clean"]')
    summary = run(read_plan(write(tmp_path, text), quick=True), tmp_path / "store")
    assert summary.outcomes == (("done", 12),)
    results = write_report(tmp_path / "store", tmp_path / "report")
    assert results.missing == results.failed == ()
    assert "All cells have been run (12)." in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    # A contestant that takes part in more samples keeps the rows that it has.
    wider = text.replace('cases = ["cancer", "survey"]', 'cases = ["asia", "cancer", "survey"]')
    again = run(read_plan(write(tmp_path, wider), quick=True), tmp_path / "store")
    assert (again.kept, again.ran) == (12, 1)
