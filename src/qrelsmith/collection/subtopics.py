"""Conversion of qrels of subtopics to qrels of docs."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.base.items import MARK, item_key, item_parts, subtopic_aspect, subtopic_name
from qrelsmith.collection.judged_pairs import Qrels


def docs_of_subtopics(qrels: Qrels) -> Qrels:
    """Return one grade for each doc: the highest grade of its subtopics. Ignore other aspects."""
    if not any(MARK in key for key in qrels.docs):
        return qrels
    best: dict[tuple[str, str], float] = {}
    for topic, key, grade in qrels.rows():
        doc, aspect = item_parts(key)
        if not aspect or subtopic_name(aspect):
            best[topic, doc] = max(best.get((topic, doc), grade), grade)
    if not best:  # only labels of answers, which measures of docs do not use
        return qrels
    rows = ((topic, doc, grade) for (topic, doc), grade in best.items())
    return Qrels.from_rows(rows, name=qrels.name)


def are_of_subtopics(qrels: Qrels) -> bool:
    """Return whether any label refers to a subtopic."""
    return any(subtopic_name(item_parts(key)[1]) for key in qrels.docs)


def aspects_as_subtopics(qrels: Qrels, wanted: Callable[[str, str], bool]) -> Qrels:
    """Return the labels, with the selected (topic, aspect) pairs converted to subtopics."""
    if are_of_subtopics(qrels) or not any(MARK in key for key in qrels.docs):
        return qrels
    rows = []
    for topic, key, grade in qrels.rows():
        doc, aspect = item_parts(key)
        is_subtopic = aspect and wanted(topic, aspect)
        rows.append((topic, item_key(doc, subtopic_aspect(aspect)) if is_subtopic else key, grade))
    return Qrels.from_rows(rows, name=qrels.name)


def highest_of_subtopics(qrels: Qrels) -> Qrels:
    """Return labels of subtopics with one grade for each doc; return other labels unchanged."""
    return docs_of_subtopics(qrels) if are_of_subtopics(qrels) else qrels
