from __future__ import annotations

import csv
import io
import re
from itertools import combinations
from pathlib import Path

import pytest

from qrelsmith.cli import run
from qrelsmith.judgments.given_labels import read_qrels

COMMAND = "topk"

# Topic 1 has 12 candidates at grade 2 and more below it, topic 2 four, topic 3 one, topic 4 none.
GRADED = {
    "1": {f"d{n:02d}": 2 if n < 12 else 1 if n < 15 else 0 for n in range(30)},
    "2": {"a": 1, "b": 1, "c": 3, "d": 1, "z": 0},
    "3": {"a": 1, "z": 0},
    "4": {"z": 0},
}
FILES = {
    "graded.qrels": "".join(
        f"{topic} 0 {doc} {grade}\n"
        for topic, docs in GRADED.items()
        for doc, grade in docs.items()
    )
}


@pytest.fixture
def called(printed):
    def call(*arguments: str) -> tuple[list[list[str]], str]:
        out, notes = printed(*arguments)
        return list(csv.reader(io.StringIO(out))), notes

    return call


def play(called, log: str, *setting: str, each: str = "99") -> int:
    """Answer the open pairs until there are none; the doc that comes first by name wins."""
    for turn in range(200):
        (header, *pairs), _ = called("pairs", "graded.qrels", log, "--each", each, *setting)
        assert header == ["topic", "round", "left", "right"]
        if not pairs:
            return turn
        rows = [",".join([*pair, min(pair[2:]), "me"]) for pair in pairs]
        Path("turn.csv").write_text("\n".join(["topic,round,left,right,outcome,assessor", *rows]))
        called("answer", "graded.qrels", log, "--new-answers", "turn.csv", *setting)
    raise AssertionError("the session does not end")


def test_pool_prints_candidates_and_the_lowest_grade(called) -> None:
    rows, notes = called("pool graded.qrels --k 5")
    assert rows == [
        ["topic", "candidates", "lowest_grade"],
        ["1", "12", "2"], ["2", "4", "1"], ["3", "1", "1"], ["4", "0", "nan"],
    ]  # fmt: skip
    assert "candidates in 4 topics: 17; largest number in a topic: 12 (topic 1)" in notes
    assert "topics with fewer than 5 candidates: 3" in notes


def test_result_ranks_docs_by_wins(called) -> None:
    Path("p.txt").write_text("".join(f"2 {a} {b} {a}\n" for a, b in combinations("cabd", 2)))
    rows, notes = called("result graded.qrels p.txt")
    assert rows == [
        ["topic", "doc", "rank", "wins"],
        ["2", "c", "1", "3"], ["2", "a", "2", "2"], ["2", "b", "3", "1"], ["2", "d", "4", "0"],
        ["3", "a", "1", "0"],
    ]  # fmt: skip
    assert "topics without a result: 1 (1) of 3" in notes


@pytest.mark.parametrize("method", ["rounds", "tournament", "round-robin"])
def test_a_whole_session_works_with_files(called, method: str) -> None:
    setting = ("--scheduler", method, "--seed", "3")
    play(called, "log.csv", *setting)
    rows, notes = called("result graded.qrels log.csv", *setting)
    assert notes == ""
    assert next(row[1] for row in rows if row[0] == "1") == "d00"
    if method == "tournament":
        assert [row[1:3] for row in rows if row[0] == "1"] == [
            [f"d{n:02d}", str(n + 1)] for n in range(5)
        ]


def test_a_session_with_one_answer_at_a_time_gives_the_same_result(called) -> None:
    setting = ("--scheduler", "tournament", "--k", "2")
    play(called, "many.csv", *setting)
    play(called, "one.csv", *setting, each="1")
    many, one = (
        called("result", "graded.qrels", log, *setting)[0] for log in ("many.csv", "one.csv")
    )
    assert many == one


def test_after_a_crash_nothing_is_lost_and_the_next_pair_is_the_same(called) -> None:
    play(called, "log.csv", "--scheduler", "tournament")
    lines = Path("log.csv").read_text().splitlines(keepends=True)
    Path("half.csv").write_text("".join(lines[:6]))
    one, _ = called("pairs graded.qrels half.csv --scheduler tournament")
    two, _ = called("pairs graded.qrels half.csv --scheduler tournament")
    assert one == two
    done = {frozenset(line.split(",")[1:3]) for line in lines[1:6]}
    assert not done & {frozenset(row[2:]) for row in one[1:]}


def test_an_answer_an_undo_and_a_changed_answer_are_recorded(called) -> None:
    setting = ("--scheduler", "tournament", "--k", "1")
    (_, first, *_), _ = called("pairs graded.qrels log.csv", *setting)
    topic, _, left, right = first
    after, _ = called("answer", "graded.qrels", "log.csv", topic, left, right, "left", *setting)
    assert first not in after
    undone, notes = called(
        "answer", "graded.qrels", "log.csv", topic, right, left, "undo", *setting
    )
    assert first in undone
    assert "change or withdraw an earlier answer: 1" in notes
    called("answer", "graded.qrels", "log.csv", topic, left, right, right, *setting)
    assert Path("log.csv").read_text() == (
        "topic,left,right,outcome,assessor,round\n"
        f"{topic},{left},{right},-1,,1\n{topic},{right},{left},undo,,1\n{topic},{left},{right},1,,1\n"
    )


def test_a_log_of_another_method_is_refused_and_named(called, refused) -> None:
    play(called, "log.csv", "--scheduler", "tournament")
    before = Path("log.csv").read_text()
    _, left, right, *_ = before.splitlines()[1].split(",")
    again = ("answer", "graded.qrels", "log.csv", "1", left, right, "left")
    line = refused(*again)
    assert line.startswith("log.csv: answers that fit no pair that --scheduler rounds asks")
    assert "--scheduler, --k, --finalists, --pairings or --seed may differ" in line
    assert "they fit --scheduler tournament" in line
    assert Path("log.csv").read_text() == before
    for command in ("pairs", "result"):
        _, notes = called(command, "graded.qrels", "log.csv")
        assert "qrelsmith: note: answers that fit no pair that --scheduler rounds asks" in notes
        assert "they fit --scheduler tournament" in notes
    called(*again, "--force")
    assert Path("log.csv").read_text().startswith(before)
    assert Path("log.csv").read_text() != before


def test_an_answer_to_a_pair_that_is_not_open_is_refused(called, refused) -> None:
    (_, *pairs), _ = called("pairs graded.qrels --scheduler tournament")
    asked = {frozenset(row[2:]) for row in pairs}
    left, right = next(p for p in combinations("abcd", 2) if frozenset(p) not in asked)
    given = ("graded.qrels", "log.csv", "2", left, right, "left", "--scheduler", "tournament")
    assert "fit no pair that --scheduler tournament asks with these options: 1;" in refused(
        "answer", *given
    )
    assert not Path("log.csv").exists()


def test_qrels_and_preferences_can_be_written(called) -> None:
    play(called, "log.csv")
    called(
        "result graded.qrels log.csv --write-graded g --write-top t --write-combined c "
        "--write-best b --write-preferences p --form winner -o r.csv"
    )
    assert read_qrels("g").to_dict() == read_qrels("graded.qrels").to_dict()
    top = read_qrels("t").to_dict()
    combined = read_qrels("c").to_dict()
    assert combined["2"] == {"a": 50, "b": 40, "c": 30, "d": 20, "z": 0}
    assert combined["4"] == {"z": 0}
    assert max(combined["1"], key=combined["1"].__getitem__) == "d00"
    assert read_qrels("b").to_dict() == {"1": {"d00": 1}, "2": {"a": 1}, "3": {"a": 1}}
    assert top["2"] == {"a": 5, "b": 4, "c": 3, "d": 2}
    rows, _ = called("result graded.qrels p")
    assert [row[:2] for row in rows[1:] if row[0] != "1"] == [
        ["2", "a"], ["2", "b"], ["2", "c"], ["2", "d"], ["3", "a"],
    ]  # fmt: skip


def mturk(sent: Path, worker: str, *, careless: bool = False) -> list[dict[str, str]]:
    """Return a worker's results of a batch: the first doc by name wins, or always the left doc."""
    done = []
    for line in csv.DictReader(io.StringIO(sent.read_text())):
        row = {"WorkerId": worker, **{f"Input.{key}": value for key, value in line.items()}}
        for n in range(1, int(line["pairs"]) + 1):
            left = line[f"left_{n}"] < line[f"right_{n}"]
            row[f"Answer.pair_{n}"] = "left" if left or careless else "right"
        done.append(row)
    return done


def write_csv(path: str, rows: list[dict[str, str]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(key for row in rows for key in row)))
        writer.writeheader()
        writer.writerows(rows)


def test_a_crowd_session_excludes_a_careless_worker(called) -> None:
    for turn in range(6):
        called("hits make graded.qrels log.csv -o record.csv")
        if len(Path("record.csv").read_text().splitlines()) == 1:
            break
        called("hits out record.csv -o batch.csv")
        assert "challenge" not in Path("batch.csv").read_text()
        done = mturk(Path("batch.csv"), "A1")
        if turn == 0:
            done[0] = mturk(Path("batch.csv"), "A2", careless=True)[0]
        write_csv("results.csv", done)
        Path("nobody.txt").write_text("")  # the first round excludes no worker
        rows, notes = called(
            "hits in record.csv results.csv --answers log.csv --again again.csv --excluded "
            "nobody.txt"
        )
        assert rows[0] == ["worker", "assessor", "hits", "counted", "missed", "excluded", "paid"]
        if turn == 0:
            assert [row[0:1] + row[2:] for row in rows[1:]][1] == [
                "A2",
                "1",
                "0",
                "1",
                "yes",
                "2.0",
            ]
            assert len(Path("again.csv").read_text().splitlines()) == 14
            assert "workers excluded: 1" in notes
    assert turn >= 2
    assert "A1" not in Path("log.csv").read_text()
    rows, notes = called("result graded.qrels log.csv")
    assert notes == ""
    assert rows[1][:3] == ["1", "d00", "1"]


def test_reading_results_twice_adds_nothing(called) -> None:
    called("hits make graded.qrels -o r.csv")
    called("hits out r.csv -o batch.csv")
    write_csv("results.csv", mturk(Path("batch.csv"), "A1"))
    called("hits in r.csv results.csv --answers log.csv")
    once = Path("log.csv").read_text()
    _, notes = called("hits in r.csv results.csv --answers log.csv")
    assert Path("log.csv").read_text() == once
    assert "answers added to the log: 0" in notes


def test_a_pilot_and_custom_terms_can_be_given(called) -> None:
    Path("terms.toml").write_text('[hits]\npairs = 5\nreward = 1\nfee = 0\ncountries = ["JP"]\n')
    _, notes = called("hits make graded.qrels --pilot 0.3 --terms terms.toml -o r.csv")
    with open("r.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len({row["topic"] for row in rows if not row["challenge"]}) == 1
    assert "workers: approval of 95% or more, 1000 HITs or more, from JP" in notes
    hits = len({row["hit"] for row in rows})
    assert f"HITs: {hits}, which cost {hits:.2f} USD" in notes


def test_prolific_batches_can_contain_texts(called) -> None:
    called("hits make graded.qrels -o r.csv")
    Path("topics.tsv").write_text("1\tone\n2\ttwo\n")
    Path("docs.jsonl").write_text('{"doc_id": "a", "text": "the first"}\n')
    rows, _ = called(
        "hits out r.csv --platform prolific --topics topics.tsv --documents docs.jsonl"
    )
    assert rows[0] == [
        "hit",
        "position",
        "topic",
        "left",
        "right",
        "topic_text",
        "left_text",
        "right_text",
    ]
    assert any("the first" in row for row in rows)


def test_plan_prints_a_row_for_each_combination(called) -> None:
    rows, _ = called(
        "plan graded.qrels -k 3 -k 5 -P 5 -P 7 --scheduler rounds --scheduler "
        "tournament --reliability 0.8 --reliability 1 --campaigns 20"
    )
    assert len(rows) == 1 + 2 * (2 + 1 + 2)
    assert rows[0][:5] == ["method", "k", "finalists", "pairings", "reliability"]


def test_plan_fits_the_reliability_to_preferences(called) -> None:
    called("simulate graded.qrels --reliability 0.8 --campaigns 1 --write-answers p.csv")
    rows, notes = called(
        "plan graded.qrels --preferences p.csv --campaigns 10 --write-reliability r.csv"
    )
    assert rows[1][4] == "fitted"
    assert re.search(r"fitted to \d+ answers", notes)
    assert Path("r.csv").read_text().startswith("grade_distance,rank_distance,right,share\n")


def test_plan_draws_the_success_rate_against_the_cost(called) -> None:
    pytest.importorskip("qrelsmith.report.kinds.lines")
    for name in ("plan.svg", "plan.pdf"):
        called("plan", "graded.qrels", "-F", "9", "-F", "12", "--campaigns", "5", "--figure", name)
        assert Path(name).stat().st_size > 1000


def test_simulate_summarises_campaigns(called) -> None:
    rows, _ = called("simulate graded.qrels --campaigns 50 --scheduler tournament")
    table = {row[0]: list(map(float, row[1:])) for row in rows[1:]}
    assert rows[0] == ["quantity", "mean", "sd", "low", "high"]
    assert table["found"] == [1, 0, 1, 1]
    assert table["hits"][0] == 0


def test_the_same_seed_gives_the_same_result(called) -> None:
    one, two = (called("simulate graded.qrels --campaigns 20")[0] for _ in range(2))
    assert one == two
    assert called("simulate graded.qrels --campaigns 20 --seed 1")[0] != one


def test_topics_can_be_restricted_to_a_topic_set(called) -> None:
    Path("only").write_text("2\n")
    rows, _ = called("pool graded.qrels --topic-set only")
    assert [row[0] for row in rows[1:]] == ["2"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("pool none.qrels", "none.qrels: "),
        ("pairs graded.qrels -P 5", "F = 9, P = 5 and k = 5; expected F > P > k"),
        ("pairs graded.qrels --scheduler heap", "unknown scheduler 'heap'"),
        ("answer graded.qrels log.csv 2 a", "expected TOPIC LEFT RIGHT OUTCOME"),
        ("answer graded.qrels log.csv 2 a b up", "the outcome is 'up'"),
        ("answer graded.qrels log.csv 2 a a left", "compared with itself"),
        ("answer graded.qrels log.csv 2 a z left", "'z' is not a candidate"),
        ("answer graded.qrels log.csv 2 a b undo", "to withdraw"),
        ("plan graded.qrels -k 8", "no combination of k 8, F 9 and P 7 has F > P > k"),
        ("plan graded.qrels --reliability 2", "the reliability is 2; expected 0.5 to 1"),
        ("plan graded.qrels --reliability x", "the reliability is 'x'"),
        ("plan graded.qrels --reliability fitted", "needs --preferences"),
        ("plan graded.qrels --write-reliability r.csv", "needs a fitted reliability"),
        ("plan graded.qrels --figure plan.png", "expected a name that ends in .svg or .pdf"),
        ("simulate graded.qrels --scheduler round-robin", "expected rounds or tour"),
        ("hits make graded.qrels --terms graded.qrels", "invalid TOML"),
        ("hits out graded.qrels", "graded.qrels:1:"),
    ],
)
def test_invalid_input_is_a_one_line_error(refused, arguments: str, problem: str) -> None:
    assert problem in refused(arguments)
    assert not Path("log.csv").exists()


def test_extreme_sizes_are_allowed_with_force(called) -> None:
    rows, _ = called("pairs graded.qrels -P 3 -F 4 --k 5 --force")
    assert len([row for row in rows if row[0] == "1"]) == 18


@pytest.mark.parametrize(
    "command", ["pool", "pairs", "answer", "result", "hits", "plan", "simulate"]
)
def test_every_command_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["topk", command, "--help"]) == 0
    assert f"Example: qrelsmith topk {command}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "command",
    [
        "pool q",
        "pairs q",
        "answer q log.csv 1 a b left",
        "result q answers.csv",
        "plan q --campaigns 2",
        "simulate q --campaigns 2",
        "hits make q",
    ],
)
def test_grades_outside_the_scale_are_errors_or_missing(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("1 0 a 1\n1 0 b 1\n1 0 n 0\n1 0 c 9\n1 0 o 0\n")
    Path("answers.csv").write_text("topic,left,right,outcome,assessor\n1,a,b,left,x\n")
    asked = ["topk", *command.split(), "--scale", "0..3"]
    assert run(asked) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "qrelsmith: error: q:4: the grade is 9; expected a level of the scale 0..3"
    assert run([*asked, "--off-scale", "missing"]) == 0
    captured = capsys.readouterr()
    assert "q:4: the grade is 9; expected a level of the scale 0..3; 1 such" in captured.err
    assert ",c," not in captured.out
