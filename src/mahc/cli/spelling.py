"""How the command line writes settings: as its options."""

from __future__ import annotations

import shlex
from functools import cached_property

from mahc.errors import Mention, PerInterface, Spelling
from mahc.settings import Declaration, declarations, value_words

# Parameters of `learn` that are options without being declared settings.
ARGUMENTS = {
    "algorithm": "--algorithm",
    "objective": "--score",
    "knowledge": "--knowledge",
    "start": "--start",
    "least": "--least",
    "threshold": "--threshold",
    "algorithms": "--algorithms",
    "tiers": "--tiers",
    "data": "--data",
    "on": "--on",
    "jobs": "--jobs",
    "networks": "--networks",
    "quick": "--quick",
    "unmeasured": "--unmeasured",
    "exclude": "--exclude",
    "limit": "--limit",
    "gaps": "--gaps",
    "lags": "--lags",
}


def option_name(declared: Declaration) -> str:
    """The option of a setting, empty where it has none.

    >>> from mahc.scores import BDeu
    >>> option_name(declarations(BDeu)["equivalent_sample_size"])
    '--ess'
    """
    if declared.option == "":
        return ""
    return "--" + (declared.option or declared.name).replace("_", "-")


class CommandLineSpelling(Spelling):
    """Settings as options; those without an option keep their Python name.

    >>> CommandLineSpelling().mention(Mention("missing", "state"))
    '--missing state'
    >>> CommandLineSpelling().mention(Mention("drop", ("id", "two words")))
    "--drop id --drop 'two words'"
    """

    @cached_property
    def _options(self) -> dict[str, str]:
        from mahc.confidence.checking import CheckSettings
        from mahc.confidence.settings import BootstrapSettings
        from mahc.confidence.validation import ValidationSettings
        from mahc.data import ReadSettings
        from mahc.inference.answering import QuerySettings
        from mahc.learning.catalogue import algorithm_settings, score_settings
        from mahc.learning.settings import RunSettings

        entries = (*algorithm_settings().values(), *score_settings().values())
        declared = [entry.declaration for entry in entries]
        for kind in (ReadSettings, RunSettings, BootstrapSettings, QuerySettings, CheckSettings, ValidationSettings):
            declared += declarations(kind).values()
        return {**ARGUMENTS, **{each.name: option_name(each) or each.name for each in declared}}

    def name(self, setting: str) -> str:
        """The option."""
        return self._options.get(setting, setting)

    def mention(self, mention: Mention) -> str:
        """The option and its value, as one writes them."""
        return " ".join(
            [self.name(mention.setting)] if mention.value is None else map(shlex.quote, self.words(mention))
        )

    def words(self, mention: Mention) -> list[str]:
        """The words that give the option its value."""
        name, value = self.name(mention.setting), mention.value
        if isinstance(value, bool):
            return [name if value else name.replace("--", "--no-", 1)]
        values = value_words(mention.setting, value)
        return [word for each in values for word in (name, each)]

    def choice(self, value: object) -> str:
        """The word that gives the value; a list is one word with commas, as cut points are."""
        return shlex.quote(_cut_points(value) if isinstance(value, tuple | list) else str(value))

    def choose(self, text: PerInterface) -> str:
        """The wording for a terminal."""
        return text.command_line


def _cut_points(rule: object) -> str:
    return ",".join(str(cut) for cut in rule) if isinstance(rule, tuple | list) else str(rule)
