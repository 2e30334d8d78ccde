"""How data are to be read: every choice that the user has, checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mahc.data.prepare.discretise import Rule, parse_rule
from mahc.data.prepare.types import exact, label
from mahc.data.sources.dialect import parse_delimiter
from mahc.errors import SettingError, UnknownNameError

MISSING_POLICIES = ("error", "state", "drop")
MISSING_STATE = "missing"
# What programs write for a value that is not there, in lower case; words of people (NA, ?) the user names.
MISSING_WORDS = frozenset(["", "nan", "null"])
Cuts = str | Sequence[float]


@dataclass(frozen=True)
class ReadSettings:
    """The choices of `read`, for whoever passes them on as one thing.

    missing: what to do with missing values: `error`, `state` (a new state `missing`), `drop` (such rows go).
    missing_tokens: texts or numbers that mean missing, besides empty text, null and NaN (also as words).
    discretise: `equal-width:5`, `quantile:4` or cut points for all real-valued columns, or one per name.
    weights: the name of a column of counts, or one count per row.
    keep_unused_states: keep declared categories that do not occur.
    delimiter, quote: of text files, found out when None (`quote="none"`: quotes are ordinary characters).
    columns, drop: names to keep, or to leave out.
    names: of the columns of an array.

    >>> ReadSettings(missing="state").missing
    'state'
    """

    missing: str = "error"
    missing_tokens: Sequence[str | float] = ()
    discretise: Cuts | Mapping[str, Cuts] | None = None
    weights: str | Sequence[float] | NDArray[np.generic] | None = None
    keep_unused_states: bool = False
    delimiter: str | None = None
    quote: str | None = None
    columns: Sequence[str] | None = None
    drop: Sequence[str] = ()
    names: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.missing not in MISSING_POLICIES:
            raise UnknownNameError("policy for missing values", str(self.missing), MISSING_POLICIES)
        if self.quote not in (None, '"', "'", "none", ""):
            raise SettingError(f"quote {self.quote!r}: must be a double quote, a single quote or none")
        for field in ("missing_tokens", "columns", "drop", "names"):
            if isinstance(getattr(self, field), str):
                raise SettingError(f"{field} must be a list, not the text {getattr(self, field)!r}: put it in brackets")
        _ = self.rules, self.separator  # refused here rather than in the middle of a long read

    @cached_property
    def rules(self) -> dict[str | None, Rule]:
        """Rule per column name; under None the one for all real-valued columns."""
        if self.discretise is None:
            return {}
        if isinstance(self.discretise, Mapping):
            return {name: parse_rule(rule) for name, rule in self.discretise.items()}
        return {None: parse_rule(self.discretise)}

    @cached_property
    def separator(self) -> str | None:
        """The delimiter as one character, None to find it out."""
        return None if self.delimiter is None else parse_delimiter(self.delimiter)

    @cached_property
    def quote_character(self) -> str | None:
        """The quote as one character, empty for none, None to find it out."""
        return "" if self.quote == "none" else self.quote

    @cached_property
    def _tokens(self) -> tuple[frozenset[str], frozenset[int | float]]:
        texts = frozenset(label(token) for token in self.missing_tokens)
        numbers = frozenset(number for number in map(exact, texts) if number is not None)
        return texts, numbers

    def is_missing(self, value: object) -> bool:
        """Whether a value means that nothing is known: None, NaN, null or NaN in words, empty text, a token."""
        if value is None or (isinstance(value, str) and value.lower() in MISSING_WORDS):
            return True
        if value != value:
            return True
        texts, numbers = self._tokens
        return bool(texts) and (label(value) in texts or (bool(numbers) and exact(value) in numbers))

    def missing_numbers(self, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        """The same for an array of numbers."""
        _, tokens = self._tokens
        return np.isnan(numbers) | np.isin(numbers, [float(token) for token in tokens])

    def may_be_numbers(self, name: str) -> bool:
        """Whether a column with any number of values has a use: as weights, or to be cut."""
        is_weights = isinstance(self.weights, str) and name == self.weights
        return is_weights or name in self.rules or None in self.rules

    def kept(self, names: Sequence[str]) -> list[str]:
        """The columns to use, the weights' among them, in the order of the table or of `columns`."""
        mentioned = [*(self.columns or ()), *self.drop, *(name for name in self.rules if name is not None)]
        if isinstance(self.weights, str):
            mentioned.append(self.weights)
        known = set(names)
        for name in mentioned:
            if name not in known:
                raise UnknownNameError("column", str(name), names)
        chosen = names if self.columns is None else self.columns
        if len(set(chosen)) < len(chosen):
            raise SettingError("columns names a column twice: name each once")
        dropped = set(self.drop)
        kept = [name for name in chosen if name not in dropped]
        weights = self.weights if isinstance(self.weights, str) else None
        if weights is not None and weights not in kept:
            kept.append(weights)
        if not [name for name in kept if name != weights]:
            raise SettingError(f"none of the {len(names)} columns would remain: keep at least one besides the weights")
        return kept
