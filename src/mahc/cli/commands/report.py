"""`mahc report`: one HTML file that shows a result and works offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from mahc.cli.options.groups import DATA, OUTPUT, argument, option
from mahc.cli.options.limits import MemoryOption, parse_memory
from mahc.cli.options.pieces import OnOption, data_title, find_pieces_or_file, load_rows
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say
from mahc.data import ReadSettings
from mahc.errors import SettingError
from mahc.opening import closing_opened
from mahc.sources import find_result
from mahc.ui.report import write_report
from mahc.ui.reproduce import Source

DATA_HELP = "The data of the result: adds states, frequencies, probability tables and the audit."


def command(
    result: Annotated[Path, argument("RESULT", "result.json, or the folder of `mahc learn --out`.")],
    /,
    *,
    out: Annotated[Path, option("--out", "FILE", "The HTML file to write.", OUTPUT)],
    data: Annotated[Path | None, option("--data", "FILE", DATA_HELP, DATA)] = None,
    memory: MemoryOption = None,
    on: OnOption = None,
    reading: ReadingOptions = ReadingOptions(),
) -> None:
    """Write one self-contained HTML file that shows the learned graph, the reason for every arc, and the run."""
    if data is None and reading.settings() != ReadSettings():
        raise SettingError("the options of reading need data: add --data FILE")
    learned = find_result(result)
    table = None
    if data is not None:
        file = find_pieces_or_file(data, on)
        settings = reading.settings_like(learned.data.reading, file)
        table = load_rows(file, settings, on, None, parse_memory(memory), kinds=learned.run.score.columns)
    source = Source() if data is None else Source(data_title(data))
    with closing_opened(table):
        write_report(learned, out, table, source)
    say(f"Written to {out} ({out.stat().st_size / 1000:,.0f} kB): open it in a browser")
