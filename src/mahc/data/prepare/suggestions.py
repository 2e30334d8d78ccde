"""What would make data usable: one fix for all columns concerned, and the settings that apply the fixes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mahc.data.prepare.notes import Note, Problem
from mahc.data.settings import ReadSettings
from mahc.errors import Mention, Message, Part

if TYPE_CHECKING:
    from mahc.data.prepare.audit import Audit


@dataclass(frozen=True)
class Fix:
    """What to do about the same problem or warning in several columns.

    Parameters
    ----------
    columns : tuple of str
        The columns concerned; none for the whole table.
    text : Message
        What to do.

    Examples
    --------
    >>> str(Fix(("height",), Message("pass ", Mention("discretise", "quantile:4"))).text)
    'pass discretise="quantile:4"'
    """

    columns: tuple[str, ...]
    text: Message


def group_fixes(found: Iterable[Note | Problem]) -> list[Fix]:
    """The fixes of problems and warnings, each once, with all columns concerned.

    Parameters
    ----------
    found : list of Note or Problem
        What an audit found; those without a fix are passed over.

    Returns
    -------
    list of Fix
        In the order in which they occur.

    Examples
    --------
    >>> cut = Mention("discretise", "quantile:4")
    >>> problems = [Problem(name, "real-valued", "holds real numbers", Message("pass ", cut)) for name in "ab"]
    >>> [(fix.columns, str(fix.text)) for fix in group_fixes(problems)]
    [(('a', 'b'), 'pass discretise="quantile:4"')]
    """
    groups: dict[tuple[str, int], list[Note | Problem]] = {}
    for each in found:
        if each.fix is not None:
            parts = len(each.fix.parts) if isinstance(each.fix, Message) else 0
            groups.setdefault((each.kind, parts), []).append(each)
    found_once: dict[str, Fix] = {}
    for fix in map(_join_fixes, groups.values()):
        before = found_once.get(str(fix.text))
        columns = fix.columns if before is None else (*before.columns, *fix.columns)
        found_once[str(fix.text)] = Fix(tuple(dict.fromkeys(columns)), fix.text)
    return list(found_once.values())


def _join_fixes(group: Sequence[Note | Problem]) -> Fix:
    columns = tuple(dict.fromkeys(each.column for each in group if each.column is not None))
    fixes = [each.fix if isinstance(each.fix, Message) else Message(str(each.fix)) for each in group]
    parts: list[Part] = list(fixes[0].parts)
    for place, part in enumerate(parts):
        same = [fix.parts[place] for fix in fixes if len(fix.parts) == len(parts)]
        if isinstance(part, Mention) and isinstance(part.value, Mapping):
            joined: dict[str, tuple[object, ...]] = {}
            for other in same:
                for name, own in other.value.items() if isinstance(other, Mention) else ():  # type: ignore[attr-defined]
                    joined[name] = tuple(dict.fromkeys((*joined.get(name, ()), *own)))
            parts[place] = Mention(part.setting, joined)
        elif isinstance(part, Mention) and isinstance(part.value, tuple):
            values = [value for other in same if isinstance(other, Mention) for value in _as_tuple(other.value)]
            parts[place] = Mention(part.setting, tuple(dict.fromkeys(values)))
    return Fix(columns, Message(*parts))


def _as_tuple(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def _new(values: Sequence[str], given: Mapping[str, Sequence[str]], column: str) -> list[str]:
    return [each for each in values if each not in given.get(column, ())]


def apply_remedies(settings: ReadSettings, found: Audit) -> ReadSettings:
    """The settings with the remedies of all problems and warnings of an audit."""
    concerns: list[Note | Problem] = [*found.problems, *(note for note in found.notes if note.warning)]
    for each in concerns:
        for remedy in each.remedies:
            settings = _apply(settings, remedy, each.column)
    return settings


def _apply(settings: ReadSettings, remedy: Mention, column: str | None) -> ReadSettings:
    name: str = remedy.setting
    value: Any = remedy.value
    if isinstance(value, Mapping):
        known = settings.tokens
        value = {**known, **{key: (*known.get(key, ()), *_new(each, known, key)) for key, each in value.items()}}
    elif isinstance(value, tuple):
        given = tuple(str(each) for each in getattr(settings, name))
        value = (*given, *(each for each in value if each not in given))
    elif name == "discretise" and isinstance(settings.discretise, Mapping):
        value = {**settings.discretise, str(column): value}
    return dataclasses.replace(settings, **{name: value})
