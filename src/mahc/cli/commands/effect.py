"""`mahc effect`: what setting one variable does to another, over all graphs that the data cannot distinguish."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from mahc.cli.options.fitting_data import load_fitting_data
from mahc.cli.options.groups import DATA, JSON, OUTPUT, argument, flag, option
from mahc.cli.options.query_options import DataOption, ModelArgument, PriorOption, load_model
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say, say_json, tell
from mahc.data import Kind
from mahc.errors import SettingError
from mahc.sources import find_result, is_result

if TYPE_CHECKING:
    from mahc.inference.effect_estimate import EffectEstimate


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
    level: Annotated[float, option("--level", "X", "Share of the draws that an interval holds.", OUTPUT)] = 0.95,
    data: DataOption = None,
    prior: PriorOption = 1.0,
    reading: ReadingOptions = ReadingOptions(),
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Show what setting CAUSE changes in TARGET.

    Of a learned result with --data: differences and ratios with intervals over rows and graphs, then the probabilities
    in all DAGs that the data cannot distinguish from the learned one. In a model with numbers the answer is for one
    DAG: means where TARGET holds numbers, and changes per unit where CAUSE does.
    """
    asked = load_model(model, data, prior, reading)
    over = "dag" if one_dag else None
    if at and not any(map(asked.holds_numbers, asked.variables)):
        raise SettingError("--at is for models with numbers, and this one has states only: leave it out")
    effect = asked.effect(cause, target, over=over, **({"values": at} if at else {}))
    estimates: list[EffectEstimate] = []
    if data is not None and not one_dag and is_result(model):
        estimates = _estimate(model, data, (cause, target), baseline, level, prior, reading)
    if as_json:
        say_json(effect.to_dict(baseline) | {"estimates": [each.to_dict() for each in estimates]}, indent=2)
        return
    if estimates:
        say(
            *(
                each.describe()
                for each in estimates
                if len(effect.target_states) > 2 or each.state == effect.target_states[-1]
            ),
            "",
            "In the learned graph, over all DAGs that the data cannot distinguish:",
        )
    say(*effect.lines(baseline))


def _estimate(
    result: str,
    data: Path,
    pair: tuple[str, str],
    baseline: str | None,
    level: float,
    prior: float,
    reading: ReadingOptions,
) -> list[EffectEstimate]:
    """Effects with intervals over rows and graphs; none, with a note, where they are not to be had."""
    from mahc.confidence.effect_intervals import draw_graphs, estimate_effects

    learned = find_result(result)
    dataset, by_em = load_fitting_data(result, learned.variables, data, reading, None)
    if Kind.CONTINUOUS in dataset.kinds:
        return []  # the answer says itself that it is for one DAG
    why = "all variables are to be connected" if learned.knowledge.all_relevant else None
    why = "hidden common causes are possible" if learned.kind == "PAG" else "values are missing" if by_em else why
    if why is not None:
        tell(f"note: no interval over rows and graphs, because {why}")
        return []
    sample = draw_graphs(learned, dataset, *pair, seed=1)
    return estimate_effects(dataset, sample, *pair, baseline=baseline, level=level, prior=prior)
