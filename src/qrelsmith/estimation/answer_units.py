"""The aspects of answers to judge, and answer measures as sums over aspects.

With complete labels, these measures are linear in the worth of the labels. An aspect's weight is
the score of an answer with the top label for that aspect and the lowest label for all other
aspects. The estimators for docs therefore apply to aspects, with weights in place of rank
discounts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.items import item_key, item_parts
from qrelsmith.base.registry_entries import Named
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.aspect_settings import CONTRADICTS, CRITERION
from qrelsmith.collection.qrels import Qrels
from qrelsmith.estimation.linear_measures import LinearMeasure
from qrelsmith.estimation.units import Units
from qrelsmith.evaluation.answer_scope import AnswerScope
from qrelsmith.evaluation.answer_scores import AnswerLabels, LaidOutAnswers
from qrelsmith.evaluation.measures import MEASURES, MeasureFunction


@dataclass(frozen=True, slots=True, eq=False)
class AnswerUnits:
    """Aspects of answers to judge.

    Attributes
    ----------
    units : Units
        The aspects; `rank` contains indices into the measures' discounts.
    scale : Scale
        The levels on which aspects are judged.
    notes : tuple of str
        Notes for the reader.
    """

    units: Units
    measures: tuple[LinearMeasure, ...]
    scale: Scale
    notes: tuple[str, ...]

    def with_lowest(self, qrels: Qrels) -> Qrels:
        """Return the labels, with the lowest level in place of the code for a contradiction."""
        lowest = self.scale.levels[0]
        return replace(qrels, grade=np.where(qrels.grade == CONTRADICTS, lowest, qrels.grade))


def answer_units(
    measures: Sequence[str],
    label_sets: Mapping[str, Qrels],
    judged: Qrels | None,
    scope: AnswerScope,
    topics: Sequence[str] | None,
) -> AnswerUnits:
    """Return the aspects that the given answer measures use.

    Parameters
    ----------
    measures : sequence of str
        Measures of one kind of aspect.
    label_sets, judged
        The labels of models and of people.
    scope : AnswerScope
        The answers and their aspects.
    topics : sequence of str, optional
        Restrict to these topics.

    Raises
    ------
    UsageError
        If the measures use several kinds of aspects, a measure is not a sum over labels, or there
        are no answers.
    """
    named = [MEASURES.get(name) for name in dict.fromkeys(measures)]
    kinds = {_scale_kind(measure) for measure in named}
    if len(kinds) > 1:
        raise UsageError(
            f"the measures use {' and '.join(sorted(kinds))} aspects; expected one kind of aspect"
        )
    (kind,) = kinds
    for measure in named:
        if measure.entry.name == "CitationRecall" and not measure.parameters["first"]:
            raise UsageError(
                f"{measure.label} is not a sum over labels; expected CitationRecall(first=True)"
            )
    labels: dict[tuple[str, str], dict[str, float]] = {}
    for qrels in (*label_sets.values(), *(() if judged is None else (judged,))):
        for topic, key, grade in qrels.rows():
            run, aspect = item_parts(key)
            labels.setdefault((topic, run), {})[aspect] = grade
    answered = () if scope.answers is None else [(each.topic, each.run) for each in scope.answers]
    there = {topic for topic, _ in (*labels, *answered)}
    wanted = there if topics is None else there & set(topics)
    runs = sorted({run for topic, run in (*labels, *answered) if topic in wanted})
    if not runs:
        raise UsageError("found no answers to these topics; expected --answers or --label-set")
    laid_out = AnswerLabels(sorted(wanted), runs, labels, scope)
    grades = [grade for answered in labels.values() for grade in answered.values() if grade >= 0]
    scale = scope.scale_of(kind) or Scale(tuple(map(float, range(int(max(grades)) + 1))))
    laid = [laid_out.lay_out(measure) for measure in named]
    return _units(sorted(wanted), runs, named, laid, scale, tuple(dict.fromkeys(laid_out.notes)))


def _units(
    topics: Sequence[str],
    runs: Sequence[str],
    measures: Sequence[Named[MeasureFunction]],
    laid: Sequence[LaidOutAnswers],
    scale: Scale,
    notes: tuple[str, ...],
) -> AnswerUnits:
    weights: dict[tuple[str, str], list[float]] = {}
    owner: dict[tuple[str, str], int] = {}
    for place, (measure, one) in enumerate(zip(measures, laid, strict=True)):
        worth = _responses(measure, one)
        for row, column, k in np.argwhere(worth > 0).tolist():
            key = topics[column], item_key(runs[row], one.aspects[row][column][k])
            weights.setdefault(key, [0.0] * len(measures))[place] = worth[row, column, k]
            owner[key] = row
    if not weights:
        raise UsageError("found no aspect for these measures; expected --label-set or --aspects")
    keys = tuple(sorted(weights))
    table = sorted({tuple(weights_of) for weights_of in weights.values()})
    code = {weights_of: number for number, weights_of in enumerate(table, start=1)}
    rank = np.zeros((len(runs), len(keys)), dtype=np.int64)
    for place, key in enumerate(keys):
        rank[owner[key], place] = code[tuple(weights[key])]
    used = sorted({topic for topic, _ in keys})
    linear = tuple(
        LinearMeasure(
            label=measure.label,
            discount=np.array([0.0, *(weights_of[place] for weights_of in table)]),
            worth=_worth(measure, scale),
            normalised=False,
            most=scale.top if measure.entry.about["aspects"] == CRITERION else 1.0,
            offset=scale.levels[0] if measure.entry.about["aspects"] == CRITERION else 0.0,
        )
        for place, measure in enumerate(measures)
    )
    at = {topic: number for number, topic in enumerate(used)}
    units = Units(
        runs=tuple(runs), topics=tuple(used), keys=keys,
        topic=np.array([at[topic] for topic, _ in keys], dtype=np.int64), rank=rank,
    )  # fmt: skip
    return AnswerUnits(units, linear, scale, notes)


def _responses(measure: Named[MeasureFunction], laid: LaidOutAnswers) -> FloatArray:
    """Return the score of an answer with the top label for a single aspect [run, topic, k]."""
    if measure.entry.about["aspects"] == CRITERION:
        return np.nan_to_num(laid.weights)
    is_there = ~np.isnan(laid.weights)
    found = np.zeros(laid.weights.shape)
    for k in range(laid.weights.shape[2]):
        shares = np.where(is_there, 0.0, np.nan)
        shares[..., k] = np.where(is_there[..., k], 1.0, np.nan)
        found[..., k] = np.where(is_there[..., k], np.nan_to_num(laid.scores(measure, shares)), 0.0)
    return found


def _worth(measure: Named[MeasureFunction], scale: Scale) -> FloatArray:
    """Return the worth of each level [level]; the lowest level has the worth 0."""
    levels = np.array(scale.levels)
    if measure.entry.about["aspects"] == CRITERION:
        return np.asarray(levels - levels[0])
    strict = bool(measure.parameters.get("strict")) or str(
        measure.parameters.get("variant", "")
    ).endswith("_strict")
    return np.asarray(levels >= scale.top, dtype=np.float64) if strict else levels / scale.top


def _scale_kind(measure: Named[MeasureFunction]) -> str:
    kind: str = measure.entry.about["aspects"]
    return f"{CRITERION}.{measure.parameters['name']}" if kind == CRITERION else kind
