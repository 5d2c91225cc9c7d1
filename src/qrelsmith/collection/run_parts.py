"""A run file read in parts of whole topics: a large file is never completely in memory."""

from __future__ import annotations

import itertools
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias, TypeVar

from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.collection.odd_files import empty_run, odd_run
from qrelsmith.collection.run_forms import one_run, recognised_runs
from qrelsmith.collection.run_lines import RankUse, RunFormat, RunPart, parse_fast, parse_plain
from qrelsmith.io import sizes
from qrelsmith.io.text import FilePath, LineBlocks, is_regular, open_bytes

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")

_SYSDESC = b"<SYSDESC>"

Span: TypeAlias = tuple[int, int]


class _TopicReturnsError(Exception):
    """A topic continues after the start of another part, so the file cannot be read in parts."""


class OddSectionError(Exception):
    """A section needs a warning or error that can be written only after reading the whole file."""


def over_parts(
    path: FilePath,
    use: Callable[[Iterator[RunPart]], T],
    *,
    ranks: RankUse = "ignored",
    jobs: int = 1,
) -> T:
    """Pass the parts of a run file to a function and return its result.

    Parameters
    ----------
    path : path
        The file.
    use : callable
        Takes the parts. It is called a second time, with the whole file as one part, if a topic is
        scattered over the file; so each call must start from the beginning.
    ranks : RankUse
        The use of the rank column.
    jobs : int
        The number of threads that parse at the same time.

    Raises
    ------
    InputError
        If a line is malformed.
    """
    if (runs := recognised_runs(path)) is not None:
        return use(iter([one_run(path, runs)]))
    notes = _Notes(path)
    if is_regular(path):
        try:
            return use(_parts(path, notes, ranks=ranks, jobs=jobs))
        except _TopicReturnsError:
            pass
    # A pipe is read completely, since it cannot be read a second time.
    return use(_whole(path, notes, ranks=ranks))


def over_section(
    path: FilePath, span: Span, use: Callable[[Iterator[RunPart]], T], *, ranks: RankUse
) -> T:
    """Pass the parts of a section of a run file to a function and return its result.

    Parameters
    ----------
    path : path
        The file, which is not compressed.
    span : (int, int)
        The first byte and the end of the section, which consists of whole lines.
    use : callable
        Takes the parts.
    ranks : RankUse
        The use of the rank column.

    Raises
    ------
    OddSectionError
        If a warning or an error is necessary, which only a reader of the whole file can raise.
    """

    def block_of(place: Span) -> bytes:
        with LineBlocks(path, span=place) as blocks:
            return blocks.read_all()

    try:
        count = 1 + (span[1] - span[0]) // sizes.RUN_BLOCK
        first, *others = sections_of(path, count, span) or [span]
        head, form, notes = _begin(block_of(first), path, ranks=ranks, noted=not span[0])
        if form is None or (span[0] and head.startswith(b"#")) or notes:
            raise OddSectionError
        return use(_parse_blocks(itertools.chain([head], map(block_of, others)), form, 1))
    except (InputError, _TopicReturnsError):
        raise OddSectionError from None


def sections_of(path: FilePath, count: int, span: Span | None = None) -> list[Span]:
    """Return the start and end bytes of about `count` sections that consist of whole topics.

    There are no sections if the file should be read as a whole, because it is compressed or a topic
    is several megabytes long.
    """
    begin, end = span or (0, Path(path).stat().st_size)
    bounds = [begin]
    with open_bytes(path) as stream:
        if not stream.seekable():  # decompressed
            return []
        for number in range(1, count):
            place = begin + (end - begin) * number // count
            window = sizes.TOPIC_SEARCH
            while (start := _topic_start(stream, max(begin, place - window), place)) is None:
                window *= 4
                if window > sizes.SECTION_SEARCH:
                    return []
            if start > bounds[-1]:
                bounds.append(start)
    return list(pairwise([*bounds, end]))


def _topic_start(stream: IO[bytes], begin: int, end: int) -> int | None:
    """Return the start of the last topic before `end`; None if no other topic starts before it."""
    stream.seek(begin)
    block = stream.read(end - begin)
    first = block.find(b"\n") + 1 if begin else 0
    start = _last_topic_start(block[first : block.rfind(b"\n") + 1])
    return begin + first + start if start else None


def _whole(path: FilePath, notes: _Notes, *, ranks: RankUse) -> Iterator[RunPart]:
    with LineBlocks(path) as blocks:
        content, form, odd = _begin(blocks.read_all(), path, ranks=ranks)
    notes.warn(odd)
    if form is not None:
        part = parse_fast(content, form) if len(content) > sizes.PLAIN_RUN else None
        yield part or parse_plain(content, form, 1)


def _parts(path: FilePath, notes: _Notes, *, ranks: RankUse, jobs: int) -> Iterator[RunPart]:
    with LineBlocks(path) as blocks:
        content = blocks.read(sizes.PLAIN_RUN)
        following = blocks.read(sizes.RUN_BLOCK)
        head, form, odd = _begin(content, path, ranks=ranks)
        if form is None and following:
            # There are many comments before the first line; speed does not matter for such a file.
            content += following + blocks.read_all()
            head, form, odd = _begin(content, path, ranks=ranks)
            following = b""
        notes.warn(odd)
        if form is None:
            return
        if not following:
            yield parse_plain(head, form, 1)
            return
        yield from _parse_blocks(_topic_blocks(head, following, blocks), form, jobs)


def _begin(
    head: bytes, path: FilePath, *, ranks: RankUse, noted: bool = True
) -> tuple[bytes, RunFormat | None, list[str]]:
    """Return a file's start with <SYSDESC> as a comment, the format of the lines, and notes."""
    start = 0
    described = False
    while start < len(head):
        end = head.find(b"\n", start)
        line = head[start : len(head) if end < 0 else end]
        if line.startswith(_SYSDESC) and not described:
            described = True
            head = head[:start] + b"#" + head[start + 1 :]
        elif line.strip() and not line.startswith(b"#"):
            form = RunFormat(path=path, columns=len(line.split()), ranks=ranks)
            lines = head.count(b"\n", 0, start)
            return head, form, odd_run(head, start, first_line=lines + 1) if noted else []
        start += len(line) + 1
    return head, None, empty_run(head)


class _Notes:
    """Warnings of a file, each issued once, even if the file is read again."""

    def __init__(self, path: FilePath) -> None:
        self._path = path
        self._given: set[str] = set()

    def warn(self, notes: Iterable[str]) -> None:
        for note in notes:
            if note not in self._given:
                self._given.add(note)
                warnings.warn(f"{self._path}: {note}", InputWarning, stacklevel=3)


def _topic_blocks(head: bytes, following: bytes, blocks: LineBlocks) -> Iterator[bytes]:
    """Yield blocks that end at the end of a topic."""
    pending, block = head, following
    while block:
        if cut := _last_topic_start(block):
            yield b"".join((pending, memoryview(block)[:cut]))
            pending = block[cut:]
        else:
            pending += block
            if cut := _last_topic_start(pending):
                yield pending[:cut]
                pending = pending[cut:]
        # A topic that fills whole blocks is collected in increasing steps.
        block = blocks.read(sizes.RUN_BLOCK if cut else max(sizes.RUN_BLOCK, len(pending)))
    yield pending


def _last_topic_start(block: bytes) -> int:
    """Return the start of the last topic's lines; 0 if the block may contain only one topic."""
    last = _topic_before(block, len(block))
    if last is None:
        return 0
    begins = (
        [b"\n" + last + b" ", b"\n" + last + b"\t"] if b"\t" in block else [b"\n" + last + b" "]
    )
    window = sizes.TOPIC_SEARCH
    while window < len(block):
        places = [block.find(begin, len(block) - window) + 1 for begin in begins]
        start = min((place for place in places if place), default=0)
        if start and _topic_before(block, start) not in (None, last):
            return start
        window *= 4
    places = [block.find(begin) + 1 for begin in begins]
    start = min((place for place in places if place), default=0)
    # The collected topic may start the block.
    return start if _topic_before(block, start) not in (None, last) else 0


def _topic_before(block: bytes, end: int) -> bytes | None:
    """Return the topic of the last data line that ends at or before `end`, or None."""
    while end > 0:
        start = block.rfind(b"\n", 0, end - 1) + 1
        line = block[start:end]
        if line.strip() and not line.startswith(b"#"):
            return line.split(maxsplit=1)[0]
        end = start
    return None


def _parse_blocks(blocks: Iterator[bytes], form: RunFormat, jobs: int) -> Iterator[RunPart]:
    """Yield the parsed blocks in their order, at most `jobs` at the same time.

    Raises
    ------
    _TopicReturnsError
        If a topic is also in an earlier block. This takes precedence over a later error, because
        the whole file may contain an earlier error.
    """
    line = 1
    seen: set[str] = set()

    def check(block: bytes, fast: RunPart | None) -> RunPart:
        nonlocal line
        # Errors need the block's first line number, which is known only here.
        try:
            part = fast or parse_plain(block, form, line)
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

    if jobs == 1:
        for block in blocks:
            yield check(block, parse_fast(block, form))
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        waiting: deque[tuple[bytes, Future[RunPart | None]]] = deque()
        for block in blocks:
            waiting.append((block, pool.submit(parse_fast, block, form)))
            if len(waiting) > jobs:
                first, parsed = waiting.popleft()
                yield check(first, parsed.result())
        for first, parsed in waiting:
            yield check(first, parsed.result())
