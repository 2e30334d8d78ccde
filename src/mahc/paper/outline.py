"""Outlines as the paper names things: contestants matched with its algorithms, or an outline made from rows alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from mahc.errors import SettingError
from mahc.experiment.outline import ContestantInfo, Outline
from mahc.experiment.row import TRUTH, Row
from mahc.paper.names import paper_case
from mahc.paper.numbers import ALGORITHMS, CASES, learning_classes


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
