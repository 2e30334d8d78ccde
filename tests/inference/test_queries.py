from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_inference import configurations, joint_by_listing, networks, probability

import mahc
from mahc.errors import MahcError, SettingError, UnknownNameError
from mahc.inference import ImpossibleEvidenceError, Model, TooLargeError
from mahc.inference.compiled import CompiledNetwork
from mahc.inference.factors import Logarithms
from mahc.inference.row_posteriors import posterior_states
from mahc.networks import Network, load_network

ASIA = Model.load("asia")
seeds = st.integers(0, 2**32 - 1)


def random_question(
    network: Network, seed: int, do: bool
) -> tuple[tuple[int, ...], dict[int, int], dict[int, np.ndarray], dict[int, int]]:
    """Targets, observed states, likelihoods and states set by do, over different variables."""
    generator = np.random.default_rng(seed)
    order = [int(v) for v in generator.permutation(len(network.names))]
    targets, rest = tuple(order[: int(generator.integers(1, 3))]), order[2:]
    state = {v: int(generator.integers(len(network.states[v]))) for v in rest}
    kind = {v: int(generator.integers(4)) for v in rest}
    observed = {v: state[v] for v in rest if kind[v] == 0}
    soft = {v: generator.random(len(network.states[v])) + 0.01 for v in rest if kind[v] == 1}
    return targets, observed, soft, {v: state[v] for v in rest if kind[v] == 2 and do}


def ask_model(
    network: Network,
    targets: tuple[int, ...],
    observed: dict[int, int],
    soft: dict[int, np.ndarray],
    do: dict[int, int],
    **settings: object,
) -> np.ndarray:
    names, states = network.names, network.states
    given_states: dict[str, object] = {names[v]: states[v][k] for v, k in observed.items()}
    given_states |= {names[v]: dict(zip(states[v], values, strict=True)) for v, values in soft.items()}
    answer = Model(network).query(
        [names[v] for v in targets], given_states, {names[v]: states[v][k] for v, k in do.items()}, **settings
    )
    return np.array(list(answer.values())).reshape([len(states[v]) for v in targets])


@given(networks(zeros=True), seeds, st.booleans())
@settings(max_examples=80)
def test_answers_equal_those_of_listing_every_configuration(network: Network, seed: int, do: bool) -> None:
    targets, observed, soft, forced = random_question(network, seed, do)
    expected = joint_by_listing(network, targets, observed, soft, forced)
    if expected.sum() == 0:
        with pytest.raises(ImpossibleEvidenceError):
            ask_model(network, targets, observed, soft, forced)
        return
    found = ask_model(network, targets, observed, soft, forced)
    np.testing.assert_allclose(found, expected / expected.sum(), atol=1e-12)


@pytest.mark.peers
@given(networks(), seeds, st.booleans())
@settings(max_examples=40)
def test_answers_equal_those_of_pyagrum(network: Network, seed: int, do: bool) -> None:
    pytest.importorskip("pyagrum")
    question = random_question(network, seed, do)
    theirs = ask_model(network, *question, method="pyagrum")
    np.testing.assert_allclose(ask_model(network, *question), theirs, atol=1e-10)


@pytest.mark.peers
@pytest.mark.parametrize("name", ["alarm", "child", "insurance", "hailfinder", "win95pts"])
def test_every_marginal_of_a_shipped_network_equals_that_of_pyagrum(name: str) -> None:
    gum = pytest.importorskip("pyagrum")
    from mahc.networks.export import to_pyagrum

    network = load_network(name)
    model, net = Model(network), to_pyagrum(network)
    leaf = network.order[-1]
    seen = {network.names[leaf]: network.states[leaf][0]}
    engine = gum.LazyPropagation(net)
    engine.setEvidence(seen)
    engine.makeInference()
    found = model.query([v for v in network.names if v not in seen], given=seen, joint=False)
    for variable, answer in found.items():  # published tables are rounded; pyAgrum does not divide rows by their sums
        np.testing.assert_allclose(list(answer.values()), engine.posterior(variable).toarray(), atol=2e-6)


@given(networks(zeros=True), seeds)
@settings(max_examples=40)
def test_one_by_one_is_the_marginal_of_each(network: Network, seed: int) -> None:
    _, observed, soft, _ = random_question(network, seed, do=False)
    targets = [v for v in range(len(network.names)) if v not in observed and v not in soft]
    names, states = network.names, network.states
    seen: dict[str, object] = {names[v]: states[v][k] for v, k in observed.items()}
    seen |= {names[v]: list(values) for v, values in soft.items()}
    if joint_by_listing(network, (), observed, soft).sum() == 0:
        with pytest.raises(ImpossibleEvidenceError):
            Model(network).query([names[v] for v in targets], seen, joint=False)
        return
    for v, answer in zip(
        targets, Model(network).query([names[v] for v in targets], seen, joint=False).values(), strict=True
    ):
        expected = joint_by_listing(network, (v,), observed, soft)
        np.testing.assert_allclose(list(answer.values()), expected / expected.sum(), atol=1e-12)


@given(networks(zeros=True), seeds, st.booleans())
@settings(max_examples=60)
def test_the_most_probable_explanation_is_the_best_of_all_listed(network: Network, seed: int, do: bool) -> None:
    _, observed, _, forced = random_question(network, seed, do)
    names, states = network.names, network.states
    fitting = [x for x in configurations(network) if all(x[v] == k for v, k in observed.items())]
    each = {x: probability(network, x, forced) for x in fitting}
    seen = {names[v]: states[v][k] for v, k in observed.items()}
    put = {names[v]: states[v][k] for v, k in forced.items()}
    if max(each.values()) == 0:
        with pytest.raises(ImpossibleEvidenceError):
            Model(network).most_probable(seen, put)
        return
    found = Model(network).most_probable(seen, put)
    labels = {**found.states, **seen, **put}
    chosen = tuple(states[v].index(labels[names[v]]) for v in range(len(names)))
    assert each[chosen] == pytest.approx(max(each.values()))
    assert found.probability == pytest.approx(each[chosen] / sum(each.values()))


@given(networks(least=2), seeds)
@settings(max_examples=30)
def test_the_order_of_the_variables_changes_no_bit(network: Network, seed: int) -> None:
    order = [int(v) for v in np.random.default_rng(seed).permutation(len(network.names))]
    place = {v: k for k, v in enumerate(order)}
    moved = Network(
        "moved",
        tuple(network.names[v] for v in order),
        tuple(network.states[v] for v in order),
        tuple(tuple(place[p] for p in network.parents[v]) for v in order),
        tuple(network.tables[v] for v in order),
    )
    target = network.names[seed % len(network.names)]
    assert dict(Model(network).query(target)) == dict(Model(moved).query(target))
    settings_of = {"method": "weighting", "draws": 500, "seed": seed % 100}
    assert dict(Model(network).query(target, **settings_of)) == dict(Model(moved).query(target, **settings_of))


def test_doing_differs_from_seeing() -> None:
    seen, done = ASIA.query("smoke", given={"lung": "yes"}), ASIA.query("smoke", do={"lung": "yes"})
    assert seen["yes"] > 0.9
    assert done["yes"] == pytest.approx(0.5)


def test_a_large_network_is_answered_in_its_relevant_part_and_refused_where_it_does_not_fit() -> None:
    munin = Model.load("munin1")
    assert sum(munin.query("R_APB_MUSIZE").values()) == pytest.approx(1)
    leaves = [v for v in munin.variables if not any(v in arc[:1] for arc in munin.network.arcs)]
    observed = {name: munin.states(name)[0] for name in leaves}
    assert munin.cost("R_LNLW_MED_SEV", given=observed).bytes > 2**30
    with pytest.raises(TooLargeError, match=r"an exact answer needs about .* GiB \(a table of .* numbers over"):
        munin.query("R_LNLW_MED_SEV", given=observed)


@pytest.mark.parametrize(
    ("target", "given_states", "do", "message"),
    [
        ("lungs", None, None, "unknown variable 'lungs': did you mean 'lung'?"),
        ("lung", {"smoke": "maybe"}, None, "unknown state of 'smoke' 'maybe'"),
        ("lung", {"smok": "yes"}, None, "unknown variable 'smok': did you mean 'smoke'?"),
        ("lung", None, {"smoke": "y"}, "unknown state of 'smoke' 'y'"),
        ("lung", None, {"lung": "yes"}, "'lung' is the target and is set by do: leave it out of one of them"),
        ("lung", {"lung": "yes"}, None, "'lung' is the target and is given: leave it out of one of them"),
        ("lung", {"smoke": "yes"}, {"smoke": "no"}, "'smoke' is given and set by do: leave it out of one of them"),
        ([], None, None, "no target is named: name the variable whose distribution is asked for"),
        (["lung", "lung"], None, None, "the target 'lung' is named twice: name it once"),
        ("lung", {"smoke": [1.0]}, None, "'smoke' has 2 states and 1 likelihood: give one for each state"),
        (
            "lung",
            {"smoke": [0, 0]},
            None,
            "the likelihoods of 'smoke' are [0, 0]: give numbers from 0 up, not all of them 0",
        ),
        ("lung", {"smoke": {"yes": -1}}, None, "give numbers from 0 up, not all of them 0"),
        ("lung", {"smoke": {"yes": "a"}}, None, "give numbers from 0 up"),
        ("lung", "smoke=yes", None, "given is 'smoke=yes': give variables with their states, such as {'smoke': 'yes'}"),
        ("lung", {"either": "no", "tub": "yes"}, None, "either=no, tub=yes has probability 0 in the network"),
    ],
)
def test_a_mistake_is_one_sentence(target: object, given_states: object, do: object, message: str) -> None:
    with pytest.raises(MahcError) as refused:
        ASIA.query(target, given_states, do)  # type: ignore[call-overload]
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("settings_of", "message"),
    [
        ({"method": "magic"}, 'method is \'magic\': give one of "exact", "weighting", "pyagrum"'),
        ({"credible": 1.5}, "credible is 1.5: give a number between 0 and 1 (0.95 is usual)"),
        ({"credible": 0.9}, "credible intervals need tables fitted to data with a prior above 0"),
        ({"credible": 0.9, "method": "weighting"}, "credible intervals need the method exact"),
        ({"method": "weighting", "draws": 5}, "draws is 5: give a whole number from 10"),
        ({"seed": -1}, "seed is -1: give a whole number from 0"),
    ],
)
def test_a_wrong_setting_is_one_sentence(settings_of: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError) as refused:
        ASIA.query("lung", **settings_of)  # type: ignore[call-overload]
    assert message in str(refused.value)


def test_states_are_found_as_python_values() -> None:
    data = mahc.read({"on": [True, False] * 20, "size": [1.0, 2.0] * 20})
    model = mahc.learn(data, "hc").fit(data)
    assert model.query("size", given={"on": True}) == model.query("size", given={"on": "true"})
    assert model.query("on", given={"size": 1.0}) == model.query("on", given={"size": "1"})
    with pytest.raises(UnknownNameError):
        model.query("on", given={"size": 1.5})


def many_children(count: int, probabilities: list[list[float]]) -> Network:
    """A class with two states and many children; `probabilities` are those of state x of the children, in turn."""
    names = ("class", *(f"c{i}" for i in range(count)))
    tables = [np.array([[0.25, 0.75]])]
    for i in range(count):
        first = np.array(probabilities[i % len(probabilities)])
        tables.append(np.stack([first, 1 - first], axis=1))
    return Network("many", names, (("x", "y"),) * (count + 1), ((), *((0,),) * count), tuple(tables))


@pytest.mark.long
@pytest.mark.parametrize("count", [39, 1199])
def test_many_improbable_observations_are_possible(count: int) -> None:
    """Their product is below the smallest double; the answer is that of a product of logarithms."""
    network = many_children(count, [[1e-10, 2e-10]])
    model, seen = Model(network), {f"c{i}": "x" for i in range(count)}
    share = 2.0**-count / 3
    expected = pytest.approx({"x": share / (1 + share), "y": 1 / (1 + share)}, rel=1e-9, abs=1e-300)
    answer = model.query("class", seen)
    assert dict(answer) == expected
    assert answer.given_log2 == pytest.approx(np.log2(0.75) + count * np.log2(2e-10), rel=1e-12)
    assert dict(model.query(["class"], seen, joint=False)["class"]) == expected
    assert model.most_probable(seen).states["class"] == "y"


def test_observations_that_favour_one_state_after_the_other_balance() -> None:
    """Scaling alone would lose the first state before the other observations bring it back."""
    network = many_children(200, [[1e-10, 0.5], [0.5, 1e-10]])
    by_half = sorted(range(200), key=lambda i: i % 2)
    renamed = Network(
        network.name,
        ("class", *(f"c{by_half.index(i):03}" for i in range(200))),
        network.states,
        network.parents,
        network.tables,
    )
    answer = Model(renamed).query("class", dict.fromkeys(renamed.names[1:], "x"))
    assert dict(answer) == pytest.approx({"x": 0.25, "y": 0.75})


def test_a_case_of_a_batch_has_its_own_answer() -> None:
    network = many_children(60, [[1e-10, 0.5]])
    rows = np.array([[-1, *[0] * 60], [-1, *[1] * 60], [-1, *[0, 1] * 30]])
    compiled = CompiledNetwork(network)
    together = posterior_states(compiled, rows, 0)
    assert together.tolist() == [posterior_states(compiled, rows[i : i + 1], 0)[0].tolist() for i in range(3)]


@given(networks(zeros=True), seeds, st.booleans())
@settings(max_examples=40)
def test_logarithms_give_what_probabilities_give(network: Network, seed: int, joint: bool) -> None:
    targets, observed, _, _ = random_question(network, seed, do=False)
    asked = [network.names[v] for v in targets]
    seen = {network.names[v]: network.states[v][k] for v, k in observed.items()}

    def ask() -> list[float] | None:
        try:
            found = Model(network).query(asked, seen, joint=joint)
        except ImpossibleEvidenceError:
            return None
        return [value for answer in ([found] if joint else found.values()) for value in answer.values()]

    expected = ask()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mahc.inference.bucket_tree.Plain", Logarithms)
        assert ask() == (None if expected is None else pytest.approx(expected, rel=1e-12, abs=1e-15))
