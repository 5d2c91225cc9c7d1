"""Comparison of the campaign folder with the judged data, so that campaigns are never mixed.

A copy of a folder includes the app's identity. If the copy then gets different topics and docs,
only their texts show that the judgments belong to another campaign.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.collection.document import Document
from qrelsmith.collection.documents import located_documents
from qrelsmith.collection.topics import read_topics
from qrelsmith.web.core.lines import read_records
from qrelsmith.web.models import (
    AssignedDoc,
    DocVersion,
    Event,
    PreferenceEvent,
    ScaleVersion,
    TopicVersion,
)
from qrelsmith.web.records.docs import DOCS
from qrelsmith.web.records.folder import records_of
from qrelsmith.web.records.versions import SCALES, TOPICS


def check_folder(campaign: Campaign, *, accept_changes: bool = False) -> None:
    """Raise an error unless all judged data is in the campaign folder with the judged texts.

    Additional topics and docs, and changed titles, are allowed. A text is known if it was imported
    as a version or is in the records of an export.

    Parameters
    ----------
    campaign : Campaign
        The campaign in its folder.
    accept_changes : bool
        Whether changes to texts and levels are intended; missing data is still an error.

    Raises
    ------
    InputError
        At the first difference.
    """
    records = records_of(campaign)
    _check_levels(campaign, records, accept_changes=accept_changes)
    _check_topics(campaign, records, accept_changes=accept_changes)
    _check_docs(campaign, records, accept_changes=accept_changes)


def _check_levels(campaign: Campaign, records: Path | None, *, accept_changes: bool) -> None:
    graded = Event.objects.filter(value__gte=0).values_list("value", flat=True).distinct()
    used = {value for value in graded if value is not None}
    here = tuple(level.grade for level in campaign.levels)
    if not used or not here:
        return
    if not used <= set(here):
        raise InputError(
            f"the levels are {_grade_list(here)}, but judgments have the grade "
            f"{grade_text(min(used - set(here)))}; expected the scale used for judging",
            path=campaign.settings,
        )
    scales = [_grades(version.content["levels"]) for version in ScaleVersion.objects.all()]
    if records is not None:
        contents = (record.json("content", dict) for record in read_records(records, SCALES.kind))
        scales += [_grades(content["levels"]) for content in contents]
    if here not in scales and not accept_changes:
        raise InputError(
            f"the levels are {_grade_list(here)}, but judgments were made on"
            f" {_grade_list(scales[-1])}; {_hint(campaign)}",
            path=campaign.settings,
        )


def _grades(levels: Iterable[dict[str, Any]]) -> tuple[float, ...]:
    return tuple(float(level["grade"]) for level in levels)


def _grade_list(grades: Collection[float]) -> str:
    return ", ".join(map(grade_text, grades)) or "any number"


def _check_topics(campaign: Campaign, records: Path | None, *, accept_changes: bool) -> None:
    judged = set(Event.objects.values_list("assignment__topic__name", flat=True).distinct())
    judged |= set(PreferenceEvent.objects.values_list("contest__topic__name", flat=True).distinct())
    if campaign.topics is None or not judged:
        return
    texts_of: dict[str, list[tuple[str, ...]]] = {}
    for version in TopicVersion.objects.select_related("topic"):
        texts_of.setdefault(version.topic.name, []).append(_text(version))
    for record in read_records(records, TOPICS.kind) if records is not None else ():
        texts = (record.text("title"), record.text("description"), record.text("narrative"))
        texts_of.setdefault(record.text("topic"), []).append(texts)
    here = {}
    for topic in read_topics(campaign.topics):
        text = _text(topic)
        is_same = any(_is_same_topic(text, other) for other in texts_of.get(topic.topic, ()))
        here[topic.topic] = is_same or accept_changes
    _refuse_first("topic", judged, here, campaign, path=campaign.topics)


def _text(topic: Any) -> tuple[str, ...]:
    return topic.title, topic.description, topic.narrative


def _is_same_topic(text: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two topic texts are equal; titles count only if there is no other text."""
    return text[1:] == other[1:] if any(text[1:]) else text == other


def _check_docs(campaign: Campaign, records: Path | None, *, accept_changes: bool) -> None:
    missing = set(AssignedDoc.objects.filter(revision__gt=0).values_list("doc__name", flat=True))
    for side in ("left", "right"):
        missing |= set(PreferenceEvent.objects.values_list(f"pair__{side}__name", flat=True))
    if campaign.documents is None or not missing:
        return
    digests = {
        (name, sha256)
        for name, sha256 in DocVersion.objects.values_list("doc__name", "sha256").iterator()
        if name in missing
    }
    if records is not None:
        digests |= {(each.text("doc"), each.text("sha256")) for each in read_records(records, DOCS)}
    judged, here = frozenset(missing), {}
    for _, document in located_documents(campaign.documents):
        if document.doc_id not in missing:
            continue
        missing.discard(document.doc_id)
        is_same = (document.doc_id, document.sha256) in digests
        here[document.doc_id] = is_same or accept_changes or _is_retitled(document)
        if not missing:
            break
    _refuse_first("doc", judged, here, campaign, path=campaign.documents)


def _is_retitled(document: Document) -> bool:
    """Return whether a doc has the same content as in the database, but another title."""
    found = DocVersion.objects.filter(doc__name=document.doc_id, form=document.form)
    contents = found.exclude(content=b"").values_list("content", flat=True)
    return document.content.encode() in (zlib.decompress(bytes(each)) for each in contents)


def _refuse_first(
    what: str, judged: Collection[str], here: Mapping[str, bool], campaign: Campaign, *, path: Any
) -> None:
    """Raise an error for the first judged name that is missing here, or has an unknown text."""
    for name in sorted(judged):
        if name not in here:
            raise InputError(
                f"the {what} {quoted(name)} has judgments but is missing here; "
                "expected the folder of this campaign",
                path=path,
            )
        if not here[name]:
            raise InputError(
                f"the {what} {quoted(name)} has judgments but a different text here; "
                f"{_hint(campaign)}",
                path=path,
            )


def _hint(campaign: Campaign) -> str:
    return (
        f"if the change is intended, run qrelsmith app import {campaign.folder} --accept-changes;"
        " if not, this is the folder of another campaign"
    )
