"""How well several chains of a sampler have mixed: R-hat and effective sample sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mahc.plurals import count

LEAST_DRAWS = 10  # of each chain, for numbers that say anything
LARGEST_DIFFERENCE = 0.1  # of the probability of an edge between chains that agree
RARE = 0.05  # edges that nearly all or nearly no graphs have say little of how chains mix
MOST_R_HAT = 1.1
NOTABLE_OUTSIDE = 0.3  # share of arcs


def r_hat(chains: Sequence[NDArray[np.float64]]) -> float:
    """The potential scale reduction of chains, each split into halves (Gelman et al. 2013); 1 where they agree.

    >>> steady = np.tile([0.0, 1.0], 50)
    >>> bool(r_hat([steady, steady]) < 1.01), bool(r_hat([steady, steady + 3]) > 2)
    (True, True)
    """
    halves = _halves(chains)
    length = halves.shape[1]
    within = float(halves.var(axis=1, ddof=1).mean())
    between = length * float(halves.mean(axis=1).var(ddof=1))
    if within == 0.0:
        return 1.0 if between == 0.0 else 1e6
    return min(1e6, float(np.sqrt(((length - 1) / length * within + between / length) / within)))


def effective_size(chains: Sequence[NDArray[np.float64]]) -> float:
    """How many independent draws the chains are worth (Geyer's initial monotone sequence; Vehtari et al. 2021).

    >>> draws = np.random.default_rng(1).normal(size=(2, 500))
    >>> bool(800 < effective_size(list(draws)) < 1200)
    True
    """
    halves = _halves(chains)
    number, length = halves.shape
    centred = halves - halves.mean(axis=1, keepdims=True)
    size = 2 ** int(np.ceil(np.log2(2 * length)))
    spectrum = np.fft.rfft(centred, size, axis=1)
    covariance = np.fft.irfft(spectrum * np.conj(spectrum), size, axis=1)[:, :length] / length
    within = float(covariance[:, 0].mean()) * length / (length - 1)
    total = within * (length - 1) / length + float(halves.mean(axis=1).var(ddof=1))
    if total == 0.0:
        return float(number * length)
    correlation = 1 - (within - covariance.mean(axis=0) * length / (length - 1)) / total
    correlation[0] = 1.0
    pairs = correlation[: length // 2 * 2].reshape(-1, 2).sum(axis=1)
    stop = np.flatnonzero(pairs < 0)
    pairs = np.minimum.accumulate(pairs[: stop[0] if len(stop) else len(pairs)])
    return float(min(number * length, number * length / max(1e-9, 2 * pairs.sum() - 1)))


def _halves(chains: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The halves of all chains, as long as those of the shortest."""
    length = min(len(chain) for chain in chains) // 2
    return np.array([part for chain in chains for part in (chain[:length], chain[-length:])], np.float64)


@dataclass(frozen=True)
class Mixing:
    """Whether the chains of a posterior agree: their edge probabilities, R-hat and effective sample sizes.

    Parameters
    ----------
    chains : int
        The number of chains.
    differing : tuple of (str, str, float, float)
        Pairs whose edge probability differs by more than 0.1 between chains, with the lowest and the highest; the
        largest difference first.
    stuck : tuple of (str, str, float, float)
        Those of them with an R-hat above 1.1, which chance does not explain.
    score_r_hat, edge_r_hat : float
        R-hat of the score, and the largest of an edge; 1 where the chains agree.
    score_size, edge_size : float
        Effective sample size of the score, and the smallest of an edge.
    outside : float
        The share of the arcs that come from outside the candidate parents. Only one such parent is possible at a time,
        so a large share means that more of the distribution is missed.

    Examples
    --------
    >>> Mixing(2, (), (), 1.0, 1.01, 280.0, 90.0, 0.02).sentence
    'the chains agree (R-hat of the score 1.00; the graphs are worth 280 independent ones)'
    """

    chains: int
    differing: tuple[tuple[str, str, float, float], ...]
    stuck: tuple[tuple[str, str, float, float], ...]
    score_r_hat: float
    edge_r_hat: float
    score_size: float
    edge_size: float
    outside: float

    @property
    def agree(self) -> bool:
        """Whether the probabilities can be used: several chains, no pair stuck, R-hat of the score below 1.1."""
        return self.chains > 1 and not self.stuck and self.score_r_hat < MOST_R_HAT

    @property
    def sentence(self) -> str:
        """What the numbers mean."""
        size = f"the graphs are worth {self.score_size:,.0f} independent ones"
        if self.chains == 1:
            text = f"one chain, so nothing shows whether it missed a region: use two or more ({size})"
        elif self.agree:
            text = f"the chains agree (R-hat of the score {self.score_r_hat:.2f}; {size})"
            if self.differing:
                text += f", but for chance: on {count(len(self.differing), 'pair')} they differ by more than 10 %"
        elif self.stuck:
            shown = ", ".join(
                f"{left} - {right} ({low:.0%} to {high:.0%})" for left, right, low, high in self.stuck[:3]
            )
            more = f" and {len(self.stuck) - 3:,} more" if len(self.stuck) > 3 else ""
            text = f"do not trust these, on which the chains differ: {shown}{more}; draw more graphs"
        else:
            text = f"the chains have not met (R-hat of the score {self.score_r_hat:.2f}): draw more graphs"
        if self.outside > NOTABLE_OUTSIDE:
            text += f"; {self.outside:.0%} of the arcs come from outside the candidate parents: allow more of these"
        return text


def describe_mixing(
    names: Sequence[tuple[str, str]],
    edges: Sequence[NDArray[np.bool_]],
    scores: Sequence[NDArray[np.float64]],
    outside: float,
) -> Mixing | None:
    """The numbers of several chains; None where one of them has fewer than ten graphs.

    `edges[c][k, p]` says whether the k-th graph of chain c joins the pair `names[p]`.
    """
    if not scores or min(len(each) for each in scores) < LEAST_DRAWS:
        return None
    shares = np.array([each.mean(axis=0) for each in edges])
    low, high = shares.min(axis=0, initial=1.0), shares.max(axis=0, initial=0.0)
    which = np.flatnonzero(high - low > LARGEST_DIFFERENCE)
    order = sorted(which.tolist(), key=lambda p: (low[p] - high[p], names[p]))
    differing = {p: (*names[p], float(low[p]), float(high[p])) for p in order}
    stuck = [p for p in order if r_hat([each[:, p].astype(np.float64) for each in edges]) > MOST_R_HAT]
    open_pairs = np.flatnonzero((high > RARE) & (low < 1 - RARE))
    traces = [[each[:, p].astype(np.float64) for each in edges] for p in open_pairs.tolist()]
    return Mixing(
        chains=len(scores),
        differing=tuple(differing.values()),
        stuck=tuple(differing[p] for p in stuck),
        score_r_hat=r_hat(scores),
        edge_r_hat=max((r_hat(each) for each in traces), default=1.0),
        score_size=effective_size(scores),
        edge_size=min((effective_size(each) for each in traces), default=float(sum(len(each) for each in scores))),
        outside=outside,
    )
