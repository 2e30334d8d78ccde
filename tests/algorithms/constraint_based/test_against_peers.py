"""PC-Stable and FCI beside causal-learn and pyAgrum: same data, test, alpha; every difference has a computed reason.

The reasons are worked out in `peer_comparison.py`, from what the peers do where there is a choice (`peer_rules.py`);
docs/explanation/constraint-peers.md tells the results. MAHC_PEER_CASES=all runs the large samples too (half an hour).
"""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from peer_comparison import Comparison, beside_causal_learn, beside_pyagrum, fci_beside_causal_learn
from peer_rules import ALPHA, codes_of, pyagrum_freedom, pyagrum_learner, scipy_log_p, table_oracle

from mahc.data import Dataset
from mahc.engine import EngineRows
from mahc.independence import IndependenceTest, Questions, TableOracle
from mahc.networks import load_network, sample

pytestmark = pytest.mark.peers
SMALL = [("asia", 1_000), ("asia", 10_000), ("child", 1_000), ("alarm", 1_000), ("insurance", 1_000)]
LARGE = [(network, 10_000) for network in ("child", "alarm", "insurance")] + [("asia", 100_000), ("hepar2", 1_000)]
LARGE += [(network, 100_000) for network in ("child", "alarm", "insurance")] + [("hepar2", 10_000)]
CASES = SMALL + (LARGE if os.environ.get("MAHC_PEER_CASES") == "all" else [])
some_cases = pytest.mark.parametrize(("network", "rows"), CASES)


def drawn(network: str, rows: int) -> Dataset:
    return sample(load_network(network), rows, seed=1)


@some_cases
def test_pc_stable_differs_from_causal_learn_in_two_choices_only(network: str, rows: int) -> None:
    """All p-values and the skeleton are the same.

    Of several sets that separate, causal-learn throws all together (z is a collider if it is in none), we take the
    one with the highest p-value; of contradicting colliders it prefers the one whose middle comes first in the
    file, we the one with the highest p-value. Its rules on our p-values give its graph, mark by mark.
    """
    pytest.importorskip("causallearn")
    found = beside_causal_learn(drawn(network, rows))
    assert found.unexplained == ()
    assert found.pairs == 0
    assert_accounted_for(found)


@some_cases
def test_pc_stable_differs_from_pyagrum_by_its_degrees_of_freedom(network: str, rows: int) -> None:
    """Its p-values in our algorithm give its skeleton, pair by pair; each arrow has a set or a rule behind it."""
    pytest.importorskip("pyagrum")
    found = beside_pyagrum(drawn(network, rows))
    assert found.unexplained == ()
    assert found.pairs == found.reasons["degrees of freedom"]
    assert_accounted_for(found)


@some_cases
def test_fci_differs_from_causal_learn_by_the_sets_that_are_asked_about(network: str, rows: int) -> None:
    """All p-values are the same, and our rules on its skeleton and sets give its PAG, mark by mark.

    Where only it has an edge, a set that separates the two was never asked about by it: its walk finds less than
    possible-d-sep by definition, or went over other colliders. Where only we have one, we never asked about its set,
    for nothing that holds it can be needed. Its R4 tests the ends of a discriminating path anew where the rule looks at
    the set that separated them.
    """
    pytest.importorskip("causallearn")
    found = fci_beside_causal_learn(drawn(network, rows))
    assert found.unexplained == ()
    assert_accounted_for(found)


def assert_accounted_for(found: Comparison) -> None:
    """No difference without a reason."""
    assert found.pairs + found.marks <= sum(found.reasons.values())


def test_who_is_right_about_degrees_of_freedom() -> None:
    """Where pyAgrum and we decide differently, scipy's test, configuration by configuration, is ours.

    pyAgrum takes from the plain degrees of freedom every CELL in an empty row or column; a row of c cells that
    is empty makes but c - 1 parameters disappear. Too few degrees of freedom make too many things dependent.
    """
    pytest.importorskip("pyagrum")
    stats = pytest.importorskip("scipy.stats")
    data = drawn("insurance", 1_000)
    codes, learner, oracle = codes_of(data), pyagrum_learner(data), table_oracle(data, "g2")
    rng = np.random.default_rng(0)
    disagreeing = 0
    for _ in range(400):
        x, y, *given = rng.permutation(len(data.names))[: 2 + rng.integers(0, 3)].tolist()
        statistic, theirs = learner.G2(data.names[x], data.names[y], [data.names[v] for v in given])
        found = oracle.test(Questions.of([(x, [*given, y])]))
        assert found is not None
        assert found.statistic[0] == pytest.approx(statistic, rel=1e-8, abs=1e-8)
        assert found.log_p[0] == pytest.approx(scipy_log_p(codes, x, y, tuple(given), "g2"), rel=1e-8, abs=1e-8)
        freedom = pyagrum_freedom(codes, x, y, tuple(given))
        assert theirs == pytest.approx(stats.chi2.sf(statistic, freedom), rel=1e-4, abs=1e-6)
        assert freedom <= max(1, found.degrees_of_freedom[0])
        if (theirs > ALPHA) != (found.log_p[0] > math.log(ALPHA)):
            disagreeing += 1
            assert theirs <= ALPHA
    assert disagreeing > 0


def test_adjusted_degrees_of_freedom_are_what_causal_learn_counts() -> None:
    """Not the plain ones: on data with empty cells only `adjusted` gives its p-values."""
    cit = pytest.importorskip("causallearn.utils.cit")
    data = drawn("insurance", 200)
    test = cit.CIT(codes_of(data), "gsq")
    plain = TableOracle(EngineRows(data), IndependenceTest("g2", "plain"))
    asked = [(x, [z, y]) for x, z, y in [(0, 5, 9), (2, 7, 11), (3, 8, 20), (4, 1, 16), (10, 6, 25)]]
    theirs = [test(x, parents[-1], parents[:-1]) for x, parents in asked]
    adjusted, other = (oracle.test(Questions.of(asked)) for oracle in (table_oracle(data, "g2"), plain))
    assert adjusted is not None
    assert other is not None
    assert adjusted.p_value == pytest.approx(theirs, rel=1e-8)
    assert (adjusted.degrees_of_freedom < other.degrees_of_freedom).any()
    assert other.p_value != pytest.approx(theirs, rel=1e-3)
