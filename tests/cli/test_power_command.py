from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.cli import run
from qrelsmith.stats.significance import TESTS

COMMAND = "power"

Rows = list[dict[str, str]]

COLUMNS = ["measure", "test", "pairs", "significant", "power", "delta"]
RANDOM = ["randomised-tukey", "permutation", "bootstrap"]
# Topic by system: six systems with differences of .03, and topics of different difficulty.
SCORES = np.random.default_rng(1).uniform(size=(20, 1)) + np.arange(6) * 0.03
SCORES += np.random.default_rng(2).normal(0, 0.08, size=(20, 6))


def wide(scores: np.ndarray, systems: str) -> str:
    lines = [f"{n},{','.join(map(repr, row))}\n" for n, row in enumerate(scores.tolist())]
    return f"topic,{','.join(systems)}\n" + "".join(lines)


FILES = {
    "scores.csv": wide(SCORES, "abcdef"),
    "one.csv": wide(SCORES[:, :1], "a"),
    "same.csv": wide(SCORES[:, [0, 0, 0]], "abc"),
    "q": "1 0 a 1\n2 0 a 1\n",
    "r.run": "1 Q0 a 1 1\n2 Q0 a 1 1\n",
    "s.run": "1 Q0 b 1 1\n2 Q0 a 1 1\n",
    "out.csv": "precious\n",
}


@pytest.fixture
def significant_pairs(folder: Path, capsys: pytest.CaptureFixture[str]):
    def call(*arguments: str) -> Rows:
        assert run(["significance", *arguments]) == 0
        return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    return call


def test_paired_t_on_dl_2021_has_the_expected_power(answered, shared: Path) -> None:
    # NIST grades, 63 runs; the last digits depend on the tie rule.
    expected = {"nDCG@3": 0.666, "nDCG@5": 0.705, "nDCG@10": 0.745, "nDCG@20": 0.778}
    folder = shared / "data" / "trec-dl-2021-passage"
    runs = sorted(map(str, (folder / "runs").glob("*.run.gz")))
    measures = " ".join(expected)
    rows, _ = answered(
        str(folder / "qrels/nist.qrels"), *runs, "-m", measures, "--test", "paired-t"
    )
    found = {row["measure"]: float(row["power"]) for row in rows}
    assert found == pytest.approx(expected, abs=0.0011)
    for row in rows:
        assert (row["test"], row["pairs"]) == ("paired-t", str(63 * 62 // 2))
        assert float(row["power"]) == int(row["significant"]) / 1953
        assert 0.05 < float(row["delta"]) < 0.2


@pytest.mark.parametrize("test", TESTS.names())
@pytest.mark.parametrize("alpha", ["0.05", "0.3"])
def test_power_counts_the_pairs_that_significance_finds(
    answered, significant_pairs, test: str, alpha: str
) -> None:
    options = ("--scores", "scores.csv", "--test", test, "--seed", "3")
    (row,), notes = answered(*options, "--alpha", alpha)
    assert notes == ""
    assert list(row) == COLUMNS
    pairs = significant_pairs(*options)
    significant = [pair for pair in pairs if float(pair["p"]) < float(alpha)]
    assert 0 < len(significant) < len(pairs) == 15
    assert (row["pairs"], row["significant"]) == ("15", str(len(significant)))
    assert float(row["power"]) == len(significant) / 15
    # No pair of these systems with a larger difference fails to be significant.
    assert all(
        float(pair["p"]) < float(alpha)
        for pair in pairs
        if abs(float(pair["difference"])) > float(row["delta"])
    )


def test_delta_of_the_paired_t_test_is_as_computed_by_hand(answered) -> None:
    from scipy import stats

    (row,), _ = answered("--scores scores.csv --test paired-t --alpha 0.1")
    spread = max(
        (SCORES[:, i] - SCORES[:, j]).std(ddof=1) for i in range(6) for j in range(i + 1, 6)
    )
    assert float(row["delta"]) == pytest.approx(stats.t.isf(0.05, 19) * spread / np.sqrt(20))


def test_each_measure_and_test_has_a_row(answered) -> None:
    rows, _ = answered(
        "q s.run r.run -m 'P@1 AP' --test paired-tukey --test paired-t --test paired-tukey"
    )
    assert [(row["measure"], row["test"]) for row in rows] == [
        ("AP", "paired-t"), ("AP", "paired-tukey"), ("P@1", "paired-t"), ("P@1", "paired-tukey"),
    ]  # fmt: skip
    assert {row["pairs"] for row in rows} == {"1"}


def test_the_default_is_randomised_tukey_at_5_percent(answered) -> None:
    first, _ = answered("--scores scores.csv")
    options = ("--test", "randomised-tukey", "--alpha", "0.05", "-B", "10000")
    assert answered("--scores scores.csv", *options)[0] == first


@pytest.mark.parametrize("test", RANDOM)
def test_the_seed_matters_but_orders_and_jobs_do_not(answered, folder: Path, test: str) -> None:
    (folder / "turned.csv").write_text(wide(SCORES[:, ::-1], "fedcba"))
    options = ("--test", test, "-B", "100")
    first, _ = answered("--scores scores.csv", *options)
    again, _ = answered("--scores turned.csv", *options, "--seed", "0", "--jobs", "2")
    assert again == first
    other, _ = answered("--scores scores.csv", *options, "--seed", "1")
    assert other[0]["delta"] != first[0]["delta"]


@pytest.mark.parametrize("test", RANDOM)
def test_one_trial_is_enough(answered, significant_pairs, test: str) -> None:
    options = ("--scores", "scores.csv", "--test", test, "-B", "1")
    (row,), _ = answered(*options)
    p = [float(pair["p"]) for pair in significant_pairs(*options)]
    assert set(p) <= {0.0, 1.0}
    assert row["significant"] == str(p.count(0.0))


@pytest.mark.parametrize("test", TESTS.names())
def test_one_system_and_identical_systems_are_handled(answered, test: str) -> None:
    (row,), _ = answered("--scores", "one.csv", "--test", test)
    assert list(row.values())[2:] == ["0", "0", "nan", "nan"]
    (row,), _ = answered("--scores", "same.csv", "--test", test)
    assert list(row.values())[2:5] == ["3", "0", "0.0"]
    assert float(row["delta"]) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", "expected QRELS RUN... or a campaign folder"),
        ("q r.run", "no measure given; expected at least one"),
        ("--scores one.csv --alpha 0", "Invalid value for '--alpha'"),
        ("--scores one.csv --alpha 1", "Invalid value for '--alpha'"),
        ("--scores one.csv --alpha nan", "Invalid value for '--alpha': 'nan'; expected"),
        ("--scores one.csv --test unpaired-tukey", "Invalid value for '--test'"),
        ("--scores one.csv --test welch-t", "Invalid value for '--test'"),
        ("--scores one.csv -m AP", "no scores of AP in one.csv"),
        ("--scores one.csv --topic-set t1", "a paired test needs at least two topics"),
        ("--scores one.csv --gains 1", "--order, --gains, --scale, --off-scale and"),
        (
            "--scores one.csv --test paired-t --test paired-tukey -B 5",
            "trials need a randomised test; found paired-t, paired-tukey",
        ),
    ],
)
def test_invalid_input_is_refused(refused, folder: Path, arguments: str, expected: str) -> None:
    (folder / "t1").write_text("1\n")
    assert refused(arguments, "-o", "out.csv").startswith(expected)


def test_trials_apply_only_to_randomisation_tests(answered) -> None:
    options = ("--scores", "scores.csv", "--test", "paired-t", "--test", "bootstrap")
    t, bootstrap = sorted(
        answered(*options, "-B", "50")[0], key=lambda row: row["test"] != "paired-t"
    )
    assert t == answered(*options[:4])[0][0]
    assert bootstrap["delta"] != answered(*options[:2], *options[4:])[0][0]["delta"]
