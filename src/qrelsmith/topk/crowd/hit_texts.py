"""Texts shown to workers instead of ids: titles of topics, texts of docs."""

from __future__ import annotations

from collections.abc import Collection

from qrelsmith.base.errors import InputError
from qrelsmith.collection.topics import read_topics
from qrelsmith.io.json_lines import json_objects
from qrelsmith.io.table_reading import decoded_text
from qrelsmith.io.text import FilePath, read_bytes


def topic_texts(path: FilePath) -> dict[str, str]:
    """Return the title of each topic of a file; topics without a title are left out."""
    return {topic.topic: topic.title for topic in read_topics(path) if topic.title}


def read_doc_texts(path: FilePath, wanted: Collection[str]) -> dict[str, str]:
    """Return the texts of the given docs from a JSONL file with `doc_id` and `text`.

    Raises
    ------
    InputError
        If a line lacks one of the fields.
    """
    texts = {}
    for line, fields in json_objects(decoded_text(read_bytes(path), path=path), path=path):
        doc, text = fields.get("doc_id"), fields.get("text")
        if doc is None or text is None:
            raise InputError("“doc_id” or “text” is missing; expected both", path=path, line=line)
        if doc in wanted:
            texts[doc] = text
    return texts
