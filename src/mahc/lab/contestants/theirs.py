"""Contestants from outside: a Python function, any program, a learner of another package.

The plan names the code, and it runs with your rights: read a plan from somebody else before you run it."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import metadata
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from mahc.errors import SettingError, UnknownNameError, find_near
from mahc.files import read_bounded_text
from mahc.lab.contestants import peer_script
from mahc.lab.contestants.base import KINDS, Answer, CellError, Contestant, Sample, state_version
from mahc.lab.plan_tables import BadValueError, Flag, Text, Words
from mahc.lab.processes import Limits

if TYPE_CHECKING:
    from mahc.graphs import DAG, MixedGraph


LAST_BYTES = 1 << 16  # of stderr, from which the reason of a failure is taken
MAX_BYTES = 2**28


@KINDS.register("command")
class Program(Contestant, frozen=True):
    """A program with its arguments; `{data}` stands for the CSV file, `{output}` for the graph file that it writes.

    >>> Program("mine", words=("Rscript", "mine.R", "{data}", "{output}")).algorithm
    'Rscript'
    """

    words: Words = msgspec.field(default=(), name="command")
    output: str = ".csv"
    stated_version: str = msgspec.field(default="", name="version")

    kind: ClassVar[str] = "command"
    VERBATIM: ClassVar[tuple[str, ...]] = ("words",)

    @property
    def algorithm(self) -> str:
        """The program."""
        return Path(self.words[0]).name

    def version(self) -> str:
        """The version in the plan, and a fingerprint of the program and of the files among its arguments."""
        files = [Path(self.folder) / word for word in self.words[1:] if "{" not in word]
        return state_version(
            self.stated_version, [*filter(None, [self._program()]), *(f for f in files if f.is_file())]
        )

    def identity(self) -> dict[str, Any]:
        """The command line."""
        return {"words": list(self.words), "output": self.output}

    def check(self) -> None:
        """Refuse a command without its two files, and an output that is not a graph format."""
        from mahc.graphs.files import graph_suffixes

        if any("\0" in word for word in self.words):
            raise BadValueError("command", self.words, "a command cannot contain the character \\u0000: leave it out")
        for mark in ("{data}", "{output}"):
            if not any(mark in word for word in self.words[1:]):
                raise BadValueError("command", list(self.words), f"the program needs {mark}: add it to the command")
        if self.output not in graph_suffixes():
            known = ", ".join(graph_suffixes())
            raise BadValueError("output", self.output, f"give the suffix of a graph format: {known}")

    def settings_text(self) -> str:
        """The arguments."""
        return " ".join(self.words[1:])

    def unavailable_reason(self) -> str | None:
        """That the program is not installed."""
        if self._program() is not None:
            return None
        return f"the program '{self.words[0]}' is not installed: install it, or give its path"

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Run the program in the plan's folder, then read the graph."""
        from mahc.graphs.files import read_graph

        output = sample.folder / f"graph{self.output}"
        places = {"{data}": str(sample.write_csv()), "{output}": str(output)}
        words = [str(self._program()), *(_fill(word, places) for word in self.words[1:])]
        sample.begin()
        seconds = run_program(words, self.folder, sample.folder)
        if not output.is_file():
            raise CellError(f"the program '{self.words[0]}' ended without writing a graph to {{output}}")
        return Answer(read_graph(output, names=sample.names), seconds)

    def _program(self) -> Path | None:
        word = self.words[0]
        if "/" in word:
            path = Path(self.folder) / word
            return path if path.is_file() else None
        found = shutil.which(word)
        return Path(found) if found else None


def run_program(words: list[str], folder: str, scratch: Path) -> float:
    """Run a program and return its seconds; a failure carries the last line of its stderr."""
    quiet = subprocess.DEVNULL
    began = time.perf_counter()
    # Into a file: a program that prints much must not use up the memory of the cell.
    with (scratch / "stderr.txt").open("w+b") as stderr:
        try:
            done = subprocess.run(words, cwd=folder, stdin=quiet, stdout=quiet, stderr=stderr, check=False)
        except OSError as problem:
            raise CellError(f"the program '{words[0]}' cannot be run: {problem.strerror}") from None
        seconds = time.perf_counter() - began
        stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - LAST_BYTES))
        lines = stderr.read().decode(errors="replace").split("\n")
    if done.returncode:
        last = next((line.strip() for line in reversed(lines) if line.strip()), "no message on stderr")
        if "MemoryError" in last or "bad_alloc" in last:
            raise MemoryError(last)
        raise CellError(f"the program '{Path(words[0]).name}' ended with code {done.returncode}: {last[:300]}")
    return seconds


def _fill(word: str, places: dict[str, str]) -> str:
    for mark, path in places.items():
        word = word.replace(mark, path)
    return word


def defined_names(file: Path) -> frozenset[str] | None:
    """The names at the top level of a file; None where only running it shows them. Raises SyntaxError.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "mine.py"
    ...     _ = file.write_text("from math import log\\nif log(1) == 0:\\n    def learn(path): ...\\n")
    ...     sorted(defined_names(file))
    ['learn', 'log']
    """
    try:
        tree = ast.parse(file.read_bytes())
    except (ValueError, RecursionError, MemoryError):  # a zero byte, or nested too deeply: Python itself will say
        return None
    names = set(_bound(tree.body))
    # An import of everything, __getattr__ and changes of the module's dict give names that only a run shows.
    return None if names & {"*", "__getattr__"} or b"globals()" in file.read_bytes() else frozenset(names)


def _bound(statements: list[ast.stmt]) -> Iterator[str]:
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name
            continue  # what is within is not at the top level
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in statement.names)
        for node in ast.iter_child_nodes(statement):
            if isinstance(node, ast.expr):
                yield from _stored(node)
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                yield from _stored(node.optional_vars)
            elif isinstance(node, ast.ExceptHandler | ast.match_case):
                yield from _bound(node.body)
        for part in ("body", "orelse", "finalbody"):
            yield from _bound(getattr(statement, part, []))


def _stored(expression: ast.expr) -> Iterator[str]:
    for node in ast.walk(expression):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


@KINDS.register("callable")
class PythonFunction(Contestant, frozen=True):
    """`place` is `module:function` or `file.py:function`; it takes the path of a CSV file and returns the edges.

    An edge is (from, to), or (left, mark, right) with a mark such as `-->`, `---`, `<->`, `o->`.

    >>> PythonFunction("mine", place="mine.py:learn", folder="/plans").file.name
    'mine.py'
    """

    place: Text = msgspec.field(default="", name="callable")
    stated_version: str = msgspec.field(default="", name="version")

    kind: ClassVar[str] = "callable"

    @property
    def algorithm(self) -> str:
        """The function."""
        return self.place

    @property
    def file(self) -> Path | None:
        """The file that holds the function, found without running any code; None if there is none."""
        module = self.place.rpartition(":")[0]
        if module.endswith(".py"):
            return Path(self.folder) / module
        places: Iterable[str] | None = [self.folder, *sys.path]
        whole, origin = "", None
        for part in module.split("."):
            whole = f"{whole}.{part}" if whole else part
            spec = PathFinder.find_spec(whole, list(places or ()))
            if spec is None:
                return None
            places, origin = spec.submodule_search_locations, spec.origin
        return Path(origin) if origin else None

    def check(self) -> None:
        """Refuse a function that is not there; its file is parsed and not run."""
        module, colon, name = self.place.rpartition(":")
        if not (colon and module and name.isidentifier()):
            raise BadValueError("callable", self.place, 'write "module:function" or "file.py:function"')
        file = self.file
        if file is None or not file.is_file():
            raise BadValueError("callable", self.place, f"'{module}' is not found from {self.folder}: correct the path")
        if not os.access(file, os.R_OK):
            raise BadValueError("callable", self.place, f"'{file}' cannot be read: change its permissions")
        try:
            names = defined_names(file) if file.suffix == ".py" else None
        except SyntaxError as mistake:
            fix = f"'{module}' is not valid Python (line {mistake.lineno}): correct it"
            raise BadValueError("callable", self.place, fix) from None
        if names is not None and name not in names:
            near = find_near(name, names)
            advice = f"did you mean '{near}'?" if near else "correct the name"
            raise BadValueError("callable", self.place, f"'{module}' has no function '{name}': {advice}")

    def version(self) -> str:
        """The version in the plan, and a fingerprint of the file."""
        return state_version(self.stated_version, [self.file] if self.file else [])

    def identity(self) -> dict[str, Any]:
        """The place of the function."""
        return {"place": self.place}

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Load the file, then call the function; only the call is timed."""
        file = str(sample.write_csv())
        function = self._load()
        sample.begin()
        began = time.perf_counter()
        found = function(file)
        if not isinstance(found, Iterable):
            raise CellError(f"'{self.place}' returned {found!r}, not a list of edges")
        edges = [tuple(edge) for edge in found]
        seconds = time.perf_counter() - began
        return Answer(make_graph(sample.names, edges), seconds)

    def _load(self) -> Callable[[str], Iterable[Iterable[str]]]:
        module, _, name = self.place.rpartition(":")
        sys.path.insert(0, self.folder)
        loaded = _load_file(Path(self.folder) / module) if module.endswith(".py") else importlib.import_module(module)
        function = getattr(loaded, name, None)
        if not callable(function):
            raise CellError(f"'{module}' has no function '{name}'")
        found: Callable[[str], Iterable[Iterable[str]]] = function
        return found


def make_graph(names: tuple[str, ...], edges: list[tuple[str, ...]]) -> DAG | MixedGraph:
    """A DAG if all edges are arcs, otherwise a mixed graph."""
    from mahc.graphs import DAG, MixedGraph

    if odd := next((edge for edge in edges if len(edge) not in (2, 3)), None):
        raise CellError(f"the edge {odd!r} is neither (from, to) nor (left, mark, right)")
    marked: list[tuple[str, str, str]] = [(e[0], "-->", e[1]) if len(e) == 2 else (e[0], e[1], e[2]) for e in edges]
    if all(mark == "-->" for _, mark, _ in marked):
        return DAG(names, [(left, right) for left, _, right in marked])
    return MixedGraph(names, marked)


def _load_file(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise SettingError(f"'{file}' cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


@KINDS.register("peer")
class PeerAlgorithm(Contestant, frozen=True):
    """A learner of another package, by its name in `peer_script`; `python` may belong to another environment.

    >>> PeerAlgorithm("pyAgrum", name="pyagrum-hc").settings_text()
    'package pyagrum'
    """

    name: Text = msgspec.field(default="", name="peer")
    python: str = ""
    shuffle_columns: Flag = False

    kind: ClassVar[str] = "peer"

    @property
    def algorithm(self) -> str:
        """Its name in `peer_script`."""
        return self.name

    @property
    def package(self) -> str:
        """What pip calls the package."""
        return peer_script.PEERS[self.name][0]

    def version(self) -> str:
        """The version of the package, or `not installed`."""
        return f"{self.package} {installed_version(self.package, self.python) or 'not installed'}"

    def __post_init__(self) -> None:
        """Find a Python given by its path from the folder of the plan."""
        super().__post_init__()
        if "/" in self.python:
            path = str((Path(self.folder) / Path(self.python).expanduser()).absolute())
            msgspec.structs.force_setattr(self, "python", path)

    def check(self) -> None:
        """Refuse a learner that is not known."""
        if self.name not in peer_script.PEERS:
            raise UnknownNameError("peer", self.name, peer_script.PEERS)

    def identity(self) -> dict[str, Any]:
        """The name of the learner, and that its columns are shuffled."""
        return {"name": self.name, **({"shuffle_columns": True} if self.shuffle_columns else {})}

    def settings_text(self) -> str:
        """The package, and that its columns are shuffled."""
        return f"package {self.package}" + (", shuffled columns" if self.shuffle_columns else "")

    def unavailable_reason(self) -> str | None:
        """That the package is not installed."""
        if installed_version(self.package, self.python):
            return None
        python = self.python or sys.executable
        return (
            f"{self.package} is not installed: '{python} -m pip install {self.package}', or name a Python that has it"
        )

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Run the script, which times the learning alone."""
        output = sample.folder / "edges.json"
        script = str(Path(peer_script.__file__))
        words = [
            self.python or sys.executable,
            script,
            self.name,
            str(sample.write_csv(self.shuffle_columns)),
            str(output),
        ]
        sample.begin()
        run_program(words, str(sample.folder), sample.folder)
        found = json.loads(read_bounded_text(output, MAX_BYTES))
        return Answer(make_graph(sample.names, [tuple(edge) for edge in found["edges"]]), float(found["seconds"]))


@cache
def installed_version(package: str, python: str) -> str:
    """The version of a package in a Python, empty if it is not installed."""
    if not python:
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            return ""
    question = f"from importlib.metadata import version; print(version({package!r}))"
    try:
        result = subprocess.run([python, "-c", question], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""
