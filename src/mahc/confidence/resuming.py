"""Taking up a saved bootstrap: it must be of the same data, settings and seed."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path

from mahc.errors import DataError, InvalidSettingError, SettingError
from mahc.results.confidence import Confidence

FILE = "confidence.json"


def take_saved(saved: Confidence | str | PathLike[str], fresh: Confidence) -> Confidence:
    """The saved counts, with the number of resamples that is asked for now.

    `fresh` is what the call would begin with if nothing was saved. Where more resamples were saved than asked for,
    all of them stay.
    """
    if isinstance(saved, str | PathLike):
        path = Path(saved)
        saved = Confidence.load(path / FILE if path.is_dir() else path)
    if not isinstance(saved, Confidence):
        raise InvalidSettingError("resume", saved, f"give a Confidence, or the path of a {FILE}")
    if saved.data.fingerprint != fresh.data.fingerprint:
        raise DataError("the saved bootstrap is of other data: give the same data with the same options, or start anew")
    for name, theirs, ours in _compare(saved, fresh):
        if theirs != ours:
            raise SettingError(
                f"the saved bootstrap has {name} {_show(theirs)}, this call {_show(ours)}: give the same, or start anew"
            )
    # The columns may be in another order now: the saved counts keep theirs.
    return replace(saved, requested=max(fresh.requested, saved.resamples))


def _compare(saved: Confidence, fresh: Confidence) -> list[tuple[str, object, object]]:
    pairs: list[tuple[str, object, object]] = [
        ("algorithm", saved.run.algorithm, fresh.run.algorithm),
        ("seed", saved.seed, fresh.seed),
        ("how", saved.how, fresh.how),
        ("score", saved.run.score, fresh.run.score),
        ("ties", saved.run.ties, fresh.run.ties),
        ("knowledge", saved.run.knowledge.to_dict(), fresh.run.knowledge.to_dict()),
        ("missing", saved.run.missing, fresh.run.missing),
        ("start graph", saved.run.start, fresh.run.start),
        ("version", saved.run.version, fresh.run.version),
    ]
    names = sorted({*saved.run.settings, *fresh.run.settings})
    for name in names:
        # The seed above is that of the resamples.
        shown = "algorithm_seed" if name == "seed" else name
        pairs.append((shown, saved.run.settings.get(name), fresh.run.settings.get(name)))
    return pairs


def _show(value: object) -> str:
    text = str(value) if value is not None else "no value"
    return text if len(text) <= 60 else text[:57] + "..."
