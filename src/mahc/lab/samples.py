"""The data of a cell: a sample of a network, or rows of a data set without a known true graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mahc.errors import SettingError, UnavailableError
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.data import Dataset
    from mahc.graphs import DAG, MixedGraph


HELD_OUT_SHARE = 5  # one row in five is held out


@dataclass(frozen=True)
class RealData:
    """The rows to learn from (`data` without the states that they lack, `complete` with them) and the held-out rows."""

    data: Dataset
    complete: Dataset
    held_out: Dataset

    def held_out_bits(self, graph: DAG | MixedGraph) -> float | None:
        """The mean cost of a held-out row in bits, of tables fitted to the other rows; None where no DAG fits."""
        from mahc.errors import MahcError
        from mahc.graphs import DAG, cpdag_to_dag
        from mahc.networks import bits_per_row, fit

        try:
            dag = graph if isinstance(graph, DAG) else cpdag_to_dag(graph)
        except MahcError:
            return None
        return bits_per_row(fit(dag, self.complete, ess=1.0), self.held_out)


def split_rows(file: str | Path, reading: Mapping[str, Any], rows: int, seed: int) -> RealData:
    """Draw rows to learn from and rows to hold out; the seed decides, not the order of the rows in the file.

    Raises UnavailableError where the file has too few rows.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "data.csv"
    ...     _ = file.write_text("a,b\\n" + "x,u\\ny,v\\n" * 10)
    ...     found = split_rows(file, {}, 12, seed=1)
    >>> found.data.rows, found.held_out.rows
    (12, 4)
    """
    import numpy as np

    from mahc.data import read
    from mahc.networks.random_streams import stream

    whole = read(file, **reading)
    if whole.weights is not None:
        raise SettingError("a case of an experiment cannot have weights: repeat the rows instead")
    held = max(1, whole.rows // HELD_OUT_SHARE)
    if rows > whole.rows - held:
        raise UnavailableError(
            f"the data set has {count(whole.rows, 'row')}, of which {held:,} are held out: "
            f"give sizes of at most {whole.rows - held:,}"
        )
    in_order = np.lexsort([whole.codes[whole.index(name)] for name in sorted(whole.names)])
    drawn = in_order[stream(seed, "held out").permutation(whole.rows)]
    learning, testing = (whole.take(np.sort(part)) for part in (drawn[held : held + rows], drawn[:held]))
    return RealData(learning.without_unused_states(), learning, testing)
