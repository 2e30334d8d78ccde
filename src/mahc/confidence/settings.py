"""The settings of a bootstrap and of a consensus, declared once for Python, the command line and plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mahc.errors import Mention, SettingError
from mahc.learning.algorithm import ALGORITHMS, Algorithm
from mahc.results.graph_sample import HOW
from mahc.setting_checks import Number, OneOf, Whole
from mahc.settings import check_settings, declarations, setting

MOST_RESAMPLES = 1_000_000
MOST_SEED = 2**63 - 1


@dataclass(frozen=True)
class BootstrapSettings:
    """How many resamples, which, and how they are drawn.

    >>> BootstrapSettings(resamples=50).how
    'bootstrap'
    """

    resamples: int = setting(
        200, help="Number of resamples to learn from.", check=Whole(1, MOST_RESAMPLES), metavar="N"
    )
    seed: int = setting(1, help="Seed of the resamples.", check=Whole(0, MOST_SEED), metavar="N")
    how: str = setting(
        "bootstrap",
        help=f"How rows are drawn: {'; '.join(f'{name} ({text})' for name, text in HOW.items())}.",
        check=OneOf(*HOW),
        metavar="WAY",
    )
    algorithm_seed: int | None = setting(
        None,
        help="Seed of the algorithm's own random choices, for algorithms that have a seed; the same for all resamples.",
        check=Whole(0, MOST_SEED),
        metavar="N",
    )

    def __post_init__(self) -> None:
        check_settings(self)

    def own_seed(self, algorithm: str | Algorithm) -> dict[str, int]:
        """The setting `seed` of the algorithm, where one is given.

        >>> BootstrapSettings(algorithm_seed=5).own_seed("boss"), BootstrapSettings().own_seed("boss")
        ({'seed': 5}, {})
        """
        if self.algorithm_seed is None:
            return {}
        check_algorithm_seed([algorithm], self.algorithm_seed)
        return {"seed": self.algorithm_seed}


def check_algorithm_seed(algorithms: Sequence[str | Algorithm], algorithm_seed: int | None) -> None:
    """Refuse a seed where none of the algorithms has one."""
    if algorithm_seed is not None and not any(map(has_own_seed, algorithms)):
        names = ", ".join(each if isinstance(each, str) else each.name for each in algorithms)
        fix = f" is for algorithms that have a seed ({names}: none): leave it out"
        raise SettingError(Mention("algorithm_seed", algorithm_seed), fix)


def has_own_seed(algorithm: str | Algorithm) -> bool:
    """Whether an algorithm makes random choices of its own.

    >>> has_own_seed("boss"), has_own_seed("hc")
    (True, False)
    """
    return "seed" in declarations(ALGORITHMS[algorithm] if isinstance(algorithm, str) else algorithm)


@dataclass(frozen=True)
class ConsensusSettings:
    """Which edges of many graphs are in their consensus; where nothing is given, their shares give the threshold.

    >>> ConsensusSettings(threshold=0.5).least is None
    True
    """

    least: int | None = setting(
        None,
        help="An edge is in if at least this many graphs have it.",
        check=Whole(1, 1_000_000_000),
        metavar="N",
    )
    threshold: float | None = setting(
        None,
        help="An edge is in if a larger share of the graphs has it.",
        check=Number(least=0, below=1, hint="0.5 is a majority"),
        metavar="SHARE",
    )

    def __post_init__(self) -> None:
        check_settings(self)
        if self.least is not None and self.threshold is not None:
            raise SettingError(Mention("least"), " and ", Mention("threshold"), " say the same in two ways: give one")
