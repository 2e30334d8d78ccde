"""Declarations of the settings of independence tests, which several algorithms have."""

from __future__ import annotations

from mahc.setting_checks import Number, OneOf, Whole
from mahc.settings import setting

STATISTICS = ("g2", "x2", "mi")
DEGREES_OF_FREEDOM = ("adjusted", "plain")
ALPHA = Number(above=0, below=1, hint="0.01 is usual")
MAX_CONDITIONS = Whole(0, 1_000_000)


def declare_alpha(default: float) -> float:
    """The significance level of the tests."""
    return setting(default, help="Significance level of the independence tests.", check=ALPHA, metavar="P")


def declare_statistic(default: str) -> str:
    """The statistic of the tests."""
    help_text = "Test of independence: g2 (likelihood ratio), x2 (Pearson's chi-squared) or mi (mutual information)."
    return setting(default, help=help_text, check=OneOf(*STATISTICS), metavar="NAME")


def declare_degrees_of_freedom(default: str) -> str:
    """How degrees of freedom are counted."""
    help_text = "Degrees of freedom of a test: adjusted (without empty rows and columns) or plain (with them)."
    return setting(default, help=help_text, check=OneOf(*DEGREES_OF_FREEDOM), metavar="NAME")


def declare_min_rows_per_df() -> float:
    """The rows that a test needs."""
    help_text = "Rows per degree of freedom that a test needs; with fewer the pair counts as independent."
    return setting(0.0, help=help_text, check=Number(least=0), metavar="N")


def declare_max_conditions() -> int | None:
    """The size of the largest conditioning set."""
    return setting(
        None, help="Size of the largest conditioning set; no limit if left out.", check=MAX_CONDITIONS, metavar="N"
    )
