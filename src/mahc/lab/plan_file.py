"""Plan files: read from TOML and checked."""

from __future__ import annotations

import tomllib
from collections.abc import Container, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from mahc.errors import FormatError, MahcError, Mention, Message, UnknownNameError, find_near
from mahc.files import is_file, is_folder, read_bounded_text
from mahc.lab import plans_folder, shipped_plans
from mahc.lab.contestants import KINDS, Contestant
from mahc.lab.contestants.ours import Truth
from mahc.lab.outline import CLEAN, TRUTH, Selection
from mahc.lab.plan import Case, Plan
from mahc.lab.plan_tables import (
    BadValueError,
    CaseTable,
    DataSetTable,
    GeneratorTable,
    LimitsTable,
    PlanTable,
    QuickTable,
    read_table,
    refuse_key,
    refuse_value,
)
from mahc.lab.processes import Limits

MAX_BYTES = 2**22
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
    shorter = read_table(file, "quick", document.get("quick", {}), QuickTable)  # a mistake is reported in any case
    if quick and "quick" not in document:
        raise FormatError(
            Message("there is no table [quick] for ", Mention("quick"), ": add one, or leave it out"), file
        )
    written = read_table(file, "", document, PlanTable)
    replaced = {key: value for key, value in document.get("quick", {}).items() if quick}
    if seeds is not None:
        replaced["seeds"] = list(seeds)
    given = {key: value for key, value in replaced.items() if key not in LIMITS}
    top = read_table(file, "", {**document, **given}, PlanTable)
    limits = {**written.limits, **{key: replaced[key] for key in LIMITS if key in replaced}}
    cases = _read_cases(file, top.cases)
    contestants = _read_contestants(file, top.contestants, _written_samples(written, shorter, cases))
    found = Plan(
        name=top.name or file.stem,
        cases=tuple(_without(case, replaced) for case in cases),
        sizes=top.sizes,
        data=_check_data(file, top.data),
        seeds=top.seeds,
        limits=_read_limits(file, limits),
        contestants=(*contestants, Truth()),
        networks=Path(networks) if networks else (file.parent / top.networks if top.networks else None),
        reference=top.reference,
    )
    _check_plan(found, file)
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


def _find(word: str | Path) -> tuple[Path, str]:
    path, names = Path(word), shipped_plans()
    shipped = plans_folder()
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


def _without(case: Case, replaced: Container[str]) -> Case:
    """A case without sizes and seeds of its own where they are replaced for all cases."""
    sizes, seeds = "sizes" in replaced, "seeds" in replaced
    return replace(case, sizes=() if sizes else case.sizes, seeds=() if seeds else case.seeds)


def _written_samples(plan: PlanTable, quick: QuickTable, cases: Sequence[Case]) -> list[Selection]:
    """The samples of each case as the file has them, with and without --quick: a contestant may name these."""
    return [
        Selection((case.name,), (case.sizes or plan.sizes) + quick.sizes, (case.seeds or plan.seeds) + quick.seeds)
        for case in cases
    ]


def _read_cases(file: Path, given: Sequence[Any]) -> list[Case]:
    cases: list[Case] = []
    for number, content in enumerate(given, 1):
        place, table = f"cases {number}", {"network": content} if isinstance(content, str) else content
        keys = table if isinstance(table, dict) else {}
        read = _read_data_set if "data" in keys else _read_generator if "generator" in keys else _read_network
        case = read(file, place, table)
        if any(other.name == case.name for other in cases):
            refuse_value(file, place, "name", case.name, "another case has this name: give each a different one")
        cases.append(case)
    return cases


def _read_network(file: Path, place: str, content: Any) -> Case:
    from mahc.networks.files import is_network_file, network_suffix

    table = read_table(file, place, content, CaseTable)
    network = table.network or table.name
    if network is None:
        raise FormatError(f"{place}: name is missing: add it", file)
    name = table.name or network
    if is_network_file(network):
        name = table.name or Path(network).name.removesuffix(network_suffix(network))
        network = str((file.parent / network).absolute())
    return Case(name, network, table.latents, sizes=table.sizes, seeds=table.seeds)


def _read_generator(file: Path, place: str, content: dict[str, Any]) -> Case:
    from mahc.lab.generators import GENERATORS

    table = read_table(file, place, content, GeneratorTable)
    if table.generator not in GENERATORS:
        raise FormatError(f"{place}: {UnknownNameError('generator', table.generator, GENERATORS)}", file)
    return Case(
        table.name or table.generator,
        "",
        sizes=table.sizes,
        seeds=table.seeds,
        generator=table.generator,
        columns=table.columns,
        error=table.noise,
    )


def _read_data_set(file: Path, place: str, content: dict[str, Any]) -> Case:
    from mahc.data import ReadSettings

    known = [field.name for field in fields(ReadSettings)]
    if inner := next((key for key in content if key in known), None):
        raise FormatError(f"{place}: {inner} says how to read: write reading = {{ {inner} = ... }}", file)
    table = read_table(file, place, content, DataSetTable)
    data = (file.parent / table.data).absolute()
    if not is_file(data):
        fix = f"there is no such file in {file.parent.absolute()}: correct the path"
        refuse_value(file, place, "data", table.data, fix)
    if odd := next((key for key in table.reading if key not in known), None):
        raise FormatError(f"{place}: {UnknownNameError('key in reading', odd, known)}", file)
    name = table.name or Path(table.data).name.split(".")[0]
    return Case(name, "", file=str(data), reading=table.reading, sizes=table.sizes, seeds=table.seeds)


def _check_data(file: Path, kinds: tuple[str, ...]) -> tuple[str, ...]:
    seen: list[tuple[str, object]] = []
    for kind in kinds:
        try:
            noise = Case("any", "any").noise(kind)
        except MahcError as mistake:
            fix = f"{mistake}; or give 'clean', 'cMISL', or letters such as 'M' and 'I+L'"
            refuse_value(file, "", "data", kind, fix)
        if same := next((other for other, known in seen if known == noise), None):
            refuse_value(file, "", "data", kind, f"it is the same as {same!r}, give it once")
        seen.append((kind, noise))
    return kinds


def _read_limits(file: Path, content: dict[str, Any]) -> Limits:
    table = read_table(file, "limits", content, LimitsTable)
    return Limits(table.seconds, table.mebibytes, table.threads)


def _read_contestants(file: Path, given: Sequence[Any], samples: Sequence[Selection]) -> list[Contestant]:
    found: list[Contestant] = []
    for number, content in enumerate(given, 1):
        contestant = _read_contestant(file, f"contestants {number}", content)
        label, place = contestant.label, f"contestants {number}"
        if label.casefold() == TRUTH.casefold() or any(other.label == label for other in found):
            refuse_value(file, place, "label", label, "another contestant has this label: give each a different one")
        if contestant.best_so_far and not contestant.stops_itself:
            fix = "only an algorithm of mahc returns its best graph at the time limit"
            refuse_value(file, place, "best_so_far", True, fix)
        _check_selection(file, place, contestant, samples)
        found.append(contestant)
    return found


def _read_contestant(file: Path, place: str, content: Any) -> Contestant:
    kinds = [kind for kind in KINDS.names() if kind != Truth.kind]
    given = [kind for kind in kinds if isinstance(content, dict) and kind in content]
    if len(given) != 1 and isinstance(content, dict):
        known = {key for kind in kinds for key in KINDS[kind].__struct_encode_fields__} - {"folder"}
        if odd := next((key for key in content if key not in known), None):
            refuse_key(file, place, odd, known)
        has = f"has the keys {' and '.join(given)}" if given else "does not say what runs"
        label = f" ('{content['label']}')" if "label" in content else ""
        raise FormatError(f"{place}{label} {has}: give exactly one of the keys {', '.join(kinds)}", file)
    kind = KINDS[given[0]] if given else Contestant
    contestant = read_table(file, place, content, kind, folder=str(file.parent.absolute()))
    try:
        contestant.check()
    except BadValueError as mistake:
        raise FormatError(f"{place}: {mistake}", file) from None
    except MahcError as mistake:
        raise FormatError(f"{place} ('{contestant.label}'): {mistake}", file) from None
    return contestant


def _check_selection(file: Path, place: str, contestant: Contestant, samples: Sequence[Selection]) -> None:
    """Refuse cases, sizes and seeds of a contestant that no sample of the plan has."""
    label, chosen = contestant.label, contestant.selection
    names = [case for one in samples for case in one.cases]
    if unknown := next((name for name in chosen.cases if name not in names), None):
        raise FormatError(f"{place} ('{label}'): {UnknownNameError('case', unknown, names)}", file)
    for key in ("sizes", "seeds"):
        known = {value for one in samples for value in getattr(one, key)}
        if odd := [value for value in getattr(chosen, key) if value not in known]:
            shown = ", ".join(f"{value:,}" for value in sorted(known)[:12])
            refuse_value(file, place, key, odd[0], f"no case of the plan has it: give some of {shown}")
    if not any(_meet(chosen, one) for one in samples):
        fix = "no sample of the plan has its cases, sizes and seeds together: correct them"
        raise FormatError(f"{place} ('{label}'): {fix}", file)


def _meet(one: Selection, other: Selection) -> bool:
    pairs = ((one.cases, other.cases), (one.sizes, other.sizes), (one.seeds, other.seeds))
    return all(not mine or not {*mine}.isdisjoint(theirs) for mine, theirs in pairs)


def _check_plan(plan: Plan, file: Path) -> None:
    labels = [contestant.label for contestant in plan.contestants[:-1]]
    if plan.reference and plan.reference not in labels:
        raise FormatError(str(UnknownNameError("reference", plan.reference, labels)), file)
    if CLEAN not in plan.data and (odd := next((case for case in plan.cases if case.file), None)):
        fix = f"the case '{odd.name}' is a data set, used as it is: add 'clean'"
        refuse_value(file, "", "data", list(plan.data), fix)
    odd = next((case for case in plan.cases if case.generator), None)
    if odd is not None and plan.data != (CLEAN,):
        fix = f"the case '{odd.name}' is generated and has no other noise than its key noise: give ['clean'] alone"
        refuse_value(file, "", "data", list(plan.data), fix)
    if plan.networks is not None and not is_folder(plan.networks):
        raise FormatError(
            Message(
                f"the networks folder '{plan.networks}' does not exist: correct it in the plan, or in ",
                Mention("networks"),
            ),
            file,
        )
