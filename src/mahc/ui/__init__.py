"""The page: one interactive view of a learned graph, in a report file, on a local server and in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mahc.ui.document import make_document
    from mahc.ui.report import write_report

__all__ = ["make_document", "write_report"]

_MODULES = {"make_document": "document", "write_report": "report"}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'mahc.ui' has no attribute '{name}'")
    import importlib

    found: object = getattr(importlib.import_module(f"mahc.ui.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
