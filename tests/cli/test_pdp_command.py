from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.discrimination.grade_matrices import read_matrix

COMMAND = "pdp"

Rows = dict[str, dict[str, str]]

# Eq. 13 and 14 of the paper on PDP, and the labels of Figure 1: five images, three assessors.
FOUR = """\
0.5,0.15,0.1,0.05
0.85,0.5,0.15,0.1
0.9,0.85,0.5,0.15
0.95,0.9,0.85,0.5
"""
SEVEN = """\
0.5,0.2,0.15,0.1,0.06,0.03,0.01
0.8,0.5,0.2,0.15,0.1,0.06,0.03
0.85,0.8,0.5,0.2,0.15,0.1,0.06
0.9,0.85,0.8,0.5,0.2,0.15,0.1
0.94,0.9,0.85,0.8,0.5,0.2,0.15
0.97,0.94,0.9,0.85,0.8,0.5,0.2
0.99,0.97,0.94,0.9,0.85,0.8,0.5
"""
FOUR_GRADES = ("333", "233", "222", "333", "333")
SEVEN_GRADES = ("565", "455", "353", "666", "554")


def table(*rows: str, names: str = "topic,doc,assessor,grade") -> str:
    return "\n".join([names, *(row.replace(" ", ",") for row in rows)]) + "\n"


def figure(grades: tuple[str, ...]) -> str:
    return table(
        *(
            f"1 d{number} {assessor} {grade}"
            for number, of_doc in enumerate(grades, start=1)
            for assessor, grade in zip("xyz", of_doc, strict=True)
        )
    )


# Two assessors, three grades; topic 3 has no preferences, topic 9 no judgments.
X = "1 0 a 0\n1 0 b 1\n1 0 c 2\n2 0 a 1\n2 0 b 2\n3 0 a 0\n3 0 b 0\n"
Y = "1 0 a 0\n1 0 b 2\n1 0 c 2\n2 0 a 0\n2 0 b 1\n3 0 a 0\n3 0 b 0\n"
OTHERS_SPEAK = (
    "topics with judgments, but without preferences: 1; their PDP uses the preferences of other"
    " topics"
)
THINNEST = (
    "smallest number of preference tests in a cell used for PDP: 2 (median over the grade matrix:"
    " 2)"
)
PREFS = "1 a b b\n1 a c c\n1 b c c\n2 a b b\n2 a b b\n9 a b a\n"
FILES = {
    "four.csv": FOUR,
    "seven.csv": SEVEN,
    "four.judgments.csv": figure(FOUR_GRADES),
    "seven.judgments.csv": figure(SEVEN_GRADES),
    "x.qrels": X,
    "y.qrels": Y,
    "p.prefs": PREFS,
}


@pytest.fixture
def called(answered):
    def call(*arguments: str) -> tuple[Rows, str]:
        rows, notes = answered(*arguments)
        assert rows[0]["topic"] == "all"
        return {row["topic"]: row for row in rows}, notes

    return call


# Exact entropies at the optimum; the paper (3.5) prints results of gradient descent and sampling.
@pytest.mark.parametrize(
    ("scale", "mode", "expected"),
    [
        ("four", "individual", 4.21752),
        ("four", "aggregate", 4.16448),
        ("seven", "individual", 4.02394),
        ("seven", "aggregate", 3.81306),
    ],
)
def test_the_worked_example_of_the_paper_is_reproduced(
    called, scale: str, mode: str, expected: float
) -> None:
    rows, notes = called(
        f"{scale}.judgments.csv", "--grade-matrix", f"{scale}.csv", "--mode", mode, "--paper"
    )
    assert list(rows) == ["all", "1"]
    for row in rows.values():
        assert list(row) == ["topic", "docs", "pdp", "se", "over"]
        assert (row["docs"], row["se"]) == ("5", "0.0")
        assert float(row["pdp"]) == pytest.approx(expected, abs=5e-6)
    assert notes == ""


def test_sampling_is_within_its_error(called) -> None:
    rows, _ = called(
        "four.judgments.csv --grade-matrix four.csv --paper --exact-docs 1 --sampled-rankings 2000"
    )
    error = float(rows["all"]["se"])
    assert 0 < error < 0.01
    assert abs(float(rows["all"]["pdp"]) - 4.21752) < 4 * error


@pytest.mark.parametrize("mode", ["individual", "aggregate"])
@pytest.mark.parametrize(
    "names", [("nist",), tuple(f"umbrela.llama3.2.run{number}" for number in range(1, 5))]
)
def test_pdp_of_dl_2021_has_the_expected_values(
    called, shared: Path, names: tuple[str, ...], mode: str
) -> None:
    data = shared / "data" / "trec-dl-2021-passage"
    files = [str(next((data / "qrels").glob(f"{name}.qrels*"))) for name in names]
    runs = sorted((data / "runs").iterdir())[:6]
    # The crowd did not judge docs with NIST's grade 0.
    rows, notes = called(
        *files, "--preferences", str(data / "prefs" / "human.crowd.prefs"), "--untested", "half",
        "--mode", mode, *(word for path in runs for word in ("--runs", str(path))),
    )  # fmt: skip
    assert len(rows) == 54
    values = [float(row["pdp"]) for row in rows.values()]
    assert all(0 < value <= math.log(120) + 1e-12 for value in values)
    assert values[0] == pytest.approx(np.mean(values[1:]))
    assert {row["docs"] for row in rows.values()} == {"5"}
    assert "topics with preferences, but without judgments: 4;" in notes
    assert "topics with judgments, but without preferences: 7;" in notes
    assert "smallest number of preference tests in a cell used for PDP: " in notes


def test_pairs_without_preferences_are_named(refused, shared: Path) -> None:
    data = shared / "data" / "trec-dl-2021-passage"
    problem = refused(
        str(data / "qrels" / "nist.qrels"),
        "--preferences", str(data / "prefs" / "human.crowd.prefs"),
    )  # fmt: skip
    assert problem.startswith(
        "no preference test compares docs of the grades 0 and 1, 0 and 2, 0 and 3. Add about 385"
    )


def test_notes_and_docs_are_as_computed_by_hand(called) -> None:
    rows, notes = called("x.qrels y.qrels --preferences p.prefs")
    assert list(rows) == ["all", "1", "2", "3"]
    assert [row["docs"] for row in rows.values()] == [repr(7 / 3), "3", "2", "2"]
    # Topic 2: 1 < 2 of x and 0 < 1 of y; each was tested by two tests, p(1 > 0) by a third. Wins
    # for x: 0–1, 0–2, 1–2 twice (topic 1 b c and topic 2); for y: 0–2 twice, 2–2, 0–1.
    p = ((0.5 / 3) + (0.5 / 3)) / 2
    two = -(p * math.log(p) + (1 - p) * math.log(1 - p))
    assert float(rows["2"]["pdp"]) == pytest.approx(two)
    assert float(rows["3"]["pdp"]) == pytest.approx(math.log(2))
    assert [line.removeprefix("qrelsmith: note: ") for line in notes.splitlines()] == [
        "no scale given: the levels are assumed to be 0..2",
        "topics with preferences, but without judgments: 1; their preferences are ignored",
        OTHERS_SPEAK,
        THINNEST,
    ]
    assert called("x.qrels y.qrels --preferences p.prefs --quiet")[1] == ""


def test_the_order_of_files_does_not_matter(called, folder: Path) -> None:
    (folder / "more.prefs").write_text("2 a b b\n")
    (folder / "less.prefs").write_text(PREFS.replace("2 a b b\n", "", 1))
    one = called("x.qrels y.qrels --preferences p.prefs")
    two = called("y.qrels x.qrels --preferences more.prefs --preferences less.prefs")
    assert one == two


def test_the_sign_of_preferences_is_read_correctly(called, folder: Path) -> None:
    header = "topic,left,right,outcome"
    lines = [line.split() for line in PREFS.splitlines()]
    for name, sign in (("plus", 1), ("minus", -1)):
        rows = [f"{t} {a} {b} {sign if winner == b else -sign}" for t, a, b, winner in lines]
        (folder / f"{name}.csv").write_text(table(*rows, names=header))
    files = ("x.qrels", "y.qrels", "--preferences")
    expected, _ = called(*files, "p.prefs")
    assert called(*files, "plus.csv")[0] == expected
    assert called(*files, "minus.csv", "--sign", "positive-left")[0] == expected
    for name in ("plus", "minus"):
        called("x.qrels", "--preferences", f"{name}.csv", "--write-grade-matrix", f"{name}.matrix")
    np.testing.assert_allclose(read_matrix("plus.matrix"), read_matrix("minus.matrix").T)


def test_a_written_matrix_is_read_back(called, folder: Path) -> None:
    one, _ = called("x.qrels y.qrels --preferences p.prefs --write-grade-matrix m.csv")
    matrix = read_matrix("m.csv")
    assert matrix.shape == (3, 3)
    np.testing.assert_allclose(matrix + matrix.T, 1)
    assert matrix[0, 1] == pytest.approx(0.5 / 3)
    two, notes = called("x.qrels y.qrels --grade-matrix m.csv")
    assert [row["docs"] for row in one.values()] == [row["docs"] for row in two.values()]
    assert [float(row["pdp"]) for row in one.values()] == pytest.approx(
        [float(row["pdp"]) for row in two.values()]
    )
    assert notes == ""


def test_runs_can_be_files_or_a_folder(called, folder: Path) -> None:
    (folder / "runs").mkdir()
    (folder / "runs" / "one.run").write_text(
        "1 Q0 z 1 9 one\n1 Q0 c 2 8 one\n1 Q0 b 3 7 one\n1 Q0 a 4 6 one\n2 Q0 a 1 1 one\n"
    )
    (folder / "runs" / "two.run").write_text("1 Q0 a 1 2 two\n1 Q0 c 2 1 two\n")
    (folder / "runs" / ".hidden").write_text("no run")
    files = ("x.qrels", "y.qrels", "--preferences", "p.prefs", "--depth", "2", "--runs")
    rows, notes = called(*files, "runs")
    assert called(*files, "runs/two.run", "--runs", "runs/one.run") == (rows, notes)
    assert [row["docs"] for row in rows.values()] == ["1.5", "2", "1", "0"]
    assert rows["2"]["pdp"] == "0.0"
    assert rows["3"]["pdp"] == rows["3"]["se"] == "nan"
    assert float(rows["all"]["pdp"]) == pytest.approx(float(rows["1"]["pdp"]) / 2)
    assert "docs of runs without a grade were ignored: 1\n" in notes
    assert "lists with fewer than 2 graded docs: 1\n" in notes
    assert "pairs of a run and a topic without any graded doc: 3\n" in notes
    assert "topics without PDP, not in the mean: 1 " in notes


def test_the_interval_of_the_mean_is_over_topics(called, folder: Path) -> None:
    given = ("x.qrels", "y.qrels", "--preferences", "p.prefs", "--intervals", "-B", "200")
    rows, notes = called(*given)
    assert (rows["all"]["low"], rows["all"]["over"]) == ("nan", "topics")
    assert "no interval over topics: found 3 topics, expected 8 or more" in notes
    labels = [f"{topic} 0 d{doc} {(topic * doc) % 3}" for topic in range(8) for doc in range(5)]
    (folder / "eight.qrels").write_text("\n".join(labels) + "\n")
    pairs = [
        f"{topic} d{doc} d{doc + 1} d{doc + topic % 2}" for topic in range(8) for doc in range(4)
    ]
    (folder / "eight.prefs").write_text("\n".join(pairs) + "\n")
    rows, _ = called("eight.qrels --preferences eight.prefs", *given[4:])
    mean = rows["all"]
    assert list(mean) == ["topic", "docs", "pdp", "se", "low", "high", "over"]
    assert 0 < float(mean["low"]) < float(mean["pdp"]) < float(mean["high"]) <= math.log(120)
    assert {(r["low"], r["over"]) for topic, r in rows.items() if topic != "all"} == {("nan", "")}


def test_topics_can_be_restricted_to_a_topic_set(called, refused, folder: Path) -> None:
    (folder / "topics").write_text("2\n7\n")
    rows, notes = called("x.qrels y.qrels --preferences p.prefs --topic-set topics --untested half")
    assert list(rows) == ["all", "2"]
    assert "topics: 1 of 2 topics are not in the judgments (first: '7')" in notes
    (folder / "topics").write_text("7\n")
    assert refused("x.qrels --preferences p.prefs --topic-set topics") == (
        "topics: none of the topics is in the judgments; expected at least one"
    )


def test_grades_can_be_restricted_to_one_group(called, folder: Path) -> None:
    rows = [line.split() for line in X.splitlines()]
    header = "topic,doc,assessor,grade,group\n"
    gold = "".join(f"{topic},{doc},x,{grade},gold\n" for topic, _, doc, grade in rows)
    bronze = "".join(f"{topic},{doc},w,0,bronze\n" for topic, _, doc, _ in rows)
    (folder / "both.csv").write_text(header + gold + bronze)
    given = ("--preferences", "p.prefs", "--scale", "0..2")
    alone, _ = called("x.qrels", *given)
    assert called("both.csv --group gold", *given)[0] == alone


def test_equal_grades_have_the_pdp_of_random_labels(called, folder: Path) -> None:
    (folder / "equal.qrels").write_text("".join(f"1 0 d{n} 3\n" for n in range(5)))
    (folder / "equal.prefs").write_text("1 d0 d1 d0\n")
    rows, notes = called("equal.qrels --preferences equal.prefs")
    assert round(float(rows["all"]["pdp"]), 4) == 4.7875
    assert "no preference was needed: the docs of each topic have equal grades" in notes


def test_one_doc_has_pdp_0(called, folder: Path) -> None:
    (folder / "one.qrels").write_text("1 0 a 3\n2 0 b 1\n2 0 c -1\n3 0 a -1\n")
    rows, notes = called("one.qrels --grade-matrix four.csv")
    assert [row["pdp"] for row in rows.values()] == ["0.0", "0.0", "0.0", "nan"]
    assert [row["docs"] for row in rows.values()] == ["1", "1", "1", "0"]
    assert "docs with judgments, but without a grade, are left out: 2\n" in notes


@pytest.mark.parametrize("mode", ["individual", "aggregate"])
def test_one_assessor_and_two_docs_have_a_pdp(called, folder: Path, mode: str) -> None:
    (folder / "two.qrels").write_text("1 0 a 3\n1 0 b 1\n")
    rows, _ = called("two.qrels", "--grade-matrix", "four.csv", "--mode", mode)
    assert float(rows["1"]["pdp"]) == pytest.approx(-(0.1 * math.log(0.1) + 0.9 * math.log(0.9)))


def test_numbers_of_assessors_may_differ(called, folder: Path) -> None:
    (folder / "j.csv").write_text(table("1 a x 3", "1 a y 1", "1 b x 1", "2 a y 0", "2 b x 0"))
    rows, notes = called("j.csv --grade-matrix four.csv")
    # Only x graded both docs of topic 1; nobody graded those of topic 2.
    assert float(rows["1"]["pdp"]) == pytest.approx(-(0.1 * math.log(0.1) + 0.9 * math.log(0.9)))
    assert rows["2"]["pdp"] == "nan"
    assert float(rows["all"]["pdp"]) == pytest.approx(float(rows["1"]["pdp"]))
    assert "topics without PDP, not in the mean: 1 " in notes
    rows, _ = called("j.csv --grade-matrix four.csv --mode aggregate")
    assert float(rows["2"]["pdp"]) == pytest.approx(math.log(2))


def test_each_batch_can_have_a_matrix(called, refused, folder: Path) -> None:
    (folder / "a.qrels").write_text("1 0 a 0\n1 0 b 1\n")
    (folder / "b.qrels").write_text("2 0 a 0\n2 0 b 1\n")
    files = ("a.qrels", "b.qrels", "--preferences")
    (folder / "both.prefs").write_text("1 a b b\n2 a b a\n")
    rows, notes = called(*files, "both.prefs")
    p = 0.25
    entropy = -(p * math.log(p) + (1 - p) * math.log(1 - p))
    assert float(rows["all"]["pdp"]) == pytest.approx(entropy)
    assert "the topics form 2 batches that share no assessors" in notes
    # Together, they contradict each other.
    rows, notes = called(*files, "both.prefs", "--batches", "all", "--write-grade-matrix", "m.csv")
    assert float(rows["all"]["pdp"]) == pytest.approx(math.log(2))
    assert "batches" not in notes
    assert refused(*files, "both.prefs", "--write-grade-matrix", "n.csv").startswith(
        "--write-grade-matrix writes one matrix, but there are 2"
    )
    (folder / "one.prefs").write_text("1 a b b\n")
    problem = refused(*files, "one.prefs")
    assert "0 and 1 (batch 1)" in problem
    assert problem.endswith("or combine the batches with --batches all")


def test_the_paper_mode_clips_preferences(called, folder: Path) -> None:
    # A strict order of five docs, clipped at 0.01, has PDP 0.768; the limit is 0.
    (folder / "strict.qrels").write_text("".join(f"1 0 d{n} {n}\n" for n in range(5)))
    pairs = [(low, high) for high in range(5) for low in range(high)]
    (folder / "strict.prefs").write_text("".join(f"1 d{a} d{b} d{b}\n" for a, b in pairs))
    files = ("strict.qrels", "--preferences", "strict.prefs")
    assert round(float(called(*files, "--paper")[0]["all"]["pdp"]), 3) == 0.768
    assert float(called(*files, "--smoothing", "none")[0]["all"]["pdp"]) == 0
    assert called(*files, "--smoothing", "paper") == called(*files, "--paper")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            "0.5,0.2\n0.8,0.5\n0.9,0.9\n",
            "m.csv:1: found 2 cells in a matrix of 3 lines; expected CSV",
        ),
        ("0.5,0.2\n0.8\n", "m.csv:2: found 1 cells in a matrix of 2 lines; expected CSV"),
        ("0.5,1.2\n-0.2,0.5\n", "m.csv: the grade matrix has 1.2 in row 0, column 1 and -0.2"),
        ("0.5,0.2\n0.7,0.5\n", "m.csv: the grade matrix has 0.2 in row 0, column 1 and 0.7"),
        ("0.6,0.2\n0.8,0.5\n", "m.csv: the grade matrix has 0.6 in row 0, column 0"),
        ("0.5,nan\n0.8,0.5\n", "m.csv: the grade matrix has nan in row 0, column 1 and 0.8"),
        ("low,high\n0.5,0.2\n0.8,0.5\n", "m.csv:1: 'low' is not a number; expected CSV"),
        ("0.5,1_0\n0.8,0.5\n", "m.csv:1: '1_0' is not a number; expected CSV"),
        ("\n", "m.csv: the file is empty; expected CSV without a header"),
        ("0.5,0.2\n0.8,0.5\n", "x.qrels:3: "),
    ],
)
def test_malformed_matrices_are_refused(refused, folder: Path, content: str, problem: str) -> None:
    (folder / "m.csv").write_text(content)
    assert problem in refused("x.qrels --grade-matrix m.csv")


def test_a_matrix_of_another_scale_is_refused(called, refused, folder: Path) -> None:
    assert "has the shape [4, 4]; expected a row and a column for each of the 3 levels" in refused(
        "x.qrels --grade-matrix four.csv --scale 0..2"
    )
    (folder / "m.csv").write_text("0.5,nan\nnan,0.5\n")
    assert "no preference test compares docs of the grades 0 and 1" in refused(
        "x.qrels --grade-matrix m.csv --off-scale missing --quiet"
    )
    # The i-th level of the scale, whatever its name.
    (folder / "ten.qrels").write_text("1 0 a 10\n1 0 b 20\n")
    rows, _ = called("ten.qrels --grade-matrix four.csv --scale 0,10,15,20")
    p = 0.1
    assert float(rows["1"]["pdp"]) == pytest.approx(-(p * math.log(p) + 0.9 * math.log(0.9)))


def test_up_to_101_distinct_grades_are_levels(called, refused, folder: Path) -> None:
    (folder / "many.qrels").write_text("".join(f"1 0 d{n} {n + 0.5}\n" for n in range(102)))
    (folder / "many.prefs").write_text("1 d0 d1 d1\n")
    assert "102 distinct grades" in refused("many.qrels --preferences many.prefs")
    (folder / "few.qrels").write_text("1 0 d0 0.25\n1 0 d1 1.5\n")
    _, notes = called("few.qrels --preferences many.prefs")
    assert "the levels are assumed to be 0.25,1.5\n" in notes


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "expected either --preferences or --grade-matrix"),
        (("--preferences", "p.prefs", "--grade-matrix", "four.csv"), "expected either"),
        (("--grade-matrix", "four.csv", "--untested", "half"), "--untested needs --preferenc"),
        (("--grade-matrix", "four.csv", "--smoothing", "none"), "--smoothing needs"),
        (("--grade-matrix", "four.csv", "--write-grade-matrix", "m"), "--write-grade-matrix needs"),
        (("--preferences", "p.prefs", "--paper", "--smoothing", "none"), "found --paper and --sm"),
        (("--preferences", "p.prefs", "--exact-docs", "21"), "--exact-docs"),
        (("--preferences", "p.prefs", "--runs", "."), "a.run"),
        (("--preferences", "p.prefs", "--runs", "none"), "the folder has no files; expected runs"),
        (("--preferences", "p.prefs", "--runs", "p.prefs", "--runs", "p.prefs"), "is named twice"),
        (("--preferences", "other.prefs"), "none of the 1 topics of the preferences is among the"),
        (("--preferences", "empty.csv"), "no preferences found; expected at least one"),
        (("--grade-matrix", "none.csv"), "none.csv: no such file"),
    ],
)
def test_invalid_input_is_refused(
    refused, folder: Path, arguments: tuple[str, ...], problem: str
) -> None:
    (folder / "a.run").write_text("no run\n")
    (folder / "none").mkdir()
    (folder / "other.prefs").write_text("9 a b a\n")
    (folder / "empty.csv").write_text("topic,left,right,outcome\n")
    assert problem in refused("x.qrels y.qrels", *arguments)


def test_labels_without_grades_are_refused(refused, folder: Path) -> None:
    (folder / "codes.qrels").write_text("1 0 a -1\n")
    (folder / "none.csv").write_text("topic,doc,assessor,grade\n")
    for name in ("codes.qrels", "none.csv"):
        assert refused(name, "--grade-matrix", "four.csv") in (
            "no doc has a grade; expected grades to compare",
            "none.csv: no judgments found; expected at least one",
        )
