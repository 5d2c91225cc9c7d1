from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.cli import run
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.cuts import AGGREGATED_BY, CUT_METHODS
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import write_judgments
from qrelsmith.planning.simulated_labels import crowd_judgments, expert_qrels, simulated_runs
from qrelsmith.planning.simulation import (
    AssessorDesign,
    MultiscaleDesign,
    Systems,
    simulate_multiscale,
)

COMMAND = "cut"

COLLECTION = simulate_multiscale(
    MultiscaleDesign(
        topics=4,
        docs=96,
        scales=(3, 11),
        crowd=AssessorDesign(count=40),
        systems=Systems(count=6),
        alpha=(0.4, 0.8),
        beta=(0.8, 1.5),
        two=1.0,
        run_depth=12,
    ),
    seed=2,
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cut")
    (folder / "runs").mkdir()
    write_judgments(crowd_judgments(COLLECTION, 11), folder / "s11.csv")
    write_judgments(crowd_judgments(COLLECTION, 3), folder / "s3.csv")
    write_qrels(expert_qrels(COLLECTION, 2), folder / "two.qrels")
    for one in simulated_runs(COLLECTION):
        write_run(one, folder / "runs" / f"{one.name}.run")
    return folder


@pytest.fixture
def folder(files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(files)
    return files


def test_each_topic_has_a_row(answered) -> None:
    rows, err = answered("s11.csv --levels 4 --method hit-at")
    assert list(rows[0]) == ["topic", "cuts", "alpha", "tied", "degenerate", "units"]
    assert [row["topic"] for row in rows] == ["t01", "t02", "t03", "t04"]
    assert all(len(row["cuts"].split(":")) == 3 for row in rows)
    assert err == (
        "qrelsmith: note: no scale given: the source scale is assumed to have 11 levels from 0"
        " to 10\nqrelsmith: note: 120 sets of 3 cuts are tried\n"
    )


@pytest.mark.parametrize("method", CUT_METHODS.names())
def test_every_method_and_aggregation_works(answered, method: str) -> None:
    target = (
        ["--target", "two.qrels"] if CUT_METHODS.get(method).entry.about["needs_target"] else []
    )
    for by in AGGREGATED_BY:
        for how in ([], ["--single"], ["--pooled"]):
            rows, _ = answered(
                "s11.csv",
                "--levels",
                "2",
                "--method",
                method,
                "--aggregation",
                by,
                *target,
                *how,
                "--quiet",
            )
            assert [row["topic"] for row in rows] == (
                ["all"] if how else ["t01", "t02", "t03", "t04"]
            )
            assert all(-1 <= float(row["alpha"]) <= 1 for row in rows)


def test_the_help_names_the_methods_and_ends_with_an_example(capsys) -> None:
    assert run(["cut", "--help"]) == 0
    text = capsys.readouterr().out
    for name in (*CUT_METHODS.names(), *AGGREGATED_BY):
        assert name in text
    assert "Example: qrelsmith cut" in text


def test_cuts_apply_to_labels_of_their_own_data_set_and_of_another_one(
    answered, files: Path, capsys
) -> None:
    answered("s11.csv --levels 2 --method topicwide -o best.csv --write own.qrels")
    assert run(["transform", "s11.csv", "--cuts", "best.csv", "-o", "cut.csv"]) == 0
    err = capsys.readouterr().err
    assert "11to2(cuts of each topic): the grades are now on the scale 0,1" in err
    # A lower median commutes with cuts: cutting and aggregating the labels gives the written qrels.
    assert run(["aggregate", "cut.csv", "--aggregation", "median", "-o", "both.qrels"]) == 0
    assert (files / "both.qrels").read_bytes() == (files / "own.qrels").read_bytes()
    write_qrels(Qrels.from_dict({"t02": {"d": 10.0}, "t09": {"d": 3.0}}), "other.qrels")
    capsys.readouterr()
    assert run(["transform", "other.qrels", "--cuts", "best.csv"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "t02 0 d 1\n"
    assert "topics that are left out because they have no cuts: t09" in captured.err


def test_one_cut_for_all_topics_applies_to_any_topic(answered, files: Path, capsys) -> None:
    rows, _ = answered("s11.csv --levels 3 --method topicwide --single")
    answered("s11.csv --levels 3 --method topicwide --single -o one.csv")
    low, high = (float(value) for value in rows[0]["cuts"].split(":"))
    write_qrels(Qrels.from_dict({"x": {"a": low, "b": low + 1, "c": high + 1}}), "x.qrels")
    capsys.readouterr()
    assert run(["transform", "x.qrels", "--cuts", "one.csv", "--scale", "0..10"]) == 0
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()] == ["0", "1", "2"]


def test_rankings_under_the_cut_labels_equal_those_of_compare(
    answered, files: Path, capsys
) -> None:
    rows, _ = answered(
        "s11.csv --levels 4 --method doc-ta --aggregation median-mean --target "
        "two.qrels --runs runs --reference two.qrels --write four.qrels"
    )
    assert list(rows[0])[-3:] == ["tau", "measure", "systems"]
    last = rows[-1]
    assert (last["topic"], last["cuts"], last["tied"]) == ("all", "per-topic", "")
    assert (last["measure"], last["systems"]) == ("nDCG@10", "6")
    runs = sorted(str(path) for path in Path("runs").iterdir())
    arguments = ["compare", "--qrels", "two.qrels", "--qrels", "four.qrels", "-m", "nDCG@10"]
    capsys.readouterr()
    assert run([*arguments, *runs, "--quiet"]) == 0
    compared = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert float(compared["tau_b"]) == pytest.approx(float(last["tau"]))


def test_the_best_tau_is_at_least_as_high_as_that_of_the_best_alpha(answered) -> None:
    ranked = ("--runs", "runs", "--reference", "two.qrels", "--single", "-m", "nDCG@5")
    by_alpha, _ = answered("s11.csv --levels 3 --method hit-at", *ranked)
    by_tau, _ = answered("s11.csv --levels 3 --method hit-at", *ranked, "--select", "tau")
    assert float(by_tau[0]["tau"]) >= float(by_alpha[0]["tau"])
    assert float(by_tau[0]["alpha"]) <= float(by_alpha[0]["alpha"])
    assert by_tau[0]["measure"] == "nDCG@5"


def test_pooled_labels_have_one_cut_for_all_topics(answered) -> None:
    arguments = ("s11.csv", "--levels", "2", "--method", "topicwide", "--pooled")
    rows, _ = answered(
        *arguments, "--runs", "runs", "--reference", "two.qrels", "--write", "p.qrels"
    )
    assert [row["topic"] for row in rows] == ["all"]
    assert rows[0]["units"] == "96"
    assert -1 <= float(rows[0]["tau"]) <= 1
    assert len(read_qrels("p.qrels").topics) == 4


def test_validation_shows_the_halves_and_their_mean(answered) -> None:
    rows, _ = answered(
        "s11.csv --levels 2 --method hit-ta --validate 5 --runs runs --reference two.qrels"
    )
    assert [row["repeat"] for row in rows] == ["mean", "1", "2", "3", "4", "5"]
    optimism = [float(row["alpha_chosen"]) - float(row["alpha_held_out"]) for row in rows[1:]]
    assert float(rows[0]["optimism"]) == pytest.approx(np.mean(optimism))
    again, _ = answered("s11.csv --levels 2 --method hit-ta --validate 5")
    assert [row["cuts"] for row in again] == [row["cuts"] for row in rows]
    assert again[0]["tau_held_out"] == "nan"


def test_all_cuts_are_written_topic_by_topic(answered, files: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows, _ = answered("s11.csv --levels 4 --method hit-at --all-cuts all.parquet")
    table = parquet.read_table(files / "all.parquet").to_pydict()
    assert list(table) == ["topic", "cut_1", "cut_2", "cut_3", "alpha", "units", "degenerate"]
    assert len(table["topic"]) == 4 * 120
    for row in rows:
        best = [
            alpha
            for topic, *cuts, alpha in zip(
                table["topic"], table["cut_1"], table["cut_2"], table["cut_3"], table["alpha"],
                strict=True,
            )
            if topic == row["topic"] and ":".join(f"{cut:g}" for cut in cuts) == row["cuts"]
        ]  # fmt: skip
        assert best == [pytest.approx(float(row["alpha"]))]


def test_a_crowd_in_the_target_scale_is_aggregated(answered) -> None:
    rows, _ = answered("s11.csv --levels 3 --method doc-at --target s3.csv --single")
    assert float(rows[0]["alpha"]) > 0.4


def test_unjudged_docs_counted_as_not_relevant_are_reported(answered, files: Path) -> None:
    some = read_qrels(files / "two.qrels")
    kept = [row for place, row in enumerate(some.rows()) if place % 3]
    write_qrels(Qrels.from_rows(kept), files / "some.qrels")
    arguments = (
        "s11.csv",
        "--levels",
        "2",
        "--method",
        "doc-at",
        "--target",
        "some.qrels",
        "--pooled",
    )
    rows, _ = answered(*arguments)
    filled, err = answered(*arguments, "--unjudged", "nonrelevant", "--docs", "two.qrels")
    assert (rows[0]["units"], filled[0]["units"]) == ("64", "96")
    assert "unjudged docs that are treated as non-relevant: 32" in err


def test_several_qrels_have_one_assessor_each_and_no_hits(answered, files: Path) -> None:
    for name, grades in (("anne", "0122"), ("ben", "0022"), ("carl", "0112")):
        rows = {f"d{place}": float(grade) for place, grade in enumerate(grades)}
        write_qrels(Qrels.from_dict({"1": rows}), files / f"{name}.qrels")
    rows, err = answered("anne.qrels ben.qrels carl.qrels --levels 2 --method hit-at")
    # Lower medians of the other assessors: anne 0012, ben 0112, carl 0022. With a cut at 0, one of
    # four docs differs for each assessor.
    assert rows[0]["units"] == "3"
    assert "the judgments have no column hit" in err


def test_one_assessor_has_no_agreement(answered, files: Path) -> None:
    write_qrels(Qrels.from_dict({"1": {"a": 2.0, "b": 0.0}}), files / "x.qrels")
    rows, err = answered("x.qrels --levels 2 --method topicwide")
    assert rows[0]["cuts"] == "nan"
    assert "there is only one assessor, so agreement is undefined" in err
    assert "no cuts are chosen because" not in err


def test_topics_without_a_value_are_nan_with_a_note(answered, files: Path) -> None:
    labels = {"1": {"a": 2.0, "b": 0.0}, "2": {"a": 1.0, "b": 1.0}}
    for name in ("x", "y"):
        write_qrels(Qrels.from_dict(labels), files / f"{name}.qrels")
    rows, err = answered("x.qrels y.qrels --levels 2 --method topicwide --write w")
    assert (rows[1]["topic"], rows[1]["cuts"], rows[1]["alpha"]) == ("2", "nan", "nan")
    assert "no cuts are chosen because none has a value: 2" in err
    assert (files / "w").read_text() == "1 0 a 1\n1 0 b 0\n"
    rows, err = answered("x.qrels y.qrels --levels 2 --method topicwide --undefined one")
    assert (rows[1]["cuts"], rows[1]["alpha"], rows[1]["degenerate"]) == ("0", "1.0", "1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--levels", "12", "--method", "hit-at"], "11 levels cannot give 12"),
        (["--levels", "2", "--method", "hit2"], "the method hit2 needs a target"),
        (["--levels", "2", "--method", "hit-at", "--target", "two.qrels"], "takes no target"),
        (["--levels", "2", "--method", "hit-at", "--runs", "runs"], "runs or reference is missing"),
        (["--levels", "2", "--method", "hit-at", "--select", "tau"], "needs the options runs and"),
        (["--levels", "2", "--method", "hit-at", "--single", "--pooled"], "cannot be combined"),
        (["--levels", "2", "--method", "hit-at", "--docs", "two.qrels"], "docs can be used only"),
        (["--levels", "2", "--method", "hit-at", "--all-cuts", "a.csv"], "must end in .parquet"),
        (["--levels", "2", "--method", "hit-at", "--validate", "2", "--write", "w"], "cannot be"),
        (["--levels", "1", "--method", "hit-at"], "1 is not in the range"),
        (["--levels", "2", "--method", "best"], "'best' is not one of"),
        (["--levels", "2", "--method", "doc-at", "--target", "s3.csv"],
         "s3.csv:2: the grade is 2; expected a level of the scale 0,1"),
        (["--levels", "2", "--method", "doc-at", "--target", "two.qrels", "--select", "closest"],
         "no α on the source scale"),
        (["--levels", "2", "--method", "hit-at", "--scale", "0..5"], "a level of the scale 0..5"),
        (["--levels", "2", "--method", "hit-at", "--topic-set", "two.qrels", "--scale", "0..10",
          "--candidates", "0"], "0 is not in the range"),
        (["--levels", "4", "--method", "hit-at", "--candidates", "2"], "cannot give 4 levels"),
    ],
)  # fmt: skip
def test_wrong_usage_is_a_one_line_error(refused, arguments: list[str], message: str) -> None:
    assert message in refused("s11.csv", *arguments)


def test_candidates_reduce_too_many_sets_of_cuts(refused, answered, files: Path) -> None:
    rng = np.random.default_rng(0)
    docs = {f"d{place}": float(grade) for place, grade in enumerate(rng.random(400))}
    write_qrels(Qrels.from_dict({"1": docs}), files / "real.qrels")
    two = {doc: float(grade > 0.6) for doc, grade in docs.items()}
    write_qrels(Qrels.from_dict({"1": two}), files / "real2.qrels")
    arguments = ("real.qrels", "--method", "doc-at", "--target", "real2.qrels")
    assert "--candidates lowers their number" in refused(*arguments, "--levels", "4")
    rows, err = answered(*arguments, "--levels", "4", "--candidates", "20")
    assert "1,140 sets of 3 cuts are tried" in err
    rows, _ = answered(*arguments, "--levels", "2")
    assert 0.59 < float(rows[0]["cuts"]) <= 0.6
    assert rows[0]["alpha"] == "1.0"


def test_the_same_command_gives_the_same_bytes(answered, files: Path) -> None:
    for name in ("first", "second"):
        answered(
            "s11.csv", "--levels", "3", "--method", "hit-ta", "--all-cuts", f"{name}.parquet",
            "-o", f"{name}.csv",
        )  # fmt: skip
    for suffix in ("csv", "parquet"):
        first, second = (files / f"{name}.{suffix}" for name in ("first", "second"))
        assert first.read_bytes() == second.read_bytes()
