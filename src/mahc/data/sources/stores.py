"""Objects in stores (S3, Google, Azure) and files on web servers: looked up, listed, copied here.

Credentials come from the environment, as the packages of each store look for them, and no message repeats what these
packages say, because that may contain them.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from mahc.data.watching import report, watched_by
from mahc.errors import DataError, MahcError
from mahc.files.addresses import Address, Copied
from mahc.files.paths import Partitions, partitions_of
from mahc.files.temporary import temporary_folder
from mahc.plurals import count

COPIES = "mahc-copies"  # folder of local copies
BLOCK = 1 << 24
_CREDENTIALS = {
    "s3": "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or AWS_PROFILE, or AWS_SKIP_SIGNATURE=true for public data",
    "gs": "set GOOGLE_APPLICATION_CREDENTIALS",
}
_AZURE = "set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY, or AZURE_STORAGE_CONNECTION_STRING"
_WEB = "check the user name, the password or the signature in the address"


@dataclass(frozen=True)
class Stored:
    """One object: its address, its size in bytes, and what changes when it does; `tag` is empty where unknown."""

    address: Address
    size: int = 0
    tag: str = ""

    def check_unchanged(self) -> None:
        """Refuse to go on with an object that was replaced after it was first looked up."""
        found = look_up(self.address)
        if (found.size, found.tag) != (self.size, self.tag):
            raise DataError(f"{self.address} was changed while it was read: start again when it stays as it is")


def look_up(address: Address) -> Stored:
    """Size and tag of one object.

    Parameters
    ----------
    address : Address
        The object.

    Returns
    -------
    Stored
        What the store says of it.

    Raises
    ------
    DataError
        If there is none, or it may not be read.
    """
    with explaining(address):
        info = _system(address).info(address.url)
    if info.get("type") == "directory":
        raise DataError(f"{address} is a folder: name a file in it")
    return _describe(address, info)


def is_prefix(address: Address) -> bool:
    """Whether objects lie below the address, instead of one at it."""
    if address.on_web:
        return False
    with explaining(address):
        return address.is_many or bool(_system(address).info(address.url).get("type") == "directory")


def find_objects(address: Address) -> list[tuple[Stored, Partitions]]:
    """The objects below a prefix, those that a pattern names, or the one at the address; sorted by address.

    Names that begin with a dot or an underscore are left out. Folders such as `year=2026` below the prefix give all
    rows of their files the column `year`.
    """
    system = _system(address)
    with explaining(address):
        if address.is_pattern:
            found, root = system.glob(address.url, detail=True), ""
        elif address.on_web or not is_prefix(address):
            return [(look_up(address), ())]
        else:
            found, root = system.find(address.url, detail=True), system._strip_protocol(address.url)
    kept = []
    for path, info in sorted(found.items()):
        below = PurePosixPath(path).relative_to(root) if root else PurePosixPath(PurePosixPath(path).name)
        if info.get("type") == "file" and not any(part.startswith((".", "_")) for part in below.parts):
            here = Address(f"{address.scheme}://{path}")
            kept.append((_describe(here, info), partitions_of(below)))
    if not kept:
        raise DataError(f"{address}: there are no objects of this name: correct the address")
    return kept


def table_sign(address: Address) -> str | None:
    """Whether the objects below a prefix are those of a table: "delta", "iceberg" or None."""
    if address.is_pattern or not is_prefix(address):
        return None
    system, root = _system(address), address.url.rstrip("/")
    with explaining(address):
        if system.exists(f"{root}/_delta_log"):
            return "delta"
        return "iceberg" if system.glob(f"{root}/metadata/*.metadata.json") else None


def list_names(address: Address, pattern: str) -> list[str]:
    """The addresses of objects below a prefix that fit a pattern."""
    with explaining(address):
        return [f"{address.scheme}://{path}" for path in _system(address).glob(f"{address.url.rstrip('/')}/{pattern}")]


def copy_here(address: Address) -> Copied:
    """Copy one object to a temporary folder.

    Parameters
    ----------
    address : Address
        The object.

    Returns
    -------
    Copied
        The copy, which the caller removes.

    Raises
    ------
    DataError
        If it cannot be read, or changes meanwhile.
    """
    if not address.name:
        raise DataError(f"{address} is not the address of a file: add its name")
    folder = _new_folder()
    try:
        _copy(address, folder / address.name)
        return Copied(address, folder / address.name, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def copy_all_here(address: Address, objects: list[tuple[Stored, Partitions]]) -> Copied:
    """Copy objects below a prefix to a temporary folder with the same subfolders."""
    folder = _new_folder()
    root = "" if address.is_pattern else f"{address.url.rstrip('/')}/"
    try:
        for stored, _ in objects:
            url = stored.address.url
            target = folder / "all" / (url.removeprefix(root) if root else url.rpartition("/")[2])
            if not target.resolve().is_relative_to(folder.resolve()) or target.exists():
                raise DataError(f"{stored.address} has a name that cannot be a local file: read it alone")
            target.parent.mkdir(parents=True, exist_ok=True)
            _copy(stored.address, target)
        return Copied(address, folder / "all", folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def scan_options(address: Address) -> dict[str, Any]:
    """What polars and deltalake are told of a store besides what they find in the environment."""
    return {"aws_allow_http": "true"} if address.scheme == "s3" and s3_endpoint().startswith("http://") else {}


def s3_endpoint() -> str:
    """The address of an S3 store that is not Amazon's; empty where the environment names none."""
    return os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""


@contextmanager
def explaining(address: Address) -> Iterator[None]:
    """What the packages of a store raise becomes one sentence; what they say is not repeated.

    Nobody watches meanwhile: the thread of fsspec keeps its context, and with it the watcher, until the process ends.
    """
    try:
        with watched_by(None):
            yield
    except MahcError:
        raise
    except Exception as problem:  # each package has exceptions of its own
        raise DataError(_explain(address, problem)) from None


def _explain(address: Address, problem: Exception) -> str:
    if address.on_web and isinstance(problem, FileNotFoundError) and isinstance(problem.__cause__, Exception):
        problem = problem.__cause__  # fsspec says of every failed request that there is no such file
    kind, status = type(problem).__name__, getattr(problem, "status", None)
    if isinstance(problem, ImportError):
        return f"{address} needs packages that are not installed: pip install 'mahc[remote]'"
    credentials = _WEB if address.on_web else _CREDENTIALS.get(address.scheme, _AZURE)
    if "Credential" in kind or (isinstance(problem, ValueError) and address.scheme in ("az", "abfs", "abfss")):
        return f"{address}: the environment has no credentials for this store: {credentials}"
    if isinstance(problem, PermissionError) or status in (401, 403):
        return f"{address} may not be read with these credentials: {credentials}"
    if isinstance(problem, FileNotFoundError) or status in (404, 410):
        return f"{address} does not exist: correct the address"
    if isinstance(problem, OSError) and problem.filename is None and problem.errno == 28:
        return f"{address} cannot be copied to {tempfile.gettempdir()}, which is full: set TMPDIR to another folder"
    return f"{address} cannot be read ({kind}): check the address, the endpoint of the store and the network"


def _system(address: Address) -> Any:
    """The file system of fsspec that opens the address; another one where the environment was changed."""
    surroundings = frozenset((k, v) for k, v in os.environ.items() if k.startswith(("AWS_", "GOOGLE_", "AZURE_")))
    with explaining(address):
        return _make_system(address.scheme, hash(surroundings), os.getpid())


@lru_cache(maxsize=4)
def _make_system(scheme: str, surroundings: int, process: int) -> Any:
    """A file system that keeps no listings, so that changes are seen."""
    import fsspec

    options: dict[str, Any] = {"skip_instance_cache": True, "use_listings_cache": False}
    if scheme == "s3" and os.environ.get("AWS_SKIP_SIGNATURE", "").lower() in ("1", "true"):
        options["anon"] = True
    return fsspec.filesystem(scheme, **options)


def _describe(address: Address, info: dict[str, Any]) -> Stored:
    tag = next((info[key] for key in ("ETag", "etag", "md5Hash", "content_settings") if info.get(key)), "")
    changed = next((info[key] for key in ("LastModified", "last_modified", "updated", "mtime") if info.get(key)), "")
    return Stored(address, int(info.get("size") or 0), str(tag or changed))


def _new_folder() -> Path:
    return temporary_folder(Path(tempfile.gettempdir()) / COPIES)


def _copy(address: Address, target: Path) -> None:
    system, done = _system(address), 0
    with explaining(address):
        before = None if address.on_web else look_up(address)
        source = system.open(address.url, "rb", block_size=BLOCK, cache_type="readahead")
    with source, target.open("wb") as copy:
        while True:
            with explaining(address):
                written = copy.write(source.read(BLOCK))
            if not written:
                break
            done += written
            report(f"copying {address}, {done / 1e6:,.0f} MB")
    if before is not None:
        if done != before.size:
            raise DataError(f"{address} has {count(before.size, 'byte')}, and {done:,} came: start again")
        before.check_unchanged()
