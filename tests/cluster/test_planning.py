"""A plan: what a trial on a few pieces says of a run on all of them."""

from __future__ import annotations

import heapq
import json
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pieces_of_data import as_frame, cut

import mahc
from mahc.cli.main import run
from mahc.cluster import LocalRunner
from mahc.cluster.frame_pieces import FramePiece
from mahc.cluster.opening import open_runner
from mahc.cluster.planning import BRANCHES, Cluster, plan
from mahc.cluster.trial import CODING, PassTime, Trial, choose_pieces, growth_of, run_trial
from mahc.data import ReadSettings
from mahc.networks import load_network, sample

MEMORY = 1 << 30
SMALL = 4 << 20  # so little that the distinct rows of alarm do not fit, and so much that projections do
LEARN = partial(mahc.learn, algorithm="mahc")


def call(*words: object) -> object:
    with pytest.raises(SystemExit) as ending:
        run([*map(str, words)])
    return ending.value.code


def sampled(network: str, rows: int) -> pl.DataFrame:
    return as_frame(sample(load_network(network), rows, seed=1))


def in_pieces(frame: pl.DataFrame, pieces: int) -> list[FramePiece]:
    rows = len(frame) // pieces
    return [FramePiece(frame[start : start + rows], str(start)) for start in range(0, len(frame), rows)]


def ran(pieces: list[FramePiece], memory: int) -> dict[str, int]:
    """The passes of a run on all pieces."""
    source = open_runner(LocalRunner(pieces), list(pieces[0].column_types()), memory_bytes=memory)
    LEARN(source)
    source.close()
    found: dict[str, int] = {}
    for name, phase in source.pass_record.phases.items():
        name = "tables" if name == "hub tables" else name
        found[name] = found.get(name, 0) + phase.passes
    return found


@pytest.mark.parametrize(("network", "memory"), [("asia", MEMORY), ("alarm", MEMORY), ("alarm", SMALL)])
def test_a_plan_has_the_passes_of_the_run(network: str, memory: int) -> None:
    pieces = in_pieces(sampled(network, 30_000), 6)
    trial = run_trial(choose_pieces(pieces), list(pieces[0].column_types()), ReadSettings(), memory, LEARN, of=6)
    made = plan(trial, 6, 600, Cluster(2))
    assert {phase.name: phase.passes for phase in made.phases if phase.passes} == ran(pieces, memory)
    assert made.in_passes == (memory == SMALL)
    assert {phase.name: phase.read_bytes for phase in made.phases if phase.read_bytes} == {"values": 600, CODING: 600}


def test_distinct_rows_are_foretold() -> None:
    """Of a network with few distinct rows within a tenth; all pieces tried: exactly."""
    frame = sampled("asia", 36_000)
    pieces = in_pieces(frame, 12)
    names = list(pieces[0].column_types())
    exact = run_trial(pieces, names, ReadSettings(), MEMORY, LEARN)
    assert exact.distinct_rows == frame.n_unique()
    trial = run_trial(choose_pieces(pieces), names, ReadSettings(), MEMORY, LEARN, of=12)
    assert trial.distinct_rows == pytest.approx(frame.n_unique(), rel=0.1)


def test_the_data_decide_the_way_at_their_full_size() -> None:
    """Three pieces whose rows fit stand for many whose rows do not."""
    pieces = in_pieces(sampled("alarm", 6000), 3)
    names = list(pieces[0].column_types())
    assert not run_trial(pieces, names, ReadSettings(), MEMORY, LEARN).in_passes
    many = run_trial(pieces, names, ReadSettings(), MEMORY, LEARN, of=1e6)
    assert many.in_passes
    assert many.distinct_rows > 10**7
    assert "projections" in [each.name for each in many.passes]
    assert many.here_growth < max(each.growth for each in many.passes)  # the client gets only sets that fit


@given(pieces=st.integers(1, 300), workers=st.integers(1, 40), seconds=st.floats(0.1, 9), adding=st.floats(0, 2))
def test_seconds_are_those_of_a_simulation(pieces: int, workers: int, seconds: float, adding: float) -> None:
    """Workers that take tasks of one length one after another, level by level."""

    def work(tasks: int, length: float) -> float:
        free = [0.0] * workers
        for _ in range(tasks):
            heapq.heappush(free, heapq.heappop(free) + length)
        return max(free)

    expected, waiting = work(pieces, seconds), pieces
    while waiting > 1:
        waiting = -(-waiting // BRANCHES)
        expected += work(waiting, (BRANCHES - 1) * adding)
    trial = Trial(10, 2, 1, (PassTime("tables", seconds, adding, answer_bytes=1),), 100, 4, False, 0.0, 0.0)
    made = plan(trial, pieces, 0, Cluster(workers, 0.0, 0.0, 0.0))
    assert made.seconds == pytest.approx(expected)


def test_answers_that_are_given_up_are_not_sent() -> None:
    timed = PassTime("distinct rows", 1.0, 1.0, 100, 1.0, most_growth=10)
    trial = Trial(10, 2, 1, (timed,), 100, 4, True, 0.0, 0.0)
    sent = plan(trial, BRANCHES**4, 0, Cluster(1)).phases[0].sent_bytes
    assert sent == 100 * BRANCHES**4 + 100 * BRANCHES * BRANCHES**3  # 8 times as large fits, 64 times does not


def test_what_breaks_is_said() -> None:
    large = Trial(10**6, 2, 1, (PassTime("tables", 1.0, 1.0, 10**9),), 100, 4, True, 0.0, 0.0)
    remarks = plan(large, 10, 0, Cluster(20), rows=10**17).remarks
    expected = [
        "more than 2^53 - 1 rows",
        "more than its coded rows",
        "use larger pieces",
        "only 10 of 20 workers have a piece",
    ]
    assert [part in said for part, said in zip(expected, remarks, strict=True)] == [True] * 4
    search = Trial(10, 2, 1, (PassTime("tables", 1.0),), 10**6, 4, False, 100.0, 0.0)
    assert "more workers do not help" in plan(search, 10, 0, Cluster(10)).remarks[0]


@pytest.mark.parametrize(
    ("one", "together", "pieces", "power"), [(5, 5, 4, 0.0), (5, 20, 4, 1.0), (5, 10, 4, 0.5), (0, 0, 2, 0.0)]
)
def test_growth(one: float, together: float, pieces: int, power: float) -> None:
    assert growth_of(one, together, pieces) == pytest.approx(power)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = cut(sampled("asia", 2500), [500, 1000, 1500, 2000], tmp_path / "parts")
    assert call("audit", folder, "--plan", "--workers", "2", "--worker-hour", "0.5") == 0
    said = capsys.readouterr().out
    assert (
        "mahc on 2,500 rows x 8 columns in 5 pieces, 2 workers of one thread; foretold from a trial of 3 pieces" in said
    )
    assert "which are brought into memory" in said
    assert ", price 0.00." in said
    assert call("audit", folder, "--plan", "--workers", "2", "--rows", "1e9", "--worker-hour", "2", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rows"], found["pieces"], found["workers"]) == (10**9, 2_000_000, 2)
    assert found["price"] == pytest.approx(2 * found["worker_hours"]) == pytest.approx(4 * found["seconds"] / 3600)


def test_a_file_whose_every_piece_is_tried_has_the_rows_that_were_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sampled("asia", 20_000).write_csv(tmp_path / "one.csv")
    assert call("audit", tmp_path / "one.csv", "--plan", "--workers", "2", "--json") == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 20_000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--workers", "2"], "--workers is for --plan: add --plan, or leave --workers out"),
        (["--plan", "--rows", "5"], "--rows is for a cluster: name it with --on, or say how many --workers there are"),
        (["--plan", "--workers", "0"], "--workers is 0: give a number above 0"),
        (["--plan", "--workers", "2", "--worker-hour", "-1"], "--worker-hour is -1: give a number above 0"),
        (["--plan", "--on", "here"], "--on is 'here': give dask://host:8786 or spark://host:7077"),
    ],
)
def test_refusals(words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("rain,wet\nno,no\nyes,yes\n")
    assert call("audit", tmp_path, *words) == 2
    assert said in capsys.readouterr().err
