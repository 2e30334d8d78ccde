"""Text files that may be compressed with gzip."""

from __future__ import annotations

import gzip
import io
import re
import zlib

from mahc.errors import FormatError

# A gzip file of a few bytes can decompress to more than the memory.
MAX_BYTES = 2**28


def compress(content: bytes) -> bytes:
    """Compress with gzip, without time or name in the header, so that the same content gives the same bytes."""
    # gzip.compress lets zlib write the operating system into the header; GzipFile writes "unknown".
    out = io.BytesIO()
    with gzip.GzipFile("", "wb", compresslevel=9, fileobj=out, mtime=0) as stream:
        stream.write(content)
    return out.getvalue()


def decode_text(data: bytes, file: object) -> str:
    """Decode the text of a file that may be compressed; refuse one that is too large or not UTF-8."""
    try:
        content = _decompress(data, file) if data[:2] == b"\x1f\x8b" else data
        return content.decode(_encoding(content))
    except zlib.error:
        raise FormatError("the gzip file is damaged", file) from None
    except UnicodeDecodeError as mistake:
        raise FormatError(f"the text is not {mistake.encoding} at byte {mistake.start}", file) from None


def _decompress(data: bytes, file: object) -> bytes:
    decompressor = zlib.decompressobj(wbits=31)
    content = decompressor.decompress(data, MAX_BYTES)
    if not decompressor.eof:
        size = f"is larger than {MAX_BYTES:,} bytes" if decompressor.unconsumed_tail else "is cut short"
        raise FormatError(f"the gzip file {size}", file)
    return content


def _encoding(content: bytes) -> str:
    """UTF-8, unless an XML file declares Latin-1, as those of old GeNIe versions do."""
    declared = re.match(rb"""<\?xml[^>]*encoding=["'](iso-8859-1|windows-1252)["']""", content, re.IGNORECASE)
    return declared[1].decode().lower() if declared else "utf-8-sig"
