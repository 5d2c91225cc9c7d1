"""Size thresholds of fast paths, all in one place.

Below a threshold, the plain implementation runs; above it, numpy, blocks, threads or processes are
used. Results do not depend on the thresholds. The environment variable sets all thresholds at once,
so that small files use every fast path: `QRELSMITH_SIZES=1000 pytest tests/collection`.
"""

from __future__ import annotations

import os

VARIABLE = "QRELSMITH_SIZES"


def _size(usual: int) -> int:
    text = os.environ.get(VARIABLE, "")
    return max(1, int(text)) if text.isdecimal() else usual


#: Decompressed bytes up to which the plain reader of runs is as fast as numpy.
PLAIN_RUN = _size(70_000)
#: Bytes of a run parsed at once; they and the resulting arrays fit into the processor's cache.
RUN_BLOCK = _size(2_000_000)
#: Bytes of a run searched for the next topic, where a section of the file can begin.
SECTION_SEARCH = _size(1 << 22)
#: Bytes at the end of a run's block that are first searched for the start of the last topic.
TOPIC_SEARCH = _size(1 << 16)
#: Bytes of runs that justify another process.
PROCESS = _size(40_000_000)
#: Bytes of a run that justify a thread: threads wait for each other at every small step.
THREAD = _size(1_000_000)
#: Docs of a run in memory that justify a thread.
THREAD_DOCS = _size(20_000)
#: Stored bytes of run files that are kept in memory.
HELD_RUNS = _size(20_000_000)
#: Labels of a campaign that justify a second process, which takes a second to start.
AUDIT_LABELS = _size(100_000)
#: Bytes read at once from a file that is kept whole in memory, and from docs in JSONL.
TEXT_BLOCK = _size(1 << 22)
#: Bytes read at once if only the first data line of a file is needed.
HEAD_BLOCK = _size(1 << 16)
#: Bytes read at once from a compressed file.
PACKED = _size(1 << 14)
#: Bytes read at once from docs in WARC.
ARCHIVE_BLOCK = _size(1 << 20)
#: Characters of a page of docs that justify another process.
PAGE = _size(200_000)
#: Bytes decompressed at once.
DECOMPRESSED = _size(1 << 18)
