"""Claims: their bounds, their verdicts over draws, and their rows in claims.csv."""

from __future__ import annotations

import csv
import io
import math

import pytest

from qrelsmith.base.content import Section, Verdict
from qrelsmith.base.errors import UsageError
from qrelsmith.cli import run
from qrelsmith.studies import claims as c
from qrelsmith.studies.claims import ClaimKind, ClaimOutcome, Difference, Held, JudgedClaim, claim
from qrelsmith.studies.findings import claims_table, findings_of, totals
from qrelsmith.studies.overview import overview
from qrelsmith.studies.registry import paper_named
from qrelsmith.studies.reproduction import reproduce

from .conftest import small

HOLDS, FAILS, OPEN = ClaimOutcome.HOLDS, ClaimOutcome.FAILS, ClaimOutcome.OPEN
NAN = math.nan
ABOVE_0 = claim("it grows.", ("growth", lambda value: value, c.over(0)))


@pytest.mark.parametrize(
    ("wanted", "value", "outcome"),
    [
        (c.over(0), 0.0, FAILS), (c.over(0), 0.1, HOLDS),
        (c.at_least(1), 1.0, HOLDS),
        (c.under(0.05), 0.05, FAILS), (c.at_most(2), 2.0, HOLDS), (c.at_most(2), 2.1, FAILS),
        (c.within(1, 2), 2.0, HOLDS), (c.within(1, 2), 0.9, FAILS), (c.equal_to(57), 80.0, FAILS),
        (c.equal_to(57), 57.0, HOLDS), (c.over(0), NAN, OPEN),
        # A non-significant result alone is open: a test of equivalence is needed.
        (c.alike("1"), Difference(0.1, 0.6, 0.01), HOLDS),
        (c.alike("1"), Difference(0.1, 0.6, 0.2), OPEN),
        (c.alike("1"), Difference(0.1, 0.6, NAN), OPEN),
        (c.alike("1"), Difference(0.1, 3e-4, 0.01), FAILS),
    ],
)  # fmt: skip
def test_the_outcome_of_a_statistic_follows_its_bound(
    wanted: c.Wanted, value: c.Statistic, outcome: ClaimOutcome
) -> None:
    assert wanted.outcome(value) is outcome


def test_a_statistic_of_the_wrong_kind_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"use alike\(\)"):
        c.over(0).outcome(Difference(1, 1, 1))
    with pytest.raises(UsageError, match="expected a Difference"):
        c.alike("1").outcome(0.5)


def test_a_claim_has_the_verdict_of_its_worst_part() -> None:
    one = claim("a.", *(("x", lambda v: v, w) for w in (c.over(0), c.under(2), c.over(1))))
    assert [c.judge(one, value).outcome for value in (1.5, 0.5, NAN)] == [HOLDS, FAILS, OPEN]


def findings(kind: ClaimKind, value: float, *, hits: int = 0, draws: int = 0, printed: float = 1.0,
             paper_size: bool = True, one: c.Claim = ABOVE_0):  # fmt: skip
    held = [Held("the print", ClaimKind.FROM_PRINT, printed), Held("the data", kind, value)]
    drawn = [JudgedClaim((HOLDS,), (1.0,))] * hits + [JudgedClaim((FAILS,), (-1.0,))] * (
        draws - hits
    )
    return findings_of("a", [one], held, [drawn], paper_size=paper_size)


# Wilson's interval is above one half from 15 of 20 draws.
@pytest.mark.parametrize(
    ("hits", "verdict"),
    [
        (15, Verdict.HOLDS),
        (14, Verdict.CANNOT_TELL),
        (6, Verdict.CANNOT_TELL),
        (5, Verdict.DIFFERS),
    ],
)
def test_the_badge_of_a_simulated_claim_is_its_share_of_draws(hits: int, verdict: Verdict) -> None:
    (found,) = findings(ClaimKind.SIMULATED, 1.0, hits=hits, draws=20)
    assert (found.verdict, found.kind) == (verdict, f"simulated ({hits} of 20 draws)")
    assert (found.share, found.draws) == (hits / 20, 20)
    assert 0 < found.low < found.share < found.high < 1
    assert "growth" in found.sentence
    assert "[-1, 1]" in found.sentence


@pytest.mark.parametrize(
    ("kind", "value", "verdict"),
    [
        (ClaimKind.RECOMPUTED, 1.0, Verdict.HOLDS), (ClaimKind.OTHER_DATA, -1.0, Verdict.DIFFERS),
        (ClaimKind.OTHER_DATA, NAN, Verdict.CANNOT_TELL),
        (ClaimKind.SIMULATED, 1.0, Verdict.NOT_COMPARABLE),  # a single draw
    ],
)  # fmt: skip
def test_the_verdict_on_one_collection_follows_its_outcome(
    kind: ClaimKind, value: float, verdict: Verdict
) -> None:
    (found,) = findings(kind, value)
    assert (found.verdict, found.share, found.printed) == (verdict, None, "holds")
    assert "print 1" in found.sentence


def test_a_claim_contradicted_by_the_printed_numbers_is_an_erratum() -> None:
    told = claim("it grows.", *ABOVE_0.parts, erratum="It shrinks.")
    printed, other = findings(ClaimKind.RECOMPUTED, 1.0, printed=-2.0, one=told)
    assert (printed.verdict, printed.kind) == (Verdict.DIFFERS, "from print")
    assert printed.sentence.endswith("In print: growth: -2 (expected: above 0). It shrinks.")
    assert (other.verdict, other.printed) == (Verdict.HOLDS, "erratum")
    # A number that is not printed gives no outcome.
    (alone,) = findings(ClaimKind.RECOMPUTED, 1.0, printed=NAN)
    assert alone.printed == "no numbers"


def test_claims_beyond_simulation_and_on_small_data_are_not_comparable() -> None:
    blind = claim("it grows.", *ABOVE_0.parts, not_simulated="Nobody grows there.")
    (found,) = findings(ClaimKind.SIMULATED, 1.0, hits=20, draws=20, one=blind)
    assert found.verdict is Verdict.NOT_COMPARABLE
    assert found.sentence.endswith("Nobody grows there.")
    (tiny,) = findings(ClaimKind.SIMULATED, 1.0, hits=2, draws=2, paper_size=False)
    assert tiny.verdict is Verdict.NOT_COMPARABLE
    sized = [Held("x", ClaimKind.OTHER_DATA, 1.0, sized=True), Held("y", ClaimKind.OTHER_DATA, 1.0)]
    both = findings_of("a", [ABOVE_0], sized, [[]], paper_size=False)
    assert [one.verdict for one in both] == [Verdict.NOT_COMPARABLE, Verdict.HOLDS]


def test_claims_csv_has_share_interval_kind_and_printed_value() -> None:
    found = findings(ClaimKind.SIMULATED, 1.0, hits=18, draws=20)
    table = claims_table({"p": found})
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["paper"], row["artefact"], row["kind"]) == ("p", "a", "simulated (18 of 20 draws)")
    assert row["share"] == 0.9
    assert (round(row["low"], 3), round(row["high"], 3)) == (0.699, 0.972)
    assert (row["draws"], row["print"], row["verdict"]) == (20, "holds", "as published")
    assert ("simulated", 1, 0, 0, 0) in totals(found).rows


def test_a_reproduction_draws_and_writes_claims(tmp_path, capsys) -> None:
    folder = tmp_path / "out"
    words = ["reproduce", "ordering", "--artefact", "table6", "--size", "small", "--draws", "3"]
    assert run([*words, "--jobs", "1", "--cells", str(tmp_path / "cells"), "-o", str(folder)]) == 0
    with (folder / "claims.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["draws"], row["verdict"]) == ("3", "not comparable")
    assert row["kind"].startswith("simulated (")
    printed = capsys.readouterr()
    assert "simulated: 1 not comparable" in printed.out
    assert "making ordering draws" in printed.err


def test_the_index_counts_claims_and_links_to_the_pages() -> None:
    studies = {"pdp": ["example", "fig7"], "ordering": ["topics", "intervals"], "topk": ["fig4"]}
    reports = {
        paper_named(key): reproduce(paper_named(key), small(), artefacts=names)
        for key, names in studies.items()
    }
    index = overview(reports, small(), page="reproduction.html")
    assert [section.page for section in index.sections] == [
        f"{key}/reproduction.html" for key in studies
    ]
    artefacts, kinds, deviations, listed = (one.table for one in index.sections[0].tables)
    assert [row[:2] for row in artefacts.rows] == [
        ("example", "The worked example (3.5)"), ("fig7", "Figure 7: from 4 to 7 grades"),
    ]  # fmt: skip
    assert artefacts.rows[0][2:] == (2, 0, 0, 0, "")
    assert "trec-dl-2021-passage" in str(artefacts.rows[1][-1])
    assert [row[0] for row in deviations.rows] == ["example", "fig7"]
    assert {row[3] for row in listed.rows} == {"from print"}
    assert ("from print", 2, 0, 0, 0) in kinds.rows
    said = [finding.sentence for finding in index.findings()]
    assert said[0].endswith(
        "2 of 2 claims are as published; 1 artefact not run because data are missing."
    )
    assert said[1].endswith("1 of 2 claims is as published; 1 differs.")
    assert "was not run because data are missing: the data sets" in said[2]
    assert [one.verdict for one in index.findings()] == [
        Verdict.HOLDS, Verdict.DIFFERS, Verdict.CANNOT_TELL,
    ]  # fmt: skip


def test_a_deviation_is_explained_in_its_section_unless_the_data_are_the_papers(made) -> None:
    section: Section = made("pdp", "example")
    assert section.paragraphs[-1].startswith("Reason for differences from the paper: The paper")
    assert not any(
        "Reason for differences" in text for text in made("ordering", "topics").paragraphs
    )


def test_a_table_is_read_like_csv() -> None:
    text = claims_table({"p": findings(ClaimKind.RECOMPUTED, 1.0)}).text("csv")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["share"], row["draws"]) == ("", "")
