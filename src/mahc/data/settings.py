"""How data are to be read: every choice that the user has, checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mahc.data.columns import MECHANISMS
from mahc.data.columns import MISSING_STATE as MISSING_STATE
from mahc.data.prepare.discretise import Rule, parse_rule
from mahc.data.prepare.types import INFINITE_WORDS, MANY_NUMBERS, label, parse_number, with_point
from mahc.data.sources.dialect import parse_delimiter
from mahc.data.sources.encoding import check_encoding
from mahc.errors import InvalidSettingError, Mention, SettingError, UnknownNameError
from mahc.plurals import count
from mahc.setting_checks import Described, Flag, OneOf, Several, Text
from mahc.settings import EVERY, check_settings, complete_docstring, declarations, describe, setting

MISSING_POLICIES = ("error", "state", "drop")
# Ways to learn a graph from data whose missing values stay missing, and one to fit tables to a given graph.
STRUCTURAL_EM = "structural-em"
MISSING_METHODS = ("impute", "pairwise", "weighted", STRUCTURAL_EM)
MISSING_EM = "em"
# What programs write for a value that is not there, in lower case; words of people (NA, ?) the user names.
MISSING_WORDS = frozenset(["", "nan", "null"])
QUOTES = "a double quote, a single quote or none"
Cuts = str | Sequence[float]
Tokens = Sequence[str | float]


class CutRules(Described):
    """Rules of `discretise`; the command line gives them one by one."""

    kind: ClassVar[type] = list

    def parse(self, text: list[str]) -> str | dict[str, str] | None:
        """`COLUMN=RULE` holds for one column, `RULE` alone for all others.

        >>> CutRules("").parse(["quantile:3", "age=18,65"])
        {'*': 'quantile:3', 'age': '18,65'}
        """
        named: dict[str, str] = {}
        for word in text:
            name, equals, rule = word.rpartition("=")
            name = name if equals else EVERY
            if name in named:
                whose = "gives two rules for all columns" if name == EVERY else f"names the column '{name}' twice"
                raise SettingError(Mention("discretise"), f" {whose}: give one rule")
            named[name] = rule
        return named[EVERY] if list(named) == [EVERY] else named or None


class TokenLists(Several):
    """Texts that mean missing, in all columns or by column."""

    def accepts(self, value: object) -> bool:
        """A list, or a dict of lists or single tokens."""
        if isinstance(value, Mapping):
            return all(
                isinstance(each, str | int | float) or super(TokenLists, self).accepts(each) for each in value.values()
            )
        return super().accepts(value)

    def parse(self, text: list[str]) -> object:
        """`COLUMN=TEXT` holds for one column, `TEXT` alone (`*=TEXT` if it has an equals sign) for all.

        >>> TokenLists("").parse(["NA", "educ=99"])
        {'*': ('NA',), 'educ': ('99',)}
        """
        named: dict[str, tuple[str, ...]] = {}
        for word in text:
            name, equals, token = word.partition("=")
            name, token = (name, token) if name and equals else (EVERY, word)
            named[name] = (*named.get(name, ()), token)
        return named.get(EVERY, ()) if set(named) <= {EVERY} else named


class StateOrders(Described):
    """Orders of states by column; the command line gives them one by one."""

    kind: ClassVar[type] = list

    def accepts(self, value: object) -> bool:
        """A dict of lists, each of at least two states or lists of states."""
        return isinstance(value, Mapping) and all(
            isinstance(own, Sequence) and not isinstance(own, str) and len(own) > 1 for own in value.values()
        )

    def parse(self, text: list[str]) -> object:
        """`COLUMN=STATE,STATE,...`, with a bar between states that are one; what is written otherwise is refused.

        >>> StateOrders("").parse(["grade=low|medium,high"])
        {'grade': (('low', 'medium'), 'high')}
        """
        named: dict[str, tuple[str | tuple[str, ...], ...]] = {}
        for word in text:
            name, _, states = word.partition("=")
            if name in named:
                raise SettingError(Mention("ordinal"), f" names the column '{name}' twice: give one order")
            groups = [tuple(state.strip() for state in group.split("|")) for group in states.split(",")]
            named[name] = tuple(group if len(group) > 1 else group[0] for group in groups)
        return named


class Interventional(Described):
    """The name of a column, or a list with one entry per row."""

    def accepts(self, value: object) -> bool:
        """A text, or a sequence that is none."""
        return isinstance(value, str | Sequence | np.ndarray)


@dataclass(frozen=True)
class ReadSettings:
    """The settings of `read` as one object.

    Parameters
    ----------
    {settings}

    Raises
    ------
    SettingError
        If a value is not allowed, or two settings contradict each other.

    Examples
    --------
    >>> ReadSettings(missing="state").missing
    'state'
    """

    missing: str = setting(
        "error",
        help=(
            "Missing values: error (refuse them), state (a new state 'missing'), drop (remove those rows); to learn a "
            "graph also impute, pairwise, weighted or structural-em; to fit tables also em."
        ),
        check=OneOf(*MISSING_POLICIES, *MISSING_METHODS, MISSING_EM),
        metavar="POLICY",
    )
    missing_tokens: Tokens | Mapping[str, Tokens | str | float] = setting(
        (),
        help=(
            "A text that means missing, such as NA, besides empty text, null and NaN; with a column, such as educ=99, "
            "in that column only."
        ),
        check=TokenLists("a list of texts or numbers, or a dict of these by column"),
        metavar="[COLUMN=]TEXT",
        option="missing-token",
    )
    discretise: Cuts | Mapping[str, Cuts] | None = setting(
        None,
        help=(
            "How to cut columns of numbers: equal-width:5, quantile:4 or cut points 18,65. Without a name it is for "
            f"all other columns of real numbers and of more than {MANY_NUMBERS} different whole numbers."
        ),
        check=CutRules(
            f"a rule such as quantile:4, a list of cut points, or a dict of these by column, {EVERY} the others"
        ),
        metavar="[COLUMN=]RULE",
    )
    categorical: Sequence[str] = setting(
        (),
        help="A column of numbers whose values are kept as states.",
        check=Several("a list of names"),
        metavar="COLUMN",
    )
    ordinal: Mapping[str, Sequence[str | float | Sequence[str | float]]] | None = setting(
        None,
        help=(
            "The order of a column's states, lowest first, such as grade=low,medium,high; states with a bar between "
            "them, such as grade=low|medium,high, become one."
        ),
        check=StateOrders("a dict of lists of states by column, lowest first, such as {'grade': ['low', 'high']}"),
        metavar="COLUMN=STATE,...",
    )
    continuous: Sequence[str] = setting(
        (),
        help="A column of numbers that stay numbers however few or regular they are.",
        check=Several("a list of names"),
        metavar="COLUMN",
    )
    merge_states: bool = setting(
        False,
        help="Make states that differ only in case or blanks one state, in its most frequent spelling.",
        check=Flag(),
    )
    weights: str | Sequence[float] | NDArray[np.generic] | None = setting(
        None,
        help=(
            "Column of row weights: how often each row counts. Fractions are counted in thousandths of a row by the "
            "scores bic, aic, loglik and bdeu, by fits and effects; others refuse them."
        ),
        check=Described("the name of a column, or one number per row"),
        metavar="COLUMN",
    )
    interventions: str | Sequence[Any] | None = setting(
        None,
        help=(
            "Column that names the variables an experiment set in each row, separated by a comma or |, empty where "
            "none was set; it is no variable itself."
        ),
        check=Interventional("the name of a column, or one set of names per row"),
        metavar="COLUMN",
    )
    interventions_coded: bool = setting(
        False,
        help="The interventions are positions of columns, from 1, and 0 where nothing was set.",
        check=Flag(),
    )
    mechanism: str = setting(
        "set",
        help="What an experiment does to its targets: set (their causes have no effect) or changed (another one).",
        check=OneOf(*MECHANISMS),
        metavar="KIND",
    )
    keep_unused_states: bool = setting(False, help="Keep declared categories that do not occur.", check=Flag())
    delimiter: str | None = setting(
        None,
        help="Field separator of a text file; detected automatically.",
        check=Text("a character, or comma, semicolon, tab, pipe or space"),
        metavar="CHARACTER",
    )
    quote: str | None = setting(
        None,
        help="Quote character of a text file, or none; detected automatically.",
        check=Described(QUOTES),
        metavar="CHARACTER",
    )
    decimal: str = setting(
        ".",
        help="Decimal mark of numbers in text: a point or a comma.",
        check=OneOf(".", ","),
        metavar="CHARACTER",
    )
    encoding: str = setting(
        "utf-8",
        help="Encoding of a text file, such as cp1252 or utf-16.",
        check=Text("the name of an encoding, such as utf-8, cp1252 or utf-16"),
        metavar="NAME",
    )
    header: bool = setting(
        True, help="Whether the first line of a text file or sheet holds the names of the columns.", check=Flag()
    )
    sheet: str | None = setting(
        None,
        help="Sheet of a spreadsheet: its name, or its number from 1; the first by default.",
        check=Text("the name of a sheet, or its number as text"),
        metavar="NAME",
    )
    columns: Sequence[str] | None = setting(
        None, help="Columns to keep.", check=Several("a list of names"), metavar="COLUMN", option=""
    )
    drop: Sequence[str] = setting((), help="A column to leave out.", check=Several("a list of names"), metavar="COLUMN")
    names: Sequence[str] | None = setting(
        None, help="Names of the columns of an array.", check=Several("a list of names"), option=""
    )

    def __post_init__(self) -> None:
        check_settings(self)
        if self.quote not in (None, '"', "'", "none", ""):
            raise InvalidSettingError("quote", self.quote, f"give {QUOTES}")
        check_encoding(self.encoding)
        self._refuse_named_twice()
        self._refuse_no_interventions()
        if self.separator == self.decimal == ",":
            raise SettingError(Mention("decimal", ","), " and ", Mention("delimiter"), " are both a comma: give one")
        _ = self.rules, self.separator  # refused here rather than in the middle of a long read

    def _refuse_named_twice(self) -> None:
        """A column is cut, kept as states, put in order or kept as numbers: two of these contradict each other."""
        cut = self.discretise if isinstance(self.discretise, Mapping) else ()
        named = {
            "categorical": self.categorical,
            "ordinal": self.orders,
            "continuous": self.continuous,
            "discretise": cut,
        }
        for one, other in combinations(named, 2):
            both = next((name for name in named[one] if name in named[other]), None)
            if both is not None:
                raise SettingError(Mention(one), " and ", Mention(other), f" both name '{both}': give one")
        for name, states in self.orders.items():
            twice = next((state for state in states if states.count(state) > 1), None)
            if twice is not None:
                raise SettingError(Mention("ordinal"), f" lists '{twice}' twice for column '{name}': give it once")

    def _refuse_no_interventions(self) -> None:
        """What says how interventions are meant needs interventions, whose column has no other use."""
        if self.interventions is None:
            given = next(
                (name for name in ("interventions_coded", "mechanism") if declarations(self)[name].differs(self)), None
            )
            if given is not None:
                raise SettingError(
                    Mention(given), " needs ", Mention("interventions"), ": name the column, or leave it out"
                )
        elif isinstance(self.interventions, str) and self.interventions == self.weights:
            raise SettingError(
                Mention("interventions"), " and ", Mention("weights"), f" both name '{self.weights}': give two columns"
            )

    @property
    def aside(self) -> tuple[str, ...]:
        """The columns that are read and are no variables: those of the interventions and of the weights."""
        return tuple(name for name in (self.interventions, self.weights) if isinstance(name, str))

    @cached_property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """The states of each ordinal column as they are printed, lowest first."""
        return {name: tuple(state for group in groups for state in group) for name, groups in self._groups.items()}

    @cached_property
    def _groups(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """The same, in groups of states that are one."""
        return {name: tuple(map(_group, states)) for name, states in (self.ordinal or {}).items()}

    @cached_property
    def merged(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """For each ordinal column in which neighbouring states are one, the groups of these, lowest first."""
        return {name: groups for name, groups in self._groups.items() if any(len(group) > 1 for group in groups)}

    @property
    def keeps_missing(self) -> bool:
        """Whether missing values stay missing: they are read as the state `missing`, which a method then replaces."""
        return self.missing not in MISSING_POLICIES

    def coding_missing(self) -> ReadSettings:
        """The same settings, with missing values read as a state where they are to stay missing."""
        return replace(self, missing="state") if self.keeps_missing else self

    @cached_property
    def rules(self) -> dict[str | None, Rule]:
        """Rule per column name; under None the one for all other columns of numbers."""
        if self.discretise is None:
            return {}
        if isinstance(self.discretise, Mapping):
            return {None if name == EVERY else name: parse_rule(rule) for name, rule in self.discretise.items()}
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
    def tokens(self) -> dict[str, tuple[str, ...]]:
        """The texts that mean missing in each column that has its own, and under `*` those for all columns."""
        given = self.missing_tokens if isinstance(self.missing_tokens, Mapping) else {EVERY: self.missing_tokens}
        listed = {name: (own,) if isinstance(own, str | int | float) else own for name, own in given.items()}
        return {name: tuple(label(each) for each in own) for name, own in listed.items() if len(own)}

    @cached_property
    def _tokens_by_column(self) -> dict[str | None, tuple[frozenset[str], frozenset[int | float]]]:
        every = self.tokens.get(EVERY, ())
        listed: list[tuple[str | None, tuple[str, ...]]] = [(None, ()), *self.tokens.items()]
        found = {}
        for name, own in listed:
            texts = frozenset((*every, *own))
            found[name] = texts, frozenset(number for number in map(_token_number, texts) if number is not None)
        return found

    def _tokens_of(self, column: str | None) -> tuple[frozenset[str], frozenset[int | float]]:
        return self._tokens_by_column.get(column) or self._tokens_by_column[None]

    def is_missing(self, value: object, column: str | None = None) -> bool:
        """Whether a value means that nothing is known: None, NaN, null or NaN in words, empty text, a token."""
        if value is None or (isinstance(value, str) and value.lower() in MISSING_WORDS):
            return True
        if value != value:
            return True
        texts, numbers = self._tokens_of(column)
        return bool(texts) and (label(value) in texts or (bool(numbers) and parse_number(value) in numbers))

    def missing_numbers(self, numbers: NDArray[np.float64], column: str | None = None) -> NDArray[np.bool_]:
        """The same for an array of numbers."""
        _, tokens = self._tokens_of(column)
        return np.isnan(numbers) | np.isin(numbers, [float(token) for token in tokens])

    def may_be_numbers(self, name: str) -> bool:
        """Whether a column of any number of different numbers is read: not if each is to be a state."""
        return name in self.aside or not self.keeps_states(name)

    def keeps_states(self, name: str) -> bool:
        """Whether every number of a column is to be a state."""
        return name in self.categorical or name in self.orders

    def cuts(self, name: str) -> bool:
        """Whether a column of numbers is cut."""
        return self.rule_for(name) is not None

    def rule_for(self, name: str) -> Rule | None:
        """The rule that cuts a column where it holds many numbers; None where it keeps them."""
        free = not self.keeps_states(name) and name not in self.continuous
        return self.rules.get(name) or (self.rules.get(None) if free else None)

    def parse_number(self, text: str) -> int | float | None:
        """The number that a text represents, with the chosen decimal mark; None if it is not a number."""
        return parse_number(with_point(text) if self.decimal == "," else text)

    def kept(self, names: Sequence[str]) -> list[str]:
        """The columns to use, those of interventions and weights among them, in the order of the table or `columns`."""
        mentioned = [
            *(self.columns or ()),
            *self.drop,
            *self.categorical,
            *self.orders,
            *self.continuous,
            *(name for name in self.rules if name is not None),
            *(name for name in self.tokens if name != EVERY),
        ]
        mentioned += self.aside
        known = set(names)
        for name in mentioned:
            if name not in known:
                raise UnknownNameError("column", str(name), names)
        chosen = names if self.columns is None else self.columns
        if len(set(chosen)) < len(chosen):
            raise SettingError(Mention("columns"), " names a column twice: name each once")
        dropped = set(self.drop)
        kept = [name for name in chosen if name not in dropped]
        kept += [name for name in self.aside if name not in kept]
        if not [name for name in kept if name not in self.aside]:
            raise SettingError(
                f"none of the {count(len(names), 'column')} would remain: keep at least one besides the weights"
            )
        return kept


def without_rows(settings: ReadSettings) -> ReadSettings:
    """The settings that other data can be read with: without weights and interventions that are one for each row."""
    if not isinstance(settings.weights, str):
        settings = replace(settings, weights=None)
    if settings.interventions is not None and not isinstance(settings.interventions, str):
        settings = replace(settings, interventions=None, interventions_coded=False, mechanism="set")
    return settings


def _token_number(text: str) -> int | float | None:
    """The number that a token means, infinite ones included."""
    return float(text) if text.lower() in INFINITE_WORDS else parse_number(text)


def _group(states: str | float | Sequence[str | float]) -> tuple[str, ...]:
    """A state, or states that are one, as they are printed."""
    several = isinstance(states, Sequence) and not isinstance(states, str)
    return tuple(label(state) for state in (states if several else (states,)))  # type: ignore[union-attr]


if ReadSettings.__doc__:  # not there under python -OO
    ReadSettings.__doc__ = complete_docstring(ReadSettings.__doc__, "{settings}", describe(ReadSettings))
