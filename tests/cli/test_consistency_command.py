from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from qrelsmith.cli import run

COMMAND = "consistency"

COLUMNS = [
    "letter", "qrels", "topic_set", "measure", "topics", "systems", "splits", "tau", "sd",
    "outperforms", "low", "high", "over",
]  # fmt: skip
SYSTEMS = "abcd"
RUNS = tuple(f"{system}.run" for system in SYSTEMS)


def qrels(*relevant: str, first: int = 1) -> str:
    return "".join(
        f"{topic} 0 {doc} {int(doc in docs)}\n"
        for topic, docs in enumerate(relevant, first)
        for doc in SYSTEMS
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # System x returns the doc x first, so that P@1 is the share of topics in which x is relevant.
    for system in SYSTEMS:
        lines = [f"{topic} Q0 {system} 1 1 {system}\n" for topic in range(1, 9)]
        (tmp_path / f"{system}.run").write_text("".join(lines))
    # The set steady ranks a, b, c above d in every half; shaky ranks them at random.
    (tmp_path / "steady.qrels").write_text(qrels(*["abc"] * 8))
    (tmp_path / "shaky.qrels").write_text(qrels("a", "bc", "d", "ab", "cd", "b", "acd", "d"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


SETS = ("--qrels", "steady.qrels", "--qrels", "shaky.qrels")


def test_a_steady_label_set_is_more_consistent_than_a_shaky_one(answered) -> None:
    rows, notes = answered(*SETS, "-m", "P@1", "-B", "300", *RUNS)
    assert list(rows[0]) == COLUMNS
    steady, shaky = rows
    assert (steady["letter"], steady["qrels"], steady["outperforms"]) == ("a", "steady", "b")
    # a, b and c tie in both halves and d is below: τ-b is 1 whatever the split.
    assert (float(steady["tau"]), float(steady["sd"])) == (1, 0)
    assert (steady["topic_set"], steady["topics"], steady["systems"]) == ("all", "8", "4")
    assert (shaky["letter"], shaky["outperforms"]) == ("b", "")
    assert float(shaky["tau"]) < 0.5
    assert "randomised Tukey HSD over " in notes


def test_a_single_label_set_has_the_same_splits(answered) -> None:
    both, _ = answered(*SETS, "-m", "P@1", *RUNS)
    alone, notes = answered("shaky.qrels", *RUNS, "-m", "P@1")
    assert {**alone[0], "letter": "b"} == both[1]
    assert "Tukey" not in notes


def test_the_order_of_files_and_the_jobs_do_not_matter_but_the_seed_does(answered) -> None:
    first, _ = answered(*SETS, "-m", "P@1 AP", *RUNS, "--jobs", "1")
    again, _ = answered(*SETS[2:], *SETS[:2], "-m", "AP P@1", *reversed(RUNS), "--jobs", "3")
    assert again == first
    other, _ = answered(*SETS, "-m", "P@1 AP", *RUNS, "--seed", "1")
    assert [row["tau"] for row in other] != [row["tau"] for row in first]


def test_topic_sets_are_rows_of_one_table(answered, folder: Path) -> None:
    (folder / "pri").write_text("1\n2\n3\n4\n5\n")
    (folder / "rnd").write_text("5\n6\n7\n8\n99\n")
    rows, notes = answered(
        *SETS[2:], "--topic-set", "pri", "--topic-set", "rnd", "-m", "P@1", *RUNS
    )
    assert sorted((row["topic_set"], row["topics"]) for row in rows) == [("pri", "5"), ("rnd", "4")]
    assert "topics of rnd that are left out: 1 (99)" in notes


def test_pairs_name_the_tested_rows(answered) -> None:
    rows, _ = answered(*SETS, "-m", "P@1", *RUNS)
    (pair,), _ = answered(*SETS, "-m", "P@1", *RUNS, "--pairs")
    assert (pair["letter_a"], pair["letter_b"]) == ("a", "b")
    assert (pair["condition_a"], pair["condition_b"]) == ("steady all P@1", "shaky all P@1")
    assert float(pair["p"]) < 0.05
    none, _ = answered("shaky.qrels -m P@1", *RUNS, "--pairs")
    assert none == []
    assert float(rows[0]["tau"]) - float(rows[1]["tau"]) == pytest.approx(
        float(pair["difference"]), abs=0.05
    )


def test_a_topic_without_relevant_docs_scores_0_or_is_excluded(answered, folder: Path) -> None:
    (folder / "shaky.qrels").write_text(qrels("a", "bc", "d", "ab", "cd", "b", "acd", ""))
    rows, notes = answered(*SETS, "-m", "P@1", *RUNS)
    assert {row["topics"] for row in rows} == {"8"}
    assert "shaky: topics without a grade of 1 or more, where every measure of relevance" in notes
    drop = ("--empty-topics", "drop")
    rows, notes = answered(*SETS, "-m", "P@1", *RUNS, *drop)
    assert {row["qrels"]: row["topics"] for row in rows} == {"steady": "8", "shaky": "7"}
    rows, notes = answered(*SETS, "-m", "P@1", *RUNS, *drop, "--common", "all")
    assert {row["topics"] for row in rows} == {"7"}
    assert "topics without relevant docs under shaky were dropped: 1 (8)" in notes


def test_tied_systems_two_systems_and_one_system_are_handled(answered, folder: Path) -> None:
    (folder / "flat.qrels").write_text(qrels(*["abcd"] * 8))
    rows, notes = answered(*SETS[:2], "--qrels", "flat.qrels", "-m", "P@1", *RUNS, "-B", "20")
    assert [(row["qrels"], row["tau"], row["splits"]) for row in rows] == [
        ("steady", "1.0", "20"),
        ("flat", "nan", "0"),
    ]
    assert "flat all P@1: tau is undefined in 20 of 20 splits: all systems tie in one half" in notes
    assert "no test is possible" in notes
    (row,), _ = answered("steady.qrels a.run d.run -m P@1")
    assert (row["tau"], row["systems"]) == ("1.0", "2")
    (row,), notes = answered("steady.qrels a.run -m P@1")
    assert row["tau"] == "nan"
    assert "splits: there is only one system" in notes


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("-m", "P@1"), "expected QRELS RUN... or a campaign folder"),
        (("-m", "P@1", "steady.qrels"), "expected QRELS RUN..."),
        ((*SETS, "-m", "P@1"), "expected QRELS RUN..."),
        ((*SETS, *SETS[:2], "-m", "P@1", "a.run"), "'steady.qrels' is named twice"),
        (("steady.qrels", "a.run"), "no measure given"),
        (("steady.qrels", "a.run", "-m", "P@1", "-B", "1"), "Invalid value for '-B'"),
        (("one", "a.run", "-m", "P@1"), "found 1 topics; expected at least 2 to split into halves"),
        (
            ("steady.qrels", "a.run", "-m", "P@1", "--topic-set", "t9"),
            "t9: none of the set's topics is in two label sets",
        ),
        (
            ("none", "a.run", "-m", "P@1", "--empty-topics", "drop"),
            "no topic has relevant docs under none; expected at least one",
        ),
        (("empty", "a.run", "-m", "P@1"), "empty: no judgments found; expected at least one"),
        (("steady.qrels", "nosuch", "-m", "P@1"), "nosuch: no such file"),
    ],
)
def test_invalid_input_is_refused(
    refused, folder: Path, arguments: tuple[str, ...], expected: str
) -> None:
    (folder / "one").write_text(qrels("a"))
    (folder / "none").write_text(qrels("", ""))
    (folder / "t9").write_text("9\n")
    (folder / "empty").write_text("")
    (folder / "out.csv").write_text("precious\n")
    assert refused(*arguments, "--quiet", "-o", "out.csv").startswith(expected)


@pytest.mark.full
def test_17_label_sets_4_measures_and_63_systems_can_be_compared_at_once(
    shared: Path, tmp_path: Path
) -> None:
    folder = shared / "data" / "trec-dl-2021-passage"
    labels = sorted((folder / "qrels").iterdir())[:17]
    sets = [word for path in labels for word in ("--qrels", str(path))]
    runs = sorted(map(str, (folder / "runs").glob("*.run.gz")))
    measures = ["-m", "nDCG@10 Q@10 nERR@10 iRBU@10"]
    out = tmp_path / "out.csv"
    assert run(["consistency", *sets, *measures, *runs, "--quiet", "-o", str(out)]) == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    assert len(rows) == 68
    means = [float(row["tau"]) for row in rows]
    assert means == sorted(means, reverse=True)
