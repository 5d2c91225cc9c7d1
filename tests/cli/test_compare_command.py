from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from qrelsmith.base.headings import heading
from qrelsmith.base.tables import FORMATS
from qrelsmith.cli import run
from qrelsmith.stats.tau_intervals import fieller_limits

COMMAND = "compare"

Rows = list[dict[str, str]]

COLUMNS = [
    "measure", "qrels_a", "qrels_b", "systems", "tau_a", "tau_b", "tau_ap", "tau_low", "tau_high",
    "interval", "over",
]  # fmt: skip
# System x returns the doc x first, so that P@1 is the share of topics in which x is relevant.
SYSTEMS = "abcd"
# Docs relevant in topic 1, 2, 3: P@1 ranks a, b, c, d in one, b, c, a, d in the other.
GOLD = ("abc", "ab", "a")
LLM = ("bca", "bc", "b")


def qrels(*relevant: str, first: int = 1) -> str:
    return "".join(
        f"{topic} 0 {doc} {int(doc in docs)}\n"
        for topic, docs in enumerate(relevant, first)
        for doc in SYSTEMS
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for system in SYSTEMS:
        lines = [f"{topic} Q0 {system} 1 1 {system}\n" for topic in range(1, 7)]
        (tmp_path / f"{system}.run").write_text("".join(lines))
    (tmp_path / "gold.qrels").write_text(qrels(*GOLD))
    (tmp_path / "llm.qrels").write_text(qrels(*LLM))
    (tmp_path / "gold.csv").write_text("topic,a,b,c,d\n1,.8,.6,.4,.2\n")
    (tmp_path / "llm.csv").write_text("topic,d,c,b,a\n1,.2,.6,.8,.4\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


RUNS = tuple(f"{system}.run" for system in SYSTEMS)
LABELS = ("--qrels", "gold.qrels", "--qrels", "llm.qrels", "-m", "P@1")
SCORES = ("--scores", "gold.csv", "--scores", "llm.csv")


def taus(row: dict[str, str]) -> list[float]:
    return [float(row[name]) for name in ("tau_a", "tau_b", "tau_ap")]


@pytest.mark.parametrize(
    ("arguments", "measure", "names"),
    [((*LABELS, *RUNS), "P@1", ("gold", "llm")), (SCORES, "score", ("gold.csv", "llm.csv"))],
    ids=["qrels", "scores"],
)
def test_tau_of_four_systems_is_as_computed_by_hand(
    answered, arguments, measure: str, names
) -> None:
    rows, notes = answered(*arguments)
    assert "no interval of tau over topics: 4 systems; expected 5 or more" in notes
    assert ("ignored: at most 3 per run" in notes) == (arguments != SCORES)
    assert list(rows[0]) == COLUMNS
    assert [(row["interval"], row["over"]) for row in rows] == [
        ("topics", "topics"), ("fieller", "systems"), ("consistent", "systems"),
    ]  # fmt: skip
    for row in rows:
        assert (row["measure"], row["qrels_a"], row["qrels_b"]) == (measure, *names)
        assert row["systems"] == "4"
        # Two of six pairs have the opposite order. Down the second ranking b, c, a, d, the share of
        # systems above that are above in the first ranking, too: c 1 of 1, a 0 of 2, d 3 of 3.
        assert taus(row) == pytest.approx([1 / 3, 1 / 3, 2 / 3 * (1 + 0 + 1) - 1])
        # No interval for fewer than five systems.
        assert (row["tau_low"], row["tau_high"]) == ("nan", "nan")


def test_the_first_qrels_are_the_reference_of_tau_ap(answered) -> None:
    (row, *_), _ = answered("--qrels llm.qrels --qrels gold.qrels", *LABELS[4:], *RUNS)
    assert (row["qrels_a"], row["qrels_b"]) == ("llm", "gold")
    # Down a, b, c, d: b 0 of 1, c 1 of 2, d 3 of 3.
    assert taus(row) == pytest.approx([1 / 3, 1 / 3, 2 / 3 * (0 + 1 / 2 + 1) - 1])


def test_the_order_of_runs_does_not_matter(answered) -> None:
    first, _ = answered(*LABELS, *RUNS, "--jobs", "1")
    again, _ = answered(*LABELS, *reversed(RUNS), "--jobs", "4", "--seed", "7")
    assert again == first


def test_the_output_of_evaluate_gives_the_same_result(
    answered, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, _ = answered(*LABELS[:4], "-m", "P@1 AP", *RUNS)
    for name in ("gold", "llm"):
        arguments = [f"{name}.qrels", *RUNS, "-m", "AP P@1", "--per-topic", "-o", f"{name}.csv"]
        assert run(["evaluate", *arguments, "--quiet"]) == 0
    capsys.readouterr()
    rows, _ = answered(*SCORES)
    assert [row["measure"] for row in rows] == ["AP"] * 3 + ["P@1"] * 3
    same = [name for name in COLUMNS if not name.startswith("qrels")]
    assert [[r[n] for n in same] for r in rows] == [[r[n] for n in same] for r in expected]
    chosen, _ = answered(*SCORES, "-m", "P@1")
    assert chosen == rows[3:]


def test_any_two_label_sets_are_compared_on_their_common_topics(answered, folder: Path) -> None:
    # Topics 4 and 0 reverse the rankings, but only one of the qrels has each of them.
    (folder / "gold.qrels").write_text(qrels(*GOLD, "d", "d"))
    (folder / "llm.qrels").write_text(qrels("d", *LLM, first=0))
    rows, notes = answered(*LABELS, *RUNS)
    assert taus(rows[0]) == pytest.approx([1 / 3] * 3)
    assert "note: topics left out of comparisons with gold, which lacks them: 1 (0)\n" in notes
    assert "note: topics left out of comparisons with llm, which lacks them: 2 (4, 5)\n" in notes
    assert answered(*LABELS, *RUNS, "--quiet")[1] == ""
    # A third set that ends after one topic does not reduce the comparison of the others.
    (folder / "short.qrels").write_text(qrels(GOLD[0]))
    three, _ = answered(*LABELS, "--qrels", "short.qrels", *RUNS)
    assert [row for row in three if "short" not in row.values()] == rows
    together, notes = answered(*LABELS, "--qrels", "short.qrels", *RUNS, "--common", "all")
    assert "topics left out because not all label sets have them: 5 (0, 2, 3, 4, 5)" in notes
    assert [row for row in together if "short" not in row.values()] != rows


def test_score_files_are_compared_on_the_topics_of_all_files(answered, folder: Path) -> None:
    (folder / "gold.csv").write_text("topic,a,b,c,d\n1,.8,.6,.4,.2\n2,0,0,0,9\n")
    (folder / "llm.csv").write_text("topic,d,c,b,a\n3,9,0,0,0\n1,.2,.6,.8,.4\n")
    rows, notes = answered(*SCORES)
    assert taus(rows[0]) == pytest.approx([1 / 3] * 3)
    assert "topics left out of comparisons with gold.csv, which lacks them: 1 (3)" in notes
    assert "topics left out of comparisons with llm.csv, which lacks them: 1 (2)" in notes


def test_measures_missing_from_some_files_are_reported(answered, folder: Path) -> None:
    header = "run,topic,measure,score\n"
    (folder / "gold.csv").write_text(header + "a,1,AP,1\nb,1,AP,2\na,1,P@1,1\n")
    (folder / "llm.csv").write_text(header + "a,1,AP,1\nb,1,AP,2\na,2,RR,1\n")
    rows, notes = answered(*SCORES)
    assert {row["measure"] for row in rows} == {"AP"}
    assert "measures ignored because not all files have them: P@1, RR" in notes


def test_disjoint_topic_sets_are_compared(answered, folder: Path) -> None:
    (folder / "gold.qrels").write_text(qrels(*GOLD, *LLM))
    for name, topics in (("half-1", "1\n2\n3\n"), ("half-2", "4\n5\n6\n"), ("all", "1\n4\n5\n6\n")):
        (folder / name).write_text(topics)
    sets = ("--topic-set", "half-1", "--topic-set", "half-2")
    rows, notes = answered("--qrels gold.qrels -m P@1", *sets, *RUNS)
    assert [(row["qrels_a"], row["qrels_b"]) for row in rows] == [("half-1", "half-2")] * 2
    assert taus(rows[0]) == pytest.approx([1 / 3] * 3)
    assert "share" not in notes
    _, notes = answered("--qrels gold.qrels -m P@1", *sets[2:], "--topic-set", "all", *RUNS)
    assert "note: the topic sets half-2 and all have 3 topics in common\n" in notes


def test_disjoint_topic_sets_of_one_score_file_are_compared(answered, folder: Path) -> None:
    (folder / "both.csv").write_text("topic,a,b,c,d\n1,.8,.6,.4,.2\n2,.4,.8,.6,.2\n")
    (folder / "t1").write_text("1\n")
    (folder / "t2").write_text("2\n")
    rows, notes = answered("--scores both.csv --topic-set t1 --topic-set t2")
    assert taus(rows[0]) == pytest.approx([1 / 3] * 3)
    assert notes == ""


def test_one_topic_set_restricts_all_label_sets(answered, folder: Path) -> None:
    (folder / "some").write_text("1\n2\n")
    # Over topics 1 and 2 gold ties a and b, llm b and c.
    (row, *_), _ = answered(*LABELS, *RUNS, "--topic-set", "some")
    # a–b and b–c tied in one list each, a–c discordant, the three pairs with d concordant.
    assert taus(row)[:2] == pytest.approx([2 / 6, 2 / 5])
    (folder / "gold.csv").write_text("topic,a,b,c,d\n1,.8,.6,.4,.2\n2,0,0,0,9\n")
    (folder / "llm.csv").write_text("topic,d,c,b,a\n1,.2,.6,.8,.4\n2,9,0,0,0\n")
    (folder / "one").write_text("1\n7\n")
    (row, *_), notes = answered(*SCORES, "--topic-set", "one")
    assert taus(row) == pytest.approx([1 / 3] * 3)
    assert "topics of one that are left out: 1 (7)" in notes


def test_two_qrels_with_the_same_name_are_shown_with_their_paths(answered, folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "gold.qrels").write_text(qrels(*LLM))
    (row, *_), _ = answered("--qrels gold.qrels --qrels other/gold.qrels -m P@1", *RUNS)
    assert (row["qrels_a"], row["qrels_b"]) == ("gold.qrels", "other/gold.qrels")
    (folder / "other" / "gold.csv").write_text("topic,a,b,c,d\n1,1,2,3,4\n")
    (row, *_), _ = answered("--scores gold.csv --scores other/gold.csv")
    assert (row["qrels_a"], row["qrels_b"]) == ("gold.csv", "other/gold.csv")


def test_three_label_sets_give_three_pairs(answered, folder: Path) -> None:
    (folder / "adhoc.qrels").write_text(qrels("d", "d", "d"))
    rows, _ = answered(*LABELS, "--qrels", "adhoc.qrels", *RUNS)
    assert [(row["qrels_a"], row["qrels_b"], row["interval"]) for row in rows] == [
        (a, b, interval)
        for a, b in (("gold", "adhoc"), ("gold", "llm"), ("llm", "adhoc"))
        for interval in ("topics", "fieller", "consistent")
    ]


def test_one_system_has_no_tau_and_tied_systems_have_no_tau_b(answered, folder: Path) -> None:
    rows, notes = answered(*LABELS, "a.run")
    assert all(math.isnan(tau) for row in rows for tau in taus(row))
    assert rows[0]["systems"] == "1"
    assert notes.count("note: P@1: there is only one system, so there is no ranking\n") == 1
    (folder / "llm.qrels").write_text(qrels("abcd", "abcd", "abcd"))
    (row, *_), notes = answered(*LABELS, *RUNS)
    assert (row["tau_a"], row["tau_b"]) == ("0.0", "nan")
    assert "note: P@1: tau_b is undefined, because gold or llm ties all systems\n" in notes


def test_two_systems_have_tau_1_or_minus_1(answered) -> None:
    (row, *_), _ = answered(*LABELS, "a.run", "d.run")
    assert taus(row) == [1, 1, 1]
    (row, *_), _ = answered(*LABELS, "a.run", "b.run")
    assert taus(row) == [-1, -1, -1]
    assert row["tau_low"] == "nan"


def test_run_files_with_the_same_tag_give_one_warning(answered, folder: Path) -> None:
    (folder / "e.run").write_text((folder / "a.run").read_text())
    rows, notes = answered(*LABELS, *RUNS, "e.run")
    assert rows[0]["systems"] == "5"
    assert notes.count("have the tag 'a'") == 1
    assert answered(*LABELS, *RUNS, "e.run", "--quiet") == (rows, "")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "expected QRELS RUN... or a campaign folder"),
        (LABELS, "expected QRELS RUN... or a campaign folder"),
        ((*LABELS[:4], "a.run"), "no measure given; expected at least one, such as nDCG@10"),
        ((*LABELS[2:], "a.run"), "expected at least two label sets, or one label set"),
        (SCORES[:2], "expected at least two label sets, or one label set"),
        ((*SCORES, *LABELS), "--scores cannot be used with labels, runs or --ordering"),
        ((*SCORES, "a.run"), "--scores cannot be used with labels, runs or --ordering"),
        ((*SCORES[:2], *SCORES[:2]), "'gold.csv' is named twice; expected different files"),
        (("--qrels", "llm.qrels", *LABELS[2:], "a.run"), "'llm.qrels' is named twice"),
        (
            (*LABELS, "a.run", "--topic-set", "t1", "--topic-set", "t2"),
            "found several orderings or topic sets with several label sets; expected one label set",
        ),
        (
            (*LABELS, "a.run", "--topic-set", "t9"),
            "t9: none of the set's topics is in two label sets",
        ),
        ((*SCORES, "--topic-set", "t9"), "t9: none of the set's topics is in two label sets"),
        (
            (*LABELS[:2], "--qrels", "other.qrels", "-m", "AP", "a.run"),
            "no topic is in all label sets; expected at least one in common",
        ),
        (
            (*SCORES[:2], "--scores", "other.csv"),
            "no topic is in all label sets; expected at least one in common",
        ),
        (
            (*LABELS[:2], "--qrels", "empty", "-m", "AP", "a.run"),
            "empty: no judgments found; expected at least one",
        ),
        ((*SCORES[:2], "--scores", "empty"), "empty: the file is empty"),
        ((*SCORES, "-m", "AP"), "no scores of AP in gold.csv, llm.csv (choices: score)"),
        (
            (*SCORES, "--gains", "1:2"),
            "--order, --gains, --scale, --off-scale and --condensed apply",
        ),
        (
            (*SCORES[:2], "--scores", "long.csv"),
            "no measure is in all files (gold.csv has score); expected at least one in common",
        ),
        (
            (*SCORES[:2], "--scores", "short.csv"),
            "the system 'c' is in 'gold.csv', but not in 'short.csv'; expected the same systems",
        ),
        ((*LABELS, "a.run", "nosuch"), "nosuch: no such file"),
    ],
)
def test_invalid_input_is_refused(
    refused, folder: Path, arguments: tuple[str, ...], expected: str
) -> None:
    (folder / "t1").write_text("1\n")
    (folder / "t2").write_text("2\n")
    (folder / "t9").write_text("9\n")
    (folder / "other.qrels").write_text("7 0 a 1\n")
    (folder / "other.csv").write_text("topic,a,b,c,d\n7,1,2,3,4\n")
    (folder / "empty").write_text("")
    (folder / "long.csv").write_text("run,topic,measure,score\na,1,AP,1\n")
    (folder / "short.csv").write_text("topic,a,b,d\n1,.8,.6,.4\n")
    (folder / "out.csv").write_text("precious\n")
    assert refused(*arguments, "--quiet", "-o", "out.csv").startswith(expected)


@pytest.mark.parametrize("form", FORMATS.names())
def test_every_output_format_works(
    folder: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    arguments = ["compare", *SCORES, "--format", form]
    assert run(arguments) == 0
    shown = capsys.readouterr().out
    assert run([*arguments, "-o", "out"]) == 0
    assert capsys.readouterr().out == ""
    assert (folder / "out").read_text() == shown
    if form == "jsonl":
        first, _, second = map(json.loads, shown.splitlines())
        assert list(first) == COLUMNS
        assert (first["systems"], first["tau_low"], second["interval"]) == (4, None, "consistent")
    else:
        is_csv = form in ("csv", "spreadsheet")
        assert all((name if is_csv else heading(name)) in shown for name in COLUMNS)
        empty = "nan" if is_csv else "not defined"
        rows = shown.split("<tr>") if form == "html" else shown.splitlines()
        assert sum("0.333" in row and empty in row for row in rows) == 3


def test_dl_2021_is_compared(answered, shared: Path) -> None:
    folder = shared / "data" / "trec-dl-2021-passage"
    runs = sorted(map(str, (folder / "runs").glob("*.run.gz")))
    labels = [str(folder / "qrels" / name) for name in ("nist.qrels", "umbrela.gpt-4o.qrels.gz")]
    rows, _ = answered("--qrels", labels[0], "--qrels", labels[1], "-m", "nDCG@10", *runs)
    topics, fieller, consistent = rows
    # 53 topics: wider than Fieller's interval, which assumes the topics are fixed.
    assert (topics["interval"], topics["over"]) == ("topics", "topics")
    ends = [float(topics[end]) for end in ("tau_low", "tau_high")]
    assert ends[0] < float(topics["tau_b"]) < ends[1]
    assert (fieller["qrels_a"], fieller["qrels_b"]) == ("nist", "umbrela.gpt-4o")
    assert fieller["systems"] == "63"
    tau = float(fieller["tau_b"])
    assert 0.8 < tau < 1
    low, high = fieller_limits(tau, 63)
    assert float(fieller["tau_low"]) == pytest.approx(float(low))
    assert float(fieller["tau_high"]) == pytest.approx(float(high))
    assert float(consistent["tau_low"]) < float(consistent["tau_a"]) < tau + 0.01
