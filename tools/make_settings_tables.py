"""Write docs/reference/settings.md, the tables of all settings, from their declarations.

python tools/make_settings_tables.py
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mahc.cli.spelling import option_name
from mahc.confidence.settings import BootstrapSettings, ConsensusSettings
from mahc.data import ReadSettings
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.catalogue import show_default
from mahc.learning.settings import RunSettings
from mahc.scores import SCORES
from mahc.settings import Declaration, declarations

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "settings.md"
INTRODUCTION = """\
# Settings
`tools/make_settings_tables.py` writes this page from the declarations; `tests/test_settings_reach.py` checks that it
is up to date. A setting has one name: `mahc.learn(data, "mahc", search_in_degree=4)`, `--search-in-degree 4`,
`settings = { search_in_degree = 4 }` of a contestant in a plan file, `mahc.MAHC(search_in_degree=4)`.
"""
HEAD = "| setting | option | values | default | meaning |\n|---|---|---|---|---|\n"


def main() -> None:
    """Write the page."""
    PAGE.write_text(make_page(), encoding="utf-8", newline="\n")
    print(f"{len(ALGORITHMS.names())} algorithms, {len(SCORES.names())} scores in {PAGE}")


def make_page() -> str:
    """The text of the page."""
    parts = [INTRODUCTION, "\n## Algorithms\n"]
    parts += [make_section(f"`{name}`", declarations(ALGORITHMS[name])) for name in ALGORITHMS]
    parts += ["\n## Scores\n", *(make_section(f"`{name}`", declarations(SCORES[name])) for name in SCORES)]
    parts += ["\n## Any run\n", make_section("`mahc.learn`", declarations(RunSettings))]
    parts += ["\n## Resampling\n", make_section("`mahc.bootstrap`", declarations(BootstrapSettings))]
    parts += [make_section("`mahc.average` and `mahc.consensus`", declarations(ConsensusSettings))]
    parts += ["\n## Reading data\n", make_section("`mahc.read`", declarations(ReadSettings))]
    return "".join(parts)


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
