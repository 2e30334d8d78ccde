"""The routes of the server: the page, its modules, and the JSON API (docs/reference/api.md)."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from mahc.documents import to_plain
from mahc.errors import MahcError, UnknownNameError
from mahc.networks import sample_path
from mahc.ui.page_words import say
from mahc.ui.server.about import describe_program
from mahc.ui.server.jobs import Jobs
from mahc.ui.server.messages import (
    AuditRequest,
    CheckRequest,
    CompareRequest,
    EffectRequest,
    LearnRequest,
    PageState,
    QueryRequest,
    QuestionsRequest,
    take_job,
    take_request,
)
from mahc.ui.server.project_files import write_project_file
from mahc.ui.server.requests import TooLargeError, read_json, save_upload
from mahc.ui.server.store import Project, Store, now
from mahc.ui.server.workers import TaskFailedError, TaskRefusedError, Workers

UNPACKED = 4  # a project file may unpack to so many times the upload limit
TYPES = {".js": "text/javascript", ".css": "text/css"}
Handler = Callable[["Server", Request], Awaitable[Response]]


class Server:
    """The state behind the routes."""

    def __init__(self, store: Store, upload_limit: int, most_jobs: int = 2) -> None:
        self.store = store
        self.upload_limit = upload_limit
        self.quick = Workers(2)
        self.jobs = Jobs(Workers(most_jobs))

    @contextlib.asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Start one worker of each kind ahead, and end all at the end."""
        warming = [asyncio.create_task(pool.warm()) for pool in (self.quick, self.jobs.workers)]
        try:
            yield
        finally:
            for task in warming:
                task.cancel()
            await asyncio.gather(*warming, return_exceptions=True)
            await self.jobs.close()
            await self.quick.close()
            await self.jobs.workers.close()

    def application(self) -> Starlette:
        """All routes."""
        routes = [Route(path, self._answer(handler), methods=[method]) for method, path, handler in ROUTES]
        handlers: dict[Any, Any] = {HTTPException: _explain_status}
        return Starlette(routes=routes, lifespan=self.lifespan, exception_handlers=handlers)

    def _answer(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        @functools.wraps(handler)
        async def answer(request: Request) -> Response:
            try:
                return await handler(self, request)
            except TooLargeError as mistake:
                return refuse(413, str(mistake))
            except UnknownNameError as mistake:
                return refuse(404, str(mistake))
            except MahcError as mistake:
                return refuse(400, say(mistake))
            except TaskRefusedError as mistake:
                return refuse(400, str(mistake))
            except TaskFailedError as problem:
                return refuse(500, str(problem))
            except ClientDisconnect:
                return refuse(400, "the request ended before it was complete")

        return answer


def refuse(status: int, message: str) -> JSONResponse:
    """An answer that says what is wrong in one sentence."""
    return JSONResponse({"error": {"message": message}}, status)


async def _explain_status(_: Request, problem: Exception) -> Response:
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    words = {404: "there is nothing at this address", 405: "this address does not take this method"}
    return refuse(status, words.get(status, "the request cannot be answered"))


async def page(server: Server, request: Request) -> Response:
    """The page itself."""
    text = (files("mahc.ui") / "static" / "index.html").read_text(encoding="utf-8")
    return Response(text, media_type="text/html")


async def static(server: Server, request: Request) -> Response:
    """A module or the style sheet; names are looked up in the list of the folder, never joined to a path."""
    found = {file.name: file for file in (files("mahc.ui") / "static").iterdir()}
    file = found.get(request.path_params["name"])
    ending = "" if file is None else file.name[file.name.rfind(".") :]
    if file is None or ending not in TYPES:
        raise HTTPException(404)
    return Response(file.read_bytes(), media_type=TYPES[ending])


async def about(server: Server, request: Request) -> Response:
    """What the program can do: algorithms, scores, settings, formats."""
    return JSONResponse({**describe_program(), "upload_limit": server.upload_limit})


def _answer_project(project: Project, status: int = 200) -> Response:
    return JSONResponse(to_plain(project.describe()), status)


async def list_data(server: Server, request: Request) -> Response:
    """All projects, the last one used first."""
    return JSONResponse({"data": [to_plain(project.describe()) for project in server.store.latest()]})


async def save_state(server: Server, request: Request) -> Response:
    """Keep what was chosen on the page with its project."""
    project = server.store.project(request.path_params["data"])
    project.change(state=take_request(await read_json(request), PageState), used=now())
    return _answer_project(project)


async def remove_data(server: Server, request: Request) -> Response:
    """Remove a project with its runs, and end its jobs."""
    gone = request.path_params["data"]
    server.store.remove(gone)
    for job in server.jobs.all.values():
        if job.data == gone:
            job.cancelled.set()
    return JSONResponse({})


async def upload_data(server: Server, request: Request) -> Response:
    """A file in the body; its name in the query."""
    path, name = server.store.place_upload(request.query_params.get("name", "data.csv"))
    try:
        await save_upload(request, path, server.upload_limit)
        return _answer_project(await asyncio.to_thread(server.store.add_upload, path, name), 201)
    finally:
        shutil.rmtree(path.parent, ignore_errors=True)


async def add_sample(server: Server, request: Request) -> Response:
    """The shipped sample as data."""
    path, name = server.store.place_upload("asia.csv")
    shutil.copyfile(sample_path("asia"), path)
    return _answer_project(server.store.add_upload(path, name), 201)


async def audit_data(server: Server, request: Request) -> Response:
    """The audit of a data set with settings of reading."""
    body: AuditRequest = take_request(await read_json(request), AuditRequest)
    source = server.store.project(request.path_params["data"])
    wanted = {**_of_data(source, body.reading or {}), "numbers": body.numbers or "auto"}
    return JSONResponse(await server.quick.do("audit", wanted))


async def check_knowledge(server: Server, request: Request) -> Response:
    """Whether knowledge holds together on these variables."""
    body: CheckRequest = take_request(await read_json(request), CheckRequest)
    wanted = {"knowledge": body.knowledge or {}, "names": [str(name) for name in body.names or ()]}
    wanted |= {"algorithm": body.algorithm or "best", "settings": body.settings or {}}
    return JSONResponse(await server.quick.do("check", wanted))


async def read_knowledge(server: Server, request: Request) -> Response:
    """The knowledge in an uploaded TOML, JSON or Bayesys CSV file."""
    ending = request.query_params.get("name", "")[-5:].rpartition(".")[2].lower()
    kept = ending if ending in ("toml", "json", "csv") else "unknown"
    path = server.store.new_folder("knowledge") / f"knowledge.{kept}"
    await save_upload(request, path, server.upload_limit)
    return JSONResponse(await server.quick.do("read_knowledge", {"path": str(path)}))


def _of_data(source: Project, reading: dict[str, Any]) -> dict[str, Any]:
    return {"path": str(source.require_file()), "name": source.name, "reading": reading}


async def start_job(server: Server, request: Request) -> Response:
    """Begin to learn, or to bootstrap a run."""
    body = take_job(await read_json(request))
    task = to_plain(body)
    kind = task.pop("kind")
    if isinstance(body, LearnRequest):
        source, reading = server.store.project(body.data), body.reading or {}
        task |= {"algorithm": body.algorithm or "best", "numbers": body.numbers or "auto"}
    else:
        run = server.store.run(body.run)
        source, reading = run.source, run.reading
        task = {name: value for name, value in task.items() if value is not None}
        task["result"] = str(run.folder / "result.json")
    task |= _of_data(source, reading)
    folder = server.store.new_folder("run")
    task["folder"] = str(folder)

    def keep(summary: dict[str, Any]) -> int:
        if source.id not in server.store.projects:
            raise TaskRefusedError(f"{source.name} was deleted while this ran")
        return server.store.add_run(source, reading, folder, summary)

    return JSONResponse(server.jobs.start(kind, source.id, kind, task, keep).describe(), 201)


async def list_jobs(server: Server, request: Request) -> Response:
    """All jobs that are remembered."""
    return JSONResponse({"jobs": [job.describe() for job in server.jobs.all.values()]})


def _find_job(server: Server, request: Request) -> Any:
    job = server.jobs.all.get(request.path_params["job"])
    if job is None:
        raise UnknownNameError("job", str(request.path_params["job"]), [str(number) for number in server.jobs.all])
    return job


async def show_job(server: Server, request: Request) -> Response:
    """One job."""
    return JSONResponse(_find_job(server, request).describe())


async def watch_job(server: Server, request: Request) -> Response:
    """A job as server-sent events, until it has ended."""
    job = _find_job(server, request)

    async def events() -> AsyncIterator[str]:
        async for state in job.watch():
            yield f"data: {json.dumps(state)}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")


async def cancel_job(server: Server, request: Request) -> Response:
    """End a job with what it has so far."""
    job = _find_job(server, request)
    job.cancelled.set()
    await job.changed()
    return JSONResponse(job.describe())


async def list_runs(server: Server, request: Request) -> Response:
    """The history."""
    return JSONResponse({"runs": [run.describe() for run in server.store.runs.values()]})


async def show_run(server: Server, request: Request) -> Response:
    """The document of a run."""
    run = server.store.run(request.path_params["run"])
    return FileResponse(run.folder / "document.json", media_type="application/json")


async def explain(server: Server, request: Request) -> Response:
    """Why an arc is in the graph of a run or not."""
    run = server.store.run(request.path_params["run"])
    pair = {end: request.query_params.get(end, "") for end in ("from", "to")}
    return JSONResponse(await server.quick.do("reason", {"result": str(run.folder / "result.json"), **pair}))


async def compare_runs(server: Server, request: Request) -> Response:
    """A run compared with another run."""
    run = server.store.run(request.path_params["run"])
    other = server.store.run(take_request(await read_json(request), CompareRequest).run)
    results = {"result": str(run.folder / "result.json"), "other": str(other.folder / "result.json")}
    return JSONResponse(await server.quick.do("compare", results))


async def compare_file(server: Server, request: Request) -> Response:
    """A run compared with an uploaded graph file."""
    run = server.store.run(request.path_params["run"])
    path, name = server.store.place_upload(request.query_params.get("name", "graph.csv"))
    await save_upload(request, path, server.upload_limit)
    given = {"result": str(run.folder / "result.json"), "other": str(path), "other_name": name}
    return JSONResponse(await server.quick.do("compare", given))


async def query(server: Server, request: Request) -> Response:
    """Probabilities given observed states and interventions."""
    run = server.store.run(request.path_params["run"])
    body: QueryRequest = take_request(await read_json(request), QueryRequest)
    wanted = {"given": body.given or {}, "do": body.do or {}}
    result = {"result": str(run.folder / "result.json"), **_of_data(run.source, run.reading)}
    return JSONResponse(await server.quick.do("query", {**result, **wanted}))


async def effect(server: Server, request: Request) -> Response:
    """What setting a cause changes, with an interval."""
    run = server.store.run(request.path_params["run"])
    body: EffectRequest = take_request(await read_json(request), EffectRequest)
    given = {"result": str(run.folder / "result.json"), **_of_data(run.source, run.reading), **to_plain(body)}
    return JSONResponse(await server.quick.do("effect", given))


async def questions(server: Server, request: Request) -> Response:
    """The questions to an expert whose answers would tell most."""
    run = server.store.run(request.path_params["run"])
    body: QuestionsRequest = take_request(await read_json(request), QuestionsRequest)
    given = {"result": str(run.folder / "result.json"), **_of_data(run.source, run.reading), **to_plain(body)}
    return JSONResponse(await server.quick.do("questions", given))


async def export_project(server: Server, request: Request) -> Response:
    """A project as one file; with `rows=no` without its data."""
    project = server.store.project(request.path_params["data"])
    data = None if request.query_params.get("rows") == "no" else project.require_file()
    folder = server.store.new_folder("export")
    path = folder / "project.mahc"
    await asyncio.to_thread(write_project_file, path, project.saved, project.folder, data)
    remove = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    name = f"{project.name.split('.')[0] or 'project'}.mahc"
    return FileResponse(path, filename=name, media_type="application/octet-stream", background=remove)


async def import_project(server: Server, request: Request) -> Response:
    """A project file in the body."""
    path = server.store.new_folder("upload") / "project.mahc"
    folder = server.store.new_folder("import")
    try:
        await save_upload(request, path, server.upload_limit)
        limit = UNPACKED * server.upload_limit
        await server.quick.do("import_project", {"path": str(path), "folder": str(folder), "limit": limit})
        return _answer_project(await asyncio.to_thread(server.store.adopt, folder), 201)
    finally:
        for place in (path.parent, folder):
            shutil.rmtree(place, ignore_errors=True)


async def export_run(server: Server, request: Request) -> Response:
    """A run as a file to save; each request has a folder of its own, removed when the file is sent."""
    run = server.store.run(request.path_params["run"])
    result = {"result": str(run.folder / "result.json"), **_of_data(run.source, run.reading)}
    folder = server.store.new_folder("export")
    wanted = {"format": request.path_params["format"], "folder": str(folder)}
    try:
        found = await server.quick.do("export", {**result, **wanted})
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    remove = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    kind = "application/octet-stream"
    return FileResponse(found["path"], filename=found["name"], media_type=kind, background=remove)


ROUTES: list[tuple[str, str, Handler]] = [
    ("GET", "/", page),
    ("GET", "/static/{name}", static),
    ("GET", "/api/about", about),
    ("GET", "/api/data", list_data),
    ("POST", "/api/data", upload_data),
    ("PUT", "/api/data/{data}", save_state),
    ("DELETE", "/api/data/{data}", remove_data),
    ("GET", "/api/data/{data}/project", export_project),
    ("POST", "/api/projects", import_project),
    ("POST", "/api/sample", add_sample),
    ("POST", "/api/data/{data}/audit", audit_data),
    ("POST", "/api/knowledge/check", check_knowledge),
    ("POST", "/api/knowledge/read", read_knowledge),
    ("GET", "/api/jobs", list_jobs),
    ("POST", "/api/jobs", start_job),
    ("GET", "/api/jobs/{job:int}", show_job),
    ("DELETE", "/api/jobs/{job:int}", cancel_job),
    ("GET", "/api/jobs/{job:int}/events", watch_job),
    ("GET", "/api/runs", list_runs),
    ("GET", "/api/runs/{run:int}", show_run),
    ("GET", "/api/runs/{run:int}/reason", explain),
    ("POST", "/api/runs/{run:int}/compare", compare_runs),
    ("POST", "/api/runs/{run:int}/compare-file", compare_file),
    ("POST", "/api/runs/{run:int}/query", query),
    ("POST", "/api/runs/{run:int}/effect", effect),
    ("POST", "/api/runs/{run:int}/questions", questions),
    ("GET", "/api/runs/{run:int}/export/{format}", export_run),
]
