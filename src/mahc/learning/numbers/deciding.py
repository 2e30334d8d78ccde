"""Which treatment columns of numbers get: from a request whose data have such columns to one that can be searched.

A score of numbers takes them as they are, a score of states needs cut points. Where neither is given, graphs of both
kinds are learned. If some columns are explained better by cut points and others by smooth functions, a third graph is
learned with the former cut. The `Judge` takes the graph that explains the data best.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mahc.data import Dataset, Kind
from mahc.engine import CountSource
from mahc.engine.counts import RowHolder
from mahc.engine.wide_rows import hold_rows
from mahc.errors import DataError, Mention, SettingError
from mahc.learning.control import Control
from mahc.learning.found import FoundDag
from mahc.learning.numbers.cutting import BinnedColumns, CutLearner
from mahc.learning.numbers.judging import Judge
from mahc.learning.numbers.record import NumbersRecord
from mahc.learning.request import Request
from mahc.learning.searching import Searched, search
from mahc.learning.tie_order import order_variables
from mahc.scores import Score, make_score

TREATMENTS = ("smooth", "mixed")  # scores that say how numbers are treated
WORTH_MIXING = 0.02  # share of the bits that one treatment for all columns loses
LEAST_ROWS = 2  # complete ones, to learn cut points from


def settle_numbers(request: Request, numbers: str, score_given: bool, control: Control) -> Request:
    """The request with its numbers treated as `numbers` and the score say: ready to be searched.

    Parameters
    ----------
    request : Request
        Its data have columns of numbers.
    numbers : str
        "auto", "smooth" or "cuts".
    score_given : bool
        Whether the user chose the score. A score of states then implies cut points.
    control : Control
        Its limits end the search for a treatment with the best so far.

    Returns
    -------
    Request
        With a score of numbers, or with data that are cut.
    """
    if request.algorithm.needs_states:
        name = request.algorithm.name
        if Kind.DISCRETE not in request.score.columns:
            raise SettingError(
                f"{request.score.name} is a score of numbers, and {name}", " is for states: leave it out"
            )
        if numbers == "smooth":
            raise SettingError(name, " is for states: use ", Mention("numbers", "cuts"))
        return _cut(request, NumbersRecord("cuts", "algorithm"), control)
    if Kind.CONTINUOUS in request.score.columns:
        if numbers == "cuts":
            raise SettingError(
                f"{request.score.name} is a score of numbers as they are, and ",
                Mention("numbers", "cuts"),
                " cuts them: leave one of the two out",
            )
        name = request.score.name
        return replace(request, numbers=NumbersRecord(name, "given")) if name in TREATMENTS else request
    if score_given and numbers == "smooth":
        raise SettingError(
            f"{request.score.name} is a score of states, and ",
            Mention("numbers", "smooth"),
            " needs one of numbers: leave one of the two out",
        )
    if numbers == "cuts" or score_given:
        return _cut(request, NumbersRecord("cuts", "given" if numbers == "cuts" else "score"), control)
    smooth = replace(request, score=_smooth(request.score))
    if numbers == "smooth":
        return replace(smooth, numbers=NumbersRecord("smooth", "given"))
    return _choose(request, smooth, control)


def _smooth(score: Score) -> Score:
    return make_score("smooth", base=score.base)


def _choose(request: Request, smooth: Request, control: Control) -> Request:
    """The best of the treatments, by the judge; smooth where only that is possible."""
    data = _table(request.data)
    if data is not None and data.interventions is not None:
        return _cut(request, NumbersRecord("cuts", "experiments"), control)
    reason = _why_not_both(request, data)
    if reason is not None:
        return replace(smooth, numbers=NumbersRecord("smooth", reason))
    assert data is not None
    control.phase = "learning with smooth functions"
    curved = search(smooth, control, details=False)
    smooth = replace(smooth, score=curved.score, numbers=NumbersRecord("smooth", "time"))
    if control.stop_reason() is not None or not isinstance(curved.found, FoundDag):
        return smooth
    control.phase = "learning with cut points"
    columns = BinnedColumns(_in_tie_order(data, request))
    cuts = CutLearner(request, columns, control).learn().cuts
    points = columns.cut_points(cuts)
    cut = replace(request, data=data.cut(points).merge(columns.groups(cuts, data)))
    graphs = [_graph(curved, request, columns), _graph(search(cut, control, details=False), request, columns)]
    requests = {"smooth": smooth, "cuts": cut}
    if control.stop_reason() is not None:
        return smooth
    judge = Judge(columns, request.threads)
    rather_cut = {name: points[name] for name in judge.columns_to_cut(graphs)}
    if len(rather_cut) < len(points) and max(map(judge.lost_by_one_treatment, graphs)) > WORTH_MIXING:
        control.phase = "learning with some columns cut"
        degree = curved.score.degree  # type: ignore[attr-defined]
        score = make_score("mixed", base=request.score.base, degree=degree)
        requests["mixed"] = replace(request, data=data.cut(rather_cut), score=score)
        graphs.append(_graph(search(requests["mixed"], control, details=False), request, columns))
    bits = dict(zip(requests, map(judge.total, graphs), strict=True))
    best, second = sorted(bits, key=lambda name: -bits[name])[:2]
    record = NumbersRecord(best, "auto", round(bits[best] - bits[second], 6), second)
    return replace(requests[best], numbers=record)


def _why_not_both(request: Request, data: Dataset | None) -> str | None:
    """Why cut points cannot be compared with smooth functions here; None where they can."""
    if data is None:
        return "passes"
    if not data.complete:
        return "missing"
    return "tests" if request.algorithm.counts_states else None


def _cut(request: Request, record: NumbersRecord, control: Control) -> Request:
    """The request with learned cut points; they come from the rows without missing values."""
    data = _table(request.data)
    if data is None:
        raise DataError(
            "cut points are learned from rows, and these data are counted in passes: use ",
            Mention("numbers", "smooth"),
            ", or give cut points with ",
            Mention("discretise"),
        )
    complete = data
    if not data.complete:
        if int(data.complete_rows.sum()) < LEAST_ROWS:
            raise DataError(
                "no two rows are complete, so cut points cannot be learned: give them with ", Mention("discretise")
            )
        complete = data.drop_incomplete()
    control.phase = "learning with cut points"
    columns = BinnedColumns(_in_tie_order(complete, request))
    cuts = CutLearner(request, columns, control).learn().cuts
    return replace(request, data=data.cut(columns.cut_points(cuts)).merge(columns.groups(cuts, data)), numbers=record)


def _table(data: Dataset | CountSource) -> Dataset | None:
    """The rows, where they are in memory."""
    if isinstance(data, RowHolder):
        return data.distinct
    return data if isinstance(data, Dataset) else None


def _in_tie_order(data: Dataset, request: Request) -> Dataset:
    """The data with their variables in the order that breaks ties, so that the order of columns decides nothing."""
    binned = BinnedColumns(data)
    states = [range(bins) for bins in binned.bins]
    coded = Dataset.coded(data.names, states, [codes.astype(np.uint32) for codes in binned.codes], data.weights)
    order = order_variables(hold_rows(coded, request.threads, 64), request.ties)
    return data.select([data.names[v] for v in order])


def _graph(searched: Searched, request: Request, columns: BinnedColumns) -> list[list[int]]:
    """The parents of each of the columns."""
    names = [request.data.names[v] for v in searched.order]
    place = [columns.data.index(name) for name in names]
    found: list[list[int]] = [[] for _ in names]
    for u, v in searched.arcs:
        found[place[v]].append(place[u])
    return found
