"""A report as one HTML page without scripts and without requests; `page.html.j2` is its template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files

from mahc.lab.paper.findings import FAILS, HOLDS, OPEN, UNTESTED, Finding
from mahc.lab.paper.results import Results
from mahc.lab.report import wording
from mahc.lab.report.charts import STYLE
from mahc.lab.report.sections import Section, is_of_paper
from mahc.lab.report.table import TONES
from mahc.plurals import count

TIMES_BEGIN, TIMES_END = "<!-- times begin -->", "<!-- times end -->"
CHIPS = {HOLDS: "holds", FAILS: "fails", OPEN: "open", UNTESTED: "untested"}
LONG = 30  # lines; a longer table scrolls


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
