"""Table 10: rankings under different label sets over the same topics."""

from __future__ import annotations

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import CAREFUL, GOLD, HASTY, JudgedCollection
from qrelsmith_papers.judging_order.dl2021 import MISSING, dl2021
from qrelsmith_papers.judging_order.judged import files_read, judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.published_rankings import TABLE_10
from qrelsmith_papers.judging_order.similarity import (
    DEEP,
    SHALLOW,
    Taus,
    in_words,
    mean_tau,
    ranking_taus,
    taus_beside,
)

_KEY = "table10"
_PAIRS = ((GOLD, HASTY), (GOLD, CAREFUL), (HASTY, CAREFUL))


@ORDERING.add(
    _KEY,
    kind=kind_of_labels,
    reads=files_read,
    sized=True,
    deviation=(
        "Half of the topics say little of measures that look at few docs; other campaigns of "
        "the same design come out otherwise."
    ),
)
def table10(inputs: StudyInputs) -> Section:
    """τ between rankings under Gold, BronzeW and BronzeT, over the PRI-Gold topics."""
    campaign, llms = judged_collection(inputs), dl2021(inputs)
    sources = {campaign.short: campaign}
    if llms is not None:
        sources["TREC DL 2021"] = llms.collection
    by_source = {source: _taus(collection) for source, collection in sources.items()}
    return Section(
        key=_KEY,
        title="Table 10: rankings by label set",
        paragraphs=(
            f"Over the {len(campaign.first_topics[1])} PRI-Gold topics, and over all topics of TREC"
            " DL 2021.",
            llms.note() if llms is not None else MISSING,
        ),
        tables=(
            NamedTable(
                _KEY,
                "Kendall's τ, in the paper and here",
                taus_beside(TABLE_10, by_source),
                "Fieller's 95 % interval.",
            ),
        ),
        findings=tuple(
            finding
            for source, collection in sources.items()
            for finding in _claims(collection, by_source[source])
        ),
    )


def _taus(collection: JudgedCollection) -> Taus:
    _, topics = collection.first_topics
    return ranking_taus(collection, {f"{a}, {b}": ((a, topics), (b, topics)) for a, b in _PAIRS})


def _claims(collection: JudgedCollection, taus: Taus) -> tuple[Finding, ...]:
    of = {
        column: {measure: row[column] for measure, row in taus.items()}
        for column in (f"{GOLD}, {HASTY}", f"{GOLD}, {CAREFUL}")
    }
    hasty, careful = of.values()
    closer = [measure for measure in taus if careful[measure].tau > hasty[measure].tau]
    deep, shallow = mean_tau(taus, DEEP), mean_tau(taus, SHALLOW)
    return (
        collection.claim(
            len(closer) == len(taus),
            "The paper: by every measure BronzeT ranks the systems more as Gold does than BronzeW"
            f" does. On {collection.name}, with BronzeT: {in_words(careful)}; with BronzeW:"
            f" {in_words(hasty)}.",
            section=_KEY,
        ),
        collection.claim(
            deep > shallow,
            "The paper: nDCG and Q rank more stably than nERR and iRBU. On"
            f" {collection.name} their mean τ is {deep:.3f} and {shallow:.3f}.",
            section=_KEY,
        ),
    )
