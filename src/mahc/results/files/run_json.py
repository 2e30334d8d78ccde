"""The records of a run and of its data as plain JSON values and back."""

from __future__ import annotations

from typing import Any

from mahc.cluster.pass_log import PassesRecord, PhaseRecord
from mahc.data.reading_record import ReadingRecord
from mahc.knowledge.knowledge import Knowledge
from mahc.learning.stop_reason import StopReason
from mahc.results.files.json_values import as_list, as_number, as_pairs, as_table, as_text, as_whole
from mahc.results.records import DataRecord, RunRecord
from mahc.scores import make_score


def data_to_dict(data: DataRecord) -> dict[str, Any]:
    """The data that were learned from."""
    passes = None if data.passes is None else passes_to_dict(data.passes)
    return {"rows": data.rows, "size": data.size, "fingerprint": data.fingerprint, "passes": passes}


def data_from_dict(found: dict[str, Any]) -> DataRecord:
    """The record that was written; a ValueError or KeyError where the values are wrong."""
    reading = found.get("reading")
    record = None if reading is None else reading_from_dict(as_table(reading))
    passes = found.get("passes")
    return DataRecord(
        as_text(found["fingerprint"]),
        as_whole(found["rows"]),
        as_whole(found["size"]),
        record,
        None if passes is None else passes_from_dict(as_table(passes)),
    )


def passes_to_dict(record: PassesRecord) -> dict[str, Any]:
    """The passes over data in pieces."""
    phases = {
        name: {"passes": each.passes, "bytes": each.bytes, "seconds": each.seconds}
        for name, each in record.phases.items()
    }
    return {
        "total": record.total,
        "pieces": record.pieces,
        "bytes": record.bytes,
        "spool_bytes": record.spool_bytes,
        "phases": phases,
    }


def passes_from_dict(found: dict[str, Any]) -> PassesRecord:
    """The record that was written; an error where a value is wrong."""
    phases = {}
    for name, each in as_table(found["phases"]).items():
        phase = as_table(each)
        read = None if phase["bytes"] is None else as_whole(phase["bytes"])
        phases[name] = PhaseRecord(as_whole(phase["passes"]), read, as_number(phase["seconds"]))
    return PassesRecord(as_whole(found["pieces"]), phases, as_whole(found["spool_bytes"]))


def reading_to_dict(reading: ReadingRecord) -> dict[str, Any]:
    """How the data were read."""
    return {
        "settings": dict(reading.settings),
        "cut_points": {name: list(cuts) for name, cuts in reading.cut_points.items()},
        "left": list(reading.left),
        "query": None if reading.query is None else dict(reading.query),
    }


def reading_from_dict(found: dict[str, Any]) -> ReadingRecord:
    """The record that was written; an error where a value is wrong."""
    cuts = as_table(found["cut_points"])
    return ReadingRecord(
        as_table(found["settings"]),
        {name: tuple(as_number(cut) for cut in as_list(points)) for name, points in cuts.items()},
        tuple(as_text(name) for name in as_list(found["left"])),
        _query_from_dict(found.get("query")),
    )


def _query_from_dict(found: Any) -> dict[str, str | None] | None:
    if found is None:
        return None
    table = as_table(found)
    database = table.get("database")
    return {"sql": as_text(table["sql"]), "database": None if database is None else as_text(database)}


def run_from_dict(found: dict[str, Any]) -> RunRecord:
    """The record of a run, from the fields that a result has for it."""
    score = as_table(found["score"])
    settings = {key: as_number(value) for key, value in as_table(found["score_settings"]).items()}
    return RunRecord(
        algorithm=as_text(found["algorithm"]),
        settings=as_table(found["settings"]),
        score=make_score(as_text(score["name"]), base=as_number(score["base"]), **settings),
        knowledge=Knowledge.from_dict(as_table(found["knowledge"])),
        start=as_pairs(found["start"]),
        ties=as_text(found["ties"]),
        stop_reason=StopReason(as_text(found["stop_reason"])),
        seconds=as_number(found["seconds"]),
        version=as_text(found["version"]),
        missing=None if found.get("missing") is None else as_text(found["missing"]),
    )


def run_to_dict(run: RunRecord) -> dict[str, Any]:
    """What `run_from_dict` reads."""
    return {
        "algorithm": run.algorithm,
        "settings": dict(run.settings),
        "score": {"name": run.score.name, "base": run.score.base},
        "score_settings": run.score_settings,
        "knowledge": run.knowledge.to_dict(),
        "start": [list(arc) for arc in run.start],
        "ties": run.ties,
        "stop_reason": run.stop_reason.value,
        "seconds": run.seconds,
        "version": run.version,
    }
