"""Verdicts at a small size, reasons for deviations, and the index of all papers."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.base.content import Finding, NamedTable, Section, Verdict
from qrelsmith.base.tables import Table
from qrelsmith.studies.claims import (
    DRAWS,
    ClaimKind,
    at_small_size,
    claim,
    of_kind,
    totals,
    with_draws,
)
from qrelsmith.studies.overview import overview
from qrelsmith.studies.registry import PAPERS, StudyInputs, paper_named
from qrelsmith.studies.reproduction import reproduce

YES, NO = True, False


def inputs(*, paper_size: bool = False, data: Path | None = None) -> StudyInputs:
    return StudyInputs(
        data=data,
        seed=0,
        paper_size=paper_size,
        sweep=lambda cells: [cell.compute() for cell in cells],
    )


def test_nothing_made_at_a_small_size_is_comparable_but_what_has_none() -> None:
    section = Section(
        "a",
        "A",
        findings=(
            claim(YES, "it may hold by luck", section="a"),
            claim(NO, "the size may be to blame", section="a"),
            claim(NO, "the paper is wrong", section="a", any_size=True),
            Finding("published", Verdict.FACT, "a fact", "a"),
        ),
    )
    verdicts = [finding.verdict for finding in at_small_size(section).findings]
    assert verdicts == [
        Verdict.NOT_COMPARABLE,
        Verdict.NOT_COMPARABLE,
        Verdict.DIFFERS,
        Verdict.FACT,
    ]


@pytest.mark.parametrize(
    ("paper", "artefact"),
    [
        ("pdp", "example"),
        ("ordering", "topics"),
        ("ordering", "intervals"),
        ("topk", "table2"),
        ("topk", "fig5"),
        ("topk", "fig7"),
        ("topk", "fig8"),
    ],
)
def test_artefacts_without_a_size_say_the_same_at_both(
    shared: Path, paper: str, artefact: str
) -> None:
    study = paper_named(paper)
    assert not study.artefacts.get(artefact).entry.about.get("sized", False)
    made = [
        reproduce(study, inputs(paper_size=size, data=shared / "data"), artefacts=[artefact])
        for size in (False, True)
    ]
    assert made[0].findings() == made[1].findings()
    assert made[0].findings()


def test_every_artefact_that_knows_its_size_is_marked() -> None:
    """Those that read the size in their own file; the others through what they share."""
    for key in PAPERS.names():
        for entry in paper_named(key).artefacts.entries():
            names = entry.function.__code__.co_names
            assert "paper_size" not in names or entry.about.get("sized"), (key, entry.name)


def test_a_simulated_claim_says_in_how_many_draws_it_comes_out() -> None:
    simulated = ClaimKind.SIMULATED
    drawn = NamedTable(DRAWS, "", Table.of(("artefact", "claim", "campaigns", "of"),
                                           [("a", "it holds.", 3, 20)]))  # fmt: skip
    claims = (
        claim(YES, "The paper: it holds. On the simulated campaign too.", section="a"),
        claim(YES, "The paper: another.", section="a"),
        claim(YES, "The paper: it holds. In print.", section="a", kind=ClaimKind.FROM_PRINT),
    )
    sections = with_draws(
        [of_kind(Section("a", "A", findings=claims), simulated), Section("d", "D", tables=(drawn,))]
    )
    kinds = [finding.kind for finding in sections[0].findings]
    assert kinds == ["simulated (3 of 20 draws)", "simulated (one draw)", "from print"]
    assert [row for row in totals(sections[0].findings).rows if any(row[1:])] == [
        ("from print", 1, 0, 0),
        ("simulated", 2, 0, 0),
    ]


def test_every_artefact_says_the_kind_of_its_claims() -> None:
    for key in PAPERS.names():
        for entry in paper_named(key).artefacts.entries():
            kind = entry.about["kind"]
            assert isinstance(kind if isinstance(kind, ClaimKind) else kind(inputs()), ClaimKind), (
                entry.name
            )


def test_a_deviation_is_explained_in_its_section() -> None:
    (section,) = reproduce(paper_named("pdp"), inputs(), artefacts=["example"]).sections
    assert section.paragraphs[-1].startswith("Why it comes out otherwise, where it does: The paper")
    (other,) = reproduce(paper_named("ordering"), inputs(), artefacts=["topics"]).sections
    assert not any("otherwise, where it does" in paragraph for paragraph in other.paragraphs)
    (lacking,) = reproduce(paper_named("pdp"), inputs(), artefacts=["table2"]).sections
    assert lacking.missing
    assert lacking.paragraphs == ()


def test_the_index_counts_claims_and_leads_to_the_pages() -> None:
    studies = {
        paper_named("pdp"): ["example", "table2"],
        paper_named("ordering"): ["topics", "intervals"],
    }
    reports = {
        study: reproduce(study, inputs(), artefacts=names) for study, names in studies.items()
    }
    index = overview(reports, inputs(), page="reproduction.html")
    assert [section.page for section in index.sections] == [
        "pdp/reproduction.html",
        "ordering/reproduction.html",
    ]
    artefacts, kinds, deviations, claims = (table.table for table in index.sections[0].tables)
    columns = ("artefact", "title", "as published", "differs", "not comparable", "lacks")
    assert artefacts.columns == columns
    assert [row[0] for row in artefacts.rows] == ["example", "table2"]
    assert artefacts.rows[0][2:] == (2, 0, 0, "")
    assert "trec-dl-2021-passage" in str(artefacts.rows[1][5])
    assert [row[0] for row in deviations.rows] == ["example", "table2"]
    assert [row[1:3] for row in claims.rows] == [("as published", "from print")] * 2
    assert ("from print", 2, 0, 0) in kinds.rows
    sentences = [finding.sentence for finding in index.findings()]
    assert sentences[0] == (
        "Evaluating Relevance Judgments with Pairwise Discriminative Power: 2 of 2 claims come out"
        " as published; 1 artefact not run for want of data."
    )
    # One interval is misprinted, which no size mends.
    assert sentences[1].endswith("claims come out as published; 1 comes out otherwise.")
    assert [one.verdict for one in index.findings()] == [Verdict.HOLDS, Verdict.DIFFERS]
    assert index.notices[0].startswith("Made at a small size")


def test_a_paper_without_its_data_is_not_run_and_has_one_box() -> None:
    study = paper_named("topk")
    report = reproduce(study, inputs(), artefacts=["fig4", "table1"])
    assert all(section.missing for section in report.sections)
    (section,) = overview({study: report}, inputs(), page="reproduction.html").sections
    assert section.page == "topk/reproduction.html"
    assert section.tables == ()
    # Both artefacts lack the same, which is said once.
    assert section.missing.count("the data set") == 1
    (finding,) = section.findings
    assert finding.verdict is Verdict.CANNOT_TELL
    assert (
        finding.sentence
        == f"Assessing top-k preferences: not run; needs {section.missing.partition(':')[0]}."
    )
