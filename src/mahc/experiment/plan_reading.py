"""Plans read from TOML and checked at the edge."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

from mahc.errors import FormatError, MahcError, UnknownNameError
from mahc.experiment.contestants import KINDS, Contestant
from mahc.experiment.contestants.own import OwnAlgorithm, Truth
from mahc.experiment.contestants.programs import OwnCommand, OwnFunction
from mahc.experiment.contestants.rival import Rival
from mahc.experiment.contestants.rival_script import RIVALS
from mahc.experiment.limits import Limits
from mahc.experiment.plan import CLEAN, Case, Plan
from mahc.experiment.plan_table import PlanTable
from mahc.experiment.row import TRUTH

MOST_ROWS = 10**9
MOST_SEED = 2**63 - 1
LEAST_MEBIBYTES, MOST_MEBIBYTES = 256, 10**8  # half of the least is what a process reserves before it begins
LISTS = ("sizes", "data", "seeds")
LIMITS = ("seconds", "memory_mebibytes", "threads")


def read_plan(
    word: str | Path, *, quick: bool = False, networks: Path | None = None, seeds: tuple[int, ...] | None = None
) -> Plan:
    """The plan in a file, or one that ships with mahc by its name; what is given here goes before what it says.

    >>> read_plan("paper").sizes
    (100, 1000, 10000, 100000)
    >>> read_plan("paper", quick=True).limits.seconds
    60
    """
    file, text = _find(word)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as mistake:
        raise FormatError(f"not TOML: {mistake}", file) from None
    top = PlanTable(file, "", document)
    if top.has("quick"):
        document = _quicken(top, document) if quick else document
    elif quick:
        raise FormatError("there is no table [quick] for --quick: add one, or leave --quick out", file)
    top = PlanTable(file, "", document)
    top.has("quick")
    chosen = top.text("networks", "")
    plan = Plan(
        name=top.text("name", file.stem),
        cases=_take_cases(top, file.parent),
        sizes=top.wholes("sizes", None, 1, MOST_ROWS),
        data=_take_data(top),
        seeds=top.wholes("seeds", [1], 0, MOST_SEED) if seeds is None else seeds,
        limits=_take_limits(top.table("limits")),
        contestants=(*_take_contestants(top, file.parent), Truth()),
        networks=networks or (file.parent / chosen if chosen else None),
    )
    top.close()
    _check_folder(plan, file)
    return plan


def _find(word: str | Path) -> tuple[Path, str]:
    path = Path(word)
    shipped = files("mahc.experiment").joinpath("plans")
    names = sorted(entry.name.removesuffix(".toml") for entry in shipped.iterdir() if entry.name.endswith(".toml"))
    if not path.exists() and not path.suffix and len(path.parts) == 1:
        if str(path) not in names:
            raise FormatError(f"there is no such file, and no shipped plan has this name ({', '.join(names)})", path)
        return Path(f"{word}.toml"), shipped.joinpath(f"{word}.toml").read_text(encoding="utf-8")
    try:
        return path, path.read_text(encoding="utf-8")
    except OSError as problem:
        raise FormatError(f"the plan cannot be read: {problem.strerror}", path) from None
    except UnicodeDecodeError:
        raise FormatError("the plan is not UTF-8: save it as UTF-8", path) from None


def _quicken(top: PlanTable, document: dict[str, Any]) -> dict[str, Any]:
    quick = top.table("quick")
    lists = {key: quick.content[key] for key in LISTS if quick.has(key)}
    limits = {key: quick.content[key] for key in LIMITS if quick.has(key)}
    quick.close()
    return {**document, **lists, "limits": {**top.table("limits").content, **limits}}


def _take_cases(top: PlanTable, folder: Path) -> tuple[Case, ...]:
    from mahc.formats.networks import READABLE, network_suffix

    cases: list[Case] = []
    for table in top.tables("cases", shorthand="network"):
        network = table.text("network", "") or table.text("name")
        is_file = network_suffix(network).removesuffix(".gz") in READABLE
        name = table.text("name", Path(network).name.removesuffix(network_suffix(network)) if is_file else network)
        latents = table.texts("latents") if table.has("latents") else ()
        table.close()
        if any(case.name == name for case in cases):
            table.refuse("name", name, "another case has this name, give each its own")
        cases.append(Case(name, str((folder / network).absolute()) if is_file else network, latents))
    return tuple(cases)


def _take_data(top: PlanTable) -> tuple[str, ...]:
    kinds = top.texts("data", [CLEAN])
    for kind in kinds:
        try:
            Case("any", "any").noise(kind)
        except MahcError as mistake:
            top.refuse("data", kind, f"{mistake}; or give 'clean', 'cMISL', or letters such as 'M' and 'I+L'")
    return kinds


def _take_limits(table: PlanTable) -> Limits:
    usual = Limits()
    limits = Limits(
        table.number("seconds", usual.seconds),
        table.whole("memory_mebibytes", usual.memory_mebibytes, LEAST_MEBIBYTES, MOST_MEBIBYTES),
        table.whole("threads", usual.threads, 1, 1024),
    )
    table.close()
    return limits


def _take_contestants(top: PlanTable, folder: Path) -> list[Contestant]:
    found: list[Contestant] = []
    kinds = [kind for kind in KINDS.names() if kind != Truth.kind]
    for table in top.tables("contestants"):
        given = [kind for kind in kinds if table.has(kind)]
        label = table.text("label")
        if len(given) != 1:
            table.refuse("label", label, f"give it exactly one of the keys {', '.join(kinds)}")
        if label == TRUTH or any(other.label == label for other in found):
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
    return contestant


def _take_command(table: PlanTable, folder: Path) -> Contestant:
    from mahc.formats.graphs import graph_suffixes

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


def _check_folder(plan: Plan, file: Path) -> None:
    if plan.networks is not None and not plan.networks.is_dir():
        raise FormatError(f"the networks folder '{plan.networks}' does not exist: mend 'networks' or --networks", file)
