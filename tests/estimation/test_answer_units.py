"""Few labels of aspects: estimates for measures of answers, exact if all aspects are judged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.answers.answers import Sentence, SystemAnswer, SystemAnswers
from qrelsmith.answers.aspects import Aspect, Aspects
from qrelsmith.base.errors import UsageError
from qrelsmith.base.items import citation_aspect, item_key, item_parts
from qrelsmith.collection.qrels import Qrels
from qrelsmith.estimation.estimate import estimate
from qrelsmith.estimation.sample import sample
from qrelsmith.evaluation.scored_runs import evaluate

RUNS = ("a", "b", "c")


def world(seed: int, topics: int = 6) -> tuple[Aspects, SystemAnswers, Qrels]:
    """Return answers with nuggets, rubrics, a criterion and citations, and labels of them all."""
    rng = np.random.default_rng(seed)
    aspects, answers, labels = [Aspect("", "fluency", "criterion")], [], {}
    for topic in (f"t{number}" for number in range(topics)):
        for place in range(int(rng.integers(2, 5))):
            nugget = Aspect(topic, f"n{place}", "nugget", "", "vital" if place < 2 else "okay")
            parent = f"q{place % 2}"
            aspects += [nugget, Aspect(topic, f"r{place}", "rubric", "", "", parent)]
        aspects += [Aspect(topic, "q0", "rubric", "", "4"), Aspect(topic, "q1", "rubric", "", "1")]
        for run in RUNS:
            cited = tuple(f"d{doc}" for doc in range(int(rng.integers(1, 4))))
            answer = SystemAnswer(
                topic, run, (Sentence("x", cited), Sentence("y"), Sentence("z", cited))
            )
            answers.append(answer)
            judged = [each.aspect for each in aspects if each.topic in ("", topic)]
            judged += [citation_aspect(*pair) for pair in answer.citations()]
            for aspect in judged:
                grade = int(rng.integers(1, 5) if aspect == "fluency" else rng.integers(0, 3))
                labels[topic, item_key(run, aspect)] = grade
    rows = ((topic, key, float(grade)) for (topic, key), grade in labels.items())
    return Aspects(aspects), SystemAnswers(answers), Qrels.from_rows(rows, name="people")


MEASURES = [
    *(f"NuggetRecall(variant='{name}')" for name in ("V_strict", "V", "W_strict", "W", "A")),
    "RubricScore", "RubricScore(strict=True)", "CitationPrecision", "CitationRecall(first=True)",
]  # fmt: skip


@pytest.mark.parametrize("measure", MEASURES)
def test_if_all_aspects_are_judged_the_estimate_is_the_score(measure: str) -> None:
    aspects, answers, people = world(1)
    known = {"aspects": aspects, "answers": answers}
    drawn = sample(people, None, measure, budget=10_000, wave=10_000, **known)
    result = estimate(people, None, measure, sample=drawn, judgments=people, **known)
    (found,) = result.of_measures
    expected = evaluate(people, None, measure, **known).matrix(measure)
    assert found.runs == expected.systems
    assert found.scores()[:, 0] == pytest.approx(expected.means(), abs=1e-9)
    assert np.ptp(found.scores(), axis=1) == pytest.approx(np.zeros(3), abs=1e-9)


def test_a_criterion_is_estimated_in_units_of_its_grades() -> None:
    aspects, _, people = world(2)
    of_fluency = Qrels.from_rows(
        (row for row in people.rows() if item_parts(row[1])[1] == "fluency"), name="people"
    )
    measure = "Criterion('fluency')"
    drawn = sample(of_fluency, None, measure, budget=99, wave=99, aspects=aspects)
    result = estimate(
        of_fluency, None, measure, sample=drawn, judgments=of_fluency, aspects=aspects
    )
    expected = evaluate(of_fluency, None, measure, aspects=aspects).matrix(measure).means()
    assert result.of_measures[0].scores()[:, 0] == pytest.approx(expected)


def test_the_mean_over_many_samples_is_the_score(tmp_path: Path) -> None:
    """Inverse probabilities are exact; 40 samples of a third of the labels, 4.5 standard errors."""
    aspects, _, people = world(3, topics=10)
    measure = "NuggetRecall(variant='W')"
    truth = evaluate(people, None, measure, aspects=aspects).matrix(measure).means()
    found = []
    for seed in range(40):
        drawn = sample(None, None, measure, budget=40, wave=40, seed=seed, aspects=aspects,
                       answers=_answers(people))  # fmt: skip
        result = estimate(None, None, measure, sample=drawn, judgments=people, aspects=aspects,
                          answers=_answers(people))  # fmt: skip
        found.append(result.of_measures[0].estimates.score)
    error = np.std(found, axis=0, ddof=1) / np.sqrt(len(found))
    assert (np.abs(np.mean(found, axis=0) - truth) < 4.5 * error).all()


def _answers(people: Qrels) -> SystemAnswers:
    pairs = {(topic, item_parts(key)[0]) for topic, key, _ in people.rows()}
    return SystemAnswers(SystemAnswer(topic, run, (Sentence("x"),)) for topic, run in sorted(pairs))


def test_a_sample_names_aspects_and_can_be_read_again(tmp_path: Path) -> None:
    aspects, _, people = world(4)
    drawn = sample(people, None, "RubricScore", budget=20, aspects=aspects)
    table = drawn.table()
    assert table.columns == ("topic", "doc", "aspect", "wave", "probability", "check")
    path = tmp_path / "sample.csv"
    path.write_text(table.text("csv"), "utf-8")
    again = sample(people, None, "RubricScore", budget=20, after=path, judgments=people,
                   aspects=aspects)  # fmt: skip
    assert again.wave == 2
    assert set(drawn.rows_drawn.keys) < set(again.rows_drawn.keys)


@pytest.mark.parametrize(
    ("measures", "problem"),
    [
        (["CitationRecall"], r"expected CitationRecall\(first=True\)"),
        (["NuggetRecall", "RubricScore"], "expected one kind of aspect"),
    ],
)
def test_measures_that_are_not_sums_over_one_kind_are_refused(
    measures: list[str], problem: str
) -> None:
    aspects, answers, people = world(5)
    with pytest.raises(UsageError, match=problem):
        estimate(people, None, measures, sample=None, judgments=people, aspects=aspects,
                 answers=answers)  # fmt: skip
