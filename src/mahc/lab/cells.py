"""The cells of a plan: one contestant on one sample each, with a key that decides whether a stored result is valid."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from mahc._version import __version__
from mahc.errors import MahcError, SettingError
from mahc.lab.contestants import Contestant
from mahc.lab.outline import CLEAN, Row
from mahc.lab.plan import Case, Plan
from mahc.lab.processes import Limits
from mahc.lab.store import StoredRow


@dataclass(frozen=True)
class Cell:
    """One contestant on one sample; `unavailable_reason` says why it cannot run on this machine.

    The key is a fingerprint of everything that the result depends on, except the limits (see `is_still_valid`).
    """

    contestant: Contestant
    case: Case
    data: str
    rows: int
    seed: int
    version: str
    key: str
    unavailable_reason: str | None = None

    def row(self, outcome: str, reason: str = "", **found: Any) -> Row:
        """The row of this cell."""
        label = self.contestant.label
        return Row(
            *(label, self.case.name, self.data, self.rows, self.seed, outcome, reason), version=self.version, **found
        )

    def request(self, limits: Limits, networks: Path | None) -> dict[str, Any]:
        """What the process of the cell reads."""
        return {
            "contestant": self.contestant.to_dict(),
            "case": {
                "name": self.case.name,
                "network": self.case.network,
                "latents": list(self.case.latents),
                "file": self.case.file,
                "reading": dict(self.case.reading),
                "generator": self.case.generator,
                "columns": self.case.columns,
                "noise": self.case.error,
            },
            "networks": None if networks is None else str(networks),
            "sample": [self.data, self.rows, self.seed],
            "limits": [limits.seconds, limits.memory_mebibytes, limits.threads],
        }


def make_cells(plan: Plan) -> tuple[Cell, ...]:
    """All cells in the order in which they run: small samples first, so that an early report is useful."""
    networks = [_fingerprint(case, plan.networks) for case in plan.cases]
    versions = [contestant.version() for contestant in plan.contestants]
    unavailable = [contestant.unavailable_reason() for contestant in plan.contestants]
    outline, cells = plan.outline_without_networks(), []
    for rows, seed, case, data, who in product(
        sorted(outline.sizes), outline.seeds, range(len(plan.cases)), plan.data, range(len(plan.contestants))
    ):
        contestant, (network, unknown) = plan.contestants[who], networks[case]
        if not outline.has_cell(contestant.label, plan.cases[case].name, data, rows, seed):
            continue
        make = partial(Cell, contestant, plan.cases[case], data, rows, seed, versions[who])
        key = _key(make(""), network, plan.limits.threads)
        cells.append(make(key, unknown or unavailable[who]))
    return tuple(cells)


def is_still_valid(kept: StoredRow, limits: Limits) -> bool:
    """Whether a result would be the same under these limits; a cell that a limit ended runs again under another."""
    row = kept.row
    if row.outcome == "unavailable":
        return True
    if "time_limit" in (row.outcome, row.stop_reason):
        return kept.seconds_limit == limits.seconds
    if row.outcome != "done":
        return kept.memory_limit_mebibytes == limits.memory_mebibytes
    within = kept.memory_limit_mebibytes <= limits.memory_mebibytes or (row.peak_memory_mebibytes or 0) <= (
        limits.memory_mebibytes
    )
    return within and (row.seconds or 0) <= limits.seconds


def _key(cell: Cell, network: str, threads: int) -> str:
    who = cell.contestant
    content = {
        "mahc": __version__,
        "network": [cell.case.name, network],
        "latents": [] if cell.data == CLEAN else sorted(cell.case.latents),
        "sample": [cell.data, cell.rows, cell.seed],
        "threads": threads,
        "contestant": [who.label, who.kind, who.best_so_far, who.identity(), cell.version],
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _fingerprint(case: Case, folder: Path | None) -> tuple[str, str | None]:
    """A fingerprint of the network's content, or a sentence that says why it cannot be read."""
    from mahc.networks import find_network
    from mahc.networks.files import format_network

    if case.generator:
        return f"{case.generator} {case.columns} {case.error}", None
    if case.file:
        try:
            with open(case.file, "rb") as opened:
                content = hashlib.file_digest(opened, "sha256").hexdigest()
        except OSError as problem:
            return "", f"the data of the case '{case.name}' cannot be read: {problem.strerror}"
        return f"{content} {json.dumps(dict(case.reading), sort_keys=True, default=str)}", None
    try:
        network = find_network(case.network, folder)
    except MahcError as mistake:
        hint = (
            ""
            if Path(case.network).is_absolute()
            else "; name the folder that holds it as 'networks', in the plan or as an option"
        )
        return "", f"no network for the case '{case.name}': {mistake}{hint}"
    if odd := next((name for name in case.latents if name not in network.names), None):
        raise SettingError(
            f"case '{case.name}': latents has '{odd}', which is not a variable of the network: correct it"
        )
    return hashlib.sha256(format_network(network, "json").encode()).hexdigest(), None
