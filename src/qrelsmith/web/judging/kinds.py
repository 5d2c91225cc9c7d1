"""Kinds of judgment: each kind declares its items, label, scale and messages once.

All code that accepts, undoes, verifies, rebuilds, exports or imports judgments uses their kinds. An
event contains the complete new label of its item.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from django.db.models import F, QuerySet
from django.urls import URLPattern
from django.utils.translation import gettext

from qrelsmith.base.scales import grade_text
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.event_lines import at
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.docs.passages import seen_passages
from qrelsmith.web.judging.kind_tables import KindTables
from qrelsmith.web.judging.kind_words import KindWords
from qrelsmith.web.judging.label_versions import LabelScale, ShownVersions, digests_of
from qrelsmith.web.models import Assessor, DocVersion
from qrelsmith.web.openapi.schemas import name_list, shown


class JudgmentKind(KindTables):
    """A kind of judgment.

    Attributes
    ----------
    words : KindWords
        Its messages.
    """

    words: ClassVar[KindWords]

    def stream_name(self, stream: Any) -> str:
        """Return the name of a stream for messages."""
        return self.name_with(self.names_of(stream))

    def name_with(self, names: Mapping[str, str]) -> str:
        """Return the name of a stream for messages, built from the names that identify it."""
        hit, round_ = names.get("hit"), names.get("round", "1")
        name = self.words.stream.format(**names) + (f", HIT {hit}" if hit else "")
        return name if round_ == "1" else f"{name}, round {round_}"

    # Ownership, and whether an item can be judged now.

    def items(self) -> QuerySet[Any]:
        """Return the items with their docs, the docs' current digests, and their stream.

        The annotation `current_sha256` contains the digest for the column `sha256`.
        """
        digests = {
            f"current_{column}": DocVersion.current(doc, "sha256")
            for column, doc in self.shown.items()
        }
        related = (*self.shown.values(), f"{self.stream}__topic")
        items: QuerySet[Any] = self.units.objects.select_related(*related).annotate(**digests)
        return items

    @cached_property
    def prepared_unit(self) -> Prepared[Any]:
        """A prepared query for one item of a stream."""
        return Prepared(lambda pk, stream: self.items().filter(pk=pk, **{self.stream: stream}))

    @abstractmethod
    def owner(self, unit: Any) -> int | None:
        """Return the number of the assessor who may judge an item."""

    @abstractmethod
    def is_mine(self, stream: int, assessor: Assessor | None) -> bool:
        """Return whether an assessor may judge in a stream."""

    @abstractmethod
    def lock_head(self, unit: Any, *, has_account: bool) -> str:
        """Return the head of an open stream, and lock it against closing.

        Raises
        ------
        RefusedError
            If the stream is closed, or the person's account is disabled.
        """

    @abstractmethod
    def start_time(self, unit: Any) -> datetime:
        """Return the time before which an item cannot have been shown."""

    def stream_changes(self, units: Iterable[tuple[Any, bool]]) -> dict[str, Any]:
        """Return the columns of a stream that change when some of its items get or lose a label."""
        changed = sum(int(is_judged) - int(unit.is_judged) for unit, is_judged in units)
        return {"judged": F("judged") + changed}

    def finish(self, unit: Any) -> None:
        """Update dependent data after the event of an item was logged."""

    # The label and its errors.

    @abstractmethod
    def current_scale(self) -> LabelScale:
        """Return the current version of the scale."""

    @abstractmethod
    def scales(self) -> Mapping[int, LabelScale]:
        """Return all versions of the scale."""

    def scale_of(self, unit: Any, scale: Any) -> Any:
        """Return the part of a scale that applies to an item; usually, this is the whole scale."""
        return scale

    def lacks(self, label: Any, unit: Any, scale: Any) -> Iterator[RefusedError]:
        """Yield a refusal for each required piece of evidence that is missing from a label."""
        yield from ()

    def label_text(self, value: float) -> str:
        """Return a grade or outcome in words."""
        return grade_text(value)

    def current_digest(self, unit: Any, column: str) -> str:
        """Return the digest of the doc's current version; empty if the doc has no content."""
        return getattr(unit, f"current_{column}", None) or ""

    def label(self, submission: Any, unit: Any, scale: LabelScale) -> Any:
        """Return the label of a judgment; missing versions default to the current versions."""
        given_as = {
            self.value: submission.said,
            "topic_version": submission.topic_version or at(unit, self.stream).topic.version,
            self.scale: getattr(submission, self.scale) or scale.version,
            **{
                column: getattr(submission, column) or self.current_digest(unit, column)
                for column in self.shown
            },
        }
        return type(self.blank)(
            **{name: given_as.get(name, getattr(submission, name, None)) for name in self.columns}
        )

    def texts(self, labels: Sequence[tuple[Any, Any]], scale: LabelScale) -> ShownVersions:
        """Read the versions of scale and docs that the labels of some items name."""
        is_other = any(getattr(label, self.scale) != scale.version for label, _ in labels)
        docs = {
            getattr(unit, f"{doc}_id")
            for label, unit in labels
            for column, doc in self.shown.items()
            if getattr(label, column) != self.current_digest(unit, column)
        }
        return ShownVersions(
            self.scales() if is_other else {scale.version: scale}, digests_of(docs)
        )

    def faults(self, label: Any, unit: Any, texts: ShownVersions) -> Iterator[RefusedError]:
        """Yield the errors of a label that do not depend on its sender."""
        for column, doc in self.shown.items():
            yield from self._digest_faults(label, unit, texts, column, doc)
        topic = getattr(unit, self.stream).topic
        if not 1 <= label.topic_version <= topic.version:
            yield RefusedError(
                "version",
                gettext("This version of the topic does not exist."),
                field="topic_version",
                found=str(label.topic_version),
                expected=f"a version of topic {shown(topic.name)}"
                f" ({name_list(range(1, topic.version + 1))})",
            )
        value, version = getattr(label, self.value), getattr(label, self.scale)
        scale = texts.scales.get(version)
        if scale is None:
            yield RefusedError(
                "version",
                self.words.no_scale,
                field=self.scale,
                found=str(version),
                expected=f"one of its versions ({name_list(list(texts.scales))})",
            )
        elif value is not None and not (scale := self.scale_of(unit, scale)).has(value):
            yield RefusedError(
                "value",
                scale.off(value),
                current=unit,
                field=self.value,
                found=grade_text(value),
                expected=scale.expected,
            )

    def with_passages(self, label: Any, unit: Any) -> Any:
        """Return the label with ordered passages; each passage must match the doc at its position.

        Raises
        ------
        RefusedError
            If a passage does not match the shown version.
        """
        if not label.passages:
            return label
        passages = [
            passage
            for column, doc in self.shown.items()
            for passage in seen_passages(
                [each for each in label.passages if each.get("side", doc) == doc],
                DocVersion.objects.filter(
                    doc=getattr(unit, f"{doc}_id"), sha256=getattr(label, column)
                ),
            )
        ]
        return replace(label, passages=passages)

    def conflict(self, current: Any, *, base: int) -> RefusedError:
        """Return a conflict: the label changed since the client read revision `base`."""
        value = getattr(current, self.value)
        label = "none" if value is None else self.label_text(value)
        return RefusedError(
            "stale",
            self.words.stale,
            current=current,
            field="base_revision",
            found=str(base),
            expected=f"{current.revision}, the revision of the current label ({label})",
        )

    def closed_refusal(self, unit: Any) -> RefusedError:
        """Return the refusal of a judgment in a closed stream."""
        return RefusedError(
            "closed",
            gettext("This topic is closed."),
            current=unit,
            field="topic",
            found=shown(getattr(unit, self.stream).topic.name),
            expected="a topic that is not closed",
        )

    # Data for pages, programs and checks.

    @abstractmethod
    def row_json(self, unit: Any) -> dict[str, Any]:
        """Return an item with its current label, for a script."""

    @abstractmethod
    def progress_json(self, unit: Any, assessor: Assessor) -> dict[str, Any]:
        """Return the progress of an item's stream, for a script."""

    def pages(self) -> list[URLPattern]:
        """Return the URL patterns of the kind's own pages."""
        return []

    def plan_work(self, campaign: Campaign) -> Any:
        """Return the planned work of this kind from a campaign folder, for `record_planned`."""
        return None

    def work_of(self, assessor: Assessor | None) -> list[dict[str, Any]]:
        """Return an assessor's work of this kind, if the front page does not list it already."""
        return []

    def write_files(self, campaign: Campaign, folder: Path) -> None:
        """Write the files that an export contains for this kind in addition to the judgments."""

    def judgment_rows(self, round_: int) -> Iterator[Mapping[str, object]]:
        """Yield the rows of `judgments.csv` of a round, by column; a missing cell is empty."""
        yield from ()

    def belongs(self, event: Any, unit: Any) -> bool:
        """Return whether an event and its item belong together."""
        return self.stream_key(event) == self.stream_key(unit)

    def count_columns(self, stream: Any, counts: Mapping[str, int]) -> dict[str, Any]:
        """Return further columns to update when the counts of a stream are corrected."""
        return {}

    def checks(self) -> list[Check]:
        """Run the checks that only this kind has; requires a snapshot."""
        return []

    def _digest_faults(
        self, label: Any, unit: Any, texts: ShownVersions, column: str, doc: str
    ) -> Iterator[RefusedError]:
        digest, doc_row = getattr(label, column), getattr(unit, doc)
        if not digest:
            yield RefusedError(
                "sha256",
                gettext("The app does not have the content of this doc."),
                current=unit,
                field=doc,
                found=shown(doc_row.name),
                expected="a doc whose content is in the app (qrelsmith app import)",
            )
            return
        known = texts.digests.get(doc_row.pk, () if texts.is_complete else (digest,))
        if digest not in (self.current_digest(unit, column), *known):
            yield RefusedError(
                "sha256",
                gettext("The content shown is not a version of this doc. Reload the page."),
                current=unit,
                field=column,
                found=shown(digest),
                expected=f"the digest of a version of doc {shown(doc_row.name)}",
            )


KINDS: list[JudgmentKind] = []


def kind_of(row: Any) -> JudgmentKind:
    """Return the kind of judgment of an event or item."""
    return next(kind for kind in KINDS if isinstance(row, (kind.events, kind.units)))
