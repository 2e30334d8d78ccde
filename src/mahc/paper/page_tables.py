"""Tables of the report's page: all text is escaped, large tables scroll."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby

from mahc.paper.table import TONES, Block, Cell, Column, Table

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
