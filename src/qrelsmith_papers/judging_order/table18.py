"""Table 18: rankings without a team's docs under Gold, BronzeW and BronzeT."""

from __future__ import annotations

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.rankings.leave_team_out import TeamLeftOut
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import GROUPS, PRI, JudgedCollection
from qrelsmith_papers.judging_order.dl2021 import MISSING, dl2021
from qrelsmith_papers.judging_order.judged import files_read, judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.new_systems import (
    compare_without_teams,
    counts_in_words,
    environment_of,
    no_winner,
    obtained_taus,
    printed_taus,
    printed_wins,
    wins,
)
from qrelsmith_papers.judging_order.published_rankings import TABLE_18

_KEY = "table18"


@ORDERING.add(_KEY, kind=kind_of_labels, reads=files_read, sized=True)
def table18(inputs: StudyInputs) -> Section:
    """τ to the full ranking without each team's docs, under every label set."""
    campaign, llms = judged_collection(inputs), dl2021(inputs)
    found = _comparisons(campaign)
    tables = [
        NamedTable(f"{_KEY}-published", "As published", printed_taus(TABLE_18)),
        NamedTable(_KEY, f"On {campaign.name}", obtained_taus(found)),
    ]
    findings = [_claim(campaign, found)]
    if llms is not None:
        labels = _comparisons(llms.collection)
        title = f"On {llms.collection.name}"
        tables.append(NamedTable(f"{_KEY}-dl2021", title, obtained_taus(labels)))
        findings.append(_claim(llms.collection, labels))
    return Section(
        key=_KEY,
        title="Table 18: new systems by label set",
        paragraphs=(
            "Over the PRI-Gold topics, and over all topics of TREC DL 2021. τ-b with Fieller's 95 %"
            " interval; where τ is 1 there is none.",
            llms.note() if llms is not None else MISSING,
        ),
        tables=tuple(tables),
        findings=tuple(findings),
    )


def _comparisons(collection: JudgedCollection) -> list[TeamLeftOut]:
    name, topics = collection.first_topics
    return compare_without_teams(collection, GROUPS, {name: topics})


def _claim(collection: JudgedCollection, found: list[TeamLeftOut]) -> Finding:
    there = printed_wins(TABLE_18, [f"{PRI}-{group}" for group in GROUPS])
    here = wins(found, list(dict.fromkeys(environment_of(row)[0] for row in found)))
    return collection.claim(
        no_winner(here),
        "The paper: whether the kind of assessor matters to new systems is not clear (the highest"
        f" τ, by measure and team: {counts_in_words(there)}). On {collection.name}:"
        f" {counts_in_words(here)}.",
        section=_KEY,
    )
