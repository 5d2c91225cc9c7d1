"""Commands on a campaign folder give the same numbers as the sections of its audit."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import qrelsmith.audit.sections  # noqa: F401 - fills the registry
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.campaign.campaign import read_campaign, write_campaign_toml
from qrelsmith.cli import run
from qrelsmith.planning.simulated_campaign import write_simulated_campaign
from qrelsmith.planning.simulation import simulate_campaign
from qrelsmith.planning.simulation.designs import DESIGNS

GOLD, TRUTH = "simulated-gold", "simulated-truth"
BRONZE = ("simulated-bronze-t", "simulated-bronze-w")
MEASURES = ("nDCG@10", "Q@10", "nERR@10", "iRBU(p=0.99)@10")

Rows = list[dict[str, str]]
Answer = Callable[..., Rows]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("campaigns") / "campaign"
    small = replace(DESIGNS.get("www4")(), topics=8, docs=150, run_depth=30, depth=10)
    write_simulated_campaign(simulate_campaign(small, seed=3), path, title="Eight topics")
    return path


@pytest.fixture(scope="session")
def inputs(folder: Path) -> AuditInputs:
    return AuditInputs(folder)


@pytest.fixture
def answer(folder: Path, capsys: pytest.CaptureFixture[str]) -> Answer:
    def call(command: str, *arguments: str) -> Rows:
        assert run([command, str(folder), *arguments, "--quiet"]) == 0
        return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    return call


@pytest.fixture
def refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def call(*arguments: str) -> str:
        assert run([*arguments, "--quiet"]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        (line,) = captured.err.splitlines()
        return line.removeprefix("qrelsmith: error: ")

    return call


def audited(inputs: AuditInputs, section: str, table: str) -> list[tuple[str, ...]]:
    """Return the rows of a table of the audit, every number as in csv."""
    found = SECTIONS.get(section)(inputs)
    assert not found.missing
    named = next(one.table for one in found.tables if one.key == table)
    lines = list(csv.reader(io.StringIO(named.text("csv"))))
    return [tuple(line) for line in lines[1:]]


def of(rows: Rows, *columns: str) -> list[tuple[str, ...]]:
    return [tuple(row[name] for name in columns) for row in rows]


def test_each_topic_of_gold_has_one_ordering(inputs: AuditInputs) -> None:
    assert inputs.reference == GOLD
    assert list(inputs.orderings) == ["prioritised", "randomised"]
    topics = [topic for topics in inputs.orderings.values() for topic in topics]
    assert sorted(topics) == list(inputs.topics)


def test_compare_equals_the_section_on_rankings(inputs: AuditInputs, answer: Answer) -> None:
    rows = [row for row in answer("compare") if row["measure"] == "nDCG@10"]
    assert [tuple(row.values()) for row in rows] == audited(inputs, "rankings", "rankings-ndcg-10")
    assert {row["interval"] for row in rows} == {"topics", "fieller", "consistent"}


def test_compare_by_ordering_equals_the_section_on_orderings(
    inputs: AuditInputs, answer: Answer
) -> None:
    across = audited(inputs, "orderings", "orderings-rankings")
    orderings = ("--ordering", "prioritised", "--ordering", "randomised")
    for name in (GOLD, *BRONZE, TRUTH):
        rows = answer("compare", "--label-set", name, *orderings)
        found = of(
            [row for row in rows if row["interval"] == "fieller"],
            "measure", "qrels_a", "qrels_b", "tau_b", "tau_low", "tau_high",
        )  # fmt: skip
        assert sorted(found) == sorted(row[1:] for row in across if row[0] == name)
        assert {row[0] for row in found} == set(MEASURES)
    within = audited(inputs, "orderings", "orderings-label-sets")
    rows = answer("compare", "--ordering", "randomised")
    found = of(
        [row for row in rows if row["interval"] == "fieller"],
        "measure", "qrels_a", "qrels_b", "tau_b", "tau_low", "tau_high",
    )  # fmt: skip
    assert sorted(found) == sorted(row[1:] for row in within if row[0] == "randomised")


def test_consistency_equals_the_section_on_consistency(inputs: AuditInputs, answer: Answer) -> None:
    rows = answer("consistency")
    assert [tuple(row.values()) for row in rows] == audited(inputs, "consistency", "consistency")
    assert len(rows) == 4 * len(MEASURES)


def test_letters_by_ordering_equal_those_of_the_audit(inputs: AuditInputs, answer: Answer) -> None:
    both = ("--ordering", "prioritised", "--ordering", "randomised")
    table_11 = answer("consistency", "--label-set", GOLD, *both)
    assert [tuple(row.values()) for row in table_11] == audited(
        inputs, "orderings", "orderings-consistency"
    )
    table_12 = answer("consistency", "--ordering", "prioritised")
    assert [tuple(row.values()) for row in table_12] == audited(
        inputs, "orderings", "orderings-consistency-1"
    )


def test_loto_equals_the_section_on_teams(inputs: AuditInputs, answer: Answer) -> None:
    both = ("--ordering", "prioritised", "--ordering", "randomised")
    rows = [row for row in (*answer("loto"), *answer("loto", *both)) if row["measure"] == "nDCG@10"]
    columns = ("qrels", "topic_set", "team", "tau_b", "tau_low", "tau_high", "fall", "over")
    assert sorted(of(rows, *columns)) == sorted(
        audited(inputs, "leave-team-out", "leave-team-out-1")
    )
    of_gold = [row for row in rows if row["qrels"] == GOLD]
    columns = ("topic_set", "team", "runs", "unique", "dropped", "dropped_relevant", "left")
    assert sorted(of(of_gold, *columns)) == sorted(
        audited(inputs, "leave-team-out", "leave-team-out-docs")
    )


def test_pool_contributions_equal_those_of_the_audit(
    folder: Path, inputs: AuditInputs, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    qrels = tmp_path / "gold.qrels"
    arguments = ["--aggregation", "median", "--group", GOLD, "-o", str(qrels), "--quiet"]
    assert run(["aggregate", str(folder / "judgments.csv"), *arguments]) == 0
    runs = sorted(map(str, (folder / "runs").iterdir()))
    arguments = ["--depth", "10", "--show", "contributions", "--qrels", str(qrels), "--quiet"]
    assert run(["pool", *runs, *arguments]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))[1:]
    assert [tuple(row) for row in rows] == audited(inputs, "pools", "contributions")
    assert [row[0] for row in rows] == ["team1", "team2", "team3", "team4"]


def test_efficiency_equals_the_section_on_efficiency(inputs: AuditInputs, answer: Answer) -> None:
    rows = answer("efficiency", "--compare", "environment")
    assert [tuple(row.values()) for row in rows] == audited(
        inputs, "efficiency", "efficiency-comparison"
    )
    sessions = sorted(tuple(row.values()) for row in answer("efficiency"))
    assert sessions == sorted(audited(inputs, "efficiency", "efficiency-sessions"))


def test_agree_equals_the_sections_on_agreement(inputs: AuditInputs, answer: Answer) -> None:
    kappa = ("--coefficient", "kappa-quadratic")
    columns = ("scope", "value", "low", "high", "units", "over")
    for by, table in (("environment-pair", ""), ("assessor-group", "-assessors")):
        rows = [r for r in answer("agree", *kappa, "--by", by) if r["scope"] != "all"]
        found = audited(inputs, "group-agreement", f"group-agreement{table}")
        assert of(rows, *columns) == [(row[0], *row[2:]) for row in found]
    tests = answer("agree", *kappa, "--by", "environment-pair", "--pairs")
    columns = ("a", "b", "topics_a", "topics_b", "difference", "p", "effect_size")
    assert of(tests, *columns) == audited(inputs, "group-agreement", "group-agreement-test")
    groups = answer("agree", "--by", "group")
    columns = ("scope", "coefficient", "value", "low", "high", "units", "assessors", "over")
    everybody = audited(inputs, "agreement", "agreement-groups")
    pairs = of(
        answer("agree", "--by", "pair")[1:], "scope", "value", "low", "high", "units", "over"
    )
    both = audited(inputs, "agreement", "agreement-pairs")
    assert pairs == [(" ~ ".join(row[:2]), *row[2:5], *row[6:]) for row in both]
    assert sorted(of(groups, *columns)) == sorted(r for r in everybody if r[1] == "alpha-ordinal")


def test_disagree_equals_the_section_on_disagreements(inputs: AuditInputs, answer: Answer) -> None:
    found = audited(inputs, "disagreements", "disagreements")
    rows = of(answer("disagree"), "gold_says", "ordering", "gold", "bronze", "docs", "of")
    assert rows == [row[:6] for row in found]
    tests = answer("disagree", "--show", "tests")
    columns = ("gold_says", "ordering_a", "ordering_b", "share_a", "share_b", "low", "high", "p")
    shares = audited(inputs, "disagreements", "disagreements-orderings")
    assert of(tests, *columns) == shares
    serious = answer("disagree", "--show", "serious")
    listed = audited(inputs, "disagreements", "disagreements-serious")
    assert of(serious, "topic", "doc", GOLD, *BRONZE) == listed


def test_the_scale_of_the_campaign_is_used(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (folder / "judgments.csv").read_text().splitlines(keepends=True)
    lower = "".join(line for line in lines if line.split(",")[3] != "2")
    (tmp_path / "judgments.csv").write_text(lower)
    write_campaign_toml(read_campaign(folder), tmp_path / "campaign.toml")
    # No run retrieves a doc of grade 2, the highest level of campaign.toml.
    for path, scale, found in (
        (tmp_path, (), False),
        (tmp_path, ("--scale", "0..1"), True),
        (tmp_path / "judgments.csv", (), True),
    ):
        assert run(["efficiency", str(path), *scale, "--quiet"]) == 0
        rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
        assert any(row["tf1h"] != "nan" for row in rows) == found


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("consistency", "{}", "--label-set", "x"), "unknown label set 'x' (choices: sim"),
        (("loto", "{}", "--ordering", "x"), "simulated-gold has no topic judged in the ordering"),
        (("compare", "{}", "--label-set", GOLD), "expected at least two label sets"),
        (("compare", "{}", *("--ordering", "prioritised", "--ordering", "randomised")),
         "found several orderings or topic sets with several label sets; expected one label set"),
        (("compare", "--qrels", "a", "--qrels", "b", "{}/runs", "--ordering", "x", "-m", "AP"),
         "--ordering needs a campaign"),
        (("consistency", "{}/runs", "--label-set", "x", "-m", "AP"), "x: no such file"),
        (("consistency", "a.qrels", "--label-set", "x", "-m", "AP"), "a.qrels: no such file"),
        (("consistency", "{}/runs"), "{}/runs: the folder has no campaign.toml"),
        (("disagree", "{}/judgments.csv"), "Missing option '--gold'"),
    ],
)  # fmt: skip
def test_invalid_input_is_refused(
    refused, folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    given = [word.format(folder) for word in arguments]
    assert refused(*given).startswith(message.format(folder))


def test_a_campaign_without_runs_judgments_or_depth_is_refused(refused, tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "a.qrels").write_text("1 0 d 1\n")
    (tmp_path / "campaign.toml").write_text('format = 1\ntitle = "bare"\n')
    assert "the campaign has no runs" in refused("consistency", str(tmp_path), "-m", "AP")
    assert "the campaign has no judgments; expected a file judgments.*" in refused(
        "efficiency", str(tmp_path)
    )
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.run").write_text("1 Q0 d 1 1 a\n")
    wrong = f"{tmp_path}: no pools with a depth found; expected files in pools/, or a depth"
    assert wrong in refused("loto", str(tmp_path), "-m", "AP")


def test_undefined_values_are_at_the_same_places_as_in_the_audit(
    inputs: AuditInputs, answer: Answer
) -> None:
    rows = [row for row in answer("loto") if row["measure"] == "nDCG@10"]
    for row in rows:
        assert math.isnan(float(row["tau_low"])) == (float(row["tau_b"]) == 1)


def test_significance_and_power_equal_the_sections_of_the_audit(
    inputs: AuditInputs, answer: Answer
) -> None:
    beside = [row for row in answer("significance", "--beside") if row["measure"] == "nDCG@10"]
    assert [tuple(row.values()) for row in beside] == audited(
        inputs, "significance", "significance-1"
    )
    told = audited(inputs, "discriminative_power", "discriminative-power-1")
    rows = [row for row in answer("power") if row["measure"] == "nDCG@10"]
    columns = ("qrels", "test", "pairs", "significant", "power", "delta")
    expected = [(row[0], row[1], *row[3:7]) for row in told if row[1] == "randomised-tukey"]
    assert sorted(of(rows, *columns)) == sorted(expected)
    # The pairs themselves, counted, give the same answer.
    for name in (GOLD, *BRONZE):
        pairs = answer("significance", "--label-set", name, "-m", "nDCG@10")
        significant = sum(float(pair["p"]) < 0.05 for pair in pairs)
        assert [int(row["significant"]) for row in rows if row["qrels"] == name] == [significant]


def test_evaluate_scores_runs_against_the_reference(inputs: AuditInputs, answer: Answer) -> None:
    rows = answer("evaluate", "--intervals", "-m", "nDCG@10")
    told = audited(inputs, "rankings", "systems-ndcg-10")
    assert sorted(of(rows, "run", "score", "low", "high")) == sorted(row[:4] for row in told)
    other = answer("evaluate", "--label-set", BRONZE[0], "-m", "nDCG@10")
    assert of(other, "score") != of(rows, "score")
