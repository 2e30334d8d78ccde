"""The options of a score, for every command that scores."""

from __future__ import annotations

from typing import Annotated

from mahc.cli.options.data_options import Options, OptionText, with_options
from mahc.cli.options.groups import ALGORITHM, option
from mahc.learning.catalogue import CatalogueEntry, score_settings
from mahc.registry import Registry
from mahc.scores import SCORES, Score, make_score

ScoreOption = Annotated[str, option("--score", "NAME", f"Score: {', '.join(SCORES)}.", ALGORITHM, "bic")]


def owned_texts(entries: dict[str, CatalogueEntry], owners: Registry[type]) -> list[OptionText]:
    """The help of settings that several have; it says who, unless all do."""
    return [_say_owners(entry, owners.names()) for entry in entries.values()]


def _say_owners(entry: CatalogueEntry, everyone: list[str]) -> OptionText:
    help_text = entry.declaration.help
    if sorted(entry.defaults) != everyone:
        help_text = f"{help_text} For {', '.join(entry.defaults)}."
    return OptionText(entry.declaration, help_text, entry.default_text)


@with_options(lambda: owned_texts(score_settings(), SCORES), ALGORITHM)
class ScoreOptions(Options):
    """The settings of scores."""

    def make(self, score: str) -> Score:
        """The score of this name with the settings that were given."""
        return make_score(score, **self.given())
