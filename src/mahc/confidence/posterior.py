"""`mahc.posterior`: draw graphs in proportion to their probability given the data, and count edges."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from mahc.algorithms.sampling.chains import Chain, run_chains
from mahc.algorithms.sampling.parent_tables import ParentLists, score_parent_sets
from mahc.confidence.bootstrap import learn_from_resamples, take_saved
from mahc.confidence.combining import combine
from mahc.confidence.settings import BootstrapSettings, PosteriorSettings
from mahc.engine import CancelFlag, CancelToken
from mahc.engine.counts import PassSource
from mahc.errors import DataError, Mention, NothingDoneError, SettingError
from mahc.learn import make_request, settle
from mahc.learning.control import Control, Progress, Stopped
from mahc.learning.found import FoundDag
from mahc.learning.request import Request
from mahc.learning.searching import Searched, search
from mahc.learning.settings import RunSettings
from mahc.learning.stop_reason import StopReason
from mahc.opening import close_opened
from mahc.results.graph_sample import GraphSample, Sampling, WeightedGraph
from mahc.results.member_counts import count_members
from mahc.results.records import record_data, record_run
from mahc.scores import Score

ALGORITHM = "boss"  # finds the graph where the chains begin
LEAST_DELTA, MOST_DELTA, POWERED_DELTA = 10.0, 14.0, 5.0
# Candidate parents of a variable with a marginal likelihood, also where fewer gain alone. With other scores these are
# what they are for boss: with few rows, qNML overrates sets of parents of which none gains alone.
LEAST_CANDIDATES = 6

Arcs = tuple[tuple[int, int], ...]


def posterior(
    data: object,
    objective: str | Score | None = None,
    *,
    samples: int = 300,
    chains: int = 2,
    seed: int = 1,
    beta: float | str = "auto",
    candidate_parents: int = 16,
    warm_up: int = 40,
    thinning: int = 6,
    resamples: int = 0,
    algorithm_seed: int | None = None,
    resume: GraphSample | str | PathLike[str] | None = None,
    numbers: str = "auto",
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: CancelToken | CancelFlag | None = None,
    **settings: Any,
) -> GraphSample:
    """Draw graphs, each with a probability proportional to exp(beta * score), and count edges and directions.

    With a marginal likelihood (bdeu, bge) and `beta=1` that is the posterior of DAGs under a prior that divides the
    probability by exp(arc_price) for each arc. With other scores it is a pseudo-posterior: its probabilities were
    measured to be better calibrated with a power of 0.5, which is what "auto" takes.

    boss finds the graph where the chains begin and the arc price. The result depends on the content of the data, the
    settings and the seed: not on the number of threads, nor on the order of rows and columns.

    Parameters
    ----------
    data : str, path, frame, array, dict of lists, Dataset or CountSource
        Whatever `mahc.learn` takes.
    objective : str or Score, optional
        The score; "qnml" if left out, and for columns of numbers what `numbers` says.
    samples : int
        Number of graphs to draw, by all chains together.
    chains : int
        Number of chains; two or more show whether they agree (`GraphSample.mixing`).
    seed : int
        Seed of the chains.
    beta : float or str
        Power of the score; "auto" is 1 for marginal likelihoods and 0.5 for other scores.
    candidate_parents : int
        Candidate parents of a variable; of all others one at a time can be a parent.
    warm_up : int
        Warm-up of a chain, in graphs that are not kept.
    thinning : int
        Moves per variable from one graph to the next.
    resamples : int
        Learn from so many resamples with boss too, and return the mean of posterior and bootstrap (`mahc.combine`),
        whose probabilities are better calibrated than those of either.
    algorithm_seed : int, optional
        Seed of boss's own random choices.
    resume : GraphSample, str or path, optional
        A saved posterior of the same data and settings, to which the graphs that it lacks are added; the result is the
        one of a single call.
    numbers : str
        How columns of numbers are treated, as for `mahc.learn`.
    time_limit : float, optional
        Stop after this many seconds with the graphs drawn so far.
    threads : int, optional
        Number of threads, all processors if left out; chains run side by side.
    progress : callable, optional
        Called now and then with a `Progress`, whose `steps` are the graphs drawn; Ctrl-C ends the run with those.
    cancel : CancelToken or threading.Event, optional
        Ends the run with the graphs drawn so far when any thread calls its `cancel()`.
    **settings
        The other arguments of `mahc.learn`: knowledge, start graph, reading, settings of boss and of the score.

    Returns
    -------
    GraphSample
        The graphs with their counts, and whether the chains agree.

    Raises
    ------
    MahcError
        Whatever the caller can correct, in one sentence.

    Examples
    --------
    >>> columns = {"rain": ["no", "yes"] * 40, "wet": ["dry", "wet"] * 40, "day": ["a", "a", "b", "b"] * 20}
    >>> found = posterior(columns, samples=200)
    >>> found.probability("rain", "wet", of="edge"), found.probability("rain", "day", of="edge") < 0.5
    (1.0, True)
    """
    chosen = PosteriorSettings(
        samples=samples,
        chains=chains,
        seed=seed,
        beta=beta,
        candidate_parents=candidate_parents,
        warm_up=warm_up,
        thinning=thinning,
        resamples=resamples,
        algorithm_seed=algorithm_seed,
    )
    RunSettings(numbers=numbers, time_limit=time_limit, threads=threads)
    control = Control(time_limit, progress, cancel)
    own: dict[str, Any] = {**settings, **({} if algorithm_seed is None else {"seed": algorithm_seed})}
    began = time.perf_counter()
    request = make_request(data, ALGORITHM, objective=objective, threads=threads, control=control, **own)
    opened = request.data
    try:
        with control.catching_interrupts():
            if resamples and isinstance(opened, PassSource):
                raise DataError(
                    "the distinct rows do not fit into memory, and resamples are drawn from them: leave out ",
                    Mention("resamples", resamples),
                )
            if request.knowledge.all_relevant:
                raise SettingError("a posterior cannot use 'all_relevant' in the knowledge: leave it out")
            request = settle(request, numbers, objective is not None, control)
            try:
                drawn = _Sampler(request, chosen, control).draw(resume, began)
            except Stopped:
                raise _nothing(control) from None
            if not resamples or drawn.stop_reason.early:
                return drawn
            settings_of_both = BootstrapSettings(resamples=resamples, seed=seed, algorithm_seed=algorithm_seed)
            try:
                return combine(drawn, learn_from_resamples(request, opened, data, settings_of_both, control))
            except NothingDoneError:
                return replace(drawn, run=replace(drawn.run, stop_reason=control.why_stopped()))
    finally:
        close_opened(opened, data)


def _nothing(control: Control) -> NothingDoneError:
    reason = control.why_stopped()
    return NothingDoneError(f"{reason.words} before the first graph was drawn: allow more time", reason.value)


@dataclass(frozen=True)
class _Sampler:
    """One call: the request, the settings and the control."""

    request: Request
    settings: PosteriorSettings
    control: Control

    def draw(self, resume: GraphSample | str | PathLike[str] | None, began: float) -> GraphSample:
        """Search, score the parent sets, walk, count."""
        control, chosen = self.control, self.settings
        searched = search(self.request, control, details=False)
        if control.stop_reason() is not None:
            raise Stopped
        assert isinstance(searched.found, FoundDag)
        control.phase = "scoring parent sets"
        exact, noise = searched.score.marginal_likelihood, searched.measurement_error
        beta = chosen.choose_beta(exact, noise.kappa if noise is not None and noise.noticed else None)
        prices = searched.found.prices
        # The relative price, a cure for measurement error, is part of no prior; beliefs are not tempered.
        problem = searched.problem.priced_by(prices.constant, 0.0 if exact else prices.share, power=beta)
        table = score_parent_sets(
            problem,
            searched.arcs,
            most=chosen.candidate_parents,
            delta=choose_delta(beta),
            least=LEAST_CANDIDATES if searched.score.marginal_likelihood else 0,
        )
        lists = table.lists(beta)
        start = self._start(searched, beta)
        if resume is not None:
            start = take_saved(resume, start, "posterior")
        chains = self._chains(start, searched, lists)
        steps = chosen.steps(problem.variables)
        run_chains(
            lists,
            chains,
            seed=chosen.seed,
            warm_up=chosen.warm_up * steps,
            thinning=steps,
            threads=self.request.threads,
            control=control,
        )
        return self._collect(start, chains, searched, lists, time.perf_counter() - began)

    def _start(self, searched: Searched, beta: float) -> GraphSample:
        """The sample before any graph was drawn."""
        request, chosen = self.request, self.settings
        steps = chosen.steps(len(searched.order))
        return GraphSample(
            data=record_data(request.data),
            run=replace(
                record_run(request, StopReason.CONVERGED, 0.0, searched.measurement_error), score=searched.score
            ),
            origin="posterior",
            seed=chosen.seed,
            requested=chosen.samples,
            kind="DAG",
            variables=request.data.names,
            size=0,
            graphs={},
            patterns={},
            sampling=Sampling(
                beta=beta,
                exact=searched.score.marginal_likelihood,
                candidate_parents=chosen.candidate_parents,
                warm_up=chosen.warm_up * steps,
                thinning=steps,
                draws=((),) * chosen.chains,
            ),
        )

    def _chains(self, start: GraphSample, searched: Searched, lists: ParentLists) -> list[Chain]:
        """Each chain at its last graph, or at the best graph that was found."""
        assert start.sampling is not None
        place = _places(start, searched, self.request)
        wanted = replace_samples(self.settings, start.requested)
        found = []
        for number, draws in enumerate(start.sampling.draws):
            arcs = searched.arcs if not draws else tuple((place[u], place[v]) for u, v in start.members[draws[-1]].arcs)
            found.append(Chain(number, lists.places(arcs), len(draws), max(len(draws), wanted.wanted(number))))
        return found

    def _collect(
        self, start: GraphSample, chains: Sequence[Chain], searched: Searched, lists: ParentLists, seconds: float
    ) -> GraphSample:
        """All graphs with their counts, those of earlier runs included."""
        assert start.sampling is not None
        names, unit = start.variables, math.log(searched.problem.score_base)
        back = np.argsort(_places(start, searched, self.request))
        drawn: list[list[Arcs]] = []
        scores = {each.arcs: each.score for each in start.members}
        rows = [np.array(chain.drawn, np.int32).reshape(-1, len(names)) for chain in chains]
        distinct, which = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
        known = lists.named_arcs(distinct, back)
        scores |= dict(zip(known, (lists.total_scores(distinct) / unit).tolist(), strict=True))
        first = 0
        for chain, before in zip(chains, start.sampling.draws, strict=True):
            new = which[first : first + len(chain.drawn)].tolist()
            drawn.append([*(start.members[place].arcs for place in before), *(known[k] for k in new)])
            first += len(new)
        weights: dict[Arcs, int] = {}
        for mine in drawn:
            for arcs in mine:
                weights[arcs] = weights.get(arcs, 0) + 1
        size = sum(weights.values())
        if not size:
            raise _nothing(self.control)
        ordered = sorted(weights, key=lambda arcs: (-weights[arcs], arcs))
        place = {arcs: k for k, arcs in enumerate(ordered)}
        request, sorted_weights = self.request, {arcs: weights[arcs] for arcs in ordered}
        graphs, patterns = count_members(names, sorted_weights, request.knowledge, request.experiments)
        reason = StopReason.CONVERGED
        if size < start.requested:
            reason = self.control.why_stopped()
        found = replace(
            start,
            run=replace(start.run, stop_reason=reason, seconds=start.run.seconds + seconds).timed(posterior=seconds),
            size=size,
            graphs=graphs.counts,
            patterns=patterns.counts,
            members=tuple(WeightedGraph(arcs, weights[arcs], scores[arcs]) for arcs in ordered),
            sampling=replace(start.sampling, draws=tuple(tuple(place[arcs] for arcs in mine) for mine in drawn)),
            diagnostics={"outside": _outside(weights, _candidates(lists, back))},
        )
        return replace(found, diagnostics={**found.diagnostics, **_mixing_numbers(found)})


def choose_delta(beta: float) -> float:
    """How many nats a parent set may score below a subset: more where the power makes differences small.

    Against 20 nats, 10 nats moved no edge probability by more than 0.03 (alarm, 100 and 1,000 rows, power 0.5), at a
    third to a half of the price.

    >>> choose_delta(1.0), choose_delta(0.25)
    (10.0, 14.0)
    """
    return min(MOST_DELTA, max(LEAST_DELTA, POWERED_DELTA / beta))


def replace_samples(settings: PosteriorSettings, samples: int) -> PosteriorSettings:
    """The same settings with another number of graphs."""
    return PosteriorSettings(samples=samples, chains=settings.chains)


def _places(start: GraphSample, searched: Searched, request: Request) -> list[int]:
    """For each variable of the sample its number in the problem."""
    number = {request.data.names[v]: i for i, v in enumerate(searched.order)}
    return [number[name] for name in start.variables]


def _candidates(lists: ParentLists, back: NDArray[np.int64]) -> set[tuple[int, int]]:
    """The arcs from candidate parents, by the numbers of the sample."""
    inside: NDArray[np.int32] = lists.candidates.inside
    return {(int(back[u]), int(back[v])) for v, mine in enumerate(inside) for u in mine[mine >= 0]}


def _outside(weights: dict[Arcs, int], candidates: set[tuple[int, int]]) -> float:
    """The share of the arcs of all graphs that come from outside the candidate parents."""
    total = sum(weight * len(arcs) for arcs, weight in weights.items())
    outside = sum(weight * sum(arc not in candidates for arc in arcs) for arcs, weight in weights.items())
    return outside / total if total else 0.0


def _mixing_numbers(sample: GraphSample) -> dict[str, float]:
    """What the chains say of each other, for the file."""
    mixing = sample.mixing
    if mixing is None:
        return {}
    return {
        "differing_pairs": float(len(mixing.differing)),
        "score_r_hat": mixing.score_r_hat,
        "edge_r_hat": mixing.edge_r_hat,
        "score_effective_size": mixing.score_size,
        "edge_effective_size": mixing.edge_size,
    }
