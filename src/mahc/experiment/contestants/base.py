"""What takes part in an experiment: anything that learns a graph from a sample."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from mahc.experiment.limits import Limits
from mahc.experiment.outline import ContestantInfo, Selection
from mahc.registry import Registry

if TYPE_CHECKING:
    from mahc.experiment.real_data import RealData
    from mahc.graphs import DAG, MixedGraph
    from mahc.networks import Simulation


class CellError(Exception):
    """A contestant failed; the sentence becomes the row's reason."""


@dataclass(frozen=True)
class Sample:
    """The data of a cell, the network they were drawn from, and a folder for the cell's files."""

    simulation: Simulation | RealData
    folder: Path
    begin: Callable[[], None] = field(default=lambda: None)  # called when learning begins: the time counts from then

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return self.simulation.data.names

    def write_csv(self, shuffle: bool = False) -> Path:
        """The data as a CSV file, for learners that read one; shuffled columns are in an order that says nothing.

        The columns of a sample are in the order of the network's file, which is often an order of causes.
        """
        from mahc.networks.table_file import write_table

        file, data = self.folder / "data.csv", self.simulation.data
        if shuffle:
            order = sorted(range(len(data.names)), key=lambda v: sha256(data.names[v].encode()).digest())
            data = data.select([data.names[v] for v in order])
        write_table(data, file)
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


@dataclass(frozen=True)
class Contestant(ABC):
    """One contestant of an experiment; its fields are what the plan says of it.

    All of them except `selection`, the samples in which it takes part, fit in JSON.
    """

    label: str
    learning_class: str = ""
    paper_name: str = ""
    best_so_far: bool = False
    selection: Selection = field(default=Selection(), kw_only=True)

    kind: ClassVar[str]
    stops_itself: ClassVar[bool] = False  # whether it stops at the time limit and returns its best graph

    @property
    @abstractmethod
    def algorithm(self) -> str:
        """What learns, in one or two words."""

    @abstractmethod
    def version(self) -> str:
        """The version of what learns; a new version makes the cells run again."""

    @abstractmethod
    def learn(self, sample: Sample, limits: Limits) -> Answer:
        """Learn a graph; called in the process of the cell."""

    def identity(self) -> dict[str, Any]:
        """Everything except the version that the graph depends on."""
        return {}

    def settings_text(self) -> str:
        """The settings as a person reads them."""
        return ""

    def unavailable_reason(self) -> str | None:
        """Why it cannot run on this machine, in a sentence; None where it can."""
        return None

    def info(self) -> ContestantInfo:
        """What the outline of an experiment says of it."""
        return ContestantInfo(
            *(self.label, self.algorithm, self.learning_class, self.settings_text(), self.version(), self.paper_name),
            selection=self.selection,
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON, from which `make_contestant` makes it again; a cell does not depend on the selection."""
        return {"kind": self.kind, **{f.name: getattr(self, f.name) for f in fields(self) if f.name != "selection"}}


# By the key that a plan gives: algorithm = "hc", command = [...].
KINDS: Registry[type[Contestant]] = Registry("kind of contestant")


def make_contestant(found: Mapping[str, Any]) -> Contestant:
    """The contestant that `to_dict` described; lists in JSON stand for tuples."""
    given: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in found.items() if key != "kind"}
    return KINDS[found["kind"]](**given)
