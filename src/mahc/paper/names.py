"""Names in a report: cases, parts of file names, lists of words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mahc.paper.numbers import CASES


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
