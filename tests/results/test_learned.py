"""A result keeps everything, is the same when loaded, and refuses files that are not results."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import random
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from damaged_json import damage
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.errors import FormatError, MahcError, UnknownNameError
from mahc.networks import load_network, sample, sample_path
from mahc.results.outcomes import DagOutcome
from mahc.scores import BDeu

KNOWN = mahc.Knowledge(
    required_arcs=[("smoke", "lung")],
    required_edges=[("asia", "xray")],
    forbidden_edges=[("bronc", "tub")],
    tiers=[["asia", "smoke"], ["xray"]],
    targets={"dysp": 2},
    all_relevant=True,
    max_parents={"dysp": 1},
)
RUNS: dict[str, dict[str, Any]] = {
    "mahc": {},
    "hc": {"algorithm": "hc"},
    "tabu": {"algorithm": "tabu", "objective": BDeu(base=np.e, equivalent_sample_size=3.0)},
    "knowledge": {"knowledge": KNOWN},
    "without averaging": {"averaging": False, "ties": "file-order"},
    "without pruning": {"pruning": False, "start": [("asia", "dysp")]},
    "no steps": {"step_limit": 0},
    "no time": {"time_limit": 1e-9},
}


def learn(run: str) -> mahc.Learned:
    return mahc.learn(sample_path("asia"), **RUNS[run])


def all_fields(learned: mahc.Learned) -> dict[str, Any]:
    """Every field by value, those of the details and of every arc too."""
    outcome = learned.outcome
    assert isinstance(outcome, DagOutcome)
    found: dict[str, Any] = {name: getattr(outcome, name) for name in outcome.__struct_fields__}
    found |= {"data": learned.data, "run": learned.run}
    arcs = found.pop("arc_details")
    for name in arcs.__struct_fields__:
        value = getattr(arcs, name)
        found[f"arc {name}"] = repr(value.tolist()) if isinstance(value, np.ndarray) else value
    return found


@pytest.mark.parametrize("run", RUNS)
def test_what_is_saved_is_loaded_with_every_field(run: str, tmp_path: Path) -> None:
    learned = learn(run)
    learned.save(tmp_path / "result.json")
    loaded = mahc.Learned.load(tmp_path / "result.json")
    assert loaded == learned
    assert hash(loaded) == hash(learned)
    assert all_fields(loaded) == all_fields(learned)
    for tail, head in itertools.permutations(learned.variables, 2):
        assert loaded.explain(tail, head) == learned.explain(tail, head)
    assert (loaded.score, loaded.strengths(), loaded.cpdag) == (learned.score, learned.strengths(), learned.cpdag)
    assert loaded._repr_html_() == learned._repr_html_()
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "result.json").read_bytes()


def test_the_score_is_the_sum_of_the_local_scores_and_steps_lead_there() -> None:
    learned = learn("mahc")
    assert learned.score == pytest.approx(sum(learned.local_scores), abs=1e-9)
    assert learned.steps[-1].score == pytest.approx(learned.score, abs=1e-9)
    assert learned.steps[-1].averaged_score == pytest.approx(learned.averaged_score, abs=1e-9)
    averages = [step.averaged_score for step in learned.steps]
    assert averages == sorted(averages)  # type: ignore[type-var]
    seconds = [step.seconds for step in learned.steps]
    assert seconds == sorted(seconds)
    arcs: set[tuple[str, str]] = set()
    for step in learned.steps:
        if step.move == "add":
            arcs.add((step.tail, step.head))
        else:
            arcs.remove((step.tail, step.head))
            arcs |= {(step.head, step.tail)} if step.move == "reverse" else set()
    assert tuple(sorted(arcs)) == learned.arcs


def test_strengths_are_what_removal_costs() -> None:
    learned = learn("hc")
    for arc, strength in learned.strengths().items():
        fewer = [other for other in learned.arcs if other != arc]
        without = mahc.learn(sample_path("asia"), "hc", start=fewer, step_limit=0)
        assert strength == pytest.approx(learned.score - without.score, abs=1e-9)


def test_the_cpdag_keeps_the_knowledge() -> None:
    learned = learn("knowledge")
    for tail, head in [("smoke", "lung"), ("asia", "xray")]:
        assert any((e.left, e.mark, e.right) in [(tail, "-->", head), (head, "<--", tail)] for e in learned.cpdag.edges)
    free = learn("hc").cpdag
    assert any(edge.mark == "---" for edge in free.edges)


def test_results_that_differ_are_unequal() -> None:
    runs = {name: learn(name) for name in RUNS}
    for a, b in itertools.combinations(runs, 2):
        assert runs[a] != runs[b]
    assert runs["mahc"] != "something else"


def test_a_result_says_in_one_line_what_it_is() -> None:
    assert repr(learn("hc")).startswith("Learned(hc: 8 variables, 7 arcs, bic -3")
    assert repr(learn("no time")).endswith("time_limit)")


class Collected(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_notebook_shows_facts_and_picture_with_names_escaped() -> None:
    evil = "<script>alert('x')</script>"
    columns = {evil: ["x", "y"] * 30, "a & b": ["x", "y"] * 30, '"q"': ["x", "x", "y"] * 20}
    learned = mahc.learn(columns, "hc", knowledge={"forbidden_arcs": [(evil, '"q"')]})
    page = Collected()
    page.feed(learned._repr_html_())
    assert "script" not in page.tags
    assert {"table", "svg"} <= {*page.tags}
    assert f"forbidden arc {evil}" in page.text
    assert "2 arcs" not in page.text
    assert "1 arc," in page.text


@pytest.mark.parametrize("columns", [{"a": ["x", "y"]}, {"a": ["x", "x", "y"], "b": ["u", "v", "v"]}])
def test_tiny_results_show_themselves(columns: dict[str, list[str]]) -> None:
    for algorithm in ("mahc", "hc", "tabu"):
        learned = mahc.learn(columns, algorithm)
        assert learned.arcs == ()
        assert "0 arcs" in learned._repr_html_()


def test_a_result_of_many_variables_is_saved_without_the_details_of_its_arcs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mahc.results.files.MAX_CELLS", 60)
    learn("hc").save(tmp_path / "result.json")
    loaded = mahc.Learned.load(tmp_path / "result.json")
    assert loaded == learn("hc")
    assert loaded.strengths() == learn("hc").strengths() != {}
    assert "7 arcs" in loaded._repr_html_()
    tail, head = loaded.arcs[0]
    assert str(loaded.explain(tail, head)) == str(learn("hc").explain(tail, head))
    with pytest.raises(MahcError, match="has no details of its arcs"):
        loaded.explain("asia", "xray")


def test_an_alarm_result_stays_small(tmp_path: Path) -> None:
    learned = mahc.learn(sample(load_network("alarm"), 500, seed=1))
    learned.save(tmp_path / "result.json")
    assert (tmp_path / "result.json").stat().st_size < 200_000
    assert mahc.Learned.load(tmp_path / "result.json") == learned


def test_unknown_names_are_refused_with_a_hint() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'dysp'"):
        learn("hc").explain("smoke", "disp")


FOREIGN: list[tuple[bytes, str]] = [
    (b"", "is not JSON"),
    (b"{", "line 1: is not JSON"),
    (b"from,to\na,b\n", "is not JSON"),
    (b"\xff\xfe", "is not JSON"),
    (b"[]", "is not a mahc result"),
    (b"null", "is not a mahc result"),
    (b'{"format": "other"}', "is not a mahc result"),
    (b'{"format": "mahc-result"}', "has format version None, this mahc reads 3: learn again"),
    (b'{"format": "mahc-result", "format_version": 99}', "has format version 99"),
    (b'{"format": "mahc-result", "format_version": 1}', "has format version 1, this mahc reads 3: learn again"),
    (b'{"format": "mahc-result", "format_version": 2}', "has format version 2, this mahc reads 3: learn again"),
    (b'{"format": "mahc-result", "format_version": 3}', "is damaged (object missing required field `fingerprint`)"),
    (b'{"format": "mahc-result", "format_version": 3, "variables": "ab"}', "is damaged"),
    (b'{"a": NaN}', "is not JSON"),
    (b"[" * 100_000, "is not JSON"),
]


@pytest.mark.parametrize(("content", "says"), FOREIGN, ids=lambda value: str(value)[:40])
def test_a_file_that_is_no_result_is_refused_by_name(content: bytes, says: str, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    file.write_bytes(content)
    with pytest.raises(FormatError) as refused:
        mahc.Learned.load(file)
    assert str(refused.value).startswith(str(file))
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_no_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no such file"):
        mahc.Learned.load(tmp_path / "result.json")
    with pytest.raises(FormatError, match="cannot be read"):
        mahc.Learned.load(tmp_path)


SAVED = {run: learn(run).to_dict() for run in ("mahc", "knowledge", "tabu")}


@given(st.sampled_from(sorted(SAVED)), st.integers(0, 2**32))
def test_a_damaged_file_is_refused_or_works(tmp_path_factory: pytest.TempPathFactory, run: str, seed: int) -> None:
    rng = random.Random(seed)
    found = copy.deepcopy(SAVED[run])
    for _ in range(rng.choice([1, 1, 2, 5])):
        damage(found, rng)
    file = tmp_path_factory.mktemp("damaged") / "result.json"
    file.write_text(json.dumps(found))
    try:
        loaded = mahc.Learned.load(file)
    except FormatError:
        return
    for tail, head in itertools.permutations(loaded.variables, 2):
        assert loaded.explain(tail, head).sentence
    assert loaded._repr_html_()
    assert repr(loaded)
    with contextlib.suppress(MahcError):
        mahc.replay(loaded, sample_path("asia"))
