"""Table 12: consistency of rankings under Gold, BronzeW and BronzeT."""

from __future__ import annotations

from qrelsmith.base.content import Finding, Section
from qrelsmith.rankings.ranking_consistency import Consistency
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import (
    CAREFUL,
    GOLD,
    GROUPS,
    HASTY,
    MEASURES,
    JudgedCollection,
)
from qrelsmith_papers.judging_order.dl2021 import MISSING, dl2021
from qrelsmith_papers.judging_order.halves import (
    consistency_of,
    halves_table,
    mean_of,
    outperforms,
    printed_table,
)
from qrelsmith_papers.judging_order.judged import files_read, judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.published_rankings import TABLE_12, TABLE_12_VARIANCE
from qrelsmith_papers.judging_order.similarity import DEEP

_KEY = "table12"


@ORDERING.add(
    _KEY,
    kind=kind_of_labels,
    reads=files_read,
    sized=True,
    deviation="Other topics, systems and assessors; on TREC DL 2021 the groups are LLMs.",
)
def table12(inputs: StudyInputs) -> Section:
    """Mean τ between halves of the PRI topics under each label set, with letters."""
    campaign, llms = judged_collection(inputs), dl2021(inputs)
    found = _consistency(campaign)
    tables = [
        printed_table(f"{_KEY}-published", TABLE_12, TABLE_12_VARIANCE),
        halves_table(_KEY, campaign, found),
    ]
    findings = [*_claims(campaign, found)]
    if llms is not None:
        labels = _consistency(llms.collection)
        tables.append(halves_table(f"{_KEY}-dl2021", llms.collection, labels))
        findings += _claims(llms.collection, labels)
    return Section(
        key=_KEY,
        title="Table 12: consistency by label set",
        paragraphs=(
            "Halves of the PRI-Gold topics, and of all topics of TREC DL 2021.",
            llms.note() if llms is not None else MISSING,
        ),
        tables=tuple(tables),
        findings=tuple(findings),
    )


def _consistency(collection: JudgedCollection) -> Consistency:
    _, topics = collection.first_topics
    return consistency_of(
        collection, [(_name(collection, group), group, topics) for group in GROUPS]
    )


def _name(collection: JudgedCollection, group: str) -> str:
    ordering, _ = collection.first_topics
    return f"{ordering}-{group}" if collection.topic_sets else group


def _claims(collection: JudgedCollection, result: Consistency) -> tuple[Finding, ...]:
    gold, hasty, careful = (_name(collection, group) for group in (GOLD, HASTY, CAREFUL))
    better = [m for m in DEEP if outperforms(result, (careful, m), (gold, m))]
    last = {(row.condition.topic_set) for row in result.rows[-len(MEASURES) :]}
    below = [m for m in MEASURES if outperforms(result, (careful, m), (hasty, m))]
    shown = ", ".join(
        f"{m} {mean_of(result, careful, m):.3f}, {mean_of(result, gold, m):.3f} and"
        f" {mean_of(result, hasty, m):.3f}"
        for m in DEEP
    )
    return (
        collection.claim(
            len(better) == len(DEEP),
            "The paper: by nDCG and Q, rankings under BronzeT are significantly more consistent"
            f" than under Gold. On {collection.name} so by {', '.join(better) or 'neither'}"
            f" (BronzeT, Gold and BronzeW: {shown}).",
            section=_KEY,
        ),
        collection.claim(
            last == {hasty},
            "The paper: the four BronzeW rows are the last. On"
            f" {collection.name} the last four rows are of {', '.join(sorted(last))}.",
            section=_KEY,
        ),
        collection.claim(
            len(below) == len(MEASURES),
            "The paper: by every measure, rankings under BronzeT are significantly more consistent"
            f" than under BronzeW. On {collection.name} so by {', '.join(below) or 'none'}.",
            section=_KEY,
        ),
    )
