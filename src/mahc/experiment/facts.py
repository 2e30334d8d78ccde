"""What a store says of the plan that it was run for: contestants, cases, sizes, kinds of data, seeds, limits."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from mahc.networks.sizes import NetworkSize


@dataclass(frozen=True)
class ContestantFacts:
    """A column of the experiment: its name, what ran under it with which settings, and whom it stands for.

    >>> ContestantFacts("Exact", "exact", "exact", "search_in_degree 3", "mahc 0.1.0", "GOBNILP").paper_name
    'GOBNILP'
    """

    label: str
    algorithm: str
    learning_class: str
    settings_text: str
    version: str
    paper_name: str = ""  # the column of the paper that it is laid beside; empty where there is none


@dataclass(frozen=True)
class StoreFacts:
    """The plan behind a store, in the plan's own order.

    >>> facts = StoreFacts("mine", (), ("asia",), (100, 1000), ("clean",), (1,), 60.0, 1024, 1)
    >>> StoreFacts.from_dict(facts.to_dict()) == facts
    True
    """

    plan_name: str
    contestants: tuple[ContestantFacts, ...]
    cases: tuple[str, ...]
    sizes: tuple[int, ...]
    data: tuple[str, ...]
    seeds: tuple[int, ...]
    seconds_limit: float
    memory_limit_mebibytes: int
    threads: int
    networks: tuple[NetworkSize, ...] = ()  # Table 2's line of each case whose network was there, by the case's name

    @property
    def cells(self) -> int:
        """How many rows the store has when the plan is done."""
        return len(self.contestants) * len(self.cases) * len(self.sizes) * len(self.data) * len(self.seeds)

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self)

    @staticmethod
    def from_dict(found: dict[str, Any]) -> StoreFacts:
        """What `to_dict` gave."""
        lists = {key: tuple(found[key]) for key in ("cases", "sizes", "data", "seeds")}
        contestants = tuple(ContestantFacts(**each) for each in found["contestants"])
        networks = tuple(NetworkSize(**each) for each in found["networks"])
        return StoreFacts(**{**found, **lists, "contestants": contestants, "networks": networks})
