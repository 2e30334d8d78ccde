"""A report as one HTML page without scripts and without requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from itertools import groupby

from mahc.lab.paper.findings import FAILS, HOLDS, OPEN, UNTESTED, Finding
from mahc.lab.paper.results import Results, covers_paper
from mahc.lab.report import wording
from mahc.lab.report.charts import STYLE, Figure
from mahc.lab.report.sections import Section, is_of_paper
from mahc.lab.report.table import TONES, Block, Cell, Column, Table
from mahc.plurals import count

LONG = 30  # lines; a longer table scrolls


def html_of(table: Table) -> str:
    """A table with the paper's number and the difference under each of ours."""
    count = sum(len(block.lines) for block in table.blocks)
    kind = "scroll tall" if count > LONG else "scroll"
    label = escape(table.title, quote=True)
    if table.folded:
        return "".join(_folded(table, block) for block in table.blocks)
    body = "".join(_block(table, block) for block in table.blocks)
    return (
        f'<div class="{kind}" tabindex="0" role="region" aria-label="{label}"><table>{_head(table)}{body}</table></div>'
    )


def _folded(table: Table, block: Block) -> str:
    lines = "".join(_lines(table, replace(block, title="")))
    shown = f"<table>{_head(table)}<tbody>{lines}</tbody></table>"
    return (
        f"<details><summary>{escape(block.title)}</summary>"
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(block.title, quote=True)}">{shown}</div>'
        "</details>"
    )


def plain_table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table of words."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(
        f"<tr><th>{escape(first)}</th>{''.join(f'<td>{escape(word)}</td>' for word in rest)}</tr>"
        for first, *rest in lines
    )
    kind = "scroll tall" if len(lines) > LONG else "scroll"
    return f'<div class="{kind}" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _head(table: Table) -> str:
    grouped = any(column.group for column in table.columns)
    span = ' rowspan="2"' if grouped else ""
    heads = "".join(f"<th{span}>{escape(name)}</th>" for name in table.heads)
    names = "".join(f'<th class="n">{escape(column.name)}</th>' for column in table.columns)
    if not grouped:
        return f"<thead><tr>{heads}{names}</tr></thead>"
    groups = "".join(
        f'<th class="group" colspan="{len(list(members))}">{escape(name)}</th>'
        for name, members in groupby(table.columns, key=lambda column: column.group)
    )
    return f"<thead><tr>{heads}{groups}</tr><tr>{names}</tr></thead>"


def _block(table: Table, block: Block) -> str:
    return f"<tbody>{''.join(_lines(table, block))}</tbody>"


def _lines(table: Table, block: Block) -> Iterator[str]:
    if block.title:
        width = len(table.heads) + len(table.columns) - 1
        yield f'<tr class="block"><th>{escape(block.title)}</th><td colspan="{width}"></td></tr>'
    for line in block.lines:
        heads = "".join(f"<th>{escape(word)}</th>" for word in line.heads)
        cells = "".join(_cell(column, cell) for column, cell in zip(table.columns, line.cells, strict=True))
        yield f"<tr>{heads}{cells}</tr>"


def _cell(column: Column, cell: Cell) -> str:
    if cell.ours is None:
        shown = f'<span class="none">{escape(cell.note) or "–"}</span>'
    else:
        margin = cell.ours.margin
        spread = "" if margin is None else f' <span class="pm">± {margin:,.{column.digits}f}</span>'
        shown = escape(column.show(cell.ours.mean)) + spread
        if cell.tone:
            shown = f'<span class="{cell.tone}">{TONES[cell.tone]}</span>{shown}'
    if cell.paper is not None:
        gap = (
            ""
            if cell.difference is None
            else f" · {column.show(cell.difference, signed=True).removesuffix(column.unit)}"
        )
        printed = column.show(cell.paper).removesuffix(column.unit)
        shown += f"<small>{escape(f'paper {printed}{gap}')}</small>"
    return f'<td class="n">{shown}</td>'


TIMES_BEGIN, TIMES_END = "<!-- times begin -->", "<!-- times end -->"
CHIPS = {HOLDS: "holds", FAILS: "fails", OPEN: "open", UNTESTED: "untested"}
# The browser enforces it too.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page_text(results: Results, found: Sequence[Finding], parts: Sequence[Section]) -> str:
    """The whole page; what depends on seconds is between two comments."""
    css = files("mahc.lab.report").joinpath("page.css").read_text(encoding="utf-8")
    title = escape(results.outline.plan_name)
    places = [("summary", "Summary"), *((one.key, one.title) for one in parts)]
    places += [("contestants", "Contestants"), ("failed", "Cells that failed"), ("reading", "How to read it")]
    shown = [_section(one) for one in parts]
    if found and not is_of_paper(results):  # the leaderboard of the plan comes first
        shown.insert(1, _findings_section(results, found))
        places.insert(2, ("findings", wording.FINDINGS_TITLE))
    contents = "".join(f'<a href="#{key}">{escape(name)}</a>' for key, name in places)
    body = "\n".join([*_summary(results, found), *shown, *_rest(results)])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{title}: report of an experiment</title>\n<style>\n{css}{STYLE}\n</style>\n</head>\n<body>\n"
        f'<div class="frame">\n<nav aria-label="Contents"><b>Contents</b>{contents}</nav>\n<main>\n{body}\n'
        "<footer>Written by <code>mahc experiment report</code>.</footer>\n</main>\n</div>\n</body>\n</html>\n"
    )


def _summary(results: Results, found: Sequence[Finding]) -> Iterator[str]:
    yield f'<header id="summary"><h1>Experiment: {escape(results.outline.plan_name)}</h1>'
    yield f'<p class="lead">{escape(wording.scope(results))}</p>'
    kind = ' class="alarm"' if results.missing else ""
    yield f"<p{kind}>{escape(wording.completeness(results))} {escape(wording.failures(results))}</p>"
    yield from (f'<p class="small">{escape(sentence)}</p>' for sentence in wording.cautions(results))
    yield '<p class="small">New to words such as SHD or cMISL? <a href="#reading">What they mean.</a></p>'
    if found and is_of_paper(results):
        counts = Counter(one.verdict for one in found)
        tiles = (
            (counts[HOLDS], "of the paper's findings hold here"),
            (counts[FAILS], "do not hold"),
            (counts[OPEN], "are undecided: the interval over the seeds contains zero"),
            (f"{_graphs(results):,}", f"of {count(results.outline.cells, 'cell')} gave a graph"),
        )
        yield '<div class="tiles">'
        yield from (f'<div class="tile"><strong>{n}</strong><span>{escape(words)}</span></div>' for n, words in tiles)
        yield "</div>"
        yield _findings(found, with_subset=not covers_paper(results.on_networks))
    yield "</header>"


def _graphs(results: Results) -> int:
    return results.outline.cells - len(results.missing) - len(results.failed)


def _findings_section(results: Results, found: Sequence[Finding]) -> str:
    table = _findings(found, with_subset=not covers_paper(results.on_networks))
    return f'<section id="findings"><h2>{wording.FINDINGS_TITLE}</h2>\n{table}\n</section>'


def _findings(found: Sequence[Finding], with_subset: bool) -> str:
    lines = "".join(
        f'<tr><td class="w">{escape(one.claim)}</td><td>{escape(one.paper)}</td>'
        f"{f'<td>{escape(one.printed_here)}</td>' if with_subset else ''}<td>{escape(one.ours)}</td>"
        f'<td><span class="chip {CHIPS[one.verdict]}">{one.verdict}</span></td></tr>'
        for one in found
    )
    names = ("Finding", "Paper", *((wording.PRINTED_HERE,) if with_subset else ()), "Ours", "Verdict")
    head = f"<thead><tr>{''.join(f'<th>{escape(name)}</th>' for name in names)}</tr></thead>"
    return f'<div class="scroll claims" tabindex="0"><table>{head}<tbody>{lines}</tbody></table></div>'


def _section(section: Section) -> str:
    parts = "\n".join(_figure(part) if isinstance(part, Figure) else _table(part) for part in section.parts)
    text = f'<section id="{section.key}"><h2>{escape(section.title)}</h2>\n{parts}\n</section>'
    return f"{TIMES_BEGIN}\n{text}\n{TIMES_END}" if section.timed else text


def _table(table: Table) -> str:
    shown = f'<h3>{escape(table.title)}</h3><p class="caption">{escape(table.caption)}</p>'
    return shown + html_of(table)


def _figure(figure: Figure) -> str:
    table = figure.table
    return (
        f'<figure><h3>{escape(table.title)}</h3><p class="caption">{escape(table.caption)}</p>'
        f'<div class="scroll" tabindex="0">{figure.drawing.inside()}</div>'
        f"<details><summary>The numbers</summary>{html_of(table)}</details></figure>"
    )


def _traces(results: Results) -> Iterator[str]:
    # The same failure on many samples is shown once.
    seen: set[tuple[str, str]] = set()
    for row in results.failed:
        if row.traceback and (row.contestant, row.traceback) not in seen:
            seen.add((row.contestant, row.traceback))
            where = f"{row.case}, {count(row.rows, 'row')}, {row.data} data, seed {row.seed}"
            title = f"Traceback of {row.contestant} on {where}"
            yield f"<details><summary>{escape(title)}</summary><pre>{escape(row.traceback)}</pre></details>"


def _rest(results: Results) -> Iterator[str]:
    outline = results.outline
    yield '<section id="contestants"><h2>Contestants</h2>'
    heads = ("Contestant", "In the paper", "Class", "Settings", "Version")
    yield plain_table(
        heads, [(c.label, c.paper_name, c.learning_class, c.settings_text, c.version) for c in outline.contestants]
    )
    yield '</section>\n<section id="failed"><h2>Cells that failed or were stopped early</h2>'
    yield f"<p>{escape(wording.failures(results))} {escape(wording.completeness(results))}</p>"
    if results.failed or results.early:
        yield plain_table(wording.LISTED, list(wording.listed(results)))
        yield from _traces(results)
    yield '</section>\n<section id="reading"><h2>How to read it</h2>'
    yield from (f"<p>{escape(sentence)}</p>" for sentence in wording.READING)
    yield "<dl>"
    yield from (f"<dt>{escape(word)}</dt><dd>{escape(meaning)}</dd>" for word, meaning in wording.GLOSSARY)
    yield "</dl>"
    yield "</section>"
