"""The settings of a bootstrap, declared once for Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass

from mahc.results.confidence import HOW
from mahc.setting_checks import OneOf, Whole
from mahc.settings import check_settings, setting

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

    def __post_init__(self) -> None:
        check_settings(self)
