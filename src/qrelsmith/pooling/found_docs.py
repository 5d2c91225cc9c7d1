"""Docs found by people: an unranked list that is always pooled, whatever the ranks in runs."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.collection.run_lines import RunFormat, parse_plain
from qrelsmith.io.text import FilePath, data_lines, decode_fields, in_order_of_lines, read_bytes


def read_found_docs(path: FilePath) -> dict[str, tuple[str, ...]]:
    """Read the docs found for each topic, for example while the topics were written.

    The file has `topic doc` on each line, or is a run whose ranks and scores are ignored.

    Raises
    ------
    InputError
        At a line in another format, or a doc that appears twice in a topic.
    """
    content = read_bytes(path)
    _, lines = data_lines(content, path=path)
    columns = len(lines[0].split()) if lines else 2
    if columns >= 5:
        part = parse_plain(content, RunFormat(path=path, columns=columns, ranks="ignored"), 1)
        docs = part.docs.take(np.arange(len(part.docs)))
        ends = (part.starts + part.sizes()).tolist()
        return {
            topic: tuple(docs[start:end])
            for topic, start, end in zip(part.topics, part.starts.tolist(), ends, strict=True)
        }
    return in_order_of_lines(lambda block: _pairs(block, path), content)


def _pairs(block: bytes, path: FilePath) -> dict[str, tuple[str, ...]]:
    """Return the docs of each topic; if a file has several errors, any one error is raised."""
    numbers, lines = data_lines(block, path=path)
    rows = [line.split() for line in lines]
    for number, line, row in zip(numbers, lines, rows, strict=True):
        if len(row) != 2:
            raise InputError(
                f"found {len(row)} fields in {quoted(line)}; expected 2 (topic doc), or a run",
                path=path,
                line=number,
            )
    topics = decode_fields([row[0] for row in rows], numbers, path=path, what="topic")
    docs = decode_fields([row[1] for row in rows], numbers, path=path, what="docno")
    docs_by_topic: dict[str, dict[str, None]] = {}
    for number, topic, doc in zip(numbers, topics, docs, strict=True):
        if doc in docs_by_topic.setdefault(topic, {}):
            raise InputError(
                f"doc {quoted(doc)} appears twice in topic {quoted(topic)}; expected it once",
                path=path,
                line=number,
            )
        docs_by_topic[topic][doc] = None
    return {topic: tuple(kept) for topic, kept in docs_by_topic.items()}
