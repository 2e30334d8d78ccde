"""Pictures of graphs for notebooks, without importing the package that draws them.

`mahc.drawing` is above this package. It registers itself here when a picture is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mahc.registry import Registry

PICTURES: Registry[Callable[[Any], str | None]] = Registry("picture")
PICTURES.expect("sketch", "mahc.drawing.svg")
PICTURES.expect("svg_or_note", "mahc.drawing.svg")
