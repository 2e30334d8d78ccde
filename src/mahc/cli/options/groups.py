"""The groups of options in the help, in their order, and the kinds of options that commands have in common."""

from __future__ import annotations

from cyclopts import Group, Parameter

DATA = Group("Data", sort_key=1)
ALGORITHM = Group("Algorithm", sort_key=2)
KNOWLEDGE = Group("Knowledge", sort_key=3)
RESAMPLING = Group("Resampling", sort_key=4)
LIMITS = Group("Limits", sort_key=5)
OUTPUT = Group("Output", sort_key=6)
GROUPS = {str(group.name): group for group in (DATA, ALGORITHM, KNOWLEDGE, RESAMPLING, LIMITS, OUTPUT)}


def argument(metavar: str, help_text: str, group: Group = DATA) -> Parameter:
    """A positional argument."""
    return Parameter(name=metavar, help=help_text, group=group)


def option(name: str, metavar: str, help_text: str, group: Group, default: str = "") -> Parameter:
    """An option with a value, which may begin with a hyphen; `default` is shown in the help."""
    return Parameter(
        name=name,
        metavar=metavar,
        help=help_text,
        group=group,
        show_default=(lambda _: default) if default else False,
        allow_leading_hyphen=True,
        negative=(),
    )


def flag(name: str, help_text: str, group: Group) -> Parameter:
    """An option without a value."""
    return Parameter(name=name, help=help_text, group=group, negative=(), show_default=False)


JSON = flag("--json", "Print one JSON object and nothing else.", OUTPUT)
OVERWRITE = flag("--overwrite", "Replace a result that the folder holds.", OUTPUT)
NETWORKS = option("--networks", "FOLDER", "Folder with more networks; otherwise the one in $MAHC_NETWORKS.", DATA)
