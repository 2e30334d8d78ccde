"""The worked examples of CONTRIBUTING.md: each is registered as printed, and everything that lists plug-ins has it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import gaussian_score
import pytest

pytestmark = pytest.mark.long

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


def test_there_are_five_examples() -> None:
    assert [Path(path).parent.name for path in EXAMPLES] == ["scores", "score_based", "sampling", "files", "files"]


@pytest.mark.parametrize("path", EXAMPLES)
def test_the_one_line_that_registers_is_in_a_file_that_exists(path: str) -> None:
    named = re.findall(r"`(src/mahc/[\w/]+/__init__\.py)`", TEXT[TEXT.index(path) :])
    assert (ROOT / named[0]).is_file()
    assert not (ROOT / path).exists()


def test_a_score_in_pure_python_learns_as_printed(tmp_path: Path) -> None:
    (tmp_path / "gaussian_aic.py").write_text(gaussian_score.CODE, encoding="utf-8")
    (tmp_path / "use.py").write_text(gaussian_score.USE, encoding="utf-8")
    shown = subprocess.run([sys.executable, "use.py"], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert f"It prints `{shown.stdout.strip()}`." in TEXT


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


def test_a_new_sampler_is_known_everywhere() -> None:
    check(
        "src/mahc/algorithms/sampling/structure_mcmc.py",
        """
import itertools, math, pathlib, tempfile
import mahc, pytest
from mahc.scores import BDeu
columns = {"a": list("xxyyxyxyxx"), "b": list("uvuvuvuuvv"), "c": list("xxyyxyxyyy")}
learned = mahc.learn(columns, "structure-mcmc", graphs=4000, warm_up=200, thinning=5, seed=3)
sample = learned.confidence
assert isinstance(sample, mahc.GraphSample) and (sample.size, sample.origin, sample.seed) == (4000, "posterior", 3)
assert sum(member.weight for member in sample.members) == 4000 and 0 < sample.diagnostics["accepted"] < 1
assert learned.stop_reason == "converged" and learned.score == max(
    mahc.score_graph(graph, columns, objective="bdeu").total for graph in (learned.dag, mahc.DAG("abc", [])))
# The shares are those of the exact posterior: all 25 DAGs of three variables, weighed by their score.
names, weights = "abc", {}
for marks in itertools.product((None, 0, 1), repeat=3):
    pairs = itertools.combinations(names, 2)
    arcs = [pair if mark else pair[::-1] for pair, mark in zip(pairs, marks) if mark is not None]
    try:
        dag = mahc.DAG(names, arcs)
    except mahc.MahcError:
        continue
    weights[dag] = 2.0 ** mahc.score_graph(dag, columns, objective="bdeu").total
assert len(weights) == 25
total = sum(weights.values())
for pair in itertools.permutations(names, 2):
    exact = sum(weight for dag, weight in weights.items() if pair in dag.arcs) / total
    assert abs(sample.direction(*pair) - exact) < 0.05, (pair, sample.direction(*pair), exact)
# Saved, loaded, averaged, shown.
folder = pathlib.Path(tempfile.mkdtemp())
sample.save(folder / "sample.json")
assert mahc.GraphSample.load(folder / "sample.json") == sample
mahc.write_result(learned, folder / "out")
loaded = mahc.Learned.load(folder / "out" / "result.json")
assert loaded == learned and loaded.confidence == sample
assert (folder / "out" / "confidence.csv").exists()
assert mahc.average(sample).graphs == 4000 and mahc.average([sample, learned.dag]).graphs == 4001
assert "4,000 sampled graphs (posterior, seed 3)" in loaded._repr_html_()
assert "of 4,000 sampled graphs" in str(loaded.explain("a", "c"))
loaded.report(folder / "report.html", columns)
assert "4,000 sampled graphs" in (folder / "report.html").read_text()
again = mahc.replay(loaded, columns)
assert again == learned and again.confidence.graphs == sample.graphs
from mahc.confidence import query_spread
asked = query_spread(columns, "c", {"a": "x"}, sample=sample)
assert abs(sum(asked[state] for state in "xy") - 1) < 1e-9 and asked.method == "posterior"
slow = [mahc.Model.fit(dag, columns, prior=1.0).query("c", {"a": "x"})["x"] for dag in sample.dags]
weighted = sum(member.weight * answer for member, answer in zip(sample.members, slow)) / 4000
assert abs(asked["x"] - weighted) < 1e-9
assert query_spread(columns, "c", sample=mahc.bootstrap(columns, "hc", resamples=2)).method == "bootstrap"
# Limits, knowledge, settings, command line, resamples.
stopped = mahc.learn(columns, "structure-mcmc", graphs=10**6, time_limit=0.3)
assert stopped.stop_reason == "time_limit" and 1 <= stopped.confidence.size < 10**6
known = {"forbidden_edges": [("a", "c")], "required_arcs": [("b", "c")]}
bound = mahc.learn(columns, "structure-mcmc", graphs=200, knowledge=known).confidence
assert bound.edge("a", "c") == 0 and bound.direction("b", "c") == 1
with pytest.raises(mahc.MahcError, match="graphs is 0: give a whole number from 1"):
    mahc.learn(columns, "structure-mcmc", graphs=0)
assert mahc.bootstrap(columns, "structure-mcmc", resamples=3, graphs=20, warm_up=10).size == 3
code, out, err = mahc_command("learn", "asia", "--algorithm", "structure-mcmc", "--graphs", "50", "--warm-up", "10")
assert code == 0 and "50 sampled graphs" in out, (out, err)
""",
    )


def test_a_new_saved_field_is_one_change_in_one_file() -> None:
    path, diff = re.findall(r"change `(src/mahc/[\w/]+\.py)`:\n\n```diff\n(.*?)```", TEXT, re.DOTALL)[0]
    code = (ROOT / path).read_text(encoding="utf-8")
    for hunk in diff.split("@@\n"):
        context = "".join(line[1:] for line in hunk.splitlines(True) if line[0] == " ")
        changed = "".join(line[1:] for line in hunk.splitlines(True))
        assert code.count(context) == 1, context
        code = code.replace(context, changed)
    EXAMPLES[path] = code
    check(
        path,
        """
import json, pathlib, platform, tempfile
import mahc
from mahc.documents import make_schema
from mahc.results.records import RunRecord
columns = {"a": ["x", "y"] * 40, "b": ["x", "y"] * 40}
file = pathlib.Path(tempfile.mkdtemp()) / "result.json"
learned = mahc.learn(columns, "hc").with_confidence(mahc.bootstrap(columns, "hc", resamples=3))
learned.save(file)
found = json.loads(file.read_text())
assert found["computer"] == found["confidence"]["computer"] == platform.node()
loaded = mahc.Learned.load(file)
assert loaded.run.computer == loaded.confidence.run.computer == platform.node()
assert "computer" in make_schema(RunRecord)["$defs"]["RunRecord"]["properties"]
file.write_text(json.dumps({**found, "computer": 3}))
try:
    mahc.Learned.load(file)
except mahc.MahcError as refused:
    assert "is damaged (expected `str`, got `int` - at `$.computer`): learn again" in str(refused)
else:
    raise AssertionError
""",
    )
