from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from mahc.errors import FormatError, SettingError, UnknownNameError
from mahc.networks import Network, load_network, network_names, sample_path
from mahc.networks.files import NETWORK_FORMATS, format_network, read_network

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "networks"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/networks")


@pytest.mark.parametrize("name", network_names())
def test_every_shipped_network_loads_and_says_where_it_came_from(name: str) -> None:
    network = load_network(name)
    assert network.name == name
    assert "pgmpy 0.1.26" in network.origin
    assert "sha256" in network.origin


def test_the_shipped_networks_stay_small() -> None:
    sizes = [len(entry.read_bytes()) for entry in files("mahc.networks").joinpath("shipped").iterdir()]
    assert len(sizes) >= 20
    assert sum(sizes) < 1_000_000


def test_asia_alarm_and_pathfinder_have_the_sizes_of_the_repository() -> None:
    found = {name: load_network(name) for name in ("asia", "alarm", "pathfinder")}
    assert {name: len(n.names) for name, n in found.items()} == {"asia": 8, "alarm": 37, "pathfinder": 109}
    assert {n: found[n].free_parameters for n in found} == {"asia": 18, "alarm": 509, "pathfinder": 72_079}


def same_distribution(one: Network, other: Network) -> None:
    """The same arcs and numbers, whatever the order of variables, parents and states."""
    assert one.dag == other.dag
    for node, name in enumerate(one.names):
        there = other.names.index(name)
        axes = [one.names[parent] for parent in one.parents[node]] + [name]
        shape = [len(one.states[one.names.index(axis)]) for axis in axes]
        cube = one.tables[node].reshape(shape)
        other_axes = [other.names[parent] for parent in other.parents[there]] + [name]
        other_cube = other.tables[there].reshape([len(other.states[other.names.index(a)]) for a in other_axes])
        turned = other_cube.transpose([other_axes.index(axis) for axis in axes])
        for place, axis in enumerate(axes):
            labels = other.states[other.names.index(axis)]
            order = [labels.index(label) for label in one.states[one.names.index(axis)]]
            turned = np.take(turned, order, axis=place)
        np.testing.assert_allclose(cube, turned, atol=1e-6)


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("name", ["asia", "alarm", "pathfinder"])
def test_what_ships_is_what_the_paper_used(name: str) -> None:
    same_distribution(load_network(name), load_network(name, SHARED))


@needs_shared
@pytest.mark.shared
def test_a_folder_adds_its_networks_and_goes_before_the_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"sports", "property", "formed", "barley"} <= set(network_names(SHARED))
    assert "causaliq" in load_network("asia", SHARED).origin
    monkeypatch.setenv("MAHC_NETWORKS", str(SHARED))
    assert load_network("sports").free_parameters == 1_049


def test_of_two_files_with_one_stem_the_first_by_name_counts(tmp_path: Path) -> None:
    text = format_network(load_network("asia"), "json")
    (tmp_path / "mine.json").write_text(text, encoding="utf-8")
    (tmp_path / "mine.bif").write_text("network x { }", encoding="utf-8")
    with pytest.raises(FormatError, match=r"mine\.bif"):
        load_network("mine", tmp_path)


def test_an_unknown_network_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown network 'alram': did you mean 'alarm'"):
        load_network("alram")


def test_a_folder_that_is_not_there_is_named_with_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingError, match=r"'nowhere' \(networks\) does not exist or is not a folder"):
        load_network("asia", "nowhere")
    monkeypatch.setenv("MAHC_NETWORKS", "nowhere")
    with pytest.raises(SettingError, match="MAHC_NETWORKS"):
        network_names()


def test_the_sample_of_asia_is_the_one_that_the_tool_draws() -> None:
    from mahc.networks.sampling import sample_codes

    lines = sample_path("asia").read_text(encoding="utf-8").splitlines()
    network = load_network("asia")
    columns = sample_codes(network, 1_000, 1)
    assert lines[0].split(",") == list(network.names)
    assert len(lines) == 1_001
    for row in (0, 1, 500, 999):
        drawn = [states[column[row]] for states, column in zip(network.states, columns, strict=True)]
        assert lines[row + 1].split(",") == drawn
    with pytest.raises(UnknownNameError, match="unknown sample 'alarm'"):
        sample_path("alarm")


def test_our_json_reads_back_the_same(tmp_path: Path) -> None:
    network = load_network("hailfinder")
    text = format_network(network, "json")
    assert NETWORK_FORMATS["json"]().parse(text) == network
    assert json.loads(text)["name"] == "hailfinder"
    (tmp_path / "h.json").write_text(text, encoding="utf-8")
    assert read_network(tmp_path / "h.json") == network
