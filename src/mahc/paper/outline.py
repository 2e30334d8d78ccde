"""What a report expects to find: who took part, on what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mahc.experiment.row import TRUTH, Row
from mahc.paper.numbers import ALGORITHMS, CASES, learning_classes


@dataclass(frozen=True)
class Contestant:
    """One column of a plan; `paper_name` is what the paper calls the same algorithm, empty for the user's own.

    >>> Contestant.named("HC").learning_class
    'Score-based'
    """

    label: str
    paper_name: str = ""
    learning_class: str = ""
    settings: str = ""
    version: str = ""

    @classmethod
    def named(cls, label: str) -> Contestant:
        """A contestant of which only the label is known: a name of the paper's counts as one."""
        own = {name.casefold(): name for name in (*ALGORITHMS, TRUTH)}.get(label.casefold(), "")
        return cls(label, own, learning_classes().get(own, ""))


@dataclass(frozen=True)
class NetworkFacts:
    """Table 2's line of one case; None where it is not known."""

    nodes: int | None = None
    arcs: int | None = None
    maximum_in_degree: int | None = None
    free_parameters: int | None = None


@dataclass(frozen=True)
class Outline:
    """Contestants, cases, kinds of data, sample sizes and seeds, in the order in which they are shown.

    >>> Outline.of_rows([Row("HC", "asia", "clean", 100, 1, "done")]).cells
    1
    """

    name: str
    contestants: tuple[Contestant, ...]
    cases: tuple[str, ...]
    data: tuple[str, ...]
    sizes: tuple[int, ...]
    seeds: tuple[int, ...]
    networks: tuple[tuple[str, NetworkFacts], ...] = ()
    seconds_limit: float | None = None  # of a cell

    @classmethod
    def of_rows(cls, rows: Sequence[Row], name: str = "experiment") -> Outline:
        """The smallest outline that holds these rows."""
        contestants = [Contestant.named(label) for label in sorted({row.contestant for row in rows})]
        return cls(
            name,
            tuple(sorted(contestants, key=_contestant_rank)),
            tuple(sorted({row.case for row in rows}, key=_case_rank)),
            tuple(sorted({row.data for row in rows}, key=lambda data: (data != "clean", data))),
            tuple(sorted({row.rows for row in rows})),
            tuple(sorted({row.seed for row in rows})),
        )

    @property
    def cells(self) -> int:
        """How many rows a complete store holds."""
        per_contestant = len(self.cases) * len(self.data) * len(self.sizes) * len(self.seeds)
        return len(self.contestants) * per_contestant

    def called(self, paper_name: str) -> Contestant | None:
        """The first contestant that is the paper's algorithm of this name."""
        return next((one for one in self.contestants if one.paper_name == paper_name), None)


def paper_case(case: str) -> str:
    """The paper's case that a name means: `alarm_bayesys`, as the authors' own file has it, is Alarm.

    >>> paper_case("Alarm_bayesys")
    'alarm'
    """
    return case.casefold().removesuffix("_bayesys")


def title_of(case: str) -> str:
    """A case as a person writes it.

    >>> title_of("formed"), title_of("my-own"), title_of("alarm_bayesys")
    ('ForMed', 'my-own', 'alarm_bayesys')
    """
    known = case.casefold()
    return {"formed": "ForMed"}.get(known, known.capitalize()) if known in CASES else case


def file_word(name: str) -> str:
    """A name as a part of a file's name.

    >>> file_word("../My noise")
    'My-noise'
    """
    return "-".join(re.findall(r"[A-Za-z0-9]+", name))


def join(words: Iterable[str]) -> str:
    """Words in a sentence.

    >>> join(["a", "b", "c"])
    'a, b and c'
    """
    known = list(words)
    return " and ".join([", ".join(known[:-1]), known[-1]]) if len(known) > 1 else "".join(known)


def _contestant_rank(one: Contestant) -> tuple[int, str]:
    known = (*ALGORITHMS, TRUTH)
    return (known.index(one.paper_name) if one.paper_name else len(ALGORITHMS), one.label)


def _case_rank(case: str) -> tuple[int, str]:
    known = paper_case(case)
    return (CASES.index(known) if known in CASES else len(CASES), case)
