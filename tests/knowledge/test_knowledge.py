"""Knowledge by example: what is refused and in which words, what follows, and the reason given for an arc."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mahc.errors import KnowledgeError, SettingError, UnknownNameError
from mahc.knowledge.conflicts.contradictions import ContradictionError
from mahc.knowledge.edge_orientation import initial_orientation
from mahc.knowledge.knowledge import Knowledge

ASIA = ("asia", "bronc", "dysp", "either", "lung", "smoke", "tub", "xray")
ABCD = ("a", "b", "c", "d")

CONFLICTS = {
    "a required cycle": (
        {"required_arcs": [("a", "b"), ("b", "c"), ("c", "a"), ("a", "d")]},
        ["required arc a -> b", "required arc b -> c", "required arc c -> a"],
    ),
    "the shorter of two cycles": (
        {"required_arcs": [("a", "b"), ("b", "c"), ("c", "a"), ("b", "d"), ("d", "b")]},
        ["required arc b -> d", "required arc d -> b"],
    ),
    "required both ways": (
        {"required_arcs": [("a", "b"), ("b", "a")]},
        ["required arc a -> b", "required arc b -> a"],
    ),
    "an arc required and forbidden": (
        {"required_arcs": [("a", "b")], "forbidden_arcs": [("a", "b"), ("b", "a")]},
        ["required arc a -> b", "forbidden arc a -> b"],
    ),
    "an arc required and its edge forbidden": (
        {"required_arcs": [("b", "a")], "forbidden_edges": [("a", "b")]},
        ["required arc b -> a", "forbidden edge a - b"],
    ),
    "an edge required and forbidden": (
        {"required_edges": [("b", "a")], "forbidden_edges": [("a", "b")]},
        ["required edge a - b", "forbidden edge a - b"],
    ),
    "an edge required and both its arcs forbidden": (
        {"required_edges": [("a", "b")], "forbidden_arcs": [("a", "b"), ("b", "a")]},
        ["required edge a - b", "forbidden arc a -> b", "forbidden arc b -> a"],
    ),
    "an arc against the tiers": (
        {"required_arcs": [("b", "a")], "tiers": [["a"], ["c"], ["b"]]},
        ["required arc b -> a", "a in tier 1", "b in tier 3"],
    ),
    "a path against the tiers through variables without tier": (
        {"required_arcs": [("c", "d"), ("d", "a")], "required_edges": [("a", "b")], "tiers": [["a"], ["c"]]},
        ["required arc c -> d", "required arc d -> a", "a in tier 1", "c in tier 2"],
    ),
    "an edge that can only turn against the tiers": (
        {"required_edges": [("a", "b")], "forbidden_arcs": [("a", "b")], "tiers": [["a"], ["b"]]},
        ["required edge a - b", "forbidden arc a -> b", "a in tier 1", "b in tier 2"],
    ),
    "an edge inside a strict tier": (
        {"required_edges": [("a", "b")], "tiers": [["a", "b", "c"]], "strict_tiers": True},
        ["required edge a - b", "a in tier 1", "b in tier 1", "strict tiers"],
    ),
    "an arc inside a strict tier": (
        {"required_arcs": [("b", "a")], "tiers": [["d"], ["a", "b"]], "strict_tiers": True},
        ["required arc b -> a", "a in tier 2", "b in tier 2", "strict tiers"],
    ),
    "more required parents than max_parents": (
        {"required_arcs": [("a", "c"), ("b", "c"), ("d", "c")], "max_parents": {"c": 1, "d": 1}},
        ["required arc a -> c", "required arc b -> c", "at most 1 parent of c (max_parents)"],
    ),
    "an edge forced into a variable that may have no parent": (
        {"required_edges": [("a", "b")], "max_parents": {"a": 0, "b": 0}},
        ["required edge a - b", "at most 0 parents of a (max_parents)", "at most 0 parents of b (max_parents)"],
    ),
    "edges that no turning keeps within the in-degrees": (
        {
            "required_edges": [("a", "b"), ("b", "c"), ("a", "c")],
            "max_parents": {"a": 1, "b": 1, "c": 1},
            "tiers": [["d"], ["c"]],
        },
        [
            "required edge a - b",
            "required edge a - c",
            "required edge b - c",
            "at most 1 parent of a (max_parents)",
            "at most 1 parent of b (max_parents)",
            "at most 1 parent of c (max_parents)",
        ],
    ),
}


@pytest.mark.parametrize("case", CONFLICTS)
def test_a_contradiction_is_refused_with_the_statements_that_conflict(case: str) -> None:
    given, conflict = CONFLICTS[case]
    with pytest.raises(ContradictionError) as refusal:
        Knowledge(**given).check(ABCD, 8)
    assert [str(statement) for statement in refusal.value.conflict] == conflict
    words = str(refusal.value)
    assert all(statement in words for statement in conflict)
    assert "\n" not in words
    assert isinstance(refusal.value, KnowledgeError)


def test_the_in_degree_of_the_search_conflicts_too() -> None:
    with pytest.raises(ContradictionError, match=r"at most 1 parent of any variable \(search_in_degree\)"):
        Knowledge(required_arcs=[("a", "c"), ("b", "c")]).check(ABCD, 1)


def test_in_degrees_count_even_where_a_longer_conflict_does_without() -> None:
    knowledge = Knowledge(
        required_arcs=[("b", "a")],
        required_edges=[("a", "c"), ("b", "c")],
        forbidden_arcs=[("b", "c"), ("c", "a")],
    )
    with pytest.raises(ContradictionError) as refusal:
        knowledge.check(ABCD, 8)
    assert len(refusal.value.conflict) == 5
    with pytest.raises(ContradictionError) as refusal:
        knowledge.check(ABCD, 1)
    assert len(refusal.value.conflict) == 4


def test_a_long_cycle_among_many_statements_is_found_at_once() -> None:
    names = [f"v{i:03d}" for i in range(300)]
    ring = [(names[i], names[(i + 1) % 40]) for i in range(40)]
    chain = [(names[i], names[j]) for i in range(40, 299) for j in range(i + 1, min(300, i + 4))]
    with pytest.raises(ContradictionError) as refusal:
        Knowledge(required_arcs=ring + chain, tiers=[names[:50], names[50:]]).check(names, 8)
    assert len(refusal.value.conflict) == 40


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"required_arcs": [("a", "a")]}, "required_arcs joins 'a' with itself"),
        ({"forbidden_edges": [("a", "a")]}, "forbidden_edges joins 'a' with itself"),
        ({"required_arcs": ["ab"]}, "required_arcs holds 'ab', which is not a pair"),
        ({"required_arcs": ("a", "b")}, "required_arcs holds 'a', which is not a pair"),
        ({"required_arcs": [("a", "b", "c")]}, "which is not a pair of names"),
        ({"required_arcs": "a,b"}, "it must be a list of pairs"),
        ({"required_edges": [("a", None)]}, "None, which is not the name"),
        ({"required_edges": [("a", "")]}, "which is not the name"),
        ({"required_edges": [("a", True)]}, "True, which is not the name"),
        ({"tiers": [["a"], ["b", "a"]]}, "'a' is in tier 1 and in tier 2"),
        ({"tiers": ["ab", "c"]}, "tiers is 'ab': it must be a list of lists of names|tiers is 'ab'"),
        ({"tiers": {"a": 1}}, "it must be a list"),
        ({"strict_tiers": 1}, "strict_tiers is 1: it must be true or false"),
        ({"all_relevant": "yes"}, "all_relevant is 'yes'"),
        ({"targets": {"a": 1}}, "divided by 1: give a number greater than 1"),
        ({"targets": {"a": 0.5}}, "divided by 0.5"),
        ({"targets": {"a": float("nan")}}, "targets of 'a' is nan"),
        ({"targets": {"a": float("inf")}}, "targets of 'a' is inf"),
        ({"targets": ["a"]}, "'a', which is not a name with a number"),
        ({"targets": [("a", 2), ("a", 3)]}, "given both 2.0 and 3"),
        ({"max_parents": {"a": -1}}, "max_parents of 'a' is -1: give a whole number, 0 or more"),
        ({"max_parents": {"a": 1.5}}, "max_parents of 'a' is 1.5"),
        ({"max_parents": {"a": True}}, "max_parents of 'a' is True: give a number"),
        ({"max_parents": {"a": "2"}}, "max_parents of 'a' is '2': give a number"),
    ],
)
def test_a_statement_that_makes_no_sense_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(KnowledgeError, match=words):
        Knowledge.from_dict(given)


@pytest.mark.parametrize(
    "given",
    [
        {"required_arcs": [("smok", "lung")]},
        {"required_edges": [("smok", "lung")]},
        {"forbidden_arcs": [("lung", "smok")]},
        {"forbidden_edges": [("smok", "lung")]},
        {"tiers": [["smok"]]},
        {"targets": {"smok": 2}},
        {"max_parents": {"smok": 2}},
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_one(given: dict[str, object]) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'smoke'"):
        Knowledge.from_dict(given).check(ASIA, 8)


def test_an_unknown_key_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'forbidden_arcs'"):
        Knowledge.from_dict({"forbiden_arcs": []})


def test_a_negative_in_degree_of_the_search_is_refused() -> None:
    with pytest.raises(SettingError, match="search_in_degree is -1"):
        Knowledge().check(ABCD, -1)


def test_saying_it_twice_changes_nothing() -> None:
    once = Knowledge(required_arcs=[("a", "b")], forbidden_edges=[("c", "b")], tiers=[["a"], ["b"]])
    twice = Knowledge(
        required_arcs=[("a", "b"), ["a", "b"]],
        forbidden_edges=[("b", "c"), ("c", "b")],
        tiers=[["a", "a"], ["b"], [], []],
    )
    assert once == twice
    assert hash(once) == hash(twice)
    assert once.merged(twice) == once


def test_nothing_known_leaves_everything_free() -> None:
    constraints = Knowledge().check(ABCD, 3)
    assert (constraints.allowed == ~np.eye(4, dtype=bool)).all()
    assert not constraints.hold.any()
    assert constraints.limit.tolist() == [3] * 4
    assert constraints.limit.dtype == np.int32
    assert constraints.hold.dtype == np.uint8
    assert (constraints.virtual_arcs, constraints.nodes, constraints.divisors) == ((), 4, None)
    assert not constraints.all_relevant
    assert constraints.reason(0, 1) is None
    assert Knowledge().empty
    assert not Knowledge(all_relevant=True).empty


def test_arrays_cannot_be_written_to() -> None:
    constraints = Knowledge(required_arcs=[("a", "b")]).check(ABCD, 3)
    for checked in (constraints, constraints.reordered([3, 2, 1, 0])):
        for array in (checked.allowed, checked.hold, checked.limit):
            assert not array.flags.writeable


def test_merging_joins_what_can_be_joined_and_refuses_the_rest() -> None:
    one = Knowledge(max_parents={"a": 2}, targets={"a": 2}, tiers=[["a"], ["b"]])
    other = Knowledge(max_parents={"a": 1, "b": 3}, targets={"a": 2.0, "b": 4}, strict_tiers=True)
    both = one.merged(other)
    assert both.max_parents == {"a": 1, "b": 3}
    assert both.targets == {"a": 2.0, "b": 4.0}
    assert both.strict_tiers
    assert both.tiers == (("a",), ("b",))
    assert both == other.merged(one)
    with pytest.raises(KnowledgeError, match="two different lists of tiers"):
        one.merged(Knowledge(tiers=[["b"], ["a"]]))
    with pytest.raises(KnowledgeError, match=r"'a' is given both 2\.0 and 3\.0"):
        one.merged(Knowledge(targets={"a": 3}))


def test_whole_numbers_are_names_too() -> None:
    assert Knowledge(required_arcs=[(0, np.int64(1))]) == Knowledge(required_arcs=[("0", "1")])


def test_max_parents_lowers_the_in_degree_and_never_raises_it() -> None:
    constraints = Knowledge(max_parents={"a": 0, "b": 9}).check(ABCD, 3)
    assert constraints.limit.tolist() == [0, 3, 3, 3]
    assert constraints.allowed[1, 0]  # the in-degree differs from what is forbidden


def test_targets_become_divisors_in_the_order_of_the_variables() -> None:
    constraints = Knowledge(targets={"c": 2.5}).check(ABCD, 3)
    assert constraints.divisors == (1.0, 1.0, 2.5, 1.0)
    assert constraints.reordered([2, 0, 1, 3]).divisors == (2.5, 1.0, 1.0, 1.0)


def test_the_reason_is_given_in_words() -> None:
    knowledge = Knowledge(
        required_arcs=[("smoke", "lung")],
        required_edges=[("tub", "either"), ("bronc", "dysp"), ("smoke", "bronc")],
        forbidden_arcs=[("dysp", "bronc"), ("lung", "smoke")],
        forbidden_edges=[("xray", "dysp")],
        tiers=[["asia", "tub"], ["bronc"]],
        strict_tiers=True,
    )
    constraints = knowledge.check(ASIA, 8)

    def reason(a: str, b: str) -> str | None:
        return constraints.reason(ASIA.index(a), ASIA.index(b))

    assert reason("smoke", "lung") == "required arc smoke -> lung"
    assert reason("lung", "smoke") == "forbidden arc lung -> smoke"
    assert reason("either", "tub") == "required edge either - tub, in either direction"
    assert reason("bronc", "dysp") == (
        "required edge bronc - dysp, which must be bronc -> dysp because of forbidden arc dysp -> bronc"
    )
    assert reason("dysp", "bronc") == "forbidden arc dysp -> bronc"
    assert reason("xray", "dysp") == reason("dysp", "xray") == "forbidden edge dysp - xray"
    assert reason("bronc", "asia") == "tiers: bronc (tier 2) comes after asia (tier 1)"
    assert reason("asia", "tub") == "strict tiers: asia and tub are both in tier 1"
    assert reason("asia", "bronc") is None
    assert reason("asia", "asia") is None


def test_the_opposite_of_a_required_arc_is_not_allowed_and_says_why() -> None:
    constraints = Knowledge(required_arcs=[("a", "b")]).check(ABCD, 8)
    assert not constraints.allowed[1, 0]
    assert constraints.reason(1, 0) == "required arc a -> b"


def test_an_edge_that_only_one_way_round_can_be_is_turned_and_says_why() -> None:
    constraints = Knowledge(required_edges=[("a", "c")], required_arcs=[("a", "b"), ("b", "c")]).check(ABCD, 8)
    assert constraints.hold[0, 2] == 2
    assert not constraints.allowed[2, 0]
    words = "required edge a - c, which must be a -> c because of required arc a -> b and required arc b -> c"
    assert constraints.reason(0, 2) == constraints.reason(2, 0) == words


def test_an_edge_is_turned_away_from_a_variable_that_has_its_parents() -> None:
    knowledge = Knowledge(required_edges=[("a", "c")], required_arcs=[("b", "c")], max_parents={"c": 1})
    constraints = knowledge.check(ABCD, 8)
    assert constraints.hold[2, 0] == 2
    words = constraints.reason(2, 0)
    assert words is not None
    assert words.endswith("because of required arc b -> c and at most 1 parent of c (max_parents)")


def test_one_virtual_node_stands_between_two_tiers() -> None:
    constraints = Knowledge(tiers=[["d"], [], ["b", "c"], ["a"]]).check(ABCD, 8)
    assert constraints.nodes == 6
    assert sorted(constraints.virtual_arcs) == [(1, 5), (2, 5), (3, 4), (4, 1), (4, 2), (4, 5), (5, 0)]
    assert constraints.reason(0, 1) == "tiers: a (tier 4) comes after b (tier 3)"


def test_all_relevant_is_refused_when_something_can_never_be_joined() -> None:
    apart = Knowledge(all_relevant=True, forbidden_edges=[("a", "b"), ("a", "c"), ("a", "d")])
    with pytest.raises(KnowledgeError, match=re.escape("nothing may join a to the rest (forbidden edge a - b, ")):
        apart.check(ABCD, 8)
    with pytest.raises(KnowledgeError, match="strict tiers: a and b are both in tier 1"):
        Knowledge(all_relevant=True, strict_tiers=True, tiers=[ABCD]).check(ABCD, 8)
    with pytest.raises(KnowledgeError, match="at most 0 parents of b"):
        Knowledge(all_relevant=True).check(ABCD, 0)
    assert Knowledge(all_relevant=True).check(ABCD, 1).all_relevant
    assert Knowledge(all_relevant=True, forbidden_edges=[("a", "b")]).check(ABCD, 1).all_relevant
    assert Knowledge(all_relevant=True).check(["a"], 8).all_relevant


def test_the_first_orientation_follows_the_gains_while_it_may() -> None:
    edges = Knowledge(required_edges=[("a", "b"), ("b", "c"), ("a", "c")])
    free = edges.check(ABCD, 8)
    gains = {(0, 1): 5.0, (1, 2): 4.0, (2, 0): 3.0}  # all three together would be a cycle
    assert initial_orientation(free, lambda u, v: gains.get((u, v), 0.0)) == [(0, 1), (0, 2), (1, 2)]
    assert initial_orientation(free, lambda u, v: 1.0) == [(0, 1), (0, 2), (1, 2)]
    narrow = edges.merged(Knowledge(max_parents={"c": 1})).check(ABCD, 8)
    arcs = initial_orientation(narrow, lambda u, v: float(v == 2) + 0.1 * u)
    assert sum(v == 2 for _, v in arcs) == 1


def test_a_start_graph_is_kept_and_completed_or_refused() -> None:
    edge = Knowledge(required_edges=[("a", "c")], tiers=[["a"], ["d"]]).check(ABCD, 8)

    def backwards(u: int, v: int) -> float:
        return float(u - v)

    assert initial_orientation(edge, backwards) == [(2, 0)]
    assert initial_orientation(edge, backwards, given=[(0, 1), (1, 2)]) == [(0, 1), (0, 2), (1, 2)]
    assert initial_orientation(edge, backwards, given=[(0, 2)]) == [(0, 2)]
    with pytest.raises(KnowledgeError, match="the start graph leaves no acyclic way"):
        initial_orientation(edge, backwards, given=[(3, 1), (1, 0)])  # later to earlier, through b


def test_gains_that_differ_by_rounding_alone_count_as_equal() -> None:
    constraints = Knowledge(required_edges=[("a", "b")]).check(ABCD, 8)
    assert initial_orientation(constraints, lambda u, v: 1e-12 * u) == [(0, 1)]
    assert initial_orientation(constraints, lambda u, v: 1e-3 * u) == [(1, 0)]
    assert initial_orientation(constraints, lambda u, v: float("-inf")) == [(0, 1)]


@pytest.mark.parametrize("content", [None, 5, [], "tiers"])
def test_knowledge_that_is_no_table_is_refused(content: object) -> None:
    with pytest.raises(KnowledgeError, match="give a table of constraints by their kind"):
        Knowledge.from_dict(content)  # type: ignore[arg-type]
