"""What a result keeps of the experiments in its data, and which directions they tell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mahc.data import Dataset
from mahc.data.columns import find_blocks
from mahc.data.prepare.notes import enumerate_some
from mahc.documents import Document, Whole
from mahc.graphs import DAG
from mahc.plurals import count

MOST_NAMED = 3


class Experiment(Document, frozen=True, kw_only=False):
    """The variables that an experiment set, none for observations alone, and its rows (their weight)."""

    targets: tuple[str, ...]
    rows: Whole

    def describe(self) -> str:
        """The targets and the number of rows."""
        return f"{' and '.join(self.targets) or 'nothing'} ({count(self.rows, 'row')})"


class ExperimentsRecord(Document, frozen=True, kw_only=False):
    """The experiments of the rows, and what they did to their targets: "set" or "changed" them.

    >>> found = ExperimentsRecord((Experiment((), 80), Experiment(("b",), 20)), "set")
    >>> found.directs("a", "b"), found.describe()
    (True, 'set b (20 rows); 80 rows without')
    >>> found.why("a", "b")
    'directed because an experiment set b (20 rows): a is scored on 100 rows, b on 80'
    """

    experiments: tuple[Experiment, ...]
    mechanism: str = "set"

    def blocks(self, name: str) -> tuple[tuple[int, ...], ...]:
        """The experiments whose rows have one table of a variable."""
        return find_blocks([each.targets for each in self.experiments], name, self.mechanism)

    def directs(self, one: str, other: str) -> bool:
        """Whether an experiment tells which of two adjacent variables causes the other."""
        return self.blocks(one) != self.blocks(other)

    def directed(self, dag: DAG) -> Iterator[tuple[str, str]]:
        """The arcs of a graph whose direction an experiment tells."""
        return (arc for arc in dag.arcs if self.directs(*arc))

    def rows_of(self, name: str) -> int:
        """The number of rows that a variable is scored on."""
        return sum(self.experiments[k].rows for block in self.blocks(name) for k in block)

    def why(self, one: str, other: str) -> str:
        """Why the direction between two variables is known: the experiments, and the rows that were used."""
        deciding = [each for each in self.experiments if (one in each.targets) != (other in each.targets)]
        listed = enumerate_some([each.describe() for each in deciding], MOST_NAMED)
        which = "an experiment" if len(deciding) == 1 else "experiments"
        if self.mechanism == "changed":
            return f"directed because {which} changed {listed}: these rows have tables of their own"
        rows = f"{one} is scored on {count(self.rows_of(one), 'row')}, {other} on {self.rows_of(other):,}"
        return f"directed because {which} set {listed}: {rows}"

    def describe(self) -> str:
        """One line for a summary."""
        named = [each.describe() for each in self.experiments if each.targets]
        alone = sum(each.rows for each in self.experiments if not each.targets)
        return f"{self.mechanism} {enumerate_some(named)}" + (f"; {count(alone, 'row')} without" if alone else "")


def record_experiments(data: object) -> ExperimentsRecord | None:
    """The record of the experiments in data; None where there are none."""
    held = getattr(data, "distinct", data)
    if not isinstance(held, Dataset) or held.interventions is None:
        return None
    given = held.interventions
    sums = np.bincount(given.codes, held.weights, len(given.targets)).astype(np.int64).tolist()
    sizes = [round(total / held.unit) for total in sums]
    listed = [Experiment(tuple(sorted(names)), size) for names, size in zip(given.targets, sizes, strict=True)]
    return ExperimentsRecord(tuple(listed), given.mechanism)
