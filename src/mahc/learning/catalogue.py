"""Which settings there are: of all algorithms, of all scores, with the owners and defaults of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mahc.learning.algorithm import ALGORITHMS
from mahc.registry import Registry
from mahc.scores import SCORES
from mahc.settings import Declaration, declarations


@dataclass(frozen=True)
class CatalogueEntry:
    """One setting and the algorithms (or scores) that have it, each with its default."""

    declaration: Declaration
    defaults: dict[str, object]

    @property
    def default_text(self) -> str:
        """The default, and after it the owners that have another one; empty where there is none.

        >>> algorithm_settings()["search_in_degree"].default_text
        '8; exact 3'
        """
        if set(self.defaults.values()) <= {None, ()}:
            return ""
        return _show_defaults(self.defaults)


def _show_defaults(defaults: Mapping[str, object]) -> str:
    shown = {owner: show_default(default) for owner, default in defaults.items()}
    usual = Counter(shown.values()).most_common(1)[0][0]
    return "; ".join([usual, *(f"{owner} {text or 'automatic'}" for owner, text in shown.items() if text != usual)])


def default_scores() -> str:
    """The score that algorithms use where none is given, and after it those that have another one.

    >>> default_scores()
    'bic; boss qnml; boss-pag qnml'
    """
    return _show_defaults({name: ALGORITHMS[name].default_score for name in ALGORITHMS})


def algorithm_settings() -> dict[str, CatalogueEntry]:
    """The settings of all algorithms by name."""
    return _gather(ALGORITHMS, ["mahc", *(name for name in ALGORITHMS if name != "mahc")])


def score_settings() -> dict[str, CatalogueEntry]:
    """The settings of all scores by name."""
    return _gather(SCORES, SCORES.names())


def show_default(default: object) -> str:
    """A default as the command line's help and the docs show it.

    >>> show_default(2.0), show_default(True), show_default(None)
    ('2', 'True', '')
    """
    if isinstance(default, float):
        return f"{default:g}"
    return "" if default is None or default == () else str(default)


def _gather(registry: Registry[type], names: Iterable[str]) -> dict[str, CatalogueEntry]:
    found: dict[str, CatalogueEntry] = {}
    for owner in names:
        for name, declared in declarations(registry[owner]).items():
            entry = found.setdefault(name, CatalogueEntry(declared, {}))
            entry.defaults[owner] = declared.default
    return found
