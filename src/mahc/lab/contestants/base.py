"""What takes part in an experiment: anything that learns a graph from a sample."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from mahc.lab.outline import ContestantInfo, Selection
from mahc.lab.plan_tables import Flag, Seeds, Sizes, Table, Text, Texts
from mahc.lab.processes import Limits
from mahc.registry import Registry

if TYPE_CHECKING:
    from mahc.data import Dataset
    from mahc.graphs import DAG, MixedGraph
    from mahc.lab.generators import Generated
    from mahc.lab.samples import RealData
    from mahc.networks import Simulation

# By the key that a plan gives: algorithm = "hc", command = [...].
KINDS: Registry[type[Contestant]] = Registry("kind of contestant")


def state_version(stated: str, files: Iterable[Path]) -> str:
    """A text that changes when the stated version or a file changes.

    >>> state_version("2", [])
    '2'
    """
    return " ".join([*filter(None, [stated]), *(_fingerprint(file) for file in files if file.is_file())])


def _fingerprint(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()[:12]}"
    except OSError:  # a program can be executable without being readable
        return "unreadable"


class CellError(Exception):
    """A contestant failed; the sentence becomes the row's reason."""


@dataclass(frozen=True)
class Sample:
    """The data of a cell, the network they were drawn from, and a folder for the cell's files."""

    simulation: Simulation | Generated | RealData
    folder: Path
    begin: Callable[[], None] = field(default=lambda: None)  # called when learning begins: the time counts from then
    seed: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return self.simulation.data.names

    def shuffled(self, salt: str = "") -> Dataset:
        """The data with their columns in an order that says nothing; another salt gives another order.

        The columns of a sample are in the order of the network's file, which is often an order of causes.
        """
        return self.simulation.data.select(
            sorted(self.names, key=lambda name: sha256(f"{salt}{name}".encode()).digest())
        )

    def write_csv(self, shuffle: bool = False) -> Path:
        """The data as a CSV file, for learners that read one."""
        from mahc.networks.simulation_files import write_table

        file = self.folder / "data.csv"
        write_table(self.shuffled() if shuffle else self.simulation.data, file)
        return file


@dataclass(frozen=True)
class Answer:
    """What a contestant learned: a graph over the sample's variables, the seconds it took, and why it stopped.

    `pattern` is compared with the truth where that is not the graph itself. `has_answer` is False where the time
    limit came before the learner had a graph of its own.
    """

    graph: DAG | MixedGraph
    seconds: float
    stop_reason: str | None = None
    pruned_per_level: tuple[int, ...] | None = None
    gap: float | None = None
    pattern: MixedGraph | None = None
    has_answer: bool = True


class Contestant(Table, frozen=True):
    """One contestant of an experiment: its fields are the keys of its table in a plan."""

    label: Text
    learning_class: str = ""
    paper_name: str = ""
    best_so_far: Flag = False
    cases: Texts = ()  # with `sizes` and `seeds`, the samples in which it takes part; empty means all
    sizes: Sizes = ()
    seeds: Seeds = ()
    folder: str = "."  # where the plan lies

    kind: ClassVar[str]
    stops_itself: ClassVar[bool] = False  # whether it stops at the time limit and returns its best graph

    @property
    def algorithm(self) -> str:
        """What learns, in one or two words."""
        raise NotImplementedError

    def version(self) -> str:
        """The version of what learns; a new version makes the cells run again."""
        raise NotImplementedError

    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Learn a graph; called in the process of the cell."""
        raise NotImplementedError

    def check(self) -> None:
        """Refuse what the plan says of it, with a `BadValueError` of one key or a MahcError."""

    def identity(self) -> dict[str, Any]:
        """Everything except the version that the graph depends on."""
        return {}

    def settings_text(self) -> str:
        """The settings as a person reads them."""
        return ""

    def unavailable_reason(self) -> str | None:
        """Why it cannot run on this machine, in a sentence; None where it can."""
        return None

    @property
    def selection(self) -> Selection:
        """The samples in which it takes part."""
        return Selection(self.cases, self.sizes, self.seeds)

    def info(self) -> ContestantInfo:
        """What the outline of an experiment says of it."""
        return ContestantInfo(
            *(self.label, self.algorithm, self.learning_class, self.settings_text(), self.version(), self.paper_name),
            selection=self.selection,
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON, from which `make_contestant` makes it again; a cell does not depend on the selection."""
        fields = msgspec.to_builtins(self)
        return {"kind": self.kind, **{key: fields[key] for key in fields if key not in ("cases", "sizes", "seeds")}}


def make_contestant(found: Mapping[str, Any]) -> Contestant:
    """The contestant that `to_dict` described."""
    return msgspec.convert({key: found[key] for key in found if key != "kind"}, KINDS[found["kind"]])
