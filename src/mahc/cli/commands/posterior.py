"""`mahc posterior`: the best graph, and how probable its edges are given the data."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Annotated, Any

from mahc.cli.commands.bootstrap import SampleOutput
from mahc.cli.commands.learn import KnowledgeOptions
from mahc.cli.options.algorithm_options import PosteriorAlgorithmOptions, PosteriorOptions, RunOptions, ScoreOptions
from mahc.cli.options.groups import ALGORITHM, option
from mahc.cli.options.pieces import OnOption, PiecesArgument, load_rows, time_left
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.output import check_out, deliver_bootstrap
from mahc.cli.progress import progress_line
from mahc.confidence.posterior import ALGORITHM as SEARCH
from mahc.confidence.posterior import posterior
from mahc.engine import CancelToken
from mahc.graphs.files import read_dag
from mahc.learn import learn
from mahc.learning.settings import choose
from mahc.opening import closing_opened, cut_again, refuse_light_pieces
from mahc.scores import SCORES
from mahc.settings import declarations


def command(
    data: PiecesArgument,
    /,
    *,
    score: Annotated[str | None, option("--score", "NAME", f"Score: {', '.join(SCORES)}.", ALGORITHM, "qnml")] = None,
    sampling: PosteriorOptions = PosteriorOptions(),
    settings: PosteriorAlgorithmOptions = PosteriorAlgorithmOptions(),
    score_settings: ScoreOptions = ScoreOptions(),
    running: RunOptions = RunOptions(),
    constraints: KnowledgeOptions = KnowledgeOptions(),
    output: SampleOutput = SampleOutput(),
    reading: ReadingOptions = ReadingOptions(),
    on: OnOption = None,
) -> None:
    """Find the best graph, then draw graphs by their probability; show how probable each arc and direction is."""
    run, how = running.settings(), sampling.settings()
    given: dict[str, Any] = {**settings.given(), **score_settings.given()}
    if how.algorithm_seed is not None:
        given["seed"] = how.algorithm_seed
    chosen, counted = choose(SEARCH, score, given, reading.settings().missing)
    check_out(output.out, output.replaces())
    known = constraints.gather()
    began = time.perf_counter()
    memory = getattr(chosen, "memory_mebibytes", None)
    opened = load_rows(data, reading.settings(), on, run.threads, memory, run.time_limit, chosen.kinds(counted))
    load_seconds = time.perf_counter() - began
    if how.resamples:
        refuse_light_pieces(opened)
    start = () if constraints.start is None else read_dag(constraints.start, names=opened.names).arcs
    token = CancelToken()  # one Ctrl-C ends both
    with closing_opened(opened), progress_line("graphs so far") as report:
        learned = learn(
            opened,
            SEARCH,
            objective=score,
            knowledge=known,
            start=start,
            ties=run.ties,
            numbers=run.numbers,
            time_limit=time_left(run.time_limit, time.perf_counter() - began),
            threads=run.threads,
            progress=report,
            cancel=token,
            **given,
        )
        theirs = {name: value for name, value in given.items() if name in declarations(chosen) and name != "seed"}
        drawn = {name: getattr(how, name) for name in declarations(how)}
        confidence = posterior(
            cut_again(opened, learned.data.reading),
            learned.run.score,
            resume=output.resume,
            knowledge=known,
            start=start,
            ties=run.ties,
            time_limit=time_left(run.time_limit, time.perf_counter() - began),
            threads=run.threads,
            progress=report,
            cancel=token,
            **drawn,
            **theirs,
        )
    learned = replace(learned, run=learned.run.timed(reading=load_seconds))
    deliver_bootstrap(learned.with_confidence(confidence), data, reading.words(), output.out, output.as_json)
