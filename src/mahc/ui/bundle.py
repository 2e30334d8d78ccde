"""The modules of `static/` as one script, for homes that cannot load several: the report file and the notebook.

Each module becomes a function of its own, so that names of one do not meet those of another.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)


def read_static(name: str) -> str:
    """The text of a file of `static/`."""
    return (files("mahc.ui") / "static" / name).read_text(encoding="utf-8")


def list_modules(entry: str) -> list[str]:
    """The modules that `entry` needs, each after those it imports, and itself last."""
    found: list[str] = []

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise ValueError(f"modules import each other: {' -> '.join((*above, name))}")
        if name not in found:
            for _, imported in _IMPORT.findall(read_static(name)):
                visit(imported, (*above, name))
            found.append(name)

    visit(entry, ())
    return found


@cache
def bundle(entry: str) -> str:
    """One script with all modules that `entry` needs; the exports of `entry` are in the constant `entry`.

    >>> "export " in bundle("report.js"), bundle("report.js").startswith('"use strict";')
    (False, True)
    """
    parts = ['"use strict";']
    for name in list_modules(entry):
        text = read_static(name)
        exported = _EXPORT.findall(text)
        body = _EXPORT.sub("", _IMPORT.sub(_take_from, text))
        if re.search(r"^(?:import|export)\b", body, re.MULTILINE):
            raise ValueError(f"{name} has an import or export that is not of the one kind that is bundled")
        parts.append(f"const {_constant(name)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();")
    parts.append(f"const entry = {_constant(entry)};")
    return "\n".join(parts) + "\n"


def _take_from(found: re.Match[str]) -> str:
    return f"const {{{found[1]}}} = {_constant(found[2])};\n" if found[1] else ""


def _constant(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name.removesuffix(".js"))
