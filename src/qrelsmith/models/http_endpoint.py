"""An HTTP endpoint with the chat-completions protocol."""

from __future__ import annotations

import asyncio
import json
import math
import time
import zlib
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from qrelsmith.base.errors import InputError, MissingDependencyError, UsageError, quoted
from qrelsmith.io.compressed import unpack
from qrelsmith.models.endpoints import LostError, NoSchemaError, Reply, RequestRefusedError
from qrelsmith.models.hidden_keys import hide_key
from qrelsmith.models.requests import Unit

# An answer is one line of JSON; more bytes are an error.
_LARGEST = 1 << 20
_TOO_LARGE = f"the answer has more than {_LARGEST} bytes"
# An error shows only the beginning of a server's text.
_SHOWN = 1000
_BUSY, _LATER = 429, (408, 409, 425)
_NO_KEY, _NOT_FOUND = (401, 403), (404, 405, 410)


class HttpEndpoint:
    """An HTTP endpoint.

    A connection carries one request, so that a repeated or late answer is never used for another
    doc.

    Parameters
    ----------
    base : str
        The base URL, `https://HOST/v1`.
    key : str
        The bearer token; empty: none.
    timeout : float
        Seconds per request, from connecting to the last byte.
    concurrency : int
        Maximum number of connections.

    Raises
    ------
    UsageError
        If the URL is invalid, or contains credentials.
    MissingDependencyError
        If httpx is not installed.
    """

    is_baseline = False

    def __init__(self, base: str, *, key: str, timeout: float, concurrency: int) -> None:
        self.name = _checked_address(base)
        self._key, self._timeout = key, timeout
        self._httpx = _httpx()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "qrelsmith",
            "Accept-Encoding": "identity",
        }
        if key:
            headers["Authorization"] = f"Bearer {key}"
        limits = self._httpx.Limits(max_connections=concurrency, max_keepalive_connections=0)
        self._options = {"headers": headers, "timeout": timeout, "limits": limits}
        self._client: Any = None

    async def ask(self, unit: Unit, body: bytes) -> Reply:  # noqa: ARG002 - part of the body
        """Send one request and return the answer; see `Endpoint`."""
        started = time.perf_counter()
        try:
            async with asyncio.timeout(self._timeout):
                status, headers, content = await self._sent(body)
        except (self._httpx.ConnectError, self._httpx.ConnectTimeout) as error:
            raise RequestRefusedError(f"connection failed: {self._plain(error)}") from None
        except TimeoutError:
            raise LostError(f"no reply within {self._timeout:g} seconds") from None
        except (self._httpx.TransportError, self._httpx.DecodingError) as error:
            raise LostError(f"the connection was cut: {self._plain(error)}") from None
        encoding = headers.get("content-encoding", "")
        if status != 200:
            with suppress(LostError):
                content = _unpack(content, encoding)
            raise self._refusal(status, headers, content)
        content = _unpack(content, encoding)
        return self._reply(content, round(1000 * (time.perf_counter() - started)))

    async def close(self) -> None:
        """Close all connections; the next request opens a new one."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _sent(self, body: bytes) -> tuple[int, Any, bytes]:
        parts, size = [], 0
        self._client = self._client or self._httpx.AsyncClient(**self._options)
        address = f"{self.name}/chat/completions"
        async with self._client.stream("POST", address, content=body) as response:
            # Raw bytes: decompression must stop at the limit, which httpx does not support.
            async for part in response.aiter_raw():
                parts.append(part)
                size += len(part)
                if size > _LARGEST:
                    raise LostError(_TOO_LARGE)
        return response.status_code, response.headers, b"".join(parts)

    def _reply(self, content: bytes, latency_ms: int) -> Reply:
        """Parse the answer from a chat completion."""
        try:
            completion = json.loads(content)
            answer = completion["choices"][0]["message"]["content"]
            usage = completion.get("usage") or {}
            sent, answered = _count(usage.get("prompt_tokens")), usage.get("completion_tokens")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise LostError(f"{self._begin_of(content)} is not a chat completion") from None
        if not isinstance(answer, str | None):
            raise LostError("the content of the message is not text")
        sound = (answer or "").encode("utf-8", "replace").decode("utf-8")
        return Reply(sound, sent, _count(answered), latency_ms)

    def _refusal(self, status: int, headers: Any, content: bytes) -> Exception:
        """Return the error for an HTTP status."""
        if status in _NO_KEY:
            return InputError(f"the endpoint refuses the key (status {status})", path=self.name)
        if status in _NOT_FOUND:
            return InputError(
                f"status {status}: {self._begin_of(content)}; expected an address that "
                "ends in /v1, and an available model",
                path=self.name,
            )
        if status == _BUSY or status in _LATER or status >= 500:
            after = _seconds(headers.get("retry-after"))
            reason = f"status {status}: {self._begin_of(content)}"
            return RequestRefusedError(reason, retry_after=after, is_busy=status == _BUSY)
        if status in (400, 422) and any(
            word in content for word in (b"response_format", b"json_schema", b"schema")
        ):
            return NoSchemaError()
        return InputError(f"status {status}: {self._begin_of(content)}", path=self.name)

    def _begin_of(self, content: bytes) -> str:
        """Return the beginning of a server's text, without the key."""
        text = content[:_SHOWN].decode("utf-8", "replace")
        return quoted(hide_key(text, self._key), limit=200)

    def _plain(self, error: Exception) -> str:
        return hide_key(str(error)[:_SHOWN] or type(error).__name__, self._key)


def _checked_address(base: str) -> str:
    """Check a URL and return it without a trailing slash."""
    try:
        parts = urlsplit(base)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(f"the endpoint is {quoted(base)}; expected http://HOST:PORT/v1")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise UsageError(
            "the endpoint's address contains a password or a query; expected http://HOST:PORT/v1, "
            "and the key in the environment or a file"
        )
    return base.rstrip("/")


def _unpack(content: bytes, encoding: str) -> bytes:
    """Decompress the content of a reply, which may be compressed once.

    Raises
    ------
    LostError
        If the content has another compression or several, is damaged, or becomes too large.
    """
    layers = [name for part in encoding.lower().split(",") if (name := part.strip())]
    if layers in ([], ["identity"]):
        return content
    if layers not in (["gzip"], ["x-gzip"]):
        raise LostError(f"the encoding is {quoted(encoding)}; expected 'gzip' or no encoding")
    try:
        plain = unpack(content, most=_LARGEST)
    except (EOFError, zlib.error) as error:
        raise LostError(f"the reply cannot be decompressed: {error}") from None
    if len(plain) > _LARGEST:
        raise LostError(_TOO_LARGE)
    return plain


def _count(value: Any) -> int | None:
    """Return a number of tokens, or None if the value is not a valid number."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40
    return value if is_count else None


def _seconds(text: str | None) -> float | None:
    """Return the seconds of a Retry-After header, given as number or date."""
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        try:
            at = parsedate_to_datetime(text)
        except (ValueError, OverflowError):
            return None
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        seconds = (at - datetime.now(UTC)).total_seconds()
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _httpx() -> Any:
    try:
        import httpx
    except ImportError:
        raise MissingDependencyError("httpx", extra="models", purpose="asking models") from None
    return httpx
