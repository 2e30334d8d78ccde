"""The contestants of a plan file, with one reader for each kind."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from mahc.confidence.settings import BootstrapSettings, ConsensusSettings
from mahc.errors import FormatError, MahcError, UnknownNameError, UnknownSettingError, find_near
from mahc.experiment.contestants import KINDS, Contestant
from mahc.experiment.contestants.algorithm import MahcAlgorithm, Truth
from mahc.experiment.contestants.command import Program
from mahc.experiment.contestants.consensus import ConsensusGraph
from mahc.experiment.contestants.function import PythonFunction
from mahc.experiment.contestants.peer import PeerAlgorithm
from mahc.experiment.contestants.peer_script import PEERS
from mahc.experiment.outline import Selection
from mahc.experiment.plan.module_names import defined_names
from mahc.experiment.plan.spelling import PlanSpelling
from mahc.experiment.plan.table import PlanTable
from mahc.experiment.row import TRUTH
from mahc.settings import declarations

COMMON_KEYS = (
    *("label", "learning_class", "paper_name", "best_so_far", "settings", "objective", "missing"),
    *("version", "output", "python", "shuffle_columns", "cases", "sizes", "seeds"),
)


def read_contestants(top: PlanTable, folder: Path, samples: Sequence[Selection]) -> list[Contestant]:
    """All of them, checked; paths are relative to `folder`, and `samples` are those of each case of the plan."""
    found: list[Contestant] = []
    kinds = [kind for kind in KINDS.names() if kind != Truth.kind]
    for table in top.tables("contestants"):
        given = [kind for kind in kinds if table.has(kind)]
        label = table.text("label")
        if len(given) != 1:
            _refuse_kinds(table, label, given, kinds)
        if label.casefold() == TRUTH.casefold() or any(other.label == label for other in found):
            table.refuse("label", label, "another contestant has this label: give each a different one")
        contestant = READERS[given[0]](table, folder)
        if contestant.best_so_far and not contestant.stops_itself:
            table.refuse("best_so_far", True, "only an algorithm of mahc returns its best graph at the time limit")
        selection = _read_selection(table, label, samples)
        table.close()
        found.append(replace(contestant, selection=selection))
    return found


def _read_selection(table: PlanTable, label: str, samples: Sequence[Selection]) -> Selection:
    """The samples in which a contestant takes part."""
    names = [case for one in samples for case in one.cases]
    cases = table.texts("cases") if table.has("cases") else ()
    if odd := next((name for name in cases if name not in names), None):
        raise FormatError(f"{table.place} ('{label}'): {UnknownNameError('case', odd, names)}", table.file)
    sizes = _read_numbers(table, "sizes", [size for one in samples for size in one.sizes])
    seeds = _read_numbers(table, "seeds", [seed for one in samples for seed in one.seeds])
    found = Selection(cases, sizes, seeds)
    if not any(_meet(found, one) for one in samples):
        raise FormatError(
            f"{table.place} ('{label}'): no sample of the plan has its cases, sizes and seeds together: correct them",
            table.file,
        )
    return found


def _read_numbers(table: PlanTable, key: str, known: Sequence[int]) -> tuple[int, ...]:
    """Some of the numbers that the plan has, by default all of them."""
    if not table.has(key):
        return ()
    values = table.numbers(key)
    if odd := [value for value in values if value not in known]:
        shown = ", ".join(f"{value:,}" for value in sorted({*known})[:12])
        table.refuse(key, odd[0], f"no case of the plan has it: give some of {shown}")
    return values


def _meet(one: Selection, other: Selection) -> bool:
    pairs = ((one.cases, other.cases), (one.sizes, other.sizes), (one.seeds, other.seeds))
    return all(not mine or not {*mine}.isdisjoint(theirs) for mine, theirs in pairs)


def _refuse_kinds(table: PlanTable, label: str, given: list[str], kinds: list[str]) -> NoReturn:
    """A contestant of no kind, perhaps because the key is misspelt, or of several kinds."""
    known = {*kinds, *COMMON_KEYS, *declarations(BootstrapSettings), *declarations(ConsensusSettings)}
    odd = next((key for key in table.content if key not in known), None)
    if odd is not None:
        raise FormatError(f"{UnknownNameError(f'key in {table.place}', odd, known)}", table.file)
    has = f"has the keys {' and '.join(given)}" if given else "does not say what runs"
    raise FormatError(f"{table.place} ('{label}') {has}: give exactly one of the keys {', '.join(kinds)}", table.file)


def _read_common(table: PlanTable) -> dict[str, Any]:
    return {
        "label": table.text("label"),
        "learning_class": table.text("learning_class", ""),
        "paper_name": table.text("paper_name", ""),
        "best_so_far": table.flag("best_so_far"),
    }


def _read_algorithm(table: PlanTable, folder: Path) -> Contestant:
    name = table.text("algorithm")
    settings, objective = dict(table.table("settings").content), table.text("objective", "") or None
    missing = table.text("missing", "") or None
    contestant = MahcAlgorithm(
        **_read_common(table), name=name, settings=settings, objective=objective, missing=missing
    )
    return _check(contestant, table, PlanSpelling())


def _check(contestant: Contestant, table: PlanTable, spelling: PlanSpelling) -> Contestant:
    try:
        contestant.identity()  # refuses unknown names and settings out of range
    except MahcError as mistake:
        lists_names = isinstance(mistake, UnknownSettingError)
        sentence = mistake.render(PlanSpelling(table="") if lists_names else spelling)
        raise FormatError(f"{table.place} ('{contestant.label}'): {sentence}", table.file) from None
    return contestant


def _read_consensus(table: PlanTable, folder: Path) -> Contestant:
    given = table.content["consensus"]
    names = (table.text("consensus"),) if isinstance(given, str) else table.texts("consensus")
    settings = dict(table.table("settings").content)
    # The declared settings of a bootstrap and of a consensus are keys; `identity` checks their values.
    known = [*declarations(BootstrapSettings), *declarations(ConsensusSettings)]
    chosen = {key: table.content[key] for key in known if table.has(key)}
    contestant = ConsensusGraph(**_read_common(table), names=names, settings=settings, **chosen)
    return _check(contestant, table, PlanSpelling(keys=known))


def _read_function(table: PlanTable, folder: Path) -> Contestant:
    place = table.text("callable")
    contestant = PythonFunction(
        **_read_common(table), place=place, folder=str(folder.absolute()), stated_version=table.text("version", "")
    )
    module, colon, name = place.rpartition(":")
    if not (colon and module and name.isidentifier()):
        table.refuse("callable", place, 'write "module:function" or "file.py:function"')
    if contestant.file is None or not contestant.file.is_file():
        table.refuse("callable", place, f"'{module}' is not found from {folder.absolute()}: correct the path")
    if not os.access(contestant.file, os.R_OK):
        table.refuse("callable", place, f"'{contestant.file}' cannot be read: change its permissions")
    if contestant.file.suffix == ".py":
        _check_function(table, place, contestant.file)
    return contestant


def _check_function(table: PlanTable, place: str, file: Path) -> None:
    """Refuse a function that the file does not define; the file is parsed and not run."""
    module, _, name = place.rpartition(":")
    try:
        names = defined_names(file)
    except SyntaxError as mistake:
        table.refuse("callable", place, f"'{module}' is not valid Python (line {mistake.lineno}): correct it")
    if names is not None and name not in names:
        near = find_near(name, names)
        advice = f"did you mean '{near}'?" if near else "correct the name"
        table.refuse("callable", place, f"'{module}' has no function '{name}': {advice}")


def _read_program(table: PlanTable, folder: Path) -> Contestant:
    from mahc.graphs.files import graph_suffixes

    words = table.words("command")
    for mark in ("{data}", "{output}"):
        if not any(mark in word for word in words[1:]):
            table.refuse("command", list(words), f"the program needs {mark}: add it to the command")
    output = table.text("output", ".csv")
    if output not in graph_suffixes():
        table.refuse("output", output, f"give the suffix of a graph format: {', '.join(graph_suffixes())}")
    version = table.text("version", "")
    common = _read_common(table)
    return Program(**common, words=words, folder=str(folder.absolute()), output=output, stated_version=version)


def _read_peer(table: PlanTable, folder: Path) -> Contestant:
    name = table.text("peer")
    if name not in PEERS:
        raise FormatError(f"{table.place}: {UnknownNameError('peer', name, PEERS)}", table.file)
    python = table.text("python", "")
    if "/" in python:
        python = str((folder / Path(python).expanduser()).absolute())
    shuffle = table.flag("shuffle_columns")
    return PeerAlgorithm(**_read_common(table), name=name, python=python, shuffle_columns=shuffle)


READERS = {
    "algorithm": _read_algorithm,
    "callable": _read_function,
    "command": _read_program,
    "consensus": _read_consensus,
    "peer": _read_peer,
}
