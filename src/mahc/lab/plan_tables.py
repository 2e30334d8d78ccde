"""The tables of a plan file as typed declarations; a mistake is one sentence with the file, the key and the fix."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, ClassVar, NoReturn, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct

from mahc.errors import FormatError, Mention, Spelling, UnknownNameError, find_near
from mahc.setting_checks import Memory

MOST_ROWS, MOST_SEED = 10**9, 2**63 - 1
LIST = "a list in brackets with at least one entry"
MEMORY = Memory(256, 10**8)  # MiB; a process reserves about 125 MiB before it learns
_PATH = re.compile(r"`\$\.(\w+)(?:\[(\d+)\])?")
_UNKNOWN = re.compile(r"unknown field `(.*?)`", re.DOTALL)
_ABSENT = re.compile(r"missing required field `(\w+)`")
# The description of a type is what a refusal tells a person to give.
Text = Annotated[str, Meta(pattern=r"\S", description='a text in quotes, such as "asia"')]
Flag = Annotated[bool, Meta(description="true or false")]
Texts = Annotated[
    tuple[Annotated[str, Meta(pattern=r"\S", description='texts in quotes, such as ["clean"]')], ...],
    Meta(min_length=1, description=LIST),
]
Words = Annotated[
    tuple[Annotated[str, Meta(min_length=1)], ...],
    Meta(min_length=1, description='a command as a list, such as ["Rscript", "mine.R", "{data}", "{output}"]'),
]
Seconds = Annotated[float, Meta(gt=0, lt=1e12, description="a number above 0")]
Mebibytes = Annotated[int | str, Meta(description=MEMORY.allowed)]
Threads = Annotated[int, Meta(ge=1, le=1024, description="a whole number from 1 to 1,024")]
T = TypeVar("T", bound="Table")


def _numbers(least: int, most: int, example: str) -> Any:
    words = f"whole numbers from {least:,} to {most:,}, such as {example}"
    entry = Annotated[int, Meta(ge=least, le=most, description=words)]
    return Annotated[tuple[entry, ...], Meta(min_length=1, description=f"{LIST}, such as {example}")]


Sizes: Any = _numbers(1, MOST_ROWS, "[100, 1000]")
Seeds: Any = _numbers(0, MOST_SEED, "[1, 2, 3]")


class BadValueError(ValueError):
    """A value that a table cannot have; `read_table` says where it stands."""

    def __init__(self, key: str, value: object, fix: str) -> None:
        super().__init__(f"{key} is {_shown(value)}: {fix}")


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a plan file; its fields are the keys."""

    VERBATIM: ClassVar[tuple[str, ...]] = ()  # fields whose texts may repeat and contain anything

    def __post_init__(self) -> None:
        """Refuse lists with repetitions, texts that cannot be shown, and amounts of memory out of range."""
        for field, key in zip(self.__struct_fields__, self.__struct_encode_fields__, strict=True):
            value = getattr(self, field)
            if field in self.VERBATIM or not isinstance(value, str | tuple):
                continue
            entries = (value,) if isinstance(value, str) else value
            if odd := next((each for each in entries if isinstance(each, str) and not each.isprintable()), None):
                fix = "it contains a line break or another control character: leave that out"
                raise BadValueError(key, odd, fix)  # texts appear in tables, on terminals and in XML
            if repeated := [each for place, each in enumerate(entries) if each in entries[:place]]:
                raise BadValueError(key, list(entries), f"{repeated[0]!r} is given twice: give it once")


class LimitsTable(Table, frozen=True):
    """The limits of each cell."""

    seconds: Seconds = 3600.0
    memory_mebibytes: Mebibytes = 4096
    threads: Threads = 1

    def __post_init__(self) -> None:
        """Refuse an amount of memory that is out of range."""
        _check_memory(self.memory_mebibytes)

    @property
    def mebibytes(self) -> int:
        """The memory as a number."""
        return int(str(MEMORY.convert(self.memory_mebibytes)))


class QuickTable(Table, frozen=True):
    """What `--quick` puts in place of the plan's values."""

    sizes: Sizes = ()
    data: Texts = ()
    seeds: Seeds = ()
    seconds: Seconds | None = None
    memory_mebibytes: Mebibytes | None = None
    threads: Threads | None = None

    def __post_init__(self) -> None:
        """Check the lists and the memory."""
        super().__post_init__()
        if self.memory_mebibytes is not None:
            _check_memory(self.memory_mebibytes)


class CaseTable(Table, frozen=True):
    """A case that is a network."""

    name: Text | None = None
    network: Text | None = None
    latents: Texts = ()
    sizes: Sizes = ()
    seeds: Seeds = ()


class DataSetTable(Table, frozen=True):
    """A case that is a data set."""

    data: Text
    name: Text | None = None
    reading: Annotated[dict[str, Any], Meta(description="a table, such as { missing = 'drop' }")] = {}
    sizes: Sizes = ()
    seeds: Seeds = ()


class GeneratorTable(Table, frozen=True):
    """A case that is a random network over numbers and states."""

    generator: Text
    name: Text | None = None
    columns: Annotated[int, Meta(ge=2, le=1000, description="a whole number from 2 to 1,000")] = 12
    noise: Annotated[float, Meta(ge=0, le=100, description="a number from 0 to 100")] = 0.0
    sizes: Sizes = ()
    seeds: Seeds = ()


class PlanTable(Table, frozen=True):
    """The plan itself; its cases, contestants, limits and [quick] are tables of their own."""

    sizes: Sizes
    cases: Annotated[tuple[Any, ...], Meta(min_length=1, description=LIST)]
    contestants: Annotated[tuple[Any, ...], Meta(min_length=1, description=LIST)]
    name: Text | None = None
    data: Texts = ("clean",)
    seeds: Seeds = (1,)
    networks: Text | None = None
    reference: str = ""
    limits: Any = {}
    quick: Any = {}

    VERBATIM: ClassVar[tuple[str, ...]] = ("cases", "contestants")


def read_table(file: Path, place: str, content: object, kind: type[T], **known: object) -> T:
    """A table checked against its declaration; what is `known` is added, and cannot be a key of the file.

    >>> read_table(Path("p.toml"), "limits", {"secnds": 60}, LimitsTable)
    Traceback (most recent call last):
    mahc.errors.FormatError: p.toml: unknown key in limits 'secnds': did you mean 'seconds'? (known: ...)
    >>> read_table(Path("p.toml"), "limits", {"seconds": 0}, LimitsTable)
    Traceback (most recent call last):
    mahc.errors.FormatError: p.toml: limits: seconds is 0: give a number above 0
    """
    if not isinstance(content, dict):
        many, _, number = place.partition(" ")
        written = f"each as a table [[{many}]]" if number else f"it as a table [{place}]"
        raise FormatError(f"{many} is {_shown(content)}: write {written}", file)
    keys = [key for key in kind.__struct_encode_fields__ if key not in known]
    if odd := next((key for key in content if key in known), None):
        refuse_key(file, place, odd, keys)
    try:
        return msgspec.convert({**content, **known}, kind)
    except msgspec.ValidationError as mistake:
        raise FormatError(_explain(mistake, place, content, kind, keys), file) from None


def refuse_key(file: Path, place: str, key: str, known: Iterable[str]) -> NoReturn:
    """Raise an error about a key that a table does not have."""
    where = f" in {place}" if place else ""
    raise FormatError(str(UnknownNameError(f"key{where}", key, known)), file)


def refuse_value(file: Path, place: str, key: str, value: object, fix: str) -> NoReturn:
    """Raise an error about the value of a key."""
    raise FormatError(f"{f'{place}: ' if place else ''}{BadValueError(key, value, fix)}", file)


def _explain(
    mistake: msgspec.ValidationError, place: str, content: dict[str, Any], kind: type[Table], known: list[str]
) -> str:
    start, words = f"{place}: " if place else "", str(mistake)
    if isinstance(mistake.__cause__, BadValueError):
        return f"{start}{words}"
    if absent := _ABSENT.search(words):
        near = find_near(absent[1], [key for key in content if key not in known])
        if near is None or find_near(near, [absent[1]]) is None:
            return f"{start}{absent[1]} is missing: add it"
        return str(UnknownNameError(f"key in {place}" if place else "key", near, known))
    if unknown := _UNKNOWN.search(words):
        return str(UnknownNameError(f"key in {place}" if place else "key", unknown[1], known))
    found = _PATH.search(words)
    if found is None:  # a key that is not a text cannot come from TOML
        return f"{start}{words}"
    key, entry = found[1], found[2]
    hints = get_type_hints(kind, include_extras=True)
    hint = hints[kind.__struct_fields__[kind.__struct_encode_fields__.index(key)]]
    value = content[key]
    if entry is not None:
        hint, value = get_args(get_args(hint)[0])[0], value[int(entry)]
    return f"{start}{BadValueError(key, value, f'give {_description(hint) or words}')}"


def _description(hint: Any) -> str:
    """What the declaration of a type tells a person to give, also within a union."""
    own = next((each.description for each in getattr(hint, "__metadata__", ()) if each.description), None)
    return own or next(filter(None, map(_description, get_args(hint))), "")


def _check_memory(value: object) -> None:
    if not MEMORY.accepts(value):
        raise BadValueError("memory_mebibytes", value, f"give {MEMORY.allowed}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


class PlanSpelling(Spelling):
    """How a plan writes settings: as keys of a table, values in TOML; `keys` are those outside the table.

    Without a `table` the keys stand alone, for a sentence that lists many.

    >>> PlanSpelling().name("pruning"), PlanSpelling().value(True), PlanSpelling(["seed"]).name("seed")
    ('settings.pruning', 'true', 'seed')
    """

    def __init__(self, keys: Iterable[str] = (), table: str = "settings") -> None:
        self._keys = frozenset(("algorithm", "objective", *keys))
        self._table = table

    def name(self, setting: str) -> str:
        """The key; the algorithm and the objective have keys of their own."""
        return setting if setting in self._keys or not self._table else f"{self._table}.{setting}"

    def mention(self, mention: Mention) -> str:
        """The key and its value."""
        name = self.name(mention.setting)
        return name if mention.value is None else f"{name} = {self.value(mention.value)}"

    def choice(self, value: object) -> str:
        """A value."""
        return self.value(value)

    def value(self, value: object) -> str:
        """true and false in lower case."""
        return str(value).lower() if isinstance(value, bool) else repr(value)
