from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest

COMMAND = "agree"

Rows = list[dict[str, str]]

COLUMNS = ["scope", "coefficient", "value", "low", "high", "units", "assessors", "over"]
X = "1 0 a 1\n1 0 b 2\n1 0 c 0\n2 0 a 1\n2 0 d 0\n"
Y = "1 0 a 1\n1 0 b 2\n1 0 c 1\n2 0 a 0\n2 0 d 0\n"
JUDGMENTS = """topic,doc,assessor,grade,group,revision
1,a,x,0,gold,1
1,a,x,1,gold,2
1,a,y,1,silver,1
1,b,x,0,gold,1
1,b,y,0,silver,1
1,a,z,0,silver,1
1,b,z,0,silver,1
"""
FILES = {"x.qrels": X, "y.qrels": Y, "judgments.csv": JUDGMENTS}


def values(rows: Rows) -> dict[str, float]:
    return {row["scope"]: float(row["value"]) for row in rows}


# SPEC: ordinal α of NIST and two LLM judges, and of four passes of one model.
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("nist", "umbrela.gpt-4"), 0.6240),
        (("nist", "umbrela.gpt-4o"), 0.6604),
        (("umbrela.gpt-4", "umbrela.gpt-4o"), 0.8683),
        (("nist", "umbrela.gpt-4", "umbrela.gpt-4o"), 0.7180),
        (tuple(f"umbrela.llama3.2.run{number}" for number in range(1, 5)), 0.3984),
    ],
)
def test_alpha_of_dl_2021_is_the_published_value(
    answered, shared: Path, names: tuple[str, ...], expected: float
) -> None:
    qrels = shared / "data" / "trec-dl-2021-passage" / "qrels"
    files = [next(qrels.glob(f"{name}.qrels*")) for name in names]
    (row,), notes = answered(*map(str, files))
    assert round(float(row["value"]), 4) == expected
    assert float(row["low"]) < expected < float(row["high"])
    assert (row["scope"], row["units"], row["assessors"]) == ("all", "10828", str(len(names)))
    assert row["over"] == "topics"
    assert notes == "qrelsmith: note: no scale given: the levels are assumed to be 0..3\n"


def test_percent_agreement_is_as_computed_by_hand(answered) -> None:
    rows, _ = answered("x.qrels y.qrels --coefficient agreement -B 0 --by topic")
    assert list(rows[0]) == COLUMNS
    assert values(rows) == pytest.approx(
        {"all": 3 / 5, "mean": (2 / 3 + 1 / 2) / 2, "1": 2 / 3, "2": 1 / 2}
    )
    assert [row["low"] for row in rows] == ["nan"] * 4


def test_rows_of_each_coefficient_begin_with_all(answered) -> None:
    rows, _ = answered(
        "x.qrels y.qrels --coefficient 'kappa-linear agreement' --coefficient phi "
        "--coefficient Kappa-Linear --by topic -B 0"
    )
    scopes = ["all", "mean", "1", "2"]
    assert [(row["coefficient"], row["scope"]) for row in rows] == [
        (name, scope) for name in ("kappa-linear", "agreement", "phi") for scope in scopes
    ]


def test_agreement_is_printed_by_pair_and_by_assessor(answered) -> None:
    options = ("judgments.csv", "--coefficient", "agreement", "-B", "0", "--by")
    rows, _ = answered(*options, "pair")
    # The second revision of x on doc a counts: x and y agree on both docs.
    assert values(rows) == pytest.approx(
        {"all": (1 / 3 + 1) / 2, "x ~ y": 1, "x ~ z": 1 / 2, "y ~ z": 1 / 2}
    )
    rows, _ = answered(*options, "assessor")
    assert values(rows) == pytest.approx({"all": 2 / 3, "x": 0.75, "y": 0.75, "z": 0.5})
    assert {row["units"] for row in rows} == {"2"}
    assert {row["assessors"] for row in rows} == {"3"}


def test_agreement_is_printed_by_group(answered) -> None:
    rows, _ = answered("judgments.csv --coefficient agreement -B 0 --by group")
    assert values(rows) == pytest.approx({"all": 2 / 3, "gold ~ silver": 0.75, "silver": 0.5})
    assert [row["assessors"] for row in rows] == ["3", "3", "2"]


def test_one_assessor_has_no_agreement(answered) -> None:
    rows, notes = answered("x.qrels --by pair")
    assert [list(row.values()) for row in rows] == [
        ["all", "alpha-ordinal", "nan", "nan", "nan", "0", "0", "topics"]
    ]
    assert notes.splitlines() == [
        "qrelsmith: note: no scale given: the levels are assumed to be 0..2",
        "qrelsmith: note: alpha-ordinal of all: there is only one assessor",
    ]


def test_label_sets_without_a_common_doc_have_no_agreement(answered, folder: Path) -> None:
    (folder / "z.qrels").write_text("7 0 a 1\n")
    rows, notes = answered("x.qrels z.qrels")
    assert (rows[0]["value"], rows[0]["units"]) == ("nan", "0")
    assert "no unit has two labels" in notes
    assert "the first topic of x is '1', that of z is '7'\n" in notes


@pytest.mark.parametrize(("undefined", "value"), [("nan", "nan"), ("one", "1.0"), ("zero", "0.0")])
def test_equal_labels_have_an_undefined_coefficient(
    answered, folder: Path, undefined: str, value: str
) -> None:
    for name in ("p.qrels", "q.qrels"):
        (folder / name).write_text("1 0 a 1\n1 0 b 1\n2 0 a 1\n")
    rows, notes = answered("p.qrels", "q.qrels", "--undefined", undefined, "--by", "topic")
    assert [row["value"] for row in rows] == [value] * 4
    assert "alpha-ordinal of all, 1, 2: no disagreement is expected (0/0)" in notes
    skipped = "the mean leaves out 2 of 2 topics, in which the coefficient is undefined"
    assert (skipped in notes) == (undefined == "nan")


def test_codes_are_missing_or_nonrelevant(answered, folder: Path) -> None:
    (folder / "z.qrels").write_text("1 0 a -1\n1 0 b 2\n1 0 c -2\n2 0 a 0\n")
    options = ("y.qrels", "z.qrels", "--coefficient", "agreement", "-B", "0")
    (row,), _ = answered(*options)
    assert (row["value"], row["units"]) == ("1.0", "2")
    # c has 1 and now 0; the code -1 stays missing.
    (row,), _ = answered(*options, "--errors", "nonrelevant")
    assert (float(row["value"]), row["units"]) == (pytest.approx(2 / 3), "3")


def test_cohens_kappa_of_three_assessors_is_nan_but_their_pairs_have_values(answered) -> None:
    rows, notes = answered("judgments.csv --coefficient kappa --by pair -B 0")
    # z gave one label only: observed agreement equals chance agreement.
    found = values(rows)
    assert math.isnan(found.pop("all"))
    assert found == {"x ~ y": 1, "x ~ z": 0, "y ~ z": 0}
    assert (
        "kappa of all: kappa is for 2 assessors, not 3; coefficients for more assessors are light"
        in notes
    )


def test_a_missing_scale_that_matters_is_reported(answered) -> None:
    files = ("x.qrels", "y.qrels", "--coefficient", "alpha-ordinal ac1", "-B", "0")
    (alpha, ac1), notes = answered(*files)
    assert notes == "qrelsmith: note: no scale given: the levels are assumed to be 0..2\n"
    (again, wide), notes = answered(*files, "--scale", "0..10")
    assert notes == ""
    assert alpha == again
    assert float(wide["value"]) > float(ac1["value"])
    assert answered(*files, "--quiet")[1] == ""


def test_a_grade_outside_the_scale_is_refused(answered, refused) -> None:
    assert refused("x.qrels y.qrels --scale 0..1").startswith("x.qrels:2: the grade is 2")
    (row,), notes = answered("x.qrels y.qrels --scale 0..1 --off-scale missing")
    assert row["units"] == "4"
    assert "y.qrels:2: the grade is 2" in notes


def test_a_note_names_a_few_scopes_and_counts_the_others(answered, folder: Path) -> None:
    rows = "".join(f"t{topic} 0 a 1\n" for topic in range(1, 8))
    for name in ("p.qrels", "q.qrels"):
        (folder / name).write_text(rows)
    _, notes = answered("p.qrels q.qrels --by topic -B 0")
    assert "alpha-ordinal of all, t1, t2, t3, t4, … (8 in all): no disagreement" in notes


def test_the_seed_determines_the_interval(answered) -> None:
    files = ("x.qrels", "y.qrels", "--by", "pair", "--over", "docs", "-B", "50")
    first, _ = answered(*files)
    assert answered(*files, "--seed", "0", "--jobs", "3")[0] == first
    assert answered("y.qrels x.qrels", *files[2:])[0] == first
    other, _ = answered(*files, "--seed", "1")
    assert values(other) == values(first)
    assert other != first


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", "Missing argument 'FILE...'."),
        ("x.qrels nosuch", "nosuch: no such file"),
        ("x.qrels other/x.qrels", "other/x.qrels: the assessor 'x' already has the file x.qrels"),
        ("x.qrels x.qrels", "x.qrels: the assessor 'x' already has the file"),
        ("x.qrels empty.qrels", "empty.qrels: the file is empty"),
        ("header.csv", "header.csv: no judgments found; expected at least one"),
        ("x.qrels y.qrels --by group", "the judgments have no groups"),
        ("twice.csv --by group", "assessor 'x' is in the groups 'gold' and 'silver'"),
        (
            "x.qrels y.qrels --coefficient alpha",
            "unknown coefficient 'alpha'; did you mean alpha-ordinal?",
        ),
        ("x.qrels y.qrels --coefficient kapa", "unknown coefficient 'kapa'; did you"),
        ("x.qrels y.qrels -B -1", "Invalid value for '-B'"),
        ("x.qrels y.qrels --by hit", "Invalid value for '--by'"),
        ("judged.csv --scale 1..2 --errors nonrelevant", "--errors nonrelevant turns -2 into 0"),
    ],
)
def test_invalid_input_is_refused(refused, folder: Path, arguments: str, expected: str) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "x.qrels").write_text(Y)
    (folder / "empty.qrels").write_text("")
    (folder / "header.csv").write_text("topic,doc,assessor,grade\n")
    (folder / "twice.csv").write_text(
        "topic,doc,assessor,grade,group\n1,a,x,1,gold\n1,b,x,1,silver\n1,a,y,1,gold\n"
    )
    (folder / "judged.csv").write_text("topic,doc,assessor,grade\n1,a,x,1\n1,a,y,-2\n")
    assert refused(arguments, "-o", "out.csv").startswith(expected)


SIDES = """topic,doc,assessor,grade,group,ordering
1,a,g,2,gold,prioritised
1,b,g,0,gold,prioritised
2,a,g,1,gold,randomised
2,b,g,0,gold,randomised
1,a,w,2,bronze,prioritised
1,b,w,1,bronze,prioritised
2,a,w,1,bronze,prioritised
2,b,w,0,bronze,prioritised
"""


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("group-pair", {"bronze ~ gold": 0.75}),
        (
            "environment-pair",
            {
                "bronze/prioritised ~ gold/prioritised": 0.5,
                "bronze/prioritised ~ gold/randomised": 1.0,
            },
        ),
        ("assessor-group", {"g ~ bronze": 0.75, "w ~ gold": 0.75}),
    ],
)
def test_agreement_between_groups_is_the_mean_over_topics(
    answered, folder: Path, by: str, expected
) -> None:
    (folder / "judgments.csv").write_text(SIDES)
    rows, _ = answered("judgments.csv", "--coefficient", "agreement", "--by", by)
    assert list(rows[0]) == COLUMNS
    found = values(rows)
    assert found.pop("all") == 0.75
    assert found == expected


def test_the_reason_for_a_missing_interval_between_groups_is_reported(
    answered, folder: Path
) -> None:
    (folder / "judgments.csv").write_text(SIDES)
    arguments = ("judgments.csv", "--coefficient", "agreement", "--by", "group", "-B")
    why = "agreement of bronze ~ gold: a mean over pairs of assessors has no interval"
    rows, notes = answered(*arguments, "50")
    assert {row["scope"]: row["low"] for row in rows}["bronze ~ gold"] == "nan"
    assert why in notes
    # Without intervals requested, no reason is given.
    assert why not in answered(*arguments, "0")[1]


def test_scopes_are_tested_against_each_other(answered, folder: Path) -> None:
    (folder / "judgments.csv").write_text(SIDES)
    arguments = ("judgments.csv", "--coefficient", "agreement", "--by", "environment-pair")
    (row,), notes = answered(*arguments, "--pairs")
    assert (row["coefficient"], row["topics_a"], row["topics_b"]) == ("agreement", "1", "1")
    assert (row["difference"], row["p"]) == ("-0.5", "nan")
    assert "agreement: residual variance V_E1 = nan" in notes


def test_a_test_without_scopes_is_refused(refused) -> None:
    message = refused("judgments.csv --pairs --by group")
    assert message.startswith("--pairs needs --by group-pair|environment-pair|assessor-group")


CAMPAIGN = """format = 1

[scale]
levels = [{ grade = 0 }, { grade = 1 }, { grade = 2 }, { grade = 3 }]
"""


@pytest.fixture
def campaign(folder: Path) -> Path:
    """A campaign with two label sets as qrels, one without top grades, and one set in percent."""
    (folder / "c" / "qrels").mkdir(parents=True)
    (folder / "c" / "campaign.toml").write_text(CAMPAIGN)
    for name, content in (("x", X), ("y", Y), ("z", "1 0 a 90\n1 0 b 50\n1 0 c 0\n")):
        (folder / "c" / "qrels" / f"{name}.qrels").write_text(content)
    return folder / "c"


def test_a_campaign_without_judgments_compares_its_label_sets(answered, campaign: Path) -> None:
    files, _ = answered("x.qrels y.qrels --by pair --scale 0..3")
    rows, notes = answered("c --by pair --label-set x --label-set y")
    assert rows == files
    rows, notes = answered("c --by pair")
    assert [row["scope"] for row in rows] == ["all", "x ~ y", "x ~ z", "y ~ z"]
    # Doc c is left of z: one doc on which two sets agree is 0/0, one on which they disagree is 0.
    assert [row["value"] for row in rows[2:]] == ["nan", "0.0"]
    assert (
        "z: 2 of 3 grades are outside the scale 0..3 and are treated as missing (first: z.qrels:1)"
        in notes
    )
    assert [row["scope"] for row in answered("c --by pair --reference z")[0]] == [
        "all", "x ~ z", "y ~ z",
    ]  # fmt: skip


def test_a_campaign_with_both_compares_label_sets_unless_assessors_are_requested(
    answered, campaign: Path
) -> None:
    (campaign / "judgments.csv").write_text(JUDGMENTS)
    rows, notes = answered("c --by pair")
    assert len(rows) == 1 + 5 * 4 // 2
    assert "compared: the 5 label sets of the campaign" in notes
    assert "the lower median, which is the lower grade if a doc has two; --by group-pair" in notes
    rows, notes = answered("c --by assessor")
    assert [row["scope"] for row in rows] == ["all", "x", "y", "z"]
    assert "compared: the 3 assessors of the campaign" in notes
    only = answered("c --by assessor --label-set silver")[0]
    assert [row["scope"] for row in only] == ["all", "y", "z"]


def test_any_two_sets_are_compared_on_their_own_topics_or_on_the_topics_of_all(
    answered, folder: Path
) -> None:
    (folder / "w.qrels").write_text("1 0 a 1\n1 0 b 2\n")
    files = ("x.qrels", "y.qrels", "w.qrels", "--by", "pair", "--coefficient", "agreement")
    units = {row["scope"]: row["units"] for row in answered(*files)[0]}
    assert units == {"all": "5", "w ~ x": "2", "w ~ y": "2", "x ~ y": "5"}
    rows, notes = answered(*files, "--common", "all")
    assert {row["scope"]: row["units"] for row in rows}["x ~ y"] == "3"
    assert "compared on the topics that all assessors have: 1 of 2" in notes


def test_a_missing_reference_is_refused(refused) -> None:
    message = refused("x.qrels y.qrels --by pair --reference gold")
    assert message == "the reference is 'gold'; expected one of x, y"


# Five of them never give the top grade, and two have typing errors; each is compared nevertheless.
def test_all_33_judges_are_compared(answered, folder: Path, shared: Path) -> None:
    data = shared / "data" / "llmjudge-dl23"
    (folder / "c" / "qrels").mkdir(parents=True)
    (folder / "c" / "campaign.toml").write_text(CAMPAIGN)
    judges = sorted((data / "llm").glob("*.qrels"))
    for path in (data / "human.qrels", *judges):
        shutil.copy(path, folder / "c" / "qrels")
    rows, notes = answered("c --by pair --reference human")
    assert len(rows) == 1 + len(judges) == 34
    assert not any(math.isnan(float(row["low"])) for row in rows)
    units = {row["scope"]: int(row["units"]) for row in rows}
    assert units["RMITIR-llama70B ~ human"] == units["all"] - 2 == 4421
    assert "h2oloo-zeroshot2: 1 of 4,423 grades are outside the scale 0..3" in notes
    assert "(first: h2oloo-zeroshot2.qrels:3187)" in notes
