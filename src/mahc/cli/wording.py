"""The library's sentences in the words of the command line: its settings spelt as options."""

from __future__ import annotations

import inspect
import re

from mahc.errors import KnowledgeError, SettingError

# Settings whose option has another name, or that stand in sentences about reading as `missing=state`.
RENAMED = {"memory_mebibytes": "memory", "equivalent_sample_size": "ess", "missing_tokens": "missing_token"}
GIVEN = re.compile(r"(?<![\w'\"-])(missing|discretise|quote|delimiter)= ?(?=\w)")


def spell_options(sentence: str) -> str:
    """Settings given as name=value, as options.

    >>> spell_options("pass missing=state, or fill the values in")
    'pass --missing state, or fill the values in'
    """
    return GIVEN.sub(r"--\1 ", sentence)


def spell_mistake(mistake: Exception) -> str:
    """The sentence of a refusal; of a refused setting, with its option instead of its Python name.

    >>> spell_mistake(SettingError("memory_mebibytes is 0: give 1 or more"))
    '--memory is 0: give 1 or more'
    >>> spell_mistake(SettingError("algorithm 'x' has no setting 'alpha' (it has ask, step_limit): leave it out"))
    "algorithm 'x' has no setting --alpha (it has --step-limit): leave it out"
    """
    sentence = spell_options(str(mistake))
    if not isinstance(mistake, SettingError) or isinstance(mistake, KnowledgeError):
        return sentence  # what looks like a setting there may be a variable's name
    options = _list_options()
    words = "|".join(sorted(options, key=len, reverse=True))
    long = "|".join(word for word in options if "_" in word)
    # First or after "setting" any of them is meant; elsewhere only what is no word of English.
    first = rf"^(?!algorithm|score)(?P<first>{words})(?= is | ')"
    place = rf"{first}|setting '(?P<quoted>{words})'|(?<![\w'\"-])(?P<long>{long})(?![\w'\"])"
    lists = re.compile(r"(?<=')( \(it has )([\w, ]+)(?=\): leave it out)")
    # Settings without an option are for Python and plans.
    sentence = lists.sub(
        lambda found: found[1] + ", ".join(options[w] for w in found[2].split(", ") if w in options), sentence
    )

    def spell(found: re.Match[str]) -> str:
        option = options[found["first"] or found["quoted"] or found["long"]]
        return f"setting {option}" if found["quoted"] else option

    return re.sub(place, spell, sentence)


def _list_options() -> dict[str, str]:
    """The settings that `mahc learn` has options for, by their Python names."""
    from mahc.cli.learn import command

    named = {name: name for name in inspect.signature(command).parameters if name not in ("data", "as_json")}
    known = {**named, **RENAMED}
    return {name: "--" + option.replace("_", "-") for name, option in known.items()}
