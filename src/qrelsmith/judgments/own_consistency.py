"""Consistency of assessors with themselves, on docs that they judged twice, the second time blind.

In ordering-gold-bronze, Gold judges its own docs again if the other groups seriously disagree with
its labels. A random sample of docs shows how often assessors repeat their labels in general.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qrelsmith.base.items import item_parts
from qrelsmith.base.scales import Scale
from qrelsmith.base.tables import Table
from qrelsmith.campaign.aspect_settings import CONTRADICTS
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.judgments.rejudged_rounds import REPEAT, RejudgedRound
from qrelsmith.stats.proportions import wilson_interval

ALL = "all"
CONSISTENCY = ("assessor", "repeats", "same", "higher", "lower", "share", "low", "high")


@dataclass(frozen=True, slots=True)
class OwnConsistency:
    """How often an assessor gives a doc the same grade again.

    Attributes
    ----------
    assessor : str
        The assessor; `all` for all assessors together.
    repeats, same, higher, lower : int
        The number of docs that were graded twice, and the numbers that got the same, a higher and a
        lower grade the second time.
    low, high : float
        95% interval of the share of the same (Wilson) over docs, which are assumed independent.
    """

    assessor: str
    repeats: int
    same: int
    higher: int
    lower: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of the docs that got the same grade."""
        return self.same / self.repeats


def own_consistency(first: Judgments, second: Judgments) -> list[OwnConsistency]:
    """Return the consistency of each assessor who graded docs in both rounds, and of all assessors.

    Parameters
    ----------
    first, second : Judgments
        The two rounds; only latest revisions are used. Codes below 0 are not grades, except for
        aspects that the answer contradicts.

    Returns
    -------
    list of OwnConsistency
        By assessor, `all` last; empty if no doc was graded twice.
    """
    before, after = labels_by_doc(first), labels_by_doc(second)
    counts: dict[str, Counter[int]] = {}
    for key, grade in after.items():
        if not all(_is_grade(key[1], each) for each in (before.get(key, -1.0), grade)):
            continue
        way = (grade > before[key]) - (grade < before[key])
        for assessor in (key[2], ALL):
            counts.setdefault(assessor, Counter())[way] += 1
    ordered = sorted(counts, key=lambda assessor: (assessor == ALL, assessor))
    return [_row(assessor, counts[assessor]) for assessor in ordered]


def _is_grade(item: str, grade: float) -> bool:
    return grade >= 0 or (grade == CONTRADICTS and bool(item_parts(item)[1]))


def _row(assessor: str, ways: Counter[int]) -> OwnConsistency:
    low, high = wilson_interval(ways[0], ways.total())
    return OwnConsistency(assessor, ways.total(), ways[0], ways[1], ways[-1], low, high)


def repeats_in_rounds(
    first: Judgments, rounds: Iterable[RejudgedRound], *, scale: Scale | None
) -> dict[int, list[OwnConsistency]]:
    """Return the consistency of assessors in each round of repeated judgments, by round number.

    A round without labels is left out.
    """
    by_round = {}
    for later in rounds:
        if later.reason == REPEAT and later.judgments is not None:
            rows = own_consistency(first, read_judgments(later.judgments, scale=scale))
            if rows:
                by_round[later.number] = rows
    return by_round


def consistency_table(rows: Sequence[OwnConsistency]) -> Table:
    """Return one row per assessor: assessor, repeats, same, higher, lower, share, low, high."""
    return Table.of(
        CONSISTENCY, [tuple(getattr(row, name) for name in CONSISTENCY) for row in rows]
    )


def labels_by_doc(judgments: Judgments) -> dict[tuple[str, str, str], float]:
    """Return the current label of every topic, doc and assessor, without withdrawn labels."""
    now = judgments.current()
    now = now.select(now.grade != -1)
    return {
        (now.topics[topic], now.docs[doc], now.assessors[assessor]): grade
        for topic, doc, assessor, grade in zip(
            now.topic.tolist(), now.doc.tolist(), now.assessor.tolist(), now.grade.tolist(),
            strict=True,
        )
    }  # fmt: skip
