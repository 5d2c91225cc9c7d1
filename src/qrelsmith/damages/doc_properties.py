"""Properties of docs that a judge's errors may depend on: length, overlap, language, any field."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.collection.documents import read_documents
from qrelsmith.collection.topics import read_topics
from qrelsmith.io.json_lines import json_objects
from qrelsmith.io.text import text_stream
from qrelsmith.models.lexical import terms_of

OWN = ("length", "overlap", "language")
_LANGUAGE = ("language", "lang")
_LETTERS = 400  # letters of a text that are enough to recognise its script


def doc_properties(
    documents: Any,
    topics: Any,
    names: Collection[str],
    *,
    topic_names: Sequence[str],
    docs: Sequence[Sequence[str]],
    width: int,
) -> dict[str, FloatArray]:
    """Return the properties of docs by name, in standard deviations, [topic, doc].

    Parameters
    ----------
    documents : path, mapping or data frame
        The docs, as for `read_documents`.
    topics : path, mapping or data frame, or None
        The topics; without topics there is no overlap.
    names : collection of str
        Fields of the documents file, besides length (in words), overlap (share of the topic's words
        in the doc) and language (1 for any language except the most frequent one).
    topic_names, docs, width
        The topics and docs of the arrays.

    Raises
    ------
    UsageError
        If no doc has a field, or the values of a field are neither numbers nor two words.
    """
    wanted = set().union(*docs) if docs else set()
    words = {} if topics is None else {
        topic.topic: set(terms_of(f"{topic.title} {topic.description}"))
        for topic in read_topics(topics)
    }  # fmt: skip
    extra = {name for name in names if name not in OWN}
    lengths, terms, fields = {}, {}, dict[str, dict[str, Any]]()
    for doc, text, record in _texts(documents, wanted, {*extra, *_LANGUAGE}):
        found = terms_of(text)
        lengths[doc], terms[doc] = float(len(found)), set(found)
        fields[doc] = record
        fields[doc]["language"] = next(
            (record[name] for name in _LANGUAGE if record.get(name)), _script(text)
        )

    def overlap(topic: str, doc: str) -> float:
        query = words.get(topic)
        return len(query & terms[doc]) / len(query) if query and doc in terms else math.nan

    language = Counter(record["language"] for record in fields.values()).most_common(1)
    usual = language[0][0] if language else ""
    of_doc = {
        "length": lengths,
        "language": {doc: float(record["language"] != usual) for doc, record in fields.items()},
    }
    for name in extra:
        of_doc[name] = _numbers(name, {doc: record.get(name) for doc, record in fields.items()})
    arrays: dict[str, FloatArray] = {}
    for name in (*of_doc, "overlap"):
        array = np.full((len(docs), width), math.nan)
        for at, (topic, own) in enumerate(zip(topic_names, docs, strict=True)):
            array[at, : len(own)] = [
                overlap(topic, doc) if name == "overlap" else of_doc[name].get(doc, math.nan)
                for doc in own
            ]
        spread = float(np.nanstd(array)) if (~np.isnan(array)).any() else 0.0
        if spread > 0:
            arrays[name] = (array - np.nanmean(array)) / spread
    return arrays


def _texts(
    documents: Any, wanted: Collection[str], names: Collection[str]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the required docs with their texts and some fields."""
    fields = dict[str, dict[str, Any]]()
    if isinstance(documents, Mapping):
        fields = {
            str(doc): dict(record)
            for doc, record in documents.items()
            if isinstance(record, Mapping)
        }
    elif isinstance(documents, str | PathLike) and ".jsonl" in Path(documents).name:
        for _, record in json_objects(text_stream(documents).read(), path=documents, texts=()):
            doc = str(record.get("doc_id"))
            if doc in wanted:
                fields[doc] = {name: record[name] for name in names if name in record}
    for document in read_documents(documents):
        if document.doc_id in wanted:
            yield document.doc_id, document.content, fields.get(document.doc_id, {})


def _numbers(name: str, values: Mapping[str, Any]) -> dict[str, float]:
    """Return a field's values as numbers; two different words become 0 and 1."""
    filled = {doc: value for doc, value in values.items() if value not in (None, "")}
    if not filled:
        raise UsageError(f"no doc has the property {quoted(name)}; expected a property of the docs")
    try:
        return {doc: float(value) for doc, value in filled.items()}
    except (TypeError, ValueError):
        words = sorted(set(map(str, filled.values())))
    if len(words) != 2:
        raise UsageError(
            f"the property {quoted(name)} has {len(words)} values, such as {quoted(words[0])};"
            " expected numbers or two different words"
        )
    return {doc: float(words.index(str(value))) for doc, value in filled.items()}


def _script(text: str) -> str:
    """Return the most frequent script at the beginning of a text, such as `LATIN` or `CJK`."""
    letters = [letter for letter in text[: 4 * _LETTERS] if letter.isalpha()][:_LETTERS]
    scripts = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in letters)
    return scripts.most_common(1)[0][0] if scripts else ""
