"""What a sampler is, and the loop that all of them share: warm-up, thinning, limits, progress, the counts of graphs.

A sampler says how its state begins (`init`) and how it changes in one step (`step`): state in, state out, and what the
step reports. It keeps nothing of its own. The loop asks the state for its graph.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from mahc.learning.algorithm import Algorithm
from mahc.learning.found import FoundSample
from mahc.learning.problem import Problem
from mahc.setting_checks import Whole
from mahc.settings import setting

Arcs = tuple[tuple[int, int], ...]
MOST_GRAPHS = 1_000_000


class State(Protocol):
    """What every sampler's state has: a graph and its score; the rest is the sampler's own."""

    @property
    def arcs(self) -> Arcs:
        """The arcs of the graph, sorted."""
        ...

    @property
    def score(self) -> float:
        """The score of the graph, in logarithms to `problem.score_base`."""
        ...


S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class Drawn(Generic[S]):
    """One step: the state after it, and numbers about it by name, such as whether the proposal was accepted.

    Examples
    --------
    >>> Drawn("a state", {"accepted": 1.0}).report["accepted"]
    1.0
    """

    state: S
    report: Mapping[str, float]


@dataclass(frozen=True)
class Sampler(Algorithm, Generic[S]):
    """The base class of samplers; a subclass has `init` and `step`, and settings of its own.

    `mahc.learn` with a sampler returns the graph with the highest score among those visited; `Learned.confidence` is
    the `GraphSample` of all that were kept.

    Parameters
    ----------
    graphs : int
        Number of graphs to keep.
    warm_up : int
        Number of steps before the first graph is kept.
    thinning : int
        Number of steps from one graph to the next.
    seed : int
        Seed of the random choices.

    Examples
    --------
    >>> Sampler.__abstractmethods__ == {"init", "step"}
    True
    """

    graphs: int = setting(1000, help="Number of graphs that a sampler keeps.", check=Whole(1, MOST_GRAPHS))
    warm_up: int = setting(1000, help="Number of steps before a sampler keeps a graph.", check=Whole(0, 10**9))
    thinning: int = setting(10, help="Number of steps from one kept graph to the next.", check=Whole(1, 10**6))
    seed: int = setting(1, help="Seed of the random choices.", check=Whole(0, 2**63 - 1))

    ending = "all graphs were drawn"

    @abstractmethod
    def init(self, problem: Problem) -> S:
        """The state before the first step, usually of `problem.start`."""

    @abstractmethod
    def step(self, problem: Problem, state: S, random: np.random.Generator) -> Drawn[S]:
        """The next state, drawn with this source of random numbers and no other."""

    def search(self, problem: Problem) -> FoundSample:
        """Draw the graphs."""
        return draw(self, problem)


def draw(sampler: Sampler[S], problem: Problem) -> FoundSample:
    """Run the steps, count the graphs that are kept, and stop when the control says so.

    Parameters
    ----------
    sampler : Sampler
        What makes the steps.
    problem : Problem
        The scorer, the constraints and the control.

    Returns
    -------
    FoundSample
        The graphs with their counts, the best one, and the mean of each number that the steps report.

    Examples
    --------
    >>> draw.__name__
    'draw'
    """
    control, random = problem.control, np.random.default_rng(sampler.seed)
    kept: dict[Arcs, int] = {}
    sums: dict[str, float] = {}
    state = best = sampler.init(problem)
    done, steps = 0, sampler.warm_up + sampler.graphs * sampler.thinning
    reason = "converged"
    for number in range(1, steps + 1):
        past = number - sampler.warm_up
        control.phase = "warm-up" if past <= 0 else f"graph {past // sampler.thinning + 1:,} of {sampler.graphs:,}"
        if control.should_stop(done, best.score):
            reason = control.why_stopped()
            break
        drawn = sampler.step(problem, state, random)
        state = drawn.state
        best = max(best, state, key=lambda each: each.score)
        for name, value in drawn.report.items():
            sums[name] = sums.get(name, 0.0) + value
        if past > 0 and past % sampler.thinning == 0:
            kept[state.arcs] = kept.get(state.arcs, 0) + 1
            done += 1
    if not kept:  # stopped during the warm-up: the best graph so far is all there is
        kept = {best.arcs: 1}
    means = {name: total / max(1, number) for name, total in sums.items()}
    return FoundSample(kept, best.arcs, sampler.graphs, sampler.seed, means, reason)
