"""The section on docs judged again, with the second labels of the paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import qrelsmith.audit.sections  # noqa: F401 - fills the registry
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.base.content import Section, Verdict
from qrelsmith.campaign.campaign import Campaign, Group, write_campaign_toml
from qrelsmith.judgments.rejudged_rounds import SHOWN, RejudgedRound, write_rejudged_rounds
from qrelsmith_papers.judging_order.printed_tables import TABLE_15

# Table 14 as printed: the number of docs judged again, and of them L0, L1, L2.
TABLE_14 = {
    "AssessorG1": (15, 13, 2, 0), "AssessorG2": (34, 7, 23, 4), "AssessorG3": (93, 65, 16, 12),
    "AssessorG4": (26, 9, 12, 5), "AssessorG5": (4, 0, 1, 3), "AssessorG6": (15, 12, 2, 1),
    "AssessorG7": (31, 10, 12, 9), "all": (218, 116, 68, 34),
}  # fmt: skip


def second_labels() -> Iterator[str]:
    for (assessor, topic), counts in TABLE_15.items():
        grades = [grade for grade, count in enumerate(counts) for _ in range(count)]
        for place, grade in enumerate(grades):
            yield f"{topic},d{place:03},{assessor},{grade}"


def write_rejudged(folder: Path) -> Path:
    """Write the 218 docs with the label L0 in the first round, and their second labels."""
    header = "topic,doc,assessor,grade"
    rows = list(second_labels())
    first = [row.rpartition(",")[0] + ",0" for row in rows]
    first += ["0201,elsewhere,AssessorG1,2", "0201,elsewhere2,AssessorG1,1"]
    (folder / "rejudging").mkdir(parents=True)
    (folder / "judgments.csv").write_text("\n".join([header, *first]) + "\n")
    (folder / "rejudging" / "round-2.csv").write_text("\n".join([header, *rows]) + "\n")
    write_campaign_toml(Campaign(folder=folder, title="x", groups={"gold": Group(role="gold")}))
    return folder


def section(folder: Path) -> Section:
    found: Section = SECTIONS.get("rejudging")(AuditInputs(folder))
    return found


def rows(found: Section, key: str) -> list[tuple]:
    return list(next(table for table in found.tables if table.key == key).table.rows)


def test_the_section_equals_the_printed_table_14(tmp_path: Path) -> None:
    found = rows(section(write_rejudged(tmp_path)), "rejudging-2-assessors")
    assert {row[0]: row[1:5] for row in found} == TABLE_14
    total = found[-1]
    assert [f"{share:.1%}" for share in total[5:]] == ["53.2%", "31.2%", "15.6%"]


def test_the_section_equals_the_printed_table_15(tmp_path: Path) -> None:
    found = rows(section(write_rejudged(tmp_path)), "rejudging-2-topics")
    assert len(found) == 23
    assert {(who, topic): tuple(counts) for who, topic, _, *counts in found} == TABLE_15


def test_docs_that_became_relevant_are_counted(tmp_path: Path) -> None:
    (finding,) = section(write_rejudged(tmp_path)).findings
    assert finding.verdict is Verdict.FACT
    # "almost one half": 102 of 218.
    assert "102 of 218 non-relevant labels became relevant" in finding.sentence
    assert ".468 [.403, .534]" in finding.sentence


def test_the_reason_of_the_round_is_shown(tmp_path: Path) -> None:
    folder = write_rejudged(tmp_path)
    round_ = RejudgedRound(2, None, "disagreement", "gold == 0", "gold", SHOWN, 220)
    write_rejudged_rounds([round_], folder / "rejudging" / "rounds.csv")
    found = section(folder)
    assert found.paragraphs[0] == (
        "Round 2 (opened for disagreement with gold by the rule gold == 0) has 218 of 220 labels."
        " The"
        " assessors saw the labels of the first round."
    )
    assert "with the earlier labels shown" in found.findings[0].sentence


def test_without_later_rounds_the_section_names_the_missing_data(tmp_path: Path) -> None:
    folder = write_rejudged(tmp_path)
    (folder / "rejudging" / "round-2.csv").unlink()
    assert "none exist" in section(folder).missing


def test_other_sections_use_the_first_round(tmp_path: Path) -> None:
    folder = write_rejudged(tmp_path)
    qrels = AuditInputs(folder).label_sets["assessors"]
    assert sum(grade > 0 for *_, grade in qrels.rows()) == 2
    inputs = AuditInputs(folder).inputs()
    assert folder / "rejudging" / "round-2.csv" in inputs


def test_a_round_without_earlier_labels_is_shown_alone(tmp_path: Path) -> None:
    folder = write_rejudged(tmp_path)
    (folder / "qrels").mkdir()
    (folder / "qrels" / "only.qrels").write_text("0201 0 d000 1\n")
    (folder / "judgments.csv").unlink()
    found = section(folder)
    assert [table.key for table in found.tables] == ["rejudging-2-assessors", "rejudging-2-topics"]
    assert found.findings == ()
