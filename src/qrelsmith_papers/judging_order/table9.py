"""Table 9: rankings over the PRI topics and over the RND topics."""

from __future__ import annotations

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import CAREFUL, GOLD, GROUPS, HASTY, PRI, RND
from qrelsmith_papers.judging_order.published_rankings import TABLE_9
from qrelsmith_papers.judging_order.similarity import (
    DEEP,
    SHALLOW,
    Taus,
    in_words,
    mean_tau,
    ranking_taus,
    sure,
    taus_beside,
)
from qrelsmith_papers.judging_order.simulated import simulated

_KEY = "table9"


@ORDERING.add(
    _KEY,
    sized=True,
    deviation=(
        "Two halves of the topics of the simulated campaign rank its systems less alike than "
        "those of WWW-4."
    ),
)
def table9(inputs: StudyInputs) -> Section:
    """τ between rankings over the PRI-Gold and the RND-Gold topics, under one label set each."""
    campaign = simulated(inputs).collection
    sets = campaign.topic_sets
    found = ranking_taus(
        campaign, {group: ((group, sets[PRI]), (group, sets[RND])) for group in GROUPS}
    )
    return Section(
        key=_KEY,
        title="Table 9: rankings, PRI and RND topics",
        paragraphs=(
            f"Both rankings are under the same label set, over {len(sets[PRI])} and"
            f" {len(sets[RND])} topics (25 and 24 in the paper). They share no topic; how alike"
            " they are depends on the systems' distances as well, and those of the simulated"
            " systems are not the paper's.",
        ),
        tables=(
            NamedTable(
                _KEY,
                "Kendall's τ, in the paper and in the simulated campaign",
                taus_beside(TABLE_9, {"simulated": found}),
                "Fieller's 95 % interval.",
            ),
        ),
        findings=_claims(found),
    )


def _claims(found: Taus) -> tuple[Finding, ...]:
    of = {group: {measure: row[group] for measure, row in found.items()} for group in GROUPS}
    known = [measure for measure, tau in of[GOLD].items() if sure(tau)]
    steadier = [m for m in found if of[CAREFUL][m].tau > of[HASTY][m].tau]
    deep, shallow = mean_tau(found, DEEP), mean_tau(found, SHALLOW)
    return (
        claim(
            len(known) == len(found),
            "The paper: under Gold the PRI and RND topics rank the systems reasonably alike (τ from"
            " .490 to .621, every interval above 0). On the simulated campaign:"
            f" {in_words(of[GOLD])}; {len(known)} of {len(found)} intervals are above 0.",
            section=_KEY,
        ),
        claim(
            len(steadier) == len(found),
            "The paper: by every measure the two sets of topics rank more alike under BronzeT than"
            f" under BronzeW. On the simulated campaign so by {', '.join(steadier) or 'none'}.",
            section=_KEY,
        ),
        claim(
            deep > shallow,
            "The paper: nDCG and Q rank more stably than nERR and iRBU. On the simulated campaign"
            f" their mean τ is {deep:.3f} and {shallow:.3f}.",
            section=_KEY,
        ),
    )
