"""Many random cases cut into blocks: the first blocks run with the whole suite, the others with `-m long`."""

from __future__ import annotations

from typing import Any

import pytest


def in_blocks(count: int, short: int) -> list[Any]:
    """Give the block numbers for `parametrize`; all but the first `short` are marked `long`."""
    return [block if block < short else pytest.param(block, marks=pytest.mark.long) for block in range(count)]
