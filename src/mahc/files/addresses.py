"""Addresses of data in object stores and on web servers, whose credentials are never shown."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from mahc.errors import DataError, MahcError

WEB = ("https", "http")
STORES = ("s3", "gs", "az", "abfs", "abfss")
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/+")  # of a letter alone it is a drive of Windows
_USER = re.compile(r"(https?://)[^/\s?#]*@|(?<=://)[^/\s:]*:[^/\s]*@", re.IGNORECASE)
_QUERY = re.compile(r"(https?://[^\s?'\"]*)\?[^\s'\"()]*|\?[^\s'\"()]*=[^\s'\"()]*", re.IGNORECASE)
_MAGIC = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Address:
    """Where data are in a store or on a web server; as a text it has neither a password nor a signature.

    Parameters
    ----------
    url : str
        The whole address, only for those who open it.

    Examples
    --------
    >>> str(Address("https://me:secret@example.org/rows.csv?X-Amz-Signature=1f0"))
    'https://example.org/rows.csv'
    >>> Address("s3://bucket/sales/2026.parquet").suffix
    '.parquet'
    """

    url: str = field(repr=False)

    def __str__(self) -> str:
        return hide_secrets(self.url)

    @property
    def scheme(self) -> str:
        """The kind of store: "s3", "https", ..."""
        return self.url.partition("://")[0].lower()

    @property
    def on_web(self) -> bool:
        """Whether a web server has it, which lists no folders."""
        return self.scheme in WEB

    @property
    def name(self) -> str:
        """The last part of the path."""
        if not self.on_web:
            return self.url.rstrip("/").rpartition("/")[2]
        return PurePosixPath(unquote(urlsplit(self.url).path)).name

    @property
    def suffix(self) -> str:
        """The ending of the name, in lower case."""
        return PurePosixPath(self.name).suffix.lower()

    @property
    def is_pattern(self) -> bool:
        """Whether it has wildcards; those of web servers have none."""
        return not self.on_web and _MAGIC.search(self.url) is not None

    @property
    def is_many(self) -> bool:
        """Whether it can only mean several objects: a pattern, or a prefix that no file is called."""
        return self.is_pattern or (not self.on_web and (self.url.endswith("/") or not self.suffix))


class Copied(os.PathLike[str]):
    """A local copy of an object, or of all objects below a prefix; as a text it is the address.

    Parameters
    ----------
    address : Address
        Where it was copied from.
    path : Path
        The file, or the folder.
    folder : Path
        The temporary folder that `remove` removes.
    """

    def __init__(self, address: Address, path: Path, folder: Path) -> None:
        self.address, self.path, self._folder = address, path, folder

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return str(self.address)

    def name_of(self, path: str | os.PathLike[str]) -> str:
        """What errors call the copy, or a file in it."""
        return os.fspath(path).replace(str(self.path), str(self).rstrip("/"))

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Within this context errors name the address, not the copy."""
        try:
            yield
        except MahcError as mistake:
            mistake.message = mistake.message.replacing(str(self.path), str(self).rstrip("/"))
            raise

    def remove(self) -> None:
        """Remove the copy."""
        shutil.rmtree(self._folder, ignore_errors=True)


def find_address(data: object) -> Address | None:
    """The address that a text or path is; None for everything else, also where a local file has this name.

    Parameters
    ----------
    data : object
        Whatever is called data.

    Returns
    -------
    Address or None
        The address.

    Raises
    ------
    DataError
        If nothing here opens addresses of this kind.

    Examples
    --------
    >>> print(find_address("s3://bucket/rows.csv"), find_address("C:/rows.csv"))
    s3://bucket/rows.csv None
    """
    if isinstance(data, Address):
        return data
    text = os.fspath(data) if isinstance(data, str | os.PathLike) else None
    match = _ADDRESS.match(text) if isinstance(text, str) else None
    if match is None or os.path.exists(match.string):
        return None
    scheme = match[1].lower()
    found = Address(f"{scheme}://{match.string[match.end() :]}")  # a pathlib.Path loses a slash
    if scheme not in (*STORES, *WEB):
        raise DataError(
            f"{found} cannot be read: name a local file, or an address with "
            f"{', '.join(f'{each}://' for each in STORES)} or https://"
        )
    return found


def hide_secrets(text: str) -> str:
    """A text without the passwords and query strings of addresses in it.

    >>> hide_secrets("GET https://me:secret@example.org/rows.csv?sig=1f0 failed")
    'GET https://example.org/rows.csv failed'
    """
    return _QUERY.sub(lambda found: found[1] or "", _USER.sub(lambda found: found[1] or "", text))
