"""The scorecard of label sets whose faults are known."""

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
from qrelsmith.audit.verdicts.bounds import RULES
from qrelsmith.base.content import Scorecard
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
from qrelsmith.collection.runs import Run, write_run
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
    """A campaign of these grades [topic, doc], nan: not judged; runs know the set `gold`."""
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
        "decide",
    )  # fmt: skip
    assert tuple(card.questions) == (
        "complete", "agrees", "ranks-all", "ranks-top", "finds-differences", "fair-to-teams",
        "fair-to-new", "undamaged", "uncontested",
    )  # fmt: skip
    assert [cell.label_set for cell in card.cells] == ["gold"] * 9 + ["other"] * 9
    for cell in card.cells:
        assert bool(cell.decide) == (cell.verdict == "undecided"), cell
        assert math.isnan(cell.value) or cell.verdict != "none", cell


@pytest.mark.parametrize(("topics", "systems"), [(10, 10), (4, 3)])
def test_identical_labels_are_good_in_every_comparison_at_any_size(
    tmp_path: Path, topics: int, systems: int
) -> None:
    gold = gold_of(topics)
    write(tmp_path, {"gold": gold, "twin": gold.copy()}, systems=systems)
    found = verdicts(scorecard(AuditInputs(tmp_path)), "twin")
    compared = ("agrees", "ranks-all", "ranks-top", "finds-differences")
    assert [found[question] for question in compared] == ["good"] * 4


def test_five_judges_with_stray_or_unused_grades_are_all_judged(tmp_path: Path) -> None:
    # Five of 33 judges of LLMJudge DL23 are so: a single stray 10, no 3 at all, a coin for grades.
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
    assert "1 grade off the scale, missing here (first: stray.qrels:1)" in (
        card.cell("stray", "complete").sentence
    )


def test_an_unfinished_set_takes_no_topic_from_the_others(tmp_path: Path) -> None:
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
    assert "48 of 53 topics are missing" in cell.sentence


def contested_gold(gold: Grades) -> Grades:
    """A reference that calls a tenth of the highly relevant docs not relevant."""
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
    assert "3 votes: sound-1, sound-2 and sound-3" in few.sentence
    assert few.verdict == "doubtful"


def test_a_single_vote_never_speaks_against_the_reference(tmp_path: Path) -> None:
    truth = gold_of(30)
    gold = contested_gold(truth)
    passes = {name: noisy(truth, 0.05, seed) for seed, name in enumerate(("pass-1", "pass-2"))}
    records = {name: ModelRecord("one model") for name in passes}
    write(tmp_path, {"gold": gold, **passes}, models=records)
    cell = scorecard(AuditInputs(tmp_path)).cell("gold", "uncontested")
    assert cell.verdict == "undecided"
    assert "1 vote: pass-1 with pass-2" in cell.sentence
    assert "a second blind judgment of" in cell.decide


def test_a_ranking_can_be_doubtful_with_few_systems(tmp_path: Path) -> None:
    gold = gold_of(25)
    found = set()
    for seed in range(4):
        folder = tmp_path / str(seed)
        write(folder, {"gold": gold, "other": noisy(gold, 0.55, seed)}, systems=20)
        found.add(scorecard(AuditInputs(folder)).cell("other", "ranks-all").verdict)
    assert "doubtful" in found


def test_the_top_is_not_good_where_the_worst_system_is_lifted_to_it(tmp_path: Path) -> None:
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
    assert cell.low >= RULES["ranks-top"].good  # the best third of gold alone shows nothing
    assert cell.verdict == "doubtful"
    assert "with s29 (place 28 under gold, 1 here) and s09" in cell.sentence


@pytest.mark.parametrize(
    ("order", "verdict"),
    [((6, 5, 4, 3, 2, 1, 0), "doubtful"), ((0, 1, 2, 3, 4, 6, 5), "good")],
)
def test_the_top_is_not_good_where_one_broken_run_hides_that_the_others_are_turned(
    tmp_path: Path, order: tuple[int, ...], verdict: str
) -> None:
    # One doc a run: nDCG@10 is its grade, 86 to 80 of 100, and 0 of the broken one.
    write(
        tmp_path, {"gold": gold_of(1)}, systems=1, levels=tuple(Level(float(n)) for n in range(101))
    )
    (tmp_path / "runs" / "s0.run").unlink()
    topics = [f"t{topic:02d}" for topic in range(10)]
    docs = [f"d{doc}" for doc in range(8)]
    for at, doc in enumerate(docs):
        run = Run.from_dict({topic: {doc: 1.0} for topic in topics}, name=f"s{at}")
        write_run(run, tmp_path / "runs" / f"s{at}.run")
    for name, places in (("gold", range(7)), ("turned", order)):
        grades = [*(86.0 - place for place in places), 0.0]
        # Grades of 100 beside keep the ideal alike in both sets.
        rows = [
            (topic, doc, grade)
            for topic in topics
            for doc, grade in [*zip(docs, grades, strict=True), ("ideal", 100.0)]
        ]
        write_qrels(Qrels.from_rows(rows), tmp_path / "qrels" / f"{name}.qrels")
    cell = scorecard(AuditInputs(tmp_path)).cell("turned", "ranks-top")
    assert cell.low >= RULES["ranks-top"].good  # the pairs with the broken run weigh most
    assert cell.verdict == verdict
    assert ("The very best systems of gold do not keep their order" in cell.sentence) == (
        verdict == "doubtful"
    )
    assert ("over the best 5 alone it is -1.000 [-1.000, -1.000]" in cell.sentence) == (
        verdict == "doubtful"
    )


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
def test_a_set_of_one_topic_takes_no_verdict_from_the_others(begun: str, tmp_path: Path) -> None:
    truth = gold_of(10)
    write(tmp_path, {"gold": truth, "begun": truth, "close": noisy(truth, 0.1, 1)})
    path = tmp_path / "qrels" / f"{begun}.qrels"
    rows = [row for row in path.read_text().splitlines(keepends=True) if row.startswith("t04 ")]
    path.write_text("".join(rows))
    report = audit_campaign(tmp_path)
    assert report.scorecard is not None
    alone = report.scorecard.cell("begun", "finds-differences")
    assert alone.verdict == "none"
    assert "one topic in common" in alone.sentence
    other = report.scorecard.cell("close", "finds-differences")
    assert other.topics == (1 if begun == "gold" else 10)
    if begun == "gold":
        with pytest.raises(InputError, match=r"with gold, 1; expected 2 or more: judge more"):
            significance(AuditInputs(tmp_path), beside=True)
        return
    tested = significance(AuditInputs(tmp_path), beside=True)
    assert "begun has one topic in common with gold: left out" in tested.notes
    assert set(tested.names) == {"gold", "close"}


def test_another_declared_scale_has_no_alpha(tmp_path: Path) -> None:
    gold = gold_of(10)
    source = {"percent.qrels": QrelsSource(scale=Scale.parse("0..100"))}
    write(tmp_path, {"gold": gold, "percent": gold * 30}, qrels_of=source)
    cell = scorecard(AuditInputs(tmp_path)).cell("percent", "agrees")
    assert cell.verdict == "none"
    assert "the rank correlation of their grades is 1.000" in cell.sentence
