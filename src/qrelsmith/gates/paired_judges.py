"""A new judge, the current judge and people, on their common docs and topics."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import InputError
from qrelsmith.collection.qrels import Qrels
from qrelsmith.damages.layout import side_by_side
from qrelsmith.stats.population import FEWEST_TOPICS

BASELINE, NEW = 0, 1
_BLOCKS = 400  # blocks of docs, left out in turn if there are too few topics


@dataclass(frozen=True, eq=False)
class PairedJudges:
    """Grades of two judges and of people for the same docs, and scores by all three.

    Attributes
    ----------
    topics : tuple of str
        The topics with a doc that all three graded, sorted.
    topic : int array [doc]
        The topic index of each doc.
    docs : tuple of str [doc]
        The docs, by topic and name.
    people : float array [doc]
        People's grades; the lower median of several grades of a doc.
    means : float array [doc], or None
        The mean of people's grades of each doc, if docs have several.
    grades : float array [judge, doc]
        The grades of the baseline and of the new judge.
    levels : float array [level], or None
        The scale, if declared.
    systems : tuple of str
        The scored systems.
    scores : float array [3, topic, system], or None
        The scores by people, by the baseline and by the new judge; None without runs.
    seed : int
        Seed of the draws of topics.
    lacking : tuple of int
        Number of docs lacking only the baseline's grade, and only the new judge's grade.
    coverage : float array [judge]
        Share of the docs with human labels that each judge graded.
    """

    topics: tuple[str, ...]
    topic: IntArray
    docs: tuple[str, ...]
    people: FloatArray
    grades: FloatArray
    means: FloatArray | None = None
    levels: FloatArray | None = None
    systems: tuple[str, ...] = ()
    scored_topics: tuple[str, ...] = ()
    scores: FloatArray | None = None
    seed: int = 0
    lacking: tuple[int, int] = (0, 0)
    coverage: FloatArray = field(default_factory=lambda: np.ones(2))

    @classmethod
    def of(
        cls, people: Qrels, baseline: Qrels, new: Qrels, *, means: Qrels | None = None
    ) -> PairedJudges:
        """Align two judges with human labels; codes below 0 are treated as missing.

        Raises
        ------
        InputError
            If no doc has grades from all three.
        """
        topics, docs, laid = side_by_side(
            [people, baseline, new, people if means is None else means]
        )
        there = ~np.isnan(laid)
        topic, place = np.nonzero(there.all(axis=0))
        if not topic.size:
            raise InputError(
                "no doc has grades from the new judge, the baseline and people; "
                "expected common topics and docs in the three files"
            )
        used, number = np.unique(topic, return_inverse=True)
        return cls(
            topics=tuple(topics[at] for at in used.tolist()),
            topic=number,
            docs=tuple(docs[t][d] for t, d in zip(topic.tolist(), place.tolist(), strict=True)),
            people=laid[0, topic, place],
            grades=laid[1:3, topic, place],
            means=laid[3, topic, place],
            lacking=(
                int((there[0] & there[2] & ~there[1]).sum()),
                int((there[0] & there[1] & ~there[2]).sum()),
            ),
            coverage=there[1:3, there[0]].mean(axis=1),
        )

    def is_same(self, *, of_runs: bool) -> bool:
        """Return whether both judges gave the same grades, or the same scores."""
        if of_runs:
            return self.scores is not None and bool(np.array_equal(self.scores[1], self.scores[2]))
        return bool(np.array_equal(self.grades[BASELINE], self.grades[NEW]))

    @property
    def over(self) -> str:
        """The population of grade figures: topics if there are at least 8, else docs."""
        return "topics" if len(self.topics) >= FEWEST_TOPICS else "docs"

    @cached_property
    def unit(self) -> IntArray:
        """The jackknife unit of each doc: its topic, or a block of docs."""
        if self.over == "topics":
            return self.topic
        return np.arange(self.topic.size) % min(self.topic.size, _BLOCKS)

    @property
    def units(self) -> int:
        """Number of units."""
        return int(self.unit.max()) + 1

    def notes(self) -> list[str]:
        """Return notes on docs that are not compared, and on the population."""
        notes = [
            f"{count:,} docs are not compared, because the {name} gave no grade"
            for name, count in zip(("baseline", "new judge"), self.lacking, strict=True)
            if count
        ]
        if self.over == "docs":
            notes.append(
                f"intervals are over docs, because there are only {len(self.topics)} topics;"
                f" intervals over topics need at least {FEWEST_TOPICS}"
            )
        return notes
