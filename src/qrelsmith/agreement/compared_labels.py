"""Choice of the labels to compare: label sets of a campaign, or labels of assessors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.scales import Scale, assumed_note
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.given_labels import on_scale
from qrelsmith.judgments.joined_labels import join_labels
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.label_transforms import assumed_scale
from qrelsmith.judgments.sources import check_any, judgments_of, with_files
from qrelsmith.judgments.topic_sources import TopicSet, of_topics, topics_of

Between = Literal["label sets", "assessors"]
Common = Literal["pair", "all"]
# Breakdowns that apply only to assessors; otherwise several label sets of a campaign are compared.
OF_ASSESSORS = ("aspect", "assessor", "group", "group-pair", "environment-pair", "assessor-group")


@dataclass(frozen=True, slots=True, eq=False)
class ComparedLabels:
    """Labels to be compared, with a scale.

    Attributes
    ----------
    between : str
        Whether label sets or assessors are compared.
    judgments : Judgments
        The grades by assessor; each label set counts as an assessor.
    scale : Scale or None
        The given scale, else the campaign's; None: the levels seen.
    empty : mapping of str to str
        Label sets without comparable grades, with the reason.
    notes : tuple of str
        Notes for the reader.
    """

    between: Between
    judgments: Judgments
    scale: Scale | None
    empty: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def compared_labels(
    source: Any,
    *,
    by: str | None,
    label_set: Sequence[Any] = (),
    common: Common = "pair",
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    topic_set: TopicSet | None = None,
) -> ComparedLabels:
    """Return the labels to compare in a question about agreement.

    Parameters
    ----------
    source : Judgments, campaign, paths, frames or qrels
        See `judgments_of`. If a campaign has several label sets, they are compared unless `by`
        requests assessors. If `by` requests assessors, a mapping of names to Judgments gives the
        groups of assessors.
    by : str or None
        The requested breakdown.
    label_set : sequence
        For a campaign, the names of the label sets to use; otherwise files of further label sets.
    common : {'pair', 'all'}
        `pair`: use all topics; `all`: use only topics common to all label sets or assessors.
    scale, off_scale, topic_set
        As in `judgments_of`. Grades outside a campaign's own scale are always treated as missing.

    Raises
    ------
    UsageError
        If there are no labels, a label set is unknown, or no topic is common to all.
    """
    campaign = campaign_of(source)
    if campaign is None:
        if scale is None and off_scale == "missing":
            raise UsageError("--off-scale missing needs --scale")
        if by in OF_ASSESSORS and _is_judgments_by_group(source):
            source = join_labels(source, {name: Path(name) for name in source})
        judgments = judgments_of(with_files(source, label_set), scale=scale, off_scale=off_scale)
        compared = ComparedLabels("assessors", judgments, scale)
    else:
        for name in label_set:
            campaign.check(name)
        names = tuple(dict.fromkeys(label_set)) or tuple(campaign.label_sets)
        of_assessors = by in OF_ASSESSORS or len(names) < 2
        if of_assessors and campaign.judgments is not None:
            compared = _assessors(campaign, names if label_set else (), scale)
        else:
            compared = _label_sets(campaign, names, scale)
        if scale is not None:
            compared = replace(
                compared, judgments=on_scale(compared.judgments, scale, off_scale=off_scale)
            )
    if not compared.empty:
        check_any(compared.judgments, source)
    judgments = (
        of_topics(compared.judgments, topic_set) if len(compared.judgments) else compared.judgments
    )
    notes = list(compared.notes)
    if common == "all":
        judgments = _on_common_topics(judgments)
        notes.append(
            f"compared on the topics that all {compared.between} have: {len(judgments.topics)} of"
            f" {len(_topics(compared.judgments, topic_set))}"
        )
    notes += _note_on_disjoint_topics(judgments)
    assumed = assumed_scale(judgments) if compared.scale is None else None
    notes += [] if assumed is None else [assumed_note(assumed)]
    return ComparedLabels(compared.between, judgments, compared.scale, compared.empty, tuple(notes))


def _is_judgments_by_group(source: Any) -> bool:
    """Return whether the input is a mapping of names to Judgments."""
    values = list(source.values()) if isinstance(source, Mapping) else []
    return bool(values) and all(isinstance(each, Judgments) for each in values)


def _assessors(
    campaign: CampaignLabels, groups: Sequence[str], scale: Scale | None
) -> ComparedLabels:
    """Return the assessors of a campaign, restricted to the named groups if any."""
    judgments = campaign.judgments
    if judgments is None:
        raise InputError(
            "the campaign has no judgments; expected a file judgments.*", path=campaign.folder
        )
    for name in groups:
        if name not in campaign.groups:
            raise UsageError(
                f"the label set {quoted(name)} is not a group of assessors (available: "
                f"{', '.join(campaign.groups)})"
            )
    if groups and judgments.group is not None:
        assessors = {who for name in groups for who in campaign.groups[name].assessors}
        judgments = judgments.restricted_to(assessors=assessors)
    notes = []
    if len(campaign.label_sets) > 1:
        notes.append(
            f"compared: {_count_text(len(judgments.assessors), 'assessor')} of the campaign"
        )
    notes += _off_scale(campaign, groups or tuple(campaign.groups))
    return ComparedLabels("assessors", judgments, scale or campaign.campaign.scale, {}, (*notes,))


def _label_sets(
    campaign: CampaignLabels, names: Sequence[str], scale: Scale | None
) -> ComparedLabels:
    own = campaign.declared_scale(campaign.reference)
    empty = {
        name: "one of the two label sets has a different scale from"
        f" {campaign.scale_text(campaign.reference)}"
        for name in names
        if not campaign.is_on_reference_scale(name)
    }
    sets = {name: campaign.label_sets[name] for name in names if name not in empty}
    notes = []
    if campaign.judgments is not None:
        notes.append(f"compared: {_count_text(len(names), 'label set')} of the campaign")
    if any(len(campaign.groups[name].assessors) > 1 for name in names if name in campaign.groups):
        notes.append(
            "a group has one grade per doc, the lower median, which is the lower grade if a doc has"
            " two; --by group-pair compares the grades of its assessors"
        )
    notes += _off_scale(campaign, names)
    judgments = campaign.once(
        ("judgments of label sets", *sets), lambda: Judgments.from_qrels(sets)
    )
    return ComparedLabels("label sets", judgments, scale or own, empty, tuple(notes))


def _off_scale(campaign: CampaignLabels, names: Sequence[str]) -> list[str]:
    return [text for name, text in campaign.off_scale_sentences().items() if name in names]


def _on_common_topics(judgments: Judgments) -> Judgments:
    """Return the judgments of the topics that every assessor judged."""
    graded = judgments.select(judgments.grade >= 0)
    pairs = set(zip(graded.assessor.tolist(), graded.topic.tolist(), strict=True))
    everybody = len(graded.assessors)
    has = [0] * len(graded.topics)
    for _, topic in pairs:
        has[topic] += 1
    topics = {graded.topics[topic] for topic, count in enumerate(has) if count == everybody}
    if not topics:
        raise UsageError("no topic is in all label sets; expected a common topic, or common='pair'")
    return judgments.restricted_to(topics=topics)


def _note_on_disjoint_topics(judgments: Judgments) -> list[str]:
    """Return a note if no topic has labels of two assessors, otherwise an empty string."""
    who, topic = judgments.assessor, judgments.topic
    if len(judgments.assessors) < 2:
        return []
    pairs = np.unique(topic * len(judgments.assessors) + who)
    if len(pairs) > len(np.unique(topic)):
        return []
    (one, its), (other, others) = (
        (judgments.assessors[code], judgments.topics[topic[who == code].min()])
        for code in np.unique(who)[:2]
    )
    note = (
        f"no topic is in two label sets: the first topic of {one} is {quoted(its)}, that of {other}"
        f" is {quoted(others)}"
    )
    # One assessor per topic is plausible, but fewer docs than topics are not.
    if len(judgments.docs) < len(judgments.topics):
        note += "; are columns swapped?"
    return [note]


def _topics(judgments: Judgments, topic_set: TopicSet | None) -> set[str]:
    chosen = topics_of(topic_set)
    return set(judgments.topics) if chosen is None else set(judgments.topics) & set(chosen)


def _count_text(number: int, what: str) -> str:
    return f"the {number} {what}s" if number != 1 else f"the only {what}"
