"""`mahc effect`: what setting one variable does to another, with intervals over rows and graphs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from mahc.cli.options.fitting_data import load_fitting_data
from mahc.cli.options.groups import DATA, JSON, OUTPUT, argument, flag, option
from mahc.cli.options.query_options import DataOption, ModelArgument, PriorOption, load_model, parse_states
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say, say_json, tell
from mahc.errors import SettingError
from mahc.opening import rows_of
from mahc.sources import find_result, is_result

if TYPE_CHECKING:
    from mahc.data import Dataset
    from mahc.engine.counts import TableSource
    from mahc.inference.effect_estimate import EffectEstimate
    from mahc.results.learned import Learned


def command(
    model: ModelArgument,
    cause: Annotated[str, argument("CAUSE", "The variable that is set.", DATA)],
    target: Annotated[str, argument("TARGET", "The variable whose distribution is asked for.", DATA)],
    /,
    *,
    start: Annotated[
        str | None,
        option("--from", "VALUE", "Value of CAUSE to compare with.", DATA, "the first state, or the lower quartile"),
    ] = None,
    end: Annotated[
        str | None,
        option("--to", "VALUE", "Value to set CAUSE to.", DATA, "every other state, or the upper quartile"),
    ] = None,
    rest: Annotated[
        bool,
        flag("--rest", "Compare with all other states of CAUSE together, each set as often as it occurs.", DATA),
    ] = False,
    given: Annotated[
        list[str] | None,
        option("--given", "VARIABLE=STATE", "Confine the effect to rows with this state; may be repeated.", DATA),
    ] = None,
    graphs: Annotated[
        Path | None,
        option("--graphs", "DIR", "Graphs that `mahc posterior` or `mahc bootstrap` wrote.", DATA, "a new posterior"),
    ] = None,
    level: Annotated[float, option("--level", "X", "Share of the draws that an interval holds.", OUTPUT)] = 0.95,
    seed: Annotated[int, option("--seed", "N", "Seed of graphs and draws.", OUTPUT)] = 1,
    data: DataOption = None,
    prior: PriorOption = 1.0,
    reading: ReadingOptions = ReadingOptions(),
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Show what setting CAUSE changes in TARGET.

    Of a learned result with --data: differences and ratios with intervals over rows and graphs. Otherwise the answer is
    for the one graph, without an interval: in all DAGs that the data cannot distinguish from it, or in one DAG where
    columns hold numbers.
    """
    if rest and start is not None:
        raise SettingError("--rest compares with all other states and --from with one: give one of them")
    if not 0 < level < 1:
        raise SettingError(f"--level is {level:g}: give a number between 0 and 1, such as 0.95")
    estimates: list[EffectEstimate] = []
    if data is not None and is_result(model):
        learned = find_result(model)
        estimates = _estimate(
            learned,
            _rows(load_fitting_data(model, learned.variables, data, reading, None), data),
            (cause, target),
            (start, end),
            rest,
            parse_states(given, learned.variables, "--given"),
            graphs,
            (level, seed, prior),
        )
    elif given or graphs is not None:
        named = "--given" if given else "--graphs"
        raise SettingError(f"{named} needs a learned result and its rows: name the result, and add --data DATA")
    if not estimates:
        _answer_for_graph(model, (cause, target), (start, end), rest, data, prior, reading, as_json)
        return
    if as_json:
        asked = load_model(model, data, prior, reading)
        numbers = any(map(asked.holds_numbers, asked.variables))
        graph = {"cause": cause, "target": target} if numbers else asked.effect(cause, target).to_dict(start, end)
        say_json({**graph, "estimates": [each.to_dict() for each in estimates]}, indent=2)
        return
    states = dict.fromkeys(each.state for each in estimates)
    shown = [each for each in estimates if len(states) > 2 or each.state == list(states)[-1]]
    for each in shown:
        say(each.describe())
        if each.curve:
            _say_curve(each)


def _answer_for_graph(
    model: str,
    pair: tuple[str, str],
    contrast: tuple[str | None, str | None],
    rest: bool,
    data: Path | None,
    prior: float,
    reading: ReadingOptions,
    as_json: bool,
) -> None:
    """The effect in the graph of a result or a network."""
    asked = load_model(model, data, prior, reading)
    start, end = contrast
    numbers = any(map(asked.holds_numbers, asked.variables))
    if numbers and (start is None) != (end is None):
        raise SettingError("a model with numbers compares two values: give both --from and --to, or neither")
    if rest and numbers:
        raise SettingError("--rest compares states, and the model holds numbers: give --from and --to")
    effect = asked.effect(*pair, **({"values": contrast} if numbers and start is not None else {}))
    shown: dict[str, Any] = {} if numbers else {"to": end}
    if as_json:
        say_json(effect.to_dict(start, **shown) | {"estimates": []}, indent=2)
        return
    if rest:
        shown["rest"] = True
    why = "" if data is not None else "; add --data DATA for intervals over rows and graphs"
    say(*effect.lines(start, **shown), "", f"Of this graph alone, without an interval{why}.")


def _say_curve(estimate: EffectEstimate) -> None:
    what = "mean" if estimate.state is None else f"probability of {estimate.state}"
    say(f"  {estimate.cause} set to its deciles: {what} of {estimate.target}, {100 * estimate.level:g} % interval")
    for point in estimate.curve:
        low, high = point.interval.low, point.interval.high
        say(f"  {point.value:>12.6g}  {point.expected:>12.4g}  {low:>12.4g} to {high:.4g}")


def _rows(opened: tuple[Dataset | TableSource, bool], data: Path) -> tuple[Dataset, bool]:
    """An interval needs rows."""
    return rows_of(opened[0], data), opened[1]


def _estimate(
    learned: Learned,
    rows: tuple[Dataset, bool],
    pair: tuple[str, str],
    contrast: tuple[str | None, str | None],
    rest: bool,
    given: dict[str, str],
    graphs: Path | None,
    numbers: tuple[float, int, float],
) -> list[EffectEstimate]:
    """Effects with intervals over rows and graphs; none, with a note, where they are not to be had."""
    from mahc.confidence.effect_intervals import draw_graphs, estimate_effects
    from mahc.results.graph_sample import GraphSample

    dataset, by_em = rows
    why = "all variables are to be connected" if learned.knowledge.all_relevant else None
    why = "hidden common causes are possible" if learned.kind == "PAG" else "values are missing" if by_em else why
    if why is not None:
        instead = "; --missing drop gives it for the complete rows" if why == "values are missing" else ""
        if given or graphs is not None:
            fix = "add --missing drop to use the complete rows" if instead else "leave it out"
            named = "--given" if given else "--graphs"
            raise SettingError(
                f"{named} needs an interval over rows and graphs, and there is none, because {why}: {fix}"
            )
        tell(f"note: no interval over rows and graphs, because {why}{instead}")
        return []
    level, seed, prior = numbers
    sample = draw_graphs(learned, dataset, *pair, seed=seed) if graphs is None else GraphSample.load(graphs)
    return estimate_effects(
        dataset, sample, *pair, contrast=contrast, rest=rest, given=given, level=level, seed=seed, prior=prior
    )
