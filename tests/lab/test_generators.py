"""Generated tables with numbers: the same for the same seed, of the graph they say, and usable in a plan."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mahc.data.columns import Continuous
from mahc.errors import FormatError, MahcError
from mahc.lab import read_plan, read_rows, run
from mahc.lab.generators import GENERATORS, generate

PLAN = """
sizes = [200]
cases = [
    { generator = "mixed", columns = 5 },
    { name = "noisy", generator = "linear", columns = 4, noise = 0.5 },
    "asia",
]
[limits]
seconds = 60
[[contestants]]
label = "auto"
algorithm = "hc"
[[contestants]]
label = "smooth"
algorithm = "hc"
numbers = "smooth"
cases = ["mixed", "noisy"]
[[contestants]]
label = "cut"
algorithm = "hc"
discretise = "quantile:3"
"""


@pytest.mark.parametrize("kind", GENERATORS)
def test_a_seed_gives_a_table_and_a_graph(kind: str) -> None:
    made = generate(kind, 300, seed=1, columns=10)
    again, longer, other = (
        generate(kind, rows, seed=seed, columns=10) for rows, seed in ((300, 1), (900, 1), (300, 2))
    )
    assert made.data.fingerprint() == again.data.fingerprint()
    assert made.dag.arcs == again.dag.arcs == longer.dag.arcs != other.dag.arcs
    assert longer.data.rows == 900
    assert len(made.dag.arcs) > 8
    assert max(map(len, made.dag.parent_sets)) <= 4
    numbers = [isinstance(column, Continuous) for column in made.data.columns]
    assert all(numbers) if kind in ("linear", "curved") else any(numbers) and not all(numbers)


def test_a_variable_depends_on_its_parents_and_on_no_earlier_one_besides() -> None:
    made = generate("linear", 5000, seed=3, columns=8)
    columns = {name: column.as_numbers() for name, column in zip(made.data.names, made.data.columns, strict=True)}
    standard = {name: (own - own.mean()) / own.std() for name, own in columns.items()}
    names, before = made.dag.names, list[str]()
    while len(before) < len(names):
        ready = [v for v, own in enumerate(made.dag.parent_sets) if {names[u] for u in own} <= set(before)]
        child = next(v for v in ready if names[v] not in before)
        parents = {names[u] for u in made.dag.parent_sets[child]}
        if before:
            earlier = np.stack([standard[name] for name in before], axis=1)
            found, *_ = np.linalg.lstsq(earlier, standard[names[child]], rcond=None)
            for name, weight in zip(before, found.tolist(), strict=True):
                assert (abs(weight) > 0.15) == (name in parents), (name, names[child])
        before.append(names[child])


def test_noise_is_added_to_numbers_only() -> None:
    clean, noisy = (generate("mixed", 4000, seed=1, columns=6, noise=noise) for noise in (0.0, 0.5))
    for name, one, other in zip(clean.data.names, clean.data.columns, noisy.data.columns, strict=True):
        if isinstance(one, Continuous) and isinstance(other, Continuous):
            assert np.std(other.values - one.values) == pytest.approx(0.5 * np.std(one.values), rel=0.1), name


@pytest.mark.long
def test_a_plan_runs_on_generated_tables(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    run(read_plan(tmp_path / "plan.toml"), tmp_path / "store")
    rows = {(row.contestant, row.case): row for row in read_rows(tmp_path / "store")}
    assert {row.outcome for row in rows.values()} == {"done"}
    assert rows["Ground truth", "mixed"].measures["f1"] == 1.0
    assert rows["auto", "mixed"].score is None
    assert rows["auto", "asia"].score is not None
    assert rows["smooth", "noisy"].variables == 4


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"mixed"', '"mixd"', "unknown generator 'mixd': did you mean 'mixed'"),
        ("columns = 5", "columns = 1", "a whole number from 2 to 1,000"),
        ("noise = 0.5", "noise = -1", "a number from 0 to 100"),
        ("sizes = [200]", 'sizes = [200]\ndata = ["M"]', "is generated"),
        ('numbers = "smooth"', 'numbers = "round"', "numbers"),
        ('"quantile:3"', '"quantile"', "discretise"),
    ],
)
def test_a_mistake_in_the_plan_is_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    (tmp_path / "plan.toml").write_text(PLAN.replace(old, new, 1))
    with pytest.raises(FormatError, match=words):
        read_plan(tmp_path / "plan.toml")


def test_an_unknown_generator_is_refused() -> None:
    with pytest.raises(MahcError, match="unknown generator"):
        generate("round", 10, seed=1)


def test_the_shipped_plan_compares_the_treatments() -> None:
    plan = read_plan("numbers", quick=True)
    assert [one.label for one in plan.contestants] == ["auto", "smooth", "cuts", "quantile:4", "Ground truth"]
    assert {case.generator for case in plan.cases} == set(GENERATORS)
