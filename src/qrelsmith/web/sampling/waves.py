"""The waves of a sample: when all docs of a wave are judged, the next is drawn and assigned.

`sample.csv` in the campaign folder records the drawn docs and their probabilities. Assignments are
derived from this file, so that an interrupted process can resume between drawing and assigning. A
judged wave is closed, because the next wave was drawn with its labels.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from threading import Lock

from django.db.models import F

from qrelsmith.assigning.assignment import GroupPlan, assign_topics
from qrelsmith.base.errors import QrelsmithError, UsageError, quoted
from qrelsmith.base.rng import shuffle
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.sample_settings import SampleJudging
from qrelsmith.collection.qrels import Qrels
from qrelsmith.estimation.sample import SampledDocs, sample
from qrelsmith.estimation.sample_files import SampleRows, sample_rows
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.group_labels import label_set_of
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.web.core.assignments import import_assignments
from qrelsmith.web.core.closing import close_assignment
from qrelsmith.web.core.database import writing
from qrelsmith.web.models import Assignment
from qrelsmith.web.project import current_instance
from qrelsmith.web.sampling.state import SampleSources, keep_problem, keep_state
from qrelsmith.web.tables.event_table import all_events
from qrelsmith.web.tables.judged import judgments_from

# The name of a wave's assignments, visible to assessors; it does not reveal the purpose.
PART = "part-"
_ORDERING = "randomised"
_LOCK = Lock()
_log = logging.getLogger(__name__)


def advance_sample(campaign: Campaign) -> None:
    """Draw and assign the next wave if all earlier waves are judged and judging has not ended.

    Raises
    ------
    InputError, UsageError
        If a file is invalid, or no sample can be drawn for these runs.
    """
    settings = campaign.sampling
    if settings is None:
        return
    with _LOCK:
        sources = _sources(campaign, settings)
        rows = None if campaign.sample is None else sample_rows(campaign.sample)
        if rows is None:
            rows = _draw(campaign, settings, sources, None, None)
        while rows is not None:
            _queue(campaign, settings, rows)
            if not _is_judged(rows):
                return
            people = _labels(settings.group)
            ended = keep_state(campaign, settings, sources, rows, people)
            _close()
            rows = None if ended else _draw(campaign, settings, sources, rows, people)


def follow_sample(assignment: Assignment) -> None:
    """Continue the sample after a judgment, if it was the last judgment of its assignment.

    The judgment is kept even if this fails; the organisers' page shows the error.
    """
    campaign = current_instance().campaign
    if campaign.sampling is None or not assignment.hit.startswith(PART):
        return
    waiting = Assignment.objects.filter(hit=assignment.hit, judged__lt=F("total"))
    if waiting.exists():
        return
    resume_sample(campaign)


def resume_sample(campaign: Campaign) -> None:
    """Continue the sample, but keep errors after the first wave for the organisers' page.

    Raises
    ------
    InputError, UsageError
        If the first wave cannot be drawn.
    """
    try:
        advance_sample(campaign)
    except QrelsmithError as error:
        if not Assignment.objects.filter(hit__startswith=PART).exists():
            raise
        _log.warning("the sample cannot be continued: %s", error)
        keep_problem(str(error))


def _sources(campaign: Campaign, settings: SampleJudging) -> SampleSources:
    """Return the labels and runs for drawing the sample; model labels are read from files."""
    labels = CampaignLabels(campaign) if campaign.qrels else None
    measure = settings.measure or next(iter(campaign.measures), "nDCG@10")
    return SampleSources(labels, list(campaign.runs), measure, campaign.scale)


def _draw(
    campaign: Campaign,
    settings: SampleJudging,
    sources: SampleSources,
    rows: SampleRows | None,
    people: Qrels | None,
) -> SampleRows | None:
    """Draw the next wave, and return the updated sample; None if the budget is used up."""
    left = settings.budget - (0 if rows is None else len(rows.keys))
    drawn: SampledDocs = sample(
        sources.labels,
        sources.runs,
        sources.measure,
        budget=settings.budget,
        after=None if rows is None else SampledDocs(rows_drawn=rows, wave=rows.waves),
        judgments=people,
        wave=None if rows is None else min(settings.wave or left, left),
        focus=settings.focus,
        scale=sources.scale,
        seed=campaign.seeds.get("sample", 0),
    )
    if rows is not None and len(drawn.rows_drawn.keys) == len(rows.keys):
        return None
    write_text(campaign.folder / "sample.csv", drawn.table().text("csv"))
    return drawn.rows_drawn


def _queue(campaign: Campaign, settings: SampleJudging, rows: SampleRows) -> None:
    """Assign the docs of the latest wave by topic to assessors of the group."""
    group, wave = campaign.groups[settings.group], rows.waves
    if not group.assessors:
        raise UsageError(
            f"the group {quoted(settings.group)} has no assessors; expected at least one"
            " to judge the sample"
        )
    docs: dict[str, list[str]] = {}
    for (topic, doc), number in zip(rows.keys, rows.wave.tolist(), strict=True):
        if number == wave:
            docs.setdefault(topic, []).append(doc)
    seed = campaign.seeds.get("sample", 0)
    plan = GroupPlan(settings.group, group.assessors, _ORDERING, group.per_doc or 1)
    dealt = assign_topics(shuffle(docs, seed=seed, keys=["sample", wave]), plan, seed=seed + wave)
    planned = [
        replace(
            one,
            hit=f"{PART}{wave}",
            docs=tuple(shuffle(docs[one.topic], seed=one.seed, keys=["sample"])),
        )
        for one in dealt
    ]
    import_assignments(planned, None)


def _is_judged(rows: SampleRows) -> bool:
    """Return whether all assignments of the latest wave are done."""
    newest = Assignment.objects.filter(hit=f"{PART}{rows.waves}")
    return not newest.filter(judged__lt=F("total")).exists()


def _close() -> None:
    """Close the current waves to judgments."""
    done = Assignment.objects.filter(hit__startswith=PART, is_open=True)
    for key in done.values_list("pk", flat=True):
        with writing():
            close_assignment(key)


def _labels(group: str) -> Qrels:
    """Return the current labels of a group's assessors."""
    judgments = judgments_from(all_events()).by_group()
    return label_set_of(judgments[group], group)
