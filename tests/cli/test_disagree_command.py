from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.cli import run

COMMAND = "disagree"

JUDGMENTS = """topic,doc,assessor,grade,group,ordering,position
1,a,g,2,gold,prioritised,1
1,b,g,0,gold,prioritised,2
1,c,g,0,gold,prioritised,3
1,d,g,0,gold,prioritised,4
2,a,g,1,gold,randomised,1
2,b,g,0,gold,randomised,2
1,a,w,0,bronze-w,prioritised,1
1,b,w,2,bronze-w,prioritised,2
1,c,w,2,bronze-w,prioritised,3
1,d,w,1,bronze-w,prioritised,4
2,a,w,1,bronze-w,prioritised,1
2,b,w,1,bronze-w,prioritised,2
1,a,t,1,bronze-t,prioritised,1
1,c,t,1,bronze-t,prioritised,3
1,b,t,2,bronze-t,prioritised,2
1,d,t,0,bronze-t,prioritised,4
2,a,t,0,bronze-t,prioritised,1
2,b,t,2,bronze-t,prioritised,2
"""
COLUMNS = ["gold_says", "ordering", "gold", "bronze", "docs", "of"]
FILES = {"judgments.csv": JUDGMENTS}
PLAIN = ("judgments.csv", "--gold", "gold")


def test_disagreements_are_as_many_as_counted_by_hand(answered) -> None:
    rows, notes = answered(*PLAIN)
    assert list(rows[0]) == COLUMNS
    assert [tuple(row.values()) for row in rows] == [
        ("relevant", "prioritised", "2", "1 of 2 not relevant", "1", "1"),
        ("relevant", "prioritised", "", "any", "1", "1"),
        ("relevant", "randomised", "1", "1 of 2 not relevant", "1", "1"),
        ("relevant", "randomised", "", "any", "1", "1"),
        ("not relevant", "prioritised", "0", "2 of 2 highly relevant", "1", "3"),
        ("not relevant", "prioritised", "0", "1 of 2 highly relevant", "1", "3"),
        ("not relevant", "prioritised", "", "any", "2", "3"),
        ("not relevant", "randomised", "0", "1 of 2 highly relevant", "1", "1"),
        ("not relevant", "randomised", "", "any", "1", "1"),
    ]
    assert "docs are assumed to be highly relevant from grade 2" in notes


def test_the_lower_of_two_grades_in_a_group_is_reported(answered) -> None:
    content = "topic,doc,assessor,grade,group\n1,a,g,2,gold\n1,a,w,2,crowd\n1,a,v,0,crowd\n"
    Path("two.csv").write_text(content)
    _, notes = answered("two.csv", "--gold", "gold", "--show", "grades")
    assert "a doc with two grades of crowd counts with the lower one, the lower median" in notes


def test_grades_tests_and_the_list_of_docs_are_printed(answered) -> None:
    rows, _ = answered(*PLAIN, "--show", "grades", "--bronze", "bronze-w", "--bronze", "bronze-t")
    assert ["prioritised", "0", "2", "1", "1"] in [list(row.values()) for row in rows]
    rows, _ = answered(*PLAIN, "--show", "tests")
    second = rows[1]
    assert (second["gold_says"], second["docs_a"], second["of_a"]) == ("not relevant", "2", "3")
    assert float(second["share_b"]) == 1
    rows, _ = answered(*PLAIN, "--show", "serious")
    assert [list(row.values()) for row in rows] == [
        ["1", "b", "2", "prioritised", "g", "0", "2", "2"],
        ["1", "c", "3", "prioritised", "g", "0", "1", "2"],
        ["2", "b", "2", "randomised", "g", "0", "2", "1"],
    ]
    rows, _ = answered(*PLAIN, "--show", "serious", "--rule", "gold == 0 and any == 0")
    assert [row["doc"] for row in rows] == ["d"]


def test_a_new_round_keeps_the_order_and_is_never_overwritten(
    answered, refused, folder: Path
) -> None:
    round_2 = folder / "round-2.pool"
    arguments = (*PLAIN, "--write-round", "round-2.pool", "--depth", "60")
    assert "in 2 orderings (prioritised, randomised)" in refused(*arguments, "--quiet")
    _, notes = answered(*arguments, "--ordering", "prioritised", "--seed", "7")
    assert round_2.read_text() == "# pool format=1 ordering=prioritised depth=60\n1 b 1\n1 c 2\n"
    assert "docs to be judged again: 2, in round-2.pool (topics: 1)" in notes
    # Writing the same round again is allowed, but not another round.
    answered(*arguments, "--ordering", "prioritised", "--seed", "7")
    message = refused(*arguments, "--ordering", "randomised", "--quiet")
    assert message.startswith("round-2.pool already exists with different content")
    assert "1 b 1\n" in round_2.read_text()


def test_a_round_in_the_order_of_assignments_has_no_seed(answered, folder: Path) -> None:
    answered(
        *PLAIN, "--write-round", "r.pool", "--depth", "10", "--ordering", "randomised",
        "--rule", "any >= 0",
    )  # fmt: skip
    text = (folder / "r.pool").read_text()
    assert text == "# pool format=1 ordering=randomised depth=10\n2 a 1\n2 b 2\n"


def test_a_round_in_an_order_that_no_pool_file_can_express_is_refused(
    refused, folder: Path
) -> None:
    text = (folder / "judgments.csv").read_text()
    (folder / "judgments.csv").write_text(text.replace("prioritised", "PRI"))
    arguments = (*PLAIN, "--write-round", "round-2.pool", "--depth", "60", "--ordering", "PRI")
    assert refused(*arguments, "--quiet").startswith("unknown ordering 'PRI'")


def test_the_second_round_is_compared_with_the_first(answered, folder: Path) -> None:
    (folder / "again.csv").write_text("topic,doc,assessor,grade\n1,b,g,2\n1,c,g,0\n1,a,g,0\n")
    first = (folder / "judgments.csv").read_bytes()
    rows, notes = answered(
        *PLAIN, "--ordering", "prioritised", "--rejudged", "again.csv", "--show", "rejudged"
    )
    assert list(rows[0]) == ["assessor", "topic", "rejudged", "grade", "docs", "share"]
    assert [tuple(row.values()) for row in rows] == [
        (who, topic, "2", grade, "1", "0.5")
        for who, topic in (("g", "1"), ("g", "all"), ("all", "all"))
        for grade in ("0", "2")
    ]
    assert "judgments of docs that are not listed (ignored): 1" in notes
    rows, notes = answered(*PLAIN, "--rejudged", "again.csv", "--show", "rejudged")
    assert "listed docs that have not been judged again: 1" in notes
    assert (folder / "judgments.csv").read_bytes() == first


def test_gold_can_be_qrels_if_the_judgments_lack_it(refused, answered, folder: Path) -> None:
    message = refused("judgments.csv --gold nist")
    assert message.endswith(
        "If its labels are qrels, pass that file and one qrels file for each other group;"
        " `qrelsmith aggregate JUDGMENTS --aggregation median --group NAME` creates the qrels of a"
        " group"
    )
    assert "aggregate" not in refused("judgments.csv --gold gold --bronze silver")
    # The command in the message works.
    (folder / "nist.qrels").write_text("1 0 a 2\n1 0 b 0\n")
    made = ("--by", "median", "--group", "bronze-w", "-o", "w.qrels", "--quiet")
    assert run(["aggregate", "judgments.csv", *made]) == 0
    rows, _ = answered("nist.qrels w.qrels --gold nist --show grades")
    assert [list(row.values()) for row in rows] == [["", "0", "2", "1"], ["", "2", "0", "1"]]


def test_qrels_can_have_one_assessor_each(answered, folder: Path) -> None:
    for name, grades in (("nist", "0 2 0"), ("llm", "2 0 2")):
        rows = [f"1 0 {doc} {grade}\n" for doc, grade in zip("abc", grades.split(), strict=True)]
        (folder / f"{name}.qrels").write_text("".join(rows))
    (folder / "llm.qrels").write_text("1 0 a 2\n1 0 b 0\n")
    rows, notes = answered("nist.qrels llm.qrels --gold nist")
    assert [tuple(row.values()) for row in rows] == [
        ("relevant", "", "2", "1 of 1 not relevant", "1", "1"),
        ("relevant", "", "", "any", "1", "1"),
        ("not relevant", "", "0", "1 of 1 highly relevant", "1", "1"),
        ("not relevant", "", "", "any", "1", "1"),
    ]
    assert "docs of nist left out because not all other assessors judged them: 1" in notes
    _, notes = answered("nist.qrels llm.qrels --gold nist --write-round r.pool --depth 5")
    assert "nist's judgments do not record the order: r.pool is in docno order" in notes
    assert (folder / "r.pool").read_text().endswith("\n1 a 1\n")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--gold", "gold"), "Missing argument 'FILE...'"),
        (("judgments.csv",), "Missing option '--gold'"),
        (
            ("judgments.csv", "--gold", "silver"),
            "'silver' is neither a group nor an assessor without a group",
        ),
        ((*PLAIN, "--rule", "gold ~ 1"), "the condition 'gold ~ 1' cannot be read"),
        ((*PLAIN, "--ordering", "x"), "gold has no docs in the ordering 'x'"),
        ((*PLAIN, "--write-round", "r"), "--write-round needs --depth"),
        (
            (*PLAIN, "--show", "rejudged"),
            "--show rejudged and --rejudged JUDGMENTS must be given together",
        ),
        (
            (*PLAIN, "--rejudged", "judgments.csv"),
            "--show rejudged and --rejudged JUDGMENTS must be given together",
        ),
        (
            (*PLAIN, "--write-round", "./judgments.csv", "--depth", "1"),
            "'judgments.csv' is given for both --write-round and FILE...",
        ),
        ((*PLAIN, "-o", "judgments.csv"), "'judgments.csv' is"),
        (
            (*PLAIN, "--write-round", "r", "--depth", "1", "--rule", "gold > 9"),
            "no doc fulfils a rule",
        ),
        (("empty.csv", "--gold", "gold"), "empty.csv: no judgments"),
    ],
)
def test_invalid_input_is_refused(
    refused, folder: Path, arguments: tuple[str, ...], expected: str
) -> None:
    (folder / "empty.csv").write_text("topic,doc,assessor,grade\n")
    out = () if "-o" in arguments else ("-o", "out.csv")
    assert refused(*arguments, "--quiet", *out).startswith(expected)
