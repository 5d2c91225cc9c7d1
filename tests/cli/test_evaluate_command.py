from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.cli import run

COMMAND = "evaluate"

QRELS = "1 0 a 1\n1 0 b 2\n1 0 c 0\n2 0 a 1\n2 0 x 0\n"
RUN = "1 Q0 b 1 3 r\n1 Q0 a 2 2 r\n1 Q0 c 3 1 r\n2 Q0 x 1 2 r\n2 Q0 a 2 1 r\n"
SHORT = "1 Q0 c 1 3 s\n1 Q0 a 2 3 s\n"
FILES = {"q": QRELS, "r.run": RUN, "s.run": SHORT}

Rows = list[dict[str, str]]


def scores(rows: Rows) -> dict[tuple[str, str, str], float]:
    return {(row["run"], row["topic"], row["measure"]): float(row["score"]) for row in rows}


def test_means_are_as_computed_by_hand(answered) -> None:
    rows, _ = answered("q r.run s.run -m AP -m P@2")
    # r: topic 1 AP 1, topic 2 AP 1/2; s: of tied docs, the higher docno c comes first, so a has
    # rank 2: AP = 1/2 · 1/2 = 1/4 in topic 1, and topic 2 is missing.
    assert scores(rows) == {
        ("r", "all", "AP"): 0.75,
        ("r", "all", "P@2"): 0.75,
        ("s", "all", "AP"): 0.125,
        ("s", "all", "P@2"): 0.25,
    }


def test_rows_are_sorted_under_one_header(answered) -> None:
    rows, _ = answered("q s.run r.run -m 'P@2 AP' --per-topic")
    keys = [(row["run"], row["topic"], row["measure"]) for row in rows]
    assert keys == sorted(keys)
    assert list(rows[0]) == ["run", "topic", "measure", "score"]


def test_the_intersection_excludes_missing_topics(answered) -> None:
    rows, notes = answered("q s.run -m AP --per-topic --missing-topics drop")
    assert scores(rows) == {("s", "1", "AP"): 0.25, ("s", "all", "AP"): 0.25}
    assert "averaged over their own topics" in notes


def test_a_missing_topic_is_noted(answered) -> None:
    _, notes = answered("q s.run -m AP")
    assert "runs that lack topics of the qrels and score 0 there: 1" in notes


def test_quiet_prints_no_notes(answered) -> None:
    assert answered("q s.run -m ERR --quiet")[1] == ""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("s.run -m AP --order trec --missing-topics drop", 0.25),
        ("s.run -m AP --order docno-ascending --missing-topics drop", 0.5),
        # Topic 1: 3/4 + 1/4·1/4/2; topic 2: a at rank 2.
        ("r.run -m ERR --gains 1:3", (0.75 + 1 / 32 + 1 / 8) / 2),
        ("r.run -m AP --gains 1:3", 0.75),
        ("u.run -m RR --missing-topics drop", 0.5),
        ("u.run -m RR --missing-topics drop --condensed", 1.0),
        ("r.run -m NumRel --scale 0,1 --off-scale missing", 1.0),
    ],
)
def test_options_affect_the_scores(answered, folder: Path, words: str, expected: float) -> None:
    (folder / "u.run").write_text("1 Q0 new 1 9 u\n1 Q0 b 2 8 u\n")
    (row,), notes = answered("q", *words.split())
    assert float(row["score"]) == pytest.approx(expected)
    assert ("1 such grades are treated as missing" in notes) == ("--off-scale" in words)


def test_ties_across_a_cutoff_are_counted(answered) -> None:
    _, notes = answered("q r.run s.run -m P@1 --ties")
    assert "run 's': the docs on both sides of rank 1 are tied in 1 topics" in notes
    assert "'r': a score tie" not in notes


def test_the_scale_sets_gmax_and_a_missing_scale_is_noted(answered) -> None:
    rows, notes = answered("q r.run -m RBP(p=0.5)")
    assert scores(rows)["r", "all", "RBP(p=0.5)"] == pytest.approx((0.5 + 0.125 + 0.125) / 2)
    assert "the top level is assumed to be 2" in notes
    rows, notes = answered("q r.run -m RBP(p=0.5) --scale 0..4")
    assert scores(rows)["r", "all", "RBP(p=0.5)"] == pytest.approx((0.25 + 0.0625 + 0.0625) / 2)
    assert notes == ""


def test_missing_topics_of_a_topic_set_are_noted(answered, folder: Path) -> None:
    (folder / "set").write_text("2 some title\n77\n")
    rows, notes = answered("q r.run -m AP --topic-set set")
    assert scores(rows)["r", "all", "AP"] == 0.5
    assert "topics of set that are left out: 1 (77)" in notes


def test_intervals_are_two_more_columns(answered) -> None:
    rows, _ = answered("q r.run -m AP --intervals")
    # 1 and 1/2: mean .75, s/√2 = .25, t(1, .975) = 12.7062.
    assert float(rows[0]["low"]) == pytest.approx(0.75 - 12.7062047 * 0.25)
    assert float(rows[0]["high"]) == pytest.approx(0.75 + 12.7062047 * 0.25)


def test_notes_use_the_displayed_names_of_runs(answered, folder: Path) -> None:
    (folder / "t.run").write_text("1 Q0 a 1 1 r\n")
    (folder / "u.run").write_text("9 Q0 a 1 1 r\n")
    _, notes = answered("q r.run t.run u.run -m AP")
    assert "(most: 't.run', 1 of 2 topics)" in notes
    assert "warning: no topic of run 'u.run' is in the qrels 'q' (first topics: '9'" in notes
    assert "ignored" not in notes


def test_swapped_qrels_are_reported_once(answered, folder: Path) -> None:
    (folder / "t.run").write_text(RUN)
    (folder / "turned").write_text("a 0 1 1\nb 0 1 0\n")
    _, notes = answered("turned r.run t.run -m nDCG@10")
    assert (
        "no topic of run 'r.run' (nor of 1 more) is in the qrels 'turned' (first topics:" in notes
    )
    assert "without a gain" not in notes


def test_the_output_file_has_the_requested_format(folder: Path) -> None:
    arguments = ["evaluate", "q", "r.run", "-m", "AP", "--format", "markdown", "-o", "out.md"]
    assert run(arguments) == 0
    assert (folder / "out.md").read_text().startswith("| run | topic | measure | score |\n")


def test_a_topic_with_the_name_of_the_means_is_noted(answered, folder: Path) -> None:
    (folder / "all.qrels").write_text("all 0 a 1\n2 0 a 1\n")
    _, err = answered("all.qrels r.run -m AP --per-topic")
    assert "note: a topic is called all, so its rows look like the rows of the means" in err
    assert "is called all" not in answered("all.qrels r.run -m AP")[1]


def test_a_terminal_shows_a_row_per_run_and_files_get_the_long_format(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "better.run").write_text("1 Q0 a 1 9 better\n2 Q0 c 1 9 better\n")
    arguments = ["evaluate", "q", "r.run", "better.run", "-m", "RR", "-m", "P@1", "--quiet"]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run(arguments) == 0
    shown = capsys.readouterr().out
    header, _, first, second = shown.splitlines()
    assert header.split() == ["run", "RR", "P@1"]
    assert float(first.split()[1]) >= float(second.split()[1])
    assert run([*arguments, "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("run,topic,measure,score\n")
    monkeypatch.setattr("sys.stdout.isatty", lambda: False)
    assert run(arguments) == 0
    assert capsys.readouterr().out.startswith("run,topic,measure,score\n")
    assert run([*arguments, "--format", "table"]) == 0
    assert capsys.readouterr().out == shown
