"""The types of `static/documents.js` are those of the documents that Python writes."""

from __future__ import annotations

import re
from types import NoneType
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

import mahc
from mahc.networks import load_network, sample
from mahc.ui.audit import AuditAnswer, ColumnAnswer, Remark
from mahc.ui.bundle import read_static
from mahc.ui.document import make_document
from mahc.ui.page_words import Fix
from mahc.ui.panel import PanelAnswer, SliceVariable
from mahc.ui.server import messages
from mahc.ui.server.about import describe_program

COMMENT = re.compile(r"/\*\*(.*?)\*/", re.DOTALL)
PROPERTY = re.compile(r"@property \{(.*)\} (\[?)(\w+)")
FIELD = re.compile(r"(\w+)(\??): ")
STRUCTS = {
    "Fix": Fix,
    "Remark": Remark,
    "Column": ColumnAnswer,
    "Audit": AuditAnswer,
    "FileView": messages.FileAnswer,
    "Missing": messages.MissingAnswer,
    "Table": messages.TableAnswer,
    "PanelView": PanelAnswer,
    "SliceVariable": SliceVariable,
    "Data": messages.DataAnswer,
    "PageState": messages.PageState,
    "Job": messages.JobAnswer,
    "Check": messages.CheckAnswer,
    "Compared": messages.CompareAnswer,
    "Reason": messages.ReasonAnswer,
    "Effect": messages.EffectAnswer,
}


def split_fields(text: str) -> dict[str, tuple[str, bool]]:
    """The fields of `{a: T, b?: T}`, each with its type and whether it may be left out."""
    found, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "{[(<") - (letter in "}])>")
        if letter == "," and depth == 0:
            found.append(text[start:i].strip())
            start = i + 1
    matches = [(FIELD.match(each), each) for each in (*found, text[start:].strip())]
    return {match[1]: (each[match.end() :], bool(match[2])) for match, each in matches if match}


def declared() -> dict[str, dict[str, tuple[str, bool]]]:
    """The fields of each type, with those of the types that it joins."""
    plain: dict[str, dict[str, tuple[str, bool]]] = {}
    joined: dict[str, list[str]] = {}
    for comment in COMMENT.findall(read_static("documents.js")):
        if match := re.search(r"@typedef \{object\} (\w+)", comment):
            plain[match[1]] = {name: (kind, bool(left)) for kind, left, name in PROPERTY.findall(comment)}
        elif match := re.search(r"@typedef \{\{(.*)\}\} (\w+)", comment):
            plain[match[2]] = split_fields(match[1])
        elif match := re.search(r"@typedef \{(\w+(?: & \w+)+)\} (\w+)", comment):
            joined[match[2]] = match[1].split(" & ")
    for name, parts in joined.items():
        plain[name] = {field: kind for part in parts for field, kind in plain[part].items()}
    return plain


TYPES = declared()


@pytest.mark.parametrize("name", STRUCTS)
def test_an_answer_of_the_server_has_the_fields_of_its_type(name: str) -> None:
    hints = get_type_hints(STRUCTS[name])
    assert TYPES[name]
    assert TYPES[name].keys() <= hints.keys()
    nullable = {field for field in TYPES[name] if NoneType in get_args(hints[field])}
    assert {field for field, (kind, _) in TYPES[name].items() if "null" in kind.split(" | ")} == nullable


def check(name: str, found: dict[str, Any]) -> None:
    """That no field of the type is missing, nor null without saying so."""
    for field, (kind, optional) in TYPES[name].items():
        assert optional or field in found, (name, field)
        assert found.get(field, 0) is not None or "null" in kind.split(" | "), (name, field)


@pytest.fixture(scope="module")
def documents() -> list[dict[str, Any]]:
    asia = sample(load_network("asia"), 400, 1)
    known = mahc.Knowledge(required_arcs=[("smoke", "lung")])
    confident = mahc.learn(asia).with_confidence(mahc.bootstrap(asia, resamples=3, seed=1))
    numbers = np.random.default_rng(1).normal(size=(200, 2)) @ [[1.0, 0.8], [0.0, 0.6]]
    mixed = mahc.read({"x": numbers[:, 0], "y": numbers[:, 1], "z": np.where(numbers[:, 0] > 0, "a", "b")})
    made = [(mahc.learn(asia, knowledge=known), asia), (confident, asia), (mahc.learn(mixed), mixed)]
    made.append((mahc.learn(asia, "pc-stable"), asia))
    return [make_document(learned, data) for learned, data in made] + [make_document(made[0][0])]


def test_documents_have_the_fields_of_their_types(documents: list[dict[str, Any]]) -> None:
    seen = set()
    parts = {
        "Variable": "variables", "Arc": "arcs", "Edge": "pattern", "Probabilities": "tables", "RunRecord": "run",
        "Sample": "confidence", "Audit": "audit", "Knowledge": "knowledge",
    }  # fmt: skip
    for document in documents:
        check("Result", document)
        found = [(name, document[field]) for name, field in parts.items()]
        found += [("Shares", arc["confidence"]) for arc in document["arcs"]]
        found += [("Curve", arc["curve"]) for arc in document["arcs"]]
        found += [("Histogram", each.get("histogram")) for each in document["variables"]]
        found += [("Pruning", document["run"]["pruning"])]
        found += [("Column", column) for column in (document["audit"] or {"columns": []})["columns"]]
        for name, value in found:
            for each in value if isinstance(value, list) else [value]:
                if each is not None:
                    seen.add(name)
                    check(name, each)
    assert seen == {*parts, "Shares", "Curve", "Histogram", "Pruning", "Column"}


def test_what_the_server_can_do_has_the_fields_of_its_type() -> None:
    found = {**describe_program(), "upload_limit": 1}
    check("About", found)
    for name, field in (("Algorithm", "algorithms"), ("Score", "scores"), ("Format", "formats")):
        for each in found[field]:
            check(name, each)
            for setting in each.get("settings", []):
                check("Setting", setting)
