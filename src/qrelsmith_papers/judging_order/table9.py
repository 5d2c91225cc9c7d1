"""Table 9: rankings over the PRI topics and over the RND topics."""

from __future__ import annotations

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import (
    CAREFUL,
    GOLD,
    GROUPS,
    HASTY,
    PRI,
    RND,
    JudgedCollection,
)
from qrelsmith_papers.judging_order.judged import judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.published_rankings import TABLE_9
from qrelsmith_papers.judging_order.similarity import (
    DEEP,
    SHALLOW,
    Taus,
    in_words,
    is_above_zero,
    mean_tau,
    ranking_taus,
    taus_beside,
)
from qrelsmith_papers.judging_order.www4 import labels_read

_KEY = "table9"


@ORDERING.add(
    _KEY,
    kind=kind_of_labels,
    reads=labels_read,
    sized=True,
    deviation=(
        "Two halves of the topics of the simulated campaign rank its systems less alike than "
        "those of WWW-4."
    ),
)
def table9(inputs: StudyInputs) -> Section:
    """τ between rankings over the PRI-Gold and the RND-Gold topics, under one label set each."""
    campaign = judged_collection(inputs)
    sets = campaign.topic_sets
    taus = ranking_taus(
        campaign, {group: ((group, sets[PRI]), (group, sets[RND])) for group in GROUPS}
    )
    return Section(
        key=_KEY,
        title="Table 9: rankings, PRI and RND topics",
        paragraphs=(
            f"Both rankings are under the same label set, over {len(sets[PRI])} and"
            f" {len(sets[RND])} topics (25 and 24 in the paper). They share no topic; how alike"
            " they are depends on the systems' distances as well, and those of simulated"
            " systems are not the paper's.",
        ),
        tables=(
            NamedTable(
                _KEY,
                f"Kendall's τ, in the paper and in {campaign.name}",
                taus_beside(TABLE_9, {campaign.short: taus}),
                "Fieller's 95 % interval.",
            ),
        ),
        findings=_claims(taus, campaign),
    )


def _claims(taus: Taus, campaign: JudgedCollection) -> tuple[Finding, ...]:
    by_group = {group: {measure: row[group] for measure, row in taus.items()} for group in GROUPS}
    certain = [measure for measure, tau in by_group[GOLD].items() if is_above_zero(tau)]
    steadier = [m for m in taus if by_group[CAREFUL][m].tau > by_group[HASTY][m].tau]
    deep, shallow = mean_tau(taus, DEEP), mean_tau(taus, SHALLOW)
    return (
        campaign.claim(
            len(certain) == len(taus),
            "The paper: under Gold the PRI and RND topics rank the systems reasonably alike (τ from"
            f" .490 to .621, every interval above 0). On {campaign.name}:"
            f" {in_words(by_group[GOLD])}; {len(certain)} of {len(taus)} intervals are above 0.",
            section=_KEY,
        ),
        campaign.claim(
            len(steadier) == len(taus),
            "The paper: by every measure the two sets of topics rank more alike under BronzeT than"
            f" under BronzeW. On {campaign.name} so by {', '.join(steadier) or 'none'}.",
            section=_KEY,
        ),
        campaign.claim(
            deep > shallow,
            f"The paper: nDCG and Q rank more stably than nERR and iRBU. On {campaign.name}"
            f" their mean τ is {deep:.3f} and {shallow:.3f}.",
            section=_KEY,
        ),
    )
