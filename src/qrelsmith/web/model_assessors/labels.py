"""A model's labels as they come in, and each with the doc that it is of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.db.models import OuterRef, Subquery

from qrelsmith.base.scales import grade_text
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
from qrelsmith.web.graded.scale import ShownScale, scale_versions
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, DocVersion, TopicVersion
from qrelsmith.web.openapi.declared import declare
from qrelsmith.web.openapi.schemas import Fault, shown

_CHUNK = 500
_LISTED = 12
_SHOWN = replace(SHA256, about=f"{SHA256.about} Left out: the current one.")
_TAKEN = replace(DURATION, about="How long the model took, in milliseconds.")
Key = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class GivenLabel:
    """A judgment of a model as it comes in.

    Attributes
    ----------
    op_id : str
        The client's name of it.
    topic, doc : str
        What it is of.
    grade : float
        A grade, or an error code below 0.
    round : int
        The round of judging.
    revision : int
        The revision of the label that the client saw.
    sha256 : str
        The digest of what the model read; empty: the current version.
    topic_version, scale_version : int or None
        The texts that it read; None: the current ones.
    active_ms : int or None
        How long it took.
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


@dataclass(frozen=True, slots=True)
class HeldDoc:
    """An assigned doc with its current label: a row, since they come by the thousand.

    Attributes
    ----------
    pk, doc : int
        The assigned doc and the doc.
    assignment : Assignment
        What it is assigned in.
    revision : int
        The revision of its label.
    value : float or None
        The label.
    is_judged : bool
        Whether it has one.
    sha256 : str
        The digest of the doc's current version; empty if its content is not here.
    """

    pk: int
    doc: int
    assignment: Assignment
    revision: int
    value: float | None
    is_judged: bool
    sha256: str


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A label with its doc and the versions of the texts that it was made by."""

    item: int
    given: GivenLabel
    doc: HeldDoc
    sha256: str
    topic_version: int
    scale_version: int


class Desk:
    """The topics, docs and scales that a model assessor's labels are checked against.

    Parameters
    ----------
    assessor : Assessor
        The model.
    """

    def __init__(self, assessor: Assessor) -> None:
        self._scales = scale_versions()
        self._scale = self._scales[max(self._scales)]
        found = Assignment.objects.filter(assessor=assessor).select_related("topic")
        self._assignments: dict[tuple[str, int], list[Assignment]] = {}
        for each in found:
            self._assignments.setdefault((each.topic.name, each.round), []).append(each)
        self._topic_versions: dict[int, set[int]] = {}
        for topic, version in TopicVersion.objects.values_list("topic_id", "version"):
            self._topic_versions.setdefault(topic, set()).add(version)

    def place(self, labels: Sequence[GivenLabel]) -> tuple[list[PlacedLabel], list[Fault]]:
        """The labels that can be recorded, and what is wrong with the others."""
        docs = self._docs(labels)
        versions = _digests(
            docs[label.key].doc for label in labels if label.sha256 and label.key in docs
        )
        times = Counter(label.key for label in labels)
        good: list[PlacedLabel] = []
        faults: list[Fault] = []
        for item, label in enumerate(labels):
            found = list(self._faults(label, docs.get(label.key), versions))
            if times[label.key] > 1:
                found.append(_fault("doc", shown(label.doc), "a doc once in a batch", "twice"))
            faults += [_at(item, each) for each in found]
            if not found:
                good.append(self._place(item, label, docs[label.key]))
        return good, faults

    def _docs(self, labels: Iterable[GivenLabel]) -> dict[Key, HeldDoc]:
        """The assigned docs that labels are of, by topic, doc and round."""
        names = sorted({label.doc for label in labels})
        wanted = {(label.topic, label.round) for label in labels}
        assignment_of = {
            each.pk: (key, each) for key in wanted for each in self._assignments.get(key, ())
        }
        current = DocVersion.objects.filter(doc=OuterRef("doc"), version=OuterRef("doc__version"))
        docs: dict[Key, HeldDoc] = {}
        for start in range(0, len(names), _CHUNK):
            rows = AssignedDoc.objects.filter(
                assignment__in=assignment_of, doc__name__in=names[start : start + _CHUNK]
            ).annotate(current_sha256=Subquery(current.values("sha256")[:1]))
            for pk, doc, name, assignment, revision, value, is_judged, sha256 in rows.order_by(
                "pk"
            ).values_list(
                "pk", "doc_id", "doc__name", "assignment_id", "revision", "value", "is_judged",
                "current_sha256",
            ):  # fmt: skip
                (topic, round_), place = assignment_of[assignment]
                held = HeldDoc(pk, doc, place, revision, value, is_judged, sha256 or "")
                docs.setdefault((topic, name, round_), held)
        return docs

    def _faults(
        self, label: GivenLabel, doc: HeldDoc | None, versions: dict[int, set[str]]
    ) -> Iterator[Fault]:
        assigned = self._assignments.get((label.topic, label.round))
        if assigned is None:
            topics = sorted({topic for topic, round_ in self._assignments if round_ == label.round})
            expected = f"a topic that this assessor judges in round {label.round}"
            yield _fault(
                "topic", shown(label.topic), f"{expected} ({_name_list(topics)})", "unknown"
            )
            return
        if doc is None:
            expected = f"one of the {sum(each.total for each in assigned)} docs of topic"
            yield _fault("doc", shown(label.doc), f"{expected} {shown(label.topic)}", "unknown")
            return
        if not doc.assignment.is_open:
            yield _fault("topic", shown(label.topic), "a topic that is not closed", "closed")
        yield from self._version_faults(label, doc, versions.get(doc.doc, set()))
        scale = self._scales.get(label.scale_version or self._scale.version)
        if scale is None:
            listed = ", ".join(map(str, self._scales))
            expected = f"a version of the scale ({listed})"
            yield _fault("scale_version", str(label.scale_version), expected, "version")
        elif not scale.has(label.grade):
            yield _fault("grade", grade_text(label.grade), _grades(scale), "value")
        elif label.grade not in scale.errors:
            for name, text in (("note", label.note), ("excerpt", label.excerpt)):
                if scale.wish(name, label.grade) == "required" and not text.strip():
                    yield _fault(name, "nothing", f"a text: this level needs the {name}", "value")

    def _version_faults(
        self, label: GivenLabel, doc: HeldDoc, digests: set[str]
    ) -> Iterator[Fault]:
        if not doc.sha256:
            expected = "a doc whose content is in the app (qrelsmith import)"
            yield _fault("doc", shown(label.doc), expected, "sha256")
        elif label.sha256 and label.sha256 not in digests:
            expected = f"the digest of a version of doc {shown(label.doc)}"
            yield _fault("sha256", shown(label.sha256), expected, "sha256")
        known = self._topic_versions[doc.assignment.topic_id]
        if label.topic_version is not None and label.topic_version not in known:
            expected = f"a version of topic {shown(label.topic)} ({_name_list(sorted(known))})"
            yield _fault("topic_version", str(label.topic_version), expected, "version")

    def _place(self, item: int, label: GivenLabel, doc: HeldDoc) -> PlacedLabel:
        return PlacedLabel(
            item,
            label,
            doc,
            label.sha256 or doc.sha256,
            label.topic_version or doc.assignment.topic.version,
            label.scale_version or self._scale.version,
        )


def _digests(docs: Iterable[int]) -> dict[int, set[str]]:
    """The digests of all versions of some docs."""
    digests: dict[int, set[str]] = {}
    wanted = sorted(set(docs))
    for start in range(0, len(wanted), _CHUNK):
        part = DocVersion.objects.filter(doc__in=wanted[start : start + _CHUNK])
        for doc, digest in part.values_list("doc_id", "sha256"):
            digests.setdefault(doc, set()).add(digest)
    return digests


def _grades(scale: ShownScale) -> str:
    codes = ", ".join(grade_text(code) for code in sorted(scale.errors))
    more = f", or a code of {codes}" if codes else ""
    if scale.control == "number":
        return f"a positive number{more}"
    levels = [grade_text(level) for level in sorted(scale.levels)]
    return f"a level of {_name_list(levels)}{more}"


def _name_list(names: Sequence[object]) -> str:
    more = f", … {names[-1]}" if len(names) > _LISTED else ""
    return ", ".join(map(str, names[:_LISTED])) + more or "there is none"


def _fault(field: str, found: str, expected: str, reason: str) -> Fault:
    return Fault((field,), found, expected, reason)


def _at(item: int, fault: Fault) -> Fault:
    return Fault(("judgments", item, *fault.place), fault.found, fault.expected, fault.reason)
