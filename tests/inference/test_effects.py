from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_inference import configurations, joint_by_listing, networks, probability

import mahc
from mahc.errors import GraphError, MahcError
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag
from mahc.inference import Model
from mahc.inference.adjustment_sets import possible_parents
from mahc.networks import Network, load_network, sample


def members_of(dag: DAG, required: list[tuple[str, str]]) -> Iterator[DAG]:
    """Every DAG of the class that has the required arcs, by trying both directions of every edge."""
    cpdag = dag_to_cpdag(dag)
    for turned in itertools.product((False, True), repeat=len(dag.arcs)):
        arcs = [(b, a) if turn else (a, b) for turn, (a, b) in zip(turned, dag.arcs, strict=True)]
        try:
            other = DAG(dag.names, arcs)
        except GraphError:  # a cycle
            continue
        if dag_to_cpdag(other) == cpdag and set(required) <= set(other.arcs):
            yield other


def with_graph(network: Network, dag: DAG) -> Network:
    """The same joint distribution with the graph of another member of the class, by listing."""
    tables, parents = [], []
    for node, name in enumerate(network.names):
        above = tuple(network.names.index(parent) for parent in dag.parents(name))
        table = joint_by_listing(network, (*above, node), {}).reshape(-1, len(network.states[node]))
        tables.append(table / table.sum(axis=1, keepdims=True))
        parents.append(above)
    return Network("member", network.names, network.states, tuple(parents), tuple(tables))


def interventional(network: Network, x: int, y: int) -> np.ndarray:
    """P(y | do(x)) by listing the truncated factorisation."""
    found = np.zeros((len(network.states[x]), len(network.states[y])))
    for state in range(len(network.states[x])):
        for each in configurations(network):
            found[state, each[y]] += probability(network, each, {x: state})
    return found


@given(networks(most=5, least=2, single_states=False), st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=40)
def test_effects_over_a_class_equal_those_of_enumerating_it(network: Network, seed: int, knowledge: bool) -> None:
    generator = np.random.default_rng(seed)
    x, y = (int(v) for v in generator.choice(len(network.names), 2, replace=False))
    dag = network.dag
    required = [arc for arc in dag.arcs if knowledge and generator.random() < 0.3]
    pattern = dag_to_cpdag(dag, required=required)
    members = list(members_of(dag, required))
    cause, target = network.names[x], network.names[y]
    expected_sets = sorted({member.parents(cause) for member in members})
    assert list(possible_parents(pattern, cause)) == expected_sets
    effect = Model(network, pattern=pattern).effect(cause, target)
    by_set = dict(zip(effect.parent_sets, effect.tables, strict=True))
    for member in members:
        np.testing.assert_allclose(
            by_set[member.parents(cause)], interventional(with_graph(network, member), x, y), atol=1e-9
        )


@given(networks(most=5, least=2), st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_the_effect_in_one_dag_is_that_of_the_mutilated_network(network: Network, seed: int) -> None:
    x, y = (int(v) for v in np.random.default_rng(seed).choice(len(network.names), 2, replace=False))
    effect = Model(network).effect(network.names[x], network.names[y])
    np.testing.assert_allclose(effect.tables[0], interventional(network, x, y), atol=1e-12)


def test_a_fitted_model_gives_an_interval_and_a_network_one_value() -> None:
    data = sample(load_network("asia"), 5000, 1)
    learned = mahc.learn(data, "hc")
    effect = learned.fit(data).effect("smoke", "lung")
    assert len(effect.tables) > 1
    assert not effect.identified
    difference = effect.difference("yes", "yes", "no")
    assert difference.low == 0.0 < difference.high
    assert effect.ratio("yes", "yes", "no").low == 1.0
    alone = learned.fit(data).effect("smoke", "lung", over="dag")
    assert len(alone.tables) == 1
    assert Model.load("asia").effect("smoke", "lung").identified
    assert len(Model.load("asia").effect("smoke", "lung", over="class").tables) > 1


def test_knowledge_narrows_the_interval() -> None:
    data = sample(load_network("asia"), 5000, 1)
    free = mahc.learn(data, "hc").fit(data).effect("smoke", "lung").difference("yes", "yes", "no")
    known = mahc.learn(data, "hc", knowledge={"tiers": [["asia", "smoke"], ["tub", "lung", "bronc"]]})
    bound = known.fit(data).effect("smoke", "lung").difference("yes", "yes", "no")
    assert bound.low > free.low
    assert bound.high == pytest.approx(free.high, rel=0.2)


def test_an_answer_to_do_in_one_dag_says_so() -> None:
    data = sample(load_network("asia"), 2000, 1)
    answer = mahc.learn(data, "hc").fit(data).query("lung", do={"smoke": "yes"})
    assert "answer of one DAG" in answer.notes[0]
    assert Model.load("asia").query("lung", do={"smoke": "yes"}).notes == ()


def test_a_pag_answers_observations_and_refuses_interventions() -> None:
    data = sample(load_network("asia"), 1000, 1)
    model = mahc.learn(data, "fci").fit(data)
    assert sum(model.query("lung", given={"smoke": "yes"}).values()) == pytest.approx(1)
    for refused in (lambda: model.query("lung", do={"smoke": "yes"}), lambda: model.effect("smoke", "lung")):
        with pytest.raises(GraphError, match="hidden common causes are possible"):
            refused()


@pytest.mark.parametrize(
    ("cause", "target", "over", "message"),
    [
        ("smoke", "smoke", None, "the effect of 'smoke' on itself was asked for: name two variables"),
        ("smokes", "lung", None, "unknown variable 'smokes': did you mean 'smoke'?"),
        ("smoke", "lungs", None, "unknown variable 'lungs': did you mean 'lung'?"),
        ("smoke", "lung", "all", 'over is \'all\': give "class" or "dag", or leave it out'),
    ],
)
def test_a_mistake_is_one_sentence(cause: str, target: str, over: str | None, message: str) -> None:
    with pytest.raises(MahcError) as refused:
        Model.load("asia").effect(cause, target, over=over)
    assert message in str(refused.value)


def test_an_effect_where_a_configuration_lacks_the_cause_is_refused() -> None:
    network = Network(
        "lacking",
        ("a", "b", "c"),
        (("n", "y"),) * 3,
        ((), (0,), (0, 1)),
        (np.array([[0.5, 0.5]]), np.array([[1.0, 0.0], [0.5, 0.5]]), np.full((4, 2), 0.5)),
    )
    pattern = MixedGraph(["a", "b", "c"], [("a", "---", "b"), ("b", "---", "c"), ("a", "---", "c")])
    with pytest.raises(MahcError, match=r"b=y has probability 0 in some configuration of a.*prior above 0"):
        Model(network, pattern=pattern).effect("b", "c")


def test_contrasts_against_the_rest_and_odds_ratios() -> None:
    network = load_network("sachs")
    effect = Model(network).effect("PKA", "Erk")
    x, y = network.names.index("PKA"), network.names.index("Erk")
    table = effect.tables[0]
    shares = joint_by_listing(network, (x,), {}).reshape(-1)
    assert effect.shares == pytest.approx(shares.tolist())
    for place, state in enumerate(network.states[x]):
        others = [k for k in range(len(shares)) if k != place]
        before = (shares[others] / shares[others].sum()) @ table[others]
        for k, to in enumerate(network.states[y]):
            a, b = table[place, k], before[k]
            assert effect.difference(to, state).low == pytest.approx(a - b)
            assert effect.ratio(to, state).low == pytest.approx(a / b)
            assert effect.odds_ratio(to, state).low == pytest.approx(a / (1 - a) / (b / (1 - b)))
            for base, name in enumerate(network.states[x]):
                b0 = table[base, k]
                assert effect.odds_ratio(to, state, name).low == pytest.approx(a / (1 - a) / (b0 / (1 - b0)))
    row = effect.to_dict("AVG")["effects"][0]  # type: ignore[index]
    assert row["against_the_rest"]["difference"] == pytest.approx([effect.difference("LOW", "LOW").low] * 2)
    assert "compared with all other states together" in effect.lines(rest=True)[0]


def test_a_cause_with_one_state_has_no_rest() -> None:
    network = Network("n", ("a", "b"), (("x",), ("u", "v")), ((), (0,)), (np.ones((1, 1)), np.array([[0.5, 0.5]])))
    with pytest.raises(MahcError, match="a is always x: there is no other state"):
        Model(network).effect("a", "b").difference("u", "x")
