"""The artefacts of ordering-gold-bronze: what follows from print, and the small simulated size."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from qrelsmith.base.content import Section, Verdict
from qrelsmith.base.tables import Table
from qrelsmith.studies.registry import StudyInputs, paper_named
from qrelsmith.studies.reproduction import reproduce
from qrelsmith.sweep import Cell
from qrelsmith_papers.judging_order.collection import environment
from qrelsmith_papers.judging_order.draws import claims_of_draw
from qrelsmith_papers.judging_order.published_rankings import printed_intervals
from qrelsmith_papers.judging_order.simulated import simulated_campaign

Make = Callable[..., Section]

# Every table but 13, which holds the topics' texts, and both figures.
NAMES = (
    "topics", "table1", "table2", "table3", "fig1", "table4", "fig2", "table5", "table6", "table7",
    "table8", "table9", "table10", "table11", "table12", "letters", "table14", "table15", "table16",
    "table17", "table18", "intervals", "draws",
)  # fmt: skip


def small(data: Path | None = None, *, seed: int = 0) -> StudyInputs:
    def in_turn(cells: list[Cell]) -> list[Table]:
        return [cell.compute() for cell in cells]

    return StudyInputs(data=data, seed=seed, paper_size=False, sweep=in_turn)


def made(name: str, data: Path | None = None) -> Section:
    section: Section = paper_named("ordering").artefacts.get(name)(small(data))
    return section


def table(section: Section, key: str) -> list[tuple]:
    return list(next(one.table for one in section.tables if one.key == key).rows)


def verdicts(section: Section) -> list[Verdict]:
    return [finding.verdict for finding in section.findings]


@pytest.fixture(scope="module")
def whole() -> dict[str, Section]:
    """All artefacts without any data set, at the small size."""
    report = reproduce(paper_named("ordering"), small())
    return {section.key: section for section in report.sections}


def test_every_table_and_figure_that_applies_is_there(whole: dict[str, Section]) -> None:
    assert paper_named("ordering").artefacts.names() == NAMES
    assert tuple(whole) == NAMES
    for section in whole.values():
        assert not section.missing
        assert section.findings
        assert {one.section for one in section.findings} == {section.key}
    tables = [one.key for section in whole.values() for one in section.tables]
    figures = [one.key for section in whole.values() for one in section.figures]
    assert len(set(tables)) == len(tables)
    assert len(set(figures)) == len(figures)
    assert {"fig1", "fig2-1"} < set(figures)


def test_what_follows_from_print_holds(whole: dict[str, Section]) -> None:
    first = {name: whole[name].findings[0] for name in ("topics", "table3", "table4", "table5")}
    first |= {name: whole[name].findings[0] for name in ("table8", "table16")}
    for name, finding in first.items():
        assert finding.verdict is Verdict.HOLDS, name
    # Two seeds are not thirty.
    assert verdicts(whole["letters"]) == [Verdict.NOT_COMPARABLE] * 2
    # Section 3.2, and the power that SPEC and statsmodels give: 46 topics, .836 and .833 for 50.
    assert "0.836 (nERR) and 0.833 (iRBU); 46 and 46 topics" in first["topics"].sentence
    assert "10 of the 10 pairs" in first["table4"].sentence
    assert "0.469 (0.469 is printed)" in first["table5"].sentence


def test_one_of_the_printed_intervals_is_a_misprint(whole: dict[str, Section]) -> None:
    rows = table(whole["intervals"], "intervals")
    assert len(rows) == len(list(printed_intervals())) == 71
    assert [row[:4] for row in rows if not row[-1]] == [("17", "RND-Gold-nDCG", "lo-THUIR", 0.961)]
    (finding,) = whole["intervals"].findings
    assert finding.sentence.startswith("70 of the 71 printed intervals follow")


def test_glass_delta_is_printed_without_its_sign(whole: dict[str, Section]) -> None:
    rows = {row[0]: row[1:] for row in table(whole["table3"], "table3-recomputed")}
    # Under PRI labels are corrected more often, and the other times are shorter: all are above 0.
    assert rows["NREJ"][1] == pytest.approx((8.04 - 3.44) / 4.66)
    assert rows["TJ1D"][1] == pytest.approx((65.4 - 41.7) / 47.5)


def test_a_simulated_campaign_is_dealt_as_the_paper_deals(whole: dict[str, Section]) -> None:
    rows = table(whole["table1"], "table1")
    assert len(rows) == 12
    assert sorted(row[3] for row in rows) == ["PRI"] * 6 + ["RND"] * 6
    assert verdicts(made("table1")) == [Verdict.HOLDS]


def test_the_levels_of_all_groups_are_those_of_their_docs(whole: dict[str, Section]) -> None:
    rows = {row[0]: row[1:] for row in table(whole["table2"], "table2")}
    docs = sum(row[1] for row in table(whole["table1"], "table1"))
    # Published and simulated, for Gold, its two orderings, and both Bronze groups.
    assert rows["total"][::2] == (10_333, 5_129, 5_204, 10_333, 10_333)
    simulated_totals = rows["total"][1::2]
    assert simulated_totals[0] == simulated_totals[3] == simulated_totals[4] == docs
    assert simulated_totals[1] + simulated_totals[2] == docs
    for place in range(10):
        assert sum(rows[level][place] for level in ("L0", "L1", "L2")) == rows["total"][place]


def test_the_disagreements_add_up_and_have_their_totals(whole: dict[str, Section]) -> None:
    rows = table(whole["table8"], "table8")
    for part in ("relevant", "not relevant"):
        own = [row[3:] for row in rows if row[0] == part]
        *counted, total, every = own
        for column in range(4):
            assert sum(row[column] for row in counted) == total[column] <= every[column]
    # 1,592 + 3,537 and 1,587 + 3,617 are Table 2's 5,129 and 5,204.
    assert [sum(row[4 - 1 + side] for row in rows[-2:]) for side in (0, 1)] == [5_129, 5_204]


def test_rankings_over_disjoint_topics_and_under_other_labels(whole: dict[str, Section]) -> None:
    for name in ("table9", "table10"):
        rows = table(whole[name], name)
        assert len(rows) == 4 * 3 * 2
        for *_, tau, low, high in rows:
            assert math.isnan(low) or low <= tau <= high
    assert table(whole["table9"], "table9")[0] == (
        "nDCG", "Gold", "published", 0.621, 0.363, 0.791,
    )  # fmt: skip


def test_rows_of_consistency_come_with_letters(whole: dict[str, Section]) -> None:
    for name, conditions in (("table11", 8), ("table12", 12)):
        rows = table(whole[name], name)
        assert [row[0] for row in rows] == list("abcdefghijkl"[:conditions])
        assert [row[3] for row in rows] == sorted((row[3] for row in rows), reverse=True)
        assert len(table(whole[name], f"{name}-published")) == conditions
    assert {row[1] for row in table(whole["table12"], "table12")} == {
        "PRI-Gold", "PRI-BronzeW", "PRI-BronzeT",
    }  # fmt: skip


def test_table_14_is_the_sum_of_table_15(whole: dict[str, Section]) -> None:
    published = [row for row in table(whole["table14"], "table14") if row[0] == "published"]
    # The paper's last row: 218 rejudged, 53.2 %, 31.2 % and 15.6 %.
    assert published[-1][2:6] == (218, 116, 68, 34)
    assert published[-1][6:] == pytest.approx((0.532, 0.312, 0.156), abs=5e-4)
    obtained = [row for row in table(whole["table14"], "table14") if row[0] == "simulated"]
    by_topic = table(whole["table15"], "table15")
    assert obtained[-1][2:6] == tuple(sum(row[place] for row in by_topic) for place in range(2, 6))
    assert len(table(whole["table15"], "table15-published")) == 23


def test_dropping_a_teams_docs_leaves_the_rest(whole: dict[str, Section]) -> None:
    rows = table(whole["table16"], "table16")
    docs = sum(row[1] for row in table(whole["table1"], "table1"))
    for _, _, unique, pri, rnd, left, *_ in rows:
        assert left == docs - unique
        assert pri + rnd <= unique
    assert {row[2] for row in table(whole["table17"], "table17")} == {r[0] for r in rows}
    assert len(table(whole["table18"], "table18")) == 3 * 4 * 4


def test_claims_about_the_simulated_campaign_are_looked_at_in_other_draws(
    whole: dict[str, Section],
) -> None:
    rows = table(whole["draws"], "draws")
    assert {row[3] for row in rows} == {2}
    assert all(0 <= row[2] <= 2 for row in rows)
    # Those that are about print or about a data set are not among them.
    assert {row[0] for row in rows}.isdisjoint({"intervals", "letters", "topics", "draws"})
    again = [claims_of_draw(paper_size=False, number=number, seed=0) for number in (0, 1)]
    assert [row[:2] for row in again[0].rows] == [row[:2] for row in rows]
    held = [sum(row[2] for row in pair) for pair in zip(*(one.rows for one in again), strict=True)]
    assert held == [row[2] for row in rows]


def test_another_seed_is_another_campaign_and_the_same_one_the_same() -> None:
    first, again, other = (simulated_campaign(small(seed=seed)) for seed in (0, 0, 1))
    assert first.collection.judgments.grade.tolist() == again.collection.judgments.grade.tolist()
    assert first.collection.judgments.grade.tolist() != other.collection.judgments.grade.tolist()


def test_environments_have_the_names_of_the_paper() -> None:
    names = ("Gold/prioritised", "Gold/randomised", "BronzeT/prioritised", "Gold", "Gold/docno")
    assert list(map(environment, names)) == [
        "PRI-Gold", "RND-Gold", "PRI-BronzeT", "Gold", "docno-Gold",
    ]  # fmt: skip
