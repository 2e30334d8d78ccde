"""Our CPDAG and PAG beside a peer's on the same data, test, alpha and degrees of freedom, and why they differ."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from peer_rules import (
    ALPHA,
    Asked,
    CausalLearnFci,
    ListeningOracle,
    Marks,
    Pair,
    PyAgrumOracle,
    Separations,
    all_separations,
    asked_as,
    causal_learn_fci,
    causal_learn_marks,
    causal_learn_pc,
    codes_of,
    highest,
    our_marks,
    our_pag_rules,
    pyagrum_learner,
    pyagrum_pc,
    reaches,
    table_oracle,
    textbook_pool,
    union,
)

from mahc.algorithms.constraint_based import ConstraintOutcome, fci, pc_stable
from mahc.algorithms.constraint_based.fci import orient_unshielded_colliders
from mahc.algorithms.constraint_based.separations import no_constraints
from mahc.algorithms.constraint_based.skeleton import Skeleton
from mahc.data import Dataset
from mahc.graphs import Mark
from mahc.independence import IndependenceOracle, Questions


@dataclass(frozen=True)
class Comparison:
    """Edges of both, pairs with an edge in one only, edges with other marks, and how many of these each reason gives.

    `unexplained` says what no reason accounts for; it must stay empty.
    """

    ours: int
    theirs: int
    pairs: int
    marks: int
    reasons: Mapping[str, int]
    unexplained: tuple[str, ...]


def edges_of(marks: Marks) -> int:
    return int((marks > 0).sum()) // 2


def pairs_where(differ: np.ndarray) -> list[Pair]:
    """The pairs x < y where the two graphs differ."""
    return [(x, y) for x, y in np.argwhere(differ | differ.T).tolist() if x < y]


def other_marks(ours: Marks, theirs: Marks) -> list[Pair]:
    """Edges that both have, with different ends."""
    return [(x, y) for x, y in pairs_where(ours != theirs) if ours[x, y] and theirs[x, y]]


def other_p_values(oracle: IndependenceOracle, p_values: Mapping[Asked, float]) -> list[str]:
    """The tests that the two answer differently: beyond rounding, or on another side of alpha."""
    asked = list(p_values)
    answers = oracle.log_p_values(Questions.of((x, [*given, y]) for x, y, given in asked))
    assert answers is not None
    found = []
    for key, mine in zip(asked, np.exp(answers).tolist(), strict=True):
        # A statistic of nearly 0 is the rounding of its sum, and its square root shows in 1 - p.
        same = math.isclose(mine, p_values[key], rel_tol=1e-6, abs_tol=1e-12) or min(mine, p_values[key]) > 0.9999
        if not same or (mine > ALPHA) != (p_values[key] > ALPHA):
            found.append(f"{key}: our p-value is {mine}, theirs {p_values[key]}")
    return found


def beside_causal_learn(data: Dataset) -> Comparison:
    """PC-Stable. Every step from our graph to theirs is one choice: which set counts, then which collider wins."""
    oracle = table_oracle(data, "g2")
    ours = pc_stable(oracle, no_constraints(data.names), only_needed=False).graph.marks
    theirs, p_values = causal_learn_pc(codes_of(data))
    found = all_separations(oracle)
    ours_again = our_marks(found, lambda pair: highest(found, pair), data.names)
    their_sets = our_marks(found, lambda pair: union(found, pair), data.names)
    their_rule = causal_learn_marks(found)
    unexplained = other_p_values(oracle, p_values)
    unexplained += [f"our own rules do not give our {pair}" for pair in pairs_where(ours_again != ours)]
    unexplained += [
        f"their rules on our p-values do not give their {pair}" for pair in pairs_where(their_rule != theirs)
    ]
    reasons = {
        "another separating set counts": len(other_marks(ours, their_sets)),
        "contradicting colliders": len(other_marks(their_sets, theirs)),
    }
    pairs = len(pairs_where((ours > 0) != (theirs > 0)))
    return Comparison(
        edges_of(ours), edges_of(theirs), pairs, len(other_marks(ours, theirs)), reasons, tuple(unexplained)
    )


def beside_pyagrum(data: Dataset) -> Comparison:
    """PC-Stable. Its p-values in our algorithm give its skeleton; its arrows each have a set or a rule behind them."""
    oracle = table_oracle(data, "g2")
    ours = pc_stable(oracle, no_constraints(data.names), only_needed=False).graph.marks
    theirs = pyagrum_pc(data)
    their_oracle = PyAgrumOracle(pyagrum_learner(data), data.names, "g2")
    with_their_p = pc_stable(their_oracle, no_constraints(data.names), only_needed=False).graph.marks
    found = all_separations(their_oracle)
    unexplained = [
        f"its own p-values do not give its {pair}" for pair in pairs_where((with_their_p > 0) != (theirs > 0))
    ]
    unexplained += unsupported_arrows(found, theirs)
    reasons = {
        "degrees of freedom": len(pairs_where((ours > 0) != (with_their_p > 0))),
        "arrows that follow from those": len(other_marks(ours, with_their_p)),
        "another set, or contradicting colliders": len(other_marks(with_their_p, theirs)),
    }
    pairs = len(pairs_where((ours > 0) != (theirs > 0)))
    return Comparison(
        edges_of(ours), edges_of(theirs), pairs, len(other_marks(ours, theirs)), reasons, tuple(unexplained)
    )


def unsupported_arrows(found: Separations, marks: Marks) -> list[str]:
    """Arrows that no separating set without the middle and none of Meek's rules gives; colliders lost for nothing.

    pyAgrum keeps the first set that separates, in an order of its own, and points each edge of a collider that is
    still a line. So u -> z needs a triple u - z - w with a set without z, or a rule; and where z is in no set at
    all, both edges point at z unless one was pointed away before.
    """
    arcs = {(int(u), int(z)) for u, z in np.argwhere(marks == Mark.ARROW)}
    backed: set[Pair] = set()
    wrong = []
    for x, z, y in found.triples():
        kind = found.kind((x, z, y))
        if kind != "no collider":
            backed |= {(x, z), (y, z)}
        if kind == "collider" and not {(x, z), (y, z)} <= arcs and not {(z, x), (z, y)} & arcs:
            wrong.append(f"no collider {x}, {z}, {y}")
    wrong += [f"nothing gives {arc}" for arc in sorted(arcs - backed) if not follows(found.adjacent, arcs, *arc)]
    return wrong


def follows(adjacent: tuple[frozenset[int], ...], arcs: set[Pair], u: int, z: int) -> bool:
    """Whether one of Meek's first three rules concludes u -> z from the other arcs, the second along any path."""
    if any((w, u) in arcs and w not in adjacent[z] for w in adjacent[u] - {z}):
        return True
    if reaches(arcs - {(u, z)}, u, z):
        return True
    between = adjacent[u] & adjacent[z]
    pointing = [w for w in between if (w, z) in arcs]
    return any(b not in adjacent[a] for a, b in itertools.combinations(pointing, 2))


def fci_beside_causal_learn(data: Dataset) -> Comparison:
    """FCI. Our rules on its skeleton and sets give its PAG; of each other edge, one asked about a set, one did not."""
    theirs = causal_learn_fci(codes_of(data))
    of_interest = {asked_as(x, y, given) for (x, y), given in theirs.sets.items()}
    oracle = ListeningOracle(table_oracle(data, "x2"), of_interest)
    outcome = fci(oracle, no_constraints(data.names), only_needed=False)
    heard, ours = frozenset(oracle.heard), outcome.graph.marks

    def ask(x: int, y: int, given: set[int]) -> bool:
        return separates(oracle, x, y, given)

    by_sets = our_pag_rules(theirs.marks > 0, theirs.sets)
    asking = our_pag_rules(theirs.marks > 0, theirs.sets, ask)
    in_its_order = our_pag_rules(theirs.marks > 0, theirs.sets, ask, in_file_order=True)
    unexplained = other_p_values(oracle, theirs.p_values)
    unexplained += [f"our rules do not give their {pair}" for pair in pairs_where(in_its_order != theirs.marks)]
    reasons = dict.fromkeys((*POOL_REASONS, "other skeleton or sets, same rules"), 0)
    apart = pairs_where((ours > 0) != (theirs.marks > 0))
    first = first_marks(oracle, data.names)
    for x, y in apart:
        try:
            reasons[why_apart(oracle, heard, outcome, first, theirs, x, y)] += 1
        except LookupError as missing:
            unexplained.append(str(missing))
    joined = other_marks(ours, theirs.marks)
    reasons["other skeleton or sets, same rules"] = len(joined)
    reasons["its R4 makes a new test"] = len(other_marks(by_sets, asking))
    reasons["rules that contradict each other, in another order"] = len(other_marks(asking, in_its_order))
    return Comparison(edges_of(ours), edges_of(theirs.marks), len(apart), len(joined), reasons, tuple(unexplained))


def separates(oracle: IndependenceOracle, x: int, y: int, given: Iterable[int]) -> bool:
    answers = oracle.log_p_values(Questions.of([(x, [*sorted(given), y])]))
    return answers is not None and bool(answers[0] > math.log(ALPHA))


def first_marks(oracle: IndependenceOracle, names: tuple[str, ...]) -> Marks:
    """What our possible-d-sep sets are found on: the skeleton by neighbours, and R0."""
    skeleton = Skeleton(oracle, no_constraints(names), ALPHA)
    assert skeleton.separate_by_neighbours(None, only_needed=False)
    marks: Marks = orient_unshielded_colliders(skeleton, no_constraints(names)).matrix()
    return marks


POOL_REASONS = (
    "its walk misses part of possible-d-sep",
    "other colliders before possible-d-sep",
    "it asks no set of one there",
    "its walk was over fewer edges by then",
    "it asks about a set that we know need not be asked about",
)


def why_apart(
    oracle: IndependenceOracle,
    heard: frozenset[Asked],
    outcome: ConstraintOutcome,
    first: Marks,
    theirs: CausalLearnFci,
    x: int,
    y: int,
) -> str:
    """Why only one of the two has an edge between x and y: a set that separates, which the other never asked about."""
    if outcome.graph.marks[x, y]:
        given = theirs.sets.get((x, y), theirs.sets.get((y, x)))
        if given is None or not separates(oracle, x, y, given):
            raise LookupError(f"no set of theirs separates {x}, {y}")
        if asked_as(x, y, given) in heard:
            raise LookupError(f"we asked about {x}, {y} given {sorted(given)} and did not part them")
        return POOL_REASONS[4]
    given = outcome.separations[x, y].given
    if asked_as(x, y, given) in {asked_as(*key) for key in theirs.p_values}:
        raise LookupError(f"they asked about {x}, {y} given {sorted(given)} and did not part them")
    if any(given <= theirs.pools.get(pair, frozenset()) for pair in ((x, y), (y, x))):
        return POOL_REASONS[2 if len(given) == 1 else 3]
    if any(given <= textbook_pool(theirs.first, end) for end in (x, y)):
        return POOL_REASONS[0]
    if any(given <= textbook_pool(first, end) for end in (x, y)):
        return POOL_REASONS[1]
    raise LookupError(f"{sorted(given)}, which separates {x}, {y}, is in no possible-d-sep set")
