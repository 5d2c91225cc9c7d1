"""Table 1: who judged which topic, from which pool file."""

from __future__ import annotations

from collections import Counter

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import CAREFUL, GOLD, HASTY, PRI, RND
from qrelsmith_papers.judging_order.published_judging import POOLED, SMALLEST_POOL
from qrelsmith_papers.judging_order.simulated import NOTE, simulated_campaign

_KEY = "table1"
_POOL = {"prioritised": PRI, "randomised": RND}


@ORDERING.add(
    _KEY,
    sized=True,
    deviation="The campaign is drawn; its design was chosen to come near the paper's numbers.",
)
def table1(inputs: StudyInputs) -> Section:
    """Topics and pool files of the Gold and Bronze assessors."""
    campaign = simulated_campaign(inputs).campaign
    gold, hasty, careful = (
        {one.topic: one for one in campaign.assignments if one.group == group.name}
        for group in campaign.design.groups
    )
    rows = [
        (
            topic, len(pool), gold[topic].assessor, _POOL[gold[topic].ordering],
            hasty[topic].assessor, careful[topic].assessor,
        )
        for topic, pool in zip(campaign.topics, campaign.pools, strict=True)
    ]  # fmt: skip
    columns = ("topic", "docs", GOLD, "pool type for Gold", HASTY, CAREFUL)
    table = Table.of(columns, rows)
    sizes = [len(pool) for pool in campaign.pools]
    return Section(
        key=_KEY,
        title="Table 1: topics and pool files",
        paragraphs=(
            NOTE,
            f"Depth {campaign.design.depth} gives {sum(sizes):,} docs for {len(sizes)} topics, the"
            f" smallest pool has {min(sizes)}; in the paper {POOLED:,} for 50, the smallest"
            f" {SMALLEST_POOL}. Topics, pool types and assessors are dealt as `assign` deals them.",
        ),
        tables=(NamedTable(_KEY, "Topics, pools and assessors of the simulated campaign", table),),
        findings=(_balance(table),),
    )


def _balance(table: Table) -> Finding:
    pools, *work = (Counter(row[place] for row in table.rows) for place in (3, 2, 4, 5))
    spread = [max(counts.values()) - min(counts.values()) for counts in work]
    shares = [f"{min(of.values())} to {max(of.values())}" for of in work]
    return claim(
        max(spread) <= 1 and abs(pools[PRI] - pools[RND]) <= 1,
        "The paper: half of the Gold topics are PRI and half RND; a Gold assessor has 7 or 8"
        f" topics, a Bronze assessor 10. Here: {pools[PRI]} PRI and {pools[RND]} RND; topics an"
        f" assessor: {GOLD} {shares[0]}, {HASTY} {shares[1]}, {CAREFUL} {shares[2]}.",
        section=_KEY,
    )
