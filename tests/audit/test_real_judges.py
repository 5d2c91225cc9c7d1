"""Verdicts on real labels for which earlier versions had wrong verdicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith import read_qrels
from qrelsmith.agreement import agreement_interval
from qrelsmith.audit.held_inputs import HeldInputs
from qrelsmith.audit.verdicts.agrees import agrees
from qrelsmith.audit.verdicts.bounds import AGREES, word_of
from qrelsmith.judgments.judgment_events import Judgments


def test_every_judge_of_llmjudge_has_a_verdict_with_or_without_stray_grades_and_unused_levels(
    shared: Path,
) -> None:
    folder = shared / "data" / "llmjudge-dl23"
    files = sorted((folder / "llm").iterdir())
    sets = {"human": read_qrels(folder / "human.qrels", name="human")} | {
        path.stem: read_qrels(path, name=path.stem) for path in files
    }
    inputs = HeldInputs(sets, [], levels=range(4), teams={})
    cells = {path.stem: agrees(inputs, path.stem) for path in files}
    assert len(cells) == 33
    assert "none" not in {cell.verdict for cell in cells.values()}
    assert {cell.topics for cell in cells.values()} == {25}
    # One judge has a single 10, one has two grades of 5; others never give the top grade.
    strange = {
        name for name, qrels in sets.items() if np.unique(qrels.grade[qrels.grade >= 0])[-1] != 3
    }
    assert {"h2oloo-zeroshot2", "RMITIR-llama70B"} < strange
    assert len(strange) >= 5


def test_halves_of_the_topics_hardly_ever_contradict_each_other(shared: Path) -> None:
    # With intervals over docs, both halves were certain in 52 of 100 splits, and disagreed in 51 of
    # these.
    folder = shared / "data" / "trec-dl-2021-passage" / "qrels"
    sets = {
        name: read_qrels(folder / file)
        for name, file in (("nist", "nist.qrels"), ("gpt-4o", "umbrela.gpt-4o.qrels.gz"))
    }
    ratings = Judgments.from_qrels(sets).ratings()
    _, topic = np.unique([topic for topic, _ in ratings.units], return_inverse=True)
    rng = np.random.default_rng(1)
    contradictions = 0
    for _ in range(40):
        chosen = rng.permutation(53)
        verdicts = set()
        for half in (chosen[:26], chosen[26:52]):
            inside = np.isin(topic, half)
            found = agreement_interval(ratings.values[:, inside], topic[inside], "alpha-ordinal")
            chances = AGREES.probabilities(float(found.value), float(found.se), size=26)
            verdicts.add(word_of(*chances))
        contradictions += len(verdicts & {"good", "bad"}) == 2
    assert contradictions <= 4


@pytest.mark.parametrize("splits", [50, 400])
def test_a_clear_difference_of_consistency_does_not_depend_on_the_number_of_splits(
    splits: int,
) -> None:
    from qrelsmith.stats.consistency_intervals import consistency_intervals
    from qrelsmith.stats.split_halves import random_halves

    rng = np.random.default_rng(3)
    topics = [f"t{number:02}" for number in range(24)]
    scores = rng.normal(size=12) + 1.5 * rng.normal(size=(2, 24, 12))  # two equal label sets
    found = consistency_intervals(scores, topics, random_halves(topics, splits=splits, seed=0))
    difference = found.differences.part(0).part(1)
    assert float(difference.low) <= 0 <= float(difference.high)
