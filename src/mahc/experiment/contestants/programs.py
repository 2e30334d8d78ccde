"""The user's own learners: a Python function, or any program that reads a CSV file and writes a graph file.

They are code that the plan names, and run as such: a plan from somebody else is to be read before it is run.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from mahc.errors import SettingError
from mahc.experiment.contestants.base import KINDS, Answer, CellError, Contestant, Sample
from mahc.experiment.limits import Limits


@KINDS.register("callable")
@dataclass(frozen=True)
class OwnFunction(Contestant):
    """`place` is `module:function` or `file.py:function`; it takes the path of a CSV file and gives the edges.

    An edge is (from, to), or (left, mark, right) with a mark such as `-->`, `---`, `<->`, `o->`.

    >>> OwnFunction("mine", place="mine.py:learn", folder="/plans").file.name
    'mine.py'
    """

    place: str = ""
    folder: str = "."
    stated_version: str = ""

    kind: ClassVar[str] = "callable"

    @property
    def algorithm(self) -> str:
        """The function."""
        return self.place

    @property
    def file(self) -> Path | None:
        """The file that holds the function, found without running anything; None where there is none."""
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

    def version(self) -> str:
        """What the plan states, and a fingerprint of the file."""
        return _versions(self.stated_version, [self.file] if self.file else [])

    def essence(self) -> dict[str, Any]:
        """Which function."""
        return {"place": self.place}

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Load the file, then call the function; only the call is timed."""
        file = str(sample.write_csv())
        function = self._load()
        sample.begin()
        began = time.perf_counter()
        edges = [tuple(edge) for edge in function(file)]
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


@KINDS.register("command")
@dataclass(frozen=True)
class OwnCommand(Contestant):
    """A program with its words; `{data}` stands for the CSV file, `{output}` for the graph file that it writes.

    >>> OwnCommand("mine", words=("Rscript", "mine.R", "{data}", "{output}")).algorithm
    'Rscript'
    """

    words: tuple[str, ...] = ()
    folder: str = "."
    output: str = ".csv"
    stated_version: str = ""

    kind: ClassVar[str] = "command"

    @property
    def algorithm(self) -> str:
        """The program."""
        return Path(self.words[0]).name

    def version(self) -> str:
        """What the plan states, and a fingerprint of the program and the files among its words."""
        files = [Path(self.folder) / word for word in self.words[1:] if "{" not in word]
        return _versions(self.stated_version, [*filter(None, [self._program()]), *(f for f in files if f.is_file())])

    def essence(self) -> dict[str, Any]:
        """The words."""
        return {"words": list(self.words), "output": self.output}

    def settings_text(self) -> str:
        """The words after the program."""
        return " ".join(self.words[1:])

    def lacking(self) -> str | None:
        """Where the program is not there."""
        if self._program() is not None:
            return None
        return f"the program '{self.words[0]}' is not on this machine: install it, or give its path"

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Run the program in the folder of the plan, then read the graph."""
        from mahc.formats import read_graph

        output = sample.folder / f"graph{self.output}"
        places = {"{data}": str(sample.write_csv()), "{output}": str(output)}
        words = [str(self._program()), *(_fill(word, places) for word in self.words[1:])]
        sample.begin()
        seconds = run_program(words, self.folder)
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


def make_graph(names: tuple[str, ...], edges: list[tuple[str, ...]]) -> Any:
    """A DAG where all edges are pairs, else a graph with marks."""
    from mahc.graphs import DAG, MixedGraph

    if odd := next((edge for edge in edges if len(edge) not in (2, 3)), None):
        raise CellError(f"the edge {odd!r} is neither (from, to) nor (left, mark, right)")
    marked: list[tuple[str, str, str]] = [(e[0], "-->", e[1]) if len(e) == 2 else (e[0], e[1], e[2]) for e in edges]
    if all(mark == "-->" for _, mark, _ in marked):
        return DAG(names, [(left, right) for left, _, right in marked])
    return MixedGraph(names, marked)


def run_program(words: list[str], folder: str) -> float:
    """Run a program to its end and give the seconds; a failure is told by the last line of its stderr."""
    began = time.perf_counter()
    try:
        done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as problem:
        raise CellError(f"the program '{words[0]}' cannot be run: {problem.strerror}") from None
    seconds = time.perf_counter() - began
    if done.returncode:
        lines = done.stderr.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
        if "MemoryError" in last or "bad_alloc" in last:
            raise MemoryError(last)
        raise CellError(f"the program '{Path(words[0]).name}' ended with code {done.returncode}: {last[:300]}")
    return seconds


def _fill(word: str, places: dict[str, str]) -> str:
    for mark, path in places.items():
        word = word.replace(mark, path)
    return word


def _versions(stated: str, files: list[Path]) -> str:
    prints = [hashlib.sha256(file.read_bytes()).hexdigest()[:12] for file in files if file.is_file()]
    return " ".join([*filter(None, [stated]), *(f"sha256:{each}" for each in prints)])


def _load_file(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise SettingError(f"'{file}' cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module
