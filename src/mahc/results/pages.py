"""Pages about a result: the one-file report and the notebook's view.

`mahc.ui` is a higher package, so it cannot be imported here: it registers its functions when one is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mahc.registry import Registry

PAGES: Registry[Callable[..., Any]] = Registry("page")
PAGES.expect("report", "mahc.ui.report")
PAGES.expect("view", "mahc.ui.notebook")
