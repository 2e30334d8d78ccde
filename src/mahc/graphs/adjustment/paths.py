"""The paths between a cause and a target in a DAG: causal, open or blocked by what is adjusted for."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from mahc.graphs.bitset import to_bitset, transitive_closure
from mahc.graphs.dag import DAG
from mahc.graphs.names import rank_by_name

LISTED = 50
STEPS = 100_000  # prolonged paths, after which the search ends


class CausePath(NamedTuple):
    """A path from a cause to a target.

    Parameters
    ----------
    names : tuple of str
        The variables, from the cause to the target.
    arcs : tuple of pairs
        Its arcs, each as it stands in the DAG.
    kind : str
        "causal" if all arcs lead from cause to target, otherwise "open"; "blocked" where something blocks it.
    blocked_by : tuple of str
        The variables that block it: some that are adjusted for, or colliders that neither are nor have a descendant
        that is.

    Examples
    --------
    >>> path = CausePath(("x", "c", "y"), (("c", "x"), ("c", "y")), "blocked", ("c",))
    >>> print(path)
    x ← c → y
    """

    names: tuple[str, ...]
    arcs: tuple[tuple[str, str], ...]
    kind: str
    blocked_by: tuple[str, ...]

    def __str__(self) -> str:
        signs = ("→" if tail == name else "←" for name, (tail, _) in zip(self.names, self.arcs, strict=False))
        return self.names[0] + "".join(f" {sign} {name}" for sign, name in zip(signs, self.names[1:], strict=True))


def find_paths(dag: DAG, cause: str, target: str, given: Iterable[str] = (), limit: int = LISTED) -> list[CausePath]:
    """The shortest paths between two variables, by length and name; at most `limit`.

    >>> dag = DAG(["c", "x", "y"], [("c", "x"), ("c", "y"), ("x", "y")])
    >>> [(str(path), path.kind) for path in find_paths(dag, "x", "y", ["c"])]
    [('x → y', 'causal'), ('x ← c → y', 'blocked')]
    """
    first, last, fixed = dag.index(cause), dag.index(target), {dag.index(name) for name in given}
    arcs = {(u, v) for v, parents in enumerate(dag.parent_sets) for u in parents}
    ranks = rank_by_name(dag.names)
    around: list[list[int]] = [[] for _ in dag.names]
    for u, v in sorted([*arcs, *((v, u) for u, v in arcs)], key=lambda arc: ranks[arc[1]]):
        around[u].append(v)
    opened = transitive_closure(to_bitset(fixed), [to_bitset(parents) for parents in dag.parent_sets])
    found: list[CausePath] = []
    waiting: deque[tuple[int, ...]] = deque([(first,)])
    for _ in range(STEPS):
        if not waiting or len(found) == limit:
            break
        walked = waiting.popleft()
        if walked[-1] == last:
            found.append(_judge(dag, walked, arcs, fixed, opened))
        else:
            waiting.extend((*walked, v) for v in around[walked[-1]] if v not in walked)
    return found


def _judge(dag: DAG, walked: tuple[int, ...], arcs: set[tuple[int, int]], fixed: set[int], opened: int) -> CausePath:
    taken = [(u, v) if (u, v) in arcs else (v, u) for u, v in pairwise(walked)]
    blocking = []
    for (_, before), v, (_, after) in zip(taken, walked[1:-1], taken[1:], strict=False):
        collider = before == v == after
        if (not opened >> v & 1) if collider else v in fixed:
            blocking.append(v)
    causal = all(tail == v for v, (tail, _) in zip(walked, taken, strict=False))
    return CausePath(
        names=tuple(dag.names[v] for v in walked),
        arcs=tuple((dag.names[tail], dag.names[head]) for tail, head in taken),
        kind="blocked" if blocking else "causal" if causal else "open",
        blocked_by=tuple(dag.names[v] for v in blocking),
    )
