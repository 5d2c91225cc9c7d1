"""A model's submitted labels, which name their topic and doc."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from qrelsmith.web.core.fields import (
    DOC,
    DURATION,
    EXCERPT,
    GRADE,
    NOTE,
    OP_ID,
    REVISION,
    ROUND,
    SHA256,
    TOPIC,
    VERSION,
)
from qrelsmith.web.core.submissions import RefusedError, Timing
from qrelsmith.web.graded.assigned import docs_of_lists
from qrelsmith.web.judging.batches import Kind, Sender
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment
from qrelsmith.web.openapi.declared import declare
from qrelsmith.web.openapi.schemas import name_list, shown

_CHUNK = 500
_SHOWN = replace(SHA256, about=f"{SHA256.about} Default: the current version.")
_TAKEN = replace(DURATION, about="The time that the model took, in milliseconds.")
Key = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class GivenLabel:
    """A submitted judgment of a model.

    Attributes
    ----------
    op_id : str
        The client's name for the operation.
    topic, doc : str
        The judged topic and doc.
    grade : float
        A grade, or an error code below 0.
    round : int
        The round of judging.
    revision : int
        The revision of the label that the client saw.
    sha256 : str
        The digest of the content that the model read; empty: the current version.
    topic_version, scale_version : int or None
        The versions that the model read; None: the current versions.
    active_ms : int or None
        The time that the judgment took.
    """

    op_id: str = declare(OP_ID)
    topic: str = declare(TOPIC)
    doc: str = declare(DOC)
    grade: float = declare(GRADE)
    round: int = declare(ROUND, 1)
    revision: int = declare(REVISION, 0)
    sha256: str = declare(_SHOWN, "")
    topic_version: int | None = declare(VERSION, None)
    scale_version: int | None = declare(VERSION, None)
    note: str = declare(NOTE, "")
    excerpt: str = declare(EXCERPT, "")
    active_ms: int | None = declare(_TAKEN, None)

    @property
    def key(self) -> Key:
        """The key of the label: its topic, doc and round."""
        return self.topic, self.doc, self.round

    @property
    def unit(self) -> int:
        """Always 0: the assigned doc is found by the names of topic and doc."""
        return 0

    @property
    def said(self) -> float:
        """The grade."""
        return self.grade

    @property
    def base_revision(self) -> int:
        """The revision of the label that the client saw."""
        return self.revision

    @property
    def passages(self) -> list[dict[str, Any]]:
        """Always empty: a model sends an excerpt instead."""
        return []

    @property
    def input_kind(self) -> str:
        """The input method of the judgment."""
        return "api"

    @property
    def timing(self) -> Timing:
        """The time that the model took, as sent with the label."""
        return Timing(active_ms=self.active_ms)


def model_sender(
    assessor: Assessor,
    prepare: Callable[[], Mapping[str, Any]],
    times: Mapping[str, datetime | None],
) -> Sender:
    """Return the sender of a model's labels; `prepare` returns further columns of the events."""

    def find(_: Kind, labels: Sequence[GivenLabel]) -> list[Any]:
        return _assigned_docs(labels, assessor)

    return Sender(assessor, find, has_account=False, prepare=prepare, times=times)


def _assigned_docs(labels: Sequence[GivenLabel], assessor: Assessor) -> list[Any]:
    """Return the assigned docs of some labels, or a list of errors for unknown names."""
    assigned: dict[tuple[str, int], list[Assignment]] = {}
    for assignment in Assignment.objects.filter(assessor=assessor).select_related("topic"):
        assigned.setdefault((assignment.topic.name, assignment.round), []).append(assignment)
    names = sorted({label.doc for label in labels})
    wanted = [
        assignment.pk
        for key in {(label.topic, label.round) for label in labels}
        for assignment in assigned.get(key, ())
    ]
    docs: dict[Key, AssignedDoc] = {}
    for start in range(0, len(names), _CHUNK):
        found = docs_of_lists().filter(
            assignment__in=wanted, doc__name__in=names[start : start + _CHUNK]
        )
        for doc in found.order_by("pk"):
            of = doc.assignment
            docs.setdefault((of.topic.name, doc.doc.name, of.round), doc)
    return [docs.get(label.key) or [_unknown(label, assigned)] for label in labels]


def _unknown(
    label: GivenLabel, assigned: Mapping[tuple[str, int], Sequence[Assignment]]
) -> RefusedError:
    """Return the refusal of a topic or doc that is not assigned to the assessor."""
    own = assigned.get((label.topic, label.round))
    if own is None:
        topics = sorted({topic for topic, round_ in assigned if round_ == label.round})
        expected = f"a topic that this assessor judges in round {label.round} ({name_list(topics)})"
        return RefusedError(
            "unknown", expected, field="topic", found=shown(label.topic), expected=expected
        )
    count = sum(each.total for each in own)
    expected = f"one of the {count} docs of topic {shown(label.topic)}"
    return RefusedError("unknown", expected, field="doc", found=shown(label.doc), expected=expected)
