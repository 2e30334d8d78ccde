"""Reading requests: JSON bodies and uploads, both with a limit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mahc.errors import MahcError, SettingError

if TYPE_CHECKING:
    from starlette.requests import Request

MAX_JSON = 4 * 2**20


class TooLargeError(MahcError):
    """A body is larger than the limit; the answer has status 413."""


async def read_json(request: Request) -> dict[str, Any]:
    """The JSON object in the body of a request; an empty body is an empty object."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_JSON:
            raise TooLargeError(f"the request is larger than {MAX_JSON:,} bytes")
    if not body:
        return {}
    try:
        found = json.loads(body, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise SettingError("the body of the request is not JSON") from None
    if not isinstance(found, dict):
        raise SettingError("the body of the request is not a JSON object")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(constant)


async def save_upload(request: Request, path: Path, limit: int) -> int:
    """Write the body of a request to a file; one that is larger than `limit` bytes is refused and not kept."""
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > limit:
        raise _too_large(limit)
    size = 0
    try:
        with path.open("wb") as file:
            async for part in request.stream():
                size += len(part)
                if size > limit:
                    raise _too_large(limit)
                file.write(part)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    if not size:
        path.unlink(missing_ok=True)
        raise SettingError("the file is empty: choose a file with data")
    return size


def _too_large(limit: int) -> TooLargeError:
    return TooLargeError(
        f"the file is larger than {limit / 2**20:,.0f} MB: start `mahc ui` with its name, or raise --upload-limit"
    )
