"""What can be found wrong with a plan before its first cell runs."""

from __future__ import annotations

import difflib
from collections import Counter
from typing import NoReturn

from mahc.errors import MahcError, SettingError, UnknownNameError
from mahc.experiment.cells import Cell
from mahc.experiment.plan.plan import Case, Plan
from mahc.experiment.plan.spelling import PlanSpelling
from mahc.plurals import count

MISSPELT = 0.75  # of the similarity of two names; a name further away is that of a network that is not here


def check_cases(plan: Plan) -> None:
    """Refuse misspelt networks and data sets that cannot be read; networks that are absent are left to their rows."""
    for case in plan.cases:
        if case.file:
            _check_data_set(case)
        else:
            _check_network(case, plan)


def unavailable_sentences(cells: tuple[Cell, ...]) -> list[str]:
    """How many cells cannot run on this machine, with each reason; none where all can."""
    reasons = Counter(cell.unavailable_reason for cell in cells if cell.unavailable_reason is not None)
    total = count(len(cells), "cell")
    return [f"{number:,} of {total} cannot run here: {reason}" for reason, number in reasons.items()]


def _check_network(case: Case, plan: Plan) -> None:
    from mahc.networks import find_network

    try:
        find_network(case.network, plan.networks)
    except UnknownNameError as mistake:
        if mistake.near and difflib.SequenceMatcher(None, mistake.name, mistake.near).ratio() >= MISSPELT:
            _refuse(case, str(mistake))
    except MahcError:
        return  # the rows of the case say why


def _check_data_set(case: Case) -> None:
    from mahc.data import ReadSettings, audit

    try:
        audit(case.file, ReadSettings(**case.reading)).require()
    except MahcError as mistake:
        _refuse(case, mistake.render(PlanSpelling(table="reading")))


def _refuse(case: Case, sentence: str) -> NoReturn:
    raise SettingError(f"case '{case.name}': {sentence}")
