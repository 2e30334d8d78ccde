"""Panels: windows within subjects, transition graphs, unrolled networks, forecasts, resampled subjects."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mahc
from mahc.errors import MahcError
from mahc.inference import Model
from mahc.panels import PanelNetwork, read_panel, validate_panel
from mahc.panels.learning import order_subjects


def simulate(subjects: int = 200, waves: int = 5, seed: int = 1) -> dict[str, list[Any]]:
    """dose(t-1) -> pain(t), pain(t-1) -> pain(t), pain(t) -> sleep(t), sex -> dose."""
    draw = np.random.default_rng(seed)
    found: dict[str, list[Any]] = {"id": [], "wave": [], "sex": [], "dose": [], "pain": [], "sleep": []}
    for subject in range(subjects):
        sex, pain, dose = draw.random() < 0.5, draw.random() < 0.5, draw.random() < 0.5
        for wave in range(waves):
            if wave:
                pain = draw.random() < 0.1 + 0.45 * pain + 0.35 * (not dose)
                dose = draw.random() < (0.8 if sex else 0.2)
            sleep = draw.random() < (0.2 if pain else 0.85)
            row = (f"s{subject}", wave, "f" if sex else "m", *("y" if each else "n" for each in (dose, pain, sleep)))
            for name, value in zip(found, row, strict=True):
                found[name].append(value)
    return found


COLUMNS = simulate()


def test_windows_never_join_subjects_and_leave_out_gaps() -> None:
    source = {"id": ["a", "b", "a", "a", "b", "a"], "t": [2, 1, 1, 4, 2, 3], "x": ["2", "b1", "1", "4", "b2", "3"]}
    panel = read_panel(source, "id", "t")
    assert panel.subjects.tolist() == [0, 0, 0, 0, 1, 1]
    windows = panel.windows(1)
    texts = windows.labels[0]
    pairs = [tuple(texts[code] for code in row) for row in zip(*windows.codes, strict=True)]
    assert pairs == [("1", "2"), ("2", "3"), ("3", "4"), ("b1", "b2")]
    gone = {name: [value for place, value in enumerate(values) if place != 5] for name, values in source.items()}
    assert read_panel({**gone, "t": [2, 1, 1, 4, 2]}, "id", "t").windows(1).rows == 3  # 4 is the third time
    other = {"id": [*gone["id"], "c"], "t": [*gone["t"], 3], "x": [*gone["x"], "c3"]}
    assert read_panel(other, "id", "t").windows(1).rows == 2
    assert read_panel(other, "id", "t").windows(1, gaps="next").rows == 3
    dates = {**source, "t": [f"2024-0{t}-01" for t in source["t"]]}
    assert read_panel(dates, "id", "t").windows(1) == windows
    assert read_panel(mahc.read({**source, "t": list(map(str, source["t"]))}), "id", "t").windows(1) == windows
    assert panel.windows(2).names == ("x(t-2)", "x(t-1)", "x(t)")
    assert panel.beginnings(2).names == ("x(0)", "x(1)")


def test_the_graph_of_a_panel() -> None:
    found = mahc.learn_panel(COLUMNS, "id", "wave", static=["sex"])
    assert found.lagged_arcs == (("dose", 1, "pain"), ("pain", 1, "pain"))
    assert set(found.arcs) == {("sex", "dose"), ("pain", "sleep")}
    assert (found.subjects, found.waves, found.windows) == (200, 5, 800)
    assert not [arc for arc in found.transition.arcs if "(t)" not in arc[1]]
    apart = mahc.learn_panel(COLUMNS, "id", "wave", static=["sex"], within=False)
    assert not [arc for arc in apart.arcs if arc[0] != "sex"]
    shuffled = np.random.default_rng(2).permutation(len(COLUMNS["id"]))
    other = {name: [values[place] for place in shuffled] for name, values in reversed(COLUMNS.items())}
    assert mahc.learn_panel(other, "id", "wave", static=["sex"]).lagged_arcs == found.lagged_arcs
    two = mahc.learn_panel(COLUMNS, "id", "wave", static=["sex"], lags=2, objective="bic")
    assert two.lagged_arcs == found.lagged_arcs
    assert two.initial.variables == ("sex", "dose(0)", "pain(0)", "sleep(0)", "dose(1)", "pain(1)", "sleep(1)")
    svg = found.plot().svg
    assert "pain(t-1)" in svg


@pytest.mark.parametrize("lags", [1, 2])
def test_unrolled_slices_have_the_tables_of_the_transition(lags: int) -> None:
    found = mahc.learn_panel(COLUMNS, "id", "wave", static=["sex"], lags=lags)
    network = found.unroll(4)
    assert network.names[-1] == "sleep(3)"
    assert found.transition_tables is not None
    for name, step in product(found.variables, range(lags, 4)):
        node = network.names.index(f"{name}({step})")
        own = found.transition_tables.names.index(f"{name}(t)")
        assert network.tables[node] is not None
        assert (network.tables[node] == found.transition_tables.tables[own]).all()
        parents = {network.names[parent] for parent in network.parents[node]}
        shifted = {found.transition_tables.names[p] for p in found.transition_tables.parents[own]}
        for lag in range(lags + 1):
            shifted = {each.replace(f"(t-{lag})" if lag else "(t)", f"({step - lag})") for each in shifted}
        assert parents == shifted
    with pytest.raises(MahcError, match="steps is 0"):
        found.unroll(0)


def test_forecasts_are_those_of_the_unrolled_network() -> None:
    found = mahc.learn_panel(COLUMNS, "id", "wave", static=["sex"])
    history = [{"sex": "f", "dose": "n", "pain": "y", "sleep": "n"}]
    model = Model(found.unroll(4))
    given = {"sex": "f", "dose(0)": "n", "pain(0)": "y", "sleep(0)": "n"}
    ahead = found.forecast(history, 3, samples=40_000)
    for step, name in product(range(3), ("dose", "pain", "sleep")):
        exact = model.query(f"{name}({step + 1})", given=given)["y"]
        assert ahead[step][name]["y"] == pytest.approx(exact, abs=0.01)
    done = found.forecast(history, 3, do={"dose": "y", "sleep": ["n", None, None]}, samples=40_000)
    do = {f"dose({step})": "y" for step in (1, 2, 3)} | {"sleep(1)": "n"}
    exact = model.query("pain(3)", given=given, do=do)["y"]
    assert done[2]["pain"]["y"] == pytest.approx(exact, abs=0.01)
    assert done[0]["sleep"] == {"n": 1.0, "y": 0.0}
    assert found.forecast(history, 2) == found.forecast(history, 2)


@pytest.mark.parametrize(
    ("history", "how", "message"),
    [
        ([{"sex": "f", "dose": "n", "pain": "y"}], {}, "the history lacks the variable 'sleep'"),
        ([{"sex": "f", "dose": "n", "pain": "perhaps", "sleep": "n"}], {}, "unknown state of 'pain' 'perhaps'"),
        ([{"sex": "f", "dose": "n", "pain": "y", "sleep": "n"}], {"horizon": 0}, "horizon is 0"),
        ([{"sex": "f", "dose": "n", "pain": "y", "sleep": "n"}], {"do": {"sex": "m"}}, "unknown variable 'sex'"),
        ([{"sex": "f", "dose": "n", "pain": "y", "sleep": "n"}], {"do": {"pain": ["y", "y"]}}, "one for each of the 1"),
    ],
)
def test_forecasts_that_cannot_be_are_refused(history: Any, how: dict[str, Any], message: str) -> None:
    found = mahc.learn_panel(COLUMNS, "id", "wave", static=["sex"])
    with pytest.raises(MahcError, match=message):
        found.forecast(history, **how)


SMALL = {"id": ["a", "a", "b", "b"], "t": [1, 2, 1, 2], "x": ["n", "y", "y", "n"], "sex": ["f", "f", "m", "m"]}


@pytest.mark.parametrize(
    ("change", "how", "message"),
    [
        ({"t": [1, 1, 1, 2]}, {}, "two rows are of subject 'a' at time '1': keep one row per subject and time"),
        ({"t": ["first", "last", "first", "last"]}, {}, "column 't' has no order in time, for example 'first'"),
        ({"t": [1, None, 1, 2]}, {}, "column 't' is missing in row 2"),
        ({"id": ["a", "", "b", "b"]}, {}, "column 'id' is missing in row 2"),
        ({"id": ["a", "b", "c", "d"]}, {}, "one row per subject: a panel needs two rows or more of a subject"),
        ({"id": ["a", "b", "c", "d"], "t": [1, 1, 1, 1]}, {}, "has 1 time only: a panel needs two rows"),
        ({"sex": ["f", "m", "m", "m"]}, {"static": ["sex"]}, "the static column 'sex' changes within 1 subject"),
        ({}, {"static": ["sex", "x"]}, "every column is static"),
        ({}, {"static": ["age"]}, "unknown column 'age'"),
        ({}, {"lags": 0}, "lags is 0"),
        ({}, {"lags": 3}, "0 windows of 4 times"),
        ({}, {"gaps": "fill"}, "gaps is 'fill'"),
        ({}, {"weights": "x"}, "weights cannot be used for a panel"),
        ({}, {"missing": "impute"}, "give error, state or drop for a panel"),
        ({}, {"resamples": -1}, "resamples is -1"),
    ],
)
def test_bad_panels_are_refused_in_one_sentence(change: dict[str, Any], how: dict[str, Any], message: str) -> None:
    with pytest.raises(MahcError, match=message) as refused:
        mahc.learn_panel({**SMALL, **change}, "id", "t", **how)
    assert "\n" not in str(refused.value)
    with pytest.raises(MahcError, match="both 't'"):
        mahc.learn_panel(SMALL, "t", "t")
    with pytest.raises(MahcError, match="static is 'x': give a list of names"):
        mahc.learn_panel(SMALL, "id", "t", static="x")


def test_missing_values_leave_windows_out() -> None:
    columns = {**COLUMNS, "pain": ["" if place % 50 == 7 else value for place, value in enumerate(COLUMNS["pain"])]}
    found = mahc.learn_panel(columns, "id", "wave", static=["sex"], missing="drop")
    assert found.windows == 800 - 20 - 20  # each missing value is in two windows
    assert found.lagged_arcs == (("dose", 1, "pain"), ("pain", 1, "pain"))


def test_one_series_is_accepted_with_a_warning() -> None:
    series = simulate(1, 400)
    found = mahc.learn_panel({name: series[name] for name in series if name != "sex"}, "id", "wave")
    assert "one subject" in found.notes[0]
    assert ("pain", 1, "pain") in found.lagged_arcs
    assert "Note: there is one subject" in str(found)


def test_resamples_draw_subjects() -> None:
    found = mahc.learn_panel(COLUMNS, "id", "wave", static=["sex"], resamples=10)
    assert found.confidence is not None
    assert found.confidence["dose(t-1)", "pain(t)"] == 1
    renamed = {**COLUMNS, "id": [f"{hash(each) % 10**6}-{each}" for each in COLUMNS["id"]]}
    again = mahc.learn_panel(renamed, "id", "wave", static=["sex"], resamples=10)
    assert again.confidence == found.confidence
    panel = read_panel(COLUMNS, "id", "wave")
    assert sorted(order_subjects(panel).tolist()) == list(range(200))


def test_missing_numbers_leave_windows_out_and_the_transition_keeps_its_cuts() -> None:
    level = np.random.default_rng(1).normal(size=(100, 4)).cumsum(1)
    level[5, 1] = np.nan
    rows = np.arange(400)
    columns = {"id": rows // 4, "wave": rows % 4, "level": level.ravel()}
    found = mahc.learn_panel(columns, "id", "wave", missing="drop", numbers="cuts")
    assert found.windows == 300 - 2
    assert set(found.transition.cut_points) == {"level(t-1)", "level(t)"}


def test_resamples_of_subjects_with_missing_values() -> None:
    """As if the windows that lack a value were not there: those of subjects that have all values stay the same."""
    columns = {**COLUMNS, "pain": ["" if place % 50 == 7 else value for place, value in enumerate(COLUMNS["pain"])]}
    found = mahc.learn_panel(columns, "id", "wave", static=["sex"], missing="drop", resamples=5)
    assert found.confidence is not None
    assert found.confidence["dose(t-1)", "pain(t)"] == 1
    panel = read_panel(columns, "id", "wave", static=["sex"], missing="drop")
    windows, ends = panel.windows(), panel.complete_ends(1)
    assert windows.rows == len(ends) == 760
    for name, lag in (("pain", 0), ("pain", 1), ("dose", 1)):
        column, called = panel.data.columns[panel.data.index(name)], f"{name}(t-1)" if lag else f"{name}(t)"
        assert windows.columns[windows.index(called)].as_array().tolist() == column.as_array()[ends - lag].tolist()


def test_a_panel_in_files(tmp_path: Path) -> None:
    found = mahc.learn_panel(COLUMNS, "id", "wave", static=["sex"], resamples=3)
    found.save(tmp_path / "panel")
    again = PanelNetwork.load(tmp_path / "panel")
    assert again == found
    assert again.confidence == found.confidence
    history = [{"sex": "f", "dose": "n", "pain": "y", "sleep": "n"}]
    assert again.forecast(history, 2) == found.forecast(history, 2)
    (tmp_path / "panel" / "panel.json").write_text("{}")
    with pytest.raises(MahcError, match="is not a mahc panel"):
        PanelNetwork.load(tmp_path / "panel")


def number_panel(subjects: int = 400, waves: int = 5, seed: int = 3) -> dict[str, Any]:
    """x(t) = 0.8 x(t-1) + 2 (dose = high) + noise, and pain follows from x within the slice."""
    draw = np.random.default_rng(seed)
    x, high, rows = draw.normal(0, 1, subjects), np.zeros(subjects), []
    for wave in range(waves):
        x = 0.8 * x + 2 * high + draw.normal(0, 1, subjects)
        high = draw.random(subjects) < 0.5
        pain = draw.random(subjects) < 1 / (1 + np.exp(-2 * (x - 1)))
        rows += [(i, wave, x[i], "high" if high[i] else "low", "yes" if pain[i] else "no") for i in range(subjects)]
    return dict(zip(("id", "t", "x", "dose", "pain"), map(list, zip(*rows, strict=True)), strict=True))


def test_numbers_are_forecast_as_their_equations_say(tmp_path: Path) -> None:
    found = mahc.learn_panel(number_panel(), "id", "t", numbers="smooth")
    assert {("x", 1, "x"), ("dose", 1, "x")} <= set(found.lagged_arcs)
    assert ("x", "pain") in found.arcs
    history = [{"x": 1.5, "dose": "high", "pain": "no"}]
    one, two = found.forecast(history, horizon=2, do={"dose": "high"})
    assert one["x"]["mean"] == pytest.approx(3.2, abs=0.2)  # 0.8 * 1.5 + 2
    assert one["x"]["deviation"] == pytest.approx(1, abs=0.15)
    assert two["x"]["mean"] == pytest.approx(0.8 * 3.2 + 2, abs=0.35)
    assert two["x"]["deviation"] == pytest.approx(np.sqrt(1.64), abs=0.25)
    assert one["x"]["low"] < one["x"]["median"] < one["x"]["high"]
    assert one["dose"] == {"high": 1.0, "low": 0.0}
    draw = np.random.default_rng(1).normal(3.2, 1, 100_000)
    assert one["pain"]["yes"] == pytest.approx((1 / (1 + np.exp(-2 * (draw - 1)))).mean(), abs=0.04)
    low = found.forecast(history, horizon=2, do={"dose": ["low", None]})
    assert low[0]["x"]["mean"] == pytest.approx(one["x"]["mean"], abs=0.1)  # the dose works one slice later
    assert low[1]["x"]["mean"] == pytest.approx(two["x"]["mean"] - 2, abs=0.35)
    fixed = found.forecast(history, do={"x": 4})
    assert fixed[0]["x"]["mean"] == fixed[0]["x"]["high"] == 4
    found.save(tmp_path / "panel")
    again = PanelNetwork.load(tmp_path / "panel")
    assert again.forecast(history, horizon=2, do={"dose": "high"}) == (one, two)
    for wrong, how, message in (
        ([{"x": "much", "dose": "high", "pain": "no"}], {}, "no finite number"),
        ([{"x": None, "dose": "high", "pain": "no"}], {}, "is missing in the history"),
        (history, {"do": {"x": "much"}}, "holds numbers: give finite numbers"),
        (history, {"do": {"dose": "much"}}, "unknown state of 'dose'"),
    ):
        with pytest.raises(MahcError, match=message):
            found.forecast(wrong, **how)
    with pytest.raises(MahcError, match="unrolled with tables of states"):
        found.unroll(3)


def test_bits_of_numbers_are_those_of_their_density() -> None:
    """A normal residual of deviation 1 takes 0.5 log2(2 pi e) bits; held-out subjects take a little more."""
    draw = np.random.default_rng(5)
    x = [draw.normal(0, 1, 500)]
    for _ in range(4):
        x.append(0.5 * x[-1] + draw.normal(0, 1, 500))
    columns = {"id": np.tile(np.arange(500), 5), "t": np.repeat(np.arange(5), 500), "x": np.concatenate(x)}
    found = mahc.panels.validate_panel(columns, "id", "t", numbers="smooth")
    assert found.mean == pytest.approx(0.5 * np.log2(2 * np.pi * np.e), abs=0.05)


def test_pgmpy_has_the_same_network() -> None:
    pytest.importorskip("pgmpy")
    found = mahc.learn_panel(COLUMNS, "id", "wave", static=["sex"])
    model = found.to_pgmpy()
    assert (("dose", 0), ("pain", 1)) in {(tuple(a), tuple(b)) for a, b in model.edges()}
    assert found.transition_tables is not None
    node = found.transition_tables.names.index("pain(t)")
    table = next(each for each in model.get_cpds(time_slice=1) if tuple(each.variable) == ("pain", 1))
    assert np.allclose(table.get_values(), found.transition_tables.tables[node].T)
    for each in model.get_cpds(time_slice=0):
        assert np.allclose(each.get_values().sum(axis=0), 1)
    with pytest.raises(MahcError, match="one lag"):
        mahc.learn_panel(COLUMNS, "id", "wave", lags=2).to_pgmpy()


@pytest.mark.parametrize("lags", [1, 2])
def test_pyagrum_unrolls_to_the_same_probabilities(lags: int) -> None:
    pytest.importorskip("pyagrum.ktbn")
    found = mahc.learn_panel(COLUMNS, "id", "wave", static=["sex"], lags=lags)
    net, model = found.to_pyagrum().unroll(6), Model(found.unroll(6))
    assert len(net.names()) == 1 + 3 * 6
    for name, step in product(("dose", "pain", "sleep"), range(6)):
        mine = model.query(f"{name}({step})", given={"sex": "f", "pain(5)": "y"} if step < 5 else {"sex": "f"})
        theirs = pyagrum_posterior(net, f"{name}[{step}]", {"sex": "f", "pain[5]": "y"} if step < 5 else {"sex": "f"})
        assert {state: mine[state] for state in ("n", "y")} == pytest.approx(theirs, abs=1e-12)


def pyagrum_posterior(net: Any, name: str, given: dict[str, str]) -> dict[str, float]:
    import pyagrum

    table = pyagrum.getPosterior(net, target=name, evs=given)
    return dict(zip(net.variable(name).labels(), table.toarray().tolist(), strict=True))


def test_validation_holds_out_subjects() -> None:
    own = validate_panel(COLUMNS, "id", "wave", static=["sex"])
    assert len(own.bits) == 5
    names = ("dose", "pain", "sleep")
    empty = {"forbidden_arcs": [(f"{a}(t-1)", f"{b}(t)") for a, b in product(names, names)]}
    without = validate_panel(COLUMNS, "id", "wave", static=["sex"], knowledge=empty)
    assert own.mean + 2 * own.standard_error < without.mean
    renamed = {**COLUMNS, "id": [f"z{1000 - int(each[1:])}" for each in COLUMNS["id"]]}
    assert validate_panel(renamed, "id", "wave", static=["sex"]) == own
    with pytest.raises(MahcError, match="at most the number of subjects, 2"):
        validate_panel(SMALL, "id", "t")
    found = mahc.learn_panel(COLUMNS, "id", "wave", static=["sex"])
    windows = read_panel(COLUMNS, "id", "wave", static=["sex"]).windows()
    model = Model(found.transition_tables)  # type: ignore[arg-type]
    row = {name: column.labels[column.codes[7]] for name, column in windows.discrete_by_name.items()}
    earlier = {name: state for name, state in row.items() if "(t)" not in name}
    slow = 0.0
    for name in names:  # by the chain rule
        slow -= np.log2(model.query(f"{name}(t)", given=earlier)[row[f"{name}(t)"]])
        earlier[f"{name}(t)"] = row[f"{name}(t)"]
    assert found.bits_per_variable(windows.take(np.array([7]))) == pytest.approx(slow / 3)
