"""Scores computed by ir_measures, with docs ranked by qrelsmith."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.items import item_parts, subtopic_name
from qrelsmith.base.optional import optional_package
from qrelsmith.base.registry_entries import Named
from qrelsmith.base.scales import Gains
from qrelsmith.collection.judged import JudgedRun
from qrelsmith.collection.qrels import Qrels
from qrelsmith.evaluation.measures import MeasureFunction, looks_at_gains

_EXTRA = "ir_measures"


def number_judgments(qrels: Qrels) -> Qrels:
    """Return qrels with each judgment's index as its grade; codes get numbers below 0."""
    place = np.arange(len(qrels), dtype=np.float64)
    return replace(qrels, grade=np.where(qrels.grade >= 0, place, -1.0 - place))


def places_of(run: JudgedRun) -> list[int]:
    """Return the index of each doc's judgment in a run joined with numbered qrels."""
    places: list[int] = np.where(run.grade >= 0, run.grade, -1.0 - run.grade).astype(int).tolist()
    return places


class OutsideScores:
    """Evaluators of ir_measures for given qrels.

    Parameters
    ----------
    qrels : Qrels
        The labels, with subtopics if there are any.
    docs : Qrels
        One grade for each doc.
    measures : sequence of Named
        The measures.
    gains : Gains or None
        The gain of each grade; None: the grade itself.
    gmax : float
        The gain of the scale's top level.

    Raises
    ------
    MissingDependencyError
        If ir_measures is not installed.
    UsageError
        If a cutoff is missing or a grade is not an integer.
    """

    def __init__(
        self,
        qrels: Qrels,
        docs: Qrels,
        measures: Sequence[Named[MeasureFunction]],
        gains: Gains | None,
        gmax: float,
    ) -> None:
        self._docs = docs
        self._gmax = gmax
        self._labels = ", ".join(measure.label for measure in measures)
        self._package = optional_package(_EXTRA, purpose=self._labels, extra=_EXTRA)
        # One evaluator per measure: pyndeval's evaluator reads the run only for the first of
        # several parameter sets.
        self._evaluators = []
        for measure in measures:
            name = self._package.parse_measure(self._text(measure))
            try:
                held = qrels if measure.entry.about["subtopics"] else docs
                worth = held.grade
                if gains is not None and looks_at_gains(measure):
                    worth = gains.of(held.grade)
                evaluator = self._package.evaluator([name], list(self._qrels(held, worth)))
            except (AssertionError, ValueError, RuntimeError) as error:
                problem = " ".join(str(error).split())
                raise UsageError(f"ir_measures cannot compute {measure.label}: {problem}") from None
            self._evaluators.append(evaluator)

    def note(self) -> str:
        """Return a note on the program that computed the measures."""
        return f"computed by ir_measures {self._package.__version__}: {self._labels}"

    def scores(self, run: JudgedRun) -> FloatArray:
        """Return the scores of a run joined with numbered qrels [measure, topic]."""
        ranked = list(self._ranked_docs(run))
        scores = np.zeros((len(self._evaluators), len(self._docs.topics)))
        for place, evaluator in enumerate(self._evaluators if ranked else ()):
            for metric in evaluator.iter_calc(ranked):
                value = float(metric.value)
                topic = self._docs.topic_index[metric.query_id]
                scores[place, topic] = 0.0 if math.isnan(value) else value
        return scores

    def _ranked_docs(self, run: JudgedRun) -> Iterator[Any]:
        """Yield the docs of a run, topic by topic; unjudged docs are named after their ranks."""
        scored = self._package.ScoredDoc
        first = np.searchsorted(run.topic, np.arange(len(self._docs.topics) + 1)).tolist()
        places, ranks = places_of(run), run.rank.tolist()
        for place, (topic, size) in enumerate(
            zip(self._docs.topics, run.retrieved.tolist(), strict=True)
        ):
            span = slice(first[place], first[place + 1])
            judged = dict(zip(ranks[span], places[span], strict=True))
            for rank in range(1, size + 1):
                judgment = judged.get(rank)
                doc = f" {rank}" if judgment is None else self._doc(judgment)
                yield scored(topic, doc, float(size - rank))

    def _doc(self, judgment: int) -> str:
        return self._docs.docs[int(self._docs.doc[judgment])]

    def _qrels(self, qrels: Qrels, worth: FloatArray) -> Iterator[Any]:
        for (topic, key, _), value in zip(qrels.rows(), worth.tolist(), strict=True):
            doc, aspect = item_parts(key)
            if aspect and not subtopic_name(aspect):
                continue
            if value != int(value):
                raise UsageError(
                    f"ir_measures takes whole-number grades; topic {quoted(topic)} doc"
                    f" {quoted(doc)} has {value:g}"
                )
            yield self._package.Qrel(topic, doc, int(value), subtopic_name(aspect) or "0")

    def _text(self, measure: Named[MeasureFunction]) -> str:
        """Return the name of a measure in the syntax of ir_measures."""
        options: Mapping[str, Any] = measure.parameters
        if "max_rel" in options and options["max_rel"] is None:
            options = {**options, "max_rel": int(self._gmax)}
        # ir_measures rejects 2 in place of 2.0.
        inside = ",".join(
            f"{key}={float(value) if isinstance(measure.entry.parameters[key], float) else value!r}"
            for key, value in options.items()
        )
        cutoff = "" if measure.cutoff is None else f"@{measure.cutoff}"
        return f"{measure.entry.name}({inside}){cutoff}"
