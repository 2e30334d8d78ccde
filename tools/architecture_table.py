"""Figures about the layout of the code, as a Markdown table: `python tools/architecture_table.py [ROOT]`.

ROOT is a checkout of mahc; without it, the one that this file is in. Run it on two checkouts to compare them.
"""

from __future__ import annotations

import ast
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

LONG = 40  # lines of a function


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions and methods of a module."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many parameters a signature has."""
    given = function.args
    return len([*given.posonlyargs, *given.args, *given.kwonlyargs]) + bool(given.vararg) + bool(given.kwarg)


def main(root: Path) -> None:
    """Print the table."""
    source = root / "src" / "mahc"
    files = {path: path.read_text(encoding="utf-8") for path in sorted(source.rglob("*.py"))}
    trees = {path: ast.parse(text) for path, text in files.items()}
    lengths = {path: text.count("\n") for path, text in files.items()}
    modules = Counter(str(path.parent.relative_to(source)) for path in files if path.name != "__init__.py")
    every = [(function, path) for path, tree in trees.items() for function in functions(tree)]
    long = [function for function, _ in every if (function.end_lineno or 0) - function.lineno + 1 > LONG]
    widest, where = max(every, key=lambda pair: parameters(pair[0]))
    package, most = modules.most_common(1)[0]
    largest = max(lengths, key=lambda path: lengths[path])
    rows = [
        ("modules", str(sum(modules.values()))),
        ("packages", str(len(modules))),
        ("modules in the largest package", f"{most} (`{package}`)"),
        ("median module, lines", f"{statistics.median(lengths.values()):.0f}"),
        ("largest module, lines", f"{lengths[largest]} (`{largest.relative_to(source)}`)"),
        (f"functions over {LONG} lines", str(len(long))),
        ("longest signature, parameters", f"{parameters(widest)} (`{widest.name}`, `{where.relative_to(source)}`)"),
    ]
    print("| figure | value |\n|---|---|")
    for name, value in rows:
        print(f"| {name} | {value} |")
    print("\n| package | modules |\n|---|---|")
    for name, count in sorted(modules.items()):
        print(f"| `{name}` | {count} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1])
