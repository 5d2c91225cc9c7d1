"""Table 1: who judged which topic, from which pool file."""

from __future__ import annotations

from collections import Counter

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judgments.environments import Session, sessions_of
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import (
    GOLD,
    GROUPS,
    ORDERINGS,
    PRI,
    RND,
    JudgedCollection,
)
from qrelsmith_papers.judging_order.judged import judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.published_judging import POOLED, SMALLEST_POOL
from qrelsmith_papers.judging_order.published_topics import TABLE_1
from qrelsmith_papers.judging_order.simulated import NOTE
from qrelsmith_papers.judging_order.www4 import RealLabels, labels_read, www4

_KEY = "table1"


@ORDERING.add(
    _KEY,
    kind=kind_of_labels,
    reads=labels_read,
    sized=True,
    deviation="The campaign is drawn; its design was chosen to come near the paper's numbers.",
)
def table1(inputs: StudyInputs) -> Section:
    """Topics and pool files of the Gold and Bronze assessors."""
    campaign, real = judged_collection(inputs), www4(inputs)
    table = _assignments(campaign)
    sizes = [int(str(row[1])) for row in table.rows]
    tables = [NamedTable(_KEY, f"Topics, pools and assessors of {campaign.name}", table)]
    findings = [_balance(campaign, table)]
    paragraphs = [
        f"Depth {campaign.depth} gives {sum(sizes):,} docs for {len(sizes)} topics, the smallest"
        f" pool has {min(sizes)}; in the paper {POOLED:,} for 50, the smallest {SMALLEST_POOL}."
    ]
    if real is None or not real.is_whole:
        paragraphs.insert(0, NOTE)
        paragraphs.append("Topics, pool types and assessors are dealt as `assign` deals them.")
    if real is not None:
        docs = _docs_of_topics(real)
        tables.append(NamedTable(f"{_KEY}-docs", f"Docs that Gold judged in {real.name}", docs))
        findings.insert(0, _same_docs(real, docs))
    return Section(
        key=_KEY,
        title="Table 1: topics and pool files",
        paragraphs=tuple(paragraphs),
        tables=tuple(tables),
        findings=tuple(findings),
    )


def _assignments(collection: JudgedCollection) -> Table:
    """A row a topic: docs, Gold's assessor and pool, the Bronze assessors."""
    by_group: dict[str, dict[str, Session]] = {name: {} for name in GROUPS}
    for session in sessions_of(collection.judgments).sessions:
        by_group[session.group][session.topic] = session
    docs = Counter(topic for topic, _, _ in collection.label_sets[GOLD].rows())
    gold, *bronze = (by_group[name] for name in GROUPS)
    rows: list[tuple[Cell, ...]] = [
        (
            topic, docs[topic], gold[topic].assessor, ORDERINGS[gold[topic].ordering],
            *(of[topic].assessor for of in bronze),
        )
        for topic in sorted(docs)
    ]  # fmt: skip
    return Table.of(("topic", "docs", GOLD, "pool type for Gold", *GROUPS[1:]), rows)


def _docs_of_topics(real: RealLabels) -> Table:
    docs = Counter(topic for topic, _, _ in real.collection.label_sets[GOLD].rows())
    rows = [(row.topic, row.docs, docs[row.topic]) for row in TABLE_1]
    return Table.of(("topic", "docs, published", "docs, recomputed"), rows)


def _same_docs(real: RealLabels, docs: Table) -> Finding:
    same = sum(published == here for _, published, here in docs.rows)
    every = [int(str(row[2])) for row in docs.rows]
    return real.collection.claim(
        same == len(TABLE_1) and (sum(every), min(every)) == (POOLED, SMALLEST_POOL),
        f"The paper: {POOLED:,} docs, the smallest pool has {SMALLEST_POOL}. In {real.name} the"
        f" docs of {same} of {len(TABLE_1)} topics are as printed, {sum(every):,} in all, the"
        f" smallest pool {min(every)}.",
        section=_KEY,
    )


def _balance(campaign: JudgedCollection, table: Table) -> Finding:
    pools, *work = (Counter(row[place] for row in table.rows) for place in (3, 2, 4, 5))
    spread = [max(counts.values()) - min(counts.values()) for counts in work]
    shares = [
        f"{name} {min(of.values())} to {max(of.values())}"
        for name, of in zip(GROUPS, work, strict=True)
    ]
    return campaign.claim(
        max(spread) <= 1 and abs(pools[PRI] - pools[RND]) <= 1,
        "The paper: half of the Gold topics are PRI and half RND; a Gold assessor has 7 or 8"
        f" topics, a Bronze assessor 10. On {campaign.name}: {pools[PRI]} PRI and {pools[RND]} RND;"
        f" topics an assessor: {', '.join(shares)}.",
        section=_KEY,
    )
