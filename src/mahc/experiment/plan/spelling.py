"""How a plan file writes the settings of a contestant: as keys of its table `settings`, in TOML."""

from __future__ import annotations

from collections.abc import Iterable

from mahc.errors import Mention, Spelling


class PlanSpelling(Spelling):
    """Settings as keys, values as TOML writes them; `keys` are those that are not in the table.

    Without a `table` the keys stand alone, for a sentence that lists many.

    >>> PlanSpelling().name("pruning"), PlanSpelling().value(True), PlanSpelling(["seed"]).name("seed")
    ('settings.pruning', 'true', 'seed')
    """

    def __init__(self, keys: Iterable[str] = (), table: str = "settings") -> None:
        self._keys = frozenset(("algorithm", "objective", *keys))
        self._table = table

    def name(self, setting: str) -> str:
        """The key; the algorithm and the objective have keys of their own."""
        return setting if setting in self._keys or not self._table else f"{self._table}.{setting}"

    def mention(self, mention: Mention) -> str:
        """The key and its value."""
        name = self.name(mention.setting)
        return name if mention.value is None else f"{name} = {self.value(mention.value)}"

    def choice(self, value: object) -> str:
        """A value."""
        return self.value(value)

    def value(self, value: object) -> str:
        """true and false in lower case."""
        return str(value).lower() if isinstance(value, bool) else repr(value)
