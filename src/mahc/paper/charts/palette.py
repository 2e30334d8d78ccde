"""Colours for all kinds of colour vision (Okabe and Ito), on light and dark backgrounds."""

from __future__ import annotations

BLUE, ORANGE, GREEN, PINK, VERMILION, SKY, YELLOW = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#c9b800"),
)
GREY = "#7f7f7f"
# Better and worse, the same in every figure and table; the bars also differ by their side of zero, cells by a sign.
BETTER, WORSE, BETTER_CLASS, WORSE_CLASS = BLUE, VERMILION, SKY, ORANGE
# The paper's algorithms have the same colour in every report.
_PAPER_COLOURS = {
    "MAHC": BLUE,
    "HC": ORANGE,
    "TABU": VERMILION,
    "GOBNILP": GREEN,
    "MMHC": PINK,
    "SaiyanH": SKY,
    "PC-Stable": YELLOW,
    "FCI": GREY,
    "MAHC_onlyPruning": SKY,
    "MAHC_onlyAveraging": GREEN,
    "Ground truth": GREY,
}
DASHES = {"TABU": "6 3", "SaiyanH": "2 3", "FCI": "6 3", "MAHC_onlyPruning": "6 3", "MAHC_onlyAveraging": "2 3"}
SEQUENCE = (BLUE, ORANGE, GREEN, PINK, VERMILION, SKY, YELLOW, GREY)
# Distinguished by lightness alone.
LEVELS = ("#005f96", "#3d9bd0", "#8cc8ea", "#cfe8f7", "#e69f00", "#f3cf80")

STYLE = """
.ink{fill:#1b1f24}.soft{fill:#57606a}.rule{stroke:#d0d7de;fill:none}.axis{stroke:#57606a;fill:none}
.whisker{stroke:#1b1f24;fill:none;stroke-width:1.2}.ground{fill:#ffffff}
@media (prefers-color-scheme:dark){.ink{fill:#e6edf3}.soft{fill:#9aa5b1}.rule{stroke:#30363d}.axis{stroke:#8b949e}
.whisker{stroke:#e6edf3}.ground{fill:#12161c}}
""".strip()


def colour_of(paper_name: str, position: int) -> str:
    """A contestant's colour: that of the paper's algorithm, or the next of the sequence."""
    return _PAPER_COLOURS.get(paper_name, SEQUENCE[position % len(SEQUENCE)])
