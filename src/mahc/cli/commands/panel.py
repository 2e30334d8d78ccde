"""`mahc panel`: a network of time slices from subjects that were seen several times."""

from __future__ import annotations

import time as clock
from pathlib import Path
from typing import Annotated, Any

from mahc.cli.commands.learn import ConstraintOptions, LearningScoreOption
from mahc.cli.options.algorithm_options import AlgorithmOptions, RunOptions, ScoreOptions
from mahc.cli.options.groups import ALGORITHM, DATA, JSON, OUTPUT, OVERWRITE, RESAMPLING, flag, option
from mahc.cli.options.pieces import time_left
from mahc.cli.options.reading_options import DataArgument, ReadingOptions, find_input
from mahc.cli.output import check_out
from mahc.cli.printing import say, say_json
from mahc.errors import SettingError
from mahc.learning.settings import choose
from mahc.panels import learn_panel
from mahc.panels.network import FILES
from mahc.plurals import count

PICTURE, PAGE = "slices.svg", "slices.html"


def command(
    data: DataArgument,
    /,
    *,
    subject: Annotated[str, option("--subject", "COLUMN", "The column that says whose row it is.", DATA)],
    time: Annotated[str, option("--time", "COLUMN", "The column that says when: numbers or dates.", DATA)],
    static: Annotated[
        list[str] | None,
        option("--static", "COLUMN", "A column that does not change within a subject; may be repeated.", DATA),
    ] = None,
    gaps: Annotated[
        str,
        option(
            "--gaps",
            "RULE",
            "Where a subject lacks a time: drop (leave out what spans the gap) or next (its next row follows).",
            DATA,
            "drop",
        ),
    ] = "drop",
    lags: Annotated[int, option("--lags", "N", "How many earlier slices may have an effect.", ALGORITHM, "1")] = 1,
    no_within: Annotated[bool, flag("--no-within", "Forbid arcs within a slice.", ALGORITHM)] = False,
    resamples: Annotated[
        int,
        option("--resamples", "N", "Resamples of the subjects: how often does each arc come back?", RESAMPLING, "0"),
    ] = 0,
    algorithm: Annotated[str, option("--algorithm", "NAME", "Algorithm; best is boss.", ALGORITHM, "boss")] = "boss",
    score: LearningScoreOption = None,
    settings: AlgorithmOptions = AlgorithmOptions(),
    score_settings: ScoreOptions = ScoreOptions(),
    running: RunOptions = RunOptions(),
    constraints: ConstraintOptions = ConstraintOptions(),
    reading: ReadingOptions = ReadingOptions(),
    out: Annotated[
        Path | None, option("--out", "DIR", f"Write {', '.join(FILES)}, {PICTURE} and {PAGE} there.", OUTPUT)
    ] = None,
    overwrite: Annotated[bool, OVERWRITE] = False,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Learn how each time follows from the times before, from subjects that were seen several times.

    Constraints name a variable as pain(t) in the present slice and pain(t-1) one before: --forbid "pain(t-1),dose(t)".
    """
    given: dict[str, Any] = {**settings.given(), **score_settings.given()}
    choose(algorithm, score, given, None)
    given |= reading.given()
    run = running.settings()
    known = constraints.gather()
    check_out(out, overwrite)
    if out is not None and not overwrite and (out / FILES[0]).exists():
        raise SettingError(f"'{out}' holds a panel: name another folder, or add --overwrite")
    began = clock.perf_counter()
    found = learn_panel(
        find_input(data),
        subject,
        time,
        algorithm,
        lags=lags,
        static=static or (),
        within=not no_within,
        gaps=gaps,
        knowledge=known,
        resamples=resamples,
        objective=score,
        numbers=run.numbers,
        ties=run.ties,
        threads=run.threads,
        time_limit=time_left(run.time_limit, clock.perf_counter() - began),
        **given,
    )
    if out is not None:
        found.save(out)
        found.plot().save(out / PICTURE)
        found.report(out / PAGE)
    if as_json:
        say_json(
            {
                "subjects": found.subjects,
                "times": found.waves,
                "windows": found.windows,
                "lagged_arcs": [list(arc) for arc in found.lagged_arcs],
                "arcs": [list(arc) for arc in found.arcs],
                "notes": list(found.notes),
                "confidence": None
                if found.confidence is None
                else [[*arc, share] for arc, share in sorted(found.confidence.items())],
            }
        )
        return
    say(*str(found).splitlines())
    if found.confidence is not None:
        ranked = sorted(found.confidence.items(), key=lambda each: (-each[1], each[0]))
        say(
            f"In {count(resamples, 'resample')} of the subjects:",
            *(f"  {a} -> {b}  {share:.0%}" for (a, b), share in ranked),
        )
    if out is not None:
        say(f"Written to {out}: {', '.join(name for name in (*FILES, PICTURE, PAGE) if (out / name).exists())}")
