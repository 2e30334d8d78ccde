"""The bodies of the server's requests and answers, declared once: checked before anything else, listed in the docs."""

from __future__ import annotations

from typing import Any

from msgspec import ValidationError

from mahc.documents import Document, Number, Whole, from_plain
from mahc.errors import SettingError, UnknownNameError

Values = dict[str, Any]


class AuditRequest(Document, frozen=True):
    """POST /api/data/ID/audit: settings of `mahc.read`."""

    reading: Values | None = None


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
    time_limit: Number | None = None


class BootstrapRequest(Document, frozen=True, tag_field="kind", tag="bootstrap"):
    """POST /api/jobs: learn from resamples with the settings of a run."""

    run: int
    resamples: int | None = None
    seed: int | None = None


class CompareRequest(Document, frozen=True):
    """POST /api/runs/N/compare: the other run."""

    run: int


class QueryRequest(Document, frozen=True):
    """POST /api/runs/N/query: observed states, and states set from outside, by variable."""

    given: dict[str, str | int | float | bool] | None = None
    do: dict[str, str | int | float | bool] | None = None


class DataAnswer(Document, frozen=True):
    """Data that can be learned from; `bytes` is null where the file is gone."""

    id: str
    name: str
    bytes: Whole | None


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


REQUESTS = (AuditRequest, CheckRequest, LearnRequest, BootstrapRequest, CompareRequest, QueryRequest)
ANSWERS = (DataAnswer, JobAnswer, RunAnswer, CheckAnswer, CompareAnswer, ReasonAnswer)


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


def take_job(found: Values) -> LearnRequest | BootstrapRequest:
    """The body of a request for a job; one without a kind is to learn."""
    kind = "learn" if found.get("kind") is None else found["kind"]
    if kind not in ("learn", "bootstrap"):
        raise UnknownNameError("kind of job", str(kind)[:40], ["learn", "bootstrap"])
    taken: LearnRequest | BootstrapRequest = take_request({**found, "kind": kind}, LearnRequest | BootstrapRequest)
    return taken
