"""Matching the labels of data with the states of a network."""

from __future__ import annotations

from collections.abc import Sequence

UNKNOWN = -1


def match_labels(labels: Sequence[str], states: Sequence[str]) -> list[int]:
    """For each label of the data the number of its state, or -1.

    Reading writes truth values and numbers in one way (TRUE as true, 1.0 as 1), and a network file may write them in
    another. So a label that is not a state matches the one state that is read as this label.

    >>> match_labels(["false", "true", "maybe"], ["TRUE", "FALSE"])
    [1, 0, -1]
    """
    place_of = {state: place for place, state in enumerate(states)}
    read_as: dict[str, list[int]] = {}
    for place, state in enumerate(states):
        read_as.setdefault(_as_read(state), []).append(place)
    found = []
    for label in labels:
        alike = read_as.get(_as_read(label), [])
        found.append(place_of.get(label, alike[0] if len(alike) == 1 else UNKNOWN))
    return found


def _as_read(label: str) -> str:
    """The way in which reading writes a truth value or a number; other labels stay as they are."""
    if label.lower() in ("true", "false") and label in (label.lower(), label.title(), label.upper()):
        return label.lower()
    try:
        number = float(label)
    except ValueError:
        return label
    # 007 is a name, not the number 7; nan and inf are names too.
    plain = label.lstrip("+-")
    is_number = plain[:1].isdecimal() or plain[:1] == "."
    return label if not is_number or (len(plain) > 1 and plain[0] == "0" and plain[1].isdecimal()) else repr(number)
