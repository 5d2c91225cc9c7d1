"""A second round, in which Gold rejudges the docs with serious disagreements.

ordering-gold-bronze, section 8 (Tables 14 and 15). The first round is unchanged: each round has its
own pool file and judgments file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.agreement.disagreement.gold_bronze import GoldBronze
from qrelsmith.agreement.disagreement.rules import Rule
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.base.scales import levels_seen
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.own_consistency import ALL, labels_by_doc


@dataclass(frozen=True, slots=True)
class NewLabels:
    """The distribution of an assessor's labels in the second round.

    Attributes
    ----------
    assessor, topic : str
        The assessor and the topic, or `all`.
    rejudged : int
        Number of rejudged docs.
    counts : mapping of float to int
        Number of docs per grade, for every grade of the second round.
    """

    assessor: str
    topic: str
    rejudged: int
    counts: Mapping[float, int]


@dataclass(frozen=True, slots=True)
class Rejudged:
    """The second round, compared with the list of docs to rejudge.

    Attributes
    ----------
    rows : tuple of NewLabels
        One row per assessor and topic, one per assessor (`topic` is `all`), and one for all.
    waiting : int
        Docs of the list that are not yet rejudged.
    strangers : int
        Judgments of docs that are not on the list, which are ignored.
    """

    rows: tuple[NewLabels, ...]
    waiting: int
    strangers: int


def serious(
    labels: GoldBronze, rules: Sequence[Rule], *, relevant: float, high: float
) -> GoldBronze:
    """Return the docs to which at least one rule applies."""
    kept = np.zeros(len(labels.docs), dtype=bool)
    for rule in rules:
        kept |= rule.holds(labels.gold, labels.bronze, relevant=relevant, high=high)
    return labels.select(kept)


def round_docs(listed: GoldBronze) -> tuple[str, dict[str, tuple[str, ...]]]:
    """Return the ordering of a new round, and the docs of each topic in the original order.

    Raises
    ------
    UndefinedError
        If there is no doc.
    UsageError
        If the docs were shown in several orderings; a round has one ordering.
    """
    if not listed.docs:
        raise UndefinedError(
            "no doc fulfils a rule; expected at least one such doc for a new round"
        )
    orderings = sorted(set(listed.orderings))
    if len(orderings) > 1:
        raise UsageError(
            f"{listed.gold_name} was shown these docs in {len(orderings)} orderings "
            f"({', '.join(name or 'none' for name in orderings)}); expected one ordering."
            " Choose one with --ordering"
        )
    known = bool(orderings[0]) and not np.isnan(listed.positions).any()
    docs: dict[str, list[str]] = {}
    for row in listed.in_original_order().tolist() if known else range(len(listed.docs)):
        topic, doc = listed.docs[row]
        docs.setdefault(topic, []).append(doc)
    return orderings[0] if known else "docno", {t: tuple(found) for t, found in docs.items()}


def rejudged_labels(listed: GoldBronze, second: Judgments) -> Rejudged:
    """Return the label distributions of the listed docs in the second round; see `later_labels`."""
    return later_labels(listed.docs, second)


def later_labels(docs: Collection[tuple[str, str]], second: Judgments) -> Rejudged:
    """Return the label distributions of the given docs in a later round.

    Parameters
    ----------
    docs : collection of (str, str)
        Topic and doc of each rejudged item.
    second : Judgments
        The judgments of that round; the latest revision counts.
    """
    now = _current_labels(second)
    wanted = set(docs)
    pairs = [
        (now.topics[topic], now.docs[doc])
        for topic, doc in zip(now.topic.tolist(), now.doc.tolist(), strict=True)
    ]
    on_list = np.array([pair in wanted for pair in pairs], dtype=bool)
    kept = now.select(on_list)
    grades = sorted({*levels_seen(kept.grade), *kept.grade[kept.grade < 0].tolist()})
    return Rejudged(
        rows=tuple(_distributions(kept, grades)),
        waiting=len(wanted - set(pairs)),
        strangers=int((~on_list).sum()),
    )


@dataclass(frozen=True, slots=True)
class LabelChange:
    """The number of labels that changed from one grade to another, or kept the same grade.

    Attributes
    ----------
    before, after : float
        The grade in the first round and in the later one; codes below 0 are not grades.
    """

    before: float
    after: float
    docs: int


def label_changes(first: Judgments, second: Judgments) -> list[LabelChange]:
    """Count labels by old and new grade, for docs that the same assessor judged in both rounds.

    Parameters
    ----------
    first, second : Judgments
        The two rounds; the latest revision counts. Withdrawn labels are ignored.
    """
    before, after = labels_by_doc(first), labels_by_doc(second)
    counts = Counter((before[key], grade) for key, grade in after.items() if key in before)
    return [LabelChange(*grades, docs) for grades, docs in sorted(counts.items())]


def _current_labels(judgments: Judgments) -> Judgments:
    """Return the current labels, without withdrawn labels."""
    now = judgments.current()
    return now.select(now.grade != -1)


def _distributions(judgments: Judgments, grades: Sequence[float]) -> Iterator[NewLabels]:
    for number, assessor in enumerate(judgments.assessors):
        own = judgments.assessor == number
        for topic in np.unique(judgments.topic[own]).tolist():
            yield _label_counts(
                judgments,
                own & (judgments.topic == topic),
                assessor,
                judgments.topics[topic],
                grades,
            )
        yield _label_counts(judgments, own, assessor, ALL, grades)
    yield _label_counts(judgments, np.ones(len(judgments), dtype=bool), ALL, ALL, grades)


def _label_counts(
    kept: Judgments, rows: np.ndarray, assessor: str, topic: str, grades: Sequence[float]
) -> NewLabels:
    own = kept.grade[rows]
    return NewLabels(
        assessor, topic, own.size, {grade: int((own == grade).sum()) for grade in grades}
    )
