"""The input of a search for cuts: labels, a second data set, runs with reference qrels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts import CUT_METHODS, CutSets
from qrelsmith.cuts.cut_rankings import CutRankings
from qrelsmith.cuts.cut_topics import (
    CutTopics,
    Filling,
    aggregated_target,
    candidate_cuts,
    target_levels,
)
from qrelsmith.cuts.label_cuts import CutOptions
from qrelsmith.evaluation import score_runs
from qrelsmith.evaluation.loaded_runs import read_runs
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.label_transforms import ErrorCodes, assumed_scale
from qrelsmith.judgments.run_sources import RunsLike
from qrelsmith.judgments.sources import (
    JudgmentsLike,
    QrelsLike,
    fault,
    judgments_of,
    labels_of,
    qrels_of,
)
from qrelsmith.judgments.topic_sources import TopicSet, of_topics


@dataclass(frozen=True, slots=True, eq=False)
class CutSource:
    """Labels to cut.

    Attributes
    ----------
    judgments : Judgments
        The judgments as read.
    assumed : bool
        Whether the scale was inferred.
    topics : CutTopics
        The labels with target grades by topic or, if requested, by assessor.
    by_assessor : bool
        Whether each assessor has separate cuts.
    """

    judgments: Judgments
    scale: Scale
    assumed: bool
    sets: CutSets
    topics: CutTopics
    by_assessor: bool = False


def cut_source(
    labels: JudgmentsLike,
    *,
    levels: int,
    options: CutOptions,
    target: QrelsLike | JudgmentsLike | None,
    unjudged_nonrelevant: bool,
    docs: Sequence[JudgmentsLike],
    candidates: int | None,
    errors: ErrorCodes,
    label_set: str | None,
    topic_set: TopicSet | None,
    scale: Scale | None,
    off_scale: OffScale,
    by_assessor: bool = False,
) -> CutSource:
    """Return the labels, and the grades on the target scale; see `cut`.

    Raises
    ------
    UsageError
        If the method needs a second data set and there is none, or vice versa.
    InputError
        If a file is malformed, or has no labels.
    """
    if options.needs_target != (target is not None):
        needed = "needs a target" if options.needs_target else "takes no target"
        raise UsageError(f"the method {options.method} {needed}")
    if by_assessor and target is None:
        raise UsageError(
            f"the method {options.method} compares assessors, so all assessors need the same cuts."
            " Cuts by assessor need a method with a target"
        )
    if docs and not unjudged_nonrelevant:
        raise UsageError("the option docs can be used only if unjudged='nonrelevant'")
    campaign = campaign_of(labels)
    judgments = of_topics(_judgments(labels, campaign, label_set, scale, off_scale), topic_set)
    declared = campaign.campaign.scale if campaign is not None and scale is None else scale
    used = declared or assumed_scale(judgments)
    if used is None:
        raise fault("no labels found; expected at least one", labels)
    try:
        sets = CutSets.of(
            used.levels,
            targets=levels,
            candidates=None if candidates is None else candidate_cuts(judgments.grade, candidates),
        )
    except UsageError as error:
        hint = "; --candidates lowers their number" if "sets of" in str(error) else ""
        raise fault(f"{error}{hint}", labels) from None
    filling = _filling(docs, options, used) if unjudged_nonrelevant else None
    grades = None if target is None else _target(target, campaign, levels, options)
    try:
        if by_assessor and grades is not None:
            topics = CutTopics.of_assessors(
                judgments, target=grades, errors=errors, filling=filling
            )
        else:
            topics = CutTopics.of(judgments, target=grades, errors=errors, filling=filling)
    except UndefinedError as error:
        raise fault(error, labels) from None
    return CutSource(judgments, used, declared is None, sets, topics, by_assessor)


def cut_rankings(
    source: CutSource,
    labels: JudgmentsLike,
    runs: RunsLike | None,
    reference: QrelsLike | None,
    *,
    measure: str,
    order: str,
    options: CutOptions,
    jobs: int | None,
) -> tuple[CutRankings | None, list[str]]:
    """Return the runs scored under the reference, and notes; None if τ is not requested.

    If runs or a reference are given, or cuts are selected by τ, missing input comes from a
    campaign.

    Raises
    ------
    UsageError
        If there are runs without a reference, or vice versa.
    InputError
        If a file is malformed.
    """
    campaign = campaign_of(labels)
    if runs is None and reference is None and (campaign is None or options.select != "tau"):
        return None, []
    if campaign is not None:
        runs = campaign if runs is None else runs
        reference = campaign.reference if reference is None else reference
    if runs is None or reference is None:
        raise UsageError("runs or reference is missing; expected both")
    cutoff = MEASURES.get(measure).cutoff
    depth = cutoff if isinstance(cutoff, int) else None
    qrels = qrels_of(_in_campaign(reference, campaign))
    systems = read_runs(runs, order=order, depth=depth, jobs=jobs)
    lacking = sorted(set(source.topics.topics) - set(qrels.topics))
    shared = qrels.restricted_to(source.topics.topics)
    if not len(shared):
        raise fault("the reference and the labels share no topic; expected at least one", reference)
    notes = []
    if lacking:
        notes.append(f"topics without tau, because {qrels.name} lacks them: {', '.join(lacking)}")
    scored = score_runs(shared, systems, [measure], jobs=jobs)
    notes += [f"{qrels.name}: {note}" for note in scored.notes]
    rankings = CutRankings(
        source.topics,
        source.sets,
        systems,
        scored.matrix(measure),
        by=options.by,
        order=options.order,
    )
    return rankings, notes


def _judgments(
    labels: JudgmentsLike,
    campaign: CampaignLabels | None,
    label_set: str | None,
    scale: Scale | None,
    off_scale: OffScale,
) -> Judgments:
    if label_set is None:
        return judgments_of(campaign or labels, scale=scale, off_scale=off_scale)
    held = labels_of(campaign or labels, label_set=label_set, scale=scale, off_scale=off_scale)
    return Judgments.from_qrels({held.name: held}) if isinstance(held, Qrels) else held


def _in_campaign(source: object, campaign: CampaignLabels | None) -> object:
    """Return the campaign's label set named `source`; if there is none, return `source` itself."""
    if campaign is not None and isinstance(source, str) and source in campaign.label_sets:
        return campaign.label_sets[source]
    return source


def _filling(docs: Sequence[JudgmentsLike], options: CutOptions, scale: Scale) -> Filling:
    """Return the grades assigned to unjudged docs."""
    of_docs = CUT_METHODS.get(options.method).entry.about["unit"] == "doc"
    also = {
        (judgments.topics[topic], judgments.docs[doc])
        for source in docs
        for judgments in [judgments_of(source)]
        for topic, doc in zip(judgments.topic.tolist(), judgments.doc.tolist(), strict=True)
    }
    return Filling(
        source=scale.levels[0] if of_docs and options.needs_target else None, also=frozenset(also)
    )


def _target(
    target: QrelsLike | JudgmentsLike,
    campaign: CampaignLabels | None,
    levels: int,
    options: CutOptions,
) -> Qrels:
    """Grades on the target scale, from qrels or aggregated crowd labels."""
    scale = Scale(tuple(map(float, range(levels))))
    try:
        labels = labels_of(_in_campaign(target, campaign), scale=scale)
    except UsageError as error:
        raise UsageError(f"target: {error}") from None
    if isinstance(labels, Qrels):
        return labels
    return target_levels(aggregated_target(labels, by=options.by, name="target"), levels)
