"""Inputs of the commands about sampled labels: units, model labels, measures, human labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.rng import digest_key
from qrelsmith.base.scales import Gains, Scale, grade_text, levels_seen
from qrelsmith.collection.qrels import Qrels
from qrelsmith.estimation.answer_units import answer_units
from qrelsmith.estimation.estimates import places_of
from qrelsmith.estimation.fit import Population
from qrelsmith.estimation.linear_measures import LinearMeasure, linear_measure
from qrelsmith.estimation.prediction import FOLDS
from qrelsmith.estimation.sample_files import SampleRows, sample_rows
from qrelsmith.estimation.units import Units, units_of
from qrelsmith.evaluation.answer_options import are_of_answers
from qrelsmith.evaluation.answer_scope import (
    AnswerScope,
    answer_label_sets,
    answer_scope,
    default_measures,
)
from qrelsmith.evaluation.compared_sets import DEFAULT_MEASURE
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.campaign_sources import campaign_folder, campaign_of
from qrelsmith.judgments.run_sources import MeasuresLike, RunsLike, measures_of, runs_of
from qrelsmith.judgments.sources import LabelSets, QrelsLike, label_sets_of, qrels_of
from qrelsmith.judgments.topic_sources import TopicSet, topics_of

if TYPE_CHECKING:
    from qrelsmith.judgments.label_sets import CampaignLabels

_MOST = 11  # most levels of an undeclared scale


@dataclass(frozen=True, slots=True, eq=False)
class EstimationSources:
    """Units, labels and measures that a command about sampled labels uses.

    Attributes
    ----------
    units : Units
        The docs that can be judged.
    label_sets : mapping of str to Qrels
        The labels of models.
    measures : tuple of LinearMeasure
        The measures to estimate.
    scale : Scale
        The levels that people grade on.
    judged : Qrels or None
        Human labels, if there are any.
    judged_path : path or None
        The file of the human labels, for errors.
    notes : tuple of str
        Notes for the reader.
    """

    units: Units
    label_sets: Mapping[str, Qrels]
    measures: tuple[LinearMeasure, ...]
    scale: Scale
    judged: Qrels | None
    judged_path: FilePath | None
    notes: tuple[str, ...]

    def population(self, measure: LinearMeasure, focus: Sequence[str] = ()) -> Population:
        """Return the units as arrays; `focus` names the runs that a sample should separate.

        Raises
        ------
        UsageError
            If there is no such run.
        """
        units = self.units
        folds = [digest_key(0, "fold", topic, doc)[0] % FOLDS for topic, doc in units.keys]
        return Population(
            measure=measure,
            rank=units.rank,
            topic=units.topic,
            topics=len(units.topics),
            labels=[units.grades(qrels) for qrels in self.label_sets.values()],
            fold=np.array(folds, dtype=np.int64),
            focus=tuple(sorted(set(places_of(focus, units.runs)))),
        )

    def places(self, sample: SampleRows) -> IntArray:
        """Return the units of a sample's rows [row].

        Raises
        ------
        InputError
            If a row is not one of the units.
        """
        place = {key: number for number, key in enumerate(self.units.keys)}
        for key, line in zip(sample.keys, sample.lines, strict=True):
            if key not in place:
                raise InputError(
                    f"topic {quoted(key[0])} doc {quoted(key[1])} is not in the pool of these runs"
                    " and label sets; expected the inputs that the sample was drawn with",
                    path=sample.path,
                    line=line,
                )
        return np.array([place[key] for key in sample.keys], dtype=np.int64)

    def levels(self, sample: SampleRows) -> IntArray:
        """Return the human grades of a sample's rows as level indices [row].

        Raises
        ------
        InputError
            If a row has no grade.
        UsageError
            If there are no human labels, or a grade is not on the scale.
        """
        if self.judged is None:
            raise UsageError("expected judgments: human labels of the docs in the sample")
        known = self.judged.to_dict()
        grades = [known.get(topic, {}).get(doc, -1.0) for topic, doc in sample.keys]
        for (topic, doc), grade in zip(sample.keys, grades, strict=True):
            if grade < 0:
                raise InputError(
                    f"topic {quoted(topic)} doc {quoted(doc)} of the sample has no grade; expected"
                    " one for every doc of the sample",
                    path=self.judged_path or self.judged.name,
                )
            if grade not in self.scale.levels:
                raise InputError(
                    f"topic {quoted(topic)} doc {quoted(doc)} has the grade {grade_text(grade)};"
                    f" expected a level of the scale {self.scale}",
                    path=self.judged_path or self.judged.name,
                )
        return np.searchsorted(self.scale.levels, grades)


def sources_of(
    labels: LabelSets | None,
    runs: RunsLike | None,
    measures: MeasuresLike | None,
    *,
    judgments: QrelsLike | None = None,
    label_set: str | Sequence[str] | None = None,
    topic_set: TopicSet | None = None,
    order: str = "trec",
    gains: Gains | None = None,
    scale: Scale | None = None,
    aspects: Any = None,
    answers: Any = None,
) -> EstimationSources:
    """Collect the inputs from the parameters of `sample` and `estimate`.

    Raises
    ------
    InputError
        If a file is malformed.
    UsageError
        If runs or measures are missing, or a label set is unknown.
    """
    chosen = [label_set] if isinstance(label_set, str) else label_set
    campaign = None if labels is None else campaign_of(labels)
    asked = measures_of(measures) if measures is not None else _own(campaign)
    if are_of_answers(asked):
        if runs is not None:
            raise UsageError("measures of answers cannot be used with runs; expected --answers")
        scope = answer_scope(campaign, scale, aspects, answers)
        return _of_answers(campaign, labels, judgments, chosen, asked, scope, topics_of(topic_set))
    levels = scale or (None if gains is None else gains.scale)
    judged: Qrels | None = None
    if campaign is not None:
        names = _by_models(campaign) if chosen is None else chosen
        for name in names:
            campaign.check(name)
        sets = {name: campaign.label_sets[name] for name in names}
        levels = levels or campaign.campaign.scale
        of_people = judgments or (None if campaign.reference in names else campaign.reference)
        if isinstance(of_people, str) and of_people in campaign.label_sets:
            judged, judgments = campaign.label_sets[of_people], None
    else:
        sets = {} if labels is None else label_sets_of(labels)
        unknown = [name for name in chosen or () if name not in sets]
        if unknown:
            raise UsageError(f"unknown label set {quoted(unknown[0])} (choices: {[*sets]})")
        sets = sets if chosen is None else {name: sets[name] for name in chosen}
        if runs is None:
            raise UsageError("no runs given; expected RUN..., or a campaign with runs")
    path = Path(judgments) if isinstance(judgments, str | PathLike) else None
    if judgments is not None:
        judged = qrels_of(judgments, scale=levels)
    notes = []
    if levels is None:
        levels = _assumed_scale(judged, sets)
        if judged is not None:
            notes.append(
                f"the scale is assumed to be {levels}, up to the highest grade in the judgments; to"
                " change it, use --scale"
            )
    terms = tuple(linear_measure(name, levels, gains=gains) for name in dict.fromkeys(asked))
    units = units_of(
        runs_of(campaign if runs is None else runs, order=order),
        sets,
        depth=max(term.depth for term in terms),
        topics=topics_of(topic_set),
        order=order,
    )
    if units.unlabelled:
        notes.append(
            f"{units.unlabelled:,} top docs of the runs are in no label set; these docs can be"
            " drawn, and the missing label is used as a feature"
        )
    if units.other_topics:
        notes.append(
            f"topics of the runs left out because no label set has them: {units.other_topics:,}; to"
            " include them, use --topic-set"
        )
    sets = dict(sorted(sets.items()))  # sums do not depend on the given order
    return EstimationSources(units, sets, terms, levels, judged, path, tuple(notes))


def _of_answers(
    campaign: CampaignLabels | None,
    labels: LabelSets | None,
    judgments: QrelsLike | None,
    chosen: Sequence[str] | None,
    measures: Sequence[str],
    scope: AnswerScope,
    topics: Sequence[str] | None,
) -> EstimationSources:
    """Return the inputs for judging aspects of answers instead of docs."""
    judged: Qrels | None = None
    read = partial(answer_label_sets, several=False, scale=None, off_scale="error")
    if campaign is not None:
        names = _by_models(campaign) if chosen is None else chosen
        sets = {name: campaign.label_sets[name] for name in names}
        if judgments is None and campaign.reference not in names:
            judged = campaign.label_sets[campaign.reference]
        elif isinstance(judgments, str) and judgments in campaign.label_sets:
            judged, judgments = campaign.label_sets[judgments], None
    else:
        sets = {} if labels is None else read(labels)
    path = Path(judgments) if isinstance(judgments, str | PathLike) else None
    if judgments is not None:
        judged = next(iter(read(judgments).values()))
    found = answer_units(measures, sets, judged, scope, topics)
    return EstimationSources(
        found.units, {name: found.with_lowest(qrels) for name, qrels in sorted(sets.items())},
        found.measures, found.scale, None if judged is None else found.with_lowest(judged), path,
        found.notes,
    )  # fmt: skip


def sample_of(source: object, labels: LabelSets | None) -> SampleRows:
    """Return a sample from its file, from the result of `sample`, or from a campaign folder.

    Raises
    ------
    InputError
        If the file is malformed.
    UsageError
        If there is no sample.
    """
    if source is not None:
        return sample_rows(source)
    campaign = None if labels is None else campaign_folder(labels)
    if campaign is None:
        raise UsageError("expected a sample: a path, or the result of sample()")
    if campaign.sample is None:
        raise UsageError(f"{campaign.folder} has no sample.csv; expected a sample")
    return sample_rows(campaign.sample)


def _by_models(campaign: CampaignLabels) -> tuple[str, ...]:
    """Return the model label sets that the campaign declares, to be corrected by human labels.

    If the campaign declares no model label set, return all label sets except a declared reference.
    """
    models = tuple(name for name in campaign.label_sets if campaign.kind(name) == "model")
    if models:
        return models
    return tuple(campaign.label_sets) if campaign.reference_notice else campaign.others


def _own(campaign: CampaignLabels | None) -> Sequence[str]:
    """Return the measures of a campaign."""
    if campaign is None:
        raise UsageError("no measure given; expected one, such as P@10 or nDCG@10")
    return (campaign.campaign.measures or default_measures(campaign) or (DEFAULT_MEASURE,))[:1]


def _assumed_scale(judged: Qrels | None, models: Mapping[str, Qrels]) -> Scale:
    """Return a scale up to the highest human grade or, before judging, the highest model grade.

    Model label sets with many or fractional levels are ignored, because the pilot does not need a
    scale.
    """
    if judged is None:
        grades = [levels_seen(qrels.grade) for qrels in models.values()]
        tops = [max(of) for of in grades if of and len(of) <= _MOST and _whole(of)]
        return _up_to(max(tops, default=1.0))
    if not _whole(judged.grade):
        raise UsageError("the grades in the judgments are not whole numbers; expected --scale")
    return _up_to(float(judged.grade.max()) if len(judged) else 1.0)


def _up_to(top: float) -> Scale:
    return Scale(tuple(float(level) for level in range(max(int(top), 1) + 1)))


def _whole(grades: Sequence[float] | FloatArray) -> bool:
    return bool((np.asarray(grades) == np.round(grades)).all())
