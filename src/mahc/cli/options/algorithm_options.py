"""The options that come from scores, from algorithms, from the run itself, and from resampling."""

from __future__ import annotations

from typing import Annotated

from mahc.cli.options.data_options import Options, OptionText, plain_texts, with_options
from mahc.cli.options.groups import ALGORITHM, RESAMPLING, option
from mahc.confidence.settings import RULES, BootstrapSettings, ConsensusSettings, PosteriorSettings
from mahc.errors import InvalidSettingError
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.catalogue import CatalogueEntry, algorithm_settings, score_settings
from mahc.learning.settings import RunSettings
from mahc.registry import Registry
from mahc.scores import SCORES, Score, make_score
from mahc.settings import declarations

ScoreOption = Annotated[str, option("--score", "NAME", f"Score: {', '.join(SCORES)}.", ALGORITHM, "bic")]
_CONSENSUS = declarations(ConsensusSettings)
LeastOption = Annotated[int | None, option("--least", "N", _CONSENSUS["least"].help, RESAMPLING)]
ThresholdOption = Annotated[
    str | None, option("--threshold", "SHARE", _CONSENSUS["threshold"].help, RESAMPLING, "auto")
]
RuleOption = Annotated[str | None, option("--rule", "|".join(RULES), _CONSENSUS["rule"].help, RESAMPLING)]


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


@with_options(lambda: plain_texts(declarations(BootstrapSettings)), RESAMPLING)
class BootstrapOptions(Options):
    """How the data are resampled."""

    def settings(self) -> BootstrapSettings:
        """The options as settings, checked."""
        return BootstrapSettings(**self.given())  # type: ignore[arg-type]


def _texts() -> list[OptionText]:
    taken = declarations(BootstrapSettings)
    return [each for each in owned_texts(algorithm_settings(), ALGORITHMS) if each.declaration.name not in taken]


@with_options(_texts, ALGORITHM)
class ResampledAlgorithmOptions(Options):
    """The settings of all algorithms, without those that the resampling has too: --seed is that of the resamples."""


@with_options(lambda: plain_texts(declarations(PosteriorSettings)), RESAMPLING)
class PosteriorOptions(Options):
    """How graphs are drawn."""

    def settings(self) -> PosteriorSettings:
        """The options as settings, checked."""
        return PosteriorSettings(**self.given())  # type: ignore[arg-type]


def _posterior_texts() -> list[OptionText]:
    taken = declarations(PosteriorSettings)
    ours = declarations(ALGORITHMS["boss"])
    return plain_texts({name: declared for name, declared in ours.items() if name not in taken})


@with_options(_posterior_texts, ALGORITHM)
class PosteriorAlgorithmOptions(Options):
    """The settings of boss, without those that the chains have too: --seed is that of the chains."""


def parse_threshold(text: str | None) -> float | None:
    """The share; None for `auto`, which finds it from the shares of all edges."""
    if text is None or text == "auto":
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidSettingError("threshold", text, "give a number from 0 to below 1, or auto") from None
