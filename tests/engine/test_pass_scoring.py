"""A scorer that asks for more than it is asked gives the same scores, and asks less often."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mahc.data import read
from mahc.engine import CountScorer, EngineRows, Families, FamilyCounts, RunControl
from mahc.engine.counts import PassSource
from mahc.engine.pass_scoring import PassScorer
from mahc.scores import BIC, make_score


class Passes:
    """Rows in memory that count the requests."""

    def __init__(self, rows: EngineRows, speculation: int = 3) -> None:
        self._rows, self.speculation = rows, speculation
        self.names, self.rows, self.size, self.marginals = rows.names, rows.rows, rows.size, rows.marginals
        self.requests = 0

    def fingerprint(self) -> str:
        return self._rows.fingerprint()

    def count_families(self, families: Families) -> FamilyCounts:
        self.requests += any(len(parents) for _, parents in families)
        return self._rows.count_families(families)

    def sum_row_hashes(self, state_hashes: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        return self._rows.sum_row_hashes(state_hashes, wanted)

    def watch(self, control: RunControl | None) -> None: ...

    def near(self, child: int, parents: frozenset[int]) -> bool:
        return not parents


def make_rows(seed: int, variables: int = 6, rows: int = 200) -> EngineRows:
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 3, rows)]
    for _ in range(variables - 1):
        columns.append(np.where(rng.random(rows) < 0.6, columns[rng.integers(len(columns))], rng.integers(0, 3, rows)))
    return EngineRows(read({f"v{k}": [str(x) for x in column] for k, column in enumerate(columns)}), threads=1)


@st.composite
def batches(draw: st.DrawFn) -> list[list[tuple[int, list[int]]]]:
    def family() -> tuple[int, list[int]]:
        child = draw(st.integers(0, 5))
        return child, draw(st.lists(st.sampled_from([u for u in range(6) if u != child]), max_size=4, unique=True))

    return [[family() for _ in range(draw(st.integers(1, 12)))] for _ in range(draw(st.integers(1, 6)))]


@given(seed=st.integers(0, 50), asked=batches(), pairs=st.booleans(), name=st.sampled_from(["bic", "bdeu", "qnml"]))
@settings(max_examples=40, deadline=None)
def test_scores_are_those_of_a_plain_scorer(
    seed: int, asked: Sequence[Sequence[tuple[int, list[int]]]], pairs: bool, name: str
) -> None:
    rows = make_rows(seed)
    source = Passes(rows)
    assert isinstance(source, PassSource)
    plain, scorer = CountScorer(rows, make_score(name)), PassScorer(source, make_score(name))
    if pairs:
        found, expected = scorer.score_pairs(), plain.score_pairs()
        assert found is not None
        assert expected is not None
        assert found.tolist() == expected.tolist()
    for batch in asked:
        families = Families.of(batch)
        assert scorer.score_families(families).tolist() == plain.score_families(families).tolist()
        before = source.requests
        assert scorer.score_or_stop(families).tolist() == plain.score_families(families).tolist()
        assert source.requests == before  # nothing is asked for twice


def test_a_greedy_search_asks_seldom() -> None:
    """Follow the best single addition, child after child: most of it was counted ahead."""
    rows = make_rows(3, variables=10, rows=2000)
    requests = {}
    for speculation in (0, 9):
        source = Passes(rows, speculation)
        scorer = PassScorer(source, BIC())
        scorer.score_pairs()
        source.requests = 0
        for child in range(10):
            parents: list[int] = []
            for _ in range(3):
                others = [u for u in range(10) if u != child and u not in parents]
                scores = scorer.score_families(Families.of((child, [*parents, u]) for u in others))
                if scores.max() <= scorer.score_families(Families.of([(child, parents)]))[0]:
                    break
                parents.append(others[int(scores.argmax())])
        requests[speculation] = source.requests
    assert requests[9] <= requests[0] / 3
