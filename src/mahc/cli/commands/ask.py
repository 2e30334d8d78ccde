"""`mahc ask`: the questions whose answers would tell most, and the graph learned again with the answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from mahc.cli.options.fitting_data import load_fitting_data
from mahc.cli.options.groups import DATA, JSON, OUTPUT, OVERWRITE, argument, option
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.output import check_out
from mahc.cli.printing import say, say_json, tell
from mahc.errors import SettingError, UnknownNameError
from mahc.plurals import count
from mahc.sources import find_result

if TYPE_CHECKING:
    from mahc.knowledge import Knowledge
    from mahc.results.learned import Learned

MARKS = {" -> ": "->", " <- ": "<-", " no edge ": "no edge"}


def command(
    result: Annotated[str, argument("RESULT", "A result.json, or the folder of `mahc learn --out`.", DATA)],
    /,
    *,
    data: Annotated[Path, option("--data", "DATA", "The data that the result was learned from.", DATA)],
    budget: Annotated[int, option("--budget", "N", "Number of questions.", OUTPUT)] = 5,
    effect: Annotated[
        tuple[str, str] | None,
        option("--effect", "CAUSE TARGET", "Ask what tells most about the effect of CAUSE on TARGET.", DATA),
    ] = None,
    answer: Annotated[
        list[str] | None,
        option(
            "--answer",
            "TEXT",
            "An answer: 'a -> b', 'a <- b' or 'a no edge b'; may be repeated. The graph is learned again.",
            DATA,
        ),
    ] = None,
    graphs: Annotated[
        Path | None, option("--graphs", "DIR", "Graphs that `mahc posterior` wrote.", DATA, "a new posterior")
    ] = None,
    out: Annotated[
        Path | None, option("--out", "DIR", "Write the result with the answers there, like `mahc learn`.", OUTPUT)
    ] = None,
    overwrite: Annotated[bool, OVERWRITE] = False,
    seed: Annotated[int, option("--seed", "N", "Seed of the graphs.", OUTPUT)] = 1,
    reading: ReadingOptions = ReadingOptions(),
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """List the pairs of variables about which an expert's answer would tell most.

    Each answer (an arc, the reverse, or no edge) has a probability in graphs drawn from the posterior, and changes what
    is probable elsewhere. With --answer the graph is learned again: the answers become knowledge, and --out keeps the
    result.
    """
    from mahc.confidence.questions import describe_questions
    from mahc.results.graph_sample import GraphSample

    learned = find_result(result)
    if out is not None and not answer:
        raise SettingError("--out keeps the result with the answers, and there are none: add --answer, or leave it out")
    if answer and graphs is not None:
        raise SettingError("--graphs was drawn without the answers: leave out --graphs or --answer")
    check_out(out, overwrite)
    added = _read_answers(answer or (), learned.variables)
    dataset, _ = load_fitting_data(result, learned.variables, data, reading, None)
    told: list[str] = []
    if answer:
        learned, told = _answer(learned, dataset, added, out)
    drawn = None if graphs is None else GraphSample.load(graphs)
    found = learned.questions(dataset, budget, effect=effect, graphs=drawn, seed=seed)
    if as_json:
        say_json(
            {
                "effect": None if effect is None else list(effect),
                "questions": [each.to_dict() for each in found],
                "knowledge": learned.knowledge.to_dict(),
                "arcs": [list(arc) for arc in learned.arcs],
            },
            indent=2,
        )
        return
    say(*told, *([""] if told else []), *describe_questions(found, effect))
    if found and not answer:
        first = found[0]
        tell(f"answer with --answer '{first.left} -> {first.right}' (or <-, or 'no edge') and --out DIR")


def _answer(learned: Learned, dataset: object, added: Knowledge, out: Path | None) -> tuple[Learned, list[str]]:
    """The result with the answers, and what changed, in words."""
    from mahc.replay import learn_with
    from mahc.results.files import write_result

    again = learn_with(learned, dataset, learned.knowledge.merged(added))
    if out is not None:
        write_result(again, out)
    before, after = set(learned.arcs), set(again.arcs)
    lines = [f"Learned again with {count(len(added.required_arcs) + len(added.forbidden_edges), 'answer')}:"]
    lines += [f"  {tail} -> {head} is new" for tail, head in sorted(after - before)]
    lines += [f"  {tail} -> {head} is gone" for tail, head in sorted(before - after)]
    return again, lines if len(lines) > 1 else [f"{lines[0]} no arc changed"]


def _read_answers(answers: Sequence[str], variables: Sequence[str]) -> Knowledge:
    from mahc.knowledge import Knowledge
    from mahc.results.question import answer_knowledge

    found = Knowledge()
    for text in answers:
        left, mark, right = _split(text, variables)
        found = found.merged(answer_knowledge(left, mark, right))
    return found


def _split(text: str, variables: Sequence[str]) -> tuple[str, str, str]:
    """The two variables and the answer; a name may hold any of the marks itself."""
    parts = []
    for words, mark in MARKS.items():
        start = text.find(words)
        while start >= 0:
            parts.append((text[:start].strip(), mark, text[start + len(words) :].strip()))
            start = text.find(words, start + 1)
    for left, mark, right in parts:
        if left in variables and right in variables:
            return left, mark, right
    if not parts:
        raise SettingError(f"--answer is '{text}': write 'a -> b', 'a <- b' or 'a no edge b'")
    left, _, right = parts[0]
    raise UnknownNameError("variable", right if left in variables else left, variables)
