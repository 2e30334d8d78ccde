"""A Python function of the user's, which takes the path of a CSV file and returns edges.

The plan names the code, and it runs with your rights: read a plan from somebody else before you run it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from mahc.errors import SettingError
from mahc.experiment.contestants.base import KINDS, Answer, CellError, Contestant, Sample
from mahc.experiment.contestants.versions import state_version
from mahc.experiment.limits import Limits

if TYPE_CHECKING:
    from mahc.graphs import DAG, MixedGraph


@KINDS.register("callable")
@dataclass(frozen=True)
class PythonFunction(Contestant):
    """`place` is `module:function` or `file.py:function`; it takes the path of a CSV file and returns the edges.

    An edge is (from, to), or (left, mark, right) with a mark such as `-->`, `---`, `<->`, `o->`.

    >>> PythonFunction("mine", place="mine.py:learn", folder="/plans").file.name
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
