"""No command prints a control character that came from a name: not on stdout, not on stderr, not as JSON."""

from __future__ import annotations

import ast
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import mahc
from mahc.cli import printing
from mahc.cli.main import COMMANDS, run
from mahc.safe_text import escape_controls, escape_controls_in_json

pytestmark = pytest.mark.long

# A title of the window, colours in seven and eight bits, the direction of text, a line of its own, a bell.
EVIL = "\x1b]0;PWNED\x07\x9b31m\x7f\u202e\u2028x\nmahc: INJECTED"
A, B, C = f"a{EVIL}", f"b{EVIL}", "c"


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of every format with such names in them."""
    folder = tmp_path_factory.mktemp("evil")
    rows = "".join(
        f"{quoted(x + EVIL)},{quoted(y + EVIL)},{z}\n" for x, y, z in ["uuk", "vvk", "uum", "vvm", "uuk"] * 8
    )
    header = f"{quoted(A)},{quoted(B)},c\n"
    (folder / "data.csv").write_text(header + rows)
    (folder / "gaps.csv").write_text(header + rows + f"{quoted('u' + EVIL)},,k\n")
    (folder / "twice.csv").write_text(f"{quoted(A)},{quoted(A)}\n1,2\n")
    (folder / "ragged.csv").write_text(f"{quoted(A)},b\n1\n")
    (folder / "known.toml").write_text(f"required_arcs = [[{json.dumps(B)}, {json.dumps(A)}]]\n")
    (folder / "unknown.toml").write_text(f"required_arcs = [[{json.dumps('zz' + EVIL)}, {json.dumps(A)}]]\n")
    (folder / "key.toml").write_text(f"{json.dumps(A)} = 1\n")
    (folder / "known.json").write_text(json.dumps({"required_arcs": [[A, "zz" + EVIL]]}))
    (folder / "constraintsDirected.csv").write_text(f"ID,Parent,Child\n1,{quoted(A)},{quoted('zz' + EVIL)}\n")
    (folder / "graph.csv").write_text(f"from,to\n{quoted(A)},{quoted(B)}\n")
    (folder / "graph.dot").write_text(f'digraph {{ "{A}" -> "{B}"; c }}')
    (folder / "cycle.dot").write_text(f'digraph {{ "{A}" -> "{B}"; "{B}" -> "{A}" }}')
    (folder / "bad.dot").write_text(f'digraph {{ "{A}" -> ] }}')
    (folder / "net.bif").write_text(f"network x {{ }}\nvariable {EVIL} {{ type discrete [ 2 ] {{ a, b }}; }}\n")
    state = {"name": A, "states": ["s" + EVIL, "t"], "parents": [], "table": [0.5, 0.5]}
    (folder / "net.json").write_text(json.dumps({"variables": [state]}))
    (folder / "plan.toml").write_text(f"sizes = [10]\ncases = [{json.dumps(A)}]\n{json.dumps(B)} = 1\n")
    (folder / "label.toml").write_text(f'sizes = [10]\ncases = ["asia"]\n[[contestants]]\nlabel = {json.dumps(A)}\n')
    (folder / "syntax.toml").write_text(f"sizes = {A}\n")
    learned = mahc.learn(folder / "data.csv", "hc")
    mahc.write_result(learned, folder / "result")
    mahc.write_result(mahc.learn(folder / "data.csv", "pc-stable"), folder / "tested")
    damaged = json.loads((folder / "result" / "result.json").read_text())
    damaged["arcs"] = [[A, "zz" + EVIL]]
    (folder / "damaged.json").write_text(json.dumps(damaged))
    damaged["format_version"] = EVIL
    (folder / "version.json").write_text(json.dumps(damaged))
    (folder / f"named{EVIL}.bif").write_text("network x { }")
    return folder


LINES: dict[str, list[list[str]]] = {
    "learn": [
        ["data.csv"],
        ["data.csv", "--json"],
        ["data.csv", "--out", "out"],
        ["data.csv", "--algorithm", "pc-stable"],
        ["data.csv", "--knowledge", "known.toml"],
        ["data.csv", "--knowledge", "unknown.toml"],
        ["data.csv", "--knowledge", "key.toml"],
        ["data.csv", "--knowledge", "known.json"],
        ["data.csv", "--knowledge", "constraintsDirected.csv"],
        ["data.csv", "--start", "graph.dot"],
        ["data.csv", "--start", "cycle.dot"],
        ["data.csv", "--require", "zz,c"],
        ["data.csv", "--require", f"{EVIL},c"],
        ["data.csv", "--algorithm", EVIL],
        ["data.csv", f"--{EVIL}"],
        ["gaps.csv"],
        ["twice.csv"],
        ["ragged.csv"],
        [f"{EVIL}.csv"],
        [EVIL],
    ],
    "explain": [
        ["result", A, B],
        ["result", B, A],
        ["result", A, "c"],
        ["result", A, B, "--json"],
        ["result", A, EVIL],
        ["tested", A, B],
        ["damaged.json", A, B],
        ["version.json", A, B],
    ],
    "bootstrap": [
        ["data.csv", "--resamples", "3", "--out", "sure"],
        ["data.csv", "--resamples", "3", "--json"],
        ["data.csv", "--resamples", "3", "--algorithm", "fci"],
        ["data.csv", "--resamples", "4", "--resume", "sure"],
        ["data.csv", "--resume", EVIL],
        ["data.csv", "--how", EVIL],
    ],
    "posterior": [
        ["data.csv", "--samples", "20"],
        ["data.csv", "--samples", "20", "--json"],
        ["data.csv", "--score", EVIL],
        ["data.csv", "--resume", EVIL],
    ],
    "panel": [
        ["data.csv", "--subject", A, "--time", "c"],
        ["data.csv", "--subject", EVIL, "--time", "c"],
        ["data.csv", "--subject", A, "--time", B, "--json"],
    ],
    "consensus": [
        ["data.csv", "--algorithms", "mahc,hc"],
        ["data.csv", "--algorithms", "mahc,hc/bdeu", "--resamples", "2", "--json"],
        ["data.csv", "--algorithms", EVIL],
        ["data.csv", "--algorithms", "mahc"],
    ],
    "average": [
        ["graph.csv", "graph.dot"],
        ["graph.csv", "graph.dot", "--json"],
        ["graph.csv", "net.json", "--least", "3"],
        ["graph.csv", EVIL],
        ["graph.csv"],
    ],
    "replay": [["result", "data.csv"], ["result", "gaps.csv"], ["result", "data.csv", "--drop", A]],
    "audit": [["data.csv"], ["data.csv", "--json"], ["gaps.csv"], ["gaps.csv", "--json"], ["twice.csv"]],
    "compare": [
        ["graph.csv", "graph.dot"],
        ["result", "tested"],
        ["result", "tested", "--json"],
        ["result", "graph.dot", "--data", "data.csv"],
        ["graph.csv", "cycle.dot"],
        ["graph.csv", "bad.dot"],
        [EVIL, "graph.csv"],
    ],
    "fit": [
        ["graph.dot", "data.csv", "--out", "fitted.json"],
        ["graph.csv", "data.csv", "--out", "fitted.bif"],
        ["graph.dot", "data.csv", "--out", "fitted.bif", "--safe-names"],
        ["damaged.json", "data.csv", "--out", "fitted.json"],
    ],
    "sample": [
        ["net.json", "--rows", "10", "--out", "sampled"],
        ["net.json", "--rows", "10", "--out", "spoilt", "--noise", "cMISL"],
        ["net.bif", "--rows", "10", "--out", "sampled2"],
        [EVIL, "--rows", "10", "--out", "sampled3"],
        ["asia", "--rows", "10", "--out", "sampled4", "--noise", EVIL],
        ["asia", "--rows", EVIL, "--out", "sampled5"],
    ],
    "query": [
        ["net.json", A],
        ["net.json", A, "--json"],
        ["net.json", EVIL],
        ["net.json", A, "--given", f"c={EVIL}"],
        ["net.json", A, "--do", f"{A}={EVIL}"],
    ],
    "adjust": [["graph.csv", A, B], ["graph.csv", B, A, "--json"], ["graph.csv", EVIL, A], ["net.json", A, A]],
    "ask": [["missing", "--data", "data.csv"], [EVIL, "--data", "data.csv"]],
    "effect": [["net.json", A, A], ["net.json", EVIL, A], ["net.json", A, EVIL, "--json"]],
    "predict": [["net.json", "data.csv", A], ["net.json", "data.csv", EVIL], ["net.json", EVIL, A]],
    "check": [["graph.dot", "data.csv"], ["graph.dot", "data.csv", "--json"], ["graph.dot", EVIL], [EVIL, "data.csv"]],
    "validate": [
        ["data.csv", "--algorithms", "mahc,hc", "--folds", "2", "--seed", "1"],
        ["data.csv", "--algorithms", EVIL],
        ["twice.csv", "--algorithms", "mahc"],
    ],
    "report": [
        ["result", "--out", "report.html"],
        [EVIL, "--out", "report2.html"],
        ["damaged.json", "--out", "r.html"],
    ],
    "mcp": [[EVIL], [".", "--letters", EVIL]],
    "ui": [["--port", EVIL], [f"{EVIL}.csv", "--port", EVIL]],
    "networks": [["--networks", "."], ["--networks", ".", "--json"], ["--networks", EVIL]],
    "score": [
        ["data.csv", "graph.dot"],
        ["data.csv", "graph.dot", "--json"],
        ["data.csv", "result"],
        ["data.csv", "cycle.dot"],
        ["data.csv", "net.json"],
    ],
    "experiment": [
        ["run", "plan.toml", "--store", "store"],
        ["run", "label.toml", "--store", "store"],
        ["run", "syntax.toml", "--store", "store"],
        ["run", EVIL, "--store", "store"],
        ["report", EVIL, "--out", "report"],
        [EVIL],
    ],
}


def acting(text: str) -> list[str]:
    return [each for each in text if each != "\n" and unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


def check(text: str) -> None:
    assert not acting(text), text
    assert not re.search(r"^\s*mahc: INJECTED", text, re.MULTILINE), text


def test_every_command_is_here() -> None:
    assert {*LINES} == {*COMMANDS}


@pytest.mark.parametrize("command", LINES)
def test_no_command_prints_a_control_character(
    command: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    for words in LINES[command]:
        with pytest.raises(SystemExit) as end:
            run([command, *words])
        said = capsys.readouterr()
        assert end.value.code in (0, 2), (words, said.err)
        assert said.out + said.err, words
        check(said.out)
        check(said.err)
        if "--json" in words and end.value.code == 0:
            json.loads(said.out)


def on_terminal(words: list[str], place: Path) -> str:
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "300"}
    command = [sys.executable, "-m", "mahc", *words]
    with subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, cwd=place, env=environment):
        os.close(follower)
        return b"".join(read_all(leader)).decode()


def read_all(leader: int) -> Iterator[bytes]:
    while True:
        try:
            yield os.read(leader, 1 << 16)
        except OSError:  # the other side is closed
            os.close(leader)
            return


@pytest.mark.parametrize("words", [["learn", "data.csv"], ["audit", "data.csv"], ["explain", "result", A, B]])
def test_a_terminal_gets_colours_of_ours_alone(words: list[str], place: Path) -> None:
    text = on_terminal(words, place)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r", "")
    check(plain)
    assert "\x9b" not in text
    assert r"\x1b]0;PWNED\x07" in plain


def test_the_next_line_can_be_pasted_into_a_shell(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    with pytest.raises(SystemExit):
        run(["learn", "data.csv", "--out", "pasted"])
    line = next(each for each in capsys.readouterr().out.splitlines() if each.startswith("Next: "))
    command = line.removeprefix("Next: mahc ").partition("   says why")[0].strip()
    printed = subprocess.run(["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=True)
    names = printed.stdout.decode().split("\0")
    assert names[:2] == ["explain", "pasted"]
    assert {*names[2:4]} <= {A, B, C}


def test_only_one_module_prints() -> None:
    folder = Path(printing.__file__).parent
    for file in folder.rglob("*.py"):
        if file.name == "printing.py":
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if file.name == "main.py" and name == "print":  # two fixed texts, before anything else is imported
                continue
            assert name not in ("print", "sys.stdout.write", "sys.stderr.write", "Console"), (file, name)


@pytest.mark.parametrize(
    "keep", ["Straße", "日本", "שלום", "می\u200cخواهم", "👩\u200d🔬", "a b", "x\u00a0y", "é", "e\u0301"]
)
def test_ordinary_text_stays(keep: str) -> None:
    assert escape_controls(keep) == keep


ESCAPES: list[tuple[str, Callable[[str], str], str]] = [
    ("\x1b", escape_controls, r"\x1b"),
    ("\n", escape_controls, r"\n"),
    ("\u202e", escape_controls, r"\u202e"),
    ("\u2066", escape_controls, r"\u2066"),
    ("\x9b", escape_controls, r"\x9b"),
    ("\ud800", escape_controls, r"\ud800"),
    ("\x9b", escape_controls_in_json, r"\u009b"),
    ("\U000e0001", escape_controls_in_json, r"\udb40\udc01"),
]


@pytest.mark.parametrize(("text", "escape", "shown"), ESCAPES)
def test_what_acts_is_escaped(text: str, escape: Callable[[str], str], shown: str) -> None:
    assert escape(f"a{text}b") == f"a{shown}b"
