"""Who may ask the server: only pages of its own address, with its token; and what every answer says to browsers."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Refuses a request before the application sees it, and turns an unexpected error into one sentence."""

    def __init__(self, application: Application, token: str, hosts: tuple[str, ...]) -> None:
        self.application = application
        self.token = token.encode()
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request, then pass it on."""
        if scope["type"] == "lifespan":
            await self.application(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # there are no web sockets here
        began = False

        async def send_safely(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                kept = [pair for pair in message.get("headers", []) if pair[0].decode().lower() not in HEADERS]
                safe = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*kept, *safe]}
            await send(message)

        refusal = self._refuse(scope)
        if refusal is not None:
            await _answer(send_safely, *refusal)
            return
        try:
            await self.application(scope, receive, send_safely)
        except Exception as problem:
            if not began:
                sentence = f"this is a bug in mahc: {type(problem).__name__}"
                await _answer(send_safely, 500, sentence)

    def _refuse(self, scope: Scope) -> tuple[int, str] | None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        names = [name for name, _ in scope["headers"]]
        if headers.get("host", "") not in self.hosts or names.count(b"host") != 1:
            return 403, "this server answers only under its own address on this machine"
        origin = headers.get("origin")
        if origin is not None and origin not in [f"http://{host}" for host in self.hosts]:
            return 403, "this server answers only to its own pages"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return 403, "this server answers only to its own pages"
        path = scope["path"]
        if path.startswith("/static/"):
            return None  # the program of the page, which anyone may read
        given = headers.get("authorization", "").removeprefix("Bearer ")
        if path == "/":
            given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if not hmac.compare_digest(given.encode("utf-8", "replace"), self.token):
            return 403, "the token is missing or wrong: open the address that mahc ui printed in the terminal"
        return None


async def _answer(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"error": {"message": sentence}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
