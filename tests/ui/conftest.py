"""One browser and one server for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from ui.browsing import chromium
from ui.serving import Served, serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """`mahc ui` with projects in a folder of its own."""
    with serving() as served:
        yield served
