"""A server with the worst behaviour in the chat-completions protocol, which counts its charges.

The text of a doc contains its right grade (`truth 2`). The better doc of a pair is the doc with the
higher grade.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import threading
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

TRUTH = re.compile(r"truth (\d+)")


@dataclass
class HostileServer:
    """A server on 127.0.0.1.

    Attributes
    ----------
    faults : mapping of str to float
        The probability of each fault.
    rate : float
        Number of requests accepted per second; 0: all. Other requests get the error 429.
    burst : int
        Number of requests accepted at once after a pause.
    key : str
        The expected key, which the server repeats wherever it can; empty: none.
    delay : float
        Time until an answer, in seconds.
    is_gullible : bool
        Whether the server follows instructions in docs.
    noise, bias : float
        The probability that an answer to a pair is reversed, and that it is A for any pair.
    """

    faults: Mapping[str, float] = field(default_factory=dict)
    rate: float = 0.0
    burst: int = 1
    key: str = ""
    delay: float = 0.0
    noise: float = 0.0
    bias: float = 0.0
    has_schema: bool = True
    is_gullible: bool = False
    price_in: float = 1.0
    price_out: float = 2.0
    bodies: list[bytes] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    money: float = 0.0
    most_at_once: int = 0
    address: str = ""
    _at_once: int = 0
    _level: float = 0.0
    _last: float = 0.0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        try:
            while await self._request(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        (length,) = re.findall(rb"(?i)content-length: (\d+)", head)
        body = await reader.readexactly(int(length))
        self.bodies.append(body)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            return await self._answer(head, body, writer)
        finally:
            self._at_once -= 1

    async def _answer(self, head: bytes, body: bytes, writer: asyncio.StreamWriter) -> bool:
        if self.key and f"Bearer {self.key}".encode() not in head:
            return self._send(writer, 401, {"error": f"wrong key, not {self.key}"})
        content = json.loads(body)
        if not self.has_schema and "response_format" in content:
            return self._send(writer, 400, {"error": "response_format is not supported"})
        if not self._is_allowed():
            self.counts["429"] += 1
            return self._send(writer, 429, {"error": "later"}, after="0.05")
        draw = random.Random(f"{len(self.bodies)}")
        fault = self._fault(draw)
        self.counts[fault] += 1
        await asyncio.sleep(self.delay)
        if fault == "busy":
            return self._send(writer, 429, {"error": f"later {self.key}"}, after="0")
        if fault == "broken":
            return self._send(writer, 500, {"error": f"broken {self.key}"})
        answer = self.said(content)
        if fault == "off-scale":
            answer = draw.choice(['{"grade": 7}', '{"grade": "2"}', "Grade: 2", "", '{"grade": 2'])
        usage = {"prompt_tokens": len(body) // 4, "completion_tokens": 8}
        self.tokens += sum(usage.values())
        self.money += usage["prompt_tokens"] * self.price_in + 8 * self.price_out
        if fault == "hang":
            await asyncio.sleep(3600)
        reply: dict[str, Any] = {
            "id": f"r{len(self.bodies)}",
            "choices": [{"message": {"role": "assistant", "content": answer}}],
            "usage": usage,
        }
        if fault == "no-usage":
            del reply["usage"]
        if fault == "half":
            writer.write(_response(200, json.dumps(reply).encode())[:-9])
            await writer.drain()
            return False
        if fault == "wrong-json":
            writer.write(_response(200, b'{"choices": [}' + self.key.encode()))
            await writer.drain()
            return True
        if fault == "twice":
            writer.write(_response(200, json.dumps(reply).encode()))
        return self._send(writer, 200, reply)

    def _send(
        self, writer: asyncio.StreamWriter, status: int, content: object, *, after: str = ""
    ) -> bool:
        writer.write(_response(status, json.dumps(content).encode(), after=after))
        return True

    def _fault(self, draw: random.Random) -> str:
        share = draw.random()
        for name, chance in self.faults.items():
            share -= chance
            if share < 0:
                return name
        return "ok"

    def _is_allowed(self) -> bool:
        """Return whether the bucket contains another request."""
        if not self.rate:
            return True
        now = time.monotonic()
        self._level = min(self.burst, self._level + (now - self._last) * self.rate)
        self._last = now
        if self._level < 1:
            return False
        self._level -= 1
        return True

    def said(self, content: dict[str, Any]) -> str:
        """Return the answer to a request."""
        user = content["messages"][1]["content"]
        truths = [int(truth) for truth in TRUTH.findall(user)]
        orders = re.findall(r"(?i)grade this doc (\d+)", user) if self.is_gullible else []
        if orders:
            return json.dumps({"grade": int(orders[0])})
        if len(truths) < 2:
            return json.dumps({"grade": truths[0]})
        better = "tie" if truths[0] == truths[1] else "A" if truths[0] > truths[1] else "B"
        # The same question always has the same answer.
        draw = random.Random(user)
        if draw.random() < self.noise:
            better = {"A": "B", "B": "A", "tie": "tie"}[better]
        return json.dumps({"better": "A" if draw.random() < self.bias else better})


@dataclass
class ByteServer(HostileServer):
    """A server that answers every request with the same bytes, then endlessly with `rest`.

    Attributes
    ----------
    answer : bytes
        The bytes sent first, including the headers and their end.
    rest : bytes
        The bytes sent repeatedly until the connection is closed.
    pause : float
        Seconds before each `rest`.
    """

    answer: bytes = b""
    rest: bytes = b""
    pause: float = 0.0

    async def _answer(self, head: bytes, body: bytes, writer: asyncio.StreamWriter) -> bool:
        writer.write(self.answer)
        while self.rest:
            await writer.drain()
            await asyncio.sleep(self.pause)
            writer.write(self.rest)
        await writer.drain()
        return False


def completion(answer: str, *, layers: int = 0, blanks: int = 0) -> bytes:
    """Return a response with an answer and mebibytes of blanks, compressed in some layers."""
    content = json.dumps({"choices": [{"message": {"content": answer}}]}).encode()
    for layer in range(layers):
        packer = zlib.compressobj(9, wbits=31)
        parts = [packer.compress(content)]
        parts += [packer.compress(b" " * (1 << 20)) for _ in range(0 if layer else blanks)]
        content = b"".join((*parts, packer.flush()))
    encoding = f"Content-Encoding: {', '.join(['gzip'] * layers)}\r\n" if layers else ""
    head = f"HTTP/1.1 200 X\r\n{encoding}Content-Length: {len(content)}\r\n\r\n"
    return head.encode() + content


@contextlib.contextmanager
def running(server: HostileServer) -> Iterator[HostileServer]:
    """Run the server at its address until the block ends."""
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    stop: asyncio.Event = asyncio.Event()

    async def main() -> None:
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, backlog=512)
        port = listening.sockets[0].getsockname()[1]
        server.address = f"http://127.0.0.1:{port}/v1"
        ready.set()
        await stop.wait()
        listening.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    thread = threading.Thread(target=lambda: loop.run_until_complete(main()), daemon=True)
    thread.start()
    try:
        assert ready.wait(60)
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(60)
        loop.close()


def _response(status: int, body: bytes, *, after: str = "") -> bytes:
    more = f"Retry-After: {after}\r\n" if after else ""
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{more}"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
