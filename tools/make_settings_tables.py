"""Write all settings, from their declarations, to docs/reference/settings.md and to the docstring of `mahc.learn`.

The docstring is text in the source, so that editors show it and `learn` need not load every algorithm for it.

python tools/make_settings_tables.py
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

from mahc.cli.spelling import option_name
from mahc.confidence.settings import BootstrapSettings, ConsensusSettings, PosteriorSettings
from mahc.data import ReadSettings
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.catalogue import CatalogueEntry, algorithm_settings, score_settings, show_default
from mahc.learning.settings import RunSettings
from mahc.scores import SCORES
from mahc.settings import Declaration, declarations

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "settings.md"
SOURCE = ROOT / "src" / "mahc" / "learn.py"
BEFORE, AFTER = "do not have is refused.\n\n", "        {reading}\n"  # around the settings in the docstring
WIDTH = 100
INTRODUCTION = """\
# Settings
`tools/make_settings_tables.py` writes this page from the declarations; `tests/test_settings_reach.py` checks that it
is up to date. A setting has one name: `mahc.learn(data, "mahc", search_in_degree=4)`, `--search-in-degree 4`,
`settings = { search_in_degree = 4 }` of a contestant in a plan file, `mahc.MAHC(search_in_degree=4)`.
"""
HEAD = "| setting | option | values | default | meaning |\n|---|---|---|---|---|\n"


def main() -> None:
    """Write the page and the docstring."""
    PAGE.write_text(make_page(), encoding="utf-8", newline="\n")
    SOURCE.write_text(make_source(), encoding="utf-8", newline="\n")
    print(f"{len(ALGORITHMS.names())} algorithms, {len(SCORES.names())} scores in {PAGE}")


def make_page() -> str:
    """The text of the page."""
    parts = [INTRODUCTION, "\n## Algorithms\n"]
    parts += [make_section(f"`{name}`", declarations(ALGORITHMS[name])) for name in ALGORITHMS]
    parts += ["\n## Scores\n", *(make_section(f"`{name}`", declarations(SCORES[name])) for name in SCORES)]
    parts += ["\n## Any run\n", make_section("`mahc.learn`", declarations(RunSettings))]
    parts += ["\n## Resampling\n", make_section("`mahc.bootstrap`", declarations(BootstrapSettings))]
    parts += [make_section("`mahc.posterior`", declarations(PosteriorSettings))]
    parts += [make_section("`mahc.average` and `mahc.consensus`", declarations(ConsensusSettings))]
    parts += ["\n## Reading data\n", make_section("`mahc.read`", declarations(ReadSettings))]
    return "".join(parts)


def make_source() -> str:
    """The text of learn.py with the settings in the docstring."""
    start, _, rest = SOURCE.read_text(encoding="utf-8").partition(BEFORE)
    entries = [*algorithm_settings().items(), *score_settings().items()]
    settings = "".join(describe(name, entry) for name, entry in entries)
    return start + BEFORE + textwrap.indent(settings, " " * 8) + AFTER + rest.partition(AFTER)[2]


def describe(name: str, entry: CatalogueEntry) -> str:
    """One setting: the values it accepts, its defaults, its help, and who has it."""
    default = f", default {entry.default_text}" if entry.default_text else ", optional"
    text = f"{entry.declaration.help} For {', '.join(entry.defaults)}."
    lines = textwrap.wrap(text, WIDTH, break_on_hyphens=False, initial_indent="    ", subsequent_indent="    ")
    return "\n".join([f"{name} : {entry.declaration.allowed}{default}", *lines, ""])


def make_section(title: str, declared: Mapping[str, Declaration]) -> str:
    """A heading and a table."""
    return f"\n### {title}\n\n{HEAD}" + "".join(f"{make_row(each)}\n" for each in declared.values())


def make_row(declared: Declaration) -> str:
    """One setting."""
    option = option_name(declared)
    default = show_default(declared.default)
    cells = (
        f"`{declared.name}`",
        f"`{option}`" if option else "",
        declared.allowed,
        f"`{default}`" if default else "",
        declared.help,
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
