"""Values from a store against the types of the dataclasses that hold them: anybody can edit a store."""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Mapping
from typing import Any, Union, get_args, get_origin, get_type_hints

MOST = 10**300  # what a floating-point number holds


def check_types(instance: Any) -> None:
    """Raise a ValueError where a field of a dataclass does not have its type; numbers must be finite.

    >>> from mahc.experiment.limits import Limits
    >>> check_types(Limits(seconds=60))
    >>> check_types(Limits(seconds="60"))
    Traceback (most recent call last):
    ValueError: seconds of Limits is '60'
    """
    hints = get_type_hints(type(instance))
    for field in dataclasses.fields(instance):
        value = getattr(instance, field.name)
        if not _fits(value, hints[field.name]):
            raise ValueError(f"{field.name} of {type(instance).__name__} is {repr(value)[:40]}")


def _fits(value: Any, hint: Any) -> bool:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(_fits(value, each) for each in arguments)
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(each, arguments[0]) for each in value)
    if origin is Mapping:
        pairs = value.items() if isinstance(value, Mapping) else [(None, None)]
        return all(_fits(key, arguments[0]) and _fits(each, arguments[1]) for key, each in pairs)
    if dataclasses.is_dataclass(hint):
        if isinstance(value, hint):  # type: ignore[arg-type]
            check_types(value)
        return isinstance(value, hint)  # type: ignore[arg-type]
    return _is_plain(value, hint)


def _is_plain(value: Any, kind: Any) -> bool:
    if kind is type(None):
        return value is None
    if isinstance(value, int) and abs(value) > MOST:
        return False
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return type(value) is kind
