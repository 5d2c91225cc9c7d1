"""Notes for readers of the scores."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Literal

from qrelsmith.base.errors import InputWarning, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.qrels import Qrels
from qrelsmith.evaluation.scorer import ScoredRun, Scorer

MissingTopics = Literal["zero", "drop"]


class EvaluationNotes:
    """Notes for readers of the scores, collected run by run."""

    def __init__(self, qrels: Qrels, missing: MissingTopics, scorer: Scorer) -> None:
        self._qrels = qrels
        self._missing = (
            "score 0 there" if missing == "zero" else "are averaged over their own topics"
        )
        self._texts: list[str] = []
        if scorer.gmax_assumed:
            self._texts.append(
                f"no scale given: the top level is assumed to be {grade_text(scorer.gmax)}, the"
                " highest grade of the qrels"
            )
        if scorer.outside is not None:
            self._texts.append(scorer.outside.note())
        for what, lacking in scorer.without_relevant():
            shown = ", ".join(qrels.topics[topic] for topic in lacking[:5])
            more = ", …" if len(lacking) > 5 else ""
            self._texts.append(
                f"topics without {what}, where every measure of relevance is 0:"
                f" {len(lacking)} of {len(qrels.topics)} ({shown}{more})"
            )
        self._lacking: list[int] = []  # number of topics that each run lacks
        self._others: list[tuple[str, ...]] = []

    def add(self, run: ScoredRun) -> None:
        """Record the missing and extra topics of a run."""
        self._lacking.append(int((run.retrieved < 0).sum()))
        self._others.append(run.others)

    def texts(self, names: Sequence[str]) -> list[str]:
        """Return the notes, one sentence each, with the displayed names of the runs.

        Warn about runs that share no topic with the qrels.
        """
        topics = len(self._qrels.topics)
        named = list(zip(names, self._lacking, self._others, strict=True))
        strange = [(name, others[0]) for name, count, others in named if others and count == topics]
        if strange:
            warnings.warn(self._warning_text(strange), InputWarning, stacklevel=3)
        texts = list(self._texts) if len(strange) < len(named) else []
        texts += [
            f"run {quoted(name)} has none of the qrels' topics"
            for name, lacking, others in named
            if lacking == topics and not others
        ]
        some = [each for each in named if 0 < each[1] < topics]
        if some:
            name, count, _ = max(some, key=lambda each: each[1])
            texts.append(
                f"runs that lack topics of the qrels and {self._missing}: {len(some)}"
                f" (most: {quoted(name)}, {count} of {topics} topics)"
            )
        passed = max((len(others) for _, count, others in named if count < topics), default=0)
        if passed:
            texts.append(f"topics that the qrels lack are ignored: at most {passed} per run")
        return texts

    def _warning_text(self, runs: Sequence[tuple[str, str]]) -> str:
        """Return the warning about runs that share no topic with the qrels."""
        name, topic = runs[0]
        more = f" (nor of {len(runs) - 1} more)" if runs[1:] else ""
        return (
            f"no topic of run {quoted(name)}{more} is in the qrels {quoted(self._qrels.name)}"
            f" (first topics: {quoted(topic)} and {quoted(self._qrels.topics[0])}); are the"
            " columns swapped, or do the topic names differ?"
        )
