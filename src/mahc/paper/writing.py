"""The files of a report, from rows or from a store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mahc.experiment.store import read_store
from mahc.paper.csv_text import csv_of, csv_of_failures
from mahc.paper.figures import Figure
from mahc.paper.findings import findings
from mahc.paper.folder import write_folder
from mahc.paper.markdown import report_text, times_text
from mahc.paper.page import page_text
from mahc.paper.results import Results
from mahc.paper.sections import sections


def report_files(results: Results) -> Mapping[str, str]:
    """The text of every file by its path; what depends on seconds is under `times/`, and marked in `index.html`.

    >>> from mahc.experiment.row import Row
    >>> "report.md" in report_files(Results([Row("HC", "asia", "clean", 100, 1, "crashed")]))
    True
    """
    parts, found = sections(results), findings(results)
    texts = {
        "report.md": report_text(results, found, parts),
        "index.html": page_text(results, found, parts),
        "failed.csv": csv_of_failures(results),
    }
    for section in parts:
        folder = "times/" if section.timed else ""
        if section.timed:
            texts[f"times/{section.key}.md"] = times_text(section)
        for part in section.parts:
            table = part.table if isinstance(part, Figure) else part
            texts[f"{folder}{table.key}.csv"] = csv_of(table)
            if isinstance(part, Figure):
                texts[f"{folder}{table.key}.svg"] = part.drawing.alone()
    return texts


def read_results(store: str | Path) -> Results:
    """The rows of the plan that was run last into a store."""
    outline, rows = read_store(store)
    return Results(rows, outline)


def write_report(store: str | Path, out: str | Path) -> Results:
    """Write the report of a store into a folder, whole or not at all.

    Parameters
    ----------
    store
        The folder that `mahc.experiment.run` filled; the run may be incomplete.
    out
        The folder of the report: new, empty, or an older report, which is replaced.

    Returns
    -------
    The results that the report shows, for example `results.missing`, `results.failed`.

    Raises
    ------
    SettingError
        If the store cannot be read, if a `paper_name` is not one of the paper's, or if `out` holds other files.

    Examples
    --------
    `mahc.paper.write_report("store", "report")`, then open `report/index.html`.
    """
    results = read_results(store)
    write_folder(Path(out), report_files(results))
    return results
