"""Knowledge from a file: TOML, JSON, or the constraint tables of Bayesys.

A TOML or JSON file has the fields of `Knowledge` as its keys: `required_arcs`, `required_edges`,
`forbidden_arcs` and `forbidden_edges` are lists of pairs, `tiers` is a list of lists, `strict_tiers` and
`all_relevant` are true or false, `targets` and `max_parents` are tables from name to number, `beliefs` is a list of
texts. Beliefs may also be a CSV table with the columns from, to (or var1, var2 for either direction) and probability.

    required_arcs = [["smoke", "lung"]]
    tiers = [["asia", "smoke"], ["xray"]]
    [targets]
    lung = 2
    # above the tables: beliefs = ["smoke -> bronc = 0.8"]
"""

from __future__ import annotations

import csv
import io
import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mahc.documents import parse_json
from mahc.errors import FormatError, KnowledgeError, MahcError
from mahc.files import is_folder, read_bounded_text
from mahc.knowledge.knowledge import Knowledge
from mahc.plurals import count

MAX_BYTES = 2**25
BAYESYS_RATE = 2.0  # what Bayesys divides a target's penalty by when nothing else is set
Rows = list[tuple[int, list[str]]]
_ARC_WORDS = (["parent", "child"], ["from", "to"], ["cause", "effect"])
_EDGE_WORDS = (["var1", "var2"], ["variable1", "variable2"], ["node1", "node2"])
_TARGET_WORDS = ("targetnode", "target", "targetvariable", "variable", "node")
_RATE_WORDS = (["rate"], ["r"], ["divisor"])
_PROBABILITY_WORDS = (["probability"], ["belief"], ["p"])
_HEADERS = "'ID,Parent,Child', 'ID,Var1,Var2', 'ID,Tier 1,Tier 2,...' or 'ID,Target node'"
# Files that are not constraints, by the beginning of their names, and what to do with them.
_FOREIGN = {
    "constraintsgraph": "an initial graph of Bayesys is not a constraint: give it as the start graph instead",
    "constraintsbdn": "decision and utility nodes of Bayesys are not supported: remove the file",
}


def read_knowledge(path: str | os.PathLike[str]) -> Knowledge:
    """The knowledge in a .toml, .json or Bayesys .csv file, or in a folder of Bayesys files.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "known.toml"
    ...     _ = file.write_text('forbidden_arcs = [["lung", "smoke"]]')
    ...     read_knowledge(file)
    Knowledge(forbidden_arcs=(('lung', 'smoke'),))
    """
    file = Path(path)
    if is_folder(file):
        return read_folder(file)
    readers: dict[str, Callable[[Path], Knowledge]] = {
        ".toml": lambda file: _build(_parse_toml(read_text(file), file), file),
        ".json": lambda file: _build(parse_json(read_text(file), file), file),
        ".csv": read_table,
    }
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise FormatError(
            f"'{file.suffix}' is not the extension of a knowledge file: give a .toml, .json or .csv file, "
            "or a folder of Bayesys constraint files",
            file,
        )
    return reader(file)


def _build(content: Any, file: Path, line: int | None = None) -> Knowledge:
    if not isinstance(content, dict):
        raise FormatError("a table of constraints is expected here, as in {'required_arcs': [['a', 'b']]}", file)
    try:
        return Knowledge.from_dict(content)
    except MahcError as error:
        raise FormatError(str(error), file, line) from None


def _parse_toml(text: str, file: Path) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).rpartition(" (at ")
        line = re.match(r"line (\d+)", place)
        at = int(line[1]) if line else len(text.splitlines())  # "at end of document"
        raise FormatError(f"this is not TOML: {message}", file, at) from None
    except RecursionError:
        raise FormatError("this TOML is nested too deeply", file) from None
    except ValueError as error:  # a date that does not exist, a number of thousands of digits
        raise FormatError(f"this TOML cannot be used: {error}", file) from None


# The constraint files of Bayesys: small CSV tables, one kind of constraint each, recognised by the header.
#
#     constraintsDirected.csv     ID,Parent,Child           required arcs
#     constraintsUndirected.csv   ID,Var1,Var2              required edges
#     constraintsForbidden.csv    ID,Var1,Var2              forbidden edges (with Parent,Child: forbidden arcs)
#     constraintsTemporal.csv     ID,Tier 1,Tier 2,...,END  tiers; cells may be empty, END may be missing
#     constraintsTarget.csv       ID,Target node            targets; a column Rate may give each its number
#
# Header words may be in any case, and the ID may be missing. Where two kinds share a header, the name of the file
# decides: it must contain "undirected" or "forbidden". Rows without names are skipped. Two settings are not in the
# files of Bayesys but in its window: strict tiers, which stay off here, and the number that divides the penalty of the
# targets, which is 2 there unless changed. Its initial graph and its decision networks are not constraints and are
# refused.


def read_folder(folder: Path) -> Knowledge:
    """All files of a folder whose names begin with `constraints` and end in .csv, together."""
    found = Knowledge()
    try:
        files = sorted(file for file in folder.iterdir() if re.fullmatch(r"(?i)constraints.*\.csv", file.name))
    except OSError as error:
        raise FormatError(f"the folder cannot be read ({error.strerror})", folder) from None
    if not files:
        raise FormatError("no constraint file of Bayesys (constraints*.csv) is in this folder", folder)
    for file in files:
        more = read_table(file)
        try:
            found = found.merged(more)
        except KnowledgeError as error:
            raise FormatError(str(error), file) from None
    return found


def read_table(file: Path) -> Knowledge:
    """The knowledge in one such table."""
    (line, header), *rows = _list_rows(file) or [(1, [])]
    words = [re.sub(r"[\s_]", "", word).lower() for word in header]
    if words[:1] == ["id"]:
        words = words[1:]
        rows = [(line, row[1:]) for line, row in rows]
    rows = [(line, row) for line, row in rows if any(row)]
    for start, nature in _FOREIGN.items():
        if file.name.lower().startswith(start):
            if rows:
                raise FormatError(nature, file, rows[0][0])
            return Knowledge()
    if words == ["ancestor", "descendant"] and not rows:  # an old version's empty table
        return Knowledge()
    if words and words[0].startswith("tier"):
        return _read_tiers(rows, words, file, line)
    if words and words[0] in _TARGET_WORDS and (len(words) == 1 or words[1:] in _RATE_WORDS):
        return _read_targets(rows, words, file)
    if words[2:] in _PROBABILITY_WORDS and words[:2] in (*_ARC_WORDS, *_EDGE_WORDS):
        return _read_beliefs(rows, "->" if words[:2] in _ARC_WORDS else "-", file)
    field = _name_field(words, file, line)
    return _gather(field, [(line, _take(row, 2, 2, file, line)) for line, row in rows], file)


def read_text(file: Path) -> str:
    """The text of a knowledge file; a FormatError where it cannot be read."""
    try:
        return read_bounded_text(file, MAX_BYTES, "utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError("this is not UTF-8 text: save it as UTF-8", file) from None
    except OSError as error:
        raise FormatError(f"the file cannot be read ({error.strerror}): check the name", file) from None


def _list_rows(file: Path) -> Rows:
    reader = csv.reader(io.StringIO(read_text(file), newline=""), strict=True, skipinitialspace=True)
    rows: Rows = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise FormatError(f"this is not CSV: {error}", file, reader.line_num) from None
    return rows


def _name_field(words: list[str], file: Path, line: int) -> str:
    name = file.name.lower()
    forbidden, undirected = "forbidden" in name, "undirected" in name
    if words in _ARC_WORDS and not undirected:
        return "forbidden_arcs" if forbidden else "required_arcs"
    if words in _EDGE_WORDS and (forbidden or undirected):
        return "forbidden_edges" if forbidden else "required_edges"
    given = ",".join(words)
    if words in _EDGE_WORDS:
        fix = "put 'forbidden' or 'undirected' into the name of the file to say which"
        raise FormatError(f"the header '{given}' is used for forbidden and for required edges: {fix}", file, line)
    if words in _ARC_WORDS:
        fix = "name the columns Var1,Var2, or the file constraintsDirected.csv"
        raise FormatError(f"the header '{given}' is for arcs, the name of the file for edges: {fix}", file, line)
    raise FormatError(f"the header '{given}' is none of {_HEADERS}", file, line)


def _take(row: list[str], least: int, most: int, file: Path, line: int) -> list[str]:
    """The cells of a row without empty ones at the end; none of the rest may be empty."""
    while row and not row[-1]:
        row = row[:-1]
    if not least <= len(row) <= most or not all(row):
        wanted = count(least, "name") if least > 1 else "one name" + (" and a number" if most > 1 else "")
        raise FormatError(f"{wanted} expected here, not '{','.join(row)}'", file, line)
    return row


def _read_tiers(rows: Rows, words: list[str], file: Path, line: int) -> Knowledge:
    columns = words[:-1] if words[-1] == "end" else words
    if columns != [f"tier{i + 1}" for i in range(len(columns))]:
        raise FormatError("tiers must be numbered in order, as in 'ID,Tier 1,Tier 2,Tier 3'", file, line)
    tiers: list[list[str]] = [[] for _ in columns]
    for at, row in rows:
        beyond = [cell for cell in row[len(columns) :] if cell and cell.lower() != "end"]
        if beyond:
            raise FormatError(f"'{beyond[0]}' is beyond the last tier, {len(columns)}", file, at)
        for tier, name in zip(tiers, row, strict=False):
            if name:
                tier.append(name)
    return _build({"tiers": tiers}, file)


def _read_targets(rows: Rows, words: list[str], file: Path) -> Knowledge:
    entries: list[tuple[int, list[Any]]] = []
    for line, row in rows:
        cells = _take(row, 1, len(words), file, line)
        try:
            rate = float(cells[1]) if len(cells) > 1 else BAYESYS_RATE
        except ValueError:
            raise FormatError(f"'{cells[1]}' is not a number to divide a penalty by", file, line) from None
        entries.append((line, [cells[0], rate]))
    return _gather("targets", entries, file)


def _read_beliefs(rows: Rows, mark: str, file: Path) -> Knowledge:
    entries: list[tuple[int, list[Any]]] = []
    for line, row in rows:
        if len(row) < 3 or not all(row[:3]) or any(row[3:]):
            raise FormatError(f"two names and a probability expected here, not '{','.join(row)}'", file, line)
        try:
            entries.append((line, [row[0], mark, row[1], float(row[2])]))
        except ValueError:
            raise FormatError(f"'{row[2]}' is not a probability", file, line) from None
    return _gather("beliefs", entries, file)


def _gather(field: str, entries: list[tuple[int, list[Any]]], file: Path) -> Knowledge:
    for line, entry in entries:
        _build({field: [entry]}, file, line)
    return _build({field: [entry for _, entry in entries]}, file)
