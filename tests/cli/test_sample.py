from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from mahc.cli.main import run
from mahc.data import read
from mahc.graphs import dag_to_cpdag, dag_to_pag
from mahc.graphs.files import read_dag, read_graph
from mahc.networks import load_network, sample, simulate
from mahc.networks.files import write_network
from mahc.networks.noise import CMISL


def call(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        run([str(word) for word in words])
    return int(end.value.code or 0)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_clean_data_come_with_the_true_dag_and_cpdag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "asia"
    assert call("sample", "asia", "--rows", 500, "--seed", 3, "--out", out) == 0
    network = load_network("asia")
    assert read(out / "data.csv").fingerprint() == sample(network, 500, 3).fingerprint()
    assert read_dag(out / "true_dag.csv") == network.dag
    assert read_graph(out / "true_cpdag.csv") == dag_to_cpdag(network.dag)
    assert capsys.readouterr().out.splitlines()[0] == "500 rows of asia, 8 variables, seed 3"


def test_noisy_data_come_with_the_true_pag_and_a_manifest_that_says_what_was_done(tmp_path: Path) -> None:
    assert call("sample", "alarm", "--rows", 300, "--noise", "cMISL", "--seed", 1, "--out", tmp_path / "a") == 0
    expected = simulate(load_network("alarm"), 300, 1, CMISL())
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["latents"] == list(expected.latents)
    assert [outcome["noise"] for outcome in manifest["outcomes"]] == ["incorrect", "merged", "missing", "latent"]
    assert manifest["variables"] == list(expected.data.names)
    assert (manifest["rows"], manifest["seed"], manifest["noise"]) == (300, 1, "cMISL")
    assert read(tmp_path / "a" / "data.csv").fingerprint() == expected.data.fingerprint()
    truth = dag_to_pag(load_network("alarm").dag, expected.latents)
    assert read_graph(tmp_path / "a" / "true_pag.csv") == truth
    for file, digest in manifest["sha256"].items():
        assert hashlib.sha256((tmp_path / "a" / file).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_same_seed_writes_the_same_bytes_and_another_does_not(tmp_path: Path, kind: str) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        words = ["--rows", 200, "--noise", "cMISL", "--format", kind, "--seed", seed, "--out", tmp_path / name]
        assert call("sample", "child", *words) == 0
    assert content(tmp_path / "a") == content(tmp_path / "b")
    assert content(tmp_path / "a")[f"data.{kind}"] != content(tmp_path / "c")[f"data.{kind}"]


def test_parquet_and_csv_hold_the_same_data(tmp_path: Path) -> None:
    for kind in ("csv", "parquet"):
        assert call("sample", "child", "--rows", 200, "--format", kind, "--out", tmp_path / kind) == 0
    found = [read(tmp_path / kind / f"data.{kind}") for kind in ("csv", "parquet")]
    assert found[0].fingerprint() == found[1].fingerprint()


def test_latents_can_be_chosen(tmp_path: Path) -> None:
    assert call("sample", "asia", "--rows", 20, "--noise", "cMISL", "--latent", "dysp", "--out", tmp_path / "a") == 0
    assert "dysp" not in read(tmp_path / "a" / "data.csv", missing="state").names


def test_a_network_can_come_from_a_file_or_a_folder(tmp_path: Path) -> None:
    (tmp_path / "nets").mkdir()
    write_network(load_network("cancer"), tmp_path / "nets" / "mine.bif")
    assert call("sample", tmp_path / "nets" / "mine.bif", "--rows", 50, "--out", tmp_path / "a") == 0
    assert call("sample", "mine", "--networks", tmp_path / "nets", "--rows", 50, "--out", tmp_path / "b") == 0
    assert content(tmp_path / "a")["data.csv"] == content(tmp_path / "b")["data.csv"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["alram", "--rows", 5], "unknown network 'alram': did you mean 'alarm'"),
        (["asia", "--rows", 0], "the number of rows is 0"),
        (["asia", "--rows", -3], "the number of rows is -3"),
        (["asia", "--rows", "many"], "--rows"),
        (["asia"], "--rows"),
        (["asia", "--rows", 10**12], "GiB, above the limit of 16: draw fewer"),
        (["asia", "--rows", 5, "--seed", -1], "the seed is -1"),
        (["asia", "--rows", 5, "--noise", "mising"], "unknown noise 'mising': did you mean 'missing'"),
        (["asia", "--rows", 5, "--noise", "missing:7"], "must lie between 0 and 1"),
        (["asia", "--rows", 5, "--format", "xlsx"], "unknown data format 'xlsx'"),
        (["asia", "--rows", 5, "--latent", "dysp"], "--latent needs a noise"),
        (["asia", "--rows", 5, "--noise", "latent", "--latent", "disp"], "did you mean 'dysp'"),
        (["asia", "--rows", 5, "--networks", "nowhere"], "'nowhere' (--networks) does not exist"),
        (["gone.bif", "--rows", 5], "gone.bif: the file cannot be read"),
    ],
)
def test_a_mistake_ends_with_2_and_one_sentence_and_nothing_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[object], sentence: str
) -> None:
    assert call("sample", *words, "--out", tmp_path / "new") == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.startswith("mahc: ")
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_files_in_it_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    assert call("sample", "asia", "--rows", 5, "--out", tmp_path) == 2
    assert "nothing is overwritten" in capsys.readouterr().err
    assert call("sample", "asia", "--rows", 5, "--out", tmp_path / "mine") == 2
    assert "is a file" in capsys.readouterr().err
    assert content(tmp_path) == {"mine": b"mine"}


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    assert call("sample", "asia", "--rows", 5, "--out", tmp_path) == 0
    assert (tmp_path / "data.csv").is_file()


def test_a_failure_half_way_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mahc.networks.simulation_files._digest", full)
    assert call("sample", "asia", "--rows", 5, "--out", tmp_path / "new") == 2
    assert "cannot be written: No space left on device" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_sample_can_be_moved_and_still_names_its_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("sample", "asia", "--rows", 5, "--out", tmp_path / "a") == 0
    shutil.move(tmp_path / "a", tmp_path / "b")
    assert call("compare", tmp_path / "b", "asia", "--json") == 0
    assert json.loads(capsys.readouterr().out.split("\n", 2)[2])["measures"]["shd"] == 0
