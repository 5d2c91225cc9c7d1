"""Notes for readers of the scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from qrelsmith.base.errors import quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.qrels import Qrels
from qrelsmith.evaluation.scorer import ScoredRun, Scorer

TopicRule = Literal["qrels", "intersection"]


class EvaluationNotes:
    """Notes for readers of the scores, gathered run by run."""

    def __init__(self, qrels: Qrels, topics: TopicRule, scorer: Scorer) -> None:
        self._qrels = qrels
        self._missing = (
            "score 0 there" if topics == "qrels" else "are averaged over the topics they have"
        )
        self._texts: list[str] = []
        if scorer.gmax_assumed:
            self._texts.append(
                f"no scale was given: the top level is taken to be {grade_text(scorer.gmax)}, the"
                " highest grade of the qrels"
            )
        for what, lacking in scorer.without_relevant():
            shown = ", ".join(qrels.topics[topic] for topic in lacking[:5])
            more = ", …" if len(lacking) > 5 else ""
            self._texts.append(
                f"topics without {what}, where every measure of relevance is 0:"
                f" {len(lacking)} of {len(qrels.topics)} ({shown}{more})"
            )
        self._lacking: list[int] = []  # how many topics each run lacks
        self._other = 0

    def add(self, run: ScoredRun) -> None:
        """Take note of a run."""
        self._lacking.append(int((run.retrieved < 0).sum()))
        self._other = max(self._other, run.other_topics)

    def texts(self, names: Sequence[str]) -> list[str]:
        """The notes, a sentence each, with the names that the runs go by."""
        texts = list(self._texts)
        topics = len(self._qrels.topics)
        named = list(zip(names, self._lacking, strict=True))
        texts += [
            f"run {quoted(name)} has none of the qrels' topics"
            for name, lacking in named
            if lacking == topics
        ]
        some = [pair for pair in named if 0 < pair[1] < topics]
        if some:
            name, count = max(some, key=lambda pair: pair[1])
            texts.append(
                f"runs that lack topics of the qrels and {self._missing}: {len(some)}"
                f" (most: {quoted(name)}, {count} of {topics} topics)"
            )
        if self._other:
            texts.append(f"further topics of a run, passed over: {self._other}")
        return texts
