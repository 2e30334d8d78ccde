from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from mahc.data.dataset import Dataset
from mahc.errors import DataError, SettingError, UnknownNameError
from mahc.graphs import dag_to_cpdag, dag_to_pag
from mahc.networks import load_network, sample, simulate
from mahc.networks.noise import (
    CMISL,
    NOISES,
    Combined,
    Incorrect,
    Latent,
    Merged,
    Missing,
    NoisyData,
    Outcome,
    parse_noise,
)

ROWS = 20_000


@pytest.fixture(scope="module")
def alarm() -> Dataset:
    return sample(load_network("alarm"), ROWS, 1, unseen_states=True)


def within(count: int, total: int, rate: float) -> bool:
    """Whether a count lies within five standard deviations of a binomial's mean."""
    return abs(count - total * rate) <= 5 * math.sqrt(total * rate * (1 - rate))


@pytest.mark.parametrize("name", NOISES.names())
def test_every_noise_does_the_same_for_the_same_seed(alarm: Dataset, name: str) -> None:
    noise = NOISES[name](0.05)
    assert noise.apply(alarm, 1) == noise.apply(alarm, 1)
    assert noise.apply(alarm, 1) != noise.apply(alarm, 2)


@pytest.mark.parametrize("name", NOISES.names())
def test_the_order_of_the_columns_changes_nothing(alarm: Dataset, name: str) -> None:
    turned = alarm.select(sorted(alarm.names))
    one, other = NOISES[name](0.05).apply(alarm, 4), NOISES[name](0.05).apply(turned, 4)
    assert other.data.select(one.data.names) == one.data
    assert one.latents == other.latents


@pytest.mark.parametrize("name", NOISES.names())
def test_a_rate_of_zero_does_nothing(alarm: Dataset, name: str) -> None:
    assert NOISES[name](0).apply(alarm, 1).data == alarm


@pytest.mark.parametrize("name", NOISES.names())
@pytest.mark.parametrize("rate", [-0.1, 1.01, math.nan, "much", True])
def test_a_rate_that_is_no_probability_is_refused(name: str, rate: object) -> None:
    with pytest.raises(SettingError, match="must lie between 0 and 1"):
        NOISES[name](rate)


def test_missing_values_come_at_their_rate_as_a_new_last_state(alarm: Dataset) -> None:
    noisy = Missing(0.05).apply(alarm, 1)
    counts = dict(noisy.outcomes[0].changed)
    for name, before, after in zip(alarm.names, alarm.codes, noisy.data.codes, strict=True):
        labels = noisy.data.labels[noisy.data.index(name)]
        gone = after == len(labels) - 1
        assert labels[-1] == "missing"
        assert counts[name] == int(gone.sum())
        assert within(counts[name], ROWS, 0.05)
        np.testing.assert_array_equal(after[~gone], before[~gone])


def test_missing_values_of_two_variables_are_independent(alarm: Dataset) -> None:
    gone = [column == column.max() for column in Missing(0.2).apply(alarm, 1).data.codes[:2]]
    assert within(int((gone[0] & gone[1]).sum()), ROWS, 0.04)


def test_a_variable_without_missing_values_keeps_its_states() -> None:
    data = sample(load_network("asia"), 5, 1)
    noisy = Missing(0.01).apply(data, 1)
    assert noisy.data.labels == data.labels
    assert all(count == 0 for _, count in noisy.outcomes[0].changed)


def test_a_state_that_is_called_missing_already_is_refused() -> None:
    data = Dataset.coded(("x",), (("missing", "there"),), (np.array([0, 1]),))
    with pytest.raises(DataError, match="'x' already has a state 'missing'"):
        Missing().apply(data, 1)


def test_incorrect_values_are_other_states_at_the_rate_and_all_as_likely(alarm: Dataset) -> None:
    noisy = Incorrect(0.1).apply(alarm, 1)
    counts = dict(noisy.outcomes[0].changed)
    for name, before, after in zip(alarm.names, alarm.codes, noisy.data.codes, strict=True):
        wrong = before != after
        assert counts[name] == int(wrong.sum())
        assert within(counts[name], ROWS, 0.1)
        states = len(alarm.labels[alarm.index(name)])
        steps = np.bincount((after[wrong].astype(int) - before[wrong]) % states, minlength=states)[1:]
        assert all(within(int(step), counts[name], 1 / (states - 1)) for step in steps)
    assert noisy.data.labels == alarm.labels


def test_a_variable_of_one_state_stays_as_it_is() -> None:
    data = Dataset.coded(("x", "y"), (("only",), ("a", "b")), (np.zeros(100, int), np.zeros(100, int)))
    assert dict(Incorrect(1.0).apply(data, 1).outcomes[0].changed) == {"x": 0, "y": 100}


def test_merging_joins_two_states_of_a_share_of_the_wider_variables(alarm: Dataset) -> None:
    wide = [name for name, states in zip(alarm.names, alarm.labels, strict=True) if len(states) > 2]
    noisy = Merged(0.2).apply(alarm, 1)
    merges = noisy.outcomes[0].merged
    assert len(merges) == int(0.2 * len(wide) + 0.5)
    for merge in merges:
        before = alarm.codes[alarm.index(merge.variable)]
        labels = np.array(alarm.labels[alarm.index(merge.variable)])[before]
        after = np.array(noisy.data.labels[noisy.data.index(merge.variable)])[
            noisy.data.codes[noisy.data.index(merge.variable)]
        ]
        expected = np.where(np.isin(labels, [merge.first, merge.second]), merge.into, labels)
        np.testing.assert_array_equal(after, expected)


def test_there_is_nothing_to_merge_where_every_variable_has_two_states() -> None:
    data = sample(load_network("asia"), 50, 1)
    assert Merged(0.5).apply(data, 1).data == data


@pytest.mark.parametrize(
    ("name", "count"), [("asia", 1), ("alarm", 2), ("pathfinder", 5), ("survey", 1), ("hailfinder", 3)]
)
def test_five_in_a_hundred_variables_go_and_at_least_one(name: str, count: int) -> None:
    network = load_network(name)
    noisy = Latent(0.05).apply(sample(network, 2, 1, unseen_states=True), 1)
    assert len(noisy.latents) == count
    assert set(noisy.data.names) == set(network.names) - set(noisy.latents)


def test_latents_can_be_named_and_must_be_known() -> None:
    data = sample(load_network("asia"), 5, 1)
    assert Latent(variables=("dysp",)).apply(data, 1).latents == ("dysp",)
    with pytest.raises(UnknownNameError, match="did you mean 'dysp'"):
        Latent(variables=("disp",)).apply(data, 1)
    with pytest.raises(SettingError, match="leave at least one"):
        Latent(1.0).apply(data, 1)


def test_the_papers_noise_is_incorrect_then_merged_then_missing_then_latent(alarm: Dataset) -> None:
    noisy = CMISL().apply(alarm, 3)
    assert [outcome.noise for outcome in noisy.outcomes] == ["incorrect", "merged", "missing", "latent"]
    steps = Combined((Incorrect(), Merged(), Missing(), Latent()))
    assert steps.apply(alarm, 3) == noisy
    assert all(labels.count("missing") == 1 and labels[-1] == "missing" for labels in noisy.data.labels)


def test_a_merge_and_a_latent_do_not_hang_on_the_number_of_rows() -> None:
    network = load_network("hailfinder")
    short, long = simulate(network, 10, 1, CMISL()), simulate(network, 2_000, 1, CMISL())
    assert short.latents == long.latents
    assert short.outcomes[1] == long.outcomes[1]


def test_the_truth_follows_from_what_was_removed() -> None:
    network = load_network("asia")
    clean = simulate(network, 10, 1)
    assert (clean.truth_kind, clean.truth()) == ("cpdag", dag_to_cpdag(network.dag))
    noisy = simulate(network, 10, 1, Latent(variables=("either",)))
    assert (noisy.truth_kind, noisy.truth()) == ("pag", dag_to_pag(network.dag, ["either"]))


def test_weighted_data_are_refused_where_rows_matter() -> None:
    data = Dataset.coded(("x",), (("a", "b"),), (np.array([0, 1]),), np.array([3, 4]))
    for noise in (Missing(), Incorrect()):
        with pytest.raises(DataError, match="without weights"):
            noise.apply(data, 1)


@pytest.mark.parametrize(
    ("text", "noise"),
    [
        ("cMISL", CMISL()),
        ("missing:0.1", Missing(0.1)),
        ("incorrect + latent:0.2", Combined((Incorrect(), Latent(0.2)))),
    ],
)
def test_noise_is_read_from_a_word(text: str, noise: object) -> None:
    assert parse_noise(text) == noise


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("cMSIL", "did you mean 'cMISL'"),
        ("missing:lots", "the rate in 'missing:lots' is not a number"),
        ("missing:2", "must lie between 0 and 1"),
        ("", "unknown noise ''"),
        ("missing+", "unknown noise ''"),
    ],
)
def test_a_noise_that_cannot_be_read_is_refused(text: str, sentence: str) -> None:
    with pytest.raises((SettingError, UnknownNameError), match=sentence):
        parse_noise(text)


def test_named_latents_need_a_noise_that_removes_them() -> None:
    assert parse_noise("cMISL", ("dysp",)) == CMISL(variables=("dysp",))
    with pytest.raises(SettingError, match=r"add \+latent"):
        parse_noise("missing", ("dysp",))


@dataclass(frozen=True)
class Shuffled:
    """A noise that only this test registers: it removes the named variables and reverses the rows of the others."""

    rate: float = 0.05
    variables: tuple[str, ...] = ()

    def apply(self, data: Dataset, seed: int) -> NoisyData:
        kept = data.select([name for name in data.names if name not in self.variables])
        turned = kept.take(np.arange(kept.rows)[::-1])
        changed = tuple((name, kept.rows) for name in kept.names)
        return NoisyData(turned, (Outcome("shuffled", self.rate, changed=changed, removed=self.variables),))


def test_a_registered_noise_is_parsed_given_its_variables_and_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NOISES._entries, "shuffled", Shuffled)
    noise = parse_noise("shuffled:0.2", ("dysp",))
    assert noise == Shuffled(0.2, ("dysp",))
    simulation = simulate(load_network("asia"), 10, seed=1, noise=noise)
    assert simulation.latents == ("dysp",)
    assert simulation.outcomes[0].describe(10) == "shuffled   70 of 70 values (rate 0.2); dysp"
    assert simulation.outcomes[0].to_dict()["removed_variables"] == ["dysp"]


@pytest.mark.parametrize(("letters", "names"), [("M", "missing"), ("I:0.2+L", "incorrect:0.2+latent"), ("S", "merged")])
def test_letters_stand_for_noises(letters: str, names: str) -> None:
    assert parse_noise(letters) == parse_noise(names)
