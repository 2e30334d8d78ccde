"""Several random walks over DAGs side by side, each with random streams of its own.

A walk is cut into parts: the warm-up, then one part for each graph that is kept. Each part has its own random stream,
made from the seed, the chain and the number of the part. So a chain can be continued from its last graph alone, and
neither the number of threads nor the moment of a stop changes what a part draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mahc.algorithms.sampling.parent_tables import ParentLists
from mahc.engine.rows import available_processors
from mahc.learning.control import Control

SHARES = (0.05, 0.2, 0.6)  # of flips, reversals and pairs among the moves; the others redraw a parent set
PARTS_AT_ONCE = 8  # between two looks at the progress


@dataclass
class Chain:
    """One walk: the graph it is at, how many graphs were kept in earlier runs, how many are wanted, the new ones."""

    number: int
    places: NDArray[np.int32]
    before: int
    wanted: int
    drawn: list[NDArray[np.int32]] = field(default_factory=list)

    @property
    def done(self) -> int:
        """How many graphs were kept, with those of earlier runs."""
        return self.before + len(self.drawn)


def run_chains(
    lists: ParentLists,
    chains: Sequence[Chain],
    *,
    seed: int,
    warm_up: int,
    thinning: int,
    threads: int | None,
    control: Control,
) -> None:
    """Walk until every chain has the graphs that are wanted, or the run is to stop; `drawn` has what there is.

    Parameters
    ----------
    lists : ParentLists
        The parent sets.
    chains : sequence of Chain
        The walks.
    seed : int
        Seed of the random streams.
    warm_up, thinning : int
        Steps before the first graph that is kept is looked for, and from one kept graph to the next.
    threads : int, optional
        Number of threads; all processors if left out.
    control : Control
        When to stop; its progress is reported in this thread.
    """
    workers = max(1, min(len(chains), threads or available_processors()))
    total = sum(chain.wanted for chain in chains)

    def walk(chain: Chain) -> None:
        seconds = control.seconds_left()
        own = Control(seconds if seconds < 1e17 else None, None, control.token, control.memory)
        if not chain.done:
            warm, _ = lists.native.walk(chain.places, seed, chain.number, 0, 1, warm_up, *SHARES, own)
            if not len(warm):
                return
            chain.places = warm[0].copy()
        while chain.done < chain.wanted:
            parts = min(PARTS_AT_ONCE, chain.wanted - chain.done)
            found, _ = lists.native.walk(
                chain.places, seed, chain.number, 1 + chain.done, parts, thinning, *SHARES, own
            )
            chain.drawn.extend(found)
            if len(found) < parts:
                return
            chain.places = found[-1]

    with ThreadPoolExecutor(workers, thread_name_prefix="mahc-chain") as pool:
        waiting = {pool.submit(walk, chain) for chain in chains}
        try:
            while waiting:
                done = sum(chain.done for chain in chains)
                control.phase = f"graph {min(done + 1, total):,} of {total:,}"
                control.should_stop(done, math.nan)
                finished, waiting = wait(waiting, timeout=0.05)
                for future in finished:
                    future.result()
        except BaseException:
            control.token.cancel()  # an error, or the second Ctrl-C: the others need not go on
            raise
