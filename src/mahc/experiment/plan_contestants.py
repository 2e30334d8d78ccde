"""The contestants of a plan file, one taker for each kind."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from mahc.errors import FormatError, MahcError, UnknownNameError
from mahc.experiment.contestants import KINDS, Contestant
from mahc.experiment.contestants.command import OwnCommand
from mahc.experiment.contestants.function import OwnFunction
from mahc.experiment.contestants.own import OwnAlgorithm, Truth
from mahc.experiment.contestants.rival import Rival
from mahc.experiment.contestants.rival_script import RIVALS
from mahc.experiment.plan_table import PlanTable
from mahc.experiment.row import TRUTH


def take_contestants(top: PlanTable, folder: Path) -> list[Contestant]:
    """All of them, checked; `folder` is where paths are seen from."""
    found: list[Contestant] = []
    kinds = [kind for kind in KINDS.names() if kind != Truth.kind]
    for table in top.tables("contestants"):
        given = [kind for kind in kinds if table.has(kind)]
        label = table.text("label")
        if len(given) != 1:
            table.refuse("label", label, f"give it exactly one of the keys {', '.join(kinds)}")
        if label.casefold() == TRUTH.casefold() or any(other.label == label for other in found):
            table.refuse("label", label, "this name is taken, give each contestant its own")
        contestant = TAKERS[given[0]](table, folder)
        if contestant.best_so_far and not contestant.stops_itself:
            table.refuse("best_so_far", True, "only an algorithm of mahc hands back its best graph at the time limit")
        table.close()
        found.append(contestant)
    return found


def _take_common(table: PlanTable) -> dict[str, Any]:
    return {
        "label": table.text("label"),
        "learning_class": table.text("learning_class", ""),
        "paper_name": table.text("paper_name", ""),
        "best_so_far": table.flag("best_so_far"),
    }


def _take_own(table: PlanTable, folder: Path) -> Contestant:
    name = table.text("algorithm")
    contestant = OwnAlgorithm(**_take_common(table), name=name, settings=dict(table.table("settings").content))
    try:
        contestant.essence()  # refuses unknown names and settings out of range
    except (MahcError, TypeError, ValueError) as mistake:
        raise FormatError(f"{table.place} ('{contestant.label}'): {mistake}", table.file) from None
    return contestant


def _take_function(table: PlanTable, folder: Path) -> Contestant:
    place = table.text("callable")
    contestant = OwnFunction(
        **_take_common(table), place=place, folder=str(folder.absolute()), stated_version=table.text("version", "")
    )
    module, colon, name = place.rpartition(":")
    if not (colon and module and name.isidentifier()):
        table.refuse("callable", place, 'write "module:function" or "file.py:function"')
    if contestant.file is None or not contestant.file.is_file():
        table.refuse("callable", place, f"'{module}' is not found from {folder.absolute()}: mend the path")
    if not os.access(contestant.file, os.R_OK):
        table.refuse("callable", place, f"'{contestant.file}' may not be read: mend its permissions")
    return contestant


def _take_command(table: PlanTable, folder: Path) -> Contestant:
    from mahc.graphs.files import graph_suffixes

    words = table.words("command")
    for mark in ("{data}", "{output}"):
        if not any(mark in word for word in words[1:]):
            table.refuse("command", list(words), f"the program must be told of {mark}, add it to the words")
    output = table.text("output", ".csv")
    if output not in graph_suffixes():
        table.refuse("output", output, f"give the suffix of a graph format: {', '.join(graph_suffixes())}")
    version = table.text("version", "")
    common = _take_common(table)
    return OwnCommand(**common, words=words, folder=str(folder.absolute()), output=output, stated_version=version)


def _take_rival(table: PlanTable, folder: Path) -> Contestant:
    name = table.text("rival")
    if name not in RIVALS:
        raise FormatError(f"{table.place}: {UnknownNameError('rival', name, RIVALS)}", table.file)
    python = table.text("python", "")
    if "/" in python:
        python = str((folder / Path(python).expanduser()).absolute())
    return Rival(**_take_common(table), name=name, python=python)


TAKERS = {
    "algorithm": _take_own,
    "callable": _take_function,
    "command": _take_command,
    "rival": _take_rival,
}
