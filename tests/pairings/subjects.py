"""Subjects: every function and command that takes data or a result, as a function from a circumstance to an answer.

An answer is plain values that can be compared: arcs, numbers, labels. `NotApplicable` says that the interface has no
argument for the circumstance.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pairings.circumstances import Circumstance

import mahc
from mahc.cli.main import run as run_command
from mahc.cli.spelling import option_name
from mahc.confidence import check_graph, query_spread, validate
from mahc.data import ReadSettings
from mahc.data.settings import MISSING_EM
from mahc.errors import MahcError
from mahc.settings import declarations, value_words

Answer = Any
Subject = Callable[[Circumstance, Path], Answer]
TARGET = "dysp"
PYTHON: dict[str, Subject] = {}
COMMANDS: dict[str, Subject] = {}
SERVER: dict[str, Subject] = {}


class NotApplicableError(Exception):
    """The interface has no argument for this."""


class RefusedError(Exception):
    """The command refused, in this sentence."""


def python(subject: Subject) -> Subject:
    """Register a function of Python by its name."""
    PYTHON[subject.__name__] = subject
    return subject


def command(subject: Subject) -> Subject:
    """Register a command by its name."""
    COMMANDS[subject.__name__.removesuffix("_command")] = subject
    return subject


def plain_of(circumstance: Circumstance) -> Circumstance:
    """The circumstance of the same rows, prepared by hand."""
    assert circumstance.plain is not None
    return Circumstance("plain", circumstance.plain, plain=circumstance.plain)


# ---------------------------------------------------------------- Python


def settings_of(one: Circumstance, *limits: str) -> dict[str, Any]:
    """All arguments that `mahc.learn` has for a circumstance; of the limits those that the function has."""
    if unknown := set(one.limits) - set(limits):
        raise NotApplicableError(f"no {', '.join(unknown)}")
    found = {**one.reading, **one.limits}
    return {**found, "knowledge": one.knowledge} if one.knowledge else found


def reading_alone(one: Circumstance, *limits: str) -> dict[str, Any]:
    """The settings of reading, where the function has neither knowledge nor these limits."""
    if one.knowledge:
        raise NotApplicableError("no knowledge")
    return settings_of(one, *limits)


def learned_of(one: Circumstance, folder: Path, algorithm: str = "hc") -> tuple[mahc.Learned, Any]:
    """A result, saved and loaded again where the circumstance says so, and its data."""
    data = one.data(folder)
    learned = mahc.learn(data, algorithm, **settings_of(one, "time_limit", "memory_mebibytes"))
    if one.reloaded:
        learned.save(folder / "result.json")
        learned = mahc.Learned.load(folder / "result.json")
    return learned, data


def graph_of(learned: mahc.Learned) -> Answer:
    """Arcs and score."""
    return {"arcs": sorted(map(list, learned.arcs)), "score": learned.score}


@python
def learn(one: Circumstance, folder: Path) -> Answer:
    return graph_of(learned_of(one, folder)[0])


@python
def bootstrap(one: Circumstance, folder: Path) -> Answer:
    found = mahc.bootstrap(one.data(folder), "hc", resamples=4, **settings_of(one, "time_limit", "memory_mebibytes"))
    if one.reloaded:
        found.save(folder / "sample.json")
        found = mahc.GraphSample.load(folder / "sample.json")
        more = mahc.bootstrap(one.data(folder), "hc", resamples=8, resume=found, **settings_of(one))
        return more.size
    return found.to_frame().to_dicts()


@python
def posterior(one: Circumstance, folder: Path) -> Answer:
    settings = settings_of(one, "time_limit", "memory_mebibytes")
    found = mahc.posterior(one.data(folder), "bic", samples=24, **settings)
    if one.reloaded:
        found.save(folder / "sample.json")
        found = mahc.GraphSample.load(folder / "sample.json")
        more = mahc.posterior(one.data(folder), "bic", samples=40, resume=found, **settings_of(one))
        return more.size
    return found.to_frame().to_dicts()


@python
def consensus(one: Circumstance, folder: Path) -> Answer:
    found = mahc.consensus(one.data(folder), ["hc", "tabu"], **settings_of(one, "time_limit", "memory_mebibytes"))
    return found.consensus.to_frame().to_dicts()


@python
def audit(one: Circumstance, folder: Path) -> Answer:
    reading = reading_alone(one)
    found = mahc.audit(one.data(folder), **reading)
    return {"ok": not found.problems, "columns": [column.name for column in found.columns if column.name != "w"]}


@python
def read(one: Circumstance, folder: Path) -> Answer:
    found = mahc.read(one.data(folder), **reading_alone(one))
    return {"names": list(found.names), "size": found.size, "states": found.state_counts.tolist()}


@python
def fit(one: Circumstance, folder: Path) -> Answer:
    if one.reading.get("missing") == MISSING_EM:
        learned, data = learned_of(replace(one, reading={"missing": "drop"}), folder)
        return tables(learned.fit(data, missing=MISSING_EM))
    learned, data = learned_of(one, folder)
    return tables(learned.fit(data))


def tables(model: Any) -> Answer:
    """All probabilities, in an order that does not depend on how states are written."""
    return {
        name: np.sort(table, axis=None).tolist()
        for name, table in zip(model.network.names, model.network.tables, strict=True)
    }


def fitted(one: Circumstance, folder: Path) -> tuple[Any, Any]:
    """A model, saved and loaded again where the circumstance says so, and its data."""
    learned, data = learned_of(one, folder)
    model = learned.fit(data)
    if one.reloaded:
        model.save(folder / "model.json")
        model = mahc.Model.load(folder / "model.json")
    return model, data


@python
def query(one: Circumstance, folder: Path) -> Answer:
    model, _ = fitted(one, folder)
    return np.sort([model.query(TARGET, given={"bronc": "yes"})[state] for state in model.states(TARGET)]).tolist()


@python
def effect(one: Circumstance, folder: Path) -> Answer:
    model, _ = fitted(one, folder)
    return model.effect("bronc", TARGET).to_dict()


@python
def predict(one: Circumstance, folder: Path) -> Answer:
    model, data = fitted(one, folder)
    return [str(each) for each in model.predict(data, TARGET)][:20]


@python
def predict_proba(one: Circumstance, folder: Path) -> Answer:
    model, data = fitted(one, folder)
    return np.asarray(model.predict_proba(data, TARGET))[:20].round(9).tolist()


@python
def model_score(one: Circumstance, folder: Path) -> Answer:
    model, data = fitted(one, folder)
    return model.score(data)


@python
def report(one: Circumstance, folder: Path) -> Answer:
    learned, data = learned_of(one, folder)
    learned.report(folder / "report.html", data)
    return (folder / "report.html").stat().st_size > 50_000


@python
def replay(one: Circumstance, folder: Path) -> Answer:
    learned, data = learned_of(one, folder)
    again = mahc.replay(learned, data)
    assert again == learned
    return graph_of(again)


@python
def score_graph(one: Circumstance, folder: Path) -> Answer:
    reading = reading_alone(one)
    graph = mahc.DAG(sorted(set(named(one))), [("smoke", "lung"), ("smoke", "bronc"), ("bronc", "dysp")])
    return mahc.score_graph(graph, one.data(folder), **reading).total


def named(one: Circumstance) -> list[str]:
    """The variables that are left after reading."""
    absent = {"w", "patient", "set"} if {"weights", "drop", "columns", "interventions"} & set(one.reading) else set()
    return [name for name in one.frame().columns if name not in absent]


@python
def estimator(one: Circumstance, folder: Path) -> Answer:
    known = one.knowledge and {"knowledge": one.knowledge}
    given = settings_of(one, "time_limit", "memory_mebibytes")
    given.pop("knowledge", None)
    found = mahc.HC(**given, **(known or {})).fit(one.data(folder))
    return graph_of(found.learned_)


@python
def spread(one: Circumstance, folder: Path) -> Answer:
    found = query_spread(
        one.data(folder), TARGET, {"bronc": "yes"}, algorithm="hc", resamples=3, **settings_of(one, "time_limit")
    )
    return np.sort([found[state] for state in found.states]).tolist() if hasattr(found, "states") else str(found)[:0]


@python
def validation(one: Circumstance, folder: Path) -> Answer:
    found = validate(one.data(folder), ["hc"], folds=3, **settings_of(one, "time_limit", "memory_mebibytes"))
    return [each.bits for each in found.held]


@python
def check(one: Circumstance, folder: Path) -> Answer:
    given = reading_alone(one, "time_limit")
    graph = mahc.DAG(sorted(named(one)), [("smoke", "lung"), ("smoke", "bronc"), ("bronc", "dysp")])
    return check_graph(graph, one.data(folder), **given).to_dict()


# ---------------------------------------------------------------- the command line


def call(*words: object) -> str:
    """What a command prints; Refused with its sentence where it exits with code 2."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            run_command([str(word) for word in words])
        except SystemExit as ended:
            code = ended.code or 0
    if code == 2:
        raise RefusedError(err.getvalue().strip())
    assert code == 0, (code, err.getvalue())
    return out.getvalue()


def options_of(one: Circumstance, *limits: str) -> list[str]:
    """The settings of reading and the limits as options."""
    if unknown := set(one.limits) - set(limits):
        raise NotApplicableError(f"no {', '.join(unknown)}")
    declared, words = declarations(ReadSettings), []
    for name, value in one.reading.items():
        option = option_name(declared[name])
        if not option:
            raise NotApplicableError(f"no option for {name}")
        if isinstance(value, dict):
            value = value_words(name, value)
        if value is True:
            words.append(option)
        else:
            words += [word for each in (value if isinstance(value, list) else [value]) for word in (option, str(each))]
    names = {"time_limit": "--time-limit", "memory_mebibytes": "--memory"}
    return [*words, *(word for name, value in one.limits.items() for word in (names[name], str(value)))]


def knowledge_options(one: Circumstance, folder: Path) -> list[str]:
    """The knowledge as a file."""
    if not one.knowledge:
        return []
    path = folder / "knowledge.json"
    path.write_text(json.dumps(one.knowledge))
    return ["--knowledge", str(path)]


def without_knowledge(one: Circumstance) -> None:
    """Of commands that have none."""
    if one.knowledge:
        raise NotApplicableError("no knowledge")


def run_learn(one: Circumstance, folder: Path) -> tuple[Path, Path, dict[str, Any]]:
    """A result folder, the data, and what was printed."""
    path = one.path(folder)
    limits = ("time_limit", "memory_mebibytes")
    words = [*options_of(one, *limits), *knowledge_options(one, folder)]
    said = call("learn", path, "--algorithm", "hc", *words, "--out", folder / "result", "--json")
    return folder / "result", path, json.loads(said)


@command
def learn_command(one: Circumstance, folder: Path) -> Answer:
    found = run_learn(one, folder)[2]
    return {
        "arcs": sorted(found["arcs"]),
        "score": found["score"]["value"] if isinstance(found["score"], dict) else found["score"],
    }


@command
def bootstrap_command(one: Circumstance, folder: Path) -> Answer:
    path = one.path(folder)
    words = [*options_of(one, "time_limit", "memory_mebibytes"), *knowledge_options(one, folder)]
    start = ("bootstrap", path, "--algorithm", "hc", *words)
    said = call(*start, "--resamples", 4, "--out", folder / "sure", "--json")
    if one.reloaded:
        call(*start, "--resamples", 8, "--resume", folder / "sure", "--out", folder / "sure", "--json")
        return 8
    return [json.loads(said)["arcs"], json.loads(said)["confidence"]["pairs"]]


@command
def posterior_command(one: Circumstance, folder: Path) -> Answer:
    path = one.path(folder)
    words = [*options_of(one, "time_limit", "memory_mebibytes"), *knowledge_options(one, folder)]
    start = ("posterior", path, "--score", "bic", *words)
    said = call(*start, "--samples", 24, "--out", folder / "sure", "--json")
    if one.reloaded:
        call(*start, "--samples", 40, "--resume", folder / "sure", "--out", folder / "sure", "--json")
        return 40
    return [json.loads(said)["arcs"], json.loads(said)["confidence"]["pairs"]]


@command
def consensus_command(one: Circumstance, folder: Path) -> Answer:
    words = [*options_of(one, "time_limit", "memory_mebibytes"), *knowledge_options(one, folder)]
    return json.loads(call("consensus", one.path(folder), "--algorithms", "hc,tabu", *words, "--json"))["pairs"]


@command
def audit_command(one: Circumstance, folder: Path) -> Answer:
    without_knowledge(one)
    found = json.loads(call("audit", one.path(folder), *options_of(one, "memory_mebibytes"), "--json"))
    return {"ok": not found["problems"], "columns": [each["name"] for each in found["columns"] if each["name"] != "w"]}


@command
def fit_command(one: Circumstance, folder: Path) -> Answer:
    em = one.reading.get("missing") == MISSING_EM
    result, path, _ = run_learn(replace(one, reading={"missing": "drop"}) if em else one, folder)
    call("fit", result, path, "--out", folder / "network.json", *(["--missing", MISSING_EM] if em else []))
    return tables(mahc.Model.load(folder / "network.json"))


@command
def query_command(one: Circumstance, folder: Path) -> Answer:
    result, path, _ = run_learn(one, folder)
    return json.loads(call("query", result, TARGET, "--given", "bronc=yes", "--data", path, "--json"))


@command
def effect_command(one: Circumstance, folder: Path) -> Answer:
    result, path, _ = run_learn(one, folder)
    found = json.loads(call("effect", result, "bronc", TARGET, "--data", path, "--json"))
    del found["estimates"]  # drawn state by state: other labels sort the states, and so the draws, otherwise
    return found


@command
def ask_command(one: Circumstance, folder: Path) -> Answer:
    result, path, _ = run_learn(one, folder)
    return json.loads(call("ask", result, "--data", path, "--budget", "1", "--json"))["arcs"]


@command
def predict_command(one: Circumstance, folder: Path) -> Answer:
    result, path, _ = run_learn(one, folder)
    call("predict", result, path, TARGET, "--data", path, "--out", folder / "predicted.csv")
    return pd.read_csv(folder / "predicted.csv", dtype=str).iloc[:20, -1].tolist()


@command
def report_command(one: Circumstance, folder: Path) -> Answer:
    result, path, _ = run_learn(one, folder)
    call("report", result, "--data", path, "--out", folder / "report.html")
    return (folder / "report.html").stat().st_size > 50_000


@command
def replay_command(one: Circumstance, folder: Path) -> Answer:
    result, path, found = run_learn(one, folder)
    call("replay", result, path)
    return {"arcs": sorted(found["arcs"])}


@command
def score_command(one: Circumstance, folder: Path) -> Answer:
    without_knowledge(one)
    graph = folder / "graph.json"
    mahc.DAG(sorted(set(named(one))), [("smoke", "lung"), ("bronc", "dysp")]).to_mixed()
    from mahc.graphs.files import write_graph

    write_graph(mahc.DAG(sorted(set(named(one))), [("smoke", "lung"), ("bronc", "dysp")]), graph)
    return json.loads(call("score", one.path(folder), graph, *options_of(one), "--json"))["score"]


@command
def check_command(one: Circumstance, folder: Path) -> Answer:
    without_knowledge(one)
    from mahc.graphs.files import write_graph

    graph = folder / "graph.json"
    write_graph(mahc.DAG(sorted(set(named(one))), [("smoke", "lung"), ("bronc", "dysp")]), graph)
    return json.loads(call("check", graph, one.path(folder), *options_of(one, "time_limit"), "--json"))


@command
def validate_command(one: Circumstance, folder: Path) -> Answer:
    words = [*options_of(one, "time_limit", "memory_mebibytes"), *knowledge_options(one, folder)]
    said = call("validate", one.path(folder), "--algorithms", "hc", "--folds", 3, *words, "--json")
    return [each["bits_per_row"] for each in json.loads(said)["candidates"]]


@command
def explain_command(one: Circumstance, folder: Path) -> Answer:
    result, _, _ = run_learn(one, folder)
    return call("explain", result, "smoke", "bronc").split(":")[0] if one.plain else True


__all__ = ["COMMANDS", "PYTHON", "MahcError", "NotApplicableError", "RefusedError"]
