"""What a worker process does for the server: each task takes plain values and returns plain values."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from mahc.data import Dataset, Kind, ReadSettings
from mahc.data.prepare.notes import enumerate_some
from mahc.data.reading_record import record_reading
from mahc.documents import Document, to_plain
from mahc.engine import CancelToken
from mahc.errors import FormatError, MahcError, SettingError
from mahc.files import write_atomically
from mahc.graphs import DAG, MixedGraph, dag_to_cpdag
from mahc.graphs.adjustment.paths import find_paths
from mahc.inference.model import Model
from mahc.knowledge.conflicts.contradictions import ContradictionError
from mahc.knowledge.conflicts.statements import Statement
from mahc.knowledge.knowledge import Knowledge
from mahc.knowledge.knowledge_files import read_knowledge
from mahc.learn import learn
from mahc.learning.control import Progress
from mahc.learning.settings import choose, choose_algorithm
from mahc.opening import method_of, open_again, open_rows
from mahc.panels.slices import Panel
from mahc.registry import Registry
from mahc.results.graph_sample import GraphSample
from mahc.results.learned import Learned
from mahc.settings import declarations
from mahc.ui.document import edge_values, make_document
from mahc.ui.page_words import say, with_arrows
from mahc.ui.panel import PanelChoice, split_reading
from mahc.ui.report import require_same_data
from mahc.ui.reproduce import Source
from mahc.ui.server.exports import export
from mahc.ui.server.messages import (
    CheckAnswer,
    CompareAnswer,
    EffectAnswer,
    PathAnswer,
    QuestionAnswer,
    QuestionsAnswer,
    ReasonAnswer,
    RunAnswer,
    Values,
)
from mahc.ui.server.project_files import unpack_project_file
from mahc.ui.server.table_task import describe_table

Report = Callable[[Values], None]


class Context:
    """What a task may use of its process: a function that reports progress, and the token that cancels it."""

    def __init__(self, report: Report, cancel: CancelToken) -> None:
        self.report = report
        self.cancel = cancel

    def progress(self, state: Progress) -> None:
        """Report the progress of learning."""
        score = None if math.isnan(state.score) else state.score
        self.report({"phase": state.phase, "steps": state.steps, "score": score, "seconds": state.seconds})


# What a comparison counted, by `Comparison.compared_as`.
COMPARED = {
    "cpdag": "Compared as CPDAGs: directions that do not follow from the data do not count.",
    "dag": "Compared with all their directions.",
    "pag": "Compared with the marks at both ends of every edge.",
}
TASKS: Registry[Callable[[Values, Context], Any]] = Registry("task")


@TASKS.register("audit")
def audit_data(given: Values, context: Context) -> Values:
    """What is in the data, and whether they can be used with these settings of reading."""
    _, panel = split_reading(given.get("reading") or {})
    return as_values(describe_table(Path(given["path"]), given["name"], reading_of(given), given["numbers"], panel))


@TASKS.register("learn")
def learn_graph(given: Values, context: Context) -> Values:
    """Learn, and write result.json and document.json into the run's folder."""
    data = load_data(given)
    settings = given.get("settings") or {}
    known = Knowledge.from_dict(given.get("knowledge") or {})
    panel = _panel(given["path"], _reading_key(given))
    if panel is not None:
        known = panel[0].complete(known, panel[1])
    choose(given["algorithm"], given.get("objective"), settings, method_of(data, reading_of(given)))  # refuses others
    learned = learn(
        data,
        given["algorithm"],
        objective=given.get("objective"),
        numbers=given["numbers"],
        knowledge=known,
        time_limit=given.get("time_limit"),
        progress=context.progress,
        cancel=context.cancel,
        **settings,
    )
    return write_run(learned, open_again(data, learned.data.reading), given)


@TASKS.register("bootstrap")
def bootstrap_run(given: Values, context: Context) -> Values:
    """Learn from resamples with the settings of a run, and write the run with the confidence of its arcs."""
    from mahc.confidence import bootstrap

    refuse_panel(given)
    learned = load_result(given["result"])
    data = open_again(load_data(given), learned.data.reading)
    confidence = bootstrap(
        data,
        choose_algorithm(learned.algorithm, learned.settings),
        objective=learned.run.score,
        knowledge=learned.knowledge,
        start=learned.run.start,
        ties=learned.run.ties,
        resamples=given.get("resamples", 100),
        seed=given.get("seed", 1),
        progress=context.progress,
        cancel=context.cancel,
    )
    return write_run(learned.with_confidence(confidence), data, given)


@TASKS.register("posterior")
def posterior_run(given: Values, context: Context) -> Values:
    """Draw graphs from the posterior with the score and knowledge of a run, and write it with their shares."""
    from mahc.confidence import posterior

    refuse_panel(given)
    learned = load_result(given["result"])
    data = open_again(load_data(given), learned.data.reading)
    sample = posterior(
        data,
        learned.run.score,
        knowledge=learned.knowledge,
        samples=given.get("samples", 300),
        resamples=given.get("resamples", 0),
        seed=given.get("seed", 1),
        progress=context.progress,
        cancel=context.cancel,
    )
    return write_run(learned.with_confidence(sample), data, given)


@TASKS.register("effect")
def effect_of(given: Values, context: Context) -> Values:
    """What setting a cause to another state changes, with an interval over rows and graphs."""
    refuse_panel(given)
    learned = load_result(given["result"])
    data = open_again(load_data(given), learned.data.reading)
    contrast = given.get("contrast")
    found = learned.effect(
        data,
        given["cause"],
        given["target"],
        contrast=None if contrast is None else (contrast[0], contrast[1]),
        state=given.get("state"),
        graphs=_graphs_for(given),
    )
    sets = learned.pattern.adjustment_sets(given["cause"], given["target"])
    chosen = sets.optimal or next(iter(sets.sets), ())
    paths = find_paths(learned.dag, given["cause"], given["target"], chosen) if learned.kind == "DAG" else []
    answer = EffectAnswer(
        sentences=(with_arrows(found.describe()),),
        difference=found.difference,
        low=found.interval.low,
        high=found.interval.high,
        level=found.level,
        absent=found.absent,
        contrast=found.contrast,
        state=found.state,
        adjustment=tuple(with_arrows(line) for line in sets.lines()),
        adjusted_for=chosen,
        paths=tuple(PathAnswer(with_arrows(str(each)), each.kind, each.blocked_by, each.arcs) for each in paths),
    )
    return as_values(answer)


@TASKS.register("questions")
def ask_expert(given: Values, context: Context) -> Values:
    """The pairs of variables about which an expert's answer would tell most."""
    refuse_panel(given)
    learned = load_result(given["result"])
    data = open_again(load_data(given), learned.data.reading)
    found = learned.questions(data, given["budget"], effect=given.get("effect"), graphs=_graphs_for(given))
    asked = tuple(
        QuestionAnswer(
            left=each.left,
            right=each.right,
            probabilities=each.probabilities,
            worth=each.worth,
            changes={answer: tuple(with_arrows(str(each)) for each in told) for answer, told in each.changes.items()},
        )
        for each in found
    )
    return as_values(QuestionsAnswer(asked))


def _graphs_for(given: Values) -> GraphSample:
    return _graphs(given["result"], given["path"], _reading_key(given))


@lru_cache(maxsize=2)
def _graphs(result: str, path: str, reading: str) -> GraphSample:
    """Graphs from the posterior of a run, for all its effects and questions."""
    from mahc.confidence.effect_intervals import draw_graphs

    learned = load_result(result)
    data = open_again(_read(path, reading), learned.data.reading)
    return draw_graphs(learned, data, learned.variables[0], learned.variables[-1], 1)


@TASKS.register("import_project")
def import_project(given: Values, context: Context) -> Values:
    """Unpack a project file, check all its results, and write the documents of its runs."""
    folder = Path(given["folder"])
    saved = unpack_project_file(Path(given["path"]), folder, given["limit"])
    for run in saved.runs:
        place = folder / f"run-{run.number}"
        try:
            learned = Learned.load(place / "result.json")
        except MahcError:
            raise FormatError(f"is damaged (run {run.number} cannot be read): save it again", "the file") from None
        data = None
        if saved.file is not None:
            with contextlib.suppress(MahcError):
                reading = json.dumps(run.reading, sort_keys=True)
                data = open_again(_read(str(folder / saved.file), reading), learned.data.reading)
                require_same_data(learned, data)
        write_document(learned, data, source_of({"name": saved.name, "reading": run.reading}), place)
    return {}


@TASKS.register("check")
def check_knowledge(given: Values, context: Context) -> Values:
    """Whether knowledge fits the variables; the statements that contradict each other where it does not."""
    try:
        known = Knowledge.from_dict(given["knowledge"])
        algorithm = choose_algorithm(given.get("algorithm", "best"), given.get("settings") or {})
        known.check(given["names"], algorithm.in_degree)
    except ContradictionError as mistake:
        conflict = tuple(_describe(each) for each in mistake.conflict)
        return as_values(CheckAnswer(ok=False, message=say(mistake), conflict=conflict))
    except MahcError as mistake:
        return as_values(CheckAnswer(ok=False, message=say(mistake)))
    return as_values(CheckAnswer(ok=True))


def _describe(statement: Statement) -> Values:
    text = with_arrows(str(statement))
    return {"kind": statement.kind.name.lower(), "variables": list(statement.variables), "text": text}


@TASKS.register("read_knowledge")
def read_knowledge_file(given: Values, context: Context) -> Values:
    """The knowledge in an uploaded file."""
    return read_knowledge(given["path"]).to_dict()


@TASKS.register("reason")
def explain(given: Values, context: Context) -> Values:
    """Why an arc is in the graph of a run or not."""
    reason = load_result(given["result"]).explain(given["from"], given["to"])
    sentence = with_arrows(reason.sentence)
    return as_values(ReasonAnswer(kind=reason.kind, sentence=sentence, numbers=dict(reason.numbers)))


@TASKS.register("compare")
def compare_graphs(given: Values, context: Context) -> Values:
    """A run's graph against another: measures, and every edge of either graph, all from one matching."""
    from mahc.measures import compare
    from mahc.sources import find_graph

    mine, other = load_result(given["result"]).graph, find_graph(Path(given["other"]))
    at = {name: i for i, name in enumerate(mine.names)}
    unshared = sorted(set(other.names) ^ set(mine.names))
    if unshared:
        shared = [name for name in mine.names if name in set(other.names)]
        mine, other = _restrict(mine, shared), _restrict(other, shared)
    found = compare(mine, other)
    note = COMPARED[found.compared_as]
    if unshared:
        others = enumerate_some(unshared)
        note = f"only the variables of both graphs are compared, without measures (not in both: {others})"
    drawn = {frozenset((edge.left, edge.right)): edge for edge in (*found.true.edges, *found.learned.edges)}
    edges = [
        {**edge_values(drawn[frozenset((match.first, match.second))], at), "kind": match.difference}
        for match in found.edges
    ]
    measures = {} if unshared else {name: float(value) for name, value in found.measures.items()}
    return as_values(CompareAnswer(measures=measures, note=note, edges=tuple(edges)))


def _restrict(graph: DAG | MixedGraph, names: list[str]) -> MixedGraph:
    """The edges of the CPDAG, or of a graph that is mixed already, between these variables."""
    mixed = dag_to_cpdag(graph) if isinstance(graph, DAG) else graph
    return MixedGraph(names, [edge for edge in mixed.edges if edge.left in names and edge.right in names])


@TASKS.register("query")
def query(given: Values, context: Context) -> Values:
    """The probabilities of all variables given observed states and interventions."""
    model = _fitted(given["result"], given["path"], _reading_key(given))
    if not isinstance(model, Model):
        raise SettingError(
            "the page answers what-if questions about states, and this network has regressions of numbers: cut the "
            "columns of numbers, or use mahc query"
        )
    observed, set_ = dict(given.get("given") or {}), dict(given.get("do") or {})
    names = [name for name in model.variables if name not in observed and name not in set_]
    answers = model.query(names, given=observed, do=set_, joint=False) if names else {}
    states = dict(zip(model.variables, model.network.states, strict=True))
    found = {name: [float(answer[state]) for state in states[name]] for name, answer in answers.items()}
    for name, state in {**observed, **set_}.items():
        found[name] = [float(state == each) for each in states[name]]
    return {"probabilities": found}


@TASKS.register("export")
def export_run(given: Values, context: Context) -> Values:
    """Write a run in some format into its folder."""
    learned = load_result(given["result"])
    data = open_again(load_data(given), learned.data.reading)
    return export(learned, data, source_of(given), given["format"], Path(given["folder"]))


def reading_of(given: Values) -> ReadSettings:
    """The settings of reading that a request gave."""
    reading, _ = split_reading(given.get("reading") or {})
    tokens = reading.get("missing_tokens")
    if isinstance(tokens, list) and all(isinstance(token, str) for token in tokens):  # `educ=99` is for one column
        reading = {**reading, "missing_tokens": declarations(ReadSettings)["missing_tokens"].check.parse(tokens)}
    try:
        return ReadSettings(**reading)
    except TypeError:
        known = ", ".join(ReadSettings.__dataclass_fields__)
        raise SettingError(f"the settings of reading have an unknown name: the names are {known}") from None


def load_data(given: Values) -> Dataset:
    """The data of a request; the last ones are kept."""
    reading_of(given)
    return _read(given["path"], _reading_key(given))


def _reading_key(given: Values) -> str:
    return json.dumps(given.get("reading") or {}, sort_keys=True)


@lru_cache(maxsize=2)
def _read(path: str, reading: str) -> Dataset:
    panel = _panel(path, reading)
    if panel is not None:
        return panel[1].windows(panel[0].lags, panel[0].gaps)
    return open_rows(Path(path), reading_of({"reading": json.loads(reading)}), kinds=frozenset(Kind))


@lru_cache(maxsize=2)
def _panel(path: str, reading: str) -> tuple[PanelChoice, Panel] | None:
    """What was chosen of a long table, and its rows; None where each row stands for itself."""
    given = json.loads(reading)
    _, choice = split_reading(given)
    return None if choice is None else (choice, choice.open(Path(path), reading_of({"reading": given})))


def refuse_panel(given: Values) -> None:
    """Refuse what draws single rows where the rows of a subject depend on each other."""
    if split_reading(given.get("reading") or {})[1] is not None:
        raise SettingError(
            "this draws single rows, and the rows of one subject depend on each other: "
            "resample subjects with mahc panel --resamples or mahc.learn_panel"
        )


def source_of(given: Values) -> Source:
    """Where the data of a request came from, for the commands that repeat a run."""
    _, choice = split_reading(given.get("reading") or {})
    if choice is None:
        return Source(given["name"])
    return Source(given["name"], choice, record_reading(reading_of(given), ()).settings)


@lru_cache(maxsize=4)
def load_result(path: str) -> Learned:
    """The result of a run; the last ones are kept."""
    return Learned.load(path)


@lru_cache(maxsize=2)
def _fitted(result: str, path: str, reading: str) -> Any:
    return load_result(result).fit(_read(path, reading))


def write_run(learned: Learned, data: Dataset, given: Values) -> Values:
    """Write a run's files, and return what the history shows of it."""
    folder = Path(given["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    learned.save(folder / "result.json")
    write_document(learned, data, source_of(given), folder)
    answer = RunAnswer(
        algorithm=learned.algorithm,
        score=learned.run.score.name,
        value=learned.score,
        unit=learned.run.unit,
        arcs=len(learned.outcome.adjacent),
        kind=learned.kind,
        stop_reason=learned.stop_reason.value,
        seconds=learned.seconds,
        resamples=None if learned.confidence is None else learned.confidence.size,
        knowledge=learned.knowledge.to_dict(),
        ended=learned.outcome.describe_end(learned.run),
    )
    return as_values(answer)


def write_document(learned: Learned, data: Dataset | None, source: Source, folder: Path) -> None:
    """Write the document that the page shows."""
    document = make_document(learned, data, source, with_reasons=False)
    write_atomically(folder / "document.json", json.dumps(document, allow_nan=False))


def as_values(answer: Document) -> Values:
    """An answer as plain values."""
    plain: Values = to_plain(answer)
    return plain
