"""Write docs/reference/json.md, the fields of every JSON output, from real outputs.

`tools/build_site.py` calls this; the page is not kept in the repository.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "json.md"
# Title -> words of a `mahc` command whose output is JSON; `cat FILE` shows a file that an earlier command wrote.
OUTPUTS = {
    "`mahc audit DATA --json`": ["audit", "sample/data.csv", "--json"],
    "`mahc audit DATA --plan --json`": ["audit", "asia", "--plan", "--json"],
    "`mahc learn DATA --json`": ["learn", "asia", "--require", "asia,tub", "--json"],
    "`mahc learn DATA --algorithm pc-stable --json`": ["learn", "asia", "--algorithm", "pc-stable", "--json"],
    "`mahc bootstrap DATA --json`": ["bootstrap", "asia", "--resamples", "5", "--json"],
    "`mahc posterior DATA --json`": ["posterior", "asia", "--samples", "40", "--json"],
    "`mahc explain RESULT FROM TO --json`": ["explain", "run", "smoke", "lung", "--json"],
    "`mahc compare LEARNED TRUE --json`": ["compare", "run", "asia", "--data", "asia", "--json"],
    "`mahc score DATA GRAPH --json`": ["score", "asia", "run/graph.csv", "--json"],
    "`mahc query MODEL TARGET --json`": ["query", "asia", "lung", "--given", "smoke=yes", "--json"],
    "`mahc effect MODEL CAUSE TARGET --json`": ["effect", "asia", "smoke", "lung", "--json"],
    "`mahc adjust GRAPH CAUSE TARGET --json`": ["adjust", "asia", "bronc", "dysp", "--json"],
    "`mahc networks --json`": ["networks", "--json"],
    "`result.json`, written by `mahc learn --out DIR` and `Learned.save`": ["cat", "run/result.json"],
    "`manifest.json`, written by `mahc sample --out DIR`": ["cat", "sample/manifest.json"],
    "A refusal with `--json`": ["learn", "no-such-file.csv", "--json"],
}
BEFORE = [["learn", "asia", "--out", "run"], ["sample", "asia", "--rows", "50", "--seed", "1", "--out", "sample"]]
BEFORE[1] += ["--noise", "cMISL"]
INTRODUCTION = """\
# JSON outputs

`tools/make_json_page.py` makes these tables from real outputs whenever the site is built. With `--json` a command
prints one JSON document and nothing else on stdout. Fields may be added; a field that changes its meaning changes
`format_version`. Scores and strengths are in logarithms to the base of the score: bits for base 2.
"""
HEAD = "| field | type | meaning | for instance |\n|---|---|---|---|\n"
MAPS = (
    "settings",
    "changed_values",
    "sha256",
    "pattern",
    "score_settings",
    "numbers",
    "cut_points",
    "merged",
    "merged_states",
    "files",
)  # their keys vary
# What fields mean, by path or by the last part of it; a field that is missing here is shown without a meaning.
MEANINGS = {
    "format": "what the file is",
    "format_version": "version of the fields",
    "algorithm": "name of the algorithm",
    "settings": "its settings, defaults included",
    "variables": "the variables in the order of the columns",
    "kind": "DAG, CPDAG or PAG",
    "columns[].kind": "kind of the values",
    "decisions[].kind": "what was decided, as one word",
    "estimate.seconds": "seconds that learning will take",
    "in_pieces": "whether the files are read in pieces",
    "size.exact": "whether the numbers are exact; false where text is not read to its end",
    "pieces": "number of pieces",
    "table_bytes": "memory of the data as one table",
    "memory_limit_bytes": "memory that may be used",
    "most_distinct_rows": "distinct rows that are kept in memory, at most; null for one table",
    "passes": "passes over data in pieces, with bytes and seconds by phase, null for one table; of a plan: the least, "
    "and those of mahc where the distinct rows do not fit",
    "reading.query": "the SQL that gave the rows, and the database; null for other data",
    "arcs": "pairs [from, to]; of a CPDAG or PAG the edges with a direction",
    "edges": "all edges of a CPDAG or PAG as [left, marks, right]; null for a DAG",
    "extension": "arcs of a DAG that fits a CPDAG or PAG",
    "score": "the score of the DAG",
    "score.name": "name of the score",
    "base": "base of the logarithms",
    "score.value": "the score; null where there is no DAG",
    "scores.score": "name of the score",
    "averaged_score": "mean of the scores of the graph and its neighbours; null where the algorithm does not average",
    "gap": "proven bound: no graph scores more than this above the result",
    "pruning": "what was pruned before the search",
    "pruned_per_level": "arcs pruned at each level",
    "valid_sets_per_level": "candidate parent sets at each level",
    "allowed_arcs": "arcs that are left",
    "constraint_costs": "what each constraint cost, the most expensive first",
    "constraint": "the constraint in words",
    "cost": "score lost",
    "stop_reason": "why the search ended: converged, time_limit, interrupted or step_limit",
    "steps": "number of steps",
    "rows": "number of rows",
    "size": "sum of the weights of the rows; the number of rows without weights",
    "fingerprint": "SHA-256 of the content of the data; the same in any order of rows and columns",
    "version": "version of mahc",
    "seconds": "seconds of the search",
    "total_seconds": "seconds of the whole run",
    "timings": "seconds of each part of the run",
    "load_seconds": "seconds of reading",
    "peak_memory_mb": "peak memory of the process",
    "strengths": "score lost by removing each arc",
    "strength": "score lost by removing the arc",
    "reversible": "whether the data fit the opposite direction as well",
    "source": "what was read",
    "ok": "whether the data can be used as they are",
    "columns": "one object per column",
    "states": "number of states",
    "missing": "number of missing values",
    "warnings": "what the user should check",
    "problem": "why the column cannot be used, or null",
    "problems": "why the data cannot be used",
    "decisions": "what was decided while reading",
    "message": "the sentence",
    "estimate": "rough cost of learning",
    "confidence": "counts over resamples; null without a bootstrap",
    "confidence.resamples": "resamples done",
    "confidence.requested": "resamples asked for",
    "confidence.how": "how rows were resampled",
    "seed": "the seed",
    "pair": "the two variables",
    "edge": "share of resamples with an edge between them",
    "interval": "95 % interval of that share",
    "direction": "share with an arc from the first to the second, and from the second to the first",
    "pattern": "share of each mark in the CPDAG or PAG",
    "from": "the tail",
    "to": "the head",
    "present": "whether the arc is in the graph",
    "explain.kind": "the reason as one word",
    "sentence": "the reason as a sentence",
    "explain.numbers": "the numbers in the sentence",
    "decisions[].numbers": "the numbers in the sentence",
    "reading.numbers": "the columns that stayed numbers",
    "numbers": "how columns of numbers were treated (treatment, degree) and why (reason; margin in bits); or null",
    "cut_points": "cut points of each column that was cut, learned or given; none for one interval",
    "compared_as": "cpdag, dag or pag",
    "convention": "how edges are matched",
    "measures": "F1, precision, recall, SHD and BSF",
    "counts": "edges that match, differ in marks, are extra or missing",
    "differing": "the edges that differ",
    "differing[].kind": "partial, missing or extra",
    "true": "in the true graph",
    "learned": "in the learned graph",
    "rule": "rule of the paper's Table 3",
    "penalty": "its penalty",
    "scores": "scores of both graphs, with --data",
    "value": "the score",
    "free_parameters": "number of free parameters",
    "taken_from": "what was scored",
    "difference": "learned minus true",
    "percent": "the difference in percent of the true graph's score",
    "total": "the score of the graph",
    "families": "the local score of each variable",
    "local_score": "the local score",
    "local_scores": "the local score of each variable",
    "parents": "the parents",
    "knowledge": "the knowledge, as in a knowledge file",
    "start": "the start graph",
    "ties": "rule that broke ties",
    "path": "the steps: move, tail, head, score, averaged score, seconds",
    "arc_details": "numbers for the explanation of every ordered pair; variables are indices",
    "test_details": "separating sets and p-values; null for algorithms with a score",
    "arc_price": "price per arc in the search",
    "origin": "where the network comes from",
    "noise": "the noise",
    "outcomes": "what each noise did",
    "latents": "variables that were removed",
    "files": "the files of the folder",
    "sha256": "SHA-256 of each file",
    "error": "the refusal in one sentence",
}


def write_page() -> int:
    """Write the page; return the number of outputs."""
    sections = []
    with tempfile.TemporaryDirectory() as folder:
        for words in BEFORE:
            run(words, folder)
        for title, words in OUTPUTS.items():
            text = (Path(folder) / words[1]).read_text("utf-8") if words[0] == "cat" else run(words, folder)
            sections.append(f"## {title}\n\n{HEAD}{''.join(make_rows(words[0], text, folder))}")
    PAGE.write_text("\n".join([INTRODUCTION, *sections]), encoding="utf-8", newline="\n")
    return len(OUTPUTS)


def run(words: list[str], folder: str) -> str:
    """What a command prints on stdout."""
    command = [sys.executable, "-m", "mahc", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, encoding="utf-8").stdout


def make_rows(command: str, text: str, folder: str) -> list[str]:
    """One row for each field, in the order of the output."""
    found: dict[str, list[Any]] = {}
    for path, value in fields(json.loads(text) if text.strip() else {}, ""):
        found.setdefault(path, []).append(value)
    return [
        f"| `{path}` | {kinds(values)} | {meaning(command, path)} | {example(values, folder)} |\n"
        for path, values in found.items()
    ]


def meaning(command: str, path: str) -> str:
    """What a field means."""
    last = path.replace("[]", "").rpartition(".")[2]
    return MEANINGS.get(f"{command}.{path}") or MEANINGS.get(path) or MEANINGS.get(last, "")


def fields(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every field with its path; `[]` stands for each element of a list."""
    if isinstance(value, dict):
        for name, inner in value.items():
            place = f"{path}.{name}" if path else name
            yield place, inner
            if name not in MAPS:
                yield from fields(inner, place)
    elif isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
        for inner in value:
            yield from fields(inner, f"{path}[]")


def kinds(values: list[Any]) -> str:
    """The JSON types that occur.

    >>> kinds([1, None]), kinds([["a", "b"]])
    ('number or null', 'array of string')
    """
    return " or ".join(dict.fromkeys(kind(value) for value in values))


def kind(value: Any) -> str:
    """The JSON type of a value."""
    if isinstance(value, list):
        inside = dict.fromkeys(kind(each) for each in value)
        return f"array of {' or '.join(inside)}" if inside else "array"
    names = {bool: "boolean", int: "number", float: "number", str: "string", dict: "object"}
    return "null" if value is None else names[type(value)]


def example(values: list[Any], folder: str) -> str:
    """A short value that occurs."""
    for value in values:
        text = json.dumps(value, ensure_ascii=False).replace(folder, "FOLDER").replace("|", "\\|")
        if value not in (None, [], {}) and len(text) <= 60:
            return f"`{text}`"
    return ""


if __name__ == "__main__":
    print(f"{write_page()} outputs in {PAGE}")
