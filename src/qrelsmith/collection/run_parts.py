"""A run file in parts that hold whole topics, so that a large file is never all in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from qrelsmith.base.errors import InputError
from qrelsmith.collection.run_lines import RunFormat, RunPart, parse_fast, parse_plain
from qrelsmith.io.format_marks import naming_format
from qrelsmith.io.text import FilePath, LineBlocks, is_regular

T = TypeVar("T")

# A file up to this many bytes (decompressed) is read by the plain reader, without pyarrow.
PLAIN_BYTES = 8_000_000
BLOCK_BYTES = 4_000_000
_SYSDESC = b"<SYSDESC>"


class _TopicReturnsError(Exception):
    """A topic goes on after another part had begun, so the file cannot be read part by part."""


def over_parts(
    path: FilePath, use: Callable[[Iterator[RunPart]], T], *, ranks: bool = False, jobs: int = 1
) -> T:
    """Hand the parts of a run file to a function and return what it returns.

    Parameters
    ----------
    path : path
        The file.
    use : callable
        Takes the parts. It is called a second time, with the whole file as one part, if a topic
        turns out to be scattered over the file; so it must start afresh at each call.
    ranks : bool
        Whether the rank column is needed, and so checked.
    jobs : int
        Threads that parse at the same time.

    Raises
    ------
    InputError
        At the first line that is not as it should be.
    """
    with naming_format("runs"):
        if is_regular(path):
            try:
                return use(_parts(path, ranks=ranks, jobs=jobs))
            except _TopicReturnsError:
                pass
        # A pipe is read at once, since it could not be read a second time.
        return use(_whole(path, ranks=ranks))


def _whole(path: FilePath, *, ranks: bool) -> Iterator[RunPart]:
    with LineBlocks(path) as blocks:
        content, form = _begin(blocks.read_all(), path, ranks=ranks)
    if form is not None:
        part = parse_fast(content, form) if len(content) > PLAIN_BYTES else None
        yield part or parse_plain(content, form, 1)


def _parts(path: FilePath, *, ranks: bool, jobs: int) -> Iterator[RunPart]:
    with LineBlocks(path) as blocks:
        content = blocks.read(PLAIN_BYTES)
        following = blocks.read(BLOCK_BYTES)
        head, form = _begin(content, path, ranks=ranks)
        if form is None and following:
            # Megabytes of comments before the first line: no file to be quick with.
            head, form = _begin(content + following + blocks.read_all(), path, ranks=ranks)
            following = b""
        if form is None:
            return
        if not following:
            yield parse_plain(head, form, 1)
            return
        yield from _parse_blocks(_topic_blocks(head, following, blocks), form, jobs)


def _begin(head: bytes, path: FilePath, *, ranks: bool) -> tuple[bytes, RunFormat | None]:
    """The head with its <SYSDESC> line made a comment, and the format of its first data line."""
    start = 0
    described = False
    while start < len(head):
        end = head.find(b"\n", start)
        line = head[start : len(head) if end < 0 else end]
        if line.startswith(_SYSDESC) and not described:
            described = True
            head = head[:start] + b"#" + head[start + 1 :]
        elif line.strip() and not line.startswith(b"#"):
            return head, RunFormat(path=path, columns=len(line.split()), ranks=ranks)
        start += len(line) + 1
    return head, None


def _topic_blocks(head: bytes, following: bytes, blocks: LineBlocks) -> Iterator[bytes]:
    """Blocks that end where a topic ends."""
    pending, block = head, following
    while block:
        cut = _last_topic_start(pending)
        if cut:
            yield pending[:cut]
            pending = pending[cut:]
        pending += block
        # One topic that fills whole blocks is gathered in ever larger steps.
        block = blocks.read(BLOCK_BYTES if cut else max(BLOCK_BYTES, len(pending)))
    yield pending


def _last_topic_start(block: bytes) -> int:
    """The begin of the lines of the last topic; 0 if the block may hold one topic only."""
    last = _topic_before(block, len(block))
    if last is None:
        return 0
    begins = (
        [b"\n" + last + b" ", b"\n" + last + b"\t"] if b"\t" in block else [b"\n" + last + b" "]
    )
    window = 1 << 16
    while window < len(block):
        places = [block.find(begin, len(block) - window) + 1 for begin in begins]
        start = min((place for place in places if place), default=0)
        if start and _topic_before(block, start) not in (None, last):
            return start
        window *= 4
    places = [block.find(begin) + 1 for begin in begins]
    start = min((place for place in places if place), default=0)
    # The topic that is gathered may well begin the block.
    return start if _topic_before(block, start) not in (None, last) else 0


def _topic_before(block: bytes, end: int) -> bytes | None:
    """The topic of the last data line that ends at or before `end`; None if there is none."""
    while end > 0:
        start = block.rfind(b"\n", 0, end - 1) + 1
        line = block[start:end]
        if line.strip() and not line.startswith(b"#"):
            return line.split(maxsplit=1)[0]
        end = start
    return None


def _parse_blocks(blocks: Iterator[bytes], form: RunFormat, jobs: int) -> Iterator[RunPart]:
    """The blocks parsed, in their order, at most `jobs` at the same time.

    Raises
    ------
    _TopicReturnsError
        At a topic of an earlier block; before an error that stands behind it, since with the whole
        file in view another error may come first.
    """
    line = 1
    seen: set[str] = set()
    with ThreadPoolExecutor(jobs) as pool:
        waiting: deque[tuple[bytes, Future[RunPart | None]]] = deque()

        def next_part() -> RunPart:
            nonlocal line
            block, future = waiting.popleft()
            # Only here it is known on which line the block begins, which an error must say.
            try:
                part = future.result() or parse_plain(block, form, line)
            except InputError as error:
                above = block.split(b"\n")[: (error.line or line) - line]
                if not seen.isdisjoint(parse_plain(b"\n".join(above), form, line).topics):
                    raise _TopicReturnsError from None
                raise
            if not seen.isdisjoint(part.topics):
                raise _TopicReturnsError
            seen.update(part.topics)
            line += block.count(b"\n") if part.lines is None else part.lines
            return part

        for block in blocks:
            waiting.append((block, pool.submit(parse_fast, block, form)))
            if len(waiting) > jobs:
                yield next_part()
        while waiting:
            yield next_part()
