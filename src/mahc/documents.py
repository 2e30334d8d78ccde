"""Documents: what mahc saves and answers is declared once, as a struct; reading, writing, checking and schema follow.

A document is a JSON object with a `format` and a `format_version`. Its parts are subclasses of `Document` (msgspec
structs): each field that is declared is written, read, checked and in the JSON Schema of the reference. Values that
JSON has no form for say themselves how they are saved: `ByPair` as rows, arrays as lists or tables of known cells.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import singledispatch
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar, get_args, get_origin

import msgspec
import numpy as np
from numpy.typing import NDArray

from mahc.errors import FormatError, MahcError
from mahc.files import read_bounded_text, to_path, write_atomically

Pair = tuple[int, int]
T = TypeVar("T")

MAX_BYTES = 2**30
MAX_CELLS = 1_000_000  # of a matrix that is saved: those of 1,000 variables
Number = Annotated[float, msgspec.Meta(ge=-1e300, le=1e300)]  # a million of them can be added without overflow
Whole = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Index = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]  # of a variable; the upper bound is checked with the names


class Document(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The base class of everything that is saved or answered; unknown fields in a file are ignored."""


@dataclass(frozen=True)
class Format:
    """What a file says of itself, and what to tell a person who gives another one."""

    name: str
    version: int
    title: str  # "a mahc result"
    expected: str  # "give the result.json that ..."
    again: str  # "learn again"

    def check(self, found: object, place: object, expected: str | None = None) -> dict[str, Any]:
        """The object, if it is of this format and version; a FormatError that begins with `place` otherwise."""
        if not isinstance(found, dict) or found.get("format") != self.name:
            raise FormatError(f"is not {self.title}: {expected or self.expected}", place)
        version = found.get("format_version")
        if version != self.version:
            advice = f"{self.again}, or use the version of mahc that wrote it"
            raise FormatError(f"has format version {version!r}, this mahc reads {self.version}: {advice}", place)
        return found

    def stamp(self, plain: Mapping[str, Any]) -> dict[str, Any]:
        """The object to be written."""
        return {"format": self.name, "format_version": self.version, **plain}

    @contextmanager
    def refusing_damage(self, place: object) -> Iterator[None]:
        """Whatever is wrong with the values becomes one sentence about the file."""
        try:
            yield
        except (ValueError, TypeError, KeyError, OverflowError, MahcError) as problem:
            raise FormatError(f"is damaged ({_first_lower(str(problem))}): {self.again}", place) from None


if TYPE_CHECKING:
    ByPair = Mapping[Pair, T]
else:

    class _AnyMapping(type):
        def __instancecheck__(cls, value):
            return isinstance(value, Mapping)

    class ByPair(Generic[T], metaclass=_AnyMapping):
        """The type of a field with values by ordered pair of variables, which is saved as rows [u, v, value]."""


def check_below(variables: int, *tables: Mapping[Pair, Any]) -> None:
    """Refuse the number of a variable that there is not."""
    if any(u >= variables or v >= variables for table in tables for u, v in table):
        raise ValueError("the number of a variable is out of range")


class Cells(Document, frozen=True):
    """The known cells of a square matrix: rows `from`, columns `to`, and their values."""

    size: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    tails: tuple[Index, ...] = msgspec.field(name="from")
    heads: tuple[Index, ...] = msgspec.field(name="to")
    value: tuple[Number, ...]


@singledispatch
def to_plain(value: Any) -> Any:
    """A value as JSON has it: objects, lists, texts, numbers."""
    return msgspec.to_builtins(value, enc_hook=to_plain, str_keys=True)


@to_plain.register
def _(value: Document) -> Any:
    config = type(value).__struct_config__
    if config.array_like:
        return msgspec.to_builtins(value, enc_hook=to_plain, str_keys=True)
    plain: dict[str, Any] = {} if config.tag_field is None else {config.tag_field: config.tag}
    for each in msgspec.structs.fields(value):
        inner = getattr(value, each.name)
        rows = get_origin(each.type) is ByPair
        plain[each.encode_name] = (
            [[*pair, to_plain(inner[pair])] for pair in sorted(inner)] if rows else to_plain(inner)
        )
    return plain


@to_plain.register
def _(value: np.ndarray) -> Any:
    if value.ndim == 1:
        return value.tolist()
    tails, heads = np.nonzero(~np.isnan(value) if value.dtype.kind == "f" else value)
    cells = {"from": tails.tolist(), "to": heads.tolist(), "value": value[tails, heads].tolist()}
    return {"size": len(value), **cells}


@to_plain.register
def _(value: np.generic) -> Any:
    return value.item()


@to_plain.register
def _(value: frozenset) -> list[Any]:  # type: ignore[type-arg]
    return sorted(to_plain(each) for each in value)


def from_plain(found: Any, kind: Any) -> Any:
    """The value of that type; a ValueError, or a MahcError of the type itself, where something is wrong."""
    return msgspec.convert(found, kind, dec_hook=_decode, str_keys=True)


def _decode(kind: Any, found: Any) -> Any:
    origin = get_origin(kind) or kind
    if origin is ByPair:
        (inner,) = get_args(kind)
        rows = from_plain(found, list[tuple[Index, Index, inner]])  # type: ignore[valid-type]
        return {(u, v): value for u, v, value in rows}
    if origin is np.ndarray:
        return _decode_array(found, get_args(get_args(kind)[1])[0])
    return kind.from_plain(found)


def _decode_array(found: Any, dtype: type[np.generic]) -> NDArray[Any]:
    if isinstance(found, list):
        return np.array(from_plain(found, list[Whole]), dtype)
    cells = from_plain(found, Cells)
    if not len(cells.tails) == len(cells.heads) == len(cells.value):
        raise ValueError("columns differ in length")
    if max((*cells.tails, *cells.heads), default=-1) >= cells.size:
        raise ValueError("the number of a variable is out of range")
    if dtype is np.uint8 and not all(0 <= value <= 255 for value in cells.value):
        raise ValueError("a level is not from 0 to 255")
    made = np.full((cells.size, cells.size), np.nan if np.issubdtype(dtype, np.floating) else 0, dtype)
    made[list(cells.tails), list(cells.heads)] = cells.value
    return made


def make_schema(*kinds: Any, format: Format | None = None, flat: str | None = None) -> dict[str, Any]:
    """The JSON Schema of an object that has the fields of all these structs, and of its format.

    The field `flat` of the last struct is not there: the fields of the struct that it holds are the object's own.
    """
    schemas, defined = msgspec.json.schema_components(kinds, schema_hook=_describe, ref_template="#/$defs/{name}")
    for each in defined.values():
        each["description"] = each.get("description", "").strip().partition("\n")[0]
    if flat is not None:
        last = defined[kinds[-1].__name__]
        del last["properties"][flat]
        last["required"].remove(flat)
    stamp = {} if format is None else {"format": {"const": format.name}, "format_version": {"const": format.version}}
    found: dict[str, Any] = {"properties": stamp, "required": list(stamp), "allOf": list(schemas), "$defs": defined}
    return found if stamp else {"allOf": list(schemas), "$defs": defined}


def _describe(kind: Any) -> dict[str, Any]:
    origin = get_origin(kind) or kind
    if origin is ByPair:
        return {"type": "array", "description": "rows [u, v, value] about ordered pairs of variables, by number"}
    if origin is np.ndarray:
        return {"type": ["array", "object"], "description": "numbers, or the known cells of a matrix: from, to, value"}
    described: dict[str, Any] = kind.schema()
    return described


def write_json(path: str | PathLike[str], plain: Mapping[str, Any]) -> None:
    """Write an object to a file, whole or not at all."""
    write_atomically(path, format_json(plain))


def format_json(plain: Mapping[str, Any]) -> str:
    """The text of a document; what is no number for JSON is an error."""
    return json.dumps(plain, allow_nan=False) + "\n"


def json_values(found: object) -> Any:
    """What a file with this content would hold; a FormatError where JSON has no form for it."""
    try:
        return json.loads(json.dumps(found, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as problem:
        raise FormatError(f"cannot be JSON ({_first_lower(str(problem))})", "the dict") from None


def read_json(path: str | PathLike[str], expected: str) -> Any:
    """The content of a JSON file; `expected` ends the sentence of a FormatError, and says what to give instead."""
    try:
        return json.loads(read_bounded_text(to_path(path), MAX_BYTES), parse_constant=_refuse_constant)
    except FileNotFoundError:
        raise FormatError(f"there is no such file: {expected}", path) from None
    except OSError as problem:
        raise FormatError(f"cannot be read ({problem.strerror or problem}): {expected}", path) from None
    except json.JSONDecodeError as problem:
        raise FormatError(f"is not JSON: {expected}", path, problem.lineno) from None
    except (ValueError, RecursionError):
        raise FormatError(f"is not JSON: {expected}", path) from None


def parse_json(text: str, file: object = None) -> Any:
    """The content of a JSON text that a person may have written; a FormatError says what is wrong, and in which line.

    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
        ...
    mahc.errors.FormatError: this JSON cannot be used: the key 'a' occurs twice in one object
    """
    try:
        return json.loads(text, object_pairs_hook=_refuse_repeated_keys, parse_constant=_refuse_constant)
    except json.JSONDecodeError as problem:
        raise FormatError(f"this is not JSON: {problem.msg}", file, problem.lineno) from None
    except RecursionError:
        raise FormatError("this JSON is nested too deeply", file) from None
    except ValueError as problem:  # a repeated key, NaN, a number of thousands of digits
        raise FormatError(f"this JSON cannot be used: {problem}", file) from None


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key '{key}' occurs twice in one object")
        found[key] = value
    return found


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _first_lower(text: str) -> str:
    return text[:1].lower() + text[1:]


__all__ = [
    "MAX_CELLS",
    "ByPair",
    "Document",
    "Format",
    "Index",
    "Number",
    "Pair",
    "Whole",
    "check_below",
    "format_json",
    "from_plain",
    "json_values",
    "make_schema",
    "read_json",
    "to_plain",
    "write_json",
]
