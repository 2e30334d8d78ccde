"""`learned.report(path)`: one HTML file that shows everything about a result, and needs no network."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from mahc.data import Dataset
from mahc.engine import CountSource
from mahc.engine.counts import TableSource
from mahc.errors import DataError
from mahc.files import write_atomically
from mahc.opening import close_opened, count_again
from mahc.panels.network import PanelNetwork
from mahc.results.learned import PAGES, Learned
from mahc.ui.bundle import bundle, read_static
from mahc.ui.document import make_document
from mahc.ui.panel import PanelChoice
from mahc.ui.reproduce import Source


@PAGES.register("report")
def write_report(
    learned: Learned,
    path: str | PathLike[str],
    data: object = None,
    source: Source | None = None,
    *,
    on: object = None,
    memory_mebibytes: int | None = None,
) -> None:
    """Write the report of a result.

    Parameters
    ----------
    learned : Learned
        The result.
    path : str or path
        The file to write, whole or not at all.
    data : str, path, frame, array, dict of lists or Dataset, optional
        The data it was learned from.
    source : Source, optional
        The name of the data's file, for the commands in the report.
    on : distributed.Client, Spark session or str, optional
        The cluster that reads and counts files, as for `mahc.learn`.
    memory_mebibytes : int, optional
        Memory for reading. Of data in pieces whose distinct rows do not fit, states, frequencies and tables are counted
        in passes, and the report has no audit: `mahc audit` makes one.

    Raises
    ------
    MahcError
        Where the data are not those of the result, or the file cannot be written.

    Examples
    --------
    >>> import mahc, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(mahc.learn({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}), os.path.join(folder, "r.html"))
    ...     os.listdir(folder)
    ['r.html']
    """
    how: dict[str, Any] = {"on": on, "memory_mebibytes": memory_mebibytes}
    table = None if data is None else count_again(data, learned.data.reading, kinds=learned.run.score.columns, **how)
    if source is None and isinstance(data, str | PathLike):
        source = Source(Path(data).name)
    try:
        write_atomically(path, report_html(learned, take_tables(table), source))
    finally:
        if table is not None:
            close_opened(table, data)


@PAGES.register("panel report")
def write_panel_report(panel: PanelNetwork, path: str | PathLike[str]) -> None:
    """Write the report of the transition of a panel, with the command and the Python that learn it again."""
    choice = PanelChoice(panel.subject, panel.time, panel.static, panel.lags, panel.gaps)
    write_report(panel.transition, path, source=Source(panel=choice, reading=panel.reading))


def take_tables(table: Dataset | CountSource | None) -> Dataset | TableSource | None:
    """Rows or counts with states; a count source that has none is refused."""
    if table is None or isinstance(table, Dataset | TableSource):
        return table
    raise DataError("a count source without columns has no states to show: give the data themselves")


def report_html(learned: Learned, data: Dataset | TableSource | None = None, source: Source | None = None) -> str:
    """The report as text.

    >>> import mahc
    >>> page = report_html(mahc.learn({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}))
    >>> page[:15], "</script><" in page.split('id="document"')[1].split("</script>")[0]
    ('<!doctype html>', False)
    """
    if data is not None:
        require_same_data(learned, data)
    return page_of(make_document(learned, data, source))


def page_of(document: dict[str, Any]) -> str:
    """The HTML page of a document; only the script and the styles in it may run, by their hashes."""
    style = read_static("style.css") + "\nbody { margin: 0; }\n"
    script = bundle("report.js")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src blob: data:; "
        "base-uri 'none'; form-action 'none'"
    )
    title = escape(f"{document['title']} - mahc report")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<div id="app"><noscript>This report needs JavaScript, which it brings itself.</noscript></div>\n'
        f'<script type="application/json" id="document">{embed(document)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def embed(document: dict[str, Any]) -> str:
    r"""JSON that cannot end the element it is in.

    >>> embed({"name": "</script>"})
    '{"name":"\\u003c/script>"}'
    """
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")  # unpaired surrogates
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def require_same_data(learned: Learned, data: Dataset | TableSource) -> None:
    """Refuse data that the result was not learned from."""
    if data.fingerprint() == learned.data.fingerprint:
        return
    lacking = sorted(set(learned.variables) - set(data.names))
    difference = f"they lack the variable '{lacking[0]}'" if lacking else "their values differ"
    raise DataError(
        f"these are not the data that the result was learned from ({difference}): "
        "give the same file with the same options of reading"
    )
