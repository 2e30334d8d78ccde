"""The options that come from scores, from algorithms, and from the run itself."""

from __future__ import annotations

from typing import Annotated

from mahc.cli.options.data_options import Options, OptionText, plain_texts, with_options
from mahc.cli.options.groups import ALGORITHM, option
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.catalogue import CatalogueEntry, algorithm_settings, score_settings
from mahc.learning.settings import RunSettings
from mahc.registry import Registry
from mahc.scores import SCORES, Score, make_score
from mahc.settings import declarations

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


@with_options(lambda: owned_texts(algorithm_settings(), ALGORITHMS), ALGORITHM)
class AlgorithmOptions(Options):
    """The settings of all algorithms; which of them may be given depends on the algorithm."""


@with_options(lambda: plain_texts(declarations(RunSettings)), ALGORITHM)
class RunOptions(Options):
    """What any run has."""

    def settings(self) -> RunSettings:
        """The options as settings, checked."""
        return RunSettings(**self.given())  # type: ignore[arg-type]
