"""Options made from declared settings: one dataclass for each group of settings, flattened into a command."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, TypeVar

from cyclopts import Group, Parameter

from mahc.cli.options.groups import GROUPS
from mahc.cli.spelling import option_name
from mahc.learning.catalogue import show_default
from mahc.settings import Declaration

T = TypeVar("T", bound="Options")


@dataclasses.dataclass(frozen=True)
class OptionText:
    """What the help says of a setting: its text and its default."""

    declaration: Declaration
    help: str
    default: str


class Options:
    """Settings as the command line gave them: words, lists of words or flags; None where one was not given."""

    declared: ClassVar[Mapping[str, Declaration]]

    def given(self) -> dict[str, object]:
        """The settings that were given, by name, each parsed and checked."""
        found = {}
        for name, declared in self.declared.items():
            words = getattr(self, name)
            if words is not None:
                found[name] = value = declared.check.parse(words)
                declared.require(value)
        return found

    def words(self) -> list[str]:
        """The options that were given, as words for another command."""
        found: list[str] = []
        for name, declared in self.declared.items():
            value, option = getattr(self, name), option_name(declared)
            if isinstance(value, bool):
                found += [option if value else option.replace("--", "--no-", 1)]
            elif value is not None:
                found += [word for each in (value if isinstance(value, list) else [value]) for word in (option, each)]
        return found


def with_options(texts: Callable[[], list[OptionText]], group: Group) -> Callable[[type[T]], type[T]]:
    """A decorator that gives a class a field per setting, each an option of the command line."""

    def decorate(kind: type[T]) -> type[T]:
        listed = [text for text in texts() if option_name(text.declaration)]
        fields = [(text.declaration.name, _hint(text, group), None) for text in listed]
        declared = {text.declaration.name: text.declaration for text in listed}
        content = {"__doc__": kind.__doc__, "declared": declared}
        made = dataclasses.make_dataclass(
            kind.__name__, fields, bases=(kind,), frozen=True, kw_only=True, namespace=content
        )
        made.__module__ = kind.__module__  # Cyclopts takes classes of the standard library as single values
        flattened: type[T] = Parameter(name="*")(made)
        return flattened

    return decorate


def plain_texts(declared: Mapping[str, Declaration]) -> list[OptionText]:
    """The help of settings that have one owner."""
    return [OptionText(each, each.help, show_default(each.default)) for each in declared.values()]


def _hint(text: OptionText, usual: Group) -> Any:
    declared, name = text.declaration, option_name(text.declaration)
    group = GROUPS.get(declared.group, usual)
    if declared.check.kind is bool:
        switched_on = declared.default is True
        negative = name.replace("--", "--no-", 1) if switched_on else ()
        default = (lambda _: "on") if switched_on else False
        about = Parameter(name=name, help=text.help, group=group, negative=negative, show_default=default)
        return Annotated[bool | None, about]
    several = declared.check.kind is list
    about = Parameter(
        name=name,
        metavar=declared.metavar,
        help=text.help.removesuffix(".") + "; may be repeated." if several else text.help,
        group=group,
        show_default=(lambda _: text.default) if text.default else False,
        allow_leading_hyphen=True,
        negative=(),
    )
    return Annotated[list[str] | None, about] if several else Annotated[str | None, about]
