"""`mahc validate`: which algorithm, score or setting predicts held-out rows best."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Annotated, Any

from mahc.cli.options.data_options import Options, plain_texts, with_options
from mahc.cli.options.groups import ALGORITHM, JSON, KNOWLEDGE, LIMITS, OUTPUT, flag, option
from mahc.cli.options.limits import MemoryOption, parse_memory
from mahc.cli.options.pieces import OnOption, PiecesArgument, load_rows, time_left
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.printing import say, say_json, tell
from mahc.cli.progress import progress_line
from mahc.cli.spelling import option_name
from mahc.confidence.validation import POSITION, Candidate, Validation, ValidationSettings, shared_kinds, validate
from mahc.errors import SettingError
from mahc.learning.catalogue import algorithm_settings, score_settings
from mahc.opening import closing_opened
from mahc.plurals import count
from mahc.settings import declarations

VARY_HELP = "A setting and its values, such as search-in-degree=2,3,4; may be repeated, for all combinations."


@with_options(lambda: plain_texts(declarations(ValidationSettings)), ALGORITHM)
class ValidationOptions(Options):
    """How rows are held out."""

    def settings(self) -> ValidationSettings:
        """The options as settings."""
        return ValidationSettings(**self.given())  # type: ignore[arg-type]


def command(
    data: PiecesArgument,
    /,
    *,
    algorithms: Annotated[str, option("--algorithms", "A,B,...", "Algorithms to compare.", ALGORITHM, "mahc,hc")] = (
        "mahc,hc"
    ),
    scores: Annotated[
        str | None, option("--scores", "A,B,...", "Scores to compare; each algorithm's own if left out.", ALGORITHM)
    ] = None,
    vary: Annotated[list[str] | None, option("--vary", "NAME=A,B,...", VARY_HELP, ALGORITHM)] = None,
    options: ValidationOptions = ValidationOptions(),
    knowledge: Annotated[Path | None, option("--knowledge", "FILE", "Knowledge file.", KNOWLEDGE)] = None,
    time_limit: Annotated[
        float | None, option("--time-limit", "S", "Stop with the parts finished so far.", LIMITS)
    ] = None,
    memory: MemoryOption = None,
    threads: Annotated[int | None, option("--threads", "N", "Number of threads.", LIMITS)] = None,
    pick: Annotated[bool, flag("--pick", "Print only the options of the best, for `mahc learn`.", OUTPUT)] = False,
    on: OnOption = None,
    reading: ReadingOptions = ReadingOptions(),
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Compare algorithms, scores and settings by the bits per held-out row; fewer are better."""
    settings = options.settings()
    candidates = list_candidates(algorithms, scores, vary or [])
    limit, began = parse_memory(memory), time.perf_counter()
    taken, numbered = shared_kinds(candidates), settings.split == POSITION
    table = load_rows(data, reading.settings(), on, threads, limit, time_limit, taken, numbered=numbered)
    with closing_opened(table), progress_line("parts finished so far") as report:
        found = validate(
            table,
            candidates,
            folds=settings.folds,
            seed=settings.seed,
            prior=settings.prior,
            split=settings.split,
            knowledge=knowledge,
            time_limit=time_left(time_limit, time.perf_counter() - began),
            threads=threads,
            memory_mebibytes=limit,
            progress=report,
        )
    if as_json:
        say_json(found.to_dict(), indent=2)
    elif pick:
        say(" ".join(_words(found.best)))
    else:
        say(*table_lines(found))
    if found.folds < found.requested:
        tell(f"note: stopped after {found.folds} of {count(found.requested, 'part')}")


def list_candidates(algorithms: str, scores: str | None, vary: list[str]) -> list[Candidate]:
    """Every algorithm with every score and every combination of the settings that vary."""
    known = {}
    for entry in (*algorithm_settings().values(), *score_settings().values()):
        known[option_name(entry.declaration).removeprefix("--") or entry.declaration.name] = entry.declaration
        known[entry.declaration.name] = entry.declaration
    axes: list[list[tuple[str, Any]]] = []
    for word in vary:
        name, equals, values = word.partition("=")
        if not equals or not values:
            raise SettingError(f"--vary is '{word}': write it as NAME=A,B")
        if name not in known:
            raise SettingError(
                f"--vary names '{name}', which no algorithm or score has: `mahc learn --help` lists them"
            )
        declared = known[name]
        parsed = [_parse(declared, value) for value in values.split(",")]
        axes.append([(declared.name, value) for value in parsed])
    names = [name.strip() for name in algorithms.split(",") if name.strip()]
    objectives = [name.strip() for name in scores.split(",") if name.strip()] if scores else [None]
    return [
        Candidate(algorithm, objective, dict(combination))
        for algorithm in names
        for objective in objectives
        for combination in itertools.product(*axes)
    ]


def _parse(declared: Any, text: str) -> Any:
    if declared.check.kind is bool and text in ("true", "false"):
        return text == "true"
    value = declared.check.parse(text)
    declared.require(value)
    return value


def _words(candidate: Candidate) -> list[str]:
    words = ["--algorithm", candidate.algorithm]
    words += ["--score", candidate.objective] if candidate.objective else []
    entries = {**algorithm_settings(), **score_settings()}
    for name, value in candidate.settings.items():
        word = option_name(entries[name].declaration)
        if isinstance(value, bool):
            words.append(word if value else word.replace("--", "--no-", 1))
        else:
            words += [word, f"{value:g}" if isinstance(value, float) else str(value)]
    return words


def table_lines(found: Validation) -> list[str]:
    """A line per candidate, the best first; differences are to the best, on the same rows."""
    width = max(len("candidate"), *(len(each.candidate.label) for each in found.held))
    lines = [f"{'candidate'.ljust(width)}  bits/row  ± s.e.   more than best  ± s.e.   arcs"]
    for each in found.held:
        label = each.candidate.label.ljust(width)
        if each.failure is not None:
            lines.append(f"{label}  failed: {each.failure}")
            continue
        more, error = each.difference(found.held[0])
        lines.append(
            f"{label}  {each.bits:8.4f}  {each.standard_error:6.4f}  {more:14.4f}  {error:6.4f}  {each.arcs:5.1f}"
        )
    lines.append(f"Held out: {count(found.folds, 'part')}. Standard errors are those of the mean over the parts.")
    return lines
