"""The result of learning from a panel: a network of time slices."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mahc.data import Dataset, ReadSettings
from mahc.data.columns import State
from mahc.data.prepare.matching import StateFinder
from mahc.data.prepare.types import label
from mahc.data.source_table import LabelColumn, NumberColumn
from mahc.documents import Document, Format, Number, Whole, from_plain, read_json, to_plain, write_json
from mahc.errors import DataError, InvalidSettingError, MahcError, UnknownNameError
from mahc.files import to_path
from mahc.graphs.pictures import Picture
from mahc.inference.mixed.model import MixedModel
from mahc.inference.mixed.network import MixedNetwork
from mahc.inference.mixed.rows import read_numbers, take_number
from mahc.inference.model import Model
from mahc.networks.files import read_network, write_network
from mahc.networks.network import Network
from mahc.networks.random_streams import stream
from mahc.networks.sampling import cumulative, find_states
from mahc.opening import open_tables
from mahc.panels.number_futures import describe_numbers, draw_number_futures, number_bits
from mahc.panels.slices import at, before, now
from mahc.plurals import count
from mahc.results.learned import PAGES, Learned

Arc = tuple[str, str]
PANEL = Format("mahc-panel", 2, "a mahc panel", "give the folder that `mahc panel --out DIR` wrote", "learn again")
FILES = ("panel.json", "transition.json", "initial.json", "transition_tables.json", "initial_tables.json")
_LAGGED = re.compile(r"(.+)\(t(?:-(\d+))?\)")


class PanelRecord(Document, frozen=True):
    """What panel.json keeps besides the two results and their tables."""

    variables: tuple[str, ...]
    static: tuple[str, ...]
    lags: Whole
    subjects: Whole
    waves: Whole
    windows: Whole
    notes: tuple[str, ...]
    confidence: tuple[tuple[str, str, Number], ...] | None
    tables: bool
    numbers: bool
    subject: str
    time: str
    gaps: str
    reading: dict[str, Any]


@dataclass(frozen=True)
class PanelNetwork:
    """A network of time slices: how each slice follows from those before, and how the first ones are distributed.

    Parameters
    ----------
    variables, static : tuple of str
        The variables that change over time, and those that do not.
    lags : int
        How many slices before the present one may have an effect.
    transition : Learned
        The graph of a slice: `pain(t)` has causes among `dose(t-1)`, static variables and, within the slice,
        `dose(t)`. What is earlier is given, and not learned.
    initial : Learned
        The graph of the first slices, `pain(0)`, and of the static variables.
    subjects, waves, windows : int
        How many subjects and times there were, and how many rows of slices that follow each other.
    transition_tables : Network or MixedNetwork
        The tables of the transition; where columns hold numbers, its regressions.
    initial_tables : Network or None
        The tables of the first slices; None where columns hold numbers.
    notes : tuple of str
        What to know before trusting it.
    confidence : dict or None
        For each arc of a resample of the subjects, the share of resamples that have it.
    subject, time, gaps : str
        The columns of the subject and of the time, and the rule for gaps.
    reading : dict
        The settings with which the long table was read.

    Examples
    --------
    >>> import mahc
    >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
    >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
    >>> found = mahc.learn_panel(columns, "id", "wave")
    >>> found.lagged_arcs, found.unroll(3).names
    ((('pain', 1, 'pain'),), ('pain(0)', 'pain(1)', 'pain(2)'))
    """

    variables: tuple[str, ...]
    static: tuple[str, ...]
    lags: int
    transition: Learned
    initial: Learned
    subjects: int
    waves: int
    windows: int
    transition_tables: Network | MixedNetwork | None = None
    initial_tables: Network | None = None
    notes: tuple[str, ...] = ()
    confidence: Mapping[Arc, float] | None = field(default=None, compare=False)
    subject: str = ""
    time: str = ""
    gaps: str = "drop"
    reading: Mapping[str, Any] = field(default_factory=dict)

    @property
    def lagged_arcs(self) -> tuple[tuple[str, int, str], ...]:
        """The arcs from earlier slices: cause, how many slices before, effect."""
        split = [(*_split(tail), _split(head)[0]) for tail, head in self.transition.dag.arcs]
        return tuple(sorted((name, lag, head) for name, lag, head in split if lag))

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """The arcs within a slice, and those of static variables."""
        split = [(*_split(tail), _split(head)[0]) for tail, head in self.transition.dag.arcs]
        return tuple(sorted((name, head) for name, lag, head in split if not lag))

    def __str__(self) -> str:
        """The size, the arcs, and the notes."""
        lagged = [f"{name}(t-{lag}) -> {head}" for name, lag, head in self.lagged_arcs]
        inside = [f"{tail} -> {head}" for tail, head in self.arcs]
        size = f"{count(self.subjects, 'subject')}, {count(self.waves, 'time')}, {count(self.windows, 'window')}"
        lines = [
            f"{size}; {count(len(self.variables), 'variable')}, {len(self.static)} static",
            f"From earlier slices: {', '.join(lagged) or 'nothing'}",
            f"Within a slice: {', '.join(inside) or 'nothing'}",
            *(f"Note: {note}" for note in self.notes),
        ]
        return "\n".join(lines)

    def _tables(self) -> tuple[Network, Network]:
        if not isinstance(self.transition_tables, Network) or self.initial_tables is None:
            raise MahcError(
                "columns hold numbers, and slices are unrolled with tables of states: use forecast, or cut the numbers"
            )
        return self.transition_tables, self.initial_tables

    def _states(self) -> dict[str, tuple[State, ...] | None]:
        """The states of each variable of the transition; None for a number."""
        network = self.transition_tables
        if isinstance(network, Network):
            return dict(zip(network.names, network.values, strict=True))
        if network is None:
            raise MahcError("the panel was saved without its tables: learn it again")
        return {variable.name: variable.states for variable in network.variables}

    def unroll(self, steps: int) -> Network:
        """The network of so many slices, `pain(0)` to `pain(steps - 1)`, with its tables.

        Parameters
        ----------
        steps : int
            The number of slices, at least `lags`.

        Returns
        -------
        Network
            For queries, sampling and export, as any network.

        Examples
        --------
        >>> import mahc
        >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
        >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
        >>> mahc.Model(mahc.learn_panel(columns, "id", "wave").unroll(3)).query("pain(2)")["y"] > 0.8
        True
        """
        if isinstance(steps, bool) or not isinstance(steps, int) or not self.lags <= steps <= 10_000:
            raise InvalidSettingError("steps", steps, f"give a whole number from {self.lags} to 10,000")
        transition, initial = self._tables()
        names, states, values = list(initial.names), list(initial.states), list(initial.values)
        parents, tables = list(initial.parents), list(initial.tables)
        place = {name: node for node, name in enumerate(names)}
        for step in range(self.lags, steps):
            new = [at(name, step) for name in self.variables]
            place |= {name: len(names) + k for k, name in enumerate(new)}
            names += new
            for name in self.variables:
                node = transition.names.index(now(name))
                states.append(transition.states[node])
                values.append(transition.values[node])
                earlier = [_split(transition.names[parent]) for parent in transition.parents[node]]
                parents.append(tuple(place[self._called(own, step - lag)] for own, lag in earlier))
                tables.append(transition.tables[node])
        origin = f"{count(steps, 'slice')} of a panel of {count(self.subjects, 'subject')}"
        return Network("panel", tuple(names), tuple(states), tuple(parents), tuple(tables), origin, tuple(values))

    def _called(self, name: str, step: int) -> str:
        return name if name in self.static else at(name, step)

    def forecast(
        self,
        history: Any,
        horizon: int = 1,
        *,
        do: Mapping[str, object] | None = None,
        samples: int = 10_000,
        seed: int = 1,
    ) -> tuple[dict[str, dict[str, float]], ...]:
        """The distribution of each variable in the slices to come.

        Futures are drawn, and each probability is the mean of what the tables say given the drawn causes. Its standard
        error is at most 1 / (2 sqrt(samples)); one step ahead, without arcs within a slice, it is exact. Of numbers the
        drawn futures are described.

        Parameters
        ----------
        history : list of dicts, dict of lists or frame
            The last rows of one subject, oldest first: at least `lags`, with the static variables.
        horizon : int
            How many slices ahead.
        do : dict, optional
            Variables that are set from outside, each to a state or number in all slices to come, or to a list with
            one per slice, None where it is not set.
        samples : int
            How many futures are drawn.
        seed : int
            The seed of the futures.

        Returns
        -------
        tuple of dict
            For each slice to come: variable -> state -> probability; for a number "mean", "deviation", "median", and
            "low" and "high", between which 90 % of the futures are.

        Examples
        --------
        >>> import mahc
        >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
        >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
        >>> found = mahc.learn_panel(columns, "id", "wave").forecast([{"pain": "y"}], horizon=2)
        >>> found[0]["pain"]["y"] > 0.9
        True
        """
        states = self._states()
        for name, value, most in (("horizon", horizon, 10_000), ("samples", samples, 10**8)):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise InvalidSettingError(name, value, f"give a whole number from 1 to {most:,}")
        known = self._history(history, states)
        fixed = self._settings(do or {}, horizon, states)
        rows = {name: np.tile(values[-self.lags :], (samples, 1)) for name, values in known.items()}
        if isinstance(self.transition_tables, MixedNetwork):
            drawn = draw_number_futures(self.transition_tables, self.variables, self.lags, rows, horizon, fixed, seed)
        else:
            drawn = spread_futures(self, rows, horizon, fixed, seed)
        found = []
        for step in range(horizon):
            each = {}
            for name in self.variables:
                own, here = states[now(name)], drawn[name][step]
                if own is None:
                    each[name] = describe_numbers(here)
                else:
                    each[name] = dict(zip(map(label, own), here.mean(axis=0).tolist(), strict=True))
            found.append(each)
        return tuple(found)

    def bits_per_variable(self, windows: Dataset) -> float:
        """The mean bits that the present slices of windows take, per variable, given what is earlier.

        Parameters
        ----------
        windows : Dataset
            Windows with the states of the panel, as `Panel.windows` makes them.

        Returns
        -------
        float
            Bits per variable and window; of a number those of its density, which depend on its unit.

        Examples
        --------
        >>> import mahc
        >>> from mahc.panels import read_panel
        >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
        >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
        >>> found = mahc.learn_panel(columns, "id", "wave")
        >>> found.bits_per_variable(read_panel(columns, "id", "wave").windows()) < 0.7
        True
        """
        if isinstance(self.transition_tables, MixedNetwork):
            return number_bits(self.transition_tables, self.variables, windows)
        network, _ = self._tables()
        total = 0.0
        for name in self.variables:
            node = network.names.index(now(name))
            row = np.zeros(windows.rows, np.intp)
            for parent in network.parents[node]:
                row = row * len(network.states[parent]) + windows.codes[windows.index(network.names[parent])]
            seen = windows.codes[windows.index(now(name))]
            total -= math.fsum(np.log2(network.tables[node][row, seen]).tolist()) / windows.rows
        return total / len(self.variables)

    def _history(self, history: Any, states: Mapping[str, tuple[State, ...] | None]) -> dict[str, NDArray[Any]]:
        if isinstance(history, list) and not history:
            self._enough(np.zeros(0))
        table = next(iter(open_tables(history, ReadSettings())))
        found: dict[str, NDArray[Any]] = {}
        for name in (*self.static, *self.variables):
            if name not in table.names:
                raise DataError(
                    f"the history lacks the variable '{name}': {UnknownNameError('column', name, table.names)}"
                )
            own, column = states[name if name in self.static else now(name)], table.columns[table.names.index(name)]
            if own is None:
                found[name] = self._enough(read_numbers(column, name, ReadSettings()))
                if np.isnan(found[name]).any():
                    raise DataError(f"a number of '{name}' is missing in the history: fill it in")
                continue
            finder = StateFinder(own)
            if isinstance(column, LabelColumn):
                values = [column.values[code] for code in column.codes]
            else:
                values = column.numbers.tolist() if isinstance(column, NumberColumn) else []
            codes = self._enough(np.array([finder.find(value) for value in values], np.int64))
            if (codes < 0).any():
                odd = values[int((codes < 0).argmax())]
                raise UnknownNameError(f"state of '{name}'", str(odd), tuple(map(label, own)))
            found[name] = codes
        return found

    def _enough(self, values: NDArray[Any]) -> NDArray[Any]:
        if len(values) < self.lags:
            raise DataError(f"the history has {count(len(values), 'row')}, and {count(self.lags, 'lag')} need as many")
        return values

    def _settings(
        self, do: Mapping[str, object], horizon: int, states: Mapping[str, tuple[State, ...] | None]
    ) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        for name, given in do.items():
            if name not in self.variables:
                raise UnknownNameError("variable", str(name), self.variables)
            own = states[now(name)]
            listed = list(given) if isinstance(given, list | tuple) else [given] * horizon
            if len(listed) != horizon:
                raise InvalidSettingError("do", given, f"give one state, or one for each of the {horizon} slices")
            if own is None:
                numbers = [None if number is None else take_number(number, ReadSettings()) for number in listed]
                if any(number is None and given is not None for number, given in zip(numbers, listed, strict=True)):
                    raise InvalidSettingError("do", given, f"'{name}' holds numbers: give finite numbers")
                found[name] = numbers
                continue
            finder = StateFinder(own)
            codes = [None if state is None else finder.find(state) for state in listed]
            if any(code is not None and code < 0 for code in codes):
                odd = next(state for state, code in zip(listed, codes, strict=True) if code is not None and code < 0)
                raise UnknownNameError(f"state of '{name}'", str(odd), tuple(map(label, own)))
            found[name] = codes
        return found

    def plot(self, title: str | None = None) -> Picture:
        """Draw the slices side by side, as bands: static variables, earlier slices, the present one.

        Parameters
        ----------
        title : str, optional
            The line above the picture.

        Returns
        -------
        Picture
            Notebooks display it; `svg` is its text, `save` writes it.

        Examples
        --------
        >>> import mahc
        >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
        >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
        >>> "pain(t-1)" in mahc.learn_panel(columns, "id", "wave").plot().svg
        True
        """
        return self.transition.plot(tiers=True, title=title)

    def report(self, path: str | PathLike[str]) -> None:
        """Write the page of the transition: one HTML file with a lane for each slice and the reason for every pair.

        Parameters
        ----------
        path : str or path
            The file to write, whole or not at all.

        Examples
        --------
        >>> import mahc, os, tempfile
        >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
        >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     mahc.learn_panel(columns, "id", "wave").report(os.path.join(folder, "slices.html"))
        ...     os.listdir(folder)
        ['slices.html']
        """
        PAGES["panel report"](self, to_path(path))

    def to_pgmpy(self) -> Any:
        """The same as a `DynamicBayesianNetwork` of pgmpy, with tables; for one lag.

        Arcs within a slice are in slice 0, too.

        Static variables are in both slices, and keep their state.

        Returns
        -------
        pgmpy.models.DynamicBayesianNetwork
            The network.

        Examples
        --------
        >>> import mahc
        >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
        >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
        >>> mahc.learn_panel(columns, "id", "wave").to_pgmpy().edges()  # doctest: +SKIP
        OutEdgeView([(<DynamicNode(pain, 0) at ...>, <DynamicNode(pain, 1) at ...>)])
        """
        from mahc.panels.pgmpy_export import to_pgmpy

        return to_pgmpy(self)

    def to_pyagrum(self) -> Any:
        """The same as a `KTBN` of pyAgrum, with tables: `lags` + 1 slices, of which the last is repeated by `unroll`.

        Static variables are atemporal. Needs pyAgrum 3.3 or newer.

        Returns
        -------
        pyagrum.ktbn.KTBN
            The network, whose variables are called pain[0], pain[1], ...

        Examples
        --------
        >>> import mahc
        >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
        >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
        >>> mahc.learn_panel(columns, "id", "wave").to_pyagrum().k()  # doctest: +SKIP
        2
        """
        from mahc.panels.pyagrum_export import to_ktbn

        return to_ktbn(self)

    def save(self, folder: str | PathLike[str]) -> None:
        """Write panel.json, transition.json, initial.json and the tables into a folder.

        Parameters
        ----------
        folder : str or path
            The folder; it is made where it does not exist.

        Examples
        --------
        >>> import mahc
        >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
        >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     mahc.learn_panel(columns, "id", "wave").save(folder)
        ...     mahc.PanelNetwork.load(folder).lagged_arcs
        (('pain', 1, 'pain'),)
        """
        target = to_path(folder)
        target.mkdir(parents=True, exist_ok=True)
        shares = (
            None
            if self.confidence is None
            else tuple((a, b, share) for (a, b), share in sorted(self.confidence.items()))
        )
        record = PanelRecord(
            variables=self.variables,
            static=self.static,
            lags=self.lags,
            subjects=self.subjects,
            waves=self.waves,
            windows=self.windows,
            notes=self.notes,
            confidence=shares,
            tables=isinstance(self.transition_tables, Network),
            numbers=isinstance(self.transition_tables, MixedNetwork),
            subject=self.subject,
            time=self.time,
            gaps=self.gaps,
            reading=dict(self.reading),
        )
        write_json(target / FILES[0], PANEL.stamp(to_plain(record)))
        self.transition.save(target / FILES[1])
        self.initial.save(target / FILES[2])
        if isinstance(self.transition_tables, MixedNetwork):
            MixedModel(self.transition_tables).save(target / FILES[3])
        elif self.transition_tables is not None and self.initial_tables is not None:
            write_network(self.transition_tables, target / FILES[3])
            write_network(self.initial_tables, target / FILES[4])

    @staticmethod
    def load(folder: str | PathLike[str]) -> PanelNetwork:
        """Read what `save` wrote.

        Parameters
        ----------
        folder : str or path
            The folder.

        Returns
        -------
        PanelNetwork
            The same network.

        Examples
        --------
        >>> import mahc
        >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
        >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     mahc.learn_panel(columns, "id", "wave").save(folder)
        ...     mahc.PanelNetwork.load(folder).subjects
        60
        """
        target = to_path(folder)
        plain = PANEL.check(read_json(target / FILES[0], PANEL.expected), target / FILES[0])
        with PANEL.refusing_damage(target / FILES[0]):
            record = from_plain({name: plain[name] for name in PanelRecord.__struct_fields__}, PanelRecord)
        tables = [read_network(target / file) if record.tables else None for file in FILES[3:]]
        transition = Model.load(target / FILES[3]).network if record.numbers else tables[0]
        return PanelNetwork(
            record.variables,
            record.static,
            record.lags,
            Learned.load(target / FILES[1]),
            Learned.load(target / FILES[2]),
            record.subjects,
            record.waves,
            record.windows,
            transition,
            tables[1],
            record.notes,
            None if record.confidence is None else {(a, b): share for a, b, share in record.confidence},
            record.subject,
            record.time,
            record.gaps,
            record.reading,
        )


def spread_futures(
    panel: PanelNetwork,
    known: Mapping[str, NDArray[np.integer]],
    horizon: int,
    fixed: Mapping[str, Sequence[int | None]] | None = None,
    seed: int = 1,
) -> dict[str, list[NDArray[np.float64]]]:
    """For each variable and step the probabilities of its states in each row, futures drawn row by row.

    `known` has for each variable the codes of the last `lags` slices, oldest first, and for each static variable
    one code in its last column.

    >>> import mahc
    >>> pain = ["n", "n", "y", "y", "n", "y", "y", "y"] * 30
    >>> columns = {"id": [row // 4 for row in range(240)], "wave": [row % 4 for row in range(240)], "pain": pain}
    >>> found = spread_futures(mahc.learn_panel(columns, "id", "wave"), {"pain": np.array([[0], [1]])}, 1)
    >>> found["pain"][0].shape
    (2, 2)
    """
    network, _ = panel._tables()
    rows = len(next(iter(known.values())))
    place = {name: node for node, name in enumerate(network.names)}
    drawn = {before(name, lag): known[name][:, -lag] for name in panel.variables for lag in range(1, panel.lags + 1)}
    drawn |= {name: known[name][:, -1] for name in panel.static}
    order = [network.names[node] for node in network.order if _split(network.names[node])[1] == 0]
    order = [name for name in order if name not in panel.static]
    generator = stream(seed, "forecast")
    found: dict[str, list[NDArray[np.float64]]] = {name: [] for name in panel.variables}
    for step in range(horizon):
        for called in order:
            node, name = place[called], _split(called)[0]
            table, row = network.tables[node], np.zeros(rows, np.intp)
            for parent in network.parents[node]:
                row = row * len(network.states[parent]) + drawn[network.names[parent]]
            numbers = generator.random(rows)
            state = None if fixed is None else fixed.get(name, [None] * horizon)[step]
            if state is None:
                drawn[called] = find_states(cumulative(table), row, numbers)
                found[name].append(table[row])
            else:
                drawn[called] = np.full(rows, state, np.intp)
                found[name].append(np.eye(table.shape[1])[drawn[called]])
        for name in panel.variables:
            for lag in range(panel.lags, 0, -1):
                drawn[before(name, lag)] = drawn[before(name, lag - 1)]
    return found


def _split(name: str) -> tuple[str, int]:
    """A variable of the transition graph as its name and lag; static ones have the lag 0.

    >>> _split("pain(t-2)"), _split("pain(t)"), _split("sex")
    (('pain', 2), ('pain', 0), ('sex', 0))
    """
    matched = _LAGGED.fullmatch(name)
    return (name, 0) if matched is None else (matched.group(1), int(matched.group(2) or 0))
