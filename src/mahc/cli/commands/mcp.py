"""`mahc mcp`: the tools of an assistant, over standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from mahc.cli.options.groups import LIMITS, argument, option
from mahc.errors import MahcError, SettingError


def command(
    folder: Annotated[Path, argument("FOLDER", "The folder whose files the assistant may read and write.")],
    /,
    *,
    time_limit: Annotated[float, option("--time-limit", "SECONDS", "End a call after this time.", LIMITS)] = 600.0,
    letters: Annotated[int, option("--letters", "N", "Refuse longer answers.", LIMITS)] = 100_000,
) -> None:
    """Serve audit, learn, explain, bootstrap, effect and query to an assistant (Model Context Protocol, stdio).

    Files are read and written below FOLDER only; nothing is sent over a network. An assistant starts it itself: see
    docs/agents.md. Needs the extra `mcp`.
    """
    if not folder.is_dir():
        raise SettingError(f"there is no folder '{folder}': name the one that holds the data")
    if time_limit <= 0:
        raise SettingError(f"--time-limit is {time_limit:g}: give a number above 0")
    if letters < 1000:
        raise SettingError(f"--letters is {letters}: give 1,000 or more")
    try:
        from mahc.cli.agent_tools import make_server
    except ModuleNotFoundError as problem:
        if problem.name is None or problem.name.partition(".")[0] not in ("mcp", "pydantic", "anyio"):
            raise
        raise MahcError('`mahc mcp` needs the official SDK: pip install "mahc[mcp]"') from None
    make_server(folder, time_limit, letters).run("stdio")
