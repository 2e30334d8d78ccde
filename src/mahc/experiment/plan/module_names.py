"""The names that a Python file defines, found without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def defined_names(file: Path) -> frozenset[str] | None:
    """The names at the top level of a file; None where only running it shows them. Raises SyntaxError.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "mine.py"
    ...     _ = file.write_text("from math import log\\nif log(1) == 0:\\n    def learn(path): ...\\n")
    ...     sorted(defined_names(file))
    ['learn', 'log']
    """
    try:
        tree = ast.parse(file.read_bytes())
    except (ValueError, RecursionError, MemoryError):  # a zero byte, or nested too deeply: Python itself will say
        return None
    names = set(_bound(tree.body))
    # An import of everything, __getattr__ and changes of the module's dict give names that only a run shows.
    return None if names & {"*", "__getattr__"} or b"globals()" in file.read_bytes() else frozenset(names)


def _bound(statements: list[ast.stmt]) -> Iterator[str]:
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name
            continue  # what is within is not at the top level
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in statement.names)
        for node in ast.iter_child_nodes(statement):
            if isinstance(node, ast.expr):
                yield from _stored(node)
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                yield from _stored(node.optional_vars)
            elif isinstance(node, ast.ExceptHandler | ast.match_case):
                yield from _bound(node.body)
        for part in ("body", "orelse", "finalbody"):
            yield from _bound(getattr(statement, part, []))


def _stored(expression: ast.expr) -> Iterator[str]:
    for node in ast.walk(expression):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
