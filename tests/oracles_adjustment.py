"""Adjustment by definition: interventional distributions from tables, and criteria path by path."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np
import oracles_graphs as oracle
from numpy.typing import NDArray
from oracles_graphs import Arcs, Ends

Joint = NDArray[np.float64]


def random_tables(n: int, arcs: Arcs, rng: np.random.Generator) -> list[Joint]:
    """For each variable (binary) P(v | parents) as an array over all variables, of size 1 where it does not depend."""
    tables = []
    for v in range(n):
        family = {v, *(a for a, b in arcs if b == v)}
        table = rng.uniform(0.1, 0.9, [2 if w in family else 1 for w in range(n)])
        tables.append(table / table.sum(axis=v, keepdims=True))
    return tables


def joint_of(tables: list[Joint]) -> Joint:
    joint = np.ones([2] * len(tables))
    for table in tables:
        joint = joint * table
    return joint


def marginal(joint: Joint, kept: Iterable[int]) -> Joint:
    """The marginal, with axes of size 1 for the other variables."""
    keep = set(kept)
    return joint.sum(axis=tuple(v for v in range(joint.ndim) if v not in keep), keepdims=True)


def intervene(tables: list[Joint], x: int, y: int) -> Joint:
    """P(y | do(x)), by leaving out the table of x; axes of size 1 but for x and y."""
    return marginal(joint_of([np.ones([1] * len(tables)) if v == x else t for v, t in enumerate(tables)]), [x, y])


def adjust(joint: Joint, x: int, y: int, given: Iterable[int]) -> Joint:
    """The sum over the states z of `given` of P(y | x, z) P(z)."""
    z = set(given)
    conditional = marginal(joint, {x, y} | z) / marginal(joint, {x} | z)
    return marginal(conditional * marginal(joint, z), [x, y])


def front_door(joint: Joint, x: int, y: int, given: Iterable[int]) -> Joint:
    """The sum over z of P(z | x) times the sum over x' of P(y | x', z) P(x')."""
    z = set(given)
    inner = marginal(joint, {x, y} | z) / marginal(joint, {x} | z) * marginal(joint, [x])
    inner = inner.sum(axis=x, keepdims=True)
    of_z = marginal(joint, {x} | z) / marginal(joint, [x])
    return marginal(inner * of_z, [x, y])


def gives_effect(members: Iterable[Arcs], n: int, x: int, y: int, given: Iterable[int], seed: int) -> bool:
    """Whether the formula is right in every DAG, each with tables of its own."""
    rng = np.random.default_rng(seed)
    for arcs in members:
        tables = random_tables(n, arcs, rng)
        if not np.allclose(adjust(joint_of(tables), x, y, given), intervene(tables, x, y), rtol=0, atol=1e-9):
            return False
    return True


def subsets(variables: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """All subsets, small ones first."""
    listed = list(variables)
    for size in range(len(listed) + 1):
        yield from itertools.combinations(listed, size)


def minimal(sets: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Those that contain no other."""
    listed = [set(each) for each in sets]
    return [tuple(sorted(each)) for each in listed if not any(other < each for other in listed)]


def is_causal(ends: Ends, path: tuple[int, ...]) -> bool:
    return all(ends[u, v] == ">" and ends[v, u] == "-" for u, v in itertools.pairwise(path))


def is_visible(n: int, ends: Ends, a: int, b: int) -> bool:
    """Zhang (2008): some c not adjacent to b has an edge into a, or a collider path into a of parents of b."""
    for c in range(n):
        if c in (a, b) or (c, b) in ends:
            continue
        for path in oracle.simple_paths(n, ends, c, a):
            inner = path[1:-1]
            arrows = all(ends[u, v] == ends[w, v] == ">" for u, v, w in zip(path, path[1:], path[2:], strict=False))
            parents = all(ends.get((v, b)) == ">" and ends[b, v] == "-" for v in inner)
            if ends[path[-2], a] == ">" and arrows and parents:
                return True
    return False


def below(n: int, ends: Ends, start: Iterable[int]) -> set[int]:
    """These and their descendants."""
    found = set(start)
    for _ in range(n):
        found |= {b for a in found for b in range(n) if ends.get((a, b)) == ">" and ends[b, a] == "-"}
    return found


def valid_in_mag(n: int, ends: Ends, x: int, y: int, given: Iterable[int]) -> bool:
    """The adjustment criterion of a MAG, path by path."""
    chosen = set(given)
    paths = list(oracle.simple_paths(n, ends, x, y))
    causal = [path for path in paths if is_causal(ends, path)]
    if not all(is_visible(n, ends, *path[:2]) for path in causal):
        return False
    if chosen & below(n, ends, {v for path in causal for v in path[1:]}):
        return False
    return not any(oracle.is_open(n, ends, path, chosen) for path in paths if path not in causal)


def without(arcs: Arcs, tails: set[int]) -> Arcs:
    """The DAG without the arcs out of some variables."""
    return frozenset((a, b) for a, b in arcs if a not in tails)


def is_front_door(n: int, arcs: Arcs, x: int, y: int, given: Iterable[int]) -> bool:
    ends, z = oracle.ends_of(arcs), set(given)
    paths = [path for path in oracle.simple_paths(n, ends, x, y) if is_causal(ends, path)]
    if not all(z & set(path) for path in paths):
        return False
    from_x, from_z = oracle.ends_of(without(arcs, {x})), oracle.ends_of(without(arcs, z))
    return all(oracle.separated(n, from_x, x, v, ()) and oracle.separated(n, from_z, v, y, {x}) for v in z)


def is_instrument(n: int, arcs: Arcs, z: int, x: int, y: int, given: Iterable[int]) -> bool:
    ends, w = oracle.ends_of(arcs), set(given)
    if not w <= oracle.above(n, ends, {z, y}) or ({z} | w) & below(n, ends, {x}):
        return False
    firsts = {path[1] for path in oracle.simple_paths(n, ends, x, y) if is_causal(ends, path)}
    rest = oracle.ends_of(frozenset((a, b) for a, b in arcs if not (a == x and b in firsts)))
    return oracle.separated(n, rest, z, y, w) and not oracle.separated(n, ends, z, x, w)
