"""What `mahc learn` hands over: files, one JSON object, or a page to read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mahc.cli.options.pieces import data_title, data_words
from mahc.cli.printing import join_words, say_json, say_page, tell
from mahc.errors import MahcError, SettingError
from mahc.files import Address
from mahc.plurals import count
from mahc.results.files import CONFIDENCE_FILES, FILES, MAX_EDGES_DRAWN, summary_to_dict, write_result

if TYPE_CHECKING:
    from mahc.data.sources.queries import Query
    from mahc.results.graph_sample import GraphSample
    from mahc.results.learned import Learned


def check_out(out: Path | None, overwrite: bool = False) -> None:
    """Refuse a folder that cannot be written to or holds a result, before hours are spent on what should go there."""
    if out is None:
        return
    if out.exists() and not out.is_dir():
        raise SettingError(f"--out {out} is a file: give a folder, it is made where absent")
    nearest = next(place for place in (out, *out.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise SettingError(f"--out {out} lies in {nearest}, which is a file: give a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise SettingError(f"--out {out} cannot be written: no permission to write to {nearest.absolute()}")
    if (out / "result.json").exists() and not overwrite:
        raise SettingError(f"--out {out} holds a result: give another folder, or add --overwrite to replace it")


def deliver(
    learned: Learned, data: Path | Address | Query, reading: list[str], out: Path | None, load_seconds: float | None
) -> None:
    """Write the files, then print JSON (where the seconds of loading are given) or the summary."""
    more = None if load_seconds is None else {"load_seconds": load_seconds}
    note = learned.outcome.describe_end(learned.run) if learned.stop_reason.early else ""
    _deliver(learned, data, reading, out, more, note)


def deliver_bootstrap(
    learned: Learned, data: Path | Address | Query, reading: list[str], out: Path | None, as_json: bool
) -> None:
    """Write and print a graph with confidence; its JSON holds the summaries of the graph and of the sample."""
    confidence, note = learned.confidence, ""
    assert confidence is not None
    if confidence.stop_reason.early:
        done = f"{confidence.size:,} of {count(confidence.requested, confidence.noun)} done; --resume adds the others"
        note = f"{confidence.stop_reason.words}: {confidence.describe() if confidence.parts else done}"
    _deliver(learned, data, reading, out, {"confidence": _describe(confidence)} if as_json else None, note)


def _deliver(
    learned: Learned,
    data: Path | Address | Query,
    reading: list[str],
    out: Path | None,
    more: Mapping[str, object] | None,
    note: str,
) -> None:
    """Files, then one line of JSON with `more` fields, or the summary; printed also where files cannot be written."""
    mistake = None
    if out is not None:
        try:
            write_result(learned, out)
        except MahcError as problem:
            mistake = problem
    if more is not None:
        say_json({**summary_to_dict(learned), **more, "peak_memory_mb": peak_memory()})
    else:
        _print_page(learned, data, _next_commands(learned, data, reading, None if mistake else out))
    if note:
        tell(f"note: {note}")
    if mistake is not None:
        raise mistake


def _describe(confidence: GraphSample) -> dict[str, object]:
    """The bootstrap and, for every pair that was ever joined, its frequencies."""
    pairs = [
        {
            "pair": list(pair),
            "edge": share,
            "interval": list(confidence.interval(*pair)),
            "calibrated": confidence.calibrated(*pair),
            "direction": [confidence.direction(*pair), confidence.direction(*pair[::-1])],
            "pattern": confidence.marks(*pair),
        }
        for pair, share in confidence.frequencies().items()
    ]
    about = {"resamples": confidence.size, "requested": confidence.requested, "seed": confidence.seed}
    ended = {"how": confidence.origin, "stop_reason": confidence.stop_reason.value, "seconds": confidence.run.seconds}
    mixing = confidence.mixing
    trust = {} if mixing is None else {"agree": mixing.agree, "text": mixing.sentence, **confidence.diagnostics}
    return {**about, **ended, **({"chains": trust} if trust else {}), "pairs": pairs}


def peak_memory() -> float | None:
    """The most memory this process has held, in MB; None where the system does not report it."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20) if sys.platform == "darwin" else peak / (1 << 10)


def _print_page(learned: Learned, data: Path | Address | Query, following: list[str]) -> None:
    from mahc.results.summary import learned_page

    say_page(learned_page(learned, data_title(data)), "", *following)


def _next_commands(learned: Learned, data: Path | Address | Query, reading: list[str], out: Path | None) -> list[str]:
    if out is None:
        return [f"Next: add --out DIR to keep it as {', '.join(FILES)}"]
    names = FILES if learned.confidence is None else (*FILES, *CONFIDENCE_FILES)
    lines = [f"Written to {out}: {', '.join(name for name in names if (out / name).exists())}"]
    edges = learned.outcome.edge_number
    if edges > MAX_EDGES_DRAWN:
        lines.append(
            f"No picture of {count(edges, 'edge')}: `mahc report` and Learned.plot(around=...) draw parts of it"
        )
    adjacent = learned.outcome.adjacent
    tail, head = adjacent[0] if adjacent else (*learned.variables, "A", "B")[:2]
    explain = join_words(["mahc", "explain", str(out), head, tail])
    repeated = reading if learned.data.reading is None else []  # otherwise the result says how its data are read
    replay = join_words(["mahc", "replay", str(out), *data_words(data), *repeated])
    width = min(max(len(explain), len(replay)), 40)  # a long command does not push the remarks out of sight
    lines.append(f"Next: {explain.ljust(width)}   says why that {learned.outcome.edge_word} is in or out")
    lines.append(f"      {replay.ljust(width)}   learns it again and compares")
    return lines
