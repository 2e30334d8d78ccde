"""`mahc effect`: what setting one variable does to another, over all graphs that the data cannot distinguish."""

from __future__ import annotations

from typing import Annotated

from mahc.cli.options.groups import DATA, JSON, OUTPUT, argument, flag, option
from mahc.cli.options.query_options import DataOption, ModelArgument, PriorOption, load_model
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say, say_json
from mahc.errors import SettingError


def command(
    model: ModelArgument,
    cause: Annotated[str, argument("CAUSE", "The variable that is set.", DATA)],
    target: Annotated[str, argument("TARGET", "The variable whose distribution is asked for.", DATA)],
    /,
    *,
    baseline: Annotated[
        str | None, option("--baseline", "VALUE", "State or number of CAUSE to compare with.", OUTPUT, "the first")
    ] = None,
    at: Annotated[
        list[str] | None,
        option("--at", "VALUE", "A value to set CAUSE to; may be repeated.", DATA, "all states, or quartiles"),
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

    Of a learned graph they are intervals over all DAGs that the data cannot distinguish. In a model with numbers they
    are those of one DAG: means where TARGET holds numbers, and changes per unit where CAUSE does.
    """
    asked = load_model(model, data, prior, reading)
    over = "dag" if one_dag else None
    if at and not any(map(asked.holds_numbers, asked.variables)):
        raise SettingError("--at is for models with numbers, and this one has states only: leave it out")
    effect = asked.effect(cause, target, over=over, **({"values": at} if at else {}))
    if as_json:
        say_json(effect.to_dict(baseline), indent=2)
    else:
        say(*effect.lines(baseline))
