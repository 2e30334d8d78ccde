"""A plan: cases x sizes x kinds of data x seeds x contestants, under limits; cases and contestants can narrow it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mahc.errors import MahcError, SettingError
from mahc.lab.contestants import Contestant
from mahc.lab.outline import CLEAN, Outline, Selection
from mahc.lab.processes import Limits

if TYPE_CHECKING:
    from mahc.networks.library import NetworkSize
    from mahc.networks.noise import Noise


@dataclass(frozen=True)
class Case:
    """A network to draw from, by its name or the path of its file; a noise with L hides `latents`.

    A case with a `file` is a data set without a true graph, read with the settings `reading`. One with a `generator` is
    a random network over so many `columns`, whose numbers have an `error` of measurement. `sizes` and `seeds` replace
    those of the plan; empty ones do not.

    >>> Case("asia", "asia", latents=("dysp",)).noise("cMISL")
    CMISL(rate=0.05, variables=('dysp',))
    """

    name: str
    network: str
    latents: tuple[str, ...] = ()
    file: str = ""
    reading: Mapping[str, Any] = field(default_factory=dict)
    sizes: tuple[int, ...] = ()
    seeds: tuple[int, ...] = ()
    generator: str = ""
    columns: int = 0
    error: float = 0.0

    def noise(self, data: str) -> Noise | None:
        """The noise that a kind of data applies to a sample of this case."""
        from mahc.networks.noise import parse_noise

        if data == CLEAN:
            return None
        try:
            return parse_noise(data, self.latents)
        except SettingError:  # a noise without L, or a mistake, which is raised again here
            return parse_noise(data)


@dataclass(frozen=True)
class Plan:
    """Everything that an experiment consists of, checked. `read_plan` makes one from a file.

    Parameters
    ----------
    name : str
        The name of the plan.
    cases : tuple of Case
        The networks to sample.
    sizes : tuple of int
        Numbers of rows, for cases that have none of their own.
    data : tuple of str
        Kinds of data: "clean" or a noise.
    seeds : tuple of int
        The seeds, for cases that have none of their own.
    limits : Limits
        Seconds, memory and threads for each cell.
    contestants : tuple of Contestant
        What is compared; each can take part in some samples only.
    networks : path, optional
        A folder with further networks.
    reference : str
        The label of the contestant with which the report compares the others; empty for MAHC.

    Examples
    --------
    >>> plan = Plan("mine", (Case("asia", "asia"),), (100,), ("clean",), (1,), Limits(), ())
    >>> plan.outline().cells
    0
    """

    name: str
    cases: tuple[Case, ...]
    sizes: tuple[int, ...]
    data: tuple[str, ...]
    seeds: tuple[int, ...]
    limits: Limits
    contestants: tuple[Contestant, ...]
    networks: Path | None = None
    reference: str = ""

    def outline(self) -> Outline:
        """Who takes part and on what, for the store and the report."""
        return replace(self.outline_without_networks(), networks=tuple(filter(None, map(self._measure, self.cases))))

    def outline_without_networks(self) -> Outline:
        """The outline without the sizes of the networks, for which their files are read."""
        sizes = _join(self.sizes, [case.sizes for case in self.cases])
        seeds = _join(self.seeds, [case.seeds for case in self.cases])
        own = (Selection((c.name,), c.sizes or self.sizes, c.seeds or self.seeds) for c in self.cases)
        return Outline(
            plan_name=self.name,
            contestants=tuple(contestant.info() for contestant in self.contestants),
            cases=tuple(case.name for case in self.cases),
            sizes=sizes,
            data=self.data,
            seeds=seeds,
            seconds_limit=self.limits.seconds,
            memory_limit_mebibytes=self.limits.memory_mebibytes,
            threads=self.limits.threads,
            reference=self.reference,
            data_sets=tuple(case.name for case in self.cases if case.file),
            narrowed=tuple(one for one in own if {*one.sizes} != {*sizes} or {*one.seeds} != {*seeds}),
        )

    def _measure(self, case: Case) -> NetworkSize | None:
        from mahc.networks import find_network
        from mahc.networks.library import measure_network

        if case.file or case.generator:
            return None
        try:
            return measure_network(find_network(case.network, self.networks), case.name)
        except MahcError:
            return None  # the rows of the case say why


def _join(usual: tuple[int, ...], own: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The values of all cases: as the plan orders them, and sorted where a case has its own."""
    return tuple(sorted({*chain(*(values or usual for values in own))})) if any(own) else usual
