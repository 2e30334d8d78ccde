"""Settings declared once: a field of a frozen dataclass with its help text and its check.

`learn()`, the estimators, the command line, plan files, error messages and the tables in the docs read these
declarations; none of them lists a setting itself.
"""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from mahc.errors import UnknownSettingError
from mahc.setting_checks import Check

T = TypeVar("T")
_KEY = "mahc.setting"
EVERY = "*"  # in a setting by column: all columns that are not named


@dataclasses.dataclass(frozen=True)
class Declaration:
    """What is known of one setting.

    `metavar` stands for the value in the command line's help and `group` is where it is listed there; `option` is
    the option's name without dashes where it differs from the setting's, and empty where the command line has none.
    """

    name: str
    default: Any
    help: str
    check: Check
    metavar: str | None = None
    option: str | None = None
    group: str = ""

    @property
    def optional(self) -> bool:
        """Whether None is accepted: it is where it is the default."""
        return self.default is None

    @property
    def allowed(self) -> str:
        """The values that are accepted, in words."""
        return self.check.allowed

    def differs(self, owner: object) -> bool:
        """Whether the owner has another value than the default; a value of another type differs."""
        value = getattr(owner, self.name)
        return value is not self.default and not (type(value) is type(self.default) and value == self.default)

    def require(self, value: object) -> None:
        """Refuse a value that the setting does not accept."""
        if not (value is None and self.optional):
            self.check.require(self.name, value, optional=self.optional)


def value_words(setting: str, value: object) -> list[str]:
    """The words that give an option its value, one for each time that it is repeated.

    >>> value_words("discretise", {"*": "quantile:3", "age": [18, 65]}), value_words("missing_tokens", {"a": ["?", 99]})
    (['quantile:3', 'age=18,65'], ['a=?', 'a=99'])
    """
    if isinstance(value, Mapping):
        found = []
        for column, own in value.items():
            listed = own if setting == "missing_tokens" and isinstance(own, tuple | list) else [own]
            named = "" if column == EVERY else f"{column}="
            found += [named + _joined(each, ",") for each in listed]
        return found
    if setting == "discretise" and isinstance(value, tuple | list):
        return [",".join(map(str, value))]
    return [str(each) for each in value] if isinstance(value, tuple | list) else [str(value)]


def _joined(value: object, sign: str) -> str:
    """A list as one word; lists in it are joined by a bar."""
    return sign.join(_joined(each, "|") for each in value) if isinstance(value, tuple | list) else str(value)


def setting(
    default: T,
    *,
    help: str,
    check: Check,
    metavar: str | None = None,
    option: str | None = None,
    group: str = "",
) -> T:
    """Declare a setting as a field of a dataclass; None is accepted where it is the default.

    >>> from mahc.setting_checks import Whole
    >>> @dataclasses.dataclass(frozen=True)
    ... class Search:
    ...     depth: int = setting(3, help="How deep to look.", check=Whole(1, 9))
    ...     def __post_init__(self) -> None:
    ...         check_settings(self)
    >>> Search(depth="3")
    Traceback (most recent call last):
    mahc.errors.InvalidSettingError: depth is '3': give a whole number from 1 to 9
    """
    declared = Declaration("", default, help, check, metavar, option, group)
    field: T = dataclasses.field(default=default, metadata={_KEY: declared})
    return field


def declarations(kind: type | object) -> dict[str, Declaration]:
    """The settings of a dataclass by name, in the order of its fields."""
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    return {f.name: dataclasses.replace(f.metadata[_KEY], name=f.name) for f in fields if _KEY in f.metadata}


def describe(kind: type) -> str:
    """The settings of a dataclass as the parameters of a numpydoc docstring."""
    lines = [(f"{each.name} : {each.allowed}", f"    {each.help}") for each in declarations(kind).values()]
    return "\n".join(line for pair in lines for line in pair)


def complete_docstring(doc: str, mark: str, text: str) -> str:
    """Put `text` in place of the line of a docstring that holds `mark`, with its indentation.

    >>> complete_docstring("Read.\\n\\n    {settings}", "{settings}", "a\\nb")
    'Read.\\n\\n    a\\n    b'
    """
    lines = doc.splitlines()
    place = next(number for number, line in enumerate(lines) if line.strip() == mark)
    indent = lines[place].removesuffix(mark)
    return "\n".join([*lines[:place], textwrap.indent(text, indent), *lines[place + 1 :]])


def check_settings(instance: object) -> None:
    """Check every setting of an instance, and keep it in the form that the check gives it.

    To be called by `__post_init__`.
    """
    for name, declared in declarations(instance).items():
        value = getattr(instance, name)
        declared.require(value)
        kept = declared.check.convert(value)
        if kept is not value:
            object.__setattr__(instance, name, kept)  # the dataclass is frozen


def make_from(kind: Callable[..., T], owner: str, given: Mapping[str, object]) -> T:
    """An instance of the dataclass `kind`; a setting that is None keeps its default, an unknown one is refused.

    `owner` names what is made in the error message, for instance "algorithm 'hc'".
    """
    known = declarations(kind)
    chosen = {name: value for name, value in given.items() if value is not None}
    for name in chosen:
        if name not in known:
            raise UnknownSettingError(owner, name, known)
    return kind(**chosen)
