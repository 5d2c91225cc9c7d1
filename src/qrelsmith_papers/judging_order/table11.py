"""Table 11: consistency of rankings under Gold, over PRI and over RND topics."""

from __future__ import annotations

from qrelsmith.base.content import Section
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import GOLD, MEASURES, PRI, RND
from qrelsmith_papers.judging_order.halves import (
    consistency_of,
    halves_table,
    mean_of,
    outperforms,
    printed_table,
)
from qrelsmith_papers.judging_order.judged import gold_collection, kind_of_gold
from qrelsmith_papers.judging_order.published_rankings import TABLE_11, TABLE_11_VARIANCE
from qrelsmith_papers.judging_order.www4 import labels_read

_KEY = "table11"
_PRI_GOLD, _RND_GOLD = f"{PRI}-{GOLD}", f"{RND}-{GOLD}"


@ORDERING.add(
    _KEY,
    kind=kind_of_gold,
    reads=labels_read,
    sized=True,
    deviation=(
        "Other topics rank with other consistency, as the paper warns; other campaigns of the "
        "same design come out otherwise."
    ),
)
def table11(inputs: StudyInputs) -> Section:
    """Mean τ between halves of the PRI and of the RND topics under Gold, with letters."""
    campaign = gold_collection(inputs)
    result = consistency_of(
        campaign,
        [(f"{name}-{GOLD}", GOLD, topics) for name, topics in campaign.topic_sets.items()],
    )
    better = [m for m in MEASURES if outperforms(result, (_RND_GOLD, m), (_PRI_GOLD, m))]
    shown = ", ".join(
        f"{m} {mean_of(result, _RND_GOLD, m):.3f} and {mean_of(result, _PRI_GOLD, m):.3f}"
        for m in MEASURES
    )
    return Section(
        key=_KEY,
        title="Table 11: consistency under Gold",
        paragraphs=(
            "The PRI and RND topics are others, so that nothing here tells the ordering from the"
            " topics, as the paper says as well.",
        ),
        tables=(
            printed_table(f"{_KEY}-published", TABLE_11, TABLE_11_VARIANCE),
            halves_table(_KEY, campaign, result),
        ),
        findings=(
            campaign.claim(
                {"nDCG", "Q", "nERR"} <= set(better),
                "The paper: RND topics rank more consistently than PRI topics, significantly by"
                f" nDCG, Q and nERR. On {campaign.name}, RND and PRI: {shown}; RND"
                f" significantly more by {', '.join(better) or 'none'}.",
                section=_KEY,
                of_ordering=True,
            ),
        ),
    )
