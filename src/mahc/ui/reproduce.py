"""The command and the Python that repeat a run, as text to copy."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.catalogue import algorithm_settings
from mahc.learning.settings import default_score
from mahc.results.learned import Learned
from mahc.scores import SCORES
from mahc.settings import Declaration, declarations

KNOWLEDGE_FILE = "knowledge.json"


@dataclass(frozen=True)
class Source:
    """Where the data came from: the name of the file, and the settings of reading that were given."""

    name: str = "data.csv"
    reading: Mapping[str, Any] = field(default_factory=dict)


def reproduce(learned: Learned, source: Source) -> dict[str, Any]:
    """The commands, the Python and, where there is knowledge, the knowledge file that both read."""
    known = {name: value for name, value in learned.knowledge.to_dict().items() if value}
    return {
        "commands": _commands(learned, source, bool(known)),
        "python": _python(learned, source, known),
        "knowledge_file": json.dumps(known, indent=1, ensure_ascii=False) if known else None,
    }


def _changed(learned: Learned) -> dict[str, Any]:
    """The settings of the algorithm that differ from its defaults."""
    declared = declarations(ALGORITHMS[learned.algorithm]) if learned.algorithm in ALGORITHMS else {}
    return {k: v for k, v in learned.settings.items() if k not in declared or v != declared[k].default}


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
    if isinstance(value, Mapping):
        return [word for key, rule in value.items() for word in (option, f"{key}={_plain(rule)}")]
    if isinstance(value, list | tuple):
        return [word for each in value for word in (option, str(each))]
    return [option, str(value)]


def _plain(rule: Any) -> str:
    return rule if isinstance(rule, str) else ",".join(f"{cut:g}" for cut in rule)


def _commands(learned: Learned, source: Source, knows: bool) -> str:
    from mahc.data import ReadSettings

    reading = [w for k, v in source.reading.items() for w in _option(k, v, declarations(ReadSettings).get(k))]
    words = ["mahc", "learn", source.name, "--algorithm", learned.algorithm]
    if learned.run.score.name != default_score(learned.algorithm):
        words += ["--score", learned.run.score.name]
    for name, value in _changed_score(learned).items():
        words += _option(name, value, declarations(SCORES[learned.run.score.name])[name])
    entries = algorithm_settings()
    for name, value in _changed(learned).items():
        words += _option(name, value, entries[name].declaration if name in entries else None)
    if learned.run.ties != "data":
        words += ["--ties", learned.run.ties]
    if knows:
        words += ["--knowledge", KNOWLEDGE_FILE]
    learn = shlex.join([*words, *reading, "--out", "result"])
    report = shlex.join(["mahc", "report", "result", "--data", source.name, *reading, "--out", "report.html"])
    return f"{learn}\n{report}\n"


def _python(learned: Learned, source: Source, known: dict[str, Any]) -> str:
    given: dict[str, Any] = {}
    if learned.run.score.name != default_score(learned.algorithm):
        given["objective"] = learned.run.score.name
    given |= {**_changed_score(learned), **_changed(learned)}
    if known:
        given["knowledge"] = known
    if learned.run.ties != "data":
        given["ties"] = learned.run.ties
    reading = "".join(f", {name}={value!r}" for name, value in source.reading.items())
    settings = "".join(f",\n    {name}={value!r}" for name, value in given.items())
    return (
        f"import mahc\n\ndata = mahc.read({source.name!r}{reading})\n"
        f"learned = mahc.learn(data, {learned.algorithm!r}{settings})\n"
        'learned.report("report.html", data)\n'
    )
