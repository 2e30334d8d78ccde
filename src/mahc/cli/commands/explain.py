"""`mahc explain`: why an arc is in the graph, or why it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from mahc.cli.options.groups import JSON, argument
from mahc.cli.printing import say_json, say_sentence
from mahc.results.summary import describe_cuts
from mahc.sources import find_result


def command(
    result: Annotated[Path, argument("RESULT", "result.json, or the folder of `mahc learn --out`.")],
    tail: Annotated[str, argument("FROM", "A variable.")],
    head: Annotated[str, argument("TO", "Another variable.")],
    /,
    *,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Say why the arc FROM -> TO is in the learned graph or not; of a CPDAG or PAG, the edge between the two."""
    learned = find_result(result)
    reason = learned.explain(tail, head)
    cuts = {name: own for name, own in learned.cut_points.items() if name in (tail, head)}
    merged = {name: own for name, own in learned.merged_states.items() if name in (tail, head)}
    if as_json:
        found = {"from": tail, "to": head, "present": reason.present, "kind": reason.kind}
        say_json(
            {
                **found,
                "sentence": reason.sentence,
                "numbers": dict(reason.numbers),
                "cut_points": cuts,
                "merged_states": merged,
            }
        )
        return
    say_sentence(reason.sentence)
    if not reason.present and (head, tail) in learned.arcs:
        say_sentence(learned.explain(head, tail).sentence)
    if cuts or merged:
        say_sentence(f"Cut: {'; '.join(describe_cuts(cuts, merged))}.")
