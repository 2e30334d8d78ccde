"""The command and the Python that repeat a run, as text to copy."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mahc.data import ReadSettings
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.catalogue import algorithm_settings
from mahc.learning.settings import RunSettings, default_score
from mahc.panels.learning import without_slices
from mahc.results.learned import Learned
from mahc.scores import SCORES
from mahc.settings import Declaration, declarations, value_words
from mahc.ui.panel import PanelChoice

KNOWLEDGE_FILE = "knowledge.json"


@dataclass(frozen=True)
class Source:
    """Where the data came from: the name of the file. How they were read is in the record of the run.

    Of a long table, `panel` says how its rows follow each other, and `reading` how it was read.
    """

    name: str = "data.csv"
    panel: PanelChoice | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)


def reproduce(learned: Learned, source: Source) -> dict[str, Any]:
    """The commands, the Python and, where there is knowledge, the knowledge file that both read."""
    stated, within = learned.knowledge, True
    if source.panel is not None:
        stated, within = without_slices(stated, source.panel.earlier)
    known = {name: value for name, value in stated.to_dict().items() if value}
    return {
        "commands": _commands(learned, source, bool(known), within),
        "python": _python(learned, source, known, within),
        "knowledge_file": json.dumps(known, indent=1, ensure_ascii=False) if known else None,
    }


def _changed(learned: Learned) -> dict[str, Any]:
    """The settings of the algorithm that differ from its defaults."""
    declared = declarations(ALGORITHMS[learned.algorithm]) if learned.algorithm in ALGORITHMS else {}
    return {k: v for k, v in learned.settings.items() if k not in declared or v != declared[k].default}


def _score(learned: Learned) -> dict[str, Any]:
    """The settings that give the score of the run and its treatment of numbers."""
    usual = default_score(learned.algorithm, _reading(learned).get("missing"))
    record, changed = learned.run.numbers, _changed_score(learned)
    chosen = {} if learned.run.score.name == usual else {"objective": learned.run.score.name}
    if record is None:
        return {**chosen, **changed}
    if record.reason == "score":
        return {"objective": learned.run.score.name, **changed}
    if record.reason == "given":
        return {**chosen, **changed, **({"numbers": "cuts"} if record.treatment == "cuts" else {})}
    return {name: value for name, value in changed.items() if name == "base"}  # the data decided the rest


def _changed_score(learned: Learned) -> dict[str, Any]:
    score = learned.run.score
    declared = declarations(SCORES[score.name])
    found: dict[str, Any] = {}
    for name, each in declared.items():
        if getattr(score, name) != each.default:
            found[name] = getattr(score, name)
    return found


def _option(name: str, value: Any, declared: Declaration | None) -> list[str]:
    option = "--" + ((declared.option if declared is not None else None) or name).replace("_", "-")
    if isinstance(value, bool):
        return [option if value else option.replace("--", "--no-", 1)]
    return [word for each in value_words(name, value) for word in (option, each)]


def reading_options(reading: Mapping[str, Any]) -> list[str]:
    """Settings of reading as words of a command.

    >>> reading_options({"encoding": "cp1252", "missing_tokens": {"age": ["99"]}})
    ['--encoding', 'cp1252', '--missing-token', 'age=99']
    """
    return [word for k, v in reading.items() for word in _option(k, v, declarations(ReadSettings).get(k))]


def reading_commands(
    name: str, reading: Mapping[str, Any], numbers: str = "auto", panel: PanelChoice | None = None
) -> str:
    """The command that audits a file with settings of reading, and the one that learns where numbers have a treatment.

    Of a long table, the command that learns from its windows.

    >>> print(reading_commands("a.csv", {"decimal": ","}, "cuts"), end="")
    mahc audit a.csv --decimal ,
    mahc learn a.csv --decimal , --numbers cuts
    """
    options = reading_options(reading)
    treated = [] if numbers == "auto" else ["--numbers", numbers]
    if panel is not None:
        return shlex.join(["mahc", "panel", name, *panel.options(), *options, *treated]) + "\n"
    audit = shlex.join(["mahc", "audit", name, *options])
    learn = [shlex.join(["mahc", "learn", name, *options, *treated])] if treated else []
    return "\n".join([audit, *learn]) + "\n"


def reading_python(
    name: str, reading: Mapping[str, Any], numbers: str = "auto", panel: PanelChoice | None = None
) -> str:
    """Settings of reading as Python.

    >>> print(reading_python("a.csv", {"decimal": ","}), end="")
    import mahc
    <BLANKLINE>
    reading = dict(
        decimal=',',
    )
    print(mahc.audit('a.csv', **reading))
    """
    settings = "".join(f"    {key}={value!r},\n" for key, value in reading.items())
    if panel is not None:
        given = {**panel.arguments(), **({"numbers": numbers} if numbers != "auto" else {})}
        words = ", ".join([*map(repr, (name, panel.subject, panel.time)), *(f"{k}={v!r}" for k, v in given.items())])
        return f"import mahc\n\nreading = dict(\n{settings})\nprint(mahc.learn_panel({words}, **reading))\n"
    audit = f"import mahc\n\nreading = dict(\n{settings})\nprint(mahc.audit({name!r}, **reading))\n"
    return audit + (f"learned = mahc.learn({name!r}, numbers={numbers!r}, **reading)\n" if numbers != "auto" else "")


def _reading(learned: Learned) -> dict[str, Any]:
    """The settings of reading that repeat the run with a file: those of its record."""
    record = learned.data.reading
    found = {} if record is None else dict(record.settings)
    found.pop("names", None)  # a file brings its own
    if learned.run.missing is not None:
        found["missing"] = learned.run.missing
    return found


def _query(learned: Learned) -> Mapping[str, str | None] | None:
    return None if learned.data.reading is None else learned.data.reading.query


def _commands(learned: Learned, source: Source, knows: bool, within: bool) -> str:
    panel = source.panel
    reading, dropped = _reading(learned) if panel is None else dict(source.reading), []
    if reading.get("columns") is not None:  # no option: the others cannot be named here
        dropped = ["# of the columns keep only " + ", ".join(reading.pop("columns")) + ": drop the others with --drop"]
    options = reading_options(reading)
    query = _query(learned)
    data = [source.name]
    if query is not None:
        data = ["--sql", str(query["sql"]), *(["--database", str(query["database"])] if query["database"] else [])]
    words = ["mahc", "learn", *data] if panel is None else ["mahc", "panel", *data, *panel.options()]
    words += ["--algorithm", learned.algorithm, *([] if within else ["--no-within"])]
    for name, value in _score(learned).items():
        declared = {**declarations(SCORES[learned.run.score.name]), **declarations(RunSettings)}
        words += ["--score", value] if name == "objective" else _option(name, value, declared[name])
    entries = algorithm_settings()
    for name, value in _changed(learned).items():
        words += _option(name, value, entries[name].declaration if name in entries else None)
    if learned.run.ties != "data":
        words += ["--ties", learned.run.ties]
    if knows:
        words += ["--knowledge", KNOWLEDGE_FILE]
    shown = [] if query is not None else ["--data", source.name]
    learn = shlex.join([*words, *options, "--out", "result"])
    if panel is not None:
        return "\n".join([*dropped, learn]) + "\n"
    report = shlex.join(["mahc", "report", "result", *shown, "--out", "report.html"])
    start = ["# the run began with a graph: add --start FILE"] if learned.run.start else []
    return "\n".join([*dropped, *start, learn, report]) + "\n"


def _python(learned: Learned, source: Source, known: dict[str, Any], within: bool) -> str:
    panel = source.panel
    reading = _reading(learned) if panel is None else {**panel.arguments(), **source.reading}
    given: dict[str, Any] = {**reading, **_score(learned), **_changed(learned), **({} if within else {"within": False})}
    if known:
        given["knowledge"] = known
    if learned.run.ties != "data":
        given["ties"] = learned.run.ties
    if learned.run.start:
        given["start"] = [tuple(arc) for arc in learned.run.start]
    settings = "".join(f",\n    {name}={value!r}" for name, value in given.items())
    if panel is not None:
        words = ", ".join(map(repr, (source.name, panel.subject, panel.time, learned.algorithm)))
        return f'import mahc\n\nfound = mahc.learn_panel({words}{settings})\nfound.report("report.html")\n'
    query = _query(learned)
    lines = ["import mahc"]
    if query is None:
        lines += ["", f"data = {source.name!r}"]
    else:
        opened = f"duckdb.connect({query['database']!r}, read_only=True)" if query["database"] else "duckdb"
        lines += ["import duckdb", "", f"data = {opened}.sql({query['sql']!r})"]
    if learned.data.size != learned.data.rows and "weights" not in given:
        lines.append("# the rows had weights of their own: give them with weights=")
    if learned.run.experiments is not None and "interventions" not in given:
        lines.append("# some rows came from experiments: give the targets of each row with interventions=")
    lines += [f"learned = mahc.learn(data, {learned.algorithm!r}{settings})", 'learned.report("report.html", data)']
    return "\n".join(lines) + "\n"
