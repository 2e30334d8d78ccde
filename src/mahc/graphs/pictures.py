"""Pictures of graphs for notebooks.

`mahc.drawing` is a higher package, so it cannot be imported here: it registers its functions when one is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mahc.registry import Registry

PICTURES: Registry[Callable[[Any], str | None]] = Registry("picture")
PICTURES.expect("sketch", "mahc.drawing.svg")
PICTURES.expect("svg_or_note", "mahc.drawing.svg")
