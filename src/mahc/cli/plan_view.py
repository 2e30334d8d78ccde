"""`mahc audit --plan`: how data would be read to learn from them, before anything is read."""

from __future__ import annotations

from pathlib import Path

from mahc.cli.printing import say, say_json
from mahc.cluster import is_sharded
from mahc.cluster.choosing import MAHC_PASSES, Way, format_mebibytes
from mahc.files import is_file
from mahc.plurals import count


def exists_as_data(source: Path) -> bool:
    """Whether there is something whose size can be looked up."""
    return is_sharded(source) or is_file(source)


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
