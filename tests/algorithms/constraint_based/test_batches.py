"""Questions come in batches; where none are needed for long, in empty ones, so that the oracle can be stopped."""

from __future__ import annotations

from mahc.algorithms.constraint_based.skeleton import _batches


def test_sets_that_need_no_test_still_give_an_empty_batch() -> None:
    everything = (1 << 40) - 1
    pools = [everything & ~(1 << v) for v in range(40)]
    batches = list(_batches(4, [(0, 0b10, pools[0])], pools, tested=[everything] * 40))
    assert len(batches) == 1  # 82,251 sets, all tested before
    assert [len(batch) for batch in batches] == [0]
