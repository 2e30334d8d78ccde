"""`mahc query`: the distribution of variables given observations, or after interventions."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from mahc.cli.options.groups import DATA, JSON, OUTPUT, argument, flag
from mahc.cli.options.pieces import time_left
from mahc.cli.options.query_options import (
    DataOption,
    DoOption,
    GivenOption,
    ModelArgument,
    PriorOption,
    QueryOptions,
    SoftOption,
    load_model,
    parse_likelihoods,
    parse_states,
)
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say, say_json, tell
from mahc.cli.progress import drawing_line
from mahc.errors import SettingError
from mahc.inference.deadline import limited_to
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.inference import Answer, MostProbable, NumberAnswer

MOST_LINES = 200


def command(
    model: ModelArgument,
    /,
    *targets: Annotated[str, argument("TARGET", "The variables to ask for.", DATA)],
    given: GivenOption = None,
    do: DoOption = None,
    soft: SoftOption = None,
    data: DataOption = None,
    prior: PriorOption = 1.0,
    joint: Annotated[bool, flag("--joint", "The joint distribution of several targets.", OUTPUT)] = False,
    most_probable: Annotated[
        bool, flag("--most-probable", "The most probable states of all variables together; no TARGET.", OUTPUT)
    ] = False,
    options: QueryOptions = QueryOptions(),
    reading: ReadingOptions = ReadingOptions(),
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Ask a network for the probabilities of the states of TARGET, or for the mean and quantiles of a number.

    --given observes a state or a number. --do sets it from outside: the variable then no longer depends on its causes.
    """
    settings = options.settings()
    if most_probable and targets:
        raise SettingError("--most-probable answers for all variables: leave out the TARGET")
    if not most_probable and not targets:
        raise SettingError("no TARGET is named: name the variable whose distribution is asked for")
    began = time.perf_counter()
    asked = load_model(model, data, prior, reading, settings.time_limit)
    observed: dict[str, object] = {**parse_states(given, asked.variables, "--given")}
    for name, likelihoods in parse_likelihoods(soft, asked.variables).items():
        if name in observed:
            raise SettingError(f"'{name}' is in --given and in --soft: leave it out of one of them")
        observed[name] = likelihoods
    changed = parse_states(do, asked.variables, "--do")
    if most_probable:
        with limited_to(settings.time_limit):
            states = asked.most_probable(observed, changed, max_bytes=settings.max_bytes)
        _show_most_probable(states, as_json)
        return
    with drawing_line() as progress:
        found = asked.query(
            targets if joint or len(targets) > 1 else targets[0],
            observed,
            changed,
            joint=joint or len(targets) == 1,
            method=settings.method,
            credible=settings.credible,
            draws=settings.draws,
            seed=settings.seed,
            max_bytes=settings.max_bytes,
            time_limit=time_left(settings.time_limit, time.perf_counter() - began),
            progress=progress,
        )
    answers = [found] if joint or len(targets) == 1 else list(found.values())
    if as_json:
        seen = {name: state if isinstance(state, str) else _numbers(state) for name, state in observed.items()}
        say_json({"given": seen, "do": changed, "answers": [answer.to_dict() for answer in answers]}, indent=2)
        return
    for place, answer in enumerate(answers):
        lines = number_lines(answer) if asked.holds_numbers(answer.targets[0]) else answer_lines(answer)
        say(*([""] if place else []), _title(answer, observed, changed), *lines)
    _tell_more(answers)


def _numbers(likelihoods: object) -> dict[str, float]:
    """Likelihoods that were written as text, and accepted."""
    assert isinstance(likelihoods, Mapping)
    return {state: float(number) for state, number in likelihoods.items()}


def _title(answer: Answer | NumberAnswer, observed: Mapping[str, object], changed: Mapping[str, str]) -> str:
    conditions = [f"{name}={state}" if isinstance(state, str) else f"soft {name}" for name, state in observed.items()]
    conditions += [f"do({name}={state})" for name, state in changed.items()]
    given = f" | {', '.join(conditions)}" if conditions else ""
    return f"P({', '.join(answer.targets)}{given})"


def _tell_more(answers: list[Answer | NumberAnswer]) -> None:
    first = answers[0]
    if first.effective_draws is not None and not any(note.startswith("estimated") for note in first.notes):
        tell(f"an estimate with standard errors; its draws are worth {first.effective_draws:,.0f} independent ones")
    if first.level is not None:
        tell(f"intervals hold {first.level:.0%} of the posterior, given the graph")
    for note in first.notes:
        tell(f"note: {note}")


def _show_most_probable(found: MostProbable, as_json: bool) -> None:
    if as_json:
        say_json({"states": dict(found.states), "probability": found.probability}, indent=2)
        return
    width = max(map(len, found.states), default=0)
    say(f"probability {found.probability:.6g}", *(f"  {name.ljust(width)}  {s}" for name, s in found.states.items()))


def answer_lines(answer: Answer) -> list[str]:
    """One line per state; of a joint distribution with many states the most probable ones, and how many more."""
    states = list(answer)
    if len(states) > MOST_LINES:
        states = sorted(states, key=lambda state: -answer[state])[:MOST_LINES]
    labels = [state if isinstance(state, str) else ", ".join(state) for state in states]
    width = max(map(len, labels))
    lines = []
    for state, label in zip(states, labels, strict=True):
        text = f"  {label.ljust(width)}  {answer[state]:.6f}"
        if answer.standard_errors is not None:
            text += f" ± {answer.standard_errors[state]:.6f}"
        if answer.intervals is not None:
            text += f"  ({answer.intervals[state].low:.6f} to {answer.intervals[state].high:.6f})"
        lines.append(f"{text}  {bar(answer[state], len(text) + 2)}".rstrip())
    if len(answer) > len(states):
        lines.append(f"  and {count(len(answer) - len(states), 'less probable state')}")
    return lines


def number_lines(answer: NumberAnswer) -> list[str]:
    """Mean, standard deviation and quantiles, one line each."""
    named = answer.lines()
    width = max(len(name) for name, _ in named)
    lines = [f"  {name.ljust(width)}  {value:.6g}" for name, value in named]
    if answer.standard_error is not None:
        lines[0] += f" ± {answer.standard_error:.2g}"
    return lines


def bar(probability: float, used: int) -> str:
    """A bar that fills what is left of the terminal's line at probability 1; nothing where there is no terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return ""
    room = min(60, shutil.get_terminal_size().columns - used - 1)
    block = "█" if (sys.stdout.encoding or "").lower().replace("-", "") == "utf8" else "#"
    return block * round(max(0, room) * min(1.0, probability))
