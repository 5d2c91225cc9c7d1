"""Aspects of answers, a kind of judgment: an assessor grades each aspect of an answer.

A nugget can be edited as well. An edit is a judgment, too: its label is the nugget's new text and
importance. An edit is therefore logged, can be withdrawn, and is part of every export.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.db.models import Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext_lazy

from qrelsmith.answers.judged_aspects import DROPPED, EDIT
from qrelsmith.assigning.answer_plan import AnswerPlan, write_edited
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.web.core.event_lines import NUMBERS, TEXTS, TIMES, EventLines
from qrelsmith.web.core.fields import (
    GRADE,
    INPUT,
    NOTE,
    NUMBER,
    OP_ID,
    PASSAGES,
    REVISION,
    SHA256,
    VERSION,
)
from qrelsmith.web.core.lines import Kind
from qrelsmith.web.core.submissions import Submission, Timing
from qrelsmith.web.docs.terms import topic_terms
from qrelsmith.web.graded.early_repeats import without_early
from qrelsmith.web.graded.judgments import UNJUDGED_CODE
from qrelsmith.web.graded.scale import ShownScale, current_scale, scale_versions
from qrelsmith.web.judging.kind_words import KindWords
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.judging.own_streams import OwnStreamKind
from qrelsmith.web.models import (
    AnswerAspect,
    AnswerAssignment,
    AnswerEvent,
    Assessor,
    DocVersion,
    Hit,
)
from qrelsmith.web.openapi.declared import declare
from qrelsmith.web.openapi.schemas import Text

_WORDING = Text(
    "The text of the aspect that was shown, or the new text of an edit.", longest=20_000
)
_RELATED = Text(
    "The nugget from which this nugget was split, or into which it was merged.", longest=500
)


@dataclass(frozen=True, slots=True)
class AspectLabel:
    """The label of an aspect, or an edit of a nugget.

    Attributes
    ----------
    value : float or None
        A grade or code; for an edit, the weight: vital 1, okay .5, dropped 0. None: unjudged.
    wording, related : str
        The aspect's text, and the nugget that an edit splits or merges with it.
    note, passages, sha256, topic_version, scale_version
        As in the label of a doc.
    """

    value: float | None = None
    wording: str = ""
    related: str = ""
    note: str = ""
    passages: list[dict[str, Any]] = field(default_factory=list)
    sha256: str = ""
    topic_version: int = 0
    scale_version: int = 0


@dataclass(frozen=True, slots=True)
class AspectSubmission(Submission):
    """A judgment of an aspect as sent by a client; `aspect` is its number."""

    op_id: str = declare(OP_ID)
    aspect: int = declare(NUMBER)
    value: float = declare(GRADE)
    wording: str = declare(_WORDING)
    sha256: str = declare(SHA256)
    base_revision: int = declare(REVISION)
    topic_version: int | None = declare(VERSION, None)
    scale_version: int | None = declare(VERSION, None)
    related: str = declare(_RELATED, "")
    note: str = declare(NOTE, "")
    passages: list[dict[str, Any]] = declare(PASSAGES, default_factory=list)  # noqa: RUF009
    input_kind: str = declare(INPUT, "")
    timing: Timing = field(default_factory=Timing)

    @property
    def unit(self) -> int:
        """The number of the aspect."""
        return self.aspect

    @property
    def said(self) -> float:
        """The grade or weight."""
        return self.value


class AspectKind(OwnStreamKind):
    """Aspects of answers, each with a label."""

    name, api = "aspect", "answers"
    words = KindWords(
        not_yours=gettext_lazy("This answer is not assigned to you."),
        twice=gettext_lazy("This aspect occurs twice in one request."),
        no_scale=gettext_lazy("This version of the scale does not exist."),
        stale=gettext_lazy(
            "The label has been changed in the meantime. Choose which label to keep."
        ),
        event="label",
        unit="aspect",
        stream="the answers to topic {topic} of {assessor}",
    )
    submission = AspectSubmission
    blank = AspectLabel()
    events, units, streams = AnswerEvent, AnswerAspect, AnswerAssignment
    unit, stream = "item", "assignment"
    shown = MappingProxyType({"sha256": "doc"})
    scale = "scale_version"
    lines = EventLines(
        Kind(
            "answer_events.jsonl",
            texts=(
                *TEXTS, "assessor", "topic", "hit", "aspect", "doc", "wording", "related", "note",
                "sha256", "undoes", "passages",
            ),
            numbers=(*NUMBERS, "round", "position", "value", "scale_version"),
            times=TIMES,
            is_since_0_1=True,
        ),
        {
            "assessor": "assessor__name",
            "topic": "assignment__topic__name",
            "hit": "assignment__hit",
            "round": "assignment__round",
            "position": "item__position",
            "aspect": "item__aspect",
            "doc": "item__doc__name",
            "undoes": "undoes__op_id",
        },
    )  # fmt: skip
    stream_names = MappingProxyType(
        {"assessor": "assessor__name", "topic": "topic__name", "hit": "hit", "round": "round"}
    )
    unit_names = MappingProxyType({"position": "position"})
    own_names = MappingProxyType({"aspect": "aspect", "doc": "doc__name"})

    def items(self) -> QuerySet[AnswerAspect]:
        """Return the aspects with their docs and their assignment."""
        return aspects_with_docs()

    def current_scale(self) -> ShownScale:
        """Return the current version of the scales of all families."""
        return current_scale().family("")

    def scales(self) -> dict[int, ShownScale]:
        """Return all versions of the scales, by number."""
        return {version: scale.family("") for version, scale in scale_versions().items()}

    def scale_of(self, unit: AnswerAspect, scale: ShownScale) -> ShownScale:
        """Return the scale of an item's family."""
        return scale.family(unit.family)

    def row_json(self, unit: AnswerAspect) -> dict[str, Any]:
        """Return an item with its label; the result does not reveal the system of the answer."""
        names = ("place", "family", "text", "importance")
        row = super().row_json(unit) | {name: getattr(unit, name) for name in names}
        changed = {
            "topic": unit.topic_version != unit.assignment.topic.version,
            "doc": unit.sha256 != row["sha256"],
            "scale": unit.scale_version != current_scale().version,
            "aspect": unit.family != EDIT and unit.wording != unit.text,
        }
        is_cited = unit.family == "citation"
        return row | {
            "name": unit.aspect,
            "terms": topic_terms(unit.text) if is_cited else [],
            "stale": [name for name, is_so in changed.items() if is_so and unit.is_judged],
            "form": getattr(unit, "current_form", ""),
            # The name of an answer, unlike that of a doc, would reveal its system.
            "title": (getattr(unit, "current_title", "") or unit.doc.name) if is_cited else "",
            "frame": f"{reverse('cited', args=[unit.pk])}?sha256={row['sha256']}",
        }

    def plan_work(self, campaign: Campaign) -> AnswerPlan | None:
        """Return the answers in a campaign folder as work."""
        return AnswerPlan(campaign) if campaign.answers else None

    def work_of(self, assessor: Assessor | None) -> list[dict[str, Any]]:
        """Return the assignments of an assessor for the front page."""
        own = AnswerAssignment.objects.filter(assessor=assessor).select_related("topic")
        found = without_early(own, judged_items())
        return [_work(each) for each in found.order_by("round", "topic__name")]

    def write_files(self, campaign: Campaign, folder: Path) -> None:
        """Write answers and aspects as edited by assessors."""
        if campaign.answers:
            changed = AnswerAspect.objects.filter(
                family="nugget",
                assignment__hit="",
                aspect__in=Subquery(AnswerAspect.objects.filter(family=EDIT).values("aspect")),
            )
            rows = changed.values_list("assignment__topic__name", "aspect", "text", "importance")
            write_edited(campaign, folder, rows.distinct())

    def judgment_rows(self, round_: int) -> Iterator[Mapping[str, object]]:
        """Yield the rows of `judgments.csv`; dropped nuggets have none.

        HITs count only if they are submitted and not discarded. Attention checks never count.
        """
        events = self.lines.read(AnswerEvent).select_related("item", "assignment__crowd_hit")
        scales = scale_versions()
        own = events.filter(
            Q(assignment__hit="") | Q(assignment__crowd_hit__state=Hit.State.FINISHED),
            assignment__round=round_,
        ).exclude(item__family=EDIT)
        kept = own.exclude(item__importance=DROPPED).defer("assignment__crowd_hit__docs")
        for event in kept.order_by("id").iterator(chunk_size=2000):
            item, run = event.item, event.assignment.answers[event.item.place - 1]["run"]
            if event.assignment.hit and run in event.assignment.crowd_hit.challenges:
                continue
            scale = scales[event.scale_version or 1].family(item.family)
            yield {
                "topic": event.assignment.topic.name,
                "doc": run,
                "hit": event.assignment.hit,
                "aspect": item.aspect,
                "assessor": event.assessor.name,
                "group": event.assessor.group,
                "grade": UNJUDGED_CODE if event.value is None else event.value,
                "label": "" if event.value is None else scale.label(event.value),
                **{
                    name: getattr(event, name)
                    for name in (
                        "shown_at", "judged_at", "active_ms", "idle_ms", "revision", "note",
                    )
                },
                "position": item.position,
            }  # fmt: skip


def _work(assignment: AnswerAssignment) -> dict[str, Any]:
    rows = judged_items().filter(assignment=assignment)
    judged, total = rows.filter(is_judged=True).count(), rows.count()
    topic = assignment.topic
    titles = topic.versions.filter(version=topic.version).values_list("title", flat=True)
    return {
        "kind": "answers",
        "topic": topic.name,
        "title": titles.first() or "",
        "address": reverse("answers", args=[assignment.pk]),
        "judged": judged,
        "total": total,
        "is_bound": False,
        "is_open": assignment.is_open,
        "is_started": judged > 0,
        "is_done": judged == total,
    }


def judged_items() -> QuerySet[AnswerAspect]:
    """Return the aspects that assessors judge, except those of HITs, edits and dropped nuggets."""
    own = AnswerAspect.objects.filter(assignment__hit="")
    return own.exclude(family=EDIT).exclude(importance=DROPPED)


def newest_answer_event() -> int:
    """Return the number of the newest event of answers, or 0 without events."""
    return AnswerEvent.objects.order_by("-id").values_list("id", flat=True).first() or 0


def run_of(item: AnswerAspect) -> str:
    """Return the run of the answer to which an item belongs."""
    return str(item.assignment.answers[item.place - 1]["run"])


def aspects_with_docs() -> QuerySet[AnswerAspect]:
    """Return the aspects with their assignment and the doc columns shown on pages."""
    own = ("doc", "assignment__topic", "assignment__assessor")
    names = ("sha256", "form", "title")
    return AnswerAspect.objects.select_related(*own).annotate(
        **{f"current_{name}": DocVersion.current("doc", name) for name in names}
    )


ASPECTS = AspectKind()
KINDS.append(ASPECTS)
