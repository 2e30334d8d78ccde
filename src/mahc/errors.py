"""What can go wrong, as exceptions whose message is one sentence a person can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class MahcError(Exception):
    """Any mistake that the user can mend; the command line prints it and exits with 2."""


class DataError(MahcError):
    """The data cannot be used as they are."""


class GraphError(MahcError):
    """A graph breaks its own rules (a cycle, an unknown variable, a doubled arc)."""


class SettingError(MahcError):
    """A setting is out of its range or contradicts another."""


class KnowledgeError(SettingError):
    """Constraints that clash with each other or with the data."""


class FormatError(MahcError):
    """A file is not what its format says; knows the file and, where there is one, the line.

    >>> str(FormatError("no name", "a.csv", 1)), str(FormatError("no name", line=1))
    ('a.csv, line 1: no name', 'line 1: no name')
    """

    def __init__(self, message: str, file: object = None, line: int | None = None) -> None:
        places = [str(file)] if file is not None else []
        places += [f"line {line}"] if line is not None else []
        super().__init__(": ".join([", ".join(places), message]) if places else message)
        self.file = file
        self.line = line


class UnknownNameError(MahcError):
    """A name that is not on the list, with the nearest ones that are.

    >>> str(UnknownNameError("score", "bci", ["bic", "aic"]))
    "unknown score 'bci': did you mean 'bic'? (known: aic, bic)"
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = [other for other in names if other.lower() == name.lower()][:1]
        if not near:
            near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f": did you mean '{near[0]}'?" if near else ""
        shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        super().__init__(f"unknown {kind} '{name}'{hint} (known: {shown or 'none'})")
        self.kind = kind
        self.name = name
        self.near = near[0] if near else None
