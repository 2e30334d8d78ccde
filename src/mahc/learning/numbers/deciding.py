"""Which treatment columns of numbers get: from a request whose data have such columns to one that can be searched.

A score of numbers takes them as they are, a score of states needs cut points. Where neither is given, graphs of both
kinds are learned. If some columns are explained better by cut points and others by smooth functions, a third graph is
learned with the former cut. The `Judge` takes the graph that explains the data best.
"""

from __future__ import annotations

from dataclasses import replace

from mahc.data import Dataset, Kind
from mahc.engine import CountSource
from mahc.engine.counts import RowHolder
from mahc.engine.smooth_rows import SmoothRows
from mahc.errors import DataError, Mention, SettingError
from mahc.learning.control import Control
from mahc.learning.found import FoundDag
from mahc.learning.numbers.cutting import BinnedColumns, CutLearner
from mahc.learning.numbers.judging import Judge
from mahc.learning.numbers.record import NumbersRecord
from mahc.learning.request import Request
from mahc.learning.searching import Searched, Settled, search
from mahc.scores import Score, make_score

TREATMENTS = ("smooth", "mixed")  # scores that say how numbers are treated
WORTH_MIXING = 0.02  # share of the bits that one treatment for all columns loses
NEAR = 0.99  # share of the best bits that a quick search with some columns cut must reach for a whole one
LEAST_ROWS = 2  # complete ones, to learn cut points from


def settle_numbers(request: Request, numbers: str, score_given: bool, control: Control) -> Settled:
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
    Settled
        The request with a score of numbers, or with data that are cut.
    """
    if request.algorithm.needs_states:
        name = request.algorithm.name
        if Kind.CONTINUOUS in request.score.columns:
            raise SettingError(
                f"{request.score.name} is a score of numbers, and {name}", " is for states: leave it out"
            )
        if numbers == "smooth":
            raise SettingError(name, " is for states: use ", Mention("numbers", "cuts"))
        return Settled(_cut(request, NumbersRecord("cuts", "algorithm"), control))
    if Kind.CONTINUOUS in request.score.columns:
        if numbers == "cuts":
            raise SettingError(
                f"{request.score.name} is a score of numbers as they are, and ",
                Mention("numbers", "cuts"),
                " cuts them: leave one of the two out",
            )
        name = request.score.name
        return Settled(replace(request, numbers=NumbersRecord(name, "given")) if name in TREATMENTS else request)
    if score_given and numbers == "smooth":
        raise SettingError(
            f"{request.score.name} is a score of states, and ",
            Mention("numbers", "smooth"),
            " needs one of numbers: leave one of the two out",
        )
    if numbers == "cuts" or score_given:
        return Settled(_cut(request, NumbersRecord("cuts", "given" if numbers == "cuts" else "score"), control))
    smooth = replace(request, score=_smooth(request.score))
    if numbers == "smooth":
        return Settled(replace(smooth, numbers=NumbersRecord("smooth", "given")))
    return _choose(request, smooth, control)


def _smooth(score: Score) -> Score:
    return make_score("smooth", base=score.base)


def _choose(request: Request, smooth: Request, control: Control) -> Settled:
    """The best of the treatments, by the judge; smooth where only that is possible."""
    data = _table(request.data)
    reason = _why_not_both(request, data)
    if reason is not None:
        return Settled(replace(smooth, numbers=NumbersRecord("smooth", reason)))
    assert data is not None
    control.phase = "learning with smooth functions"
    curved = search(smooth, control)
    smooth = replace(smooth, score=curved.score, numbers=NumbersRecord("smooth", "time"))
    if control.stop_reason() is not None or not isinstance(curved.found, FoundDag):
        return _stopped(smooth, curved, control)
    control.phase = "learning with cut points"
    columns = BinnedColumns(data, request.ties, request.threads)
    cuts = CutLearner(request, columns, control).learn().cuts
    points = columns.cut_points(cuts)
    tried = {"smooth": Settled(smooth, curved)}
    if control.stop_reason() is None:
        cut = replace(request, data=_in_place_of(request.data, data.cut(points).merge(columns.groups(cuts, data))))
        tried["cuts"] = _search(replace(cut, algorithm=request.algorithm.searching_once()), control)
    if control.stop_reason() is not None:
        return _stopped(smooth, curved, control)
    assert isinstance(curved.problem.rows, SmoothRows)
    judge = Judge(columns, curved.problem.rows)
    graphs = {name: _graph(settled, columns) for name, settled in tried.items()}

    def worth(name: str) -> float:
        return judge.total(graphs[name], cuts=name == "cuts")

    rather_cut = {name: points[name] for name in judge.columns_to_cut(list(graphs.values()))}
    if len(rather_cut) < len(points) and max(map(judge.lost_by_one_treatment, graphs.values())) > WORTH_MIXING:
        control.phase = "learning with some columns cut"
        degree = curved.score.degree  # type: ignore[attr-defined]
        score = make_score("mixed", base=request.score.base, degree=degree)
        third = replace(request, data=_in_place_of(request.data, data.cut(rather_cut)), score=score)
        quick = _search(replace(third, algorithm=request.algorithm.quick() or request.algorithm), control)
        if judge.total(_graph(quick, columns)) > NEAR * max(map(worth, graphs)):
            tried["mixed"] = _search(third, control)
            graphs["mixed"] = _graph(tried["mixed"], columns)
    bits = {name: worth(name) for name in graphs}
    best, second = sorted(bits, key=lambda name: -bits[name])[:2]
    record = NumbersRecord(best, "auto", round(bits[best] - bits[second], 6), second)
    settled = replace(tried[best].request, numbers=record, algorithm=request.algorithm)
    whole = tried[best].request.algorithm == request.algorithm
    return Settled(settled, tried[best].searched if whole else None)


def _stopped(request: Request, searched: Searched, control: Control) -> Settled:
    """What the first search found: with other treatments not compared, the run has ended as `control` says."""
    if control.stop_reason() is None:
        return Settled(request, searched)
    return Settled(request, replace(searched, found=replace(searched.found, stop_reason=control.why_stopped().value)))


def _search(request: Request, control: Control) -> Settled:
    return Settled(request, search(request, control))


def _in_place_of(source: Dataset | CountSource, data: Dataset) -> Dataset | CountSource:
    """The data with other columns; distinct rows of pieces still stand for all rows."""
    return source.replacing(data) if isinstance(source, RowHolder) else data


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
    columns = BinnedColumns(complete, request.ties, request.threads)
    cuts = CutLearner(request, columns, control).learn().cuts
    made = data.cut(columns.cut_points(cuts)).merge(columns.groups(cuts, data))
    return replace(request, data=_in_place_of(request.data, made), numbers=record)


def _table(data: Dataset | CountSource) -> Dataset | None:
    """The rows, where they are in memory."""
    if isinstance(data, RowHolder):
        return data.distinct
    return data if isinstance(data, Dataset) else None


def _graph(settled: Settled, columns: BinnedColumns) -> list[list[int]]:
    """The parents of each of the columns."""
    assert settled.searched is not None
    names = [settled.request.data.names[v] for v in settled.searched.order]
    place = [columns.data.index(name) for name in names]
    found: list[list[int]] = [[] for _ in names]
    for u, v in settled.searched.arcs:
        found[place[v]].append(place[u])
    return found
