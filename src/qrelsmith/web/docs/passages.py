"""Passages that support a judgment: the position, words and version of each.

A passage is `{"start", "quote", "sha256"}`, for a pair also `"side"`. `start` is the position of
the first character in the shown version's `visible_text`, counted in code points. `quote` contains
the words, and `sha256` is the digest of the whole text. A passage is never moved
to the text of another version: if the text has changed, the passage is shown as stale.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext

from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.docs.text import visible_text
from qrelsmith.web.models import DocVersion

Passage = dict[str, Any]


def text_digest(text: str) -> str:
    """Return the digest of a shown text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def text_json(version: DocVersion) -> dict[str, str]:
    """Return the text of a version, for a script that selects passages in it."""
    text = visible_text(version)
    return {"text": text, "sha256": version.sha256, "text_sha256": text_digest(text)}


def in_order(passages: Iterable[Passage]) -> list[Passage]:
    """Return the distinct passages, by side and position."""
    once = {(each.get("side", ""), each["start"], each["quote"]): each for each in passages}
    return [once[key] for key in sorted(once)]


def seen_passages(passages: list[Passage], shown: QuerySet[DocVersion]) -> list[Passage]:
    """Return the passages in order, if each is at its position in the shown version.

    Parameters
    ----------
    passages : list of dict
        The passages of one doc.
    shown : QuerySet of DocVersion
        The version with the digest sent by the client.

    Raises
    ------
    RefusedError
        If a passage does not match the text.
    """
    if not passages:
        return []
    version = shown.exclude(content=b"").first()
    text = visible_text(version) if version else ""
    digest = text_digest(text)
    for each in passages:
        if each["sha256"] != digest or not text.startswith(each["quote"], each["start"]):
            raise RefusedError(
                "passage",
                gettext(
                    "A passage was not found at its position in the doc. Select the passage again."
                ),
            )
    return in_order(passages)


def passage_of(quote: str, shown: DocVersion) -> Passage | None:
    """Return the first occurrence of a quote in a doc as a passage; None if there is none."""
    text = visible_text(shown)
    words = quote.strip()
    start = text.find(words) if words else -1
    return None if start < 0 else {"start": start, "quote": words, "sha256": text_digest(text)}


def pieces(text: str, passages: Iterable[tuple[Passage, Any]]) -> list[tuple[str, list[Any]]]:
    """Cut a text where passages begin and end; return each piece with its marks."""
    spans = [
        (each["start"], each["start"] + len(each["quote"]), mark)
        for each, mark in passages
        if text.startswith(each["quote"], each["start"])
    ]
    ends = sorted({0, len(text), *(place for span in spans for place in span[:2])})
    return [
        (text[start:end], [mark for first, last, mark in spans if first <= start and end <= last])
        for start, end in pairwise(ends)
    ]


def is_stale(passage: Mapping[str, Any], text: str) -> bool:
    """Return whether a passage was taken from a different text."""
    return bool(passage["sha256"] != text_digest(text))
