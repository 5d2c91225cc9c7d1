"""Tables 14 and 15: docs with serious disagreement, judged again by Gold (Section 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from qrelsmith.agreement.disagreement.gold_bronze import GoldBronze
from qrelsmith.agreement.disagreement.rejudging import (
    Rejudged,
    rejudged_labels,
    round_docs,
    serious,
)
from qrelsmith.agreement.disagreement.rules import SERIOUS, Rule
from qrelsmith.base.errors import UndefinedError
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.own_consistency import ALL
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.printed_tables import TABLE_15
from qrelsmith_papers.judging_order.simulated import simulated_campaign
from qrelsmith_papers.judging_order.www4 import RealLabels, labels_read, www4

NOTHING = "docs in serious disagreement; the campaign has none"
_ORDERING = "prioritised"


@dataclass(frozen=True, eq=False)
class SecondRound:
    """The list of docs, with their second labels.

    Attributes
    ----------
    collection : JudgedCollection
        The collection.
    listed : GoldBronze
        The docs selected by the rule, on topics that Gold saw prioritised.
    found : Rejudged
        The distribution of the second labels.
    notes : mapping of str to int
        Number of these docs with a note, by assessor and in total; empty without notes.
    """

    collection: JudgedCollection
    listed: GoldBronze
    found: Rejudged
    notes: Mapping[str, int]


def kind_of_second(inputs: StudyInputs) -> c.ClaimKind:
    """Return the kind of numbers computed from second labels."""
    return c.ClaimKind.SIMULATED if _real(inputs) is None else c.ClaimKind.RECOMPUTED


def second_round_of(inputs: StudyInputs) -> SecondRound | None:
    """Return the serious disagreements with Gold's second labels, or None if there are none.

    The second labels are Gold's real labels if available, else simulated labels.
    """
    real = _real(inputs)
    if real is not None and real.second is not None:
        listed = _serious_docs(real.collection)
        found = rejudged_labels(listed, real.second)
        return SecondRound(real.collection, listed, found, _notes(listed, real.second))
    simulated = simulated_campaign(inputs)
    listed = _serious_docs(simulated.collection)
    try:
        _, docs = round_docs(listed)
    except UndefinedError:
        return None
    again = rejudged_labels(listed, simulated.judged_again(docs))
    return SecondRound(simulated.collection, listed, again, {})


def _notes(listed: GoldBronze, second: Judgments) -> dict[str, int]:
    """Count the listed docs with a note, by assessor and in total."""
    wanted, written = set(listed.docs), second.note or ()
    counts = Counter(
        second.assessors[second.assessor[place]]
        for place, note in enumerate(written)
        if note and (second.topics[second.topic[place]], second.docs[second.doc[place]]) in wanted
    )
    return {**counts, ALL: counts.total()} if counts else {}


def _real(inputs: StudyInputs) -> RealLabels | None:
    real = www4(inputs)
    return real if real is not None and real.is_whole and real.second is not None else None


def _serious_docs(collection: JudgedCollection) -> GoldBronze:
    return serious(
        collection.gold_and_bronze.of_orderings([_ORDERING]),
        [Rule.parse(SERIOUS)],
        relevant=collection.relevant,
        high=collection.scale.top,
    )


_LEVELS = (0, 1, 2)
_DEVIATION = "The simulation assumes that a second judgment has half the noise of the first."
# The second labels of each assessor and topic: L0, L1, L2.
_Labels = Mapping[tuple[str, str], tuple[int, ...]]


def _own_labels(again: SecondRound) -> _Labels:
    return {
        (row.assessor, row.topic): tuple(int(row.counts.get(float(n), 0)) for n in _LEVELS)
        for row in again.found.rows
        if row.topic != ALL
    }


def _sums(labels: _Labels) -> dict[str, tuple[int, ...]]:
    """Return the sums of labels by assessor, and in total."""
    by_assessor: dict[str, list[tuple[int, ...]]] = {}
    for (who, _), counts in labels.items():
        by_assessor.setdefault(who, []).append(counts)
    by_assessor[ALL] = list(labels.values())
    return {who: tuple(map(sum, zip(*counts, strict=True))) for who, counts in by_assessor.items()}


def _relevant(labels: _Labels) -> float:
    total = _sums(labels)[ALL]
    return sum(total[1:]) / sum(total)


_TABLE_14: tuple[c.Claim[_Labels], ...] = (
    c.claim(
        "Almost one half of the docs that Gold had called not relevant against both Bronze groups"
        " are relevant or highly relevant after all.",
        ("share of such docs", _relevant, c.within(0.4, 0.6)),
    ),
)
_TABLE_15: tuple[c.Claim[_Labels], ...] = (
    c.claim(
        "For as many as 20 topics of 23 at least one doc was newly recognised as relevant.",
        (
            "share of topics with such a doc",
            lambda labels: float(np.mean([any(counts[1:]) for counts in labels.values()])),
            c.at_least(0.75),
        ),
    ),
)


@ORDERING.add(
    "table14",
    title="Table 14: Gold's second labels",
    claims=_TABLE_14,
    kind=kind_of_second,
    reads=labels_read,
    deviation=_DEVIATION,
)
def table14(inputs: StudyInputs) -> Made:
    """Tabulate Gold's second labels by assessor."""
    again = second_round_of(inputs)
    if again is None:
        return Made(missing=NOTHING)
    printed, obtained = TABLE_15, _own_labels(again)
    rows = [
        (source, who, sum(counts), *counts, *(count / sum(counts) for count in counts), notes)
        for source, labels, noted in (
            ("published", printed, {}),
            (again.collection.short, obtained, again.notes),
        )
        for who, counts in _sums(labels).items()
        for notes in [noted.get(who)]
    ]
    about = (
        f"The list is what the rule finds on the PRI-Gold topics: {SERIOUS}. A simulated second"
        " round keeps the bias and half of the noise of the first look: an assumption, not a"
        " finding. Notes are counted if there are any."
    )
    columns = (
        "source|assessor|rejudged|L0|L1|L2|share of L0|share of L1|share of L2|docs with a note"
    )
    title = f"In the paper and in {again.collection.name}"
    return Made(
        held=[c.on_print(printed), again.collection.hold(obtained)],
        paragraphs=[about],
        tables=[table_of("table14", title, columns, rows)],
    )


@ORDERING.add(
    "table15",
    title="Table 15: second labels by topic",
    claims=_TABLE_15,
    kind=kind_of_second,
    reads=labels_read,
    deviation=_DEVIATION,
)
def table15(inputs: StudyInputs) -> Made:
    """Tabulate Gold's second labels by assessor and topic."""
    again = second_round_of(inputs)
    if again is None:
        return Made(missing=NOTHING)
    printed, obtained = TABLE_15, _own_labels(again)
    return Made(
        held=[c.on_print(printed), again.collection.hold(obtained)],
        paragraphs=["The rows of Table 14, by topic."],
        tables=[
            table_of(
                key,
                title,
                "assessor|topic|rejudged|L0|L1|L2",
                [(*row, sum(counts), *counts) for row, counts in labels.items()],
            )
            for key, title, labels in (
                ("table15-published", "As published", printed),
                ("table15", f"On {again.collection.name}", obtained),
            )
        ],
    )
