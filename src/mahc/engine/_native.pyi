from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.engine.control import RunControl

def levels() -> list[str]: ...
def log2_regret(size: int, states: float) -> float: ...
def log_gamma(x: float) -> float: ...

class Engine:
    def __init__(
        self,
        columns: Sequence[NDArray[np.unsignedinteger]],
        states: Sequence[int],
        weights: NDArray[np.uint32] | None,
        threads: int,
        memory_bytes: int,
        level: str,
        repeated: bool = False,
    ) -> None: ...
    @property
    def level(self) -> str: ...
    @property
    def threads(self) -> int: ...
    def arrange(self, order: Sequence[int]) -> None: ...
    def marginal(self, variable: int) -> list[int]: ...
    def sum_row_hashes(self, hashes: NDArray[np.uint64], wanted: NDArray[np.bool_]) -> NDArray[np.uint64]: ...
    def count_families(
        self, children: NDArray[np.int32], offsets: NDArray[np.int64], parents: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    def family_counts(
        self, child: int, parents: Sequence[int], method: str
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], str]: ...
    def joint_counts(self, variables: Sequence[int], most_cells: int) -> NDArray[np.uint32]: ...

class Formula: ...

class Penalised(Formula):
    def __init__(self, price: float, prices: Sequence[float] = ..., unit: float = ...) -> None: ...

class Bdeu(Formula):
    def __init__(self, equivalent_size: float, unit: float = ...) -> None: ...

class FactorisedNml(Formula):
    def __init__(self) -> None: ...

class QuotientNml(Formula):
    def __init__(self) -> None: ...

class SplitScorer(FamilyScorer):
    def __init__(self, scorers: tuple[FamilyScorer, ...], which: Sequence[Sequence[int]]) -> None: ...
    def score_families(
        self, children: NDArray[np.int32], offsets: NDArray[np.int64], parents: NDArray[np.int32]
    ) -> NDArray[np.float64]: ...
    def focus(self, candidates: Sequence[Sequence[int]]) -> None: ...

class FamilyScorer: ...

class CutChooser:
    def __init__(
        self,
        codes: NDArray[np.uint16],
        rows: int,
        bins: Sequence[int],
        number: Sequence[int],
        weights: NDArray[np.uint64],
    ) -> None: ...
    def choose(
        self, variable: int, families: Sequence[Sequence[int]], cuts: Sequence[Sequence[int]], most: int
    ) -> tuple[list[int], float]: ...
    def choose_family(
        self, family: Sequence[int], start: Sequence[Sequence[int]], most: int, rounds: int
    ) -> tuple[list[list[int]], float]: ...
    def family_bits(self, family: Sequence[int], members: Sequence[Sequence[int]], priced: bool) -> float: ...

class DeterminantScorer(FamilyScorer):
    def __init__(
        self,
        matrix: NDArray[np.float64],
        first: Sequence[int],
        weight: Sequence[float],
        constant: Sequence[float],
        alone: Sequence[float],
        floor: float,
        grid: float,
        threads: int,
        level: str = "",
    ) -> None: ...
    def score_families(
        self, children: NDArray[np.int32], offsets: NDArray[np.int64], parents: NDArray[np.int32]
    ) -> NDArray[np.float64]: ...
    def bound_additions(self, child: int, parents: Sequence[int], candidates: Sequence[int]) -> list[float]: ...

class MixedScorer(FamilyScorer):
    def __init__(self, smooth: FamilyScorer, states: FamilyScorer, number: Sequence[int]) -> None: ...
    def score_families(
        self, children: NDArray[np.int32], offsets: NDArray[np.int64], parents: NDArray[np.int32]
    ) -> NDArray[np.float64]: ...

class LocalScorer(FamilyScorer):
    def __init__(self, engine: Engine, formula: Formula, base: float, divisors: Sequence[float]) -> None: ...
    def score_families(
        self, children: NDArray[np.int32], offsets: NDArray[np.int64], parents: NDArray[np.int32], method: str
    ) -> NDArray[np.float64]: ...
    def score_pairs(self, control: RunControl | None = None) -> NDArray[np.float64] | None: ...
    def score_better_parents(
        self, price: float, tolerance: float, most: int, control: RunControl | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]] | None: ...
    def focus(self, candidates: Sequence[Sequence[int]]) -> None: ...

class IncompleteRows:
    def __init__(
        self,
        columns: Sequence[NDArray[np.uint32]],
        states: Sequence[int],
        weights: NDArray[np.uint32] | None,
        log_weights: Sequence[NDArray[np.int16] | None],
        causes: Sequence[Sequence[int]],
    ) -> None: ...
    def count_families(
        self, children: NDArray[np.int32], offsets: NDArray[np.int64], parents: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

class IncompleteScorer(FamilyScorer):
    def __init__(
        self,
        rows: IncompleteRows,
        engine: Engine,
        formula: Formula,
        base: float,
        divisors: Sequence[float],
        class_logs: Sequence[Sequence[int]],
        use_weights: bool,
        threads: int,
    ) -> None: ...
    def score_families(
        self,
        children: NDArray[np.int32],
        offsets: NDArray[np.int64],
        parents: NDArray[np.int32],
        control: RunControl | None = None,
    ) -> NDArray[np.float64] | None: ...

class RowCompleter:
    def __init__(
        self,
        states: Sequence[int],
        parents: Sequence[Sequence[int]],
        codes: NDArray[np.uint32],
        weights: NDArray[np.int64],
        threads: int,
    ) -> None: ...
    def expect(
        self, tables: NDArray[np.float64], control: RunControl | None = None
    ) -> tuple[NDArray[np.float64], float] | None: ...
    def draw(
        self,
        tables: NDArray[np.float64],
        hashes: NDArray[np.uint64],
        seed: int,
        draws: int,
        control: RunControl | None = None,
    ) -> tuple[NDArray[np.uint32], NDArray[np.int64]] | None: ...

class CountScores:
    def __init__(
        self,
        states: Sequence[int],
        size: int,
        formula: Formula,
        base: float,
        divisors: Sequence[float],
    ) -> None: ...
    def score_counts(
        self,
        children: NDArray[np.int32],
        offsets: NDArray[np.int64],
        parents: NDArray[np.int32],
        cells: NDArray[np.int64],
        cell_offsets: NDArray[np.int64],
    ) -> NDArray[np.float64]: ...
    def score_both_directions(
        self,
        children: NDArray[np.int32],
        offsets: NDArray[np.int64],
        parents: NDArray[np.int32],
        cells: NDArray[np.int64],
        cell_offsets: NDArray[np.int64],
    ) -> NDArray[np.float64]: ...

class CountTests:
    def __init__(self, states: Sequence[int], size: int, incomplete: bool = False) -> None: ...
    def measure_excess(
        self,
        children: NDArray[np.int32],
        offsets: NDArray[np.int64],
        parents: NDArray[np.int32],
        cells: NDArray[np.int64],
        cell_offsets: NDArray[np.int64],
    ) -> NDArray[np.float64]: ...
    def test_counts(
        self,
        children: NDArray[np.int32],
        offsets: NDArray[np.int64],
        parents: NDArray[np.int32],
        cells: NDArray[np.int64],
        cell_offsets: NDArray[np.int64],
        pearson: bool,
        adjusted: bool,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...

def log_chi_square_tail(statistic: float, degrees_of_freedom: float) -> float: ...

class IndependenceTester:
    def __init__(self, engine: Engine) -> None: ...
    def test_families(
        self,
        children: NDArray[np.int32],
        offsets: NDArray[np.int64],
        parents: NDArray[np.int32],
        pearson: bool,
        adjusted: bool,
        control: RunControl | None,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]] | None: ...

class ColumnTester:
    def __init__(
        self,
        matrix: NDArray[np.float64],
        first: Sequence[int],
        ends: Sequence[int],
        limited: Sequence[bool],
        depth: Sequence[int],
        rows: NDArray[np.float32],
        weights: NDArray[np.float64],
        size: float,
        threads: int,
    ) -> None: ...
    def test_families(
        self,
        children: NDArray[np.int32],
        offsets: NDArray[np.int64],
        parents: NDArray[np.int32],
        control: RunControl | None,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]] | None: ...

class ScoreCache:
    def __init__(
        self,
        scorer: object,
        memory_bytes: int,
        arc_price: float = 0.0,
        first: Sequence[int] = ...,
        parents: Sequence[int] = ...,
        extra_prices: Sequence[float] = ...,
    ) -> None: ...
    def score_families(
        self,
        children: NDArray[np.int32],
        offsets: NDArray[np.int64],
        parents: NDArray[np.int32],
        control: RunControl | None,
    ) -> NDArray[np.float64] | None: ...

class CancelToken:
    """Stops the runs that it was given to; any thread may call `cancel`."""

    def __init__(self) -> None: ...
    def cancel(self) -> None: ...
    @property
    def cancelled(self) -> bool: ...

class Space:
    def __init__(
        self,
        variables: int,
        nodes: int,
        first: NDArray[np.int64],
        parents: NDArray[np.int32],
        hold: NDArray[np.uint8],
        limit: NDArray[np.int32],
        virtual_arcs: Sequence[tuple[int, int]],
    ) -> None: ...
    @staticmethod
    def complete(
        variables: int, nodes: int, limit: NDArray[np.int32], virtual_arcs: Sequence[tuple[int, int]]
    ) -> Space: ...

def climb(
    cache: ScoreCache,
    space: Space,
    start: Sequence[tuple[int, int]],
    pairs: NDArray[np.float64] | None,
    averaging: bool,
    escapes: bool,
    tolerance: float,
    most_steps: int,
    control: RunControl | None,
    stay_connected: bool = False,
    data_ties: bool = True,
    list_length: int = 0,
    keep_gains: bool = True,
) -> dict[str, Any]: ...
def explain_moves(space: Space, arcs: Sequence[tuple[int, int]]) -> list[tuple[str, int, int, str | None]]: ...
def neighbours(
    cache: ScoreCache, space: Space, arcs: Sequence[tuple[int, int]], control: RunControl | None = None
) -> tuple[float, float, int, list[tuple[str, int, int, float, float]]] | None: ...
def order_program(
    first: NDArray[np.int64],
    parents: NDArray[np.uint32],
    scores: NDArray[np.float64],
    held: Sequence[int],
    before: Sequence[int],
    tolerance: float,
    control: RunControl | None,
) -> list[int] | None: ...
def search_orders(
    cache: ScoreCache,
    space: Space,
    start: Sequence[tuple[int, int]],
    pairs: NDArray[np.float64] | None,
    kicks: int,
    seed: int,
    pair_candidates: int,
    early_dropping: bool,
    tolerance: float,
    most_nodes: int,
    control: RunControl | None,
) -> dict[str, Any]: ...

class ParentLists:
    """The parent sets that each variable may have, with their scores in nats, the best first."""

    def __init__(
        self,
        candidates: Sequence[Sequence[int]],
        offsets: NDArray[np.int64],
        inside: NDArray[np.uint32],
        outside: NDArray[np.int32],
        scores: NDArray[np.float64],
        partners: Sequence[Sequence[int]],
        virtual_arcs: Sequence[tuple[int, int]],
        nodes: int,
    ) -> None: ...
    def walk(
        self,
        start: NDArray[np.int32],
        seed: int,
        chain: int,
        first_part: int,
        parts: int,
        steps: int,
        flips: float,
        reversals: float,
        pairs: float,
        control: RunControl | None,
    ) -> tuple[NDArray[np.int32], NDArray[np.uint64]]: ...

def find_compelled(
    offsets: NDArray[np.int64], tails: NDArray[np.int32], heads: NDArray[np.int32], variables: int
) -> NDArray[np.uint8]: ...
def blanket_posteriors(
    columns: Sequence[NDArray[np.unsignedinteger]],
    states: Sequence[int],
    rows: int,
    target_states: int,
    members: Sequence[Sequence[int]],
    strides: Sequence[Sequence[int]],
    target_strides: Sequence[int],
    logs: Sequence[NDArray[np.float64]],
    threads: int,
) -> NDArray[np.float64]: ...
