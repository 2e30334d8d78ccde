"""No reader waits for a pipe, reads a device, or reads more than its limit."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mahc.errors import FormatError, MahcError
from mahc.files import exists, is_file, is_folder, read_bounded
from mahc.graphs.files import read_graph
from mahc.knowledge.knowledge_files import read_knowledge
from mahc.lab import read_plan
from mahc.networks.files import read_network
from mahc.results.learned import Learned
from mahc.sources import find_directed, find_graph, find_result

READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "network bif": ("x.bif", read_network),
    "network gzip": ("x.json.gz", read_network),
    "network xml": ("x.xdsl", read_network),
    "graph csv": ("x.csv", read_graph),
    "graph dot": ("x.dot", read_graph),
    "graph json": ("x.json", find_graph),
    "directed json": ("x.json", lambda path: find_directed(str(path))),
    "knowledge toml": ("x.toml", read_knowledge),
    "knowledge json": ("x.json", read_knowledge),
    "knowledge csv": ("constraintsDirected.csv", read_knowledge),
    "plan": ("x.toml", read_plan),
    "result": ("result.json", Learned.load),
    "result folder": ("result.json", lambda path: find_result(path.parent)),
}


@pytest.fixture(autouse=True)
def limited() -> Iterator[None]:
    """A reader that waits or reads for ever fails instead of stopping the tests."""
    memory = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (8 << 30, memory[1]))
    signal.alarm(600)
    yield
    signal.alarm(0)
    resource.setrlimit(resource.RLIMIT_DATA, memory)


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100 << 30)  # 100 GiB that take no space


KINDS = {"pipe": make_pipe, "device": make_zero, "large": make_large}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reader", READERS)
def test_a_special_file_is_refused_in_one_sentence(reader: str, kind: str, tmp_path: Path) -> None:
    name, read = READERS[reader]
    KINDS[kind](tmp_path / name)
    with pytest.raises(MahcError, match=r"pipe|device|too large") as refusal:
        read(tmp_path / name)
    assert name in str(refusal.value)


@pytest.mark.parametrize("reader", READERS)
def test_a_name_that_no_file_can_have_is_refused(reader: str, tmp_path: Path) -> None:
    name, read = READERS[reader]
    with pytest.raises(MahcError):
        read(tmp_path / ("n" * 300) / name)
    with pytest.raises(MahcError):
        read(tmp_path / f"{'n' * 300}{name}")


def test_a_file_at_the_limit_is_read_and_one_above_is_not(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"12345")
    assert read_bounded(file, 5) == b"12345"
    with pytest.raises(FormatError, match="its size in bytes is 5, the limit is 4"):
        read_bounded(file, 4)
    with pytest.raises(FormatError, match="a folder"):
        read_bounded(tmp_path, 4)


def test_a_file_that_hides_its_size_is_bounded() -> None:
    with pytest.raises(FormatError, match="more than 3"):
        read_bounded("/proc/self/status", 3)


@pytest.mark.parametrize("name", ["n" * 300, "a\0b", "missing"])
def test_names_that_cannot_be_are_not_there(name: str) -> None:
    assert not exists(name)
    assert not is_file(name)
    assert not is_folder(name)
    with pytest.raises(OSError, match=r"\w"):
        read_bounded(name, 1)


def test_data_that_are_a_device_are_refused(tmp_path: Path) -> None:
    make_zero(tmp_path / "x.csv")
    make_zero(tmp_path / "x.csv.gz")
    make_pipe(tmp_path / "x.parquet")
    for name in ("x.csv", "x.csv.gz", "x.parquet"):
        found = subprocess.run(
            [sys.executable, "-m", "mahc", "audit", str(tmp_path / name)], capture_output=True, text=True, timeout=60
        )
        assert found.returncode == 2
        assert "not a file: save the data in a file" in found.stderr


def test_data_may_come_through_a_pipe(tmp_path: Path) -> None:
    make_pipe(tmp_path / "x.csv")
    command = [sys.executable, "-m", "mahc", "audit", str(tmp_path / "x.csv"), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        (tmp_path / "x.csv").write_text("a,b\n1,2\n2,1\n")
        text = process.communicate(timeout=300)[0]
    assert process.returncode == 0
    assert '"rows": 2' in text
