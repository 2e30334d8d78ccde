"""The worked examples of CONTRIBUTING.md: each is registered as printed, and everything that lists plug-ins has it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"Create `(src/mahc/[\w/]+\.py)`:\n\n```python\n(.*?)```", TEXT, re.DOTALL))

REGISTER = """
import sys, types
def register(path, code):
    name = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(code, path, "exec"), module.__dict__)
def mahc_command(*words):
    import contextlib, io
    from mahc.cli.main import run
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            run(list(words))
        except SystemExit as ended:
            return ended.code or 0, out.getvalue(), err.getvalue()
"""


def check(path: str, statements: str) -> None:
    """Register one example in a new process, then run the statements there."""
    code = f"{REGISTER}\nregister({path!r}, {EXAMPLES[path]!r})\n{statements}"
    folder = str(ROOT / "tools")
    environment = {**os.environ, "COLUMNS": "200", "TOOLS": folder}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr


def test_there_are_four_examples() -> None:
    assert [Path(path).parent.name for path in EXAMPLES] == ["scores", "score_based", "files", "files"]


@pytest.mark.parametrize("path", EXAMPLES)
def test_the_one_line_that_registers_is_in_a_file_that_exists(path: str) -> None:
    named = re.findall(r"`(src/mahc/[\w/]+/__init__\.py)`", TEXT[TEXT.index(path) :])
    assert (ROOT / named[0]).is_file()
    assert not (ROOT / path).exists()


def test_a_new_score_is_known_everywhere() -> None:
    check(
        "src/mahc/scores/hannan_quinn.py",
        """
import mahc, pytest
columns = {"a": ["x", "y"] * 40, "b": ["x", "y"] * 40}
assert mahc.learn(columns, "hc", objective="hannan-quinn").arcs
assert mahc.HC(objective="hannan-quinn").fit(columns).learned_.run.score.name == "hannan-quinn"
with pytest.raises(mahc.MahcError, match="did you mean 'hannan-quinn'"):
    mahc.learn(columns, "hc", objective="hannan-quin")
assert "hannan-quinn" in mahc_command("learn", "--help")[1]
code, out, err = mahc_command("learn", "asia", "--score", "hannan-quinn", "--json")
assert (code, err) == (0, "") and '"hannan-quinn"' in out
code, out, err = mahc_command("learn", "asia", "--score", "hannan")
assert code == 2 and "hannan-quinn" in err
import os, sys
sys.path.insert(0, os.environ["TOOLS"])
import make_settings_tables
assert "hannan-quinn" in make_settings_tables.make_page()
""",
    )


def test_a_new_algorithm_and_its_setting_are_known_everywhere() -> None:
    check(
        "src/mahc/algorithms/score_based/random_restarts.py",
        """
import mahc, pytest
from mahc.estimators import estimator_for
columns = {"a": ["x", "y"] * 40, "b": ["x", "y"] * 40, "c": ["x", "x", "y", "y"] * 20}
learned = mahc.learn(columns, "random-restarts", restarts=4)
assert len(learned.arcs) == 1 and learned.settings["restarts"] == 4
with pytest.raises(mahc.MahcError, match="restarts is 0: give a whole number from 1 to 1,000"):
    mahc.learn(columns, "random-restarts", restarts=0)
estimator = estimator_for("random-restarts")
assert estimator.__name__ == "RandomRestarts"
assert estimator(restarts=2).fit(columns).learned_.settings["restarts"] == 2
assert "restarts" in estimator.__doc__
code, out, err = mahc_command("learn", "--help")
assert "--restarts" in out and "Number of climbs." in out
code, out, err = mahc_command("learn", "asia", "--algorithm", "random-restarts", "--restarts", "2", "--json")
assert (code, err) == (0, "")
code, out, err = mahc_command("learn", "asia", "--algorithm", "random-restarts", "--restarts", "0")
assert code == 2 and "--restarts is 0" in err
code, out, err = mahc_command("learn", "asia", "--restarts", "2")
assert code == 2 and "restarts" in err
import os, pathlib, sys, tempfile
from mahc.lab import read_plan
plan = pathlib.Path(tempfile.mkdtemp()) / "plan.toml"
plan.write_text('cases = ["asia"]\\nsizes = [100]\\nseeds = [1]\\ndata = ["clean"]\\n'
    '[[contestants]]\\nlabel = "RR"\\nalgorithm = "random-restarts"\\nsettings = { restarts = 5 }\\n')
assert "5" in str(read_plan(plan).contestants[0])
sys.path.insert(0, os.environ["TOOLS"])
import make_settings_tables
assert "| `restarts` |" in make_settings_tables.make_page()
""",
    )


def test_a_new_graph_format_is_known_everywhere() -> None:
    check(
        "src/mahc/graphs/files/pairs.py",
        """
import pathlib, tempfile, pytest
from mahc import DAG, MahcError
from mahc.graphs.files import read_graph, write_graph
file = pathlib.Path(tempfile.mkdtemp()) / "graph.pairs"
graph = DAG(["a", "b", "c"], [("a", "b"), ("b", "c")])
write_graph(graph, file)
assert file.read_text() == "a b\\nb c\\n" and read_graph(file) == graph
file.write_text("a b\\nb\\n")
with pytest.raises(MahcError, match="line 2"):
    read_graph(file)
with pytest.raises(MahcError, match=r"\\.pairs"):
    read_graph(file.with_suffix(".nothing"))
file.write_text("a b\\nb c\\n")
code, out, err = mahc_command("compare", str(file), str(file), "--json")
assert (code, err) == (0, "")
import os, sys
sys.path.insert(0, os.environ["TOOLS"])
import make_format_tables
assert ".pairs" in make_format_tables.make_page()
""",
    )


def test_a_new_network_format_is_known_everywhere() -> None:
    check(
        "src/mahc/networks/files/json_lines.py",
        """
import pathlib, tempfile, pytest
from mahc import MahcError
from mahc.networks import load_network
from mahc.networks.files import read_network, write_network
file = pathlib.Path(tempfile.mkdtemp()) / "asia.jsonl"
asia = load_network("asia")
write_network(asia, file)
assert read_network(file).dag == asia.dag
code, out, err = mahc_command("compare", str(file), "asia", "--json")
assert (code, err) == (0, ""), err
file.write_text("[]")
with pytest.raises(MahcError, match="asia.jsonl"):
    read_network(file)
import os, sys
sys.path.insert(0, os.environ["TOOLS"])
import make_format_tables
assert ".jsonl" in make_format_tables.make_page()
""",
    )
