"""Table 17: rankings without a team's docs under Gold, over PRI and over RND topics."""

from __future__ import annotations

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import GOLD, PRI, RND
from qrelsmith_papers.judging_order.judged import judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.new_systems import (
    compare_without_teams,
    counts_in_words,
    no_winner,
    obtained_taus,
    printed_taus,
    printed_wins,
    wins,
)
from qrelsmith_papers.judging_order.published_rankings import TABLE_17
from qrelsmith_papers.judging_order.www4 import labels_read

_KEY = "table17"
_ENVIRONMENTS = (f"{PRI}-{GOLD}", f"{RND}-{GOLD}")


@ORDERING.add(_KEY, kind=kind_of_labels, reads=labels_read, sized=True)
def table17(inputs: StudyInputs) -> Section:
    """τ to the full ranking without each team's docs, over the PRI and the RND topics."""
    campaign = judged_collection(inputs)
    comparisons = compare_without_teams(campaign, [GOLD], campaign.topic_sets)
    here, there = wins(comparisons, _ENVIRONMENTS), printed_wins(TABLE_17, _ENVIRONMENTS)
    return Section(
        key=_KEY,
        title="Table 17: new systems under Gold",
        paragraphs=("τ-b with Fieller's 95 % interval; where τ is 1 there is none.",),
        tables=(
            NamedTable(f"{_KEY}-published", "As published", printed_taus(TABLE_17)),
            NamedTable(_KEY, f"On {campaign.name}", obtained_taus(comparisons)),
        ),
        findings=(
            campaign.claim(
                no_winner(here),
                "The paper: whether the ordering matters to new systems is not clear (the higher τ,"
                f" by measure and team: {counts_in_words(there)}). On {campaign.name}:"
                f" {counts_in_words(here)}.",
                section=_KEY,
                of_ordering=True,
            ),
        ),
    )
