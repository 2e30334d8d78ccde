"""Neighbouring states of ordinal columns merge in learned cuts, and original states still mean something."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mahc
from mahc.data.prepare.matching import StateFinder
from mahc.errors import MahcError
from mahc.results.summary import describe_numbers

PAIN = [1, 2, 3, 4, 5, 6, 7]
VISITS = ["never", "seldom", "often", "daily"]
ORDERS = {"pain": PAIN, "visits": VISITS}


def scales(rows: int = 300, seed: int = 1) -> dict[str, list[float] | list[int] | list[str]]:
    """One hidden state of two, seen as a number and on two scales."""
    draw = np.random.default_rng(seed)
    hidden = draw.integers(0, 2, rows)
    dose = hidden + draw.normal(0, 0.2, rows)
    pain = np.where(hidden, draw.integers(5, 8, rows), draw.integers(1, 5, rows))
    visits = np.where(hidden, draw.integers(2, 4, rows), draw.integers(0, 2, rows))
    return {"dose": dose.tolist(), "pain": pain.tolist(), "visits": [VISITS[k] for k in visits.tolist()]}


def test_states_that_say_the_same_become_one(tmp_path: Path) -> None:
    pl.DataFrame(scales()).write_csv(tmp_path / "data.csv")
    learned = mahc.learn(tmp_path / "data.csv", numbers="cuts", ordinal=ORDERS)
    expected = {
        "pain": (("1", "2", "3", "4"), ("5", "6", "7")),
        "visits": (("never", "seldom"), ("often", "daily")),
    }
    assert learned.merged_states == expected
    assert "pain with 1..4, 5..7 merged" in str(describe_numbers(learned))
    learned.save(tmp_path / "result.json")
    again = mahc.Learned.load(tmp_path / "result.json")
    assert again == learned
    assert again.merged_states == expected
    assert mahc.replay(again, tmp_path / "data.csv") == learned

    model = again.fit(tmp_path / "data.csv")
    for original, merged in ((2, "1..4"), ("2", "1..4"), (7, "5..7")):
        assert model.query("visits", given={"pain": original}) == model.query("visits", given={"pain": merged})
    assert model.query("pain", given={"visits": "often"}).most_probable == "5..7"
    with pytest.raises(MahcError, match="8"):
        model.query("visits", given={"pain": 8})
    rows = {"dose": [0.1, 1.1], "pain": [3, 6], "visits": ["seldom", "daily"]}
    assert model.predict(rows, "visits").tolist() == ["never..seldom", "often..daily"]
    model.save(tmp_path / "model.json")
    loaded = mahc.inference.Model.load(tmp_path / "model.json")
    assert loaded.query("visits", given={"pain": 2}) == model.query("visits", given={"pain": 2})
    assert loaded.score(tmp_path / "data.csv") == model.score(tmp_path / "data.csv")


def test_data_that_were_read_already_are_merged_alike() -> None:
    data = mahc.read(scales(), ordinal=ORDERS)
    learned = mahc.learn(data, numbers="cuts")
    assert learned.merged_states == mahc.learn(scales(), numbers="cuts", ordinal=ORDERS).merged_states
    model = learned.fit(data)
    assert model.query("pain", given={"visits": "never"}).most_probable == "1..4"
    frame = pl.DataFrame(scales()).with_columns(pl.col("visits").cast(pl.Enum(VISITS)))
    typed = mahc.learn(frame, numbers="cuts")
    assert typed.merged_states == {"visits": (("never", "seldom"), ("often", "daily"))}
    assert typed.fit(frame).query("dose", given={"visits": "seldom"}) == typed.fit(frame).query(
        "dose", given={"visits": "never"}
    )


def test_a_table_without_numbers_merges_only_if_asked() -> None:
    table = {name: values for name, values in scales().items() if name != "dose"}
    assert mahc.learn(table, ordinal=ORDERS).merged_states == {}
    merged = mahc.learn(table, ordinal=ORDERS, numbers="cuts")
    assert merged.merged_states["visits"] == (("never", "seldom"), ("often", "daily"))
    assert mahc.learn(table, numbers="cuts") == mahc.learn(table)
    assert mahc.learn(table, ordinal=ORDERS, numbers="smooth").run.score.name == "smooth"


def test_the_reverse_order_gives_the_reverse_groups() -> None:
    learned = mahc.learn(scales(), numbers="cuts", ordinal=ORDERS)
    turned = mahc.learn(scales(), numbers="cuts", ordinal={name: order[::-1] for name, order in ORDERS.items()})
    assert turned.arcs == learned.arcs
    assert turned.score == pytest.approx(learned.score)
    for name, groups in learned.merged_states.items():
        assert turned.merged_states[name] == tuple(group[::-1] for group in groups[::-1])


def test_states_of_incomplete_rows_join_the_state_below() -> None:
    table = scales()
    table["pain"] = [4 if value == 3 else value for value in table["pain"]]  # type: ignore[misc]
    table["pain"][:2] = [3, 7]  # type: ignore[list-item]
    table["dose"] = [None, None, *table["dose"][2:]]  # type: ignore[list-item]
    learned = mahc.learn(table, numbers="cuts", ordinal=ORDERS, missing="pairwise")
    assert learned.merged_states["pain"] == (("1", "2", "3", "4"), ("5", "6", "7"))


def test_groups_may_be_given_while_reading() -> None:
    data = mahc.read({"visits": VISITS * 3}, ordinal={"visits": [["never", "seldom"], "often", "daily"]})
    assert data.labels == (("never..seldom", "often", "daily"),)
    assert data.columns[0].ranked
    with pytest.raises(MahcError, match="'never' twice"):
        mahc.read({"visits": VISITS}, ordinal={"visits": [["never", "seldom"], "never"]})


@given(st.lists(st.integers(1, 3), min_size=1, max_size=5), st.booleans())
def test_every_member_means_its_group(sizes: list[int], numbers: bool) -> None:
    names = [str(k) if numbers else f"s{k}" for k in range(sum(sizes))]
    ends = np.cumsum([0, *sizes]).tolist()
    groups = [names[low:high] for low, high in itertools.pairwise(ends)]
    states = [group[0] if len(group) == 1 else f"{group[0]}..{group[-1]}" for group in groups]
    finder = StateFinder(states, groups=groups)
    for place, group in enumerate(groups):
        assert finder.find(states[place]) == place
        for name in group:
            assert finder.find(name) == place
            assert not numbers or finder.find(int(name)) == place
    assert finder.find("x") == -1
