"""The scorecard of label sets with known faults."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from qrelsmith.audit.campaign_audit import audit_campaign
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.scorecard import scorecard
from qrelsmith.audit.verdicts.bounds import RULES, word_of
from qrelsmith.base.content import CLEAR, Scorecard
from qrelsmith.base.errors import InputError
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign import (
    Campaign,
    Level,
    ModelRecord,
    QrelsSource,
    write_campaign_toml,
)
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.rankings.significance import significance

Grades = NDArray[np.float64]


def gold_of(topics: int, docs: int = 40) -> Grades:
    rng = np.random.default_rng(5)
    return rng.choice(4, p=[0.55, 0.2, 0.15, 0.1], size=(topics, docs)).astype(float)


def noisy(gold: Grades, share: float, seed: int) -> Grades:
    rng = np.random.default_rng(seed)
    return np.where(rng.random(gold.shape) < share, rng.integers(0, 4, gold.shape), gold)


def write(
    folder: Path, labels: Mapping[str, Grades], *, systems: int = 12, **settings: object
) -> Campaign:
    """Write a campaign with grades[topic, doc], nan: not judged; runs rank by the set `gold`."""
    (folder / "qrels").mkdir(parents=True)
    (folder / "runs").mkdir()
    for name, grades in labels.items():
        rows = [
            (f"t{topic:02d}", f"d{doc:03d}", float(grades[topic, doc]))
            for topic, doc in np.argwhere(~np.isnan(grades)).tolist()
        ]
        write_qrels(Qrels.from_rows(rows), folder / "qrels" / f"{name}.qrels")
    rng = np.random.default_rng(9)
    gold = labels["gold"]
    for system in range(systems):
        scores = gold + (0.3 + 0.4 * system) * rng.normal(size=gold.shape)
        found = {
            f"t{topic:02d}": {f"d{doc:03d}": float(score) for doc, score in enumerate(row)}
            for topic, row in enumerate(scores)
        }
        write_run(Run.from_dict(found, name=f"s{system:02d}"), folder / "runs" / f"s{system}.run")
    levels = tuple(Level(float(grade)) for grade in range(4))
    campaign = replace(Campaign(folder, levels=levels), **settings)  # type: ignore[arg-type]
    write_campaign_toml(campaign)
    return campaign


def verdicts(card: Scorecard, label_set: str) -> dict[str, str]:
    return {cell.question: cell.verdict for cell in card.of(label_set)}


def test_the_columns_are_those_of_the_contract(tmp_path: Path) -> None:
    gold = gold_of(10)
    write(tmp_path, {"gold": gold, "other": noisy(gold, 0.1, 1)})
    card = scorecard(AuditInputs(tmp_path))
    assert card.table().columns == (
        "label_set", "question", "verdict", "value", "low", "high", "over", "topics", "sentence",
        "decide", "p_good", "p_bad",
    )  # fmt: skip
    assert tuple(card.questions) == (
        "picks-the-best", "complete", "agrees", "ranks-all", "ranks-top", "finds-differences",
        "fair-to-teams", "fair-to-new", "undamaged", "uncontested",
    )  # fmt: skip
    assert [cell.label_set for cell in card.cells] == ["gold"] * 10 + ["other"] * 10
    for cell in card.cells:
        assert bool(cell.decide) == (cell.verdict not in CLEAR), cell
        assert math.isnan(cell.p_good) or cell.verdict == word_of(cell.p_good, cell.p_bad), cell
        assert math.isnan(cell.value) or cell.verdict != "none", cell


@pytest.mark.parametrize(("topics", "systems"), [(10, 10), (4, 3)])
def test_identical_labels_are_good_in_every_comparison_at_any_size(
    tmp_path: Path, topics: int, systems: int
) -> None:
    gold = gold_of(topics)
    write(tmp_path, {"gold": gold, "twin": gold.copy()}, systems=systems)
    card = scorecard(AuditInputs(tmp_path))
    for question in ("picks-the-best", "agrees", "ranks-all", "ranks-top", "finds-differences"):
        cell = card.cell("twin", question)
        assert (cell.verdict, cell.p_good, cell.p_bad) == ("good", 1.0, 0.0)


def test_judges_with_stray_or_unused_grades_have_all_verdicts(tmp_path: Path) -> None:
    # Five of 33 judges of LLMJudge DL23 are like this: a single stray 10, no 3 at all, random
    # grades.
    gold = gold_of(16)
    stray = noisy(gold, 0.1, 1)
    stray[0, 0] = 10
    rng = np.random.default_rng(3)
    labels = {
        "gold": gold,
        "stray": stray,
        **{f"no-3-{seed}": np.minimum(noisy(gold, 0.1, seed), 2) for seed in (2, 3, 4)},
        "random": rng.integers(0, 3, gold.shape).astype(float),
    }
    write(tmp_path, labels)
    card = scorecard(AuditInputs(tmp_path))
    for name in labels:
        if name != "gold":
            assert card.cell(name, "agrees").verdict != "none", name
            assert not math.isnan(card.cell(name, "agrees").value), name
    assert card.cell("random", "agrees").verdict == "bad"
    assert "1 grade outside the scale are treated as missing (first: stray.qrels:1)" in (
        card.cell("stray", "complete").sentence
    )


def test_an_unfinished_set_removes_no_topic_from_other_comparisons(tmp_path: Path) -> None:
    gold = gold_of(53, 15)
    unfinished = np.full_like(gold, np.nan)
    unfinished[:5] = gold[:5]
    write(tmp_path, {"gold": gold, "other": noisy(gold, 0.1, 1), "unfinished": unfinished})
    card = scorecard(AuditInputs(tmp_path))
    compared = ("agrees", "ranks-all", "ranks-top", "finds-differences")
    assert {card.cell("other", question).topics for question in compared} == {53}
    assert {card.cell("unfinished", question).topics for question in compared} == {5}
    cell = card.cell("unfinished", "complete")
    assert cell.verdict == "bad"
    assert "48 of 53 topics have no labels" in cell.sentence


def contested_gold(gold: Grades) -> Grades:
    """A reference that labels a tenth of the highly relevant docs as not relevant."""
    rng = np.random.default_rng(8)
    return np.where((gold == 3) & (rng.random(gold.shape) < 0.3), 0.0, gold)


def test_careless_judges_have_no_vote_on_the_zeros_of_the_reference(tmp_path: Path) -> None:
    truth = gold_of(30)
    sound = {"gold": contested_gold(truth)} | {
        f"sound-{seed}": noisy(truth, 0.1, seed) for seed in (1, 2, 3)
    }
    write(tmp_path / "few", sound)
    careless = {f"careless-{seed}": noisy(truth, 0.9, seed) for seed in range(4, 9)}
    write(tmp_path / "many", sound | careless)
    few, many = (
        scorecard(AuditInputs(tmp_path / each)).cell("gold", "uncontested")
        for each in ("few", "many")
    )
    assert few.sentence == many.sentence
    assert "The votes come from sound-1, sound-2 and sound-3" in few.sentence
    assert few.verdict in ("fair", "fair or better", "fair or worse")


def test_a_single_vote_never_counts_against_the_reference(tmp_path: Path) -> None:
    truth = gold_of(30)
    gold = contested_gold(truth)
    passes = {name: noisy(truth, 0.05, seed) for seed, name in enumerate(("pass-1", "pass-2"))}
    records = {name: ModelRecord("one model") for name in passes}
    write(tmp_path, {"gold": gold, **passes}, models=records)
    cell = scorecard(AuditInputs(tmp_path)).cell("gold", "uncontested")
    assert cell.verdict == "unclear"
    assert math.isnan(cell.p_good)
    assert "The only votes come from pass-1 with pass-2" in cell.sentence
    assert "a second blind judgment of" in cell.decide


def test_the_loss_is_in_units_of_the_measure_and_its_verdict_relative_to_the_best_mean(
    tmp_path: Path,
) -> None:
    gold = gold_of(25)
    labels = {"gold": gold, "close": noisy(gold, 0.05, 1), "reversed": 3 - gold}
    write(tmp_path, labels, systems=20)
    inputs = AuditInputs(tmp_path)
    card = scorecard(inputs)
    best = inputs.scores_beside("close", "nDCG@10")[0].means().max()
    lost = card.cell("reversed", "picks-the-best")
    assert card.cell("close", "picks-the-best").verdict == "good"
    assert (lost.verdict, lost.over) == ("bad", "topics")
    assert lost.value > 0.1 * best
    assert f"(good if at most {0.05 * best:.3g}".replace("0.", ".") in lost.sentence


def test_the_top_is_not_good_if_the_worst_system_is_moved_there(tmp_path: Path) -> None:
    gold = gold_of(25)
    write(tmp_path, {"gold": gold, "favour": gold}, systems=30)
    favoured = gold.copy()
    for line in (tmp_path / "runs" / "s29.run").read_text().splitlines():
        topic, _, doc, rank, *_ = line.split()
        if int(rank) <= 10:
            favoured[int(topic[1:]), int(doc[1:])] = 3
    rows = [(f"t{t:02d}", f"d{doc:03d}", grade) for (t, doc), grade in np.ndenumerate(favoured)]
    write_qrels(Qrels.from_rows(rows), tmp_path / "qrels" / "favour.qrels")
    cell = scorecard(AuditInputs(tmp_path)).cell("favour", "ranks-top")
    assert cell.low >= RULES["ranks-top"].good  # the best third of gold alone does not show this
    assert cell.verdict != "good"
    assert "adds s29 (rank 28 → 1) and s09" in cell.sentence


def test_without_a_reference_there_is_no_verdict(tmp_path: Path) -> None:
    gold = gold_of(10)
    campaign = write(tmp_path, {"gold": gold, "b": noisy(gold, 0.1, 1)})
    (tmp_path / "qrels" / "gold.qrels").rename(tmp_path / "qrels" / "a.qrels")
    card = scorecard(AuditInputs(tmp_path))
    assert card.reference == ""
    assert {cell.verdict for cell in card.cells} == {"none"}
    assert "--reference" in card.cells[0].sentence
    sources = {"b.qrels": QrelsSource(kind="people")}
    write_campaign_toml(replace(campaign, qrels_of=sources))
    assert scorecard(AuditInputs(tmp_path)).reference == "b"


@pytest.mark.parametrize("begun", ["begun", "gold"])
def test_a_set_with_one_topic_does_not_change_other_verdicts(begun: str, tmp_path: Path) -> None:
    truth = gold_of(10)
    write(tmp_path, {"gold": truth, "begun": truth, "close": noisy(truth, 0.1, 1)})
    path = tmp_path / "qrels" / f"{begun}.qrels"
    rows = [row for row in path.read_text().splitlines(keepends=True) if row.startswith("t04 ")]
    path.write_text("".join(rows))
    report = audit_campaign(tmp_path)
    assert report.scorecard is not None
    alone = report.scorecard.cell("begun", "finds-differences")
    assert alone.verdict == "none"
    assert "a single common topic" in alone.sentence
    other = report.scorecard.cell("close", "finds-differences")
    assert other.topics == (1 if begun == "gold" else 10)
    if begun == "gold":
        with pytest.raises(InputError, match=r"with gold: 1; expected 2 or more. Judge more"):
            significance(AuditInputs(tmp_path), beside=True)
        return
    tested = significance(AuditInputs(tmp_path), beside=True)
    assert "begun has one topic in common with gold and is left out" in tested.notes
    assert set(tested.names) == {"gold", "close"}


def test_a_set_with_another_declared_scale_has_no_alpha(tmp_path: Path) -> None:
    gold = gold_of(10)
    source = {"percent.qrels": QrelsSource(scale=Scale.parse("0..100"))}
    write(tmp_path, {"gold": gold, "percent": gold * 30}, qrels_of=source)
    cell = scorecard(AuditInputs(tmp_path)).cell("percent", "agrees")
    assert cell.verdict == "none"
    assert "correlation of the grades within topics is 1.000" in cell.sentence
