"""Plan files: read from TOML and checked."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from mahc.errors import FormatError, MahcError, Mention, Message, UnknownNameError, find_near
from mahc.experiment.contestants.algorithm import Truth
from mahc.experiment.limits import Limits
from mahc.experiment.outline import Selection
from mahc.experiment.plan.contestants import read_contestants
from mahc.experiment.plan.plan import Case, Plan
from mahc.experiment.plan.table import NUMBERS, PlanTable
from mahc.experiment.row import CLEAN
from mahc.files import is_file, is_folder, read_bounded_text
from mahc.files.shipped_plans import shipped_plans, shipped_plans_folder

MAX_BYTES = 2**22
LEAST_MEBIBYTES, MOST_MEBIBYTES = 256, 10**8  # a process reserves about 125 MiB before it learns
LISTS = ("sizes", "data", "seeds")
LIMITS = ("seconds", "memory_mebibytes", "threads")


def read_plan(
    plan: str | Path,
    *,
    quick: bool = False,
    networks: str | Path | None = None,
    seeds: Sequence[int] | None = None,
) -> Plan:
    """Read a plan file, or a plan that ships with mahc.

    Parameters
    ----------
    plan
        The path of a TOML file (docs/reference/experiments.md), or the name of a shipped plan.
    quick
        Whether the plan's table `[quick]` replaces its sizes, data, seeds and limits, also those of single cases.
    networks
        A folder with networks that do not ship with mahc; replaces the plan's `networks`.
    seeds
        Seeds that replace the plan's, also those of single cases. A contestant with seeds of its own takes part with
        those of them that are among these.

    Returns
    -------
    The plan, checked; its last contestant is the true graph.

    Raises
    ------
    FormatError
        If the file cannot be read or has a mistake.

    Examples
    --------
    >>> read_plan("paper").sizes
    (100, 1000, 10000, 100000)
    >>> read_plan("paper", quick=True, seeds=range(3)).seeds
    (0, 1, 2)
    """
    file, text = _find(plan)
    document = _parse(file, text)
    replaced = _replaced(file, document, quick, seeds)
    top = PlanTable(file, "", {**document, **replaced})
    top.has("quick")
    chosen = top.text("networks", "")
    cases = _read_cases(top, file.parent)
    numbers = {"sizes": top.numbers("sizes"), "seeds": top.numbers("seeds", [1])}
    contestants = read_contestants(top, file.parent, _written_samples(file, document, cases))
    found = Plan(
        name=top.text("name", file.stem),
        cases=tuple(_without(case, replaced) for case in cases),
        sizes=numbers["sizes"],
        data=_read_data(top),
        seeds=numbers["seeds"],
        limits=_read_limits(top.table("limits")),
        contestants=(*contestants, Truth()),
        networks=Path(networks) if networks else (file.parent / chosen if chosen else None),
        reference=top.text("reference", ""),
    )
    top.close()
    labels = [contestant.label for contestant in contestants]
    if found.reference and found.reference not in labels:
        raise FormatError(str(UnknownNameError("reference", found.reference, labels)), file)
    if CLEAN not in found.data and (odd := next((case for case in found.cases if case.file), None)):
        top.refuse("data", list(found.data), f"the case '{odd.name}' is a data set, used as it is: add 'clean'")
    _check_folder(found, file)
    return found


def _parse(file: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as mistake:
        raise FormatError(f"not TOML: {mistake}", file) from None
    except RecursionError:
        raise FormatError("not a plan: it is nested too deeply", file) from None
    except ValueError as mistake:  # a date that does not exist, a number of thousands of digits
        raise FormatError(f"not a plan: {mistake}", file) from None


def _replaced(file: Path, document: dict[str, Any], quick: bool, seeds: Sequence[int] | None) -> dict[str, Any]:
    """What [quick] and the arguments put in place of keys of the plan."""
    if quick and "quick" not in document:
        raise FormatError(
            Message("there is no table [quick] for ", Mention("quick"), ": add one, or leave it out"), file
        )
    # Even without --quick, so that a mistake in [quick] is reported.
    from_quick = _read_quick(PlanTable(file, "", document))
    return {**(from_quick if quick else {}), **({} if seeds is None else {"seeds": list(seeds)})}


def _find(word: str | Path) -> tuple[Path, str]:
    path, names = Path(word), shipped_plans()
    shipped = shipped_plans_folder()
    # A folder of this name does not hide the shipped plan: it may be its store.
    if str(word) in names and not is_file(path):
        return Path(f"{word}.toml"), shipped.joinpath(f"{word}.toml").read_text(encoding="utf-8")
    try:
        return path, read_bounded_text(path, MAX_BYTES)
    except FileNotFoundError:
        near = find_near(str(word), names)
        hint = f": did you mean '{near}'?" if near else ""
        raise FormatError(f"no such file, and no shipped plan has this name ({', '.join(names)}){hint}", path) from None
    except OSError as problem:
        raise FormatError(f"the plan cannot be read: {problem.strerror}", path) from None
    except UnicodeDecodeError:
        raise FormatError("the plan is not UTF-8: save it as UTF-8", path) from None


def _read_quick(top: PlanTable) -> dict[str, Any]:
    quick = top.table("quick")
    lists = {key: quick.content[key] for key in LISTS if quick.has(key)}
    limits = {key: quick.content[key] for key in LIMITS if quick.has(key)}
    quick.close()
    return {**lists, "limits": {**top.table("limits").content, **limits}}


def _without(case: Case, replaced: dict[str, Any]) -> Case:
    """A case without sizes and seeds of its own where they are replaced for all cases."""
    return replace(
        case,
        sizes=() if "sizes" in replaced else case.sizes,
        seeds=() if "seeds" in replaced else case.seeds,
    )


def _written_samples(file: Path, document: dict[str, Any], cases: Sequence[Case]) -> tuple[Selection, ...]:
    """The samples of each case as the file has them, with and without --quick: a contestant may name these."""
    top = PlanTable(file, "", document)
    plain, quick = _read_own(top), _read_own(top.table("quick"))
    if not top.has("seeds"):
        plain["seeds"] = (1,)
    return tuple(
        Selection((case.name,), *((getattr(case, key) or plain.get(key, ())) + quick.get(key, ()) for key in NUMBERS))
        for case in cases
    )


def _read_own(table: PlanTable) -> dict[str, Any]:
    """The sizes and seeds that a table has."""
    return {key: table.numbers(key) for key in NUMBERS if table.has(key)}


def _read_cases(top: PlanTable, folder: Path) -> tuple[Case, ...]:
    from mahc.networks.files import is_network_file, network_suffix

    cases: list[Case] = []
    for table in top.tables("cases", shorthand="network"):
        if table.has("data"):
            cases.append(_read_data_set(table, folder, cases))
            continue
        network = table.text("network", "") or table.text("name")
        from_file = is_network_file(network)
        name = table.text("name", Path(network).name.removesuffix(network_suffix(network)) if from_file else network)
        latents = table.texts("latents") if table.has("latents") else ()
        own = _read_own(table)
        table.close()
        if any(case.name == name for case in cases):
            table.refuse("name", name, "another case has this name: give each a different one")
        cases.append(Case(name, str((folder / network).absolute()) if from_file else network, latents, **own))
    return tuple(cases)


def _read_data_set(table: PlanTable, folder: Path, others: Sequence[Case]) -> Case:
    from mahc.data import ReadSettings

    given = table.text("data")
    file = (folder / given).absolute()
    name = table.text("name", Path(given).name.split(".")[0])
    reading = dict(table.table("reading").content)
    own = _read_own(table)
    known = [field.name for field in fields(ReadSettings)]
    if inner := next((key for key in table.content if key in known), None):
        raise FormatError(f"{table.place}: {inner} says how to read: write reading = {{ {inner} = ... }}", table.file)
    table.close()
    if any(case.name == name for case in others):
        table.refuse("name", name, "another case has this name: give each a different one")
    if not is_file(file):
        table.refuse("data", given, f"there is no such file in {folder.absolute()}: correct the path")
    if odd := next((key for key in reading if key not in known), None):
        raise FormatError(f"{table.place}: {UnknownNameError('key in reading', odd, known)}", table.file)
    return Case(name, "", file=str(file), reading=reading, **own)


def _read_data(top: PlanTable) -> tuple[str, ...]:
    kinds = top.texts("data", [CLEAN])
    seen: list[tuple[str, object]] = []
    for kind in kinds:
        try:
            noise = Case("any", "any").noise(kind)
        except MahcError as mistake:
            top.refuse("data", kind, f"{mistake}; or give 'clean', 'cMISL', or letters such as 'M' and 'I+L'")
        if same := next((other for other, known in seen if known == noise), None):
            top.refuse("data", kind, f"it is the same as {same!r}, give it once")
        seen.append((kind, noise))
    return kinds


def _read_limits(table: PlanTable) -> Limits:
    usual = Limits()
    limits = Limits(
        table.number("seconds", usual.seconds),
        table.memory("memory_mebibytes", usual.memory_mebibytes, LEAST_MEBIBYTES, MOST_MEBIBYTES),
        table.whole("threads", usual.threads, 1, 1024),
    )
    table.close()
    return limits


def _check_folder(plan: Plan, file: Path) -> None:
    if plan.networks is not None and not is_folder(plan.networks):
        raise FormatError(
            Message(
                f"the networks folder '{plan.networks}' does not exist: correct it in the plan, or in ",
                Mention("networks"),
            ),
            file,
        )
