"""A result in files: result.json, and a folder with the graph as arcs, DOT, GraphML and a picture.

The fields of result.json are those of the records of data and run and of the outcome, as they are declared, and what
follows from them for those who read the file (`Derived`); only the former are read again.
"""

from __future__ import annotations

from contextlib import suppress
from os import PathLike
from typing import Any

from msgspec import field

from mahc.documents import MAX_CELLS, Document, Format, Number, format_json, from_plain, read_json, to_plain
from mahc.errors import FormatError
from mahc.files import to_path, write_all
from mahc.graphs import DAG
from mahc.graphs.files import format_graph
from mahc.learning.settings import choose_algorithm
from mahc.results.edges import edge_attributes, edge_records
from mahc.results.graph_sample import read_part
from mahc.results.learned import Learned
from mahc.results.outcomes import DagOutcome, Outcome
from mahc.results.records import DataRecord, RunRecord

RESULT = Format(
    "mahc-result", 3, "a mahc result", "give the result.json that `mahc learn --out DIR` wrote", "learn again"
)
FILES = ("graph.csv", "graph.dot", "graph.graphml", "graph.svg", "result.json")
CONFIDENCE_FILES = ("confidence.csv", "confidence.json")
MAX_EDGES_DRAWN = 1_000  # more cannot be told apart in a picture, and take minutes


class Derived(Document, frozen=True):
    """What result.json and `mahc learn --json` say besides the records: it follows from them."""

    format_version: int
    score_settings: dict[str, float | None]
    kind: str
    arcs: tuple[tuple[str, str], ...]
    edges: tuple[tuple[str, str, str], ...] | None
    extension: tuple[tuple[str, str], ...] | None
    strengths: tuple[Number | None, ...]
    reversible: tuple[bool | None, ...]
    averaged_score: Number | None
    gap: Number | None
    pruning: Any
    constraint_costs: Any
    steps: int
    missed_arcs: tuple[tuple[str, str, Number], ...] = ()  # that would raise the score, and by how much
    costly_arcs: tuple[tuple[str, str, Number], ...] = ()  # without which the score would be higher, and by how much
    by_experiment: tuple[bool, ...] = ()  # for each arc whether an experiment tells its direction; none without any
    changes: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what differs between the states of each context
    total_seconds: Number = 0.0  # of the whole run: the sum of `timings`; `seconds` is the search alone


def _derive(learned: Learned) -> Derived:
    records, outcome = {(edge.left, edge.right): edge for edge in edge_records(learned)}, learned.outcome
    in_order = [records[left, right] for left, _, right in learned.edges or ((a, "", b) for a, b in learned.arcs)]
    told = learned.run.experiments
    return Derived(
        format_version=RESULT.version,
        score_settings=learned.run.score_settings,
        kind=learned.kind,
        arcs=learned.arcs,
        edges=learned.edges,
        extension=learned.extension,
        strengths=tuple(edge.strength for edge in in_order),
        reversible=tuple(edge.reversible for edge in in_order),
        averaged_score=learned.averaged_score,
        gap=learned.gap,
        pruning=learned.pruning,
        constraint_costs=learned.constraint_costs,
        steps=len(learned.steps),
        missed_arcs=tuple(outcome.missed_arcs(learned.run)) if isinstance(outcome, DagOutcome) else (),
        costly_arcs=tuple(outcome.costly_arcs(learned.run)) if isinstance(outcome, DagOutcome) else (),
        by_experiment=() if told is None else tuple(told.directs(edge.left, edge.right) for edge in in_order),
        changes=learned.changes,
        total_seconds=learned.run.total_seconds,
    )


def summary_to_dict(learned: Learned) -> dict[str, Any]:
    """The part that `mahc learn --json` prints."""
    run, data = to_plain(learned.run), to_plain(learned.data)
    score = run["score"] | {"value": learned.score}
    derived = to_plain(_derive(learned))
    del derived["score_settings"]  # they are in `score`
    first = {"algorithm": run["algorithm"], "settings": run["settings"], "variables": list(learned.variables)}
    numbers = None if run["numbers"] is None else run["numbers"] | {"degree": score.get("degree")}
    groups = {name: [list(group) for group in own] for name, own in learned.merged_states.items()}
    first |= {"numbers": numbers, "cut_points": {name: list(cuts) for name, cuts in learned.cut_points.items()}}
    first["merged_states"] = groups
    last = {
        name: run[name] for name in ("stop_reason", "version", "seconds", "timings", "measurement_error", "experiments")
    }
    del data["reading"]
    return {**derived, **first, "score": score, **last, **data}


def learned_to_dict(learned: Learned) -> dict[str, Any]:
    """Everything, as plain JSON values."""
    outcome = learned.outcome if _keeps_pairs(learned) else learned.outcome.without_details()
    # Every result has these fields, though not every kind of outcome.
    found: dict[str, Any] = {"path": [], "arc_details": None, "test_details": None}
    for part in (learned.run, learned.data, outcome, _derive(learned)):
        found |= to_plain(part)
    found["score"] |= {"value": learned.score}
    confidence = None if learned.confidence is None else learned.confidence.to_dict()
    return RESULT.stamp({**found, "confidence": confidence})


def _keeps_pairs(learned: Learned) -> bool:
    """Whether the details of all pairs are saved: of more than about 1,000 variables they are not."""
    return len(learned.variables) ** 2 <= MAX_CELLS


def load_learned(path: str | PathLike[str]) -> Learned:
    """Read a result; a FormatError with the file's name where it is not one."""
    return learned_from_dict(read_json(path, RESULT.expected), path)


def learned_from_dict(found: object, place: object, expected: str | None = None) -> Learned:
    """The result that `learned_to_dict` gave; a FormatError that begins with `place` where it is not one."""
    document = RESULT.check(found, place, expected)
    with RESULT.refusing_damage(place):
        data, run, outcome = (from_plain(document, kind) for kind in (DataRecord, RunRecord, Outcome))
        learned = Learned(data, run, outcome)
        _check_parts(learned)
        if document.get("arcs") != [list(arc) for arc in learned.arcs]:
            raise ValueError("arcs and edges do not fit each other")
        sample = document.get("confidence")
        return learned if sample is None else learned.with_confidence(read_part(from_plain(sample, dict[str, Any])))


def _check_parts(learned: Learned) -> None:
    """Check what the parts must agree on: known settings, a knowledge and start graph that fit the variables."""
    learned.outcome.check(learned.run, _keeps_pairs(learned))
    choose_algorithm(learned.algorithm, learned.settings)
    learned.pattern  # noqa: B018 - builds it, which fails where the knowledge does not fit the graph
    DAG(learned.variables, learned.run.start)
    learned.knowledge.check(learned.variables, search_in_degree=max(1, len(learned.variables)))


def write_result(learned: Learned, folder: str | PathLike[str]) -> None:
    """Write all files of a result, or none of them.

    Parameters
    ----------
    learned : Learned
        What `mahc.learn` returned.
    folder : str or path
        The folder, made where absent; files of an earlier result in it are replaced. Where the result has a
        confidence, confidence.csv (the frequencies of all pairs) and confidence.json are written too.
        graph.graphml is left out where XML cannot hold a name, graph.svg where the graph has more than 1,000
        edges: `Learned.plot(around=...)` draws a part.

    Returns
    -------
    None
        The files are in the folder.

    Raises
    ------
    MahcError
        Where the folder cannot be written.

    Examples
    --------
    >>> import mahc, tempfile
    >>> from pathlib import Path
    >>> learned = mahc.learn({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_result(learned, folder)
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['graph.csv', 'graph.dot', 'graph.graphml', 'graph.svg', 'result.json']
    """
    place, known = to_path(folder), edge_attributes(learned)
    contents = {f"graph.{suffix}": format_graph(learned.graph, suffix, known) for suffix in ("csv", "dot")}
    with suppress(FormatError):
        contents["graph.graphml"] = format_graph(learned.graph, "graphml", known)
    if learned.outcome.edge_number <= MAX_EDGES_DRAWN:
        contents["graph.svg"] = f"{learned.plot().svg}\n"
    contents["result.json"] = format_json(learned_to_dict(learned))
    if learned.confidence is not None:
        contents["confidence.csv"] = learned.confidence.to_frame().write_csv()
        contents["confidence.json"] = format_json(learned.confidence.to_dict())
    write_all(place, contents)
    for name in (*FILES, *CONFIDENCE_FILES):
        if name not in contents:  # of an earlier result: it would be taken for this one's
            (place / name).unlink(missing_ok=True)
