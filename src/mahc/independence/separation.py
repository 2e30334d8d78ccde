"""An oracle that knows the true graph: d-separation in a DAG, with latent variables if there are any."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mahc.graphs import DAG
from mahc.graphs.bitset import to_bitset
from mahc.graphs.names import as_group
from mahc.graphs.separation import MSeparation
from mahc.independence.oracle import LogP, Questions


class SeparationOracle:
    """Answers from a graph instead of data, by d-separation.

    The variables are those that are not latent, in the graph's order.

    Parameters
    ----------
    dag : DAG
        The graph.
    latent : str or iterable of str
        Variables that are not observed.

    Examples
    --------
    >>> chain = DAG(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> SeparationOracle(chain).log_p_values(Questions.of([(0, [2]), (0, [1, 2])])).tolist()
    [-inf, 0.0]
    >>> SeparationOracle(chain, latent="b").names
    ('a', 'c')
    """

    def __init__(self, dag: DAG, latent: str | Iterable[str] = ()) -> None:
        hidden = {dag.index(name) for name in as_group(latent)}
        self._place = [v for v in range(len(dag.names)) if v not in hidden]
        self.names = tuple(dag.names[v] for v in self._place)
        none = (0,) * len(dag.names)
        self._paths = MSeparation(tuple(dag.parent_bitsets), tuple(dag.child_bitsets), none, none)

    @property
    def variables(self) -> int:
        """How many variables are observed."""
        return len(self._place)

    def log_p_values(self, questions: Questions) -> LogP:
        """0 where the conditions separate the two, -inf where they do not."""
        at = self._place
        found = np.zeros(len(questions))
        for i, (x, parents) in enumerate(questions):
            given = to_bitset(at[v] for v in parents[:-1])
            if self._paths.connected(1 << at[x], 1 << at[parents[-1]], given):
                found[i] = -np.inf
        return found
