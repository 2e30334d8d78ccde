"""What is attacked: every reader with a sound file of its format."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import mahc
from mahc.data import audit, read
from mahc.graphs.files import GRAPH_FORMATS, format_graph, read_graph
from mahc.knowledge.knowledge_files import read_knowledge
from mahc.lab import read_plan
from mahc.lab.outline import ContestantInfo, Outline, Row
from mahc.lab.store import Store, StoredRow, read_store
from mahc.networks import load_network
from mahc.networks.files import NETWORK_FORMATS, format_network, read_network

TOML = b'required_arcs = [["a", "b"]]\ntiers = [["a"], ["b", "c"]]\nstrict_tiers = true\n[targets]\nb = 2\n'
PLAN = (
    b'cases = ["asia"]\nsizes = [100]\nseeds = [1, 2]\n[limits]\nseconds = 5\n'
    b'[[contestants]]\nlabel = "HC"\nalgorithm = "hc"\n'
)
DSC = b'belief network "x"\nnode a { type : discrete [ 2 ] = { "x", "y" }; }\nprobability ( a ) { 0.5, 0.5; }\n'


@dataclass(frozen=True)
class Target:
    """A reader: the name of its file, a sound content, and what is done with the file."""

    name: str
    file: str
    content: bytes
    read: Callable[[Path], object]


def targets() -> list[Target]:
    """All readers."""
    return [*_data(), *_networks(), *_graphs(), *_others()]


def _data() -> list[Target]:
    rows = b'a,b,"c d"\n' + b"x,1,u\ny,2,v\nx,2,\n" * 20
    return [
        Target("data csv", "x.csv", rows, audit),
        Target("data csv, missing=state", "x.csv", rows, lambda path: read(path, missing="state")),
        Target("data tsv", "x.tsv", rows.replace(b",", b"\t"), audit),
        Target("data csv.gz", "x.csv.gz", gzip.compress(rows, mtime=0), audit),
        Target("data parquet", "x.parquet", _frame_file("write_parquet"), audit),
        Target("data arrow", "x.arrow", _frame_file("write_ipc"), audit),
    ]


def _frame_file(writer: str) -> bytes:
    # In a process of its own: polars must not be loaded before the attack forks its processes.
    program = (
        "import io, sys, polars; file = io.BytesIO(); "
        "frame = polars.DataFrame({'a': ['x', 'y', 'x'] * 40, 'b': [1, 2, 3] * 40, 'c': ['u', 'v', None] * 40}); "
        "frame = frame.with_columns(polars.col('c').cast(polars.Categorical)); "
        f"frame.{writer}(file); sys.stdout.buffer.write(file.getvalue())"
    )
    return subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout


def _networks() -> list[Target]:
    found = []
    for name in NETWORK_FORMATS:
        kind = NETWORK_FORMATS[name]
        content = format_network(load_network("cancer"), name).encode() if kind.writable else DSC
        found.append(Target(f"network {name}", f"x{kind.suffixes[0]}", content, read_network))
    content = gzip.compress(format_network(load_network("cancer"), "json").encode(), mtime=0)
    return [*found, Target("network json.gz", "x.json.gz", content, read_network)]


def _graphs() -> list[Target]:
    dag = load_network("asia").dag
    found = []
    for name in GRAPH_FORMATS:
        suffix = next(iter(GRAPH_FORMATS[name].suffixes), ".csv")
        found.append(Target(f"graph {name}", f"x{suffix}", format_graph(dag, name).encode(), read_graph))
    return found


def _others() -> list[Target]:
    known = json.dumps({"required_arcs": [["a", "b"]], "max_parents": {"a": 2}}).encode()
    table = b"ID,Parent,Child\n1,a,b\n2,b,c\n"
    return [
        Target("knowledge toml", "x.toml", TOML, read_knowledge),
        Target("knowledge json", "x.json", known, read_knowledge),
        Target("knowledge csv", "constraintsDirected.csv", table, read_knowledge),
        Target("plan", "x.toml", PLAN, read_plan),
        Target("result, score-based", "result.json", _result("mahc"), _use_result),
        Target("result, test-based", "result.json", _result("fci"), _use_result),
        Target("store", "rows.sqlite", _store(), lambda path: read_store(path.parent)),
    ]


def _result(algorithm: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        mahc.learn({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30, "c": list("uvw") * 20}, algorithm).save(file)
        return file.read_bytes()


def _use_result(path: Path) -> None:
    learned = mahc.Learned.load(path)
    repr(learned)
    learned.save(path)
    for tail, head in zip(learned.variables, learned.variables[1:], strict=False):
        learned.explain(tail, head)


def _store() -> bytes:
    outline = Outline("mine", (ContestantInfo("HC"),), ("asia",), (100,), ("clean",), (1,), 60, 100, 1)
    with tempfile.TemporaryDirectory() as folder:
        with Store.open(Path(folder)) as store:
            store.begin(outline, ["1"])
            row = Row("HC", "asia", "clean", 100, 1, "done", measures={"f1": 0.5}, score=-10.0)
            store.add("1", StoredRow(row, 60, 100), {})
        return (Path(folder) / "rows.sqlite").read_bytes()
