"""`mahc ui`: the page in the browser, from a server on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from mahc.cli.options.groups import LIMITS, OUTPUT, argument, flag, option
from mahc.cli.options.reading_options import DATA_HELP, find_input
from mahc.cli.printing import say
from mahc.errors import SettingError
from mahc.files import Address
from mahc.ui.server.running import serve


def command(
    data: Annotated[Path | None, argument("DATA", f"{DATA_HELP} Left out, the page asks for a file.")] = None,
    /,
    *,
    port: Annotated[int, option("--port", "PORT", "The port of the server.", OUTPUT, "a free one")] = 0,
    no_browser: Annotated[bool, flag("--no-browser", "Do not open the browser.", OUTPUT)] = False,
    upload_limit: Annotated[
        int, option("--upload-limit", "MB", "The largest file that the page may upload.", LIMITS, "512")
    ] = 512,
    projects: Annotated[
        Path | None, option("--projects", "FOLDER", "Where projects are kept.", OUTPUT, "the user's data folder")
    ] = None,
) -> None:
    """Open the page in the browser: choose data, state knowledge, learn, compare, ask, and save a report."""
    if not 0 <= port <= 65535:
        raise SettingError(f"--port is {port}: give a number from 0 to 65,535")
    if upload_limit < 1:
        raise SettingError(f"--upload-limit is {upload_limit}: give 1 MB or more")
    path = None if data is None else find_input(data)
    if isinstance(path, Address):
        raise SettingError(f"{path} is not a local file: download it first and name the file")
    if path is not None and not path.is_file():
        raise SettingError(f"there is no file '{path}': give a data file, or none")
    serve(path, port=port, browser=not no_browser, upload_limit=upload_limit * 2**20, projects=projects, say=say)
