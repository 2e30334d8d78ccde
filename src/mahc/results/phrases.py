"""Numbers with their nouns and units, as summaries and explanations write them."""

from __future__ import annotations

import math


def unit_of(base: float) -> str:
    """The unit of logarithms to that base.

    >>> unit_of(2.0), unit_of(10.0)
    ('bits', 'units of log base 10')
    """
    return {2.0: "bits", math.e: "nats"}.get(base) or f"units of log base {base:g}"


def amount(value: float, unit: str) -> str:
    """The size of a change of score: one decimal from 100 up, four below.

    >>> amount(446.3677, "bits"), amount(7.49192, "bits")
    ('446.4 bits', '7.4919 bits')
    """
    return f"{abs(value):,.{1 if abs(value) >= 100 else 4}f} {unit}"


def change(value: float, what: str, unit: str) -> str:
    """What a move would do to a score, as a clause after "would".

    >>> change(-446.3677, "the score", "bits"), change(1e-12, "the score", "bits")
    ('lower the score by 446.4 bits', 'leave the score unchanged')
    """
    if round(value, 4) == 0:
        return f"leave {what} unchanged"
    return f"{'raise' if value > 0 else 'lower'} {what} by {amount(value, unit)}"
