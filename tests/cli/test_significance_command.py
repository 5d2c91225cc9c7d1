from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from qrelsmith.stats.multiplicity import benjamini_hochberg, holm
from qrelsmith.stats.significance import INDEPENDENT_TESTS, TESTS

COMMAND = "significance"

Rows = list[dict[str, str]]

COLUMNS = ["measure", "run_a", "run_b", "mean_a", "mean_b", "difference", "p", "effect_size"]
# Topic by system c, a, b: a and b differ much, c is close to b.
SCORES = np.random.default_rng(5).uniform(size=(12, 1)) + np.array([[0.11, 0.5, 0.1]])
SCORES += np.random.default_rng(6).normal(0, 0.1, size=(12, 3))
SAMPLES = {"x": [1.0, 3.0, 2.5], "y": [2.0, 5.0, 4.0, 4.5], "z": [9.0, 7.0]}
RUN = "1 Q0 a 1 2 {0}\n1 Q0 b 2 1 {0}\n2 Q0 {1} 1 2 {0}\n2 Q0 {2} 2 1 {0}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lines = [f"{n},{','.join(map(repr, row.tolist()))}\n" for n, row in enumerate(SCORES)]
    (tmp_path / "scores.csv").write_text("topic,c,a,b\n" + "".join(lines))
    lines = [f"{group},{value}\n" for group in "zxy" for value in SAMPLES[group]]
    (tmp_path / "samples.csv").write_text("group,value\n" + "".join(lines))
    lines = [
        f"{group},{float(np.mean(values))!r},{len(values)},{float(np.std(values, ddof=1))!r}\n"
        for group, values in reversed(SAMPLES.items())
    ]
    (tmp_path / "summary.csv").write_text("group,mean,n,sd\n" + "".join(lines))
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 0\n")
    (tmp_path / "r.run").write_text(RUN.format("r", "a", "b"))
    (tmp_path / "s.run").write_text(RUN.format("s", "b", "a"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def column(rows: Rows, name: str) -> list[float]:
    return [float(row[name]) for row in rows]


def pairs(rows: Rows) -> list[tuple[str, str]]:
    return [(row["run_a"], row["run_b"]) for row in rows]


def test_paired_t_equals_scipy(answered) -> None:
    rows, notes = answered("--scores scores.csv --test paired-t")
    assert notes == ""
    assert list(rows[0]) == COLUMNS
    assert pairs(rows) == [("a", "b"), ("a", "c"), ("b", "c")]
    c, a, b = SCORES.T
    for row, (first, second) in zip(rows, ((a, b), (a, c), (b, c)), strict=True):
        difference = first - second
        assert float(row["p"]) == pytest.approx(stats.ttest_rel(first, second).pvalue)
        assert float(row["mean_a"]) == pytest.approx(first.mean())
        assert float(row["mean_b"]) == pytest.approx(second.mean())
        assert float(row["difference"]) == pytest.approx(difference.mean())
        effect = difference.mean() / difference.std(ddof=1)
        assert float(row["effect_size"]) == pytest.approx(effect)


@pytest.mark.parametrize("test", TESTS.names())
def test_every_paired_test_distinguishes_a_from_the_others(answered, test: str) -> None:
    rows, _ = answered("--scores", "scores.csv", "--test", test)
    p = dict(zip(pairs(rows), column(rows, "p"), strict=True))
    assert max(p["a", "b"], p["a", "c"]) < 0.001
    assert p["b", "c"] > 0.05


def test_the_default_is_randomised_tukey(answered) -> None:
    assert (
        answered("--scores scores.csv")[0]
        == (answered("--scores scores.csv --test randomised-tukey -B 10000")[0])
    )


@pytest.mark.parametrize("test", ["randomised-tukey", "permutation", "bootstrap"])
def test_trials_are_counted(answered, test: str) -> None:
    for trials in (1, 7):
        rows, _ = answered("--scores", "scores.csv", "--test", test, "-B", str(trials))
        assert all((trials * p).is_integer() for p in column(rows, "p"))


@pytest.mark.parametrize("test", ["randomised-tukey", "permutation", "bootstrap"])
def test_the_seed_matters_but_the_order_of_the_file_does_not(
    answered, folder: Path, test: str
) -> None:
    options = ("--test", test, "-B", "200")
    # a is .05 above the others, so that p is neither close to 0 nor to 1.
    near = SCORES - [0, 0.35, 0]
    rows = [("topic", *"cab"), *((str(n), *map(repr, r)) for n, r in enumerate(near.tolist()))]
    turned = [[row[0], row[3], row[1], row[2]] for row in (rows[0], *rows[:0:-1])]
    for name, table in (("near", rows), ("turned", turned)):
        (folder / name).write_text("".join(",".join(row) + "\n" for row in table))
    first, _ = answered("--scores near", *options)
    assert answered("--scores turned", *options, "--seed", "0", "--jobs", "2")[0] == first
    other, _ = answered("--scores near", *options, "--seed", "1")
    assert column(other, "p") != column(first, "p")
    assert column(other, "difference") == column(first, "difference")


def test_runs_and_qrels_are_tested(answered) -> None:
    rows, _ = answered("q s.run r.run -m 'P@1 AP' --test paired-t")
    assert [(row["measure"], *pair) for row, pair in zip(rows, pairs(rows), strict=True)] == [
        ("AP", "r", "s"), ("P@1", "r", "s"),
    ]  # fmt: skip
    # r 1 and 1; s 1 and ½ with AP, 1 and 0 with P@1: t = d̄/(s_d/√2) = 1 with one degree of freedom.
    assert column(rows, "mean_a") == [1, 1]
    assert column(rows, "mean_b") == [0.75, 0.5]
    assert column(rows, "p") == pytest.approx([0.5, 0.5])
    again = answered("q r.run s.run -m AP -m P@1 -m ap --test paired-t")
    assert again[0] == rows


def test_the_notes_of_evaluate_are_printed(answered, folder: Path) -> None:
    (folder / "s.run").write_text("1 Q0 b 1 1 s\n")
    _, notes = answered("q r.run s.run -m AP")
    assert "runs that lack topics of the qrels and score 0 there: 1" in notes


def test_jobs_and_the_order_of_runs_change_nothing(answered) -> None:
    options = ("-m", "AP", "-B", "101")
    first, _ = answered("q r.run s.run", *options, "--jobs", "1")
    assert answered("q s.run r.run", *options, "--jobs", "4")[0] == first


def test_measures_of_a_score_file_can_be_selected(answered, folder: Path) -> None:
    names = ("AP", "nDCG@10", "my-own")
    lines = [
        f"{system},{topic},{measure},{value}\n"
        for place, measure in enumerate(names)
        for system, values in (("a", (1, 2)), ("b", (2, 4 + place)))
        for topic, value in enumerate(values)
    ]
    (folder / "long.csv").write_text("run,topic,measure,score\n" + "".join(lines))
    options = ("--scores", "long.csv", "--test", "paired-t")
    assert [row["measure"] for row in answered(*options)[0]] == sorted(names)
    rows, _ = answered(*options, "-m", "my-own ndcg@10 my-own")
    assert [(row["measure"], row["mean_b"]) for row in rows] == [
        ("my-own", "4.0"), ("nDCG@10", "3.5"),
    ]  # fmt: skip


def test_missing_topics_of_a_topic_set_are_noted(answered, folder: Path) -> None:
    (folder / "set").write_text("3 a title\n5\n99\n")
    rows, notes = answered("--scores scores.csv --test paired-t --topic-set set")
    _, a, b = SCORES[[3, 5]].T
    assert column(rows, "mean_a") == pytest.approx([a.mean(), a.mean(), b.mean()])
    assert "topics of set that are left out: 1 (99)" in notes


@pytest.mark.parametrize(("name", "function"), [("holm", holm), ("bh", benjamini_hochberg)])
def test_adjusted_p_is_one_more_column(answered, name: str, function) -> None:
    rows, notes = answered("--scores", "scores.csv", "--test", "paired-t", "--adjust", name)
    assert list(rows[0]) == [*COLUMNS, "p_adjusted"]
    assert column(rows, "p_adjusted") == function(column(rows, "p")).tolist()
    assert column(rows, "p_adjusted") != column(rows, "p")
    assert notes == ""


def test_p_is_adjusted_for_the_pairs_of_one_measure(answered, folder: Path) -> None:
    lines = [
        f"{system},{topic},{measure},{float(SCORES[topic, place])!r}\n"
        for measure in ("AP", "P@5")
        for place, system in enumerate("cab")
        for topic in range(12)
    ]
    (folder / "long.csv").write_text("run,topic,measure,score\n" + "".join(lines))
    rows, _ = answered("--scores long.csv --test paired-t --adjust holm")
    expected = holm(column(rows[:3], "p")).tolist()
    assert column(rows, "p_adjusted") == expected * 2


@pytest.mark.parametrize("test", ["randomised-tukey", "paired-tukey"])
def test_adjusting_a_tukey_test_is_reported_as_adjusting_twice(answered, test: str) -> None:
    _, notes = answered("--scores", "scores.csv", "--test", test, "--adjust", "holm")
    already = f"p of {test} is already adjusted for all pairs"
    assert notes == f"qrelsmith: note: {already}; p_adjusted adjusts p again\n"


@pytest.mark.parametrize("test", TESTS.names())
def test_identical_systems_have_p_1(answered, folder: Path, test: str) -> None:
    (folder / "same.csv").write_text("topic,a,b\n1,.5,.5\n2,.1,.1\n3,.7,.7\n")
    (row,), _ = answered("--scores", "same.csv", "--test", test)
    assert (row["difference"], row["p"]) == ("0.0", "1.0")


def test_a_constant_difference_has_p_0_by_the_t_test(answered, folder: Path) -> None:
    (folder / "apart.csv").write_text("topic,a,b\n1,.5,.25\n2,.75,.5\n3,1,.75\n")
    (row,), _ = answered("--scores apart.csv --test paired-t")
    assert (row["difference"], row["p"], row["effect_size"]) == ("0.25", "0.0", "inf")
    # With three topics, two of eight sign flips are as extreme: p is ¼.
    (row,), _ = answered("--scores apart.csv --test permutation -B 20000")
    assert float(row["p"]) == pytest.approx(0.25, abs=0.02)


@pytest.mark.parametrize("test", TESTS.names())
def test_one_system_has_no_pairs(answered, folder: Path, test: str) -> None:
    (folder / "one.csv").write_text("topic,a\n1,.5\n2,.6\n")
    rows, notes = answered("--scores", "one.csv", "--test", test)
    assert rows == []
    assert notes == (
        "qrelsmith: note: there is only one system or group, so there is no pair to test\n"
    )


# ordering-gold-bronze, Table 4: time per topic to the first doc (TJ1D), and between two judgments
# (ATBJ).
@pytest.mark.parametrize(
    ("means", "sizes", "variance", "published"),
    [
        ((41.7, 41.6, 69.7), (21, 48, 20), "1373", [("a", 0.0463, 0.756), ("b", 0.0153, 0.758)]),
        ((25.7, 20.8, 40.7), (25, 50, 50), "139", [("a", 0.0000024, 1.27)]),
        ((8.04, 5.08, 17.0), (25, 50, 50), "169.5", [("a", 0.0153, 0.688), ("b", 3.17e-5, 0.916)]),
    ],
    ids=["TJ1D", "ATBJ", "NREJ"],
)
def test_table_4_is_computed_from_a_summary(
    answered, folder: Path, means, sizes, variance, published
) -> None:
    lines = [f"{name},{mean},{n}\n" for name, mean, n in zip("abc", means, sizes, strict=True)]
    (folder / "table.csv").write_text("group,mean,n\n" + "".join(lines))
    rows, notes = answered("--summary", "table.csv", "--variance", variance)
    assert notes == ""
    assert {row["measure"] for row in rows} == {"value"}
    found = dict(zip(pairs(rows), rows, strict=True))
    for name, p, effect in published:
        row = found[name, "c"]
        assert float(row["p"]) == pytest.approx(p, rel=0.15)
        assert float(row["effect_size"]) == pytest.approx(-effect, abs=0.005)
    assert float(found["a", "b"]["p"]) > 0.05


@pytest.mark.parametrize(("test", "equal"), [("two-sample-t", True), ("welch-t", False)])
def test_t_tests_of_samples_equal_scipy(answered, test: str, equal: bool) -> None:
    rows, _ = answered("--samples", "samples.csv", "--test", test)
    assert pairs(rows) == [("x", "y"), ("x", "z"), ("y", "z")]
    for row in rows:
        first, second = SAMPLES[row["run_a"]], SAMPLES[row["run_b"]]
        expected = stats.ttest_ind(first, second, equal_var=equal).pvalue
        assert float(row["p"]) == pytest.approx(expected)
        assert float(row["difference"]) == pytest.approx(np.mean(first) - np.mean(second))
        assert float(row["mean_a"]) == pytest.approx(np.mean(first))


def test_unpaired_tukey_of_samples_equals_scipy_and_is_the_default(answered) -> None:
    rows, _ = answered("--samples samples.csv")
    expected = stats.tukey_hsd(*SAMPLES.values()).pvalue
    assert column(rows, "p") == pytest.approx(expected[np.triu_indices(3, 1)], abs=1e-8)
    assert answered("--samples samples.csv --test unpaired-tukey")[0] == rows


def test_a_summary_of_samples_gives_the_same_result_as_the_samples(answered) -> None:
    rows, _ = answered("--samples samples.csv --test two-sample-t")
    again, _ = answered("--summary summary.csv --test two-sample-t")
    assert pairs(again) == pairs(rows)
    for name in COLUMNS[3:]:
        assert column(again, name) == pytest.approx(column(rows, name))
    inside = sum(np.var(values) * len(values) for values in SAMPLES.values()) / (9 - 3)
    tukey, _ = answered("--samples samples.csv")
    again, _ = answered("--summary", "summary.csv", "--variance", repr(float(inside)))
    for name in COLUMNS[3:]:
        assert column(again, name) == pytest.approx(column(tukey, name))


def test_p_of_samples_can_be_adjusted(answered) -> None:
    options = ("--samples", "samples.csv", "--adjust", "bh", "--test")
    rows, notes = answered(*options, "welch-t")
    assert column(rows, "p_adjusted") == benjamini_hochberg(column(rows, "p")).tolist()
    assert notes == ""
    assert "adjusts p again" in answered(*options, "unpaired-tukey")[1]


def test_samples_too_small_for_a_variance_have_no_p(answered, folder: Path) -> None:
    (folder / "small.csv").write_text("group,value\nx,1\ny,2\n")
    for test in INDEPENDENT_TESTS.names():
        (row,), _ = answered("--samples", "small.csv", "--test", test)
        assert (row["difference"], row["p"]) == ("-1.0", "nan")
    (folder / "one.csv").write_text("group,value\nx,1\nx,2\n")
    rows, notes = answered("--samples one.csv")
    assert rows == []
    assert "no pair to test" in notes


def test_a_group_of_one_needs_no_standard_deviation(answered, folder: Path) -> None:
    (folder / "s.csv").write_text("group,mean,n,sd\nx,2,5,1\ny,3,1,\n")
    (row,), _ = answered("--summary s.csv --test two-sample-t")
    # t = 1/√(1/5 + 1) with four degrees of freedom.
    assert float(row["p"]) == pytest.approx(2 * stats.t.sf(1 / math.sqrt(1.2), 4))


def test_samples_can_be_in_other_formats(answered, folder: Path) -> None:
    rows, _ = answered("--samples samples.csv")
    lines = [
        json.dumps({"group": group, "value": value})
        for group, values in SAMPLES.items()
        for value in values
    ]
    (folder / "samples.jsonl").write_text("\n".join(lines))
    again, _ = answered("--samples samples.jsonl")
    assert again == rows
    text = (folder / "samples.csv").read_text()
    (folder / "bom.tsv").write_bytes(b"\xef\xbb\xbf" + text.replace(",", "\t").encode())
    assert answered("--samples bom.tsv")[0] == rows


@pytest.mark.parametrize("test", INDEPENDENT_TESTS.names())
@pytest.mark.parametrize(
    "source", [("--scores", "scores.csv"), ("q", "r.run", "s.run", "-m", "AP")]
)
def test_no_unpaired_test_accepts_scores(refused, source, test: str) -> None:
    line = refused(*source, "--test", test)
    assert line.startswith(f"{test} is for independent samples, but scores")


@pytest.mark.parametrize("test", TESTS.names())
@pytest.mark.parametrize("source", [("--samples", "samples.csv"), ("--summary", "summary.csv")])
def test_no_paired_test_accepts_samples(refused, source, test: str) -> None:
    line = refused(*source, "--test", test)
    assert line.startswith(f"{test} is for scores of all systems on the same topics")


ALONE = "samples and summary cannot be used with scores, runs or run options"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", "expected labels and runs, a campaign, scores, samples or a summary"),
        ("q -m AP", "expected QRELS RUN... or a campaign folder"),
        ("q r.run", "no measure given; expected at least one"),
        ("q --scores scores.csv", "--scores cannot be used with labels, runs or --ordering"),
        ("--scores scores.csv -m AP", "no scores of AP in scores.csv"),
        ("--scores scores.csv -m mine", "no scores of mine in scores.csv"),
        ("--scores scores.csv --condensed", "--order, --gains, --scale, --off-scale and"),
        ("--scores scores.csv --order file", "--order, --gains, --scale, --off-scale"),
        ("--scores scores.csv --variance 1", "a variance can be used only with a summary"),
        ("--scores scores.csv -B 0", "Invalid value for '-B'"),
        (
            "--scores scores.csv --test paired-t -B 5",
            "trials need a randomised test; found paired-t",
        ),
        (
            "--scores scores.csv --topic-set t99",
            "t99: none of the set's topics is in two label sets",
        ),
        ("--scores scores.csv --topic-set t1", "a paired test needs at least two"),
        ("--scores nan.csv", "nan.csv:2: the score is 'nan'; expected a finite number"),
        ("--scores samples.csv", "samples.csv:1: the first column is group, as in a file of"),
        ("--scores summary.csv", "summary.csv:1: the first column is group, as in a file of"),
        ("--samples scores.csv", "scores.csv:1: unknown column 'topic'"),
        ("--summary scores.csv --variance 1", "scores.csv:1: unknown column 'topic'"),
        ("--samples samples.csv --summary summary.csv", ALONE),
        ("--samples samples.csv --scores scores.csv", ALONE),
        ("--samples samples.csv q r.run", ALONE),
        ("--samples samples.csv -m AP", ALONE),
        ("--samples samples.csv -B 5", ALONE),
        ("--samples samples.csv --topic-set t1", ALONE),
        ("--samples samples.csv --scale 0..3", ALONE),
        ("--samples samples.csv --variance 1", "found a variance with samples"),
        ("--summary summary.csv", "unpaired-tukey with --summary needs --variance"),
        (
            "--summary summary.csv --variance 1 --test two-sample-t",
            "two-sample-t does not use --variance; expected the column sd",
        ),
        ("--summary summary.csv --test welch-t", "welch-t needs --samples"),
        (
            "--summary summary.csv --variance nan",
            "Invalid value for '--variance': 'nan'; expected a finite number",
        ),
        ("--summary summary.csv --variance -1", "--variance -1.0; expected a finite"),
        ("--samples nosuch", "nosuch: no such file"),
        ("--samples t1", "t1:1: unknown column '1'"),
    ],
)
def test_invalid_input_is_refused(refused, folder: Path, arguments: str, expected: str) -> None:
    (folder / "t1").write_text("1\n")
    (folder / "t99").write_text("99\n")
    (folder / "nan.csv").write_text("topic,a,b\n1,nan,.5\n2,.5,.5\n")
    (folder / "out.csv").write_text("precious\n")
    assert refused(arguments, "-o", "out.csv").startswith(expected)


@pytest.mark.parametrize(
    ("option", "content", "expected"),
    [
        ("--samples", "", "f: the file is empty; expected the columns group, value"),
        ("--samples", "group,value\n", "f: no values"),
        ("--samples", "group,value\nx,nan\n", "f:2: the value is 'nan'"),
        ("--samples", "group,value\nx,1\nx,\n", "f:3: the value is empty"),
        ("--samples", "group,value\nx,1\nx,2e100\n", "f:3: the value is '2e100'; expected at m"),
        ("--summary", "group,mean,n,sd\nx,1,2,2e100\n", "f:2: the sd is '2e100'; expected at mos"),
        ("--samples", "group,value\n,1\n", "f:2: the group is empty"),
        ("--summary", "group,mean,n\n", "f: no groups"),
        ("--summary", "group,mean,n\nx,1,2\n", "f: two-sample-t needs the column sd, which"),
        ("--summary", "group,mean,n,sd\nx,1,2,3\nx,1,2,3\n", "f:3: the group 'x' appears twice"),
        ("--summary", "group,mean,n,sd\nx,inf,2,3\n", "f:2: the mean is 'inf'"),
        ("--summary", "group,mean,n,sd\nx,1,2.5,3\n", "f:2: the n is '2.5'; expected a whole"),
        ("--summary", "group,mean,n,sd\nx,1,0,3\n", "f:2: n is 0; expected at least one"),
        ("--summary", "group,mean,n,sd\nx,1,2,\ny,1,2,3\n", "f:2: the sd is ''; expected a finit"),
        ("--summary", "group,mean,n,sd\nx,1,2,-3\n", "f:2: the sd is '-3'; expected a number,"),
        ("--summary", "group,mean,n,se\nx,1,2,3\n", "f:1: unknown column 'se'"),
    ],
)
def test_malformed_group_files_are_refused(
    refused, folder: Path, option: str, content: str, expected: str
) -> None:
    (folder / "f").write_text(content)
    assert refused(option, "f", "--test", "two-sample-t").startswith(expected)


def test_against_a_run_only_its_pairs_are_tested_and_adjusted(answered) -> None:
    asked = ("--scores", "scores.csv", "--test", "paired-t", "--adjust", "holm")
    every, _ = answered(*asked)
    rows, _ = answered(*asked, "--against", "b")
    assert pairs(rows) == [("a", "b"), ("b", "c")]
    of_all = dict(zip(pairs(every), every, strict=True))
    for row in rows:
        assert row["p"] == of_all[row["run_a"], row["run_b"]]["p"]
    assert column(rows, "p_adjusted") == pytest.approx(holm(column(rows, "p")).tolist())


def test_an_unknown_run_to_compare_with_is_refused(refused) -> None:
    error = refused("--scores", "scores.csv", "--test", "paired-t", "--against", "d")
    assert "unknown run 'd'" in error


def test_the_path_of_a_run_suggests_its_name(refused, folder: Path) -> None:
    (folder / "s.csv").write_text("topic,amber,birch\n1,0,1\n2,1,0\n3,1,1\n")
    asked = ("--scores", "s.csv", "--test", "paired-t", "--against")
    assert "did you mean amber?" in refused(*asked, "runs/amber.run")
