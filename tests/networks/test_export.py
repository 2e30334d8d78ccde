"""Other programs' networks: the same numbers in their objects and out of their files."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mahc.errors import MahcError
from mahc.networks import load_network, sample
from mahc.networks.export import from_pyagrum, to_pgmpy, to_pyagrum
from mahc.networks.files import read_network, write_network


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
def test_a_network_in_pgmpy_has_the_same_tables() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("pgmpy")
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
