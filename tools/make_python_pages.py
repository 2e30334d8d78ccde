"""Write docs/reference/python/, the pages of all public names, from their docstrings.

Many docstrings are made from declared settings when the package is imported, so the pages are made from the live
objects. `tools/build_site.py` calls this; the pages are not kept in the repository.
"""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from numpydoc_text import ENTRIES, HEADINGS, DocText, parse
from public_names import PUBLIC, public_names

from mahc.estimators import StructureEstimator

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference" / "python"
MADE_BY = "<!-- made by tools/make_python_pages.py -->\n"


def write_pages() -> int:
    """Write one page for each public package; return the number of names."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    names = list(public_names())
    for package, first in PUBLIC.items():
        things = [(name, thing) for place, name, thing in names if place == package]
        parts = [f"{MADE_BY}# {package}\n\n{first}\n"]
        parts += [describe(package, name, thing) for name, thing in sorted(things, key=lambda each: each[0].lower())]
        if package == "mahc":
            parts.append("## Methods of every estimator\n")
            parts += [describe_member(member, value) for member, value in own_members(StructureEstimator)]
        (FOLDER / f"{page_name(package)}.md").write_text("\n".join(parts), encoding="utf-8", newline="\n")
    return len(names)


def page_name(package: str) -> str:
    """The file name of a package's page.

    >>> page_name("mahc"), page_name("mahc.graphs.files")
    ('mahc', 'graphs-files')
    """
    return package.removeprefix("mahc.").replace(".", "-")


def describe(package: str, name: str, thing: object) -> str:
    """The section of one name."""
    parts = [f"## {name}\n"]
    if callable(thing):
        parts.append(signature_block(f"{package}.{name}", thing))
        parts.append(render(parse(inspect.getdoc(thing))))
    elif type(thing).__doc__ and not isinstance(thing, str | int | float | tuple | dict):
        parts.append(f"An object of the class `{type(thing).__name__}`.\n\n{render(parse(inspect.getdoc(thing)))}")
    else:
        parts.append(f"```python\n{package}.{name} = {thing!r}\n```\n")
    if inspect.isclass(thing) and not issubclass(thing, Exception | StructureEstimator):
        parts += [describe_member(member, value) for member, value in own_members(thing)]
    return "\n".join(parts)


def own_members(kind: type) -> Iterator[tuple[str, object]]:
    """The documented public methods and properties that mahc's classes give it, in the order of the code."""
    found: dict[str, object] = {}
    for base in kind.__mro__:
        if base.__module__.split(".")[0] != "mahc":
            continue
        for name, value in vars(base).items():
            documented = isinstance(value, property | classmethod | staticmethod) or inspect.isfunction(value)
            if documented and not name.startswith("_") and inspect.getdoc(value):
                found.setdefault(name, value)
    return iter(found.items())


def describe_member(name: str, value: object) -> str:
    """The section of a method or property."""
    text = render(parse(inspect.getdoc(value)))
    if isinstance(value, property):
        return f"### {name} (property)\n\n{text}"
    function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
    return f"### {name}\n\n{signature_block(name, function)}\n{text}"


def signature_block(path: str, thing: object) -> str:
    """A call of the thing with its parameters and defaults, one per line if they are many."""
    try:
        signature = inspect.signature(thing)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    shown = [plain(str(p)) for n, p in signature.parameters.items() if n not in ("self", "cls")]
    returns = signature.return_annotation
    arrow = "" if returns in (inspect.Signature.empty, "None") else plain(f" -> {inspect.formatannotation(returns)}")
    line = f"{path}({', '.join(shown)}){arrow}"
    if len(line) > 88:
        line = f"{path}(\n" + "".join(f"    {each},\n" for each in shown) + f"){arrow}"
    return f"```python\n{line}\n```\n"


def plain(text: str) -> str:
    """Annotations without the quotes that postponed evaluation leaves, and without addresses in memory."""
    text = re.sub(r"(?<=[:>] )'([^']*)'", r"\1", text)
    return re.sub(r"<(?:function|class|object) ?'?([\w.]+)?[^>]*>", r"\1", text)


def render(doc: DocText) -> str:
    """A docstring as Markdown."""
    parts = [prose(doc.text)]
    for heading in HEADINGS:
        if heading not in doc.sections:
            continue
        parts.append(f"**{heading}**\n")
        parts.append(entry_list(doc, heading) if heading in ENTRIES else prose(doc.sections[heading]))
    return "\n".join(parts)


def entry_list(doc: DocText, heading: str) -> str:
    """Parameters, results or exceptions as a list."""
    lines = []
    for entry in doc.entries(heading):
        names = ", ".join(f"`{name}`" for name in entry.names)
        kind = f" ({escape(entry.kind)})" if entry.kind else ""
        body = prose(entry.text).strip().replace("\n", "\n    ")
        lines.append(f"- {names}{kind}\n\n    {body}\n")
    return "\n".join(lines)


def prose(text: str) -> str:
    """Text with its examples as blocks of code: an example ends at a blank line that no other example follows."""
    out: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith(">>>") and not inside:
            out += ["", "```pycon"]
            inside = True
        elif inside and not line.strip():
            out += ["```"]
            inside = False
        out.append(line if inside else escape(line))
    if inside:
        out.append("```")
    return "\n".join(out).replace("\n```\n\n\n```pycon\n", "\n\n") + "\n"


def escape(text: str) -> str:
    """Keep angle brackets and square brackets as they are written, outside code."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else html.escape(p, quote=False).replace("[", "\\[") for p in pieces)


if __name__ == "__main__":
    print(f"{write_pages()} public names in {FOLDER}")
