"""The rows of an experiment under the paper's names, looked up by cell, experiment or seed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, Protocol

from mahc.errors import DataError, SettingError
from mahc.lab.outline import TRUTH, ContestantInfo, Outline, Row
from mahc.lab.paper.numbers import ALGORITHMS, CASES, SIZES, learning_classes, raw_rows
from mahc.lab.report.table import Estimate
from mahc.plurals import count

MEASURES = ("bsf", "shd", "f1", "recall", "precision")
MEASURE_TITLES = {"bsf": "BSF", "shd": "SHD", "f1": "F1", "recall": "Recall", "precision": "Precision"}


def paper_case(case: str) -> str:
    """The paper's case that a name means: `alarm_bayesys`, the name of the authors' file, is Alarm.

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


class _Named(Protocol):
    @property
    def label(self) -> str: ...
    @property
    def paper_name(self) -> str: ...


def check_paper_names(contestants: Iterable[_Named]) -> None:
    """Refuse a `paper_name` that the paper does not have.

    >>> check_paper_names([ContestantInfo("mine", paper_name="MAHCC")])
    Traceback (most recent call last):
    mahc.errors.SettingError: contestant 'mine': paper_name is 'MAHCC', which the paper does not have: ...
    """
    for one in contestants:
        if one.paper_name not in (*ALGORITHMS, _name_of_label(one.label), ""):
            raise SettingError(
                f"contestant '{one.label}': paper_name is '{one.paper_name}', which the paper does not have: "
                f"give one of {', '.join(ALGORITHMS)} in the plan and run it again (no cell is repeated)"
            )


def match_contestant(found: ContestantInfo) -> ContestantInfo:
    """The contestant under the paper's name and class; a label that is one of the paper's names needs no other.

    >>> match_contestant(ContestantInfo("hc", learning_class="mine"))
    ContestantInfo(label='hc', ..., learning_class='Score-based', ..., paper_name='HC', ...)
    """
    paper_name = found.paper_name or _name_of_label(found.label)
    given = found.learning_class
    # The paper's own word for the class, so that the classes of Figure 3 are the paper's.
    learning_class = learning_classes().get(paper_name, given[:1].upper() + given[1:])
    return replace(found, paper_name=paper_name, learning_class=learning_class)


def match_outline(outline: Outline) -> Outline:
    """The outline with every contestant under the paper's name."""
    check_paper_names(outline.contestants)
    return replace(outline, contestants=tuple(map(match_contestant, outline.contestants)))


def outline_of_rows(rows: Sequence[Row], plan_name: str = "experiment") -> Outline:
    """The smallest outline that holds these rows, in the paper's order.

    >>> outline_of_rows([Row("HC", "asia", "clean", 100, 1, "done")]).cells
    1
    """
    contestants = [match_contestant(ContestantInfo(label)) for label in sorted({row.contestant for row in rows})]
    return Outline(
        plan_name,
        contestants=tuple(sorted(contestants, key=_contestant_rank)),
        cases=tuple(sorted({row.case for row in rows}, key=_case_rank)),
        sizes=tuple(sorted({row.rows for row in rows})),
        data=tuple(sorted({row.data for row in rows}, key=lambda data: (data != "clean", data))),
        seeds=tuple(sorted({row.seed for row in rows})),
    )


def _name_of_label(label: str) -> str:
    return {name.casefold(): name for name in (*ALGORITHMS, TRUTH)}.get(label.casefold(), "")


def _contestant_rank(one: ContestantInfo) -> tuple[int, str]:
    known = (*ALGORITHMS, TRUTH)
    return (known.index(one.paper_name) if one.paper_name else len(ALGORITHMS), one.label)


def _case_rank(case: str) -> tuple[int, str]:
    known = paper_case(case)
    return (CASES.index(known) if known in CASES else len(CASES), case)


class Experiment(NamedTuple):
    """One sample on which all contestants are compared."""

    case: str
    data: str
    size: int
    seed: int


class Results:
    """The rows of an experiment with its outline; a cell without a row has not been run.

    >>> results = Results([Row("HC", "asia", "clean", 100, 1, "done", measures={"f1": 0.5})])
    >>> results.measure(results.outline.contestants[0], Experiment("asia", "clean", 100, 1), "f1")
    0.5
    """

    def __init__(self, rows: Sequence[Row], outline: Outline | None = None) -> None:
        self.outline = outline_of_rows(rows) if outline is None else match_outline(outline)
        self._rows: dict[tuple[str, Experiment], Row] = {}
        for row in rows:
            key = (row.contestant, Experiment(row.case, row.data, row.rows, row.seed))
            if key in self._rows:
                raise DataError(f"two rows for {row.contestant} on {_describe(key[1])}: give one row for each cell")
            self._rows[key] = row

    def by_paper_name(self, name: str) -> ContestantInfo | None:
        """The first contestant that stands for the paper's algorithm of this name."""
        return next((one for one in self.outline.contestants if one.paper_name == name), None)

    @property
    def reference(self) -> ContestantInfo | None:
        """The contestant that the others are compared with: the plan's `reference`, otherwise MAHC as in the paper."""
        named = (one for one in self.outline.contestants if one.label == self.outline.reference)
        return next(named, None) if self.outline.reference else self.by_paper_name("MAHC")

    @property
    def reference_name(self) -> str:
        """How tables call the reference."""
        return "MAHC" if self.reference is None or self.reference.paper_name == "MAHC" else self.reference.label

    @property
    def follows_paper(self) -> bool:
        """Whether all cases are the paper's and the reference is MAHC, so that the paper's numbers belong here."""
        compared = self.reference is not None and self.reference.paper_name == "MAHC"
        return compared and all(paper_case(case) in CASES for case in self.outline.cases)

    @property
    def truth(self) -> ContestantInfo | None:
        """The contestant that returns the true graph."""
        return self.by_paper_name(TRUTH)

    @cached_property
    def learners(self) -> tuple[ContestantInfo, ...]:
        """Every contestant except the ground truth and those that take part in no sample of this run."""
        found = (one for one in self.outline.contestants if one.paper_name != TRUTH)
        return tuple(one for one in found if self.places(one))

    @property
    def others(self) -> tuple[ContestantInfo, ...]:
        """Every learner except the reference; where that is MAHC, its two ablations are left out too."""
        reference = self.reference
        if reference is None or reference.paper_name == "MAHC":
            return tuple(one for one in self.learners if not one.paper_name.startswith("MAHC"))
        return tuple(one for one in self.learners if one.label != reference.label)

    @cached_property
    def on_networks(self) -> Results:
        """The results without the data sets that have no true graph."""
        outline = self.outline
        cases = tuple(case for case in outline.cases if case not in outline.data_sets)
        if len(cases) == len(outline.cases):
            return self
        rows = [row for row in self._rows.values() if row.case in cases]
        return Results(rows, outline.only(cases))

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows."""
        return tuple(self._rows.values())

    @property
    def unavailable(self) -> tuple[Row, ...]:
        """Rows of contestants that could not run here, in the order of the plan."""
        return tuple(row for row in self.failed if row.outcome == "unavailable")

    def row(self, who: ContestantInfo, where: Experiment) -> Row | None:
        """The row of this contestant in this experiment, or None if it has not run."""
        return self._rows.get((who.label, where))

    def measure(self, who: ContestantInfo, where: Experiment, name: str) -> float | None:
        """A measure of a finished cell."""
        return self.value(who, where, lambda row: row.measures.get(name))

    def score(self, who: ContestantInfo, where: Experiment) -> float | None:
        """The score of a finished cell."""
        return self.value(who, where, lambda row: row.score)

    def value(self, who: ContestantInfo, where: Experiment, read: Callable[[Row], float | None]) -> float | None:
        """What is read from the row of a finished cell."""
        row = self.row(who, where)
        return read(row) if row is not None and row.finished else None

    def finished(self, who: ContestantInfo, where: Experiment) -> bool:
        """Whether this contestant has a graph in this experiment."""
        row = self.row(who, where)
        return row is not None and row.finished

    def experiments(
        self, data: str | None = None, *, seed: int | None = None, size: int | None = None, case: str | None = None
    ) -> Iterator[Experiment]:
        """The experiments with this kind of data, seed, size and case, in the order of the plan; None means any."""
        for where in self._samples:
            if data not in (None, where.data) or seed not in (None, where.seed):
                continue
            if size in (None, where.size) and case in (None, where.case):
                yield where

    @cached_property
    def _samples(self) -> tuple[Experiment, ...]:
        return tuple(Experiment(*sample) for sample in self.outline.samples())

    def places(self, who: ContestantInfo | None = None, data: str | None = None) -> list[tuple[str, str, int]]:
        """Data, case and size of the samples with this kind of data in which a contestant takes part, seeds aside."""
        wheres = (where for where in self.experiments(data) if who is None or self.takes_part(who, where))
        return list(dict.fromkeys((where.data, where.case, where.size) for where in wheres))

    def takes_part(self, who: ContestantInfo, where: Experiment) -> bool:
        """Whether the plan has this contestant on this sample."""
        return self.outline.has_cell(who.label, *where)

    @cached_property
    def partial(self) -> tuple[ContestantInfo, ...]:
        """Learners that take part in only some samples; none if no learner takes part in all."""
        every = list(self.experiments())
        found = tuple(one for one in self.learners if not all(self.takes_part(one, where) for where in every))
        return found if len(found) < len(self.learners) else ()

    @property
    def complete(self) -> tuple[ContestantInfo, ...]:
        """The other learners: their means and sums are over the same samples."""
        return tuple(one for one in self.learners if one not in self.partial)

    @cached_property
    def shared_seeds(self) -> tuple[int, ...]:
        """The seeds that all cases have; all seeds if there are none."""
        kept = {where.seed for where in same_seeds(list(self.experiments()))}
        return tuple(seed for seed in self.outline.seeds if seed in kept)

    def over_seeds(self, statistic: Callable[[int], float | None]) -> Estimate | None:
        """The mean over the seeds of a statistic over several cases: over the seeds that all cases have."""
        return Estimate.of(statistic(seed) for seed in self.shared_seeds)

    def over_all_seeds(self, statistic: Callable[[int], float | None]) -> Estimate | None:
        """The mean over the seeds of a statistic of one case; it is None for seeds that the case does not have."""
        return Estimate.of(statistic(seed) for seed in self.outline.seeds)

    @cached_property
    def missing(self) -> tuple[tuple[ContestantInfo, Experiment], ...]:
        """Cells of the plan that have no row yet."""
        return tuple(
            (who, where)
            for who in self.outline.contestants
            for where in self.experiments()
            if (who.label, where) not in self._rows and self.takes_part(who, where)
        )

    @cached_property
    def failed(self) -> tuple[Row, ...]:
        """Rows without a graph, in the order of the plan."""
        return tuple(row for row in self._in_order() if not row.finished)

    @cached_property
    def early(self) -> tuple[Row, ...]:
        """Rows whose graph is the best one found when the learner was stopped, in the order of the plan."""
        return tuple(row for row in self._in_order() if row.finished and row.stop_reason not in (None, "converged"))

    def _in_order(self) -> Iterator[Row]:
        for who in self.outline.contestants:
            for where in self.experiments():
                row = self.row(who, where)
                if row is not None:
                    yield row


def same_seeds(wheres: Sequence[Experiment]) -> list[Experiment]:
    """The samples whose seed every case has, so that each seed's mean is over the same cases; all if there are none.

    >>> wheres = [Experiment(case, "clean", 100, seed) for case, seed in (("asia", 1), ("asia", 2), ("alarm", 1))]
    >>> [(where.case, where.seed) for where in same_seeds(wheres)]
    [('asia', 1), ('alarm', 1)]
    """
    seeds: dict[str, set[int]] = {}
    for where in wheres:
        seeds.setdefault(where.case, set()).add(where.seed)
    shared = set.intersection(*seeds.values()) if seeds else set()
    return [where for where in wheres if where.seed in shared or not shared]


def _describe(where: Experiment) -> str:
    return f"{where.case}, {where.data}, {count(where.size, 'row')}, seed {where.seed}"


def printed_subset(results: Results) -> Results:
    """Table B.1, restricted to the cases, sizes and data of this run, and of each contestant in it."""
    if not results.follows_paper:
        return Results(())
    everyone = {one.paper_name: one for one in results.outline.contestants}
    ran = {name: _paper_places(results, one) for name, one in everyone.items()}
    every = _paper_places(results, None)
    kept = [row for row in raw_rows() if (row.data, row.case, row.rows) in ran.get(row.contestant, every)]
    return Results(kept)


def _paper_places(results: Results, who: ContestantInfo | None) -> set[tuple[str, str, int]]:
    return {(data, paper_case(case), size) for data, case, size in results.places(who)}


def covers_paper(results: Results) -> bool:
    """Whether the run has exactly the cases and sizes behind the paper's averages, and compares with MAHC."""
    outline = results.outline
    return (
        results.follows_paper
        and len(results.places()) == len(outline.data) * len(outline.cases) * len(outline.sizes)
        and all(results.places(one) == results.places() for one in results.learners)
        and {paper_case(case) for case in outline.cases} == set(CASES)
        and set(outline.sizes) == set(SIZES)
    )
