"""The files of a report, from rows or from a store, written into a folder whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from mahc.errors import SettingError
from mahc.files import temporary_folder
from mahc.lab.paper.findings import FAILS, HOLDS, OPEN, UNTESTED, Finding, findings
from mahc.lab.paper.results import Results
from mahc.lab.report import wording
from mahc.lab.report.charts import STYLE, Figure
from mahc.lab.report.sections import Section, is_of_paper, sections
from mahc.lab.report.table import TONES
from mahc.lab.report.text_files import csv_of, csv_of_failures, report_text, times_text
from mahc.lab.store import read_store
from mahc.plurals import count

MARK = ".mahc-report"
MARK_TEXT = "written by mahc experiment report"
IGNORED = (".DS_Store", "Thumbs.db", "desktop.ini")  # file managers leave these
TIMES_BEGIN, TIMES_END = "<!-- times begin -->", "<!-- times end -->"
CHIPS = {HOLDS: "holds", FAILS: "fails", OPEN: "open", UNTESTED: "untested"}
LONG = 30  # lines; a longer table scrolls


def write_folder(out: Path, texts: Mapping[str, str]) -> None:
    """Put these files into the folder, in place of an older report; anything else there is refused."""
    out = Path(os.path.abspath(out))
    try:
        _check(out, texts)
        out.parent.mkdir(parents=True, exist_ok=True)
        fresh = temporary_folder(out)
    except OSError as problem:
        raise SettingError(f"the report cannot be written to '{out}': {problem.strerror}") from None
    try:
        _fill(fresh, texts)
        _exchange(fresh, out)
    except OSError as problem:
        raise SettingError(f"the report cannot be written to '{out}': {problem.strerror}") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _check(out: Path, texts: Mapping[str, str]) -> None:
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise SettingError(f"the report's folder '{out}' is a file or a link: name a folder")
    if out.is_dir() and not (out / MARK).is_file() and any(out.iterdir()):
        raise SettingError(f"the folder '{out}' has other files than a report: name a new or an empty folder")
    if (out / MARK).is_file() and (others := _others(out, texts)):
        raise SettingError(
            f"the report in '{out}' cannot be replaced, because '{others[0]}' in it is not part of a report: "
            "move that file, or name a new folder"
        )


def _others(out: Path, texts: Mapping[str, str]) -> list[str]:
    """Files in a report's folder that no report wrote, and that would be lost."""
    written = {MARK, *texts, *(out / MARK).read_text(encoding="utf-8", errors="replace").splitlines()}
    found = (file for file in out.rglob("*") if file.is_symlink() or not file.is_dir())
    names = (file.relative_to(out).as_posix() for file in found if file.name not in IGNORED)
    return sorted(name for name in names if name not in written)


def _fill(folder: Path, texts: Mapping[str, str]) -> None:
    mark = "\n".join([MARK_TEXT, *sorted(texts), ""])
    for name, text in {**texts, MARK: mark}.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")


def _exchange(fresh: Path, out: Path) -> None:
    if not out.exists():
        os.rename(fresh, out)
        return
    # A folder cannot be renamed onto one with files: move the old report aside, and back if the new one fails.
    # It is not a temporary file: after a kill at this moment nothing else is left.
    aside = Path(tempfile.mkdtemp(prefix=f".{out.name[:40]}.old.", dir=out.parent)) / "report"
    os.rename(out, aside)
    try:
        os.rename(fresh, out)
    except OSError:
        os.rename(aside, out)
        os.rmdir(aside.parent)
        raise
    shutil.rmtree(aside.parent, ignore_errors=True)


def report_files(results: Results) -> Mapping[str, str]:
    """The text of every file by its path; what depends on seconds is under `times/`, and marked in `index.html`.

    >>> from mahc.lab.outline import Row
    >>> "report.md" in report_files(Results([Row("HC", "asia", "clean", 100, 1, "crashed")]))
    True
    """
    _require("matplotlib", "jinja2")
    parts, found = sections(results), findings(results)
    texts = {
        "report.md": report_text(results, found, parts),
        "index.html": page_text(results, found, parts),
        "failed.csv": csv_of_failures(results),
    }
    for section in parts:
        folder = "times/" if section.timed else ""
        if section.timed:
            texts[f"times/{section.key}.md"] = times_text(results, section)
        for part in section.parts:
            table = part.table if isinstance(part, Figure) else part
            texts[f"{folder}{table.key}.csv"] = csv_of(table)
            if isinstance(part, Figure):
                texts[f"{folder}{table.key}.svg"] = part.drawing.alone()
    return texts


def _require(*packages: str) -> None:
    if missing := next((name for name in packages if find_spec(name) is None), None):
        raise SettingError(f"a report needs {missing}, which is not installed: pip install 'mahc[lab]'")


def read_results(store: str | Path) -> Results:
    """The rows of the plan that was run last into a store."""
    outline, rows = read_store(store)
    return Results(rows, outline)


def write_report(store: str | Path, out: str | Path) -> Results:
    """Write the report of a store into a folder, whole or not at all.

    Parameters
    ----------
    store
        The folder that `mahc.lab.run` filled; the run may be incomplete.
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
    >>> import mahc.lab, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> plan = pathlib.Path(folder.name) / "plan.toml"
    >>> _ = plan.write_text('sizes = [50]\\ncases = ["asia"]\\n[[contestants]]\\nlabel = "HC"\\nalgorithm = "hc"\\n')
    >>> _ = mahc.lab.run(plan, plan.with_name("store"))
    >>> results = mahc.lab.write_report(plan.with_name("store"), plan.with_name("report"))
    >>> results.outline.cells, plan.with_name("report").joinpath("index.html").exists()
    (2, True)
    >>> folder.cleanup()
    """
    results = read_results(store)
    write_folder(Path(out), report_files(results))
    return results


def page_text(results: Results, found: Sequence[Finding], parts: Sequence[Section]) -> str:
    """The whole page; what depends on seconds is between two comments."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    here, outline = files("mahc.lab.report"), results.outline
    css = here.joinpath("page.css").read_text(encoding="utf-8")
    template = here.joinpath("page.html.j2").read_text(encoding="utf-8")
    # Nothing from a plan or a store is part of the template, and all of it is escaped.
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    return environment.from_string(template).render(
        results=results,
        outline=outline,
        sections=parts,
        wording=wording,
        zip=zip,
        LONG=LONG,
        TONES=TONES,
        CHIPS=CHIPS,
        style=f"{css}{STYLE}",
        TIMES_BEGIN=Markup(TIMES_BEGIN),
        TIMES_END=Markup(TIMES_END),
        findings=found,
        finding_heads=wording.finding_heads(results),
        of_paper=is_of_paper(results),
        tiles=_tiles(results, found),
        contestants=[
            (c.label, c.paper_name, c.learning_class, c.settings_text, c.version) for c in outline.contestants
        ],
        listed=list(wording.listed(results)),
        traces=list(_traces(results)),
    )


def _tiles(results: Results, found: Sequence[Finding]) -> list[tuple[str, str]]:
    counts, cells = Counter(one.verdict for one in found), results.outline.cells
    graphs = cells - len(results.missing) - len(results.failed)
    return [
        (f"{counts[HOLDS]}", "of the paper's findings hold here"),
        (f"{counts[FAILS]}", "do not hold"),
        (f"{counts[OPEN]}", "are undecided: the interval over the seeds contains zero"),
        (f"{graphs:,}", f"of {count(cells, 'cell')} gave a graph"),
    ]


def _traces(results: Results) -> Iterator[tuple[str, str]]:
    """Tracebacks under their titles; the same failure on many samples is shown once."""
    seen: set[tuple[str, str]] = set()
    for row in results.failed:
        if row.traceback and (row.contestant, row.traceback) not in seen:
            seen.add((row.contestant, row.traceback))
            where = f"{row.case}, {count(row.rows, 'row')}, {row.data} data, seed {row.seed}"
            yield f"Traceback of {row.contestant} on {where}", row.traceback
