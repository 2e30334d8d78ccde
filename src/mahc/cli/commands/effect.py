"""`mahc effect`: what setting one variable does to another, over all graphs that the data cannot distinguish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from mahc.cli.options.groups import DATA, JSON, OUTPUT, argument, flag, option
from mahc.cli.options.query_options import DataOption, ModelArgument, PriorOption, load_model
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say, say_json
from mahc.plurals import count

if TYPE_CHECKING:
    from mahc.inference import Effect, Interval


def command(
    model: ModelArgument,
    cause: Annotated[str, argument("CAUSE", "The variable that is set.", DATA)],
    target: Annotated[str, argument("TARGET", "The variable whose distribution is asked for.", DATA)],
    /,
    *,
    baseline: Annotated[
        str | None, option("--baseline", "STATE", "State of CAUSE to compare with.", OUTPUT, "its first state")
    ] = None,
    one_dag: Annotated[
        bool, flag("--one-dag", "Answer for the graph as it is, not for all that the data cannot distinguish.", DATA)
    ] = False,
    data: DataOption = None,
    prior: PriorOption = 1.0,
    reading: ReadingOptions = ReadingOptions(),
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Show the probabilities of TARGET when CAUSE is set to each of its states, with differences and ratios.

    Of a learned graph they are intervals over all DAGs that the data cannot distinguish.
    """
    asked = load_model(model, data, prior, reading)
    effect = asked.effect(cause, target, over="dag" if one_dag else None)
    base = effect.cause_states[0] if baseline is None else baseline
    effect.probability(effect.target_states[0], base)  # refuses an unknown state
    if as_json:
        say_json(effect.to_dict(base), indent=2)
    else:
        say(*effect_lines(effect, base))


def effect_lines(effect: Effect, base: str) -> list[str]:
    """A line per intervention and state of the target."""
    number = len(effect.tables)
    over = "" if number == 1 else f", over {count(number, 'possible set')} of causes of {effect.cause}"
    lines = [f"Effect of {effect.cause} on {effect.target}{over}; compared with do({effect.cause}={base})"]
    width = max(map(len, effect.target_states))
    for x in effect.cause_states:
        lines.append(f"do({effect.cause}={x})")
        for y in effect.target_states:
            text = f"  {y.ljust(width)}  {_show(effect.probability(y, x))}"
            if x != base:
                text += f"  difference {_show(effect.difference(y, x, base))}  ratio {_show(effect.ratio(y, x, base))}"
            lines.append(text)
    if all(_is_zero(effect.difference(y, x, base)) for x in effect.cause_states for y in effect.target_states):
        lines.append(f"Setting {effect.cause} does not change {effect.target} in this graph")
    return lines


def _is_zero(interval: Interval) -> bool:
    return max(abs(interval.low), abs(interval.high)) <= 1e-9


def _show(interval: Interval) -> str:
    same = interval.high - interval.low <= 1e-9
    return f"{interval.low:.4f}" if same else f"{interval.low:.4f} to {interval.high:.4f}"
