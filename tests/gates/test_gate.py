"""The gate: verdicts, signs, populations, exit statuses and files."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas
import pytest

from qrelsmith import Judgments, Qrels, agree, compare, gate, write_qrels
from qrelsmith.base.errors import InputWarning
from qrelsmith.cli import run
from qrelsmith.gates.gate_rows import units_to_settle, verdict_of
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.stats.population import jackknife_interval

COLUMNS = "figure,baseline,new,difference,low,high,margin,verdict"
FIGURES = ["alpha", "agreement", "bias", "coverage", "tau", "top", "loss"]


def people_of(topics: int, docs: int = 40, seed: int = 0) -> Qrels:
    """Return human grades 0..3 of the given number of topics."""
    rng = np.random.default_rng(seed)
    grades = rng.choice(4, size=(topics, docs), p=[0.4, 0.3, 0.2, 0.1])
    rows = [(f"t{t:02}", f"d{d:03}", float(g)) for (t, d), g in np.ndenumerate(grades)]
    return Qrels.from_rows(rows, name="people")


def judge_of(people: Qrels, share: float, seed: int, shift: int = 0) -> Qrels:
    """Return a judge that swaps the grades of a share of the docs, and then adds a shift."""
    rng = np.random.default_rng(seed)
    random = rng.permutation(people.grade)
    grade = np.where(rng.random(len(people)) < share, random, people.grade)
    rows = list(people.rows())
    new = np.clip(grade + shift, 0, 3).tolist()
    return Qrels.from_rows([(t, d, g) for (t, d, _), g in zip(rows, new, strict=True)])


def systems(people: Qrels, count: int = 12) -> dict[str, Any]:
    """Return systems that rank by human grades with increasing noise."""
    rng = np.random.default_rng(7)
    return {
        f"s{number:02}": {
            topic: {doc: g + rng.normal() * (0.3 + 0.3 * number) for doc, g in of.items()}
            for topic, of in people.to_dict().items()
        }
        for number in range(count)
    }


@pytest.fixture(scope="module")
def people() -> Qrels:
    return people_of(20)


@pytest.fixture(scope="module")
def baseline(people: Qrels) -> Qrels:
    return judge_of(people, 0.3, seed=1)


@pytest.fixture
def files(people: Qrels, baseline: Qrels, tmp_path: Path, monkeypatch) -> Path:
    """Write human labels, the baseline, a new pass of the baseline and a worse judge."""
    monkeypatch.chdir(tmp_path)
    sets = {
        "people": people, "old": baseline, "same": judge_of(people, 0.3, seed=1),
        "better": judge_of(people, 0.1, seed=2), "spoiled": judge_of(people, 0.8, seed=3),
    }  # fmt: skip
    for name, qrels in sets.items():
        write_qrels(qrels, f"{name}.qrels")
    return tmp_path


def test_equal_labels_pass_with_differences_of_zero(people: Qrels, baseline: Qrels) -> None:
    found = gate(baseline, systems(people), baseline=baseline, reference=people)
    assert [row.figure for row in found.rows] == FIGURES
    assert {(row.difference, row.low, row.high, row.verdict) for row in found.rows} == {
        (0.0, 0.0, 0.0, "pass")
    }


@pytest.mark.parametrize(
    ("share", "shift", "better", "worse"),
    [(0.05, 0, ["alpha", "agreement"], []), (0.8, 0, [], ["alpha", "agreement"]),
     (0.3, 1, [], ["alpha", "agreement", "bias"])],
    ids=["better", "random", "lenient"],
)  # fmt: skip
def test_positive_differences_are_better(
    people: Qrels, baseline: Qrels, share: float, shift: int, better: list[str], worse: list[str]
) -> None:
    found = gate(judge_of(people, share, 5, shift), baseline=baseline, reference=people)
    rows = {row.figure: row for row in found.rows}
    assert all(rows[name].low > 0 for name in better)
    assert [name for name, row in rows.items() if row.verdict == "fail"] == worse
    assert found.exit_status() == bool(worse)


@pytest.mark.parametrize("shift", [0, -1], ids=["lenient", "strict"])
def test_figures_equal_those_of_agree_and_compare(
    people: Qrels, baseline: Qrels, shift: int
) -> None:
    new = judge_of(people, 0.5, seed=4, shift=shift)
    runs = systems(people)
    rows = {row.figure: row for row in gate(new, runs, baseline=baseline, reference=people).rows}
    for name, judge in (("new", new), ("baseline", baseline)):
        pair = agree({"p": people, "j": judge}, ["alpha-ordinal", "agreement"])
        assert getattr(rows["alpha"], name) == pytest.approx(pair.parts[0].value, abs=1e-12)
        assert getattr(rows["agreement"], name) == pytest.approx(pair.parts[1].value, abs=1e-12)
        tau = compare({"p": people, "j": judge}, runs, "nDCG@10").comparisons[0].tau_b
        assert getattr(rows["tau"], name) == pytest.approx(tau, abs=1e-12)
        bias = float(judge.grade.mean() - people.grade.mean())
        assert getattr(rows["bias"], name) == pytest.approx(bias, abs=1e-12)
    assert (rows["bias"].new < 0) == (shift < 0)
    assert rows["bias"].difference == pytest.approx(
        abs(rows["bias"].baseline) - abs(rows["bias"].new)
    )
    assert rows["loss"].difference == pytest.approx(rows["loss"].baseline - rows["loss"].new)


def test_a_bound_applies_only_to_the_new_judge(people: Qrels, baseline: Qrels) -> None:
    new = judge_of(people, 0.5, seed=4)
    alone = agree({"p": people, "j": new}).parts[0]
    for bound, verdict in ((alone.low - 0.01, "pass"), (alone.high + 0.01, "fail"),
                           (alone.value, "open")):  # fmt: skip
        row = gate(new, baseline=new, reference=people, at_least={"alpha": bound}).rows[-1]
        assert (row.figure, row.difference, row.margin) == ("alpha>=", None, bound)
        assert (row.low, row.high) == pytest.approx((alone.low, alone.high))
        assert row.verdict == verdict


def test_below_eight_topics_grades_are_compared_over_docs() -> None:
    few = people_of(5)
    old, new = judge_of(few, 0.3, 1), judge_of(few, 0.9, 2)
    found = gate(new, systems(few), baseline=old, reference=few)
    rows = {row.figure: row for row in found.rows}
    assert (rows["alpha"].over, rows["alpha"].verdict) == ("docs", "fail")
    assert {rows[name].verdict for name in ("tau", "top", "loss")} == {"open"}
    assert any(
        "intervals are over docs, because there are only 5 topics" in note for note in found.notes
    )
    assert any("tau is open: no interval over topics" in note for note in found.notes)


def test_docs_not_graded_by_all_three_are_noted(people: Qrels, baseline: Qrels) -> None:
    part = Qrels.from_rows(list(baseline.rows())[:-30])
    found = gate(part, baseline=baseline, reference=people)
    assert "30 docs are not compared, because the new judge gave no grade" in found.notes


def test_a_judge_that_leaves_out_docs_fails_on_coverage(
    files: Path, people: Qrels, baseline: Qrels, capsys
) -> None:
    write_qrels(Qrels.from_rows(list(baseline.rows())[:-80]), "part.qrels")
    words = ["gate", "part.qrels", "--baseline", "old.qrels", "--reference", "people.qrels"]
    assert run([*words, "--quiet", "--junit", "gate.xml"]) == 1
    rows = {row[0]: row[1:] for row in csv.reader(capsys.readouterr().out.splitlines())}
    assert (rows["coverage"][:2], rows["coverage"][-1]) == (["1.0", "0.9"], "fail")
    assert float(rows["coverage"][2]) == pytest.approx(-0.1)
    assert rows["coverage"][2] == rows["coverage"][3] == rows["coverage"][4]
    assert {rows[name][-1] for name in ("alpha", "agreement", "bias")} == {"pass"}
    suite = ElementTree.parse("gate.xml").getroot()[0]  # noqa: S314 - our own
    (failed,) = (case for case in suite if case.find("failure") is not None)
    assert failed.get("name") == "coverage"
    assert run([*words, "--quiet", "--margin", "coverage=.1"]) == 0
    assert run([*words, "--quiet", "--margin", "coverage=.1", "--at-least", "coverage=.95"]) == 1
    assert run([*words, "--format", "markdown", "-o", "summary.md"]) == 1
    assert "### Gate: fail (coverage)" in Path("summary.md").read_text()


def test_bias_is_relative_to_the_mean_of_several_human_labels(
    people: Qrels, baseline: Qrels, tmp_path: Path
) -> None:
    rows = [(t, d, who, min(g + (who == "b"), 3)) for t, d, g in people.rows() for who in "ab"]
    text = "".join(f"{t},{d},{who},{g:.0f}\n" for t, d, who, g in rows)
    (tmp_path / "human.csv").write_text("topic,doc,assessor,grade\n" + text)
    mean = np.mean([grade for *_, grade in rows])
    table = pandas.read_csv(tmp_path / "human.csv", dtype={"topic": str, "doc": str})
    for reference in (tmp_path / "human.csv", table, Judgments.from_frame(table)):
        with pytest.warns(InputWarning, match="lower median"):
            found = gate(baseline, baseline=baseline, reference=reference)
        (bias,) = (row for row in found.rows if row.figure == "bias")
        assert bias.new == pytest.approx(baseline.grade.mean() - mean)


def test_an_undefined_figure_is_open_even_with_identical_labels(
    people: Qrels, baseline: Qrels
) -> None:
    (name, run_of_one), *_ = systems(people).items()
    bounds = {"alpha": 0.1, "tau": 0.5}
    found = gate(baseline, {name: run_of_one}, baseline=baseline, reference=people, at_least=bounds)
    verdicts = {row.figure: row.verdict for row in found.rows}
    assert {verdicts[name] for name in ("tau", "top", "tau>=")} == {"open"}
    assert {verdicts[name] for name in (*FIGURES[:4], "loss", "alpha>=")} == {"pass"}
    assert any(note.startswith("tau is open: ") for note in found.notes)


@pytest.mark.parametrize(
    ("interval", "verdict"),
    [((-0.05, 0.1), "pass"), ((-0.2, -0.0500001), "fail"), ((-0.2, -0.05), "open"),
     ((np.nan, np.nan), "open")],
)  # fmt: skip
def test_an_interval_that_ends_at_the_bound_has_the_expected_verdict(
    interval: tuple[float, float], verdict: str
) -> None:
    assert verdict_of(*interval, -0.05) == verdict


def test_an_open_verdict_is_decided_in_half_of_the_draws_at_its_number() -> None:
    """Compared with a simulation: the same units, and new units drawn like them."""
    rng = np.random.default_rng(3)
    settled, drawn = 0, 0
    for truth in rng.normal(0, 0.1, 400):
        first = rng.normal(truth, 1.0, 60)
        found = mean_jackknife(first)
        if verdict_of(float(found.low), float(found.high), -0.1) != "open":
            continue
        units = int(units_to_settle(found, -0.1, prior=0.1))
        more = mean_jackknife(np.append(first, rng.normal(truth, 1.0, units - 60)))
        settled += verdict_of(float(more.low), float(more.high), -0.1) != "open"
        drawn += 1
    assert drawn > 300
    assert settled / drawn == pytest.approx(0.5, abs=0.08)


def mean_jackknife(values: np.ndarray) -> Any:
    """Return the mean with its interval, as in a gate."""
    without = (values.sum() - values) / (values.size - 1)
    return jackknife_interval(values.mean(), without)


def test_the_command_writes_csv_junit_and_a_step_summary(files: Path, capsys) -> None:
    words = ["gate", "spoiled.qrels", "--baseline", "old.qrels", "--reference", "people.qrels"]
    assert (
        run([*words, "--junit", "gate.xml", "--at-least", "alpha=.1,agreement=.2", "--quiet"]) == 1
    )
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert ",".join(rows[0]) == COLUMNS
    assert [row[0] for row in rows[1:]] == [*FIGURES[:4], "alpha>=", "agreement>="]
    suite = ElementTree.parse("gate.xml").getroot()[0]  # noqa: S314 - our own
    assert (suite.get("tests"), suite.get("failures")) == ("6", "2")
    assert [case.get("name") for case in suite if case.find("failure") is not None] == FIGURES[:2]
    assert run([*words, "--format", "markdown", "-o", "summary.md"]) == 1
    assert (
        Path("summary.md").read_text().startswith("### Gate: fail (alpha, agreement)\n\n| figure")
    )


@pytest.mark.parametrize(
    ("margin", "options", "status"),
    [("alpha=.05", [], 1), ("alpha=2,agreement=2", [], 0), ("alpha=.5,agreement=2", [], 0),
     ("alpha=.5,agreement=2", ["--open", "fail"], 1)],
    ids=["fail", "pass", "open", "open fails"],
)  # fmt: skip
def test_the_exit_status_follows_the_verdict(
    files: Path, margin: str, options: list[str], status: int
) -> None:
    words = ["gate", "spoiled.qrels", "--baseline", "old.qrels", "--reference", "people.qrels"]
    assert run([*words, "--margin", margin, "--margin", "bias=9", *options, "--quiet"]) == status


def test_accept_copies_only_after_a_pass(files: Path) -> None:
    old = Path("old.qrels").read_bytes()
    words = ["--baseline", "old.qrels", "--reference", "people.qrels", "--accept", "--quiet"]
    assert run(["gate", "spoiled.qrels", *words]) == 1
    assert Path("old.qrels").read_bytes() == old
    assert run(["gate", "better.qrels", *words]) == 0
    assert Path("old.qrels").read_bytes() == Path("better.qrels").read_bytes()


def test_label_sets_of_a_campaign_are_compared_like_their_files(
    small_demo: Path, tmp_path: Path, capsys
) -> None:
    campaign = campaign_of(small_demo)
    assert campaign is not None
    for name in (campaign.reference, *campaign.others[:2]):
        write_qrels(campaign.label_sets[name], tmp_path / f"{name}.qrels")
    new, old, people = (
        str(tmp_path / f"{name}.qrels") for name in (*campaign.others[:2], campaign.reference)
    )
    words = [str(small_demo), "--label-set", campaign.others[0], "--baseline", campaign.others[1]]
    by_files = [new, str(small_demo / "runs"), "--baseline", old, "--reference", people]
    measure = ["-m", campaign.campaign.measures[0], "--quiet"]
    status = [
        run(["gate", *words, "--quiet"]),
        run(["gate", *by_files, *measure, "--scale", "0..3"]),
    ]
    first, second = capsys.readouterr().out.split(COLUMNS)[1:]
    assert (status[0], first) == (status[1], second)
    assert run(["gate", *words, "--reference", campaign.reference, "--quiet"]) == status[0]
    assert capsys.readouterr().out == COLUMNS + first
    assert run(["gate", *words[:1], *words[3:]]) == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "--reference"),
        (["--reference", "people.qrels", "--margin", "alpha"], "expected NAME=NUMBER"),
        (["--reference", "people.qrels", "--margin", "alpha=1", "--margin", "alpha=2"], "twice"),
        (["--reference", "people.qrels", "--margin", "alpha=-1"], "0 or more"),
        (["--reference", "people.qrels", "--margin", "kappa=1"], "unknown figure"),
        (["--reference", "people.qrels", "--at-least", "loss=1"], "choices: alpha, agreement"),
        (["--reference", "people.qrels", "--at-least", "tau=.9"], "tau needs runs"),
        (["--reference", "people.qrels", "-m", "P@5"], "-m needs runs"),
        (["--reference", "people.qrels", "--label-set", "x"], "--label-set needs a campaign"),
        (["--reference", "absent.qrels"], "absent.qrels"),
    ],
)
def test_invalid_input_is_refused(files: Path, words: list[str], says: str, capsys) -> None:
    assert run(["gate", "same.qrels", "--baseline", "old.qrels", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
