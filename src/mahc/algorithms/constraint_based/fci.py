"""FCI: a PAG from tests of independence, with hidden common causes allowed."""

from __future__ import annotations

from mahc.algorithms.constraint_based.pc_stable import stop_reason
from mahc.algorithms.constraint_based.separations import ConstraintOutcome, unshielded_colliders
from mahc.algorithms.constraint_based.skeleton import Skeleton
from mahc.errors import KnowledgeError
from mahc.graphs import Mark, MixedGraph
from mahc.graphs.bitset import members, to_bitset
from mahc.graphs.conversions.pag_marks import PagMarks
from mahc.graphs.conversions.zhang_rules import apply_zhang_rules
from mahc.graphs.walks import never_stop
from mahc.independence import IndependenceOracle
from mahc.independence.oracle import check_alpha, check_max_conditions
from mahc.knowledge.constraints import Constraints
from mahc.learning.control import Control, Stopped


def fci(
    oracle: IndependenceOracle,
    constraints: Constraints,
    *,
    alpha: float = 0.01,
    max_conditions: int | None = None,
    only_needed: bool = True,
    control: Control | None = None,
    unconfounded: bool = True,
) -> ConstraintOutcome:
    """Remove edges by sets of neighbours, then by possible-d-sep sets; orient by the rules R0 to R10.

    `max_conditions` limits the size of the separating sets. This is the anytime FCI: its tails and arrowheads are still
    sound, but edges may remain that larger sets would remove. `only_needed` draws the sets of both rounds from
    variables that lie on a path between the pair; those of the second round, and large ones of the first, from
    variables that also may be ancestors of one of the two. With true independences no other set is needed (proofs:
    `needed_sets.py`); on data the many other sets remove edges by chance, and
    there may be too many of them to test.

    A forbidden arc a -> b, or a tier of a after that of b, puts an arrowhead at a; a required arc is directed. The
    rules are complete without knowledge; with it they may leave circles that could be decided. When the oracle
    stops, the tests of a level that was not completed are ignored, and only knowledge gives marks. When `control`
    stops the orientation, the marks found so far are kept. Where contexts are `unconfounded`, no hidden variable causes
    one of them and another variable, so their edges are arcs (joint causal inference, Mooij and others 2020).

    >>> from mahc.algorithms.constraint_based.separations import no_constraints
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> truth = DAG(["a", "b", "c", "d", "h"], [("a", "b"), ("h", "b"), ("h", "c"), ("d", "c")])
    >>> fci(SeparationOracle(truth, latent="h"), no_constraints(["a", "b", "c", "d"])).graph
    MixedGraph(4 variables, 3 edges: a o-> b, b <-> c, d o-> c)
    """
    check_alpha(alpha)
    check_max_conditions(max_conditions)
    skeleton = Skeleton(oracle, constraints, alpha, never_stop if control is None else control.check)
    complete = skeleton.separate_by_neighbours(max_conditions, only_needed)
    complete = complete and _separate_by_possible_d_sep(
        skeleton, constraints, max_conditions, only_needed, unconfounded
    )
    state = _mark_skeleton(skeleton, constraints, unconfounded)
    separations = skeleton.separations

    def separates(start: int, middle: int, end: int) -> bool:
        return middle in separations[min(start, end), max(start, end)].given

    if complete:  # on an almost complete graph the rules would take longer than the tests
        try:
            _mark_colliders(state, skeleton)
            apply_zhang_rules(state, separates)
        except Stopped:  # the marks so far are sound, and the other ends keep their circles
            complete = False
    graph = MixedGraph.from_valid(constraints.names, state.matrix())
    return ConstraintOutcome(graph, separations, stop_reason(complete, control))


def _separate_by_possible_d_sep(
    skeleton: Skeleton, constraints: Constraints, max_conditions: int | None, only_needed: bool, unconfounded: bool
) -> bool:
    try:
        pools = possible_d_sep(orient_unshielded_colliders(skeleton, constraints, unconfounded))
    except Stopped:
        return False
    return skeleton.separate_by_pools(pools, max_conditions, only_needed)


def orient_unshielded_colliders(skeleton: Skeleton, constraints: Constraints, unconfounded: bool = True) -> PagMarks:
    """Knowledge, then R0: x *-> z <-* y where x and y are not adjacent and z is not in the set that separates them.

    >>> from mahc.algorithms.constraint_based.separations import no_constraints
    >>> from mahc.graphs import DAG
    >>> from mahc.independence import SeparationOracle
    >>> truth = DAG(["a", "b", "c"], [("a", "c"), ("b", "c")])
    >>> skeleton = Skeleton(SeparationOracle(truth), no_constraints(truth.names), 0.01)
    >>> skeleton.separate_by_neighbours(None)
    True
    >>> orient_unshielded_colliders(skeleton, no_constraints(truth.names)).matrix()[0]
    array([0, 0, 2], dtype=int8)
    """
    state = _mark_skeleton(skeleton, constraints, unconfounded)
    _mark_colliders(state, skeleton)
    return state


def _mark_colliders(state: PagMarks, skeleton: Skeleton) -> None:
    found = unshielded_colliders(skeleton.adjacent, skeleton.separations, skeleton.least_log_p, state.check)
    for (x, z, y), _ in found:
        state.set_mark(x, z, Mark.ARROW)
        state.set_mark(y, z, Mark.ARROW)


def _mark_skeleton(skeleton: Skeleton, constraints: Constraints, unconfounded: bool) -> PagMarks:
    state = PagMarks(skeleton.adjacent, skeleton.unsure, skeleton.check)
    mark_knowledge(state, constraints)
    mark_contexts(state, constraints, unconfounded)
    return state


def mark_contexts(state: PagMarks, constraints: Constraints, unconfounded: bool) -> None:
    """Set the marks that contexts give: arrows between those that are joined, and tails where they are unconfounded."""
    places = constraints.context_places
    for v in range(len(constraints.names)):
        for context in places:
            if v in places and constraints.hold[v, context]:
                state.set_mark(v, context, Mark.ARROW)
            elif v not in places and unconfounded:
                state.set_mark(v, context, Mark.TAIL)


def mark_knowledge(state: PagMarks, constraints: Constraints) -> None:
    """Set the marks that knowledge gives.

    >>> from mahc.knowledge.knowledge import Knowledge
    >>> state = PagMarks([0b10, 0b01])
    >>> mark_knowledge(state, Knowledge(required_arcs=[("a", "b")]).check(["a", "b"], 8))
    >>> state.matrix().tolist()
    [[0, 2], [1, 0]]
    """
    for tail, head in constraints.required_arcs:
        state.set_mark(tail, head, Mark.ARROW)
        state.set_mark(head, tail, Mark.TAIL)
    if constraints.one_way is not None:
        state.set_marks(constraints.one_way, Mark.ARROW)


def possible_d_sep(state: PagMarks) -> list[int]:
    """For each x, the variables on paths from x whose inner variables are colliders, in a triangle, or undetermined.

    >>> chain = PagMarks([0b010, 0b101, 0b010])
    >>> possible_d_sep(chain)
    [2, 5, 2]
    """
    return [_walk(state, x) for x in range(len(state.adjacent))]


def _walk(state: PagMarks, x: int) -> int:
    came: dict[int, int] = dict.fromkeys(members(state.adjacent[x]), 1 << x)
    todo = [(x, b) for b in came]
    while todo:
        state.check()
        a, b = todo.pop()
        into = state.near[Mark.ARROW][b]
        near = state.adjacent[a] | state.unsure[a]
        onward = state.adjacent[b] & (near | (into if into >> a & 1 else 0)) & ~(1 << a) & ~(1 << x)
        for c in members(onward):
            if not came.get(c, 0) >> b & 1:
                came[c] = came.get(c, 0) | 1 << b
                todo.append((b, c))
    return to_bitset(came)


def refuse_path_to_earlier_tier(algorithm: str, graph: MixedGraph, constraints: Constraints) -> None:
    """Raise KnowledgeError for a directed path of the PAG that leads to an earlier tier.

    The rules check single arcs; a path through variables in no tier may still lead back.
    """
    if not constraints.tier_of:
        return
    back = constraints.tier_order.find_path_back(graph.where(Mark.ARROW, Mark.TAIL))
    if back is not None:
        late, early = constraints.names[back[0]], constraints.names[back[-1]]
        raise KnowledgeError(
            f"{algorithm} found a directed path from {late} to {early}, which is in an earlier tier, through variables "
            "that are in no tier: put all variables into tiers"
        )
