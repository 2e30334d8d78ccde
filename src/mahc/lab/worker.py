"""The process of one cell: `python -m mahc.lab.worker FOLDER`.

It reads request.json in the folder and writes result.json there; empty files show the runner how far it is.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mahc.lab.processes import Limits, adopt_orphans, kill_descendants

if TYPE_CHECKING:
    from mahc.lab.contestants import Answer
    from mahc.lab.generators import Generated
    from mahc.lab.samples import RealData
    from mahc.measures import Comparison
    from mahc.networks import Simulation


REQUEST, RESULT = "request.json", "result.json"
LEARNING, MEASURING = "learning", "measuring"  # the names of the files that mark the later stages
LONGEST_TRACE = 4_000  # letters of a traceback that are kept, from its end
DISK_FULL = 109  # exit code where the disk is full and no result can be written


def main(folder: Path) -> None:
    """Run the cell of the request; every failure but a full disk is a result too."""
    request = json.loads((folder / REQUEST).read_text(encoding="utf-8"))
    _end_with_runner()
    limits = Limits(*request["limits"])
    limits.confine()
    adopt_orphans()
    result: dict[str, Any] = {"outcome": "memory_limit", "reason": memory_sentence(limits)}
    try:
        with suppress(MemoryError):  # the exception frees what was allocated, and the result can be written
            result = _work(request, limits, folder)
        part = folder / f"{RESULT}.part"
        part.write_text(json.dumps(result, allow_nan=False), encoding="utf-8")
        os.replace(part, folder / RESULT)
    except OSError as problem:
        if not _is_disk_full(problem):
            raise
        sys.exit(DISK_FULL)
    finally:
        kill_descendants(os.getpid())  # also those that left the group


def _is_disk_full(problem: BaseException) -> bool:
    # Polars gives the error number in its message alone.
    codes = (errno.ENOSPC, errno.EDQUOT)
    in_message = any(f"(os error {code})" in str(problem) for code in codes)
    return isinstance(problem, OSError) and (problem.errno in codes or in_message)


def memory_sentence(limits: Limits) -> str:
    """The reason of a cell that needed too much memory."""
    return f"needed more than the limit of {limits.memory_mebibytes:,} MiB"


def _end_with_runner() -> None:
    # The runner holds the other end of stdin and never writes. When it ends, in whatever way, so does this process.
    pipe = os.dup(0)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)  # a contestant that reads stdin finds it empty
    threading.Thread(target=_wait_for_runner, args=(pipe,), daemon=True).start()


def _wait_for_runner(pipe: int) -> None:
    while os.read(pipe, 1):
        pass
    kill_descendants(os.getpid())
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


def _work(request: dict[str, Any], limits: Limits, folder: Path) -> dict[str, Any]:
    from mahc.errors import MahcError, UnavailableError
    from mahc.lab.contestants import CellError, Sample, make_contestant

    try:
        simulation = draw_sample(request)
        contestant = make_contestant(request["contestant"])
        answer = contestant.learn(Sample(simulation, folder, (folder / LEARNING).touch, request["sample"][2]), limits)
        peak = _peak_memory()
        (folder / MEASURING).touch()
        return {**_outcome(answer, limits, contestant.best_so_far), **measure_answer(answer, simulation), **peak}
    except MemoryError:
        raise
    except UnavailableError as mistake:
        return {"outcome": "unavailable", "reason": str(mistake)}
    except (MahcError, CellError) as mistake:
        if isinstance(mistake.__context__, MemoryError):
            raise MemoryError from None
        return {"outcome": "crashed", "reason": str(mistake)}
    except Exception as mistake:
        if _is_disk_full(mistake):
            raise
        reason = f"{type(mistake).__name__}: {mistake}"
        return {"outcome": "crashed", "reason": reason, "traceback": _trace(mistake)}


def _trace(mistake: BaseException) -> str:
    # From the first frame that is not of this package: where the user's own code begins.
    import traceback

    ours = str(Path(__file__).parent)
    frames = traceback.extract_tb(mistake.__traceback__)
    first = next((i for i, frame in enumerate(frames) if not frame.filename.startswith(ours)), 0)
    lines = traceback.format_list(frames[first:]) + traceback.format_exception_only(mistake)
    return "".join(lines)[-LONGEST_TRACE:]


def draw_sample(request: dict[str, Any]) -> Simulation | Generated | RealData:
    """The data of the cell that `Cell.request` describes."""
    from mahc.lab.plan import Case
    from mahc.lab.samples import split_rows
    from mahc.networks import find_network, simulate

    given, (data, rows, seed) = request["case"], request["sample"]
    if given["generator"]:
        from mahc.lab.generators import generate

        return generate(given["generator"], rows, seed, columns=given["columns"], noise=given["noise"])
    if given["file"]:
        return split_rows(given["file"], given["reading"], rows, seed)
    case = Case(given["name"], given["network"], tuple(given["latents"]))
    network = find_network(case.network, request["networks"])
    return simulate(network, rows, seed, case.noise(data))


def _outcome(answer: Answer, limits: Limits, best_so_far: bool) -> dict[str, Any]:
    known = {"seconds": answer.seconds, "stop_reason": answer.stop_reason}
    late = answer.stop_reason == "time_limit" or answer.seconds > limits.seconds
    if late and not (best_so_far and answer.has_answer):
        return {"outcome": "time_limit", "reason": time_sentence(limits), **known}
    return {"outcome": "done", "reason": "", **known}


def time_sentence(limits: Limits) -> str:
    """The reason of a cell that took too long."""
    return f"not finished within the limit of {limits.seconds:g} s"


def measure_answer(answer: Answer, simulation: Simulation | Generated | RealData) -> dict[str, Any]:
    """What the row of a cell says of a graph; its BIC only where all columns have states."""
    from mahc.data import Kind
    from mahc.graphs import DAG, dag_to_cpdag
    from mahc.lab.samples import RealData
    from mahc.measures import compare, compare_scores

    data, graph = simulation.data, answer.graph
    pattern = graph if answer.pattern is None else answer.pattern
    if not isinstance(simulation, RealData):
        compared = compare(pattern, simulation.dag, simulation.truth_kind, simulation.latents)
        found: dict[str, Any] = {"measures": {**compared.measures, **_distances(compared)}}
    else:
        shown = dag_to_cpdag(pattern) if isinstance(pattern, DAG) else pattern
        found = {
            "measures": {},
            "held_out_bits": simulation.held_out_bits(graph),
            "pattern": [list(edge) for edge in shown.edges],
        }
    # Only the score of this graph is needed; the empty graph in the other place costs nothing.
    states = Kind.CONTINUOUS not in data.kinds
    score = compare_scores(graph, DAG(data.names), data).learned if states else None
    return {
        "variables": len(data.names),
        **found,
        "score": None if score is None else score.value,
        "free_parameters": None if score is None else score.free_parameters,
        "edges": len(graph.arcs if isinstance(graph, DAG) else graph.edges),
        "pruned_per_level": answer.pruned_per_level,
        "gap": answer.gap,
    }


def _distances(compared: Comparison) -> dict[str, float]:
    """The shares of effects that a graph gets wrong, where gadjid is installed and the graphs have such distances."""
    from importlib.util import find_spec

    from mahc.errors import GraphError
    from mahc.measures.intervention_distances import NAMES

    if compared.compared_as == "pag" or find_spec("gadjid") is None:
        return {}
    try:
        effects = compared.distances()
    except GraphError:  # a pattern that is no CPDAG
        return {}
    return {f"{name}_distance": effects.share(name) for name in NAMES}


def _peak_memory() -> dict[str, float]:
    """The peak memory of this process or of a child, where the system reports it."""
    try:
        import resource

        lines = Path("/proc/self/status").read_text().splitlines()
    except (ImportError, OSError):
        return {}
    # Not ru_maxrss of this process, which starts at the memory of the runner that forked it.
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return {"peak_memory_mebibytes": max(peak, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
