"""What is missing in some data, whether that depends on other columns, and which method to use."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from mahc.data import Dataset, Kind
from mahc.learning.incomplete.causes import LEVEL, Dependence, find_dependences
from mahc.plurals import count, verb

BINS = 5  # of a column of numbers
FEW_INCOMPLETE = 0.05  # of the rows: leaving them out loses little


@dataclass(frozen=True)
class DependentColumn:
    """A column whose missing values depend on other columns, the strongest first, with the p-value of the first."""

    name: str
    on: tuple[str, ...]
    log10_p: float


@dataclass(frozen=True)
class Missingness:
    """How much is missing, on what it depends, and the method that docs/explanation/missing.md recommends."""

    values: int
    share: float
    columns: int
    complete_rows: int
    rows: int
    dependent: tuple[DependentColumn, ...]
    recommended: str
    reason: str

    def sentences(self) -> list[str]:
        """How much is missing and on what it depends, for a person."""
        values = f"{count(self.values, 'value')} {verb(self.values)}"
        whole = f"{values} missing ({self.share:.1%}), in {count(self.columns, 'column')}"
        found = [f"{whole}; {self.complete_rows:,} of {count(self.rows, 'row')} {verb(self.complete_rows)} complete"]
        if not self.dependent:
            found.append("no sign that missing values depend on other columns")
        for column in self.dependent[:5]:
            on = ", ".join(column.on[:3]) + (f" and {len(column.on) - 3} more" if len(column.on) > 3 else "")
            found.append(f"missing values of {column.name} depend on {on} (p {_power(column.log10_p)})")
        if len(self.dependent) > 5:
            found.append(f"missing values of {count(len(self.dependent) - 5, 'more column')} depend on other columns")
        return found


def describe_missingness(data: Dataset) -> Missingness | None:
    """Describe the missing values of some data; None where there are none.

    Every incomplete column is tested against every other one (G2, on the rows in which the other is observed), at the
    level 0.01 divided by the number of other columns; of numbers, five bins of their ranks.

    >>> from mahc.data import read
    >>> columns = {"a": ["x", "y"] * 50, "b": ["x", ""] * 50}
    >>> describe_missingness(read(columns, missing="state").state_as_missing()).dependent[0].on
    ('a',)
    """
    values = sum(data.missing_counts)
    if not values:
        return None
    by_column: dict[int, list[Dependence]] = {}
    binned = tuple(column.as_bins(BINS, data.weights) for column in data.columns)
    for dependence in find_dependences(replace(data, columns=binned)):
        by_column.setdefault(dependence.variable, []).append(dependence)
    dependent = []
    for v, found in by_column.items():
        found.sort(key=lambda d: (d.log_p, data.names[d.cause]))
        names = tuple(data.names[d.cause] for d in found)
        dependent.append(DependentColumn(data.names[v], names, found[0].log_p / math.log(10)))
    dependent.sort(key=lambda column: (column.log10_p, column.name))
    complete = int(np.count_nonzero(data.complete_rows))
    recommended, reason = _recommend(data, complete, bool(dependent))
    return Missingness(
        values=values,
        share=values / (data.rows * len(data.names)),
        columns=sum(count > 0 for count in data.missing_counts),
        complete_rows=complete,
        rows=data.rows,
        dependent=tuple(dependent),
        recommended=recommended,
        reason=reason,
    )


def _recommend(data: Dataset, complete: int, dependent: bool) -> tuple[str, str]:
    thorough = "impute" if Kind.CONTINUOUS in data.kinds else "structural-em"
    if dependent:
        return thorough, "missing values depend on other columns, so leaving rows out would bias the result"
    if complete >= (1 - FEW_INCOMPLETE) * data.rows:
        return "drop", "few rows are incomplete, and apparently at random"
    return thorough, "leaving out incomplete rows would lose many"


def _power(log10_p: float) -> str:
    return f"< 1e{math.ceil(log10_p)}" if log10_p < math.log10(LEVEL) else f"{10**log10_p:.2g}"
