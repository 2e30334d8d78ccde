"""The outline of an experiment: who takes part and on what. A plan makes it, the store keeps it, a report reads it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from mahc.experiment.row import CLEAN, TRUTH
from mahc.networks.sizes import NetworkSize


@dataclass(frozen=True)
class ContestantInfo:
    """What the outline of an experiment says of one contestant.

    Parameters
    ----------
    label : str
        Its name in the plan.
    algorithm : str
        The algorithm, function or program.
    learning_class : str
        The group that it is listed in.
    settings_text : str
        Its settings, in words.
    version : str
        The version of the code that runs.
    paper_name : str
        The algorithm of the paper that it is compared with, empty if none.

    Examples
    --------
    >>> ContestantInfo("Exact", "exact", paper_name="GOBNILP").paper_name
    'GOBNILP'
    """

    label: str
    algorithm: str = ""
    learning_class: str = ""
    settings_text: str = ""
    version: str = ""
    paper_name: str = ""


@dataclass(frozen=True)
class Outline:
    """Contestants, cases, sample sizes, kinds of data, seeds and limits of an experiment, in the order of the plan.

    Parameters
    ----------
    plan_name : str
        The name of the plan.
    contestants : tuple of ContestantInfo
        The contestants.
    cases : tuple of str
        The names of the cases.
    sizes : tuple of int
        Numbers of rows.
    data : tuple of str
        Kinds of data: "clean" or a noise.
    seeds : tuple of int
        The seeds.
    seconds_limit : float, optional
        Seconds for each cell; None where only rows are known.
    memory_limit_mebibytes : int, optional
        Memory for each cell.
    threads : int, optional
        Threads of each cell.
    networks : tuple of NetworkSize
        The size of each case's network that could be read.
    reference : str
        The label of the contestant with which the report compares the others; empty for MAHC.
    data_sets : tuple of str
        The cases that are data sets without a true graph; they are used as they are.

    Examples
    --------
    >>> outline = Outline("mine", (ContestantInfo("HC"),), ("asia",), (100, 1000), ("clean",), (1,), 60.0, 1024, 1)
    >>> outline.cells
    2
    >>> Outline.from_dict(outline.to_dict()) == outline
    True
    """

    plan_name: str
    contestants: tuple[ContestantInfo, ...]
    cases: tuple[str, ...]
    sizes: tuple[int, ...]
    data: tuple[str, ...]
    seeds: tuple[int, ...]
    seconds_limit: float | None = None
    memory_limit_mebibytes: int | None = None
    threads: int | None = None
    networks: tuple[NetworkSize, ...] = ()
    reference: str = ""
    data_sets: tuple[str, ...] = ()

    @property
    def cells(self) -> int:
        """How many rows a complete store holds."""
        samples = len(self.sizes) * len(self.seeds)
        with_truth = len(self.contestants) * (len(self.cases) - len(self.data_sets)) * len(self.data)
        learners = sum(one.label != TRUTH for one in self.contestants)
        return samples * (with_truth + learners * len(self.data_sets))

    def applies(self, label: str, case: str, data: str) -> bool:
        """Whether a contestant runs on a case with this kind of data: a data set has no noise and no true graph."""
        return case not in self.data_sets or (data == CLEAN and label != TRUTH)

    def to_dict(self) -> dict[str, Any]:
        """The outline as JSON holds it."""
        return asdict(self)

    @staticmethod
    def from_dict(found: dict[str, Any]) -> Outline:
        """The outline that `to_dict` wrote."""
        lists = {key: tuple(found[key]) for key in ("cases", "sizes", "data", "seeds")}
        parts: dict[str, Any] = {
            "contestants": tuple(ContestantInfo(**each) for each in found["contestants"]),
            "networks": tuple(NetworkSize(**each) for each in found["networks"]),
            "data_sets": tuple(found.get("data_sets", ())),
        }
        return Outline(**{**found, **lists, **parts})
