"""How often the edges of a learned graph come back when the data are resampled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mahc.errors import InvalidSettingError, MahcError, Message, choices
from mahc.graphs import DAG, MixedGraph
from mahc.graphs.edge_counts import EdgeCounts
from mahc.learning.stop_reason import StopReason
from mahc.plurals import count
from mahc.results.calibration import KINDS, calibrate
from mahc.results.intervals import LEVEL, percent, wilson_interval
from mahc.results.records import DataRecord, RunRecord

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

HOW = {
    "bootstrap": "rows drawn with replacement, as many as there are",
    "half": "half of the rows drawn without replacement",
}


@dataclass(frozen=True)
class Confidence:
    """How often each edge came back in graphs that were each learned from a resample of the data.

    `mahc.bootstrap` makes it. Frequencies are shares of the resamples done.

    Parameters
    ----------
    data : DataRecord
        What was resampled: number of rows, fingerprint.
    run : RunRecord
        How it was learned: algorithm, score, settings, knowledge, time, and why the bootstrap ended.
    how : str
        How rows were drawn: "bootstrap" or "half".
    seed : int
        The seed of the resamples.
    requested : int
        How many resamples were asked for; `resamples` is how many were done.
    kind : str
        The kind of the learned graphs: "DAG", "CPDAG" or "PAG".
    graphs : EdgeCounts
        Counts of the edges of the learned graphs themselves.
    patterns : EdgeCounts
        Counts of the edges of their CPDAGs or PAGs, in which only directions that the data can show are directions.

    Examples
    --------
    >>> import mahc
    >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90, "day": ["a", "a", "b"] * 60}
    >>> confidence = mahc.bootstrap(columns, "hc", resamples=20)
    >>> confidence.edge("rain", "wet")
    1.0
    >>> confidence.sentence("wet", "day")
    'in 0 % of 20 resamples'
    """

    data: DataRecord
    run: RunRecord
    how: str
    seed: int
    requested: int
    kind: str
    graphs: EdgeCounts
    patterns: EdgeCounts

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables in the order of the data's columns."""
        return self.graphs.names

    @property
    def resamples(self) -> int:
        """The number of resamples that were learned from."""
        return self.graphs.graphs

    @property
    def stop_reason(self) -> StopReason:
        """Why the bootstrap ended: `converged` where all requested resamples were done."""
        return self.run.stop_reason

    def edge(self, left: str, right: str) -> float:
        """The share of resamples in which the two variables are joined, whatever the direction.

        Parameters
        ----------
        left, right : str
            Two variables.

        Returns
        -------
        float
            From 0 to 1.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.edge("wet", "rain")
        1.0
        """
        return self.graphs.edge(left, right) / self.resamples

    def direction(self, tail: str, head: str) -> float:
        """The share of resamples whose graph has the arc `tail` -> `head`.

        Parameters
        ----------
        tail, head : str
            The arc from `tail` to `head`.

        Returns
        -------
        float
            From 0 to 1.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.direction("rain", "wet") + found.direction("wet", "rain")
        1.0
        """
        return self.graphs.arc(tail, head) / self.resamples

    def compelled(self, tail: str, head: str) -> float:
        """The share of resamples whose CPDAG (of fci: PAG) has the arc `tail` -> `head`.

        Parameters
        ----------
        tail, head : str
            The arc from `tail` to `head`.

        Returns
        -------
        float
            From 0 to 1.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.compelled("rain", "wet")  # the data cannot show a direction
        0.0
        """
        return self.patterns.arc(tail, head) / self.resamples

    def marks(self, left: str, right: str) -> dict[str, float]:
        """The share of each kind of edge in the CPDAGs or PAGs, such as `o->`, its left end at `left`.

        Parameters
        ----------
        left, right : str
            Two variables.

        Returns
        -------
        dict of str to float
            Kind of edge -> share, the most frequent first.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.marks("rain", "wet")
        {'---': 1.0}
        """
        found = self.patterns.marks(left, right)
        return {text: found[text] / self.resamples for text in sorted(found, key=lambda text: (-found[text], text))}

    def interval(self, left: str, right: str, level: float = LEVEL) -> tuple[float, float]:
        """The Wilson interval of the share of resamples in which the two are joined.

        It says how far the share could be from the one of infinitely many resamples, not from the truth.

        Parameters
        ----------
        left, right : str
            Two variables.
        level : float
            The level of the interval.

        Returns
        -------
        tuple of float
            Lower and upper end.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> low, high = found.interval("rain", "wet")
        >>> round(low, 2), high
        (0.84, 1.0)
        """
        low, high = wilson_interval(self.graphs.edge(left, right), self.resamples, level)
        return float(low), float(high)

    def calibrated(self, tail: str, head: str, kind: str = "edge") -> float | None:
        """The measured probability that an edge, a direction or a compelled direction of this frequency is right.

        None where no correction is known: for other algorithms than mahc and hc, for the edges of hc, and for halves.

        Parameters
        ----------
        tail, head : str
            The arc from `tail` to `head`.
        kind : str
            "edge", "direction" or "compelled".

        Returns
        -------
        float or None
            From 0 to 1.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.calibrated("rain", "wet", "direction") is None
        False
        """
        counts = {"edge": self.graphs.edge, "direction": self.graphs.arc, "compelled": self.patterns.arc}
        if kind not in counts:
            raise InvalidSettingError("kind", kind, Message("give one of ", choices(KINDS)))
        if self.how != "bootstrap":
            return None
        found = calibrate(counts[kind](tail, head), self.resamples, self.run.algorithm, kind)
        return None if found is None else float(found)

    def sentence(self, tail: str, head: str) -> str:
        """The share of an edge and of its directions as a clause.

        Directions are shares of all resamples, so that they sum to the share of the edge.

        Parameters
        ----------
        tail, head : str
            The arc from `tail` to `head`.

        Returns
        -------
        str
            The clause.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.sentence("rain", "wet")  # doctest: +ELLIPSIS
        'in 100 % of 20 resamples; ...'
        """
        joined = self.graphs.edge(tail, head)
        text = f"in {percent(joined, self.resamples)} % of {count(self.resamples, 'resample')}"
        if not joined:
            return text
        if self.kind == "DAG":
            return f"{text}; direction {self.direction_ratio(tail, head)}"
        found = self.graphs.marks(tail, head)
        ranked = sorted(found, key=lambda kind: (-found[kind], kind))
        return f"{text}; " + ", ".join(
            f"{tail} {kind} {head} {percent(found[kind], self.resamples)}" for kind in ranked
        )

    def direction_ratio(self, tail: str, head: str) -> str:
        """The shares of both directions in percent, such as `58 : 35`.

        Parameters
        ----------
        tail, head : str
            The arc from `tail` to `head`.

        Returns
        -------
        str
            Both shares.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.direction_ratio("rain", "wet").count(":")
        1
        """
        there, back = self.graphs.arc(tail, head), self.graphs.arc(head, tail)
        return f"{percent(there, self.resamples)} : {percent(back, self.resamples)}"

    def describe(self) -> str:
        """What was done, in words.

        Returns
        -------
        str
            The sentence.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.describe()
        '20 resamples (bootstrap, seed 1)'
        """
        done = count(self.resamples, "resample")
        text = f"{done} ({self.how}, seed {self.seed})"
        if self.resamples < self.requested:
            text += f" of {self.requested:,}: {self.stop_reason.words}"
        return text

    def to_frame(self) -> pl.DataFrame:
        """All ordered pairs of variables as a polars frame, one row each (columns: docs/how-to/confidence.md).

        Returns
        -------
        polars.DataFrame
            The frame.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.to_frame().height
        2
        """
        from mahc.results.confidence_frame import make_frame

        return make_frame(self)

    def check_graph(self, graph: DAG | MixedGraph) -> None:
        """Refuse a graph over other variables.

        Parameters
        ----------
        graph : DAG or MixedGraph
            The graph.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.check_graph(mahc.DAG(["rain", "wet"], []))
        """
        if set(graph.names) != set(self.variables):
            raise MahcError("the confidence is about other variables than the graph: resample the same data")

    def save(self, path: str | Path) -> None:
        """Write everything to one JSON file, to which `mahc.bootstrap` can add resamples.

        Parameters
        ----------
        path : str or path
            The file to write.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> import tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "confidence.json")
        ...     found.save(path)
        ...     mahc.Confidence.load(path).resamples
        20
        """
        from mahc.results.files.confidence_json import save_confidence

        save_confidence(self, path)

    @staticmethod
    def load(path: str | Path) -> Confidence:
        """Read what `save` wrote; a FormatError where the file is not one.

        Parameters
        ----------
        path : str or path
            The file to read.

        Returns
        -------
        Confidence
            What was saved.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> import tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "confidence.json")
        ...     found.save(path)
        ...     mahc.Confidence.load(path).resamples
        20
        """
        from mahc.results.files.confidence_json import load_confidence

        return load_confidence(path)

    def frequencies(self) -> Mapping[tuple[str, str], float]:
        """The share of every edge that occurred, by its pair of variables in the order of the columns.

        Returns
        -------
        mapping
            Pair of variables -> share.

        Examples
        --------
        >>> import mahc
        >>> columns = {"rain": ["n", "y"] * 90, "wet": ["n", "y"] * 90}
        >>> found = mahc.bootstrap(columns, "hc", resamples=20)
        >>> found.frequencies()
        {('rain', 'wet'): 1.0}
        """
        names = self.variables
        return {
            (names[i], names[j]): sum(found.values()) / self.resamples
            for (i, j), found in sorted(self.graphs.counts.items())
        }

    def __repr__(self) -> str:
        size = (
            f"{count(len(self.variables), 'variable')}, {count(len(self.graphs.counts), 'pair')} joined at least once"
        )
        return f"Confidence({self.run.algorithm}: {self.describe()}, {size})"
