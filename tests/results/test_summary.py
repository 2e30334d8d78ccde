"""The summary that a person reads: every fact, names as they are, nothing cut off."""

from __future__ import annotations

import dataclasses
import io

import numpy as np
import pytest
from msgspec import structs
from rich.console import Console

import mahc
from mahc.data import Dataset
from mahc.learning.stop_reason import StopReason
from mahc.networks import sample_path
from mahc.results.summary import facts, learned_html, learned_page

ASIA = sample_path("asia")


def shown(learned: mahc.Learned, width: int = 80) -> str:
    console = Console(width=width, file=io.StringIO(), force_terminal=False, color_system=None)
    console.print(learned_page(learned, "data.csv"))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_every_stop_reason_has_its_words() -> None:
    learned = mahc.learn(ASIA, "hc")
    expected = {
        "converged": "no neighbour is better",
        "time_limit": "the time limit was reached: this is the best graph so far",
        "interrupted": "the search was interrupted: this is the best graph so far",
        "step_limit": "the step limit was reached: this is the graph so far",
        "memory_limit": "the memory limit was reached: this is the best graph so far",
    }
    assert [*StopReason] == [*expected]
    for reason in StopReason:
        ended = dataclasses.replace(learned, run=structs.replace(learned.run, stop_reason=reason))
        assert dict(facts(ended))["Ended"].startswith(f"{expected[reason]} (7 steps, ")


def test_the_facts_of_a_run() -> None:
    learned = mahc.learn(ASIA)
    found = dict(facts(learned))
    assert list(found) == ["Data", "Graph", "Pruning", "Score", "Ended", "Time"]
    assert found["Data"] == "1,000 rows, 8 variables"
    assert found["Graph"] == (
        "7 arcs, 2 of them could point either way (the data cannot distinguish); 1 unconnected variable: asia"
    )
    assert found["Pruning"].startswith("26 + 13 + 6 arcs pruned at levels 1 to 3, 11 left; 8 + 56 + 55 + 15 cand")
    assert found["Score"].startswith("bic -3,306.0124 bits, averaged over its neighbours -3,404.0929 bits")
    assert found["Ended"].startswith("no neighbour is better (8 steps, ")


def test_unit_and_settings_of_the_score_are_shown() -> None:
    learned = mahc.learn(ASIA, "hc", objective="bdeu", base=np.e, equivalent_sample_size=2.5)
    assert " nats (equivalent_sample_size 2.5)" in dict(facts(learned))["Score"]
    assert " units of log base 10" in dict(facts(mahc.learn(ASIA, "hc", base=10)))["Score"]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_nothing_is_wider_than_the_terminal_and_no_name_is_lost(width: int) -> None:
    long = "a very long name of a variable that goes on and on and on and on"
    column = ["x", "y"] * 50
    learned = mahc.learn({long: column, "b": column, "c": ["u", "v", "v", "u"] * 25}, "hc")
    text = shown(learned, width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    first = " ".join(line.split("->")[0] for line in text.partition("removed)")[2].splitlines())
    assert long in " ".join(first.replace("from", "").split())


def test_marks_of_rich_in_names_are_only_letters() -> None:
    column = ["x", "y"] * 50
    names = ("[red]x[/red]", "[/]", ":smile:", "[link=file:///etc]y")
    learned = mahc.learn(dict.fromkeys(names, column), "hc", knowledge={"required_arcs": [(names[0], names[1])]})
    text = shown(learned, 200)
    for name in names:
        assert name in text


def test_wide_letters_stay_in_their_columns() -> None:
    column = ["x", "y"] * 50
    learned = mahc.learn({"吸烟": column, "肺癌": column, "é": ["u", "v", "v", "u"] * 25}, "hc")
    text = shown(learned)
    assert "吸烟" in text
    assert "肺癌" in text


def test_one_of_each_is_not_many() -> None:
    learned = mahc.learn({"a": ["x", "y"] * 50, "b": ["x", "y"] * 50}, "hc")
    text = shown(learned)
    assert "Graph  1 arc, which could point either way" in text
    assert "(1 step, " in text
    assert "1 variable\n" in shown(mahc.learn({"a": ["x", "y"]})).replace(" \n", "\n").replace("  ", "")


def test_no_arcs_differ_from_none_yet() -> None:
    coins = {"a": ["x", "y"] * 20, "b": ["x", "x", "y", "y"] * 10}
    assert "No arcs: no single arc improves the score." in shown(mahc.learn(coins, "hc"))
    assert "No arcs: no single arc improves the averaged score." in shown(mahc.learn(coins))
    assert "No arcs: the step limit was reached before the first step." in shown(mahc.learn(ASIA, step_limit=0))


def test_three_hundred_variables_fit_on_two_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 2, 300)]
    while len(columns) < 300:
        noise = rng.random(300) < rng.uniform(0.1, 0.7)
        columns.append(np.where(noise, rng.integers(0, 2, 300), columns[-1]))
    names = tuple(f"variable {i}" for i in range(300))
    learned = mahc.learn(Dataset.coded(names, (("0", "1"),) * 300, tuple(columns)))
    text = shown(learned)
    assert "The 60 strongest of " in text
    assert len(text.splitlines()) < 90
    assert "<svg" in learned_html(learned)
    monkeypatch.setattr("mahc.results.summary.MAX_VARIABLES_DRAWN", 299)
    assert "<svg" not in learned_html(learned)
    assert "Not drawn here: the graph has 300 variables" in learned_html(learned)


def test_an_exact_result_says_that_it_is_proven() -> None:
    columns = {"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}
    assert "(proven)" in dict(facts(mahc.learn(columns, "exact")))["Ended"]
    assert dict(facts(mahc.learn(columns, "hc")))["Ended"].startswith("no neighbour is better")
