"""Data sets as cases, contestants that cannot run here, tracebacks and the reference of a plan."""

from __future__ import annotations

import pytest
from lab_cells import list_functions, run_cells

from mahc.errors import FormatError, UnavailableError
from mahc.lab.plan_file import read_plan
from mahc.lab.running import run
from mahc.lab.samples import split_rows
from mahc.lab.store import read_store

pytestmark = pytest.mark.long

LEARNER = '[[contestants]]\nlabel = "HC"\nalgorithm = "hc"\n'


def write_data(folder, rows=50):
    lines = [f"{'xy'[i % 2]},{'uvw'[i % 3]},{'pq'[i % 2 if i % 7 else 0]}" for i in range(rows)]
    (folder / "ward.csv").write_text("a,b,c\n" + "\n".join(lines) + "\n")
    return lines


def test_a_data_set_is_a_case_with_held_out_bits(tmp_path):
    write_data(tmp_path)
    plan = tmp_path / "plan.toml"
    plan.write_text(f'sizes = [30, 45]\nreference = "HC"\ncases = [{{ data = "ward.csv" }}]\n{LEARNER}')
    run(plan, tmp_path / "store", jobs=2)
    outline, rows = read_store(tmp_path / "store")
    assert (outline.data_sets, outline.reference, outline.cells) == (("ward",), "HC", 2)
    small, large = rows
    assert (small.outcome, small.edges, small.measures) == ("done", len(small.pattern), {})
    assert 0 < small.held_out_bits < 10
    assert large.outcome == "unavailable"
    assert "give sizes of at most 40" in large.reason


def test_the_split_depends_on_the_seed_and_not_on_the_order_of_the_rows(tmp_path):
    lines = write_data(tmp_path)
    first = split_rows(tmp_path / "ward.csv", {}, 30, 1)
    (tmp_path / "other.csv").write_text("a,b,c\n" + "\n".join(reversed(lines)) + "\n")
    second = split_rows(tmp_path / "other.csv", {}, 30, 1)
    for one, other in ((first.data, second.data), (first.held_out, second.held_out)):
        assert sorted(zip(*one.codes, strict=True)) == sorted(zip(*other.codes, strict=True))
    assert (first.data.rows, first.held_out.rows) == (30, 10)
    assert split_rows(tmp_path / "ward.csv", {}, 30, 2).held_out != first.held_out
    with pytest.raises(UnavailableError, match="at most 40"):
        split_rows(tmp_path / "ward.csv", {}, 41, 1)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('cases = ["asia"]\nreference = "HCC"\n', "unknown reference 'HCC'"),
        ('cases = [{ data = "no.csv" }]\n', "there is no such file"),
        ('cases = [{ data = "ward.csv", reading = { misssing = "drop" } }]\n', "unknown key in reading 'misssing'"),
        ('data = ["M"]\ncases = [{ data = "ward.csv" }]\n', "add 'clean'"),
    ],
)
def test_mistakes_are_refused(tmp_path, text, sentence):
    write_data(tmp_path)
    (tmp_path / "plan.toml").write_text(f"sizes = [30]\n{text}{LEARNER}")
    with pytest.raises(FormatError, match=sentence):
        read_plan(tmp_path / "plan.toml")


def test_a_function_that_fails_keeps_its_traceback(tmp_path):
    (tmp_path / "functions.py").write_text("def bad(path):\n    return inner(path)\n\n\ndef inner(path):\n    1 / 0\n")
    row = run_cells(tmp_path, list_functions("bad"))["bad"]
    assert (row.outcome, row.reason) == ("crashed", "ZeroDivisionError: division by zero")
    assert "functions.py" in row.traceback
    assert "in inner" in row.traceback
    assert "worker.py" not in row.traceback


def test_what_cannot_run_here_is_unavailable_and_runs_again(tmp_path):
    (tmp_path / "functions.py").write_text(
        "from mahc.errors import UnavailableError\n\n\ndef later(path):\n    raise UnavailableError('needs SCIP')\n"
    )
    row = run_cells(tmp_path, list_functions("later"))["later"]
    assert (row.outcome, row.reason) == ("unavailable", "needs SCIP")
    assert run(tmp_path / "plan.toml", tmp_path / "store").ran == 1


def test_exact_learning_without_scip_is_unavailable(monkeypatch):
    import mahc
    from mahc.algorithms.exact import exact

    monkeypatch.setattr(exact, "find_spec", lambda name: None)
    with pytest.raises(UnavailableError, match="21 variables needs SCIP"):
        mahc.learn({f"v{i}": ["x", "y"] * 10 for i in range(21)}, "exact")
