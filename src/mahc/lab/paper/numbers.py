"""The paper's tables under this project's names: cases in lower case, data `clean` and `cMISL`."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from mahc.lab.outline import Row

ONLY_PRUNING, ONLY_AVERAGING = "MAHC_onlyPruning", "MAHC_onlyAveraging"
# The algorithms that the paper compares, in the order of Table 6, the ablations after the algorithm they are parts of.
ALGORITHMS = (
    *("MAHC", ONLY_PRUNING, ONLY_AVERAGING, "HC", "TABU"),
    *("GOBNILP", "MMHC", "SaiyanH", "PC-Stable", "FCI"),
)
CASES = ("asia", "sports", "property", "alarm", "formed", "pathfinder")  # in the order of Table B.1
SIZES = (100, 1000, 10000, 100000)
DATA = MappingProxyType({"clean": "Clean", "cMISL": "Noisy"})  # our name -> the paper's
# Tables 4 and 5 have two headings swapped; Table B.1 shows it (docs/explanation/paper-tables.md).
PRINTED_UNDER = MappingProxyType({"shd": "f1", "f1": "shd"})
MEASURES = ("bsf", "shd", "f1", "recall", "precision")


def _lines(name: str) -> Iterator[dict[str, str]]:
    text = files("mahc.lab.paper").joinpath("printed", name).read_text(encoding="utf-8")
    yield from csv.DictReader(text.splitlines())


def _our_data(printed: str) -> str:
    return next((ours for ours, theirs in DATA.items() if theirs == printed), printed.lower())


@cache
def network_facts() -> Mapping[str, Mapping[str, float]]:
    """Table 2: nodes, arcs, average degree, maximum in-degree and free parameters of each case.

    >>> network_facts()["asia"]["free_parameters"]
    18.0
    """
    return {
        line["case"].lower(): {k: float(v) for k, v in line.items() if k != "case"} for line in _lines("table_2.csv")
    }


@cache
def wins(data: str) -> Mapping[str, Mapping[tuple[str, str], float]]:
    """Table 4 (clean) or 5 (cMISL): how often MAHC beat, equalled or lost to each algorithm, by measure, in percent.

    The columns printed as SHD and F1 are swapped here, because the paper swaps their headings.

    >>> wins("clean")["HC"]["overall", "better"], wins("clean")["HC"]["f1", "better"]
    (68.3, 62.5)
    """
    name = {"clean": "table_4.csv", "cMISL": "table_5.csv"}[data]
    found = {}
    for line in _lines(name):
        found[line["relative_to"]] = {
            (measure, word): float(line[f"{PRINTED_UNDER.get(measure, measure)} {word}"])
            for measure in (*MEASURES, "overall")
            for word in ("better", "same", "worse")
        }
    return found


@cache
def learning_classes() -> Mapping[str, str]:
    """The class of each algorithm, as Tables 4 and 5 name it.

    >>> learning_classes()["GOBNILP"]
    'Exact score-based'
    """
    return {line["relative_to"]: line["learning_class"] for line in _lines("table_4.csv")}


@cache
def normalised_scores() -> Mapping[tuple[str, int, str], float]:
    """Table 6: the mean normalised BIC in percent, by data, sample size and algorithm.

    >>> normalised_scores()["clean", 100000, "Ground truth"]
    98.15
    """
    return {
        (_our_data(line["data"]), int(line["rows"]), line["algorithm"]): float(line["percent"])
        for line in _lines("table_6.csv")
    }


@cache
def average_changes() -> Mapping[tuple[str, str], Mapping[str, float]]:
    """Table 7: changes against HC in percent, and seconds a case, by data (or `overall`) and algorithm.

    >>> average_changes()["overall", "MAHC"]["f1"]
    15.36
    """
    return {
        (_our_data(line["data"]), line["algorithm"]): {
            key: float(value) for key, value in line.items() if key not in ("data", "algorithm")
        }
        for line in _lines("table_7.csv")
    }


@cache
def raw_rows() -> tuple[Row, ...]:
    """Table B.1 as rows of an experiment with one seed, 0; a line without measures is a failed cell.

    >>> len(raw_rows()), sum(row.finished for row in raw_rows())
    (384, 365)
    """
    return tuple(_row(line) for line in _lines("table_b1.csv"))


def _row(line: Mapping[str, str]) -> Row:
    finished = all(line[name] for name in MEASURES)
    return Row(
        contestant=line["algorithm"],
        case=line["case"].lower(),
        data=_our_data(line["data"]),
        rows=int(line["rows"]),
        seed=0,
        outcome="done" if finished else "time_limit",
        reason=(f"no score: {line['note']}" if line["note"] else "") if finished else "no result printed in Table B.1",
        measures=MappingProxyType({name: float(line[name]) for name in MEASURES} if finished else {}),
        score=float(line["bic"]) if line["bic"] else None,
        version="paper",
    )


@cache
def text_number(key: str) -> float:
    """A number that only a sentence of the paper gives.

    >>> text_number("asia 1000 pruned at level 1")
    28.0
    """
    return {line["key"]: float(line["value"]) for line in _lines("text.csv")}[key]
