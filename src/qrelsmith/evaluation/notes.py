"""What a reader of the scores must know, in words."""

from __future__ import annotations

from typing import Literal

from qrelsmith.data.judged import JudgedRun
from qrelsmith.data.qrels import Qrels
from qrelsmith.errors import quoted
from qrelsmith.evaluation.scorer import Scorer
from qrelsmith.scales import grade_text

TopicRule = Literal["qrels", "intersection"]


class Notes:
    """What a reader of the scores must know, gathered run by run."""

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
        self._lacking: list[tuple[str, int]] = []
        self._other = 0

    def add(self, run: JudgedRun) -> None:
        """Take note of a run."""
        lacking = int((run.retrieved < 0).sum())
        if lacking == len(self._qrels.topics):
            self._texts.append(f"run {quoted(run.name)} has none of the qrels' topics")
        elif lacking:
            self._lacking.append((run.name, lacking))
        self._other = max(self._other, run.other_topics)

    def texts(self) -> list[str]:
        """The notes, a sentence each."""
        texts = list(self._texts)
        if self._lacking:
            name, count = max(self._lacking, key=lambda pair: pair[1])
            texts.append(
                f"runs that lack topics of the qrels and {self._missing}: {len(self._lacking)}"
                f" (most: {quoted(name)}, {count} of {len(self._qrels.topics)} topics)"
            )
        if self._other:
            texts.append(f"further topics of a run, passed over: {self._other}")
        return texts
