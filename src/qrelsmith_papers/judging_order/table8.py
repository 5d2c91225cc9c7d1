"""Table 8: docs about which Gold and Bronze disagree."""

from __future__ import annotations

from collections.abc import Mapping

from qrelsmith.agreement.disagreement.disagreements import (
    ANY,
    NOT_RELEVANT,
    RELEVANT,
    disagreement_counts,
    orderings_compared,
)
from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Cell, Table
from qrelsmith.stats.proportions import ProportionTest, equal_proportions
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import PRI, RND, JudgedCollection
from qrelsmith_papers.judging_order.dl2021 import MISSING, dl2021
from qrelsmith_papers.judging_order.judged import files_read, judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.published_judging import TABLE_8, TABLE_8_TOTALS

_KEY = "table8"
_ALPHA = 0.05
_PRINTED_P = 2.2e-16  # below which R prints no p
_ORDERINGS = ("prioritised", "randomised")

Counts = Mapping[tuple[str, float | None, str, str], tuple[int, int]]


@ORDERING.add(
    _KEY,
    kind=kind_of_labels,
    reads=files_read,
    sized=True,
    deviation=(
        "In the simulated campaign Gold knows nothing of the ordering: what comes out is "
        "chance, and the test takes the docs of a topic for independent."
    ),
)
def table8(inputs: StudyInputs) -> Section:
    """Disagreements of Gold and Bronze by ordering, with the test of equal proportions."""
    campaign, llms = judged_collection(inputs), dl2021(inputs)
    printed = {
        part: equal_proportions(hits[0], totals[0], hits[1], totals[1])
        for part, totals in TABLE_8_TOTALS.items()
        for hits in [next((r.pri, r.rnd) for r in TABLE_8 if r[:3] == (part, None, ANY))]
    }
    tested = {
        row.gold_says: row.test
        for row in orderings_compared(campaign.gold_and_bronze, relevant=campaign.relevant)
    }
    tables = [
        NamedTable(_KEY, f"Docs in the paper and in {campaign.name}", _comparison_table(campaign)),
        NamedTable(
            f"{_KEY}-test",
            "Shares in disagreement under PRI and RND",
            Table.of(
                ("Gold says", "source", f"share {PRI}", f"share {RND}", "p"),
                [
                    (part, source, of[part].first, of[part].second, of[part].p)
                    for part in (RELEVANT, NOT_RELEVANT)
                    for source, of in (("published counts", printed), (campaign.short, tested))
                    if part in of
                ],
            ),
            "Test of equal proportions; docs of a topic are taken for independent, as published.",
        ),
    ]
    if llms is not None:
        tables.append(_without_orderings(llms.collection))
    return Section(
        key=_KEY,
        title="Table 8: disagreements",
        paragraphs=(
            "Gold says relevant, and at least one of the two Bronze groups does not; or Gold says"
            " not relevant, and both do.",
            llms.note() if llms is not None else MISSING,
        ),
        tables=tuple(tables),
        findings=(_printed_claim(printed), *_claims(tested, campaign)),
    )


def _counts(collection: JudgedCollection) -> Counts:
    return {
        (row.gold_says, row.gold, row.bronze, row.ordering): (row.docs, row.of)
        for row in disagreement_counts(
            collection.gold_and_bronze, relevant=collection.relevant, high=collection.scale.top
        )
    }


def _comparison_table(campaign: JudgedCollection) -> Table:
    counts = _counts(campaign)
    rows: list[tuple[Cell, ...]] = []
    for row in TABLE_8:
        obtained = [counts.get((*row[:3], ordering), (0, 0))[0] for ordering in _ORDERINGS]
        level = "any" if row.gold is None else f"L{grade_text(row.gold)}"
        rows.append((row.gold_says, level, row.bronze, row.pri, row.rnd, *obtained))
    for part, totals in TABLE_8_TOTALS.items():
        every = [counts.get((part, None, ANY, ordering), (0, 0))[1] for ordering in _ORDERINGS]
        rows.append((part, "any", "all docs that Gold calls so", *totals, *every))
    columns = (
        "Gold says", "level", "Bronze says", f"{PRI}, published", f"{RND}, published",
        f"{PRI}, {campaign.short}", f"{RND}, {campaign.short}",
    )  # fmt: skip
    return Table.of(columns, rows)


def _without_orderings(collection: JudgedCollection) -> NamedTable:
    rows = [
        (part, "any" if grade is None else grade_text(grade), says, docs, of)
        for (part, grade, says, _), (docs, of) in _counts(collection).items()
    ]
    return NamedTable(
        f"{_KEY}-{collection.key}",
        f"Docs of {collection.name}",
        Table.of(("Gold says", "grade", "Bronze says", "docs", "of"), rows),
        f"Relevant from grade {grade_text(collection.relevant)}, highly relevant from"
        f" {grade_text(collection.scale.top)}. No ordering is known.",
    )


def _printed_claim(printed: Mapping[str, ProportionTest]) -> Finding:
    first, second = printed[RELEVANT], printed[NOT_RELEVANT]
    return claim(
        first.p < _PRINTED_P and second.p >= _ALPHA,
        "From the printed counts of Table 8 the test of equal proportions gives p < 2.2e-16 where"
        f" Gold says relevant ({first.p:.1e}), as printed, and no significance where it does not"
        f" (p = {second.p:.2f}), as printed.",
        section=_KEY,
        kind=ClaimKind.FROM_PRINT,
        any_size=True,
    )


def _claims(
    tested: Mapping[str, ProportionTest], campaign: JudgedCollection
) -> tuple[Finding, ...]:
    claims = []
    for part, expected in ((RELEVANT, True), (NOT_RELEVANT, False)):
        if part not in tested:
            continue
        test = tested[part]
        significant = test.p < _ALPHA and test.first < test.second
        said = (
            "significantly fewer disagreements under PRI than under RND"
            if expected
            else "no significant difference between PRI and RND"
        )
        claims.append(
            campaign.claim(
                significant == expected,
                f"The paper: where Gold says {part}, {said}. On {campaign.name}"
                f" {test.first:.1%} and {test.second:.1%} (p = {test.p:.2g}).",
                section=_KEY,
                of_ordering=True,
            )
        )
    return tuple(claims)
