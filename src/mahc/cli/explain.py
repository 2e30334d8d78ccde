"""`mahc explain`: why an arc is in the graph, or why it is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def command(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="result.json, or the folder of `mahc learn --out`.")],
    tail: Annotated[str, typer.Argument(metavar="FROM")],
    head: Annotated[str, typer.Argument(metavar="TO")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Say why the arc FROM -> TO is in the learnt graph or not; of pc-stable and fci, the edge between the two."""
    from mahc.cli.printing import say, say_sentence
    from mahc.cli.sources import find_result

    learned = find_result(result)
    reason = learned.explain(tail, head)
    if as_json:
        found = {"from": tail, "to": head, "present": reason.present, "kind": reason.kind}
        say(json.dumps({**found, "sentence": reason.sentence, "numbers": dict(reason.numbers)}, allow_nan=False))
        return
    say_sentence(reason.sentence)
    if not reason.present and (head, tail) in learned.arcs:
        say_sentence(learned.explain(head, tail).sentence)
