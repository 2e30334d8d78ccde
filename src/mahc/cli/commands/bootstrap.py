"""`mahc bootstrap`: a learned graph, and how often its edges come back when the data are resampled."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from mahc.cli.commands.learn import AlgorithmOption, KnowledgeOptions, LearningScoreOption
from mahc.cli.options.algorithm_options import BootstrapOptions, ResampledAlgorithmOptions, RunOptions, ScoreOptions
from mahc.cli.options.groups import JSON, OUTPUT, OVERWRITE, RESAMPLING, option
from mahc.cli.options.pieces import OnOption, PiecesArgument, load_rows, time_left
from mahc.cli.options.reading_options import ReadingOptions
from mahc.cli.output import check_out, deliver_bootstrap
from mahc.cli.progress import progress_line
from mahc.confidence import bootstrap
from mahc.confidence.bootstrap import refuse_passes
from mahc.confidence.resampling import POISSON
from mahc.engine import CancelToken
from mahc.graphs.files import read_dag
from mahc.learn import learn
from mahc.learning.settings import check_use, choose
from mahc.opening import closing_opened, cut_again, refuse_light_pieces


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SampleOutput:
    """Where the result goes, and what it is added to."""

    resume: Annotated[
        Path | None,
        option("--resume", "DIR", "Add to the graphs saved there (folder or confidence.json).", RESAMPLING),
    ] = None
    out: Annotated[
        Path | None,
        option("--out", "DIR", "Write graph and result there, with confidence.csv and confidence.json.", OUTPUT),
    ] = None
    overwrite: Annotated[bool, OVERWRITE] = False
    as_json: Annotated[bool, JSON] = False

    def replaces(self) -> bool:
        """Whether a result in the folder may be replaced: if so asked, and if its own resamples are added to."""
        if self.overwrite or self.out is None or self.resume is None:
            return self.overwrite
        saved = self.resume.parent if self.resume.suffix == ".json" else self.resume
        return saved.resolve() == self.out.resolve()


def command(
    data: PiecesArgument,
    /,
    *,
    algorithm: AlgorithmOption = "mahc",
    score: LearningScoreOption = None,
    resampling: BootstrapOptions = BootstrapOptions(),
    settings: ResampledAlgorithmOptions = ResampledAlgorithmOptions(),
    score_settings: ScoreOptions = ScoreOptions(),
    running: RunOptions = RunOptions(),
    constraints: KnowledgeOptions = KnowledgeOptions(),
    output: SampleOutput = SampleOutput(),
    reading: ReadingOptions = ReadingOptions(),
    on: OnOption = None,
) -> None:
    """Learn a graph from data, then from resamples of them; show how often each arc and its direction come back."""
    run, how = running.settings(), resampling.settings()
    given: dict[str, Any] = {**settings.given(), **score_settings.given(), **how.own_seed(algorithm)}
    chosen, counted = choose(algorithm, score, given, reading.settings().missing)
    check_out(output.out, output.replaces())
    known = constraints.gather()
    check_use(chosen, known, constraints.start is not None)
    began = time.perf_counter()
    memory = getattr(chosen, "memory_mebibytes", None)
    taken, numbered = chosen.kinds(counted), how.how == POISSON
    opened = load_rows(data, reading.settings(), on, run.threads, memory, run.time_limit, taken, numbered=numbered)
    load_seconds = time.perf_counter() - began
    refuse_light_pieces(opened)
    start = () if constraints.start is None else read_dag(constraints.start, names=opened.names).arcs
    token = CancelToken()  # one Ctrl-C ends both
    with closing_opened(opened), progress_line("resamples so far") as report:
        refuse_passes(opened, how.how)  # before a graph is learned
        learned = learn(
            opened,
            algorithm,
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
        confidence = bootstrap(
            opened if numbered else cut_again(opened, learned.data.reading),
            chosen,
            resamples=how.resamples,
            seed=how.seed,
            how=how.how,
            resume=output.resume,
            time_limit=time_left(run.time_limit, time.perf_counter() - began),
            threads=run.threads,
            progress=report,
            cancel=token,
            objective=learned.run.score,
            knowledge=known,
            start=start,
            ties=run.ties,
        )
    learned = replace(learned, run=learned.run.timed(reading=load_seconds))
    deliver_bootstrap(learned.with_confidence(confidence), data, reading.words(), output.out, output.as_json)
