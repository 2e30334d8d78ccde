"""Rows of experiments from reading to the result: interventional essential graphs, reasons, records, pieces."""

from __future__ import annotations

import json
from importlib.util import find_spec
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mahc
from mahc.confidence import average
from mahc.confidence.resampling import Resampler
from mahc.confidence.settings import BootstrapSettings
from mahc.data import Dataset, Interventions
from mahc.engine import EngineRows, Families, RowScorer
from mahc.errors import DataError, MahcError, SettingError
from mahc.graphs import DAG, MixedGraph
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.experiments import record_experiments
from mahc.networks import Network, load_network, row_bits, sample
from mahc.results.learned import Learned
from mahc.results.outcomes.dag import find_pattern
from mahc.results.summary import facts
from mahc.scores import make_score

NAMES = ("a", "b", "c", "d")


def all_dags(variables: int) -> list[tuple[tuple[int, ...], ...]]:
    """The parent sets of every DAG."""
    others = [[u for u in range(variables) if u != v] for v in range(variables)]
    choices = [[set_ for size in range(variables) for set_ in combinations(mine, size)] for mine in others]
    return [found for found in product(*choices) if _is_acyclic(found)]


def _is_acyclic(parents: tuple[tuple[int, ...], ...]) -> bool:
    left = set(range(len(parents)))
    while left:
        roots = {v for v in left if not left.intersection(parents[v])}
        if not roots:
            return False
        left -= roots
    return True


DAGS = all_dags(4)


def random_rows(seed: int, mechanism: str, experiments: list[frozenset[str]], rows: int = 300) -> Dataset:
    """Dependent columns with no structure, so that only equivalent graphs have the same score."""
    generator = np.random.default_rng(seed)
    probabilities = generator.dirichlet(np.full(16, 0.7), size=len(experiments))
    which = generator.integers(0, len(experiments), rows)
    which[: len(experiments)] = np.arange(len(experiments))
    cells = np.array([generator.choice(16, p=probabilities[k]) for k in which])
    codes = [cells >> v & 1 for v in range(4)]
    for column in codes:
        column[:2] = (0, 1)
    data = Dataset.coded(NAMES, [["n", "y"]] * 4, codes)
    return Dataset(data.names, data.columns, None, Interventions(tuple(experiments), which, mechanism))


TARGETS = st.lists(st.frozensets(st.sampled_from(NAMES), max_size=2), min_size=1, max_size=4)


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), mechanism=st.sampled_from(["set", "changed"]), experiments=TARGETS)
def test_the_pattern_is_the_union_of_the_graphs_with_the_same_score(
    seed: int, mechanism: str, experiments: list[frozenset[str]]
) -> None:
    data = random_rows(seed, mechanism, [frozenset(), *experiments] if seed % 2 else [frozenset("a"), *experiments])
    if data.interventions is not None and mechanism == "set" and any(not data.interventions.blocks(n) for n in NAMES):
        return  # a variable is set in every row
    families = [
        (v, own) for v in range(4) for size in range(4) for own in combinations([u for u in range(4) if u != v], size)
    ]
    scorer = RowScorer(EngineRows(data), make_score("bic"))
    local = dict(
        zip(families, scorer.score_families(Families.of((v, list(own)) for v, own in families)).tolist(), strict=True)
    )
    totals = np.array([sum(local[v, own] for v, own in enumerate(parents)) for parents in DAGS])
    chosen = seed % len(DAGS)
    equal = [DAGS[k] for k in np.flatnonzero(np.abs(totals - totals[chosen]) < 1e-6).tolist()]
    arcs = {(u, v) for parents in equal for v, own in enumerate(parents) for u in own}
    marked = [(u, v) for u, v in arcs if (v, u) not in arcs]
    lines = [(u, v) for u, v in arcs if (v, u) in arcs]
    expected = MixedGraph.from_arcs(
        NAMES,
        [sum(1 << u for u, w in marked if w == v) for v in range(4)],
        [sum(1 << u for u, w in lines if w == v) for v in range(4)],
    )
    dag = DAG.from_parents(NAMES, [list(own) for own in DAGS[chosen]])
    assert find_pattern(dag, Knowledge(), record_experiments(data)).edges == expected.edges


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_changed_mechanisms_have_tables_of_their_own(seed: int) -> None:
    data = random_rows(seed, "changed", [frozenset(), frozenset("a"), frozenset("ab")])
    assert data.interventions is not None
    plain = Dataset(data.names, data.columns)

    def slow(child: int, parents: list[int], experiments: list[int]) -> float:
        rows = plain.take(np.isin(data.interventions.codes, experiments))  # type: ignore[union-attr]
        return float(RowScorer(EngineRows(rows), make_score("bdeu")).score_families(Families.of([(child, parents)]))[0])

    found = RowScorer(EngineRows(data), make_score("bdeu")).score_families(
        Families.of([(0, [1, 2]), (1, [0]), (2, [])])
    )
    expected = [
        sum(slow(0, [1, 2], [k]) for k in range(3)),
        slow(1, [0], [0, 1]) + slow(1, [0], [2]),
        slow(2, [], [0, 1, 2]),
    ]
    assert found.tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("score", ["bge", "gaussian-bic", "smooth", "mixed"])
def test_scores_of_numbers_use_the_rows_in_which_the_child_was_not_set(score: str) -> None:
    generator = np.random.default_rng(4)
    a = generator.normal(size=300)
    b = a + generator.normal(size=300)
    c = (b > 0).astype(int) if score == "mixed" else b + generator.normal(size=300)
    experiments = [["b"] if row % 3 == 0 else [] for row in range(300)]
    data = mahc.read({"a": a, "b": b, "c": c}, interventions=experiments)
    chosen = make_score(score, **({"degree": 2} if score in ("smooth", "mixed") else {}))
    free = Dataset(data.names, data.columns).take(np.arange(300) % 3 != 0)
    for child, rows in ((0, data), (1, free), (2, data)):
        family = Families.of([(child, [1 - child % 2])])
        alone = chosen.scorer(chosen.hold(Dataset(rows.names, rows.columns)))
        assert chosen.scorer(chosen.hold(data)).score_families(family) == pytest.approx(alone.score_families(family))


@pytest.mark.parametrize("objective", ["gaussian-bic", "bge", "smooth", "bic", None])
def test_an_experiment_directs_an_arc_between_numbers(objective: str) -> None:
    generator = np.random.default_rng(9)
    cause = generator.normal(size=1000)
    effect = cause + 0.5 * generator.normal(size=1000)
    effect[:300] = generator.normal(size=300)
    columns = {"effect": effect, "cause": cause}
    learned = mahc.learn(columns, "boss", objective=objective, interventions=["effect"] * 300 + [""] * 700)
    assert learned.arcs == (("cause", "effect"),)
    assert learned.cpdag.edges[0].mark == "-->"
    assert mahc.learn(columns, "boss", objective=objective).cpdag.edges[0].mark == "---"


COLUMNS = {"a": [1, 2, 1, 2, 1, 2], "b, c": ["u", "v"] * 3, "d": ["x", "y", "x", "x", "y", "y"]}


@pytest.mark.parametrize(
    ("given", "coded", "expected"),
    [
        (["", "a", "d|a", "a, d", None, "b, c"], False, [(), ("a",), ("a", "d"), ("a", "d"), (), ("b, c",)]),
        ([0, 1, "3|1", "1,3", None, 2], True, [(), ("a",), ("a", "d"), ("a", "d"), (), ("b, c",)]),
    ],
)
def test_a_column_names_the_targets(given: list[str], coded: bool, expected: list[tuple[str, ...]]) -> None:
    source = {"a": COLUMNS["a"], "set": [None if v is None else str(v) for v in given], **COLUMNS}
    data = mahc.read(source, interventions="set", interventions_coded=coded)
    assert data.names == tuple(COLUMNS)
    assert data.interventions is not None
    assert [tuple(sorted(data.interventions.targets[code])) for code in data.interventions.codes] == expected
    sets = mahc.read(COLUMNS, interventions=[set(each) for each in expected])
    assert sets.interventions == data.interventions
    assert sets.fingerprint() == data.fingerprint()
    assert (
        sets.fingerprint()
        != mahc.read(COLUMNS, interventions=[set(e) for e in expected], mechanism="changed").fingerprint()
    )
    # Positions count the columns of the data, whatever is dropped.
    less = mahc.read(source, interventions="set", interventions_coded=coded, drop=["b, c"])
    assert less.interventions is not None
    assert [tuple(sorted(less.interventions.targets[code])) for code in less.interventions.codes] == [
        tuple(name for name in names if name != "b, c") for names in expected
    ]
    assert any(note.kind == "targets-left-out" for note in less.notes)


def test_rows_that_are_left_out_take_their_experiments_with_them() -> None:
    source = {"a": ["x", "y", "", "x"], "b": ["u", "v", "u", "v"], "set": ["", "a", "b", "b"], "n": [1, 0, 1, 2]}
    data = mahc.read(source, interventions="set", missing="drop", weights="n")
    assert data.interventions is not None
    assert [sorted(data.interventions.targets[code]) for code in data.interventions.codes] == [[], ["b"]]


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        ({"interventions": ["", "z", "", "", "", ""]}, "experiment set a variable that the data lack .*'z'"),
        ({"interventions": ["", "1", "", "", "", ""]}, "interventions_coded=True"),
        ({"interventions": [0, 4, 0, 0, 0, 0], "interventions_coded": True}, "'4', which is no position of a column"),
        ({"interventions": ["a"] * 6}, "set 'a' in every row, so nothing can be learned about its causes"),
        ({"interventions": [""] * 5}, "for 5 rows, and the data have 6"),
        ({"interventions": ["", {}, object(), "", "", ""]}, "row 3 of the interventions is .*, not a set of names"),
        ({"interventions": "z"}, "no column 'z'|column.*'z'"),
        ({"interventions_coded": True}, "interventions_coded.* needs interventions"),
        ({"mechanism": "changed"}, "mechanism.* needs interventions"),
        ({"interventions": "a", "weights": "a"}, "both name 'a'"),
        ({"interventions": 7}, "interventions"),
        ({"interventions": "d", "mechanism": "soft"}, "mechanism"),
    ],
)
def test_bad_interventions_are_refused_in_one_sentence(reading: dict[str, object], message: str) -> None:
    with pytest.raises(MahcError, match=message) as refused:
        mahc.read(COLUMNS, **reading)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)


def test_missing_values_that_stay_missing_are_refused_with_the_reason() -> None:
    source = {**COLUMNS, "a": ["", "1", "2", "1", "2", "1"]}
    experiments = ["", "d", "", "", "", "d"]
    with pytest.raises(DataError, match="rows of experiments must have all values"):
        mahc.learn(source, "hc", interventions=experiments, missing="structural-em")
    with pytest.raises(MahcError, match="cannot use rows of experiments"):
        mahc.learn(COLUMNS, "pc-stable", interventions=experiments)


def experimental(rows: int = 600) -> Dataset:
    network = load_network("asia")
    return (
        sample(network, rows, 1)
        .stack(sample(network, rows // 3, 1, do=["bronc"]))
        .stack(sample(network, rows // 3, 1, do={"either": "yes"}))
    )


def write_experiments(data: Dataset, path: Path) -> None:
    from mahc.networks.simulation_files import write_table

    write_table(data, path)


def test_files_pieces_and_frames_give_the_same_result(tmp_path: Path) -> None:
    import polars as pl

    data = experimental()
    write_experiments(data, tmp_path / "all.csv")
    frame = pl.read_csv(tmp_path / "all.csv", infer_schema_length=0)
    (tmp_path / "parts").mkdir()
    for number, piece in enumerate((frame[:600], frame[600:700], frame[700:])):
        piece.write_csv(tmp_path / "parts" / f"{number}.csv")
    one = mahc.learn(tmp_path / "all.csv", "boss", interventions="experiment")
    assert one == mahc.learn(tmp_path / "parts", "boss", interventions="experiment")
    assert one == mahc.learn(frame, "boss", interventions="experiment")
    assert one == mahc.learn(frame.sample(fraction=1, shuffle=True, seed=3), "boss", interventions="experiment")
    assert one == mahc.learn(data.without_unused_states(), "boss")
    assert mahc.audit(tmp_path / "parts", interventions="experiment").usable == (
        mahc.audit(tmp_path / "all.csv", interventions="experiment").usable
    )
    positions = {name: str(place) for place, name in enumerate(data.names, 1)}
    coded = frame.with_columns(pl.col("experiment").replace({"": "0", **positions}))
    coded.write_csv(tmp_path / "parts" / "0.csv")
    again = mahc.learn([tmp_path / "parts" / "0.csv"], "boss", interventions="experiment", interventions_coded=True)
    assert again == one
    with pytest.raises(SettingError, match="must be the name of a column for data in pieces"):
        mahc.learn(tmp_path / "parts", interventions=[""] * 1000)
    with pytest.raises(DataError, match="that the data lack"):
        mahc.learn(tmp_path / "parts", interventions="xray", interventions_coded=False)


def test_a_result_records_explains_and_repeats_its_experiments(tmp_path: Path) -> None:
    data = experimental(1500)
    write_experiments(data, tmp_path / "data.csv")
    learned = mahc.learn(tmp_path / "data.csv", "tabu", interventions="experiment")
    assert ("smoke", "bronc") in learned.arcs
    reason = learned.explain("smoke", "bronc").sentence
    assert (
        "directed because an experiment set bronc (500 rows): smoke is scored on 2,500 rows, bronc on 2,000" in reason
    )
    assert "directed because" in learned.explain("bronc", "smoke").sentence
    assert ("Experiments", "set bronc (500 rows), either (500 rows); 1,500 rows without") in facts(learned)
    assert any(row[-1] == "by experiment" for row in learned.outcome.edge_table(learned.pattern, learned.run).rows)
    learned.save(tmp_path / "result.json")
    plain = json.loads((tmp_path / "result.json").read_text())
    assert plain["experiments"]["experiments"][0] == {"targets": [], "rows": 1500}
    assert plain["by_experiment"] == [bool({"bronc", "either"} & set(arc)) for arc in learned.arcs]
    saved = Learned.load(tmp_path / "result.json")
    assert saved == learned
    assert saved.run.experiments == learned.run.experiments == record_experiments(data)
    assert saved.cpdag.edges == learned.cpdag.edges
    assert mahc.replay(saved, tmp_path / "data.csv") == learned
    assert data.interventions is not None
    free = Dataset(data.names, data.columns).take(data.interventions.speaking("bronc"))  # type: ignore[arg-type]
    query = {"given": {"smoke": "yes"}}
    known, wanted = (learned.fit(each).query("bronc", **query) for each in (tmp_path / "data.csv", free))
    assert known["yes"] == pytest.approx(wanted["yes"])


def test_resamples_have_as_many_rows_of_each_experiment() -> None:
    data = experimental(90)
    for how in ("bootstrap", "half"):
        resampler = Resampler(data, BootstrapSettings(seed=3, how=how))
        rows, weights = resampler.prepare(), resampler.weights(2)
        assert rows.interventions is not None
        drawn = np.bincount(rows.interventions.codes, weights).tolist()
        assert drawn == ([90, 30, 30] if how == "bootstrap" else [45, 15, 15])
        shuffled = data.take(np.random.default_rng(1).permutation(data.rows))
        other = Resampler(shuffled, BootstrapSettings(seed=3, how=how)).table(2)
        assert other.fingerprint() == resampler.table(2).fingerprint()


def test_bootstrap_and_posterior_direct_arcs_by_experiments() -> None:
    data = experimental(1200)
    sampled = mahc.bootstrap(data, "hc", resamples=10)
    pair = tuple(sorted((data.index("smoke"), data.index("bronc"))))
    assert set(sampled.pattern_counts.counts[pair]) <= {"-->", "<--"}  # type: ignore[index]
    drawn = mahc.posterior(data.select(["smoke", "bronc", "dysp"]), samples=50)
    assert all("---" not in marks for marks in drawn.pattern_counts.counts.values())
    assert average(drawn).graph.edges


def test_exact_finds_the_best_graph() -> None:
    data = random_rows(11, "set", [frozenset(), frozenset("a"), frozenset("bc")])
    learned = mahc.learn(data, "exact")
    scorer = RowScorer(EngineRows(data), make_score("bic"))
    families = [(v, own) for parents in DAGS for v, own in enumerate(parents)]
    local = scorer.score_families(Families.of((v, list(own)) for v, own in families)).reshape(-1, 4)
    assert learned.score == pytest.approx(float(local.sum(axis=1).max()))
    for method in ("orders", *(["program"] if find_spec("pyscipopt") else [])):
        assert mahc.learn(data, "exact", method=method).score == pytest.approx(learned.score)


def test_samples_of_experiments() -> None:
    network = load_network("asia")
    data = sample(network, 400, 3, do={"lung": None, "smoke": "no"})
    assert data.select(["smoke"]).labels == (("no",),)
    share = np.mean(data.codes[data.index("lung")] == 0)
    assert 0.4 < share < 0.6
    assert sample(network, 400, 3, do=["lung"]) == sample(network, 400, 3, do={"lung": None})
    with pytest.raises(MahcError, match="unknown variable 'x'"):
        sample(network, 5, 3, do=["x"])
    with pytest.raises(MahcError, match="unknown state of 'lung' 'perhaps'"):
        sample(network, 5, 3, do={"lung": "perhaps"})
    both = sample(network, 50, 1).stack(data)
    assert both.rows == 450
    assert both.interventions is not None
    assert np.bincount(both.interventions.codes).tolist() == [50, 400]
    with pytest.raises(DataError, match="only one of the two data sets has the variable 'tub'"):
        both.stack(data.select([name for name in data.names if name != "tub"]))


@pytest.mark.long
def test_exact_finds_the_true_class_of_random_networks() -> None:
    """Perfect experiments, 1,000,000 rows, arcs that move the log odds by at least 1: at least 95 in 100."""
    right = 0
    for seed in range(20):
        generator = np.random.default_rng(seed + 500)
        network = random_network(generator, 1.0)
        data = sample(network, 400_000, seed, unseen_states=True)
        for place in range(2):
            do = [network.names[v] for v in generator.choice(len(network.names), 1 + place, replace=False).tolist()]
            data = data.stack(sample(network, 300_000, seed + 1000 * (place + 1), do=do, unseen_states=True))
        learned = mahc.learn(data, "exact", search_in_degree=4)
        right += learned.cpdag.edges == find_pattern(network.dag, Knowledge(), record_experiments(data)).edges
    assert right >= 19


def random_network(generator: np.random.Generator, strength: float) -> Network:
    n = int(generator.integers(4, 9))
    parents = [tuple(u for u in range(v) if generator.random() < 2.2 / (n - 1))[:3] for v in range(n)]
    tables = []
    for own in parents:
        weights = generator.uniform(strength, 2 * strength, len(own)) * generator.choice([-1, 1], len(own))
        cells = np.array(list(np.ndindex(*(2,) * len(own)))).reshape(2 ** len(own), len(own))
        p = 1 / (1 + np.exp(-(generator.uniform(-0.3, 0.3) + (cells - 0.5) @ weights)))
        tables.append(np.stack([1 - p, p], axis=1))
    names = tuple(f"x{v}" for v in range(n))
    return Network("random", names, (("0", "1"),) * n, tuple(parents), tuple(tables))


def test_effects_come_from_rows_in_which_nothing_but_the_cause_was_set() -> None:
    data = experimental(3000)  # bronc was set in some rows, either in others
    learned = mahc.learn(data, "boss")
    assert data.interventions is not None
    free = np.array([names <= {"smoke"} for names in data.interventions.targets])[data.interventions.codes]
    observed = Dataset(data.names, data.columns).take(free)
    found = learned.effect(data, "smoke", "bronc")
    plain = mahc.learn(observed, "boss", knowledge={"required_arcs": [("smoke", "bronc")]}).effect(
        observed, "smoke", "bronc"
    )
    assert abs(found.difference - plain.difference) < 0.02
    assert 0.2 < abs(found.difference) < 0.4


def test_what_was_set_costs_no_bits_and_is_not_tested() -> None:
    network = load_network("asia")
    data = sample(network, 40, 1).stack(sample(network, 30, 1, do=["bronc"]))
    bits, plain = row_bits(network, data), row_bits(network, Dataset(data.names, data.columns))
    places = [network.names.index(name) for name in ("smoke", "bronc")]
    table = network.tables[places[1]]
    codes = [
        [
            network.states[v].index(data.labels[data.index(network.names[v])][code])
            for code in data.codes[data.index(network.names[v])]
        ]
        for v in places
    ]
    saved = [
        -np.log2(table[smoke, bronc]) if row >= 40 else 0.0
        for row, (smoke, bronc) in enumerate(zip(*codes, strict=True))
    ]
    assert (plain - bits).tolist() == pytest.approx(saved)
    assert data.without_experiments() == Dataset(data.names, data.columns).take(np.arange(70) < 40)
    assert data.without_experiments(["bronc"]).rows == 70
    with pytest.raises(DataError, match="every row comes from an experiment"):
        data.take(np.arange(70) >= 40).without_experiments()


@pytest.mark.parametrize("mechanism", ["set", "changed"])
def test_names_do_not_change_a_bit(mechanism: str) -> None:
    data = random_rows(21, mechanism, [frozenset(), frozenset("a"), frozenset("ab"), frozenset("d")], rows=500)
    assert data.interventions is not None
    called = dict(zip(NAMES, ("z", "k", "q", "b"), strict=True))
    targets = tuple(frozenset(called[name] for name in names) for names in data.interventions.targets)
    renamed = Dataset(
        tuple(called.values()), data.columns, None, Interventions(targets, data.interventions.codes, mechanism)
    )
    one, other = mahc.learn(data, "tabu", objective="bdeu"), mahc.learn(renamed, "tabu", objective="bdeu")
    assert one.local_scores == other.local_scores
    assert {(called[a], called[b]) for a, b in one.arcs} == set(other.arcs)
