"""Running the server: a socket on the loopback address, a token, a working folder, and a clean end."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import signal
import socket
import tempfile
import threading
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mahc.errors import MahcError, SettingError
from mahc.files.temporary import remove_stale, temporary_path

LOOPBACK = "127.0.0.1"
MISSING = "the page needs the extra 'ui': pip install 'mahc[ui]'"


@dataclass(frozen=True)
class Address:
    """Where the server is reached."""

    port: int
    token: str

    @property
    def url(self) -> str:
        """The address to open, with the token."""
        return f"http://{LOOPBACK}:{self.port}/?token={self.token}"


def open_socket(port: int) -> socket.socket:
    """A socket on the loopback address; port 0 takes a free one."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(128)  # from now on who connects waits, also before the server runs
    except (OSError, OverflowError) as problem:
        listening.close()
        raise SettingError(f"port {port} cannot be used ({problem}): give another one, or none") from None
    return listening


def serve(
    data: Path | None,
    *,
    port: int = 0,
    browser: bool = True,
    upload_limit: int = 512 * 2**20,
    projects: Path | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Serve until Ctrl-C.

    Parameters
    ----------
    data : path, optional
        A file to begin with.
    port : int
        The port; 0 takes a free one.
    browser : bool
        Whether to open the browser.
    upload_limit : int
        The largest upload in bytes.
    projects : path, optional
        The folder of the projects; that of the user's data if left out.
    say : callable
        Prints a line for the user.
    """
    try:
        import platformdirs
        import uvicorn

        from mahc.ui.server.application import Server
        from mahc.ui.server.guard import Guard
        from mahc.ui.server.store import Store
    except ImportError:
        raise MahcError(MISSING) from None
    place = projects or platformdirs.user_data_path("mahc", appauthor=False) / "projects"
    with ending_cleanly() as ending, working_folder() as folder, contextlib.closing(open_socket(port)) as listening:
        address = Address(listening.getsockname()[1], secrets.token_urlsafe(24))
        try:
            store = Store(place.absolute(), folder)
        except OSError as problem:
            raise SettingError(
                f"projects cannot be kept in {place} ({problem.strerror}): name another folder"
            ) from None
        if data is not None:
            store.add_file(data.absolute(), data.name)
        hosts = tuple(f"{name}:{address.port}" for name in (LOOPBACK, "localhost"))
        guarded = Guard(Server(store, upload_limit).application(), address.token, hosts)
        settings = uvicorn.Config(
            guarded,
            log_level="critical",
            access_log=False,
            server_header=False,
            date_header=False,
            ws="none",
            timeout_graceful_shutdown=1,
        )
        say(f"mahc ui: {address.url}")
        say("The address holds a token: whoever has it can use this server. Ctrl-C ends it.")
        say(f"Projects are kept in {place}")
        if browser:
            webbrowser.open(address.url)
        server = uvicorn.Server(settings)
        hung_up = stop_on_hangup(server)
        ending.server = server
        server.should_exit = ending.asked
        with contextlib.suppress(KeyboardInterrupt):
            server.run([listening])
        if ending.asked:
            raise SystemExit(128 + signal.SIGTERM)
    if hung_up.is_set():
        raise SystemExit(128 + signal.SIGHUP)
    say("mahc ui: ended")


class Ending:
    """Ends the process by an exception, so that everything is tidied up.

    An exception that is raised while a callback of the garbage collector runs is lost; so the server is told, too.
    """

    server: Any = None
    asked = False

    def __call__(self, number: int, _: object) -> None:
        """Handle the signal."""
        self.asked = True
        if self.server is not None:
            self.server.should_exit = True
        raise SystemExit(128 + number)


@contextlib.contextmanager
def ending_cleanly() -> Iterator[Ending]:
    """What SIGTERM does."""
    ending = Ending()
    before = signal.signal(signal.SIGTERM, ending)
    try:
        yield ending
    finally:
        signal.signal(signal.SIGTERM, before)


def stop_on_hangup(server: Any) -> threading.Event:
    """Stop the server when the terminal is closed, where the system says so; the event says that it was."""
    hung_up = threading.Event()

    def stop(*_: object) -> None:
        hung_up.set()
        server.should_exit = True

    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, stop)
    return hung_up


@contextlib.contextmanager
def working_folder() -> Iterator[Path]:
    """A folder that only this user can read, removed at the end; those of servers that were killed are removed now."""
    place = temporary_path(Path(tempfile.gettempdir()) / "mahc-ui")
    remove_stale(place.parent)
    place.mkdir(mode=0o700)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
