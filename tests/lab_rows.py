"""Rows of experiments that were never run: the paper's own, and several seeds made up around them."""

from __future__ import annotations

import random
from dataclasses import replace

from mahc.lab.outline import TRUTH, Row
from mahc.lab.paper.numbers import ONLY_AVERAGING, ONLY_PRUNING, network_facts, raw_rows

ABLATIONS = {ONLY_PRUNING: "MAHC", ONLY_AVERAGING: "HC"}


def made_up_rows(seeds: tuple[int, ...] = (1, 2, 3), seconds_factor: float = 1.0) -> tuple[Row, ...]:
    """Every field filled in, a little different in each seed; the seconds alone depend on the factor."""
    printed = [*raw_rows()]
    for name, like in ABLATIONS.items():
        printed += [replace(row, contestant=name) for row in raw_rows() if row.contestant == like]
    rows = [_shaken(row, seed, seconds_factor) for seed in seeds for row in printed]
    rows += [_true(row, seed) for seed in seeds for row in raw_rows() if row.contestant == "HC"]
    return tuple(rows)


def _shaken(row: Row, seed: int, factor: float) -> Row:
    chance = random.Random(f"{row.contestant} {row.case} {row.data} {row.rows} {seed}")
    nodes = int(network_facts()[row.case]["nodes"])
    arcs = int(network_facts()[row.case]["arcs"])
    pruned = [int(nodes * (nodes - 1) * share * chance.uniform(0.9, 1.1)) for share in (0.5, 0.2, 0.05)]
    shift = chance.uniform(-0.05, 0.05)
    measures = {
        name: value + (round(20 * shift) if name == "shd" and value > 2 else 0 if name == "shd" else value * 4 * shift)
        for name, value in row.measures.items()
    }
    return replace(
        row,
        seed=seed,
        variables=nodes,
        measures=measures,
        score=None if row.score is None else row.score * chance.uniform(0.99, 1.01),
        free_parameters=chance.randint(20, 2000) if row.finished else None,
        edges=chance.randint(arcs // 2, arcs) if row.finished else None,
        seconds=factor * row.rows * nodes / 1e5 * chance.uniform(0.5, 2) if row.finished else None,
        pruned_per_level=tuple(pruned) if row.contestant == "MAHC" else None,
        reason=row.reason if row.finished else "stopped at the limit of <6> hours & no graph",
        version="mahc 0.1",
    )


def _true(row: Row, seed: int) -> Row:
    chance = random.Random(f"{row.case} {row.data} {row.rows} {seed}")
    facts = network_facts()[row.case]
    score = None if row.score is None or (row.case, row.data) == ("pathfinder", "cMISL") else row.score
    return replace(
        row,
        contestant=TRUTH,
        seed=seed,
        variables=int(facts["nodes"]),
        score=None if score is None else score * chance.uniform(0.98, 1.05),
        free_parameters=int(facts["free_parameters"]),
        edges=int(facts["arcs"]),
        seconds=0.0,
        measures=dict.fromkeys(("bsf", "f1", "recall", "precision"), 1.0) | {"shd": 0.0},
    )
