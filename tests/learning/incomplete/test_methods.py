"""The methods for missing values through `learn`: what they find, when they stop, what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mahc
from mahc.data import Dataset
from mahc.data.settings import MISSING_METHODS
from mahc.errors import MahcError
from mahc.graphs import DAG
from mahc.learning.control import Control
from mahc.learning.incomplete.causes import find_causes, find_dependences
from mahc.learning.incomplete.imputing import Imputer
from mahc.learning.incomplete.weights import weigh_rows
from mahc.networks import fit, load_network, simulate
from mahc.networks.noise import parse_noise
from mahc.replay import replay


def chain(rows: int = 600, seed: int = 1) -> Dataset:
    """a -> b -> c; b is missing mostly where a is 1."""
    generator = np.random.default_rng(seed)
    a = generator.integers(0, 2, rows)
    b = np.where(generator.random(rows) < 0.85, a, 1 - a)
    c = np.where(generator.random(rows) < 0.85, b, 1 - b)
    lost = generator.random(rows) < np.where(a == 1, 0.6, 0.1)
    states = (("n", "y"), ("n", "y", "missing"), ("n", "y"))
    return Dataset.coded(("a", "b", "c"), states, (a, np.where(lost, 2, b), c)).state_as_missing()


@pytest.mark.parametrize("method", MISSING_METHODS)
@pytest.mark.parametrize("algorithm", ["hc", "mahc", "tabu", "boss", "exact", "mmhc", "saiyanh"])
def test_every_score_based_algorithm_finds_the_chain(method: str, algorithm: str) -> None:
    learned = mahc.learn(chain(), algorithm, missing=method, objective="bic")
    found = {frozenset(arc) for arc in learned.arcs}
    # An arc between a and c may be there too: docs/explanation/missing.md says why each method can find too many.
    assert found >= {frozenset("ab"), frozenset("bc")}
    assert learned.run.missing == method


@pytest.mark.parametrize("algorithm", ["pc-stable", "fci", "boss-pag"])
def test_tests_of_independence_delete_test_by_test(algorithm: str) -> None:
    learned = mahc.learn(chain(), algorithm, missing="pairwise")
    assert {frozenset((edge.left, edge.right)) for edge in learned.edges or ()} >= {frozenset("ab"), frozenset("bc")}
    for method in ("impute", "weighted", "structural-em"):
        with pytest.raises(MahcError, match=f'missing="{method}" does not work with {algorithm}'):
            mahc.learn(chain(), algorithm, missing=method)


@pytest.mark.parametrize("method", MISSING_METHODS)
def test_complete_data_are_learned_from_as_usual(method: str) -> None:
    data = simulate(load_network("asia"), 300, 1).data
    assert mahc.learn(data, "hc", missing=method) == mahc.learn(data, "hc")


def test_the_cause_of_missingness_is_found_and_weighs() -> None:
    data = chain()
    assert {(d.variable, d.cause) for d in find_dependences(data)} == {(1, 0), (1, 2)}
    assert find_causes(data) == [[], [0], []]
    logs = weigh_rows(data).logs[1]
    assert logs is not None
    seen = ~data.columns[1].missing
    a = data.discrete[0].codes
    observed = [seen[a == k].sum() for k in (0, 1)]
    share = seen.mean()
    for k in (0, 1):
        chance = (observed[k] + share) / ((a == k).sum() + 1)
        assert set(logs[seen & (a == k)].tolist()) == {round(128 * float(np.log2(share / chance)))}


def test_filled_values_are_the_most_probable_given_the_blanket() -> None:
    data = chain(200)
    arcs = [("a", "b"), ("b", "c")]
    imputer = Imputer(data)
    imputer.fill(arcs, 1, Control())
    filled = imputer.filled()
    complete = data.drop_incomplete()
    tables = fit(DAG(data.names, arcs), complete, 1.0).tables
    b_given_a, c_given_b = tables[1], tables[2]
    for row in np.flatnonzero(data.columns[1].missing).tolist():
        a, c = int(data.discrete[0].codes[row]), int(data.discrete[2].codes[row])
        chances = [b_given_a[a, b] * c_given_b[b, c] for b in (0, 1)]
        assert filled.codes[1][row] == int(np.argmax(chances))


def test_drop_of_a_data_set_keeps_its_complete_rows() -> None:
    data = chain()
    assert mahc.learn(data, "hc", missing="drop").data.rows == int(data.complete_rows.sum())
    lost = simulate(load_network("alarm"), 30, 1, parse_noise("mcar:0.6")).data.state_as_missing()
    with pytest.raises(MahcError, match="have all values: too few to learn from"):
        lost.drop_incomplete()


def test_files_are_read_learned_from_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "holes.csv"
    whole = chain().missing_as_state()
    labels = [
        [labels[k] if labels[k] != "missing" else "" for k in column]
        for labels, column in zip(whole.labels, whole.codes, strict=True)
    ]
    file.write_text("\n".join(["a,b,c", *(",".join(row) for row in zip(*labels, strict=True))]) + "\n")
    learned = mahc.learn(file, "hc", missing="weighted")
    learned.save(tmp_path / "result.json")
    saved = mahc.Learned.load(tmp_path / "result.json")
    assert saved.run.missing == "weighted"
    assert replay(saved, file) == learned


def test_settings_that_make_no_sense_are_refused() -> None:
    columns = {"a": ["x", "y", ""] * 20, "b": ["x", "y", "y"] * 20}
    with pytest.raises(MahcError, match='missing="weighted" says how to learn from data, not how to read them'):
        mahc.read(columns, missing="weighted")
    with pytest.raises(MahcError, match='missing="em" fits tables to a given graph'):
        mahc.learn(columns, "hc", missing="em")
    with pytest.raises(MahcError, match="needs a score that is linear in the counts, and bdeu is not"):
        mahc.learn(columns, "hc", missing="structural-em", objective="bdeu")
    with pytest.raises(MahcError, match="has no value at all"):
        mahc.learn({"a": ["", "", ""], "b": ["x", "y", "x"]}, "hc", missing="pairwise")


@pytest.mark.parametrize("noise", ["mcar", "mar", "mnar"])
def test_mechanisms_lose_values_at_their_rate_in_half_of_the_variables(noise: str) -> None:
    network = load_network("alarm")
    data = simulate(network, 4000, 5, parse_noise(f"{noise}:0.3")).data.state_as_missing()
    lost = [count for count in data.missing_counts if count]
    assert len(lost) == 19  # of 37
    assert np.mean(lost) / 4000 == pytest.approx(0.3, abs=0.02)
    causes = find_causes(data)
    complete = [v for v, count in enumerate(data.missing_counts) if not count]
    if noise == "mcar":
        assert sum(map(len, causes)) <= 1
    if noise == "mar":
        assert sum(bool(mine) for mine in causes) >= 15
        assert all(mine[0] in complete for mine in causes if mine)
