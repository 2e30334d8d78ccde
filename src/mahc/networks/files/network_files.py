"""Network files by their suffix: one reader, one writer, one place that knows which there are."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mahc.errors import FormatError
from mahc.files import write_atomically
from mahc.networks.files import bif, dsc, dsl, net, network_json, uai, xdsl, xmlbif
from mahc.networks.network import Network

# A gzipped file of a few bytes can unpack to more than the memory.
MAX_BYTES = 2**28


@dataclass(frozen=True)
class NetworkFormat:
    """How one kind of network file is read and written; `render` is None where it is only read.

    >>> format_of("model.bif").title
    'BIF'
    """

    title: str
    suffixes: tuple[str, ...]
    parse: Callable[[str, object], Network]
    render: Callable[[Network], str] | None


FORMATS = (
    NetworkFormat("JSON", (".json",), network_json.parse_network, network_json.render_network),
    NetworkFormat("BIF", (".bif",), bif.parse_network, bif.render_network),
    NetworkFormat("XDSL", (".xdsl",), xdsl.parse_network, xdsl.render_network),
    NetworkFormat("XMLBIF", (".xmlbif", ".bifxml", ".xml"), xmlbif.parse_network, xmlbif.render_network),
    NetworkFormat("NET", (".net",), net.parse_network, net.render_network),
    NetworkFormat("DSL", (".dsl",), dsl.parse_network, dsl.render_network),
    NetworkFormat("UAI", (".uai",), uai.parse_network, uai.render_network),
    NetworkFormat("DSC", (".dsc",), dsc.parse_network, None),
)
READABLE = tuple(suffix for kind in FORMATS for suffix in kind.suffixes)
WRITABLE = tuple(suffix for kind in FORMATS if kind.render for suffix in kind.suffixes)


def format_of(path: str | Path) -> NetworkFormat:
    """The format that a file's suffix names, `.gz` left aside."""
    suffix = network_suffix(path).removesuffix(".gz")
    for kind in FORMATS:
        if suffix in kind.suffixes:
            return kind
    shown = f"suffix '{suffix}'" if suffix else "name without a suffix"
    raise FormatError(f"the {shown} is no network format: {', '.join(READABLE)} (or .gz of one) are", path)


def network_suffix(path: str | Path) -> str:
    """The suffix in small letters, with `.gz` where there is one: `.json.gz`."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes[-2:]]
    return "".join(suffixes) if suffixes[-1:] == [".gz"] else "".join(suffixes[-1:])


def read_network(path: str | Path) -> Network:
    """The network in a file."""
    kind = format_of(path)
    try:
        packed = Path(path).read_bytes()
    except OSError as mistake:
        raise FormatError(f"the file cannot be read: {mistake.strerror or mistake}", path) from None
    return kind.parse(unpack(packed, path), path)


def write_network(network: Network, path: str | Path) -> None:
    """Write a network in the format of the file's suffix, whole or not at all; `.gz` zips it."""
    render = check_writable(path)
    try:
        text = render(network)
    except FormatError as mistake:
        raise FormatError(str(mistake), path) from None
    content = text.encode("utf-8")
    write_atomically(path, zip_bytes(content) if network_suffix(path).endswith(".gz") else content)


def check_writable(path: str | Path) -> Callable[[Network], str]:
    """The writer for a file's suffix, so that a wrong one is refused before the work is done."""
    kind = format_of(path)
    if kind.render is None:
        raise FormatError(f"{kind.title} is only read: write one of {', '.join(WRITABLE)}", path)
    return kind.render


def zip_bytes(content: bytes) -> bytes:
    """The content gzipped with neither time nor name in it, so that the same content gives the same bytes."""
    # gzip.compress lets zlib write the operating system into the header; GzipFile writes "unknown".
    out = io.BytesIO()
    with gzip.GzipFile("", "wb", compresslevel=9, fileobj=out, mtime=0) as stream:
        stream.write(content)
    return out.getvalue()


def unpack(packed: bytes, file: object) -> str:
    """The text of a file that may be gzipped, refused when it is too large or wrongly encoded."""
    try:
        if packed[:2] == b"\x1f\x8b":
            unzip = zlib.decompressobj(wbits=31)
            content = unzip.decompress(packed, MAX_BYTES)
            if not unzip.eof:
                size = "is cut short" if not unzip.unconsumed_tail else f"is larger than {MAX_BYTES:,} bytes"
                raise FormatError(f"the gzipped text {size}", file)
        else:
            content = packed
        return content.decode(_encoding(content))
    except zlib.error:
        raise FormatError("the gzipped text is damaged", file) from None
    except UnicodeDecodeError as mistake:
        raise FormatError(f"the text is not {mistake.encoding} at byte {mistake.start}", file) from None


def _encoding(content: bytes) -> str:
    """UTF-8, unless an XML file says that it is Latin-1, as those of old GeNIe versions do."""
    declared = re.match(rb"""<\?xml[^>]*encoding=["'](iso-8859-1|windows-1252)["']""", content, re.IGNORECASE)
    return declared[1].decode().lower() if declared else "utf-8-sig"
