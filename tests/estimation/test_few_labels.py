"""The loop of `sample` and `estimate`: models' labels, two judged waves, possible claims."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from qrelsmith import Qrels, estimate, evaluate, plan_sample, read_qrels, sample
from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.cli import run
from qrelsmith.estimation.units import units_of

RUNS = {
    name: {
        topic: {f"d{doc}": -abs(doc - shift - 2.0 * (topic == "t2")) for doc in range(30)}
        for topic in ("t1", "t2", "t3")
    }
    for name, shift in (("low", 4), ("mid", 11), ("high", 20))
}
TRUTH = {topic: {f"d{doc}": int(doc > 12) for doc in range(30)} for topic in RUNS["low"]}
MODEL = {topic: {f"d{doc}": int(doc > 9) for doc in range(30)} for topic in RUNS["low"]}


def write_qrels(path: Path, labels: Mapping[str, Mapping[str, float]]) -> None:
    path.write_text(
        "".join(
            f"{t} 0 {doc} {grade:g}\n" for t, docs in labels.items() for doc, grade in docs.items()
        )
    )


def asked(**options: object) -> dict[str, object]:
    return {"labels": MODEL, "runs": RUNS, "measures": "P@5", **options}


def test_estimates_equal_the_output_of_evaluate_if_all_docs_are_judged() -> None:
    everything = sample(**asked(budget=90, wave=90))
    sure = estimate(**asked(measures="nDCG@5", sample=everything, judgments=TRUTH, pairs=True))
    scores = {row[0]: row[-1] for row in evaluate(TRUTH, RUNS, "nDCG@5").table().rows}
    for _, a, b, difference, low, high, _ in sure.table().rows:
        assert difference == pytest.approx(scores[a] - scores[b])
        assert (low, high) == pytest.approx((difference, difference))
    answer = estimate(**asked(sample=everything, judgments=TRUTH))
    wanted = {row[0]: row[-1] for row in evaluate(TRUTH, RUNS, "P@5").table().rows}
    for name, _, score, low, high, labels, over in answer.table().rows:
        assert score == pytest.approx(wanted[name])
        assert (low, high) == pytest.approx((score, score))
        assert (labels, over) == (90, "pool")


def test_waves_can_be_drawn_again_from_the_file_alone(tmp_path: Path) -> None:
    first = sample(**asked(budget=40, seed=5))
    path = tmp_path / "sample.csv"
    path.write_text(first.table().text("csv"))
    second = sample(**asked(budget=40, after=path, judgments=TRUTH, wave=10, seed=5))
    path.write_text(second.table().text("csv"))
    third = sample(**asked(budget=40, after=path, judgments=TRUTH, seed=5))
    kept = dict(zip(second.rows_drawn.keys, second.rows_drawn.wave.tolist(), strict=True))
    now = dict(zip(third.rows_drawn.keys, third.rows_drawn.wave.tolist(), strict=True))
    assert {key: now[key] for key in kept} == kept
    assert set(now.values()) == {1, 2, 3}
    before = dict(zip(second.rows_drawn.keys, second.rows_drawn.probability, strict=True))
    after = dict(zip(third.rows_drawn.keys, third.rows_drawn.probability, strict=True))
    assert all(after[key] >= before[key] for key in before)


@pytest.mark.parametrize("change", ["a row less", "a row more", "another wave"])
def test_a_file_with_changed_rows_is_refused(tmp_path: Path, change: str) -> None:
    lines = sample(**asked(budget=40)).table().text("csv").splitlines(keepends=True)
    topic, doc, _, chance, check = lines[-1].strip().split(",")
    more = {"a row more": f"{topic},another,1,{chance},{check}\n",
            "another wave": f"{topic},{doc},2,{chance},{check}\n"}  # fmt: skip
    kept = lines if change == "a row more" else lines[:-1]
    path = tmp_path / "sample.csv"
    path.write_text("".join([*kept, more.get(change, "")]))
    with pytest.raises(InputError, match=r"sample\.csv:2: the check is .* Rows were removed"):
        estimate(**asked(sample=path, judgments=TRUTH))


def test_rows_may_be_reordered_and_the_checksum_may_be_missing(tmp_path: Path) -> None:
    drawn = sample(**asked(budget=40))
    head, *rows = drawn.table().text("csv").splitlines(keepends=True)
    path = tmp_path / "sample.csv"
    wanted = estimate(**asked(sample=drawn, judgments=TRUTH)).table().text("csv")
    for text in (
        "".join([head, *reversed(rows)]),
        "".join(line.rpartition(",")[0] + "\n" for line in (head, *rows)),
    ):
        path.write_text(text)
        assert estimate(**asked(sample=path, judgments=TRUTH)).table().text("csv") == wanted


def test_a_wave_beyond_the_budget_is_refused() -> None:
    with pytest.raises(UsageError, match="the wave has 41 docs; expected at most 40"):
        sample(**asked(budget=40, wave=41))


def test_a_sample_of_other_runs_is_refused() -> None:
    first = sample(**asked(budget=40))
    others = {
        **RUNS,
        "reversed": {t: {d: -s for d, s in docs.items()} for t, docs in RUNS["low"].items()},
    }
    with pytest.raises(UsageError, match="do not match these runs"):
        sample(**asked(runs=others, budget=40, after=first, judgments=TRUTH))


def test_waves_with_a_focus_need_the_same_focus() -> None:
    first = sample(**asked(budget=40, focus=["low", "mid"]))
    second = sample(**asked(budget=40, focus=["mid", "low"], after=first, judgments=TRUTH))
    assert second.wave == 2
    plain = sample(**asked(budget=40, after=first, judgments=TRUTH))
    # Of the 45 top docs, the 15 of the third run matter less now.
    third = {
        (topic, doc)
        for topic, docs in RUNS["high"].items()
        for doc in sorted(docs, key=docs.__getitem__)[-5:]
    }
    number = [sum(key in third for key in drawn.rows_drawn.keys) for drawn in (second, plain)]
    assert number[0] < number[1]
    with pytest.raises(UsageError, match="measure and focus"):
        sample(**asked(budget=50, after=second, judgments=TRUTH))
    with pytest.raises(UsageError, match=r"unknown run 'best' \(choices: high, low, mid"):
        sample(**asked(budget=40, focus="best"))


def test_a_sampled_doc_without_a_grade_is_named() -> None:
    first = sample(**asked(budget=20))
    with pytest.raises(InputError, match=r"topic 't1' doc .* of the sample has no grade"):
        estimate(**asked(sample=first, judgments={"t2": TRUTH["t2"], "t3": TRUTH["t3"]}))


def test_a_doc_without_a_model_label_is_drawn_and_counts() -> None:
    """A model that omits all docs that people find relevant cannot lower the scores."""
    holes = {t: {d: g for d, g in docs.items() if not TRUTH[t][d]} for t, docs in MODEL.items()}
    everything = sample(**asked(labels=holes, budget=90, wave=90))
    answer = estimate(**asked(labels=holes, sample=everything, judgments=TRUTH))
    wanted = {row[0]: row[-1] for row in evaluate(TRUTH, RUNS, "P@5").table().rows}
    assert {row[0]: row[2] for row in answer.table().rows} == pytest.approx(wanted)
    assert any("in no label set; these docs can be drawn" in note for note in answer.notes)


def test_topics_missing_from_all_label_sets_are_noted() -> None:
    drawn = sample(**asked(labels={"t1": MODEL["t1"]}, budget=5))
    assert any(
        "topics of the runs left out because no label set has them: 2" in note
        for note in drawn.notes
    )


def test_below_50_labels_pairs_stay_undecided_which_is_reported_before_judging() -> None:
    first = sample(**asked(budget=40))
    second = sample(**asked(budget=40, after=first, judgments=TRUTH))
    assert len(second.rows_drawn.keys) == 40
    answer = estimate(**asked(sample=second, judgments=TRUTH, pairs=True))
    assert answer.decided == (0.0,)
    assert answer.decision("low", "high").better is None
    assert answer.decision("low", "high").labels >= 50
    for asker in (first, answer, plan_sample(**asked(budget=[40, 60]))):
        assert any("is decided with 40 labels; at least 50 are needed" in n for n in asker.notes)


def test_bounds_stay_within_the_range_of_the_measure() -> None:
    drawn = sample(**asked(budget=6, wave=6))
    for row in estimate(**asked(sample=drawn, judgments=TRUTH)).table().rows:
        assert 0.0 <= row[3] <= row[2] <= row[4] <= 1.0
    pairs = estimate(**asked(sample=drawn, judgments=TRUTH, pairs=True)).table().rows
    assert all(-1.0 <= row[4] <= row[3] <= row[5] <= 1.0 for row in pairs)


def test_ndcg_of_one_system_is_refused_with_the_possible_alternatives() -> None:
    first = sample(**asked(measures="nDCG@5", budget=20))
    with pytest.raises(UsageError, match=r"\(pairs\).*DCG@5"):
        estimate(**asked(measures="nDCG@5", sample=first, judgments=TRUTH))


@pytest.fixture(scope="module")
def files(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path]:
    data = shared / "data" / "trec-dl-2021-passage"
    model = str(data / "qrels" / "umbrela.gpt-4o.qrels.gz")
    words = [
        str(data / "runs"),
        "--label-set",
        model,
        "-m",
        "nDCG@10",
        "--scale",
        "0..3",
        "--quiet",
    ]
    folder = tmp_path_factory.mktemp("few")
    path, judged = folder / "sample.csv", folder / "people.qrels"
    nist = read_qrels(data / "qrels" / "nist.qrels").to_dict()
    units = units_of([*(data / "runs").iterdir()], {}, depth=10, topics=list(nist))
    for topic, doc in units.keys:  # docs that no assessor saw are not relevant
        nist[topic].setdefault(doc, 0)
    write_qrels(judged, nist)
    people = ["--judgments", str(judged)]
    assert run(["sample", *words, "--budget", "340", "-o", str(path)]) == 0
    assert (
        run(["sample", *words, "--budget", "340", "--after", str(path), *people, "-o", str(path)])
        == 0
    )
    return ["estimate", *words, "--sample", str(path), *people], data


def test_half_of_the_pairs_are_decided_with_340_labels(
    files: tuple[list[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words, data = files
    assert run([*words, "--pairs"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    qrels: Qrels = read_qrels(data / "qrels" / "nist.qrels")
    truth = {r[0]: r[-1] for r in evaluate(qrels, [data / "runs"], "nDCG@10").table().rows}
    decided = [row for row in rows if row["decided"] == "true"]
    assert len(rows) == 63 * 62 // 2
    assert len(decided) / len(rows) > 0.45
    true = np.array([truth[row["run_a"]] - truth[row["run_b"]] for row in decided])
    said = np.array([float(row["difference"]) for row in decided])
    assert (np.sign(true) != np.sign(said)).mean() < 0.02


def test_the_exit_status_shows_which_system_is_better(
    files: tuple[list[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words, _ = files
    words = [word for word in words if word != "--quiet"]
    assert run([*words, "--exit-code", "pash_f1", "WLUPassage"]) == 0
    assert run([*words, "--exit-code", "WLUPassage", "pash_f1"]) == 3
    assert run([*words, "--exit-code", "pash_f1", "pash_f3"]) == 4
    assert "enough for a decision" in capsys.readouterr().err
