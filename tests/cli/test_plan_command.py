from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import qrelsmith as qs
from qrelsmith.base.errors import UndefinedError
from qrelsmith.cli import run
from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.planning.plan_preferences import plan_preferences

# Two topics with four docs each; the scale fine distinguishes c and d, coarse does not.
FINE = "1 0 a 0\n1 0 b 1\n1 0 c 2\n1 0 d 3\n2 0 a 0\n2 0 b 1\n2 0 c 2\n2 0 e 3\n"
COARSE = "1 0 a 0\n1 0 b 0\n1 0 c 1\n1 0 d 1\n2 0 a 0\n2 0 e 1\n2 0 f -1\n"
COMMAND = "plan preferences"
FILES = {"fine.qrels": FINE, "coarse.qrels": COARSE}


@pytest.fixture
def planned(printed):
    def call(*arguments: str) -> tuple[list[tuple[str, ...]], list[str]]:
        out, err = printed(*arguments)
        header, *rows = csv.reader(io.StringIO(out))
        assert header == ["topic", "left", "right"]
        notes = [line.removeprefix("qrelsmith: note: ") for line in err.splitlines()]
        return [tuple(row) for row in rows], notes

    return call


def spread(rows: list[tuple[str, ...]], qrels: Qrels) -> dict[frozenset[float], int]:
    """Return the number of tests per pair of different grades."""
    grades = qrels.to_dict()
    counts: dict[frozenset[float], int] = {}
    for topic, left, right in rows:
        pair = frozenset((grades[topic][left], grades[topic][right]))
        counts[pair] = counts.get(pair, 0) + (len(pair) == 2)
    return counts


GROUPS = """topic,doc,assessor,grade,group
1,a,g,0,gold
1,b,g,1,gold
1,c,g,2,gold
1,a,w,0,bronze
1,b,w,0,bronze
1,c,w,0,bronze
"""


def test_grades_can_be_restricted_to_one_group(planned, refused, folder: Path) -> None:
    (folder / "judgments.csv").write_text(GROUPS)
    (folder / "gold.qrels").write_text("1 0 a 0\n1 0 b 1\n1 0 c 2\n")
    assert planned("judgments.csv --group gold")[0] == planned("gold.qrels")[0]
    # The lower median over both groups is 0 everywhere, so there is no pair of grades.
    assert "all grades are 0" in planned("judgments.csv --group bronze")[1][0]
    message = refused("judgments.csv --group silver")
    assert message.startswith("unknown group 'silver'")
    assert "the judgments have no groups" in refused("gold.qrels --group g")


def test_all_scales_are_planned_at_once(planned, folder: Path) -> None:
    rows, notes = planned("fine.qrels coarse.qrels --per-pair 2")
    # Six pairs of grades with two doc pairs each; they serve the coarse scale, too.
    assert len({(topic, *sorted(docs)) for topic, *docs in rows}) == len(rows) == 12
    assert spread(rows, read_qrels("fine.qrels")) == {
        frozenset((low, high)): 2 for high in range(4) for low in range(high)
    }
    assert notes[0] == "fine.qrels: grades 0 and 1: 2 tests of 2 possible"
    assert notes[6] == "coarse.qrels: grades 0 and 1: 5 tests of 5 possible"
    assert notes[7] == (
        "tests in all: 12; a preference probability near 0.5 is within ±0.05 with probability 0.95"
        " from 385 tests for a pair on (exact binomial: 401)"
    )
    assert len(notes) == 8
    assert planned("fine.qrels coarse.qrels --per-pair 2 --quiet") == (rows, [])


def test_the_seed_determines_the_tests(planned, folder: Path) -> None:
    rows, _ = planned("fine.qrels --per-pair 1")
    assert rows == [
        ("2", "b", "c"),
        ("1", "d", "b"),
        ("1", "c", "a"),
        ("2", "b", "a"),
        ("2", "a", "e"),
        ("1", "d", "c"),
    ]
    (folder / "turned.qrels").write_text("".join(reversed(FINE.splitlines(keepends=True))))
    assert planned("turned.qrels --per-pair 1")[0] == rows
    assert planned("fine.qrels --per-pair 1 --seed 1")[0] != rows


def test_the_median_of_several_assessors_is_used(planned, folder: Path) -> None:
    cells = [("a", "x", 2), ("a", "y", 0), ("a", "z", 0), ("b", "x", 1), ("b", "y", 2)]
    lines = ["topic,doc,assessor,grade", *(f"1,{d},{who},{grade}" for d, who, grade in cells)]
    (folder / "j.csv").write_text("\n".join(lines) + "\n")
    rows, notes = planned("j.csv")
    assert [set(row) for row in rows] == [{"1", "a", "b"}]
    assert notes[0] == "j.csv: grades 0 and 1: 1 tests of 1 possible"


def test_the_required_number_of_tests_is_printed(planned) -> None:
    _, notes = planned("coarse.qrels --delta 0.1 --probability 0.9")
    assert "within ±0.1 with probability 0.9 from 68 tests" in notes[-1]


def test_many_levels_and_one_level_are_handled(planned, folder: Path) -> None:
    (folder / "many.qrels").write_text("".join(f"1 0 d{n} {n}\n" for n in range(12)))
    (folder / "one.qrels").write_text("1 0 a 2\n1 0 b 2\n")
    rows, notes = planned("many.qrels one.qrels --per-pair 2")
    assert len(rows) == 66
    assert notes[:2] == [
        (
            "many.qrels: 66 pairs of grades have 1 to 1 tests; 66 pairs have fewer than 2,"
            " because no more tests are possible"
        ),
        "one.qrels: all grades are 2: there is no pair of grades",
    ]


def test_drawn_tests_can_be_judged_and_used(planned, folder: Path) -> None:
    rows, _ = planned("fine.qrels --per-pair 1")
    judged = ["topic,left,right,outcome", *(",".join((*row, "left")) for row in rows)]
    (folder / "judged.csv").write_text("\n".join(judged) + "\n")
    arguments = ["pdp", "fine.qrels", "--preferences", "judged.csv", "-o", "pdp.csv", "--quiet"]
    assert run(arguments) == 0
    assert (folder / "pdp.csv").read_text().startswith("topic,docs,pdp,se,over\nall,4,")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("", "Missing argument 'FILE...'"),
        ("fine.qrels --per-pair 0", "--per-pair"),
        ("fine.qrels --scale 0..2", "fine.qrels:4: "),
        ("fine.qrels codes.qrels", "none of 1 docs has a grade"),
        ("many.qrels", "102 distinct grades"),
        ("fine.qrels --delta 0.00001", "expected a larger delta"),
    ],
)
def test_invalid_input_is_refused(refused, folder: Path, arguments: str, problem: str) -> None:
    (folder / "codes.qrels").write_text("1 0 a -1\n")
    (folder / "many.qrels").write_text("".join(f"1 0 d{n} {n}.5\n" for n in range(102)))
    assert problem in refused(arguments)


def test_labels_without_grades_are_refused() -> None:
    with pytest.raises(UndefinedError, match="none of 1 docs has a grade"):
        plan_preferences(Qrels.from_dict({"1": {"a": -1}}, name="codes"))


def test_after_answers_only_missing_tests_are_drawn() -> None:
    labels = {f"t{topic}": {f"d{doc}": doc % 3 for doc in range(9)} for topic in range(2)}
    first = qs.plan_preferences(labels, per_pair=4)
    answers = [(*row, -1) for row in first.rows]
    more = qs.plan_preferences(labels, per_pair=6, after=answers)
    assert len(first.rows) == 3 * 4
    assert len(more.rows) == 3 * 2
    pairs = [(topic, frozenset(docs)) for topic, *docs in (*first.rows, *more.rows)]
    assert len(set(pairs)) == len(pairs)
    assert qs.plan_preferences(labels, per_pair=4, after=answers).rows == ()


@pytest.fixture
def first_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Labels on two scales, and first-round answers: the doc with the higher number wins."""
    monkeypatch.chdir(tmp_path)
    docs = [(topic, doc) for topic in range(8) for doc in range(9)]
    for name, step in (("three", 3), ("nine", 1)):
        lines = [f"t{topic} 0 d{doc} {doc // step}\n" for topic, doc in docs]
        (tmp_path / f"{name}.qrels").write_text("".join(lines))
    first = plan_preferences(["three.qrels", "nine.qrels"], per_pair=2)
    lines = [
        f"{topic},{left},{right},{1 if right > left else -1}\n" for topic, left, right in first.rows
    ]
    (tmp_path / "log.csv").write_text("topic,left,right,outcome\n" + "".join(lines))
    return tmp_path


def test_by_need_the_requested_number_of_unanswered_tests_is_drawn(
    first_round: Path, planned
) -> None:
    arguments = ("three.qrels", "nine.qrels", "--after", "log.csv")
    rows, notes = planned(*arguments, "--budget", "30")
    assert len(rows) == 30
    with (first_round / "log.csv").open() as file:
        answered = [(row["topic"], row["left"], row["right"]) for row in csv.DictReader(file)]
    pairs = {(topic, frozenset(docs)) for topic, *docs in (*answered, *rows)}
    assert len(pairs) == len(answered) + 30
    assert notes[-1].startswith("tests in all: 30; ")
    assert planned(*arguments, "--budget", "30", "--seed", "1")[0] != rows
    for name in ("nine.qrels", "log.csv"):
        head, *lines = (first_round / name).read_text().splitlines(keepends=True)
        (first_round / name).write_text("".join([head, *reversed(lines)]))
    assert planned(*arguments, "--budget", "30")[0] == rows


def test_by_need_fewer_tests_than_requested_may_exist(first_round: Path, planned) -> None:
    rows, notes = planned("three.qrels --after log.csv --budget 5000")
    # Docs with the same coarse grade are not informative; all other pairs of a topic are 27.
    assert 0 < len(rows) < 8 * 27
    assert notes[-2] == (
        f"only {len(rows)} of 5000 requested tests: no other pair of docs that all label sets"
        " grade affects PDP"
    )
    assert all(int(left[1:]) // 3 != int(right[1:]) // 3 for _, left, right in rows)


def test_by_need_requires_answers(first_round: Path, refused) -> None:
    assert refused("nine.qrels --budget 9") == (
        "--budget needs --after, because earlier answers determine the most useful tests"
    )
    assert refused("nine.qrels --mode aggregate") == (
        "--mode needs --budget, because evenly drawn tests serve both modes"
    )
    (first_round / "other.csv").write_text("topic,left,right,outcome\nt0,x,y,1\n")
    arguments = ("nine.qrels", "--after", "other.csv", "--budget", "9")
    assert (
        refused(*arguments)
        == "no preference compares two docs that every label set grades; expected "
        "at least one"
    )


def test_counts_include_answered_tests_and_tests_drawn_by_need() -> None:
    rng = np.random.default_rng(0)
    labels = {
        name: {
            f"t{topic}": {f"d{doc}": int(rng.integers(levels)) for doc in range(6)}
            for topic in range(8)
        }
        for name, levels in (("one", 2), ("two", 3))
    }
    first = plan_preferences(labels, per_pair=3)
    answers = [(*row, float(rng.choice([-1, 1]))) for row in first.rows]
    found = plan_preferences(labels, after=answers, budget=20)
    assert len(found.rows) == 20
    for counts, name in zip(found.scales.values(), labels, strict=True):
        grades = labels[name]
        upper = np.triu(counts.drawn, 1).sum()
        apart = [
            grades[topic][left] != grades[topic][right]
            for topic, left, right in (*first.rows, *found.rows)
        ]
        assert upper == sum(apart)
