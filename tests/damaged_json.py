"""Damage to a JSON document, anywhere in it."""

from __future__ import annotations

import copy
import random
from typing import Any

JUNK: list[Any] = [None, True, -1, 7, 2**70, 1.5, -1e308, "", "x", [], [1], ["a", "b"], [["a"]], {}, {"a": 1}]


def damage(found: Any, rng: random.Random) -> None:
    """Change one place, anywhere in the tree: drop, replace, double or swap."""
    place = found
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = rng.choice(keys)
        inner = place[key]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.8:
            place = inner
            continue
        action = rng.randrange(4)
        if action == 0:
            del place[key]
        elif action == 1 and isinstance(place, list):
            place.append(copy.deepcopy(inner))
        elif action == 2 and isinstance(inner, int | float) and not isinstance(inner, bool):
            place[key] = rng.choice([inner + 1, -inner, inner * 1000, str(inner), inner + 0.5])
        else:
            place[key] = copy.deepcopy(rng.choice(JUNK))
        return
