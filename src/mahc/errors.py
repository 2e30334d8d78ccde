"""What can go wrong, as exceptions whose message is one sentence a person can act on.

A message may name settings. It keeps them as data (`Mention`, `Value`), so that Python, the command line and plan
files each write them in their own `Spelling`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mahc.safe_text import escape_controls, shorten_sentence


class Mention(NamedTuple):
    """A setting in a message, alone or with a value: `missing`, or `missing="state"`.

    A tuple is a value of a setting that takes a list; a dict is one that takes values by column.
    """

    setting: str
    value: object = None


class PerInterface(NamedTuple):
    """A text that Python and the command line each have in their own words."""

    python: str
    command_line: str


class Value(NamedTuple):
    """A value in a message, such as True, which plan files write as true."""

    value: object


class Choice(NamedTuple):
    """A value that may be given: "drop" in Python, drop on the command line."""

    value: object


class Spelling:
    """How Python writes settings and values; other interfaces override these methods.

    >>> Spelling().mention(Mention("missing", "state")), Spelling().mention(Mention("drop", ("id",)))
    ('missing="state"', 'drop=["id"]')
    """

    def name(self, setting: str) -> str:
        """A setting's name."""
        return setting

    def mention(self, mention: Mention) -> str:
        """A setting with the value to give it, or its name alone."""
        name = self.name(mention.setting)
        return name if mention.value is None else f"{name}={_literal(mention.value)}"

    def value(self, value: object) -> str:
        """A value."""
        return repr(value)

    def choice(self, value: object) -> str:
        """A value as one writes it to give it."""
        return _literal(value)

    def choose(self, text: PerInterface) -> str:
        """The wording of this interface."""
        return text.python


def _literal(value: object) -> str:
    """A value as Python code, texts in double quotes.

    >>> print(_literal({"age": (18, 65)}))
    {"age": [18, 65]}
    """
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(each)}" for key, each in value.items()) + "}"
    return repr(value)


PYTHON = Spelling()


class Message:
    """A text with settings and values in it.

    >>> str(Message("pass ", Mention("missing", "drop"), " or ", Value(True)))
    'pass missing="drop" or True'
    """

    def __init__(self, *parts: Part) -> None:
        self.parts = parts

    def render(self, spelling: Spelling) -> str:
        """The text as one interface writes it."""
        return "".join(_render_part(part, spelling) for part in self.parts)

    def replacing(self, old: str, new: str) -> Message:
        """The message with another text in the place of one.

        >>> str(Message("/tmp/x.csv", ": no rows").replacing("/tmp/x.csv", "s3://bucket/x.csv"))
        's3://bucket/x.csv: no rows'
        """
        return Message(
            *(
                part.replacing(old, new)
                if isinstance(part, Message)
                else part.replace(old, new)
                if isinstance(part, str)
                else part
                for part in self.parts
            )
        )

    def __str__(self) -> str:
        return self.render(PYTHON)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Message{self.parts!r}"


def _render_part(part: Part, spelling: Spelling) -> str:
    if isinstance(part, PerInterface):
        return spelling.choose(part)
    if isinstance(part, Mention):
        return spelling.mention(part)
    if isinstance(part, Value):
        return spelling.value(part.value)
    if isinstance(part, Choice):
        return spelling.choice(part.value)
    return part if isinstance(part, str) else part.render(spelling)


Part = str | Mention | Value | Choice | PerInterface | Message


def choices(values: Iterable[object], last: str = ", ") -> Message:
    """Values that may be given, with commas between them.

    >>> str(choices(["error", "state"], " or "))
    '"error" or "state"'
    """
    parts: list[Part] = []
    listed = list(values)
    for place, value in enumerate(listed):
        parts += [last if place == len(listed) - 1 else ", "] if parts else []
        parts.append(Choice(value))
    return Message(*parts)


class MahcError(Exception):
    """Any mistake that the user can correct; the command line prints it and exits with code 2.

    Parameters
    ----------
    *parts : str, Mention or Value
        The sentence. A `Mention` is a setting, which Python and the command line write differently.

    Examples
    --------
    >>> str(MahcError("add ", Mention("missing", "drop")))
    'add missing="drop"'
    """

    def __init__(self, *parts: Part) -> None:
        self.message = Message(*parts)

    def render(self, spelling: Spelling) -> str:
        """The sentence, with settings as one interface writes them; long values are cut, control characters escaped.

        Parameters
        ----------
        spelling : Spelling
            How the interface writes settings.

        Returns
        -------
        str
            The sentence.

        Examples
        --------
        >>> MahcError("add ", Mention("missing", "drop")).render(Spelling())
        'add missing="drop"'
        """
        return escape_controls(shorten_sentence(self.message.render(spelling)))

    def __str__(self) -> str:
        return self.render(PYTHON)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: the sentence alone. `sys.last_value` has the traceback."""
        return [f"{type(self).__name__}: {self}"]


class DataError(MahcError, ValueError):
    """The data cannot be used as they are; also a ValueError, which scikit-learn expects of its estimators."""


class NotFittedError(MahcError, ValueError, AttributeError):
    """An estimator is asked for what it has only after `fit`; as in scikit-learn a ValueError and an AttributeError."""


class GraphError(MahcError):
    """A graph breaks its own rules (a cycle, an unknown variable, a doubled arc)."""


class SettingError(MahcError):
    """A setting is out of its range or contradicts another.

    Where one setting is at fault, the error carries it as data: `setting`, `value`, what is `allowed`, the `fix`.
    """

    setting: str | None = None
    value: object = None
    allowed: str | None = None
    fix: str | Message | None = None


class UnavailableError(SettingError):
    """Something that this request needs does not exist here, such as a package that is not installed.

    An experiment counts such a cell as not available, not as failed.
    """


class InvalidSettingError(SettingError):
    """A value that a setting does not accept.

    >>> str(InvalidSettingError("pruning", "no", Message("give ", Value(True), " or ", Value(False))))
    "pruning is 'no': give True or False"
    """

    def __init__(self, setting: str, value: object, fix: str | Message, allowed: str | None = None) -> None:
        super().__init__(Mention(setting), " is ", Value(value), ": ", fix)
        self.setting = setting
        self.value = value
        self.fix = fix
        self.allowed = allowed


def wrong_type(setting: str, value: object, fix: str) -> SettingError:
    """The refusal of an argument of another type, whose value would say less than its type.

    >>> str(wrong_type("cancel", len, "give a mahc.CancelToken"))
    'cancel is of type builtin_function_or_method: give a mahc.CancelToken'
    """
    error = SettingError(Mention(setting), f" is of type {type(value).__name__}: {fix}")
    error.setting, error.value, error.fix = setting, value, fix
    return error


class UnknownSettingError(SettingError):
    """A setting that its owner, such as "algorithm 'hc'", does not have; without a `fix` the nearest one is named.

    >>> str(UnknownSettingError("algorithm 'hc'", "step_limi", ["search_in_degree", "step_limit"]))
    "algorithm 'hc' has no setting step_limi: did you mean step_limit? (it has search_in_degree, step_limit)"
    """

    def __init__(self, owner: str, setting: str, known: Iterable[str], fix: str | Message | None = None) -> None:
        names = sorted(known)
        near = None if fix else find_near(setting, names)
        advice = Message("did you mean ", Mention(near), "?") if near else fix or "leave it out"
        super().__init__(owner, " has no setting ", Mention(setting), ": ", advice, " (it has ", _join(names), ")")
        self.setting = setting
        self.allowed = ", ".join(names)
        self.fix = advice


def _join(names: list[str]) -> Message:
    parts: list[Part] = []
    for name in names:
        parts += [", ", Mention(name)] if parts else [Mention(name)]
    return Message(*parts) if parts else Message("none")


class KnowledgeError(SettingError):
    """Constraints that clash with each other or with the data."""


class NothingDoneError(MahcError):
    """A run was stopped before it had any result; knows the reason, such as `time_limit`.

    >>> NothingDoneError("the time limit was reached before the first resample", "time_limit").reason
    'time_limit'
    """

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class FormatError(MahcError):
    """A file is not what its format says; knows the file and, where there is one, the line.

    >>> str(FormatError("no name", "a.csv", 1)), str(FormatError("no name", line=1))
    ('a.csv, line 1: no name', 'line 1: no name')
    """

    def __init__(self, message: str | Message, file: object = None, line: int | None = None) -> None:
        places = [str(file)] if file is not None else []
        places += [f"line {line}"] if line is not None else []
        super().__init__(*([", ".join(places), ": "] if places else []), message)
        self.file = file
        self.line = line


_SETTING_OF = {"algorithm": "algorithm", "score": "objective", "tie rule": "ties", "discretisation": "discretise"}


class UnknownNameError(SettingError):
    """A name that is not on the list, with the nearest ones that are; the list is sorted unless it is `ordered`.

    It is a SettingError. `setting` is the setting that has such names, where there is one.

    >>> str(UnknownNameError("score", "bci", ["bic", "aic"]))
    "unknown score 'bci': did you mean 'bic'? (known: aic, bic)"
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], where: str = "", ordered: bool = False) -> None:
        names = list(known) if ordered else sorted(known)
        near = find_near(name, names)
        hint = f": did you mean '{near}'?" if near else ""
        shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        place = f"{where}: " if where else ""
        super().__init__(f"{place}unknown {kind} '{name}'{hint} (known: {shown or 'none'})")
        self.kind = kind
        self.name = name
        self.near = near
        self.setting = _SETTING_OF.get(kind)
        self.value = name
        self.allowed = ", ".join(names)


def find_near(name: str, known: Iterable[str]) -> str | None:
    """The known name that looks most like `name`, if any does.

    >>> find_near("bci", ["aic", "bic"])
    'bic'
    """
    names = list(known)
    near = [other for other in names if other.lower() == name.lower()][:1]
    # "pc" is the beginning of "pc-stable", although "hc" has more letters in common with it.
    near = near or sorted((other for other in names if len(name) > 1 and other.startswith(name)), key=len)[:1]
    if not near:
        import difflib

        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return near[0] if near else None
