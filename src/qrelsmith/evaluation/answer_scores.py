"""Scores of answers, computed from arrays of aspect labels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.items import CITATION, citation_aspect, citation_parts, item_parts
from qrelsmith.base.registry_entries import Named
from qrelsmith.base.scales import Scale, assumed_note, grade_text
from qrelsmith.campaign.aspect_settings import CONTRADICTS, CRITERION
from qrelsmith.collection.qrels import Qrels
from qrelsmith.evaluation.answer_scope import AnswerScope
from qrelsmith.evaluation.measures import MEASURES, MeasureFunction
from qrelsmith.evaluation.scores import Evaluation

Labels = Mapping[tuple[str, str], Mapping[str, float]]
"""Grades of aspects by topic and run."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """One aspect of an answer: its id, weight, and question or sentence."""

    aspect: str
    weight: float = 1.0
    group: int = 0
    is_first: bool = False


def score_answers(
    qrels: Qrels, measures: Sequence[str], scope: AnswerScope, *, zero_missing: bool = True
) -> Evaluation:
    """Score the answers of systems by one label set.

    Parameters
    ----------
    qrels : Qrels
        The grades of aspects, or of whole answers, whose grade is then the score.
    measures : sequence of str
        Measures of answers.
    scope : AnswerScope
        The answers and their aspects.
    zero_missing : bool
        Whether a topic without an answer scores 0; otherwise its score is nan.

    Returns
    -------
    Evaluation
        A score is nan if the answer has no aspects, or no judged ones.

    Raises
    ------
    UsageError
        If a measure needs missing answers, or a grade is outside the scale.
    """
    labels: dict[tuple[str, str], dict[str, float]] = {}
    for topic, key, grade in qrels.rows():
        run, aspect = item_parts(key)
        labels.setdefault((topic, run), {})[aspect] = grade
    answers = scope.answers
    runs = sorted({run for _, run in labels} | set(() if answers is None else answers.runs))
    scorer = AnswerLabels(qrels.topics, runs, labels, scope)
    scores = np.stack([scorer.scores(MEASURES.get(name)) for name in measures])
    if answers is not None:
        absent = np.array(
            [
                [(t, r) not in labels and answers.get(t, r) is None for t in qrels.topics]
                for r in runs
            ]
        )
        if absent.any():
            value = 0 if zero_missing else math.nan
            scores[:, absent] = value
            scorer.notes.append(
                f"{int(absent.sum())} answers are missing; their topics have the score {value}"
            )
    return Evaluation(
        measures=tuple(measures),
        systems=tuple(runs),
        topics=qrels.topics,
        scores=scores,
        cutoffs=(),
        ties=np.zeros((0, len(runs)), dtype=np.int64),
        label_set=qrels.name,
        notes=tuple(dict.fromkeys(scorer.notes)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class LaidOutAnswers:
    """The labels that a measure uses.

    Attributes
    ----------
    aspects : tuple of tuple of tuple of str [run][topic][k]
        The aspects that each answer is judged for.
    grades, weights : float array [run, topic, k]
        The grades and weights of the aspects; nan where undefined.
    group : int array [run, topic, k]
        The question or sentence of each aspect.
    first : bool array [run, topic, k]
        Whether an aspect is the first citation of its sentence.
    sentences : int array [run, topic] or None
        Number of sentences per answer, if the measure needs it.
    """

    aspects: tuple[tuple[tuple[str, ...], ...], ...]
    grades: FloatArray
    weights: FloatArray
    group: IntArray
    first: BoolArray
    sentences: IntArray | None

    def scores(self, measure: Named[MeasureFunction], shares: FloatArray) -> FloatArray:
        """Return the scores computed from shares instead of grades [run, topic]."""
        scores: FloatArray = measure(
            shares, self.weights, group=self.group, cited=self.first, sentences=self.sentences
        )
        return scores


class AnswerLabels:
    """Labels of answers, prepared for scoring by several measures."""

    def __init__(
        self, topics: Sequence[str], runs: Sequence[str], labels: Labels, scope: AnswerScope
    ) -> None:
        self._topics, self._runs, self._labels, self._scope = topics, runs, labels, scope
        self._whole = all("" in grades and len(grades) == 1 for grades in labels.values())
        self.notes: list[str] = []

    def scores(self, measure: Named[MeasureFunction]) -> FloatArray:
        """Return the scores of one measure [run, topic]."""
        kind = measure.entry.about["aspects"]
        if self._whole:
            self.notes.append(
                "the scores are the grades of whole answers, because the labels have no aspects"
            )
            at = {(t, r): known[""] for (t, r), known in self._labels.items()}
            rows = [[at.get((t, r), math.nan) for t in self._topics] for r in self._runs]
            return np.array(rows)
        laid = self.lay_out(measure)
        self._note(measure.label, laid.grades, laid.weights)
        return laid.scores(
            measure, laid.grades if kind == CRITERION else self._shares(laid.grades, kind)
        )

    def lay_out(self, measure: Named[MeasureFunction]) -> LaidOutAnswers:
        """Build the arrays of labels that a measure uses."""
        units = self._units(measure, measure.entry.about["aspects"])
        width = max((len(units_of) for row in units for units_of in row), default=0)
        shape = (len(self._runs), len(self._topics), width)
        grades, weights = np.full(shape, np.nan), np.full(shape, np.nan)
        group, first = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=bool)
        for row, run in enumerate(self._runs):
            for column, topic in enumerate(self._topics):
                known = self._labels.get((topic, run), {})
                for place, unit in enumerate(units[row][column]):
                    at = row, column, place
                    grades[at] = known.get(unit.aspect, math.nan)
                    weights[at], group[at], first[at] = unit.weight, unit.group, unit.is_first
        sentences = self._sentences() if measure.entry.name == "CitationRecall" else None
        names = tuple(
            tuple(tuple(unit.aspect for unit in units_of) for units_of in row) for row in units
        )
        return LaidOutAnswers(names, grades, weights, group, first, sentences)

    def _units(self, measure: Named[MeasureFunction], kind: str) -> list[list[list[_Unit]]]:
        """Return the aspects of each answer [run][topic]."""
        if kind == CITATION:
            return [[self._citations(topic, run) for topic in self._topics] for run in self._runs]
        if kind == CRITERION:
            named = _Unit(str(measure.parameters["name"]))
            of_topic = {topic: [named] for topic in self._topics}
        elif self._scope.aspects is None:
            self.notes.append(
                f"no aspects given: every aspect with a label counts as a {kind} of equal weight"
            )
            of_topic = {topic: self._labelled_units(topic) for topic in self._topics}
        else:
            of_topic = {topic: self._declared_units(topic, kind) for topic in self._topics}
            self._check_known()
        return [[of_topic[topic] for topic in self._topics] for _ in self._runs]

    def _declared_units(self, topic: str, kind: str) -> list[_Unit]:
        aspects = self._scope.aspects
        aspects_of_topic = [] if aspects is None else aspects.of(topic, kind)
        questions: dict[str, int] = {}
        return [
            _Unit(
                aspect.aspect,
                aspect.weight
                if aspects is None or kind == "nugget"
                else aspects.question_weight(aspect),
                questions.setdefault(aspect.parent or aspect.aspect, len(questions)),
            )
            for aspect in aspects_of_topic
        ]

    def _labelled_units(self, topic: str) -> list[_Unit]:
        """Return all aspects of the answers to a topic, except citations."""
        names = {
            aspect
            for (of, _), known in self._labels.items()
            for aspect in known
            if of == topic and aspect and citation_parts(aspect) is None
        }
        return [_Unit(name, group=place) for place, name in enumerate(sorted(names))]

    def _citations(self, topic: str, run: str) -> list[_Unit]:
        """Return the citations of an answer, or the labelled citations if the answer is missing."""
        answers = self._scope.answers
        answer = None if answers is None else answers.get(topic, run)
        if answer is not None:
            pairs = list(answer.citations())
        else:
            known = self._labels.get((topic, run), {})
            pairs = sorted(pair for each in known if (pair := citation_parts(each)) is not None)
        seen: set[int] = set()
        units = []
        for sentence, doc in pairs:
            units.append(_Unit(citation_aspect(sentence, doc), 1.0, sentence, sentence not in seen))
            seen.add(sentence)
        return units

    def _sentences(self) -> np.ndarray:
        answers = self._scope.answers
        if answers is None:
            raise UsageError("CitationRecall counts the sentences of answers; expected --answers")
        found = [[answers.get(topic, run) for topic in self._topics] for run in self._runs]
        return np.array(
            [[0 if each is None else len(each.sentences) for each in row] for row in found]
        )

    def _shares(self, grades: FloatArray, kind: str) -> FloatArray:
        """Return grades divided by the scale's top: 0 for a contradiction, nan for other codes."""
        scale = self._scope.scale_of(kind)
        if scale is None:
            top = math.ceil(np.nanmax(grades))
            scale = Scale(tuple(float(level) for level in range(top + 1)))
            self.notes.append(assumed_note(scale))
        on_scale = grades <= scale.top if self._scope.is_between else scale.holds(grades)
        wrong = ~np.isnan(grades) & (grades >= 0) & ~on_scale
        if wrong.any():
            row, column, _ = np.argwhere(wrong)[0]
            grade = grade_text(float(grades[wrong][0]))
            raise UsageError(
                f"the answer of {quoted(self._runs[row])} to the topic"
                f" {quoted(self._topics[column])} has the grade {grade} for a {kind}; expected a"
                f" level of {scale}"
            )
        against = int((grades == CONTRADICTS).sum())
        if against:
            self.notes.append(
                f"{against} labels say that the answer contradicts a {kind}; they count as 0"
            )
        known = np.where(grades < 0, np.where(grades == CONTRADICTS, 0.0, np.nan), grades)
        return known / scale.top

    def _check_known(self) -> None:
        aspects = self._scope.aspects
        unknown = sum(
            bool(aspect) and citation_parts(aspect) is None and aspects.find(topic, aspect) is None
            for (topic, _), known in self._labels.items()
            for aspect in known
        ) if aspects is not None else 0  # fmt: skip
        if unknown:
            self.notes.append(f"{unknown} labels of undeclared aspects are ignored")

    def _note(self, label: str, grades: FloatArray, weights: FloatArray) -> None:
        """Add a note on the number of unjudged aspects."""
        to_judge = ~np.isnan(weights)
        unjudged = int(
            (to_judge & (np.isnan(grades) | ((grades < 0) & (grades != CONTRADICTS)))).sum()
        )
        if unjudged:
            self.notes.append(f"{label}: {unjudged} of {int(to_judge.sum())} labels are missing")
        empty = [
            topic for column, topic in enumerate(self._topics) if not to_judge[:, column].any()
        ]
        if empty:
            shown = ", ".join(empty[:5]) + (", …" if len(empty) > 5 else "")
            self.notes.append(
                f"{label} is undefined in topics with nothing to judge: {len(empty)} ({shown})"
            )
