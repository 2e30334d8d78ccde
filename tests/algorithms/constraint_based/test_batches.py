"""Questions come in batches, and where there are none for long, in empty ones."""

from __future__ import annotations

from mahc.algorithms.constraint_based.skeleton import _batches


def test_sets_without_a_question_still_let_the_watch_be_looked_at() -> None:
    everybody = (1 << 40) - 1
    pools = [everybody & ~(1 << v) for v in range(40)]
    batches = list(_batches(4, [(0, 0b10, pools[0])], pools, done=[everybody] * 40))
    assert len(batches) == 1  # 82,251 sets, all asked about before
    assert [len(batch) for batch in batches] == [0]
