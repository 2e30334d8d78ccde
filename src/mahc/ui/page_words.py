"""Messages in the words of the page: labels of its fields and buttons, no options, no Python, no paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from mahc.documents import Document
from mahc.errors import MahcError, Mention, Message, PerInterface, Spelling
from mahc.settings import value_words

FIELDS = {
    "missing": "Missing values",
    "missing_tokens": "Codes for missing",
    "discretise": "Cut points",
    "categorical": "Kind: states",
    "ordinal": "Kind: ordered states",
    "continuous": "Kind: number",
    "merge_states": "Merge spellings",
    "weights": "Column of weights",
    "interventions": "Column of interventions",
    "mechanism": "What experiments do",
    "drop": "Leave out",
    "columns": "Columns",
    "encoding": "Encoding",
    "delimiter": "Separator",
    "quote": "Quotes",
    "decimal": "Decimal mark",
    "header": "Header",
    "sheet": "Sheet",
    "numbers": "Columns of numbers",
    "lags": "Earlier times that may have an effect",
    "gaps": "Where a person lacks a time",
}
# What a button does that gives a setting a value; None where the value is in the words.
_ACTS = {
    "missing_tokens": "Treat {} as missing",
    "drop": "Leave it out",
    "continuous": "Use it as a number",
    "categorical": "Keep each value as a state",
    "merge_states": "Merge these spellings",
    "decimal": "Read decimal commas",
    "encoding": "Read as {}",
    "delimiter": "Separate at {}",
    "header": "The file has no header",
    "quote": "Quotes are ordinary characters",
    "discretise": "Cut into quarters",
    "sheet": "Read the sheet “{}”",
}


class PageSpelling(Spelling):
    """Settings by the labels of their fields on the page.

    >>> PageSpelling().mention(Mention("missing", "state"))
    '“Missing values: state”'
    """

    def name(self, setting: str) -> str:
        """The label of the field; settings of algorithms have their names as words."""
        return FIELDS.get(setting, setting.replace("_", " "))

    def mention(self, mention: Mention) -> str:
        """The field and the value to choose."""
        name = self.name(mention.setting)
        if mention.value is None or isinstance(mention.value, bool) or mention.setting in ("drop", "continuous"):
            return f"“{name}”"
        return f"“{name}: {', '.join(value_words(mention.setting, mention.value))}”"

    def choice(self, value: object) -> str:
        """The value to choose or to type."""
        return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)

    def value(self, value: object) -> str:
        """A value."""
        return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)

    def choose(self, text: PerInterface) -> str:
        """The page has the words of neither: those for people."""
        return text.command_line.replace("mahc audit", "the list of columns")


def say(message: MahcError | Message) -> str:
    """A message as a sentence for the page.

    >>> say(Message("byte 0xe9 is not UTF-8: pass ", Mention("encoding", "cp1252")))
    'byte 0xe9 is not UTF-8: choose “Encoding: cp1252”'
    """
    text = with_arrows(message.render(PageSpelling()))
    return re.sub(r"\bpass (?=“)", "choose ", text)


def with_arrows(text: str) -> str:
    """A sentence with the arrows that the page draws.

    >>> with_arrows("smoke -> lung and lung <- smoke")
    'smoke → lung and lung ← smoke'
    """
    return text.replace(" -> ", " → ").replace(" <- ", " ← ")


class Fix(Document, frozen=True):
    """A button that repairs something: what it says, and the setting of reading that it adds to."""

    text: str
    setting: str
    value: Any


def fixes_of(message: object, remedies: Iterable[Mention] = ()) -> tuple[Fix, ...]:
    """The buttons for the settings that a message mentions with a value, the remedies first.

    >>> [fix.text for fix in fixes_of(Message("leave it out with ", Mention("drop", ("id",))))]
    ['Leave it out']
    """
    listed = message.parts if isinstance(message, Message) else ()
    mentions = [*remedies, *(part for part in _flatten(listed) if isinstance(part, Mention))]
    found: dict[str, Fix] = {}
    for each in mentions:
        if each.value is None or each.setting not in _ACTS:
            continue
        value = _plain(each.value)
        text = _ACTS[each.setting].format(_shown(each.setting, value))
        found.setdefault(text, Fix(text=text, setting=each.setting, value=value))
    return tuple(found.values())


def _flatten(parts: Iterable[Any]) -> Iterable[Any]:
    for part in parts:
        if isinstance(part, Message):
            yield from _flatten(part.parts)
        else:
            yield part


def _shown(setting: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return " and ".join(f"“{each}”" for own in value.values() for each in own)
    return str(value)


def _plain(value: object) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value
