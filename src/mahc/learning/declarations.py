"""Declarations of settings that several algorithms have."""

from __future__ import annotations

from mahc.setting_checks import Memory, Number, Whole
from mahc.settings import setting

MOST_PARENTS = 1_000_000
MOST_STEPS = 10**15  # beyond this the core's counter would overflow
MOST_MEBIBYTES = 10**9


def declare_search_in_degree(default: int = 8) -> int:
    """The largest number of parents of a variable (M_S)."""
    check = Whole(1, MOST_PARENTS)
    return setting(default, help="Largest number of parents of a variable (M_S).", check=check, metavar="N")


ARC_PRICE = (
    "Price per arc: what an arc must gain to be worth having, in units of the score; for boss half the logarithm of "
    "the number of variables if left out."
)


def declare_arc_price() -> float:
    """A price per arc, subtracted from the score while searching."""
    return setting(0.0, help=ARC_PRICE, check=Number(least=0), metavar="X")


def declare_automatic_arc_price() -> float | None:
    """A price per arc that depends on the number of variables if left out."""
    return setting(None, help=ARC_PRICE, check=Number(least=0), metavar="X")


def declare_relative_price() -> float:
    """A price that is a share of what the two variables of an arc gain alone."""
    help_text = (
        "Price per arc as a share of what its two variables gain alone: 0.25 keeps an arc that adds more than a "
        "quarter of that to the graph. Removes arcs that only measurement error makes necessary."
    )
    return setting(0.0, help=help_text, check=Number(least=0, below=1), metavar="X")


def declare_step_limit() -> int | None:
    """A limit on the steps of the climb."""
    check = Whole(0, MOST_STEPS)
    return setting(None, help="Stop after this many steps.", check=check, metavar="N", group="Limits")


def declare_memory_limit() -> int | None:
    """A limit on how much the process may grow (`mahc.learning.memory`)."""
    check = Memory(1, MOST_MEBIBYTES)
    help_text = (
        "Memory that learning may use, such as 4GB or 512MiB (a bare number is MiB); files that do not fit are read in "
        "pieces. Three quarters of the machine's if left out."
    )
    return setting(None, help=help_text, check=check, metavar="SIZE", option="memory", group="Limits")
