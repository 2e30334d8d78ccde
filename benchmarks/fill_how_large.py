"""Copy the tables of benchmarks/results into docs/explanation/how-large.md, and draw the memory curve.

A block of the page begins with `<!-- table: NAME -->` and ends with `<!-- end -->`. NAME.md in benchmarks/results has
its table. The heading of that file says what was measured, and becomes a line before the table.

usage: python benchmarks/fill_how_large.py
"""

from __future__ import annotations

import re
from pathlib import Path

from bench_scale import draw

RESULTS = Path(__file__).parent / "results"
PAGES = Path(__file__).parents[1] / "docs" / "explanation"
BLOCK = re.compile(r"(<!-- table: (?P<name>[\w-]+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def fill(page: str, results: Path) -> str:
    """The page with the tables that were measured; a block without results says so."""

    def replace(block: re.Match[str]) -> str:
        file = results / f"{block['name']}.md"
        text = "\nNot measured yet.\n\n"
        if file.exists():
            heading, _, table = file.read_text(encoding="utf-8").partition("\n")
            text = f"\nMeasured: {heading.removeprefix('# ')}.\n\n{table.strip()}\n\n"
        return block[1] + text + block[3]

    return BLOCK.sub(replace, page)


def main() -> None:
    """Fill the page and draw the picture."""
    page = PAGES / "how-large.md"
    page.write_text(fill(page.read_text(encoding="utf-8"), RESULTS), encoding="utf-8")
    table = (RESULTS / "scale.md").read_text(encoding="utf-8")
    (PAGES / "memory-curve.svg").write_text(draw(table), encoding="utf-8")


if __name__ == "__main__":
    main()
