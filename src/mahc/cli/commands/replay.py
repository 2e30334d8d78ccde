"""`mahc replay`: do a saved run again on the same data and compare."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from mahc.cli.options.groups import LIMITS, argument, option
from mahc.cli.options.limits import MemoryOption, TimeLimitOption, parse_memory, parse_time_limit
from mahc.cli.options.pieces import OnOption, RowsArgument, SqlOptions, find_pieces_or_file, load_rows, time_left
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say_sentence
from mahc.cli.progress import progress_line
from mahc.learning.settings import RunSettings
from mahc.opening import closing_opened, rows_or_counts
from mahc.replay import replay
from mahc.results.summary import count_edges, score_line
from mahc.settings import declarations
from mahc.sources import find_result

THREADS = declarations(RunSettings)["threads"]


def command(
    result: Annotated[Path, argument("RESULT", "result.json, or the folder of `mahc learn --out`.")],
    data: RowsArgument = None,
    /,
    *,
    threads: Annotated[str | None, option("--threads", "N", THREADS.help, LIMITS)] = None,
    time_limit: TimeLimitOption = None,
    memory: MemoryOption = None,
    reading: ReadingOptions = ReadingOptions(),
    query: SqlOptions = SqlOptions(),
    on: OnOption = None,
) -> None:
    """Learn again with the settings of a saved result and check that the graph is the same."""
    given = query.source(data)
    saved = find_result(result)
    source = find_pieces_or_file(given, on)
    settings = reading.settings_like(saved.data.reading, source)
    count = None if threads is None else THREADS.check.parse(threads)
    run = RunSettings(threads=count)  # type: ignore[arg-type]
    if saved.run.missing is not None:
        settings = replace(settings, missing=saved.run.missing)
    seconds, limit, began = parse_time_limit(time_limit), parse_memory(memory), time.perf_counter()
    allowed = saved.settings.get("memory_mebibytes") if limit is None else limit
    kinds = saved.run.score.columns
    table = rows_or_counts(load_rows(source, settings.coding_missing(), on, run.threads, allowed, seconds, kinds))
    with closing_opened(table), progress_line() as report:
        again = replay(
            saved,
            table,
            time_limit=time_left(seconds, time.perf_counter() - began),
            memory_mebibytes=limit,
            threads=run.threads,
            progress=report,
        )
    say_sentence(f"The same graph: {count_edges(again)}, {score_line(again)}, in {again.seconds:.3g} s.")
