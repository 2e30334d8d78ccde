"""The options of `mahc learn` that come from algorithms, and from the run itself."""

from __future__ import annotations

from mahc.cli.options.data_options import Options, plain_texts, with_options
from mahc.cli.options.groups import ALGORITHM
from mahc.cli.options.score_options import owned_texts
from mahc.learning.algorithm import ALGORITHMS
from mahc.learning.catalogue import algorithm_settings
from mahc.learning.settings import RunSettings
from mahc.settings import declarations


@with_options(lambda: owned_texts(algorithm_settings(), ALGORITHMS), ALGORITHM)
class AlgorithmOptions(Options):
    """The settings of all algorithms; which of them may be given depends on the algorithm."""


@with_options(lambda: plain_texts(declarations(RunSettings)), ALGORITHM)
class RunOptions(Options):
    """What any run has."""

    def settings(self) -> RunSettings:
        """The options as settings, checked."""
        return RunSettings(**self.given())  # type: ignore[arg-type]
