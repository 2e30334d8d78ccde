"""The questions worth asking: pairs of variables about which an expert's answer would tell most.

An answer is one of three: an arc in one direction, in the other, or no edge. In a sample of graphs each answer has a
probability, and it changes the probabilities of the answers about all other pairs. A question is worth the expected
fall of the entropy of all these answers, in bits: what is unknown about the pair itself, and what it tells about the
others. Where an effect is in question, it is worth the share of the variance of that effect between graphs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mahc.confidence.effect_intervals import draw_graphs, mean_effects
from mahc.data import Dataset
from mahc.errors import InvalidSettingError, MahcError
from mahc.opening import open_rows
from mahc.plurals import count
from mahc.results.graph_sample import GraphSample
from mahc.results.learned import PAGES, Learned
from mahc.results.question import ANSWERS, Change, Question

Values = NDArray[np.float64]
SURE = 0.99  # a pair whose most probable answer is at least as probable is not asked about
CHANGED = 0.2  # what an answer must add to the probability of another to be told


@PAGES.register("questions")
def questions_of(
    learned: Learned,
    data: object,
    budget: int = 5,
    *,
    effect: tuple[str, str] | None = None,
    graphs: GraphSample | None = None,
    seed: int = 1,
) -> tuple[Question, ...]:
    """`Learned.questions`, on data that were read as those of the result."""
    if effect is not None and (isinstance(effect, str) or len(effect) != 2):
        raise InvalidSettingError("effect", effect, "give two variables, the cause first")
    rows = data if isinstance(data, Dataset) else open_rows(data)
    if graphs is None:
        pair = effect if effect is not None else rows.names[:2]
        if len(rows.names) < 2:
            raise MahcError("the data have one variable: there is nothing to ask")
        graphs = draw_graphs(learned, rows, pair[0], pair[1], seed)
    return find_questions(graphs, budget, effect=effect, data=rows)


def find_questions(
    sample: GraphSample, budget: int = 5, *, effect: tuple[str, str] | None = None, data: Dataset | None = None
) -> tuple[Question, ...]:
    """The pairs whose answers tell most, the best first; pairs that the sample is sure of are left out.

    Each is judged alone: after an answer, ask again. Of equal ones the first by name comes first.
    """
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
        raise InvalidSettingError("budget", budget, "give a whole number from 1")
    pairs, answers, weights = _tabulate(sample)
    if not pairs:
        return ()
    if effect is None:
        worth = answer_information(answers, weights)
    else:
        if data is None:
            raise MahcError("the effect in question needs the rows: give the data")
        worth = _explained(answers, weights, mean_effects(data, sample, *effect)[order_graphs(sample)])
    order = sorted(range(len(pairs)), key=lambda k: (-worth[k], pairs[k]))[:budget]
    joint = _joint(answers, weights)
    return tuple(
        Question(*pairs[k], _probabilities(joint, k), float(worth[k]), _changes(pairs, joint, k)) for k in order
    )


def order_graphs(sample: GraphSample) -> list[int]:
    """The places of the graphs in an order that does not depend on that of the columns: by their arcs."""
    sample.require_members()
    return sorted(range(len(sample.members)), key=lambda k: sample.dags[k].arcs)


def _tabulate(sample: GraphSample) -> tuple[list[tuple[str, str]], NDArray[np.int8], Values]:
    """The uncertain pairs by name, the number of the answer in each graph [pair, graph], and the graphs' weights."""
    order = order_graphs(sample)
    members = [sample.members[k] for k in order]
    names, size = sample.variables, len(members)
    found: dict[tuple[str, str], NDArray[np.int8]] = {}
    for place, member in enumerate(members):
        for tail, head in member.arcs:
            left, right = sorted((names[tail], names[head]))
            row = found.setdefault((left, right), np.zeros(size, np.int8))
            row[place] = 1 if left == names[tail] else 2
    weights = np.array([member.weight for member in members], np.float64)
    kept = []
    for pair in sorted(found):
        counts = np.bincount(found[pair], weights=weights, minlength=3)
        if counts.max() < SURE * weights.sum():
            kept.append(pair)
    table = np.stack([found[pair] for pair in kept]) if kept else np.zeros((0, size), np.int8)
    return kept, table, weights


def _joint(answers: NDArray[np.int8], weights: Values) -> Values:
    """The joint probabilities of the answers about two pairs [pair, answer, pair, answer]."""
    ones = (answers[:, None, :] == np.arange(3)[:, None]).reshape(-1, answers.shape[1]).astype(np.float64)
    counts: Values = ((ones * weights) @ ones.T).reshape(len(answers), 3, len(answers), 3)
    shares: Values = counts / weights.sum()
    return shares


def answer_information(answers: NDArray[np.int8], weights: Values) -> Values:
    """For each pair the sum over all pairs of the mutual information of their answers, in bits; its own entropy too.

    What a finite sample shows between unrelated pairs, about (k - 1)(l - 1) / 2N for k and l answers, is subtracted.
    """
    joint = _joint(answers, weights)
    alone = np.einsum("paqb->pa", joint) / len(answers)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropies = -np.where(alone > 0, alone * np.log2(alone), 0.0).sum(axis=1)
        ratio = joint / (alone[:, :, None, None] * alone[None, None])
        shared = np.where(joint > 0, joint * np.log2(ratio), 0.0).sum(axis=(1, 3))
    size = float(weights.sum() ** 2 / (weights**2).sum())
    kinds = (alone > 0).sum(axis=1) - 1
    shared = np.maximum(shared - np.outer(kinds, kinds) / (2 * size * np.log(2)), 0.0)
    np.fill_diagonal(shared, entropies)
    total: Values = shared.sum(axis=1)
    return total


def _explained(answers: NDArray[np.int8], weights: Values, effects: Values) -> Values:
    """The share of the variance of the effects between graphs that each answer explains."""
    weights = weights / weights.sum()
    mean = float(weights @ effects)
    variance = float(weights @ (effects - mean) ** 2)
    found = np.zeros(len(answers))
    for answer in range(3):
        ones = answers == answer
        mass = ones @ weights
        sums = ones @ (weights * (effects - mean))
        found += np.divide(sums**2, mass, out=np.zeros_like(mass), where=mass > 0)
    return found / variance if variance > 0 else np.zeros(len(answers))


def _probabilities(joint: Values, place: int) -> dict[str, float]:
    shares = joint[place, :, place, :].diagonal()
    return {answer: float(share) for answer, share in zip(ANSWERS, shares, strict=True)}


def _changes(
    pairs: Sequence[tuple[str, str]], joint: Values, place: int, most: int = 2
) -> dict[str, tuple[Change, ...]]:
    """For each answer the answers about other pairs that it makes more probable."""
    before = np.stack([joint[q, :, q, :].diagonal() for q in range(len(pairs))])
    found = {}
    for number, answer in enumerate(ANSWERS):
        mass = before[place, number]
        if not mass:
            continue
        after = joint[place, number] / mass
        gains = after - before
        gains[place] = 0.0
        ranked = sorted(
            np.argwhere(gains >= CHANGED).tolist(), key=lambda at: (-gains[at[0], at[1]], pairs[at[0]], at[1])
        )
        found[answer] = tuple(
            Change(pairs[q][0], ANSWERS[b], pairs[q][1], float(before[q, b]), float(after[q, b]))
            for q, b in ranked[:most]
        )
    return found


def describe_questions(questions: Sequence[Question], effect: tuple[str, str] | None) -> list[str]:
    """The questions with their numbers and worth, in words."""
    if not questions:
        return ["Nothing is worth asking: every graph of the sample agrees about every pair"]
    about = "about the graph" if effect is None else f"about the effect of {effect[0]} on {effect[1]}"
    lines = [f"{count(len(questions), 'question')} whose answers would tell most {about}:"]
    for number, each in enumerate(questions, 1):
        worth = (
            f"{each.worth:.2f} bits" if effect is None else f"{100 * each.worth:.0f} % of its variance between graphs"
        )
        first, *rest = each.lines()
        lines += ["", f"{number}. {first} (worth {worth})", *(f"  {line}" for line in rest)]
    return lines
