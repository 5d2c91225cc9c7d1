"""Size thresholds of fast paths, all in one place.

Below a threshold work is done in the plain way, above it by numpy, block by block, by threads or by
further processes. The result is the same. The environment variable sets all thresholds at once, so
that small files take every fast path: `QRELSMITH_SIZES=1000 pytest tests/collection`.
"""

from __future__ import annotations

import os

VARIABLE = "QRELSMITH_SIZES"


def _size(usual: int) -> int:
    text = os.environ.get(VARIABLE, "")
    return max(1, int(text)) if text.isdecimal() else usual


#: Bytes (decompressed) up to which the plain reader of runs is as fast as numpy.
PLAIN_RUN = _size(70_000)
#: Bytes of a run parsed at once: they fit into a processor's cache with the arrays made of them.
RUN_BLOCK = _size(2_000_000)
#: Bytes of a run searched for the next topic, where a section of the file could begin.
SECTION_SEARCH = _size(1 << 22)
#: Bytes at the end of a block of a run in which the begin of the last topic is searched first.
TOPIC_SEARCH = _size(1 << 16)
#: Bytes of runs that are worth a further process.
PROCESS = _size(40_000_000)
#: Bytes of a run that are worth a thread: threads wait for each other at every small step.
THREAD = _size(1_000_000)
#: Docs of a run in memory that are worth a thread.
THREAD_DOCS = _size(20_000)
#: Bytes of run files, as stored, that are held in memory.
HELD_RUNS = _size(20_000_000)
#: Labels of a campaign that are worth a second process, which takes a second to start.
AUDIT_LABELS = _size(100_000)
#: Bytes read at once of a file that is held whole, and of docs as JSONL.
TEXT_BLOCK = _size(1 << 22)
#: Bytes read at once where only the first data line of a file is wanted.
HEAD_BLOCK = _size(1 << 16)
#: Bytes of a compressed file read at once.
PACKED = _size(1 << 14)
#: Bytes read at once of docs as WARC.
ARCHIVE_BLOCK = _size(1 << 20)
#: Characters of a page of docs that are worth another process.
PAGE = _size(200_000)
#: Bytes that are decompressed at once.
DECOMPRESSED = _size(1 << 18)
