"""The options of commands that resample the data."""

from __future__ import annotations

from typing import Annotated

from mahc.cli.options.algorithm_options import owned_texts
from mahc.cli.options.data_options import Options, OptionText, plain_texts, with_options
from mahc.cli.options.groups import ALGORITHM, RESAMPLING, option
from mahc.confidence.settings import BootstrapSettings, ConsensusSettings
from mahc.errors import InvalidSettingError
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.catalogue import algorithm_settings
from mahc.settings import declarations


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


_CONSENSUS = declarations(ConsensusSettings)
LeastOption = Annotated[int | None, option("--least", "N", _CONSENSUS["least"].help, RESAMPLING)]
ThresholdOption = Annotated[
    str | None, option("--threshold", "SHARE", _CONSENSUS["threshold"].help, RESAMPLING, "auto")
]


def parse_threshold(text: str | None) -> float | None:
    """The share; None for `auto`, which finds it from the shares of all edges."""
    if text is None or text == "auto":
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidSettingError("threshold", text, "give a number from 0 to below 1, or auto") from None
