"""The bodies of the server's requests and answers, declared once: checked before anything else, listed in the docs."""

from __future__ import annotations

from typing import Any

from msgspec import ValidationError, field

from mahc.documents import Document, Number, Whole, from_plain
from mahc.errors import SettingError, UnknownNameError
from mahc.ui.audit import AuditAnswer, Remark
from mahc.ui.panel import PanelAnswer

Values = dict[str, Any]


class AuditRequest(Document, frozen=True):
    """POST /api/data/ID/audit: settings of `mahc.read`, and how columns of numbers are to be treated."""

    reading: Values | None = None
    numbers: str | None = None


class CheckRequest(Document, frozen=True):
    """POST /api/knowledge/check: knowledge, and the variables and algorithm that it is for."""

    knowledge: Values | None = None
    names: tuple[str | int | float | bool | None, ...] | None = None
    algorithm: str | None = None
    settings: Values | None = None


class LearnRequest(Document, frozen=True, tag_field="kind", tag="learn"):
    """POST /api/jobs: learn from data; fields that are left out or null have their defaults."""

    data: str
    reading: Values | None = None
    algorithm: str | None = None
    objective: str | None = None
    knowledge: Values | None = None
    settings: Values | None = None
    numbers: str | None = None
    time_limit: Number | None = None


class BootstrapRequest(Document, frozen=True, tag_field="kind", tag="bootstrap"):
    """POST /api/jobs: learn from resamples with the settings of a run."""

    run: int
    resamples: int | None = None
    seed: int | None = None


class PosteriorRequest(Document, frozen=True, tag_field="kind", tag="posterior"):
    """POST /api/jobs: draw graphs from the posterior with the score and knowledge of a run.

    With resamples, the mean of these graphs and of a bootstrap of boss.
    """

    run: int
    samples: int | None = None
    seed: int | None = None
    resamples: int | None = None


class CompareRequest(Document, frozen=True):
    """POST /api/runs/N/compare: the other run."""

    run: int


class QueryRequest(Document, frozen=True):
    """POST /api/runs/N/query: observed states, and states set from outside, by variable."""

    given: dict[str, str | int | float | bool] | None = None
    do: dict[str, str | int | float | bool] | None = None


class EffectRequest(Document, frozen=True):
    """POST /api/runs/N/effect: what setting the cause to another state changes."""

    cause: str
    target: str
    contrast: tuple[str, str] | None = None
    state: str | None = None


class QuestionsRequest(Document, frozen=True):
    """POST /api/runs/N/questions: how many questions, and the effect that they are to be about (cause, target)."""

    budget: Whole = 5
    effect: tuple[str, str] | None = None


class PageState(Document, frozen=True):
    """PUT /api/data/ID: what a person chose on the page, kept with the project; null or left out is not chosen yet."""

    reading: Values | None = None
    knowledge: Values | None = None
    algorithm: str | None = None
    objective: str | None = None
    settings: Values | None = None
    numbers: str | None = None
    time_limit: str | None = None
    run: int | None = None


class DataAnswer(Document, frozen=True):
    """A project: data that can be learned from. `bytes` is null where the file is gone, `used` is when it was opened.

    `reading` are the settings of reading that the content of the file suggests.
    """

    id: str
    name: str
    bytes: Whole | None
    runs: Whole = 0
    used: str = ""
    kept: bool = True
    reading: Values = field(default_factory=dict)
    state: PageState = PageState()


class FileAnswer(Document, frozen=True):
    """How the file is taken apart, and its first rows; `kind` is text, sheet, statistics or columns."""

    kind: str
    sheets: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    rows: tuple[tuple[str | None, ...], ...] = ()
    lines: tuple[str, ...] = ()
    separator: str | None = None


class MissingAnswer(Document, frozen=True):
    """What is missing, on what it depends, and the recommended method with the reason."""

    sentences: tuple[str, ...]
    recommended: str
    reason: str


class TableAnswer(Document, frozen=True):
    """POST /api/data/ID/audit: the file, the audit (null where the file cannot be read, `problem` says why), commands.

    `suggested` are the settings of reading with all recommended fixes. `panel` is null unless the rows are to be
    windows of a long table and can be.
    """

    file: FileAnswer
    audit: AuditAnswer | None
    problem: Remark | None
    missing: MissingAnswer | None
    suggested: Values | None
    commands: str
    python: str
    panel: PanelAnswer | None = None


class PathAnswer(Document, frozen=True):
    """A path from the cause to the target: `kind` is causal, open or blocked."""

    text: str
    kind: str
    blocked_by: tuple[str, ...]
    arcs: tuple[tuple[str, str], ...]


class EffectAnswer(Document, frozen=True):
    """What setting the cause changes, in a sentence and in numbers, with its interval.

    `adjustment` says in words which sets of variables are to be held fixed, `paths` are those of the DAG that is shown,
    given the set `adjusted_for`.
    """

    sentences: tuple[str, ...]
    difference: Number
    low: Number
    high: Number
    level: Number
    absent: Number
    contrast: tuple[float | str | None, float | str]
    state: str | None
    adjustment: tuple[str, ...]
    adjusted_for: tuple[str, ...]
    paths: tuple[PathAnswer, ...]


class QuestionAnswer(Document, frozen=True):
    """A question to an expert: for each answer ("->", "<-", "no edge") its probability, and what it would change."""

    left: str
    right: str
    probabilities: dict[str, Number]
    worth: Number
    changes: dict[str, tuple[str, ...]]


class QuestionsAnswer(Document, frozen=True):
    """The questions whose answers would tell most, the best first."""

    questions: tuple[QuestionAnswer, ...]


class JobAnswer(Document, frozen=True):
    """A job: `state` is queued, running, done, refused or failed; `run` is the run that it became."""

    id: int
    kind: str
    data: str
    state: str
    cancelled: bool
    progress: Values | None
    message: str | None
    run: int | None


class RunAnswer(Document, frozen=True):
    """What the history shows of a run."""

    algorithm: str
    score: str
    value: Number | None
    unit: str
    arcs: Whole
    kind: str
    stop_reason: str
    seconds: Number
    resamples: Whole | None
    knowledge: Values
    ended: str


class CheckAnswer(Document, frozen=True):
    """Whether knowledge holds together; the statements that contradict each other where it does not."""

    ok: bool
    message: str | None = None
    conflict: tuple[Values, ...] = ()


class CompareAnswer(Document, frozen=True):
    """A run's graph against another; `edges` are those of either graph, with their marks and `kind`.

    A kind is matched, missing, extra, reversed or marks (other marks); `from` and `to` are numbers of the run's
    variables. `measures` is empty where the graphs differ in their variables.
    """

    measures: dict[str, Number]
    note: str
    edges: tuple[Values, ...]


class ReasonAnswer(Document, frozen=True):
    """Why an arc is in the graph or not."""

    kind: str
    sentence: str
    numbers: dict[str, float]


REQUESTS = (
    AuditRequest,
    CheckRequest,
    LearnRequest,
    BootstrapRequest,
    PosteriorRequest,
    CompareRequest,
    QueryRequest,
    EffectRequest,
    PageState,
)
ANSWERS = (DataAnswer, TableAnswer, JobAnswer, RunAnswer, CheckAnswer, CompareAnswer, ReasonAnswer, EffectAnswer)
JOBS = ("learn", "bootstrap", "posterior")
JobRequest = LearnRequest | BootstrapRequest | PosteriorRequest


def take_request(found: Values, kind: Any) -> Any:
    """The body of a request as its struct; a SettingError that says which field is wrong.

    >>> take_request({"run": "first"}, CompareRequest)
    Traceback (most recent call last):
    ...
    mahc.errors.SettingError: the request is not valid: Expected `int`, got `str` - at `$.run`
    """
    try:
        return from_plain(found, kind)
    except ValidationError as problem:
        raise SettingError(f"the request is not valid: {problem}") from None


def take_job(found: Values) -> JobRequest:
    """The body of a request for a job; one without a kind is to learn."""
    kind = "learn" if found.get("kind") is None else found["kind"]
    if kind not in JOBS:
        raise UnknownNameError("kind of job", str(kind)[:40], list(JOBS))
    taken: JobRequest = take_request({**found, "kind": kind}, JobRequest)
    return taken
