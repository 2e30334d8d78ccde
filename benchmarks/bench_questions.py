"""What answers of a truthful expert are worth: F1 after each question, by the way in which questions are chosen.

    python benchmarks/bench_questions.py [--networks alarm,child,hepar2,insurance] [--rows 500,5000] [--questions 20]

After each answer the graph is learned again (boss) and compared with the true DAG, direction included. Questions are
chosen from a new posterior each time:

    mahc       the pair whose answer tells most about all pairs (`Learned.questions`)
    uncertain  the pair whose own answer is most uncertain
    random     any pair that the posterior is not sure of
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

import mahc
from mahc.confidence.questions import find_questions
from mahc.data import Dataset
from mahc.knowledge import Knowledge
from mahc.measures import compare
from mahc.networks import load_network, sample
from mahc.networks.network import Network
from mahc.results.question import Question

Choice = Callable[[list[Question], np.random.Generator], Question]


def entropy(question: Question) -> float:
    shares = np.array([share for share in question.probabilities.values() if share > 0])
    return float(-(shares * np.log2(shares)).sum())


CHOICES: dict[str, Choice] = {
    "mahc": lambda asked, _: asked[0],
    "uncertain": lambda asked, _: max(asked, key=entropy),
    "random": lambda asked, random: sorted(asked, key=lambda q: (q.left, q.right))[int(random.integers(len(asked)))],
}


def play(network: Network, data: Dataset, questions: int, choose: Choice, seed: int) -> list[float]:
    """F1 before the first question and after each."""
    random, known, done = np.random.default_rng(seed), Knowledge(), set()
    true, found = set(network.dag.arcs), []
    for number in range(questions + 1):
        learned = mahc.learn(data, "boss", knowledge=known)
        found.append(compare(learned.dag, network.dag, as_="dag")["f1"])
        graphs = mahc.posterior(data, knowledge=known, seed=seed + number)
        asked = [q for q in find_questions(graphs, 10**6) if (q.left, q.right) not in done]
        if not asked or number == questions:
            break
        question = choose(asked, random)
        pair = (question.left, question.right)
        done.add(pair)
        answer = "->" if pair in true else "<-" if pair[::-1] in true else "no edge"
        known = known.merged(question.knowledge(answer))
    return found + [found[-1]] * (questions + 1 - len(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", default="alarm,child,hepar2,insurance")
    parser.add_argument("--rows", default="500,5000")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    shown = [k for k in (0, 1, 2, 5, 10, 15, 20, 30) if k <= given.questions]
    print(f"| network | rows | chosen by | {' | '.join(f'{k}' for k in shown)} |\n|{'---|' * (3 + len(shown))}")
    curves: dict[str, list[list[float]]] = {name: [] for name in CHOICES}
    for name in given.networks.split(","):
        network = load_network(name)
        for rows in map(int, given.rows.split(",")):
            for way, choose in CHOICES.items():
                found = []
                for seed in map(int, given.seeds.split(",")):
                    found.append(play(network, sample(network, rows, seed), given.questions, choose, seed))
                mean = np.mean(found, axis=0)
                curves[way].append(mean.tolist())
                print(f"| {name} | {rows:,} | {way} | {' | '.join(f'{mean[k]:.3f}' for k in shown)} |", flush=True)
    means = {way: np.mean(curve, axis=0) for way, curve in curves.items()}
    for way, mean in means.items():
        print(f"| mean | | {way} | {' | '.join(f'{mean[k]:.3f}' for k in shown)} |")
    last = means["random"][-1]
    needed = int(np.argmax(means["mahc"] >= last))
    print(f"\n{given.questions} random questions reach a mean F1 of {last:.3f}; {needed} chosen by mahc reach it too.")
    if given.out:
        given.out.write_text(json.dumps(curves))


if __name__ == "__main__":
    main()
