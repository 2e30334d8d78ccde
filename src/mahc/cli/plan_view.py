"""`mahc audit --plan`: what a run will take, on this machine or on a cluster, before it begins."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from mahc.cli.printing import say, say_json
from mahc.cluster.choosing import DEFAULT_MEMORY, MAHC_PASSES, MEBIBYTE, Way, format_mebibytes
from mahc.cluster.meter import format_bytes
from mahc.errors import SettingError
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.cluster.planning import Plan
    from mahc.data import ReadSettings

LARGE = 10_000  # seconds from which hours are shown


@dataclass(frozen=True)
class Elsewhere:
    """The cluster of a plan: an address, or a number of workers; the rows that are planned for, and a price."""

    on: str | None
    workers: int | None
    rows: float | None
    worker_hour: float | None

    @property
    def asked(self) -> bool:
        """Whether a cluster is planned for."""
        self._check()
        return self.on is not None or self.workers is not None

    def refuse_without_plan(self) -> None:
        """Workers, rows and a price mean nothing elsewhere."""
        for name, value in self._own().items():
            if value is not None:
                raise SettingError(f"{name} is for --plan: add --plan, or leave {name} out")

    def plan(self, source: Any, settings: ReadSettings, memory_mebibytes: int | None) -> Plan:
        """Try a few pieces, and foretell the run."""
        import mahc
        from mahc.cluster.planning import plan_files

        memory = DEFAULT_MEMORY if memory_mebibytes is None else memory_mebibytes * MEBIBYTE
        rows = None if self.rows is None else round(self.rows)
        learn = partial(mahc.learn, algorithm="mahc")
        return plan_files(source, settings, memory, learn, workers=self.workers, on=self.on, rows=rows)

    def _own(self) -> dict[str, float | None]:
        return {"--workers": self.workers, "--rows": self.rows, "--worker-hour": self.worker_hour}

    def _check(self) -> None:
        for name, value in self._own().items():
            if value is not None and not 0 < value < 1e18:
                raise SettingError(f"{name} is {value:g}: give a number above 0")
        for name, value in self._own().items():
            if value is not None and self.on is None and self.workers is None:
                raise SettingError(f"{name} is for a cluster: name it with --on, or say how many --workers there are")


def say_plan(way: Way, name: str, as_json: bool) -> None:
    """Print the way, the number of passes and the memory."""
    size = way.size
    if as_json:
        shape = None if size is None else {"rows": size.rows, "columns": size.columns, "exact": size.exact}
        say_json(
            {
                "source": name,
                "in_pieces": way.in_pieces,
                "reason": way.reason,
                "size": shape,
                "pieces": None if size is None else size.pieces,
                "table_bytes": None if size is None else size.table_bytes,
                "memory_limit_bytes": way.limit,
                "most_distinct_rows": way.most_distinct if way.in_pieces else None,
                "passes": {"least": 2, "mahc": MAHC_PASSES} if way.in_pieces else {"least": 1, "mahc": 1},
            },
            indent=2,
        )
        return
    say(f"{way.sentence(name)}.")
    if not way.in_pieces:
        say("Passes: 1. The rows are read into memory once.")
        return
    pieces = "" if size is None else f" over {count(size.pieces, 'piece')}"
    say(
        f"Passes{pieces}: 2 where at most {count(way.most_distinct, 'distinct row')} occur, which are then kept in "
        f"memory; otherwise {MAHC_PASSES} for mahc, and one for each round of ties and each variable that needs too "
        "many rows.",
        f"Memory: at most {format_mebibytes(way.limit)} for what is kept of the rows.",
    )


def say_cluster_plan(plan: Plan, worker_hour: float | None, name: str, as_json: bool) -> None:
    """Print what each phase takes, the total, and what limits the run."""
    price = None if worker_hour is None else plan.worker_hours * worker_hour
    if as_json:
        own = {"seconds": plan.seconds, "passes": plan.passes, "worker_hours": plan.worker_hours, "price": price}
        say_json({"source": name, **asdict(plan), **own}, indent=2)
        return
    way = (
        f"about {count(plan.distinct_rows, 'distinct row')}, which do not fit into the memory limit: counted in passes"
        if plan.in_passes
        else f"about {count(plan.distinct_rows, 'distinct row')}, which are brought into memory"
    )
    tried = f"foretold from a trial of {count(plan.tried, 'piece')}"
    say(
        f"{name}: mahc on {count(plan.rows, 'row')} x {count(plan.columns, 'column')} in "
        f"{count(plan.pieces, 'piece')}, {count(plan.workers, 'worker')} of one thread; {tried}",
        way,
        f"{'':<14} {'passes':>6} {'time':>10} {'read':>9} {'sent':>9}",
    )
    for each in plan.phases:
        sizes = f"{format_bytes(each.read_bytes):>9} {format_bytes(each.sent_bytes):>9}"
        say(f"{each.name:<14} {each.passes or '':>6} {_time(each.seconds):>10} {sizes}")
    cost = "" if price is None else f", price {price:,.2f}"
    say(
        f"{'all':<14} {plan.passes:>6} {_time(plan.seconds):>10}",
        f"Work: {plan.worker_hours:,.2f} worker hours{cost}.",
        f"Memory: at most about {format_bytes(plan.worker_bytes)} for each worker.",
        *(f"Note: {remark}." for remark in plan.remarks),
    )


def _time(seconds: float) -> str:
    """Seconds, or hours where these are many.

    >>> _time(12.34), _time(36000)
    ('12.3 s', '10.0 h')
    """
    return f"{seconds:,.1f} s" if seconds < LARGE else f"{seconds / 3600:,.1f} h"
