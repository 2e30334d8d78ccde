"""Other programs' networks: the same numbers in their objects and out of their files."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mahc
from mahc.errors import MahcError
from mahc.inference import Model
from mahc.networks import load_network, sample
from mahc.networks.export import from_pgmpy, from_pyagrum, to_pgmpy, to_pyagrum
from mahc.networks.files import read_network, write_network


@pytest.fixture
def pgmpy() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("pgmpy")


@pytest.fixture
def gum() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its SWIG module crashes where warnings are errors
        return pytest.importorskip("pyagrum")


@pytest.mark.peers
@pytest.mark.parametrize("name", ["asia", "child", "alarm", "hailfinder", "water"])
def test_a_network_comes_back_from_pyagrum_the_same(gum: Any, name: str) -> None:
    network = load_network(name)
    assert from_pyagrum(to_pyagrum(network)) == network


@pytest.mark.peers
def test_pyagrum_infers_the_frequencies_that_we_draw(gum: Any) -> None:
    network = load_network("insurance")
    inference = gum.LazyPropagation(to_pyagrum(network))
    inference.makeInference()
    data = sample(network, 100_000, 1, unseen_states=True)
    for name, states, column in zip(data.names, data.labels, data.codes, strict=True):
        drawn = np.bincount(column, minlength=len(states)) / data.rows
        np.testing.assert_allclose(drawn, inference.posterior(name).toarray(), atol=0.008)


@pytest.mark.peers
@pytest.mark.parametrize("name", ["asia", "alarm", "hailfinder", "sachs"])
def test_pyagrum_reads_our_bif_and_net_as_we_do(gum: Any, tmp_path: Path, name: str) -> None:
    network = load_network(name)
    for suffix in (".bif", ".net"):
        write_network(network, tmp_path / f"n{suffix}")
        theirs = gum.loadBN(str(tmp_path / f"n{suffix}"))
        ours = to_pyagrum(network)
        for variable in network.names:
            turned = theirs.cpt(variable).reorganize(list(ours.cpt(variable).names))
            # pyAgrum reads these two in single precision
            np.testing.assert_allclose(turned.toarray(), ours.cpt(variable).toarray(), atol=1e-6)


@pytest.mark.peers
@pytest.mark.parametrize("suffix", [".bif", ".bifxml", ".net", ".dsl"])
def test_we_read_what_pyagrum_writes(gum: Any, tmp_path: Path, suffix: str) -> None:
    ours = to_pyagrum(load_network("cancer"))
    gum.saveBN(ours, str(tmp_path / f"n{suffix}"))
    back = to_pyagrum(read_network(tmp_path / f"n{suffix}"))
    for variable in ours.names():
        turned = back.cpt(variable).reorganize(list(ours.cpt(variable).names))
        np.testing.assert_allclose(turned.toarray(), ours.cpt(variable).toarray(), atol=1e-6)


@pytest.mark.peers
def test_a_network_in_pgmpy_has_the_same_tables(pgmpy: Any) -> None:
    network = load_network("survey")
    net = to_pgmpy(network)
    assert net.check_model()
    for node, name in enumerate(network.names):
        np.testing.assert_array_equal(net.get_cpds(name).get_values(), network.tables[node].T)


@pytest.mark.parametrize(("act", "remedy"), [(to_pyagrum, r"mahc\[inference\]"), (to_pgmpy, "pip install pgmpy")])
def test_a_package_that_is_not_installed_is_asked_for(monkeypatch: pytest.MonkeyPatch, act: Any, remedy: str) -> None:
    network = load_network("asia")
    for name in ("pyagrum", "pgmpy", "pgmpy.models", "pgmpy.factors.discrete"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MahcError, match=f"is not installed: .*{remedy}"):
        act(network)


@pytest.mark.peers
@pytest.mark.parametrize("name", ["asia", "survey", "sachs", "child"])
def test_a_network_comes_back_from_pgmpy_the_same(pgmpy: Any, name: str) -> None:
    network = load_network(name)
    back = from_pgmpy(to_pgmpy(network))
    assert back.names == tuple(to_pgmpy(network).nodes())
    for variable in network.names:
        assert back.table(variable).equals(network.table(variable)), variable


@pytest.mark.peers
def test_states_keep_their_type_in_pgmpy(pgmpy: Any) -> None:
    data = mahc.read({"dose": [0, 1, 2, 1, 0, 2] * 20, "ill": [True, False, False, True, True, False] * 20})
    model = mahc.learn(data, "hc").fit(data)
    net = model.to_pgmpy()
    assert net.get_cpds("dose").state_names["dose"] == [0, 1, 2]
    back = Model.from_pgmpy(net)
    assert back.states("ill") == model.states("ill")
    assert back.query("ill", given={"dose": 1}) == model.query("ill", given={"dose": 1})


@pytest.mark.peers
def test_a_pgmpy_network_without_tables_is_refused(pgmpy: Any) -> None:
    net = to_pgmpy(load_network("asia"))
    net.remove_cpds("lung")
    with pytest.raises(MahcError, match="has no table for 'lung': fit it"):
        Model.from_pgmpy(net)


@pytest.mark.peers
def test_a_learned_graph_goes_to_pyagrum_and_pgmpy_with_its_data(gum: Any, pgmpy: Any) -> None:
    learned = mahc.learn("asia", "hc")
    model = learned.fit("asia")
    for net, back in (
        (learned.to_pyagrum("asia"), Model.from_pyagrum),
        (learned.to_pgmpy("asia"), Model.from_pgmpy),
    ):
        found = back(net)
        asked = {"given": {"xray": "yes", "smoke": "no"}}
        assert dict(found.query("lung", **asked)) == pytest.approx(dict(model.query("lung", **asked)), abs=1e-12)


def test_a_learned_graph_has_no_tables_without_data() -> None:
    learned = mahc.learn("asia", "hc")
    for method in ("to_pgmpy", "to_pyagrum"):
        with pytest.raises(MahcError, match=f"has no probability tables: give the data, {method}"):
            getattr(learned, method)()


def test_what_is_no_network_is_refused() -> None:
    with pytest.raises(MahcError, match="int is no network with tables: give a DiscreteBayesianNetwork of pgmpy"):
        mahc.Model.from_pgmpy(3)
    with pytest.raises(MahcError, match="DAG is no network with tables: give a BayesNet of pyAgrum"):
        mahc.Model.from_pyagrum(mahc.DAG(["a"], []))


@pytest.mark.parametrize("method", ["to_pgmpy", "to_pyagrum"])
def test_numbers_have_no_tables(method: str) -> None:
    numbers = np.random.default_rng(1).normal(size=(60, 2))
    data = {"x": numbers[:, 0].tolist(), "y": (numbers[:, 0] + numbers[:, 1]).tolist()}
    learned = mahc.learn(data, "hc", objective="smooth")
    with pytest.raises(MahcError, match=r"the model holds numbers.*numbers=.cuts"):
        getattr(learned, method)(data)
