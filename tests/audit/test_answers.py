"""The audit of answers: judges compared with people by criterion, ranked systems, loose files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.agreement.answer_judges import ONE_PERSON, judges_beside_people
from qrelsmith.answers.aspects import read_aspects
from qrelsmith.audit.campaign_audit import audit_campaign
from qrelsmith.base.errors import InputError, InputNote
from qrelsmith.collection.qrels import Qrels
from qrelsmith.evaluation.scored_runs import evaluate
from qrelsmith.formats.answer_campaign import init_answers
from qrelsmith.judgments.group_labels import label_set_of
from qrelsmith.judgments.judgment_files import Judgments, read_judgments

TOPICS, RUNS, PEOPLE = 12, ("a", "b", "c", "d"), ("ann", "ben", "cem")


def judged(folder: Path) -> Path:
    """Labels of three people and two models on two criteria; one model reverses the grades."""
    rng = np.random.default_rng(5)
    lines = ["topic,doc,assessor,group,grade,aspect"]
    for topic in range(TOPICS):
        for place, run in enumerate(RUNS):
            for aspect in ("faithful", "fluent"):
                truth = rng.normal() + place
                for who in PEOPLE:
                    grade = int(np.clip(np.rint(truth + 0.7 * rng.normal()), 0, 3))
                    lines.append(f"t{topic},{run},{who},people,{grade},{aspect}")
                near = int(np.clip(np.rint(truth + 0.2 * rng.normal()), 0, 3))
                lines.append(f"t{topic},{run},near,near,{near},{aspect}")
                lines.append(f"t{topic},{run},reverse,reverse,{3 - near},{aspect}")
    path = folder / "labels.csv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_an_audit_of_answers_says_which_judges_can_replace_people(tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    init_answers(folder, (), labels=[judged(tmp_path)])
    report = audit_campaign(folder, jobs=1)
    table = report.table("answer-judges")
    verdicts = {
        (row[0], row[1]): row[table.columns.index("can_replace")]
        for row in table.rows
        if row[1] != ONE_PERSON
    }
    assert verdicts == {
        (f"criterion.{name}", judge): word
        for name in ("faithful", "fluent")
        for judge, word in (("near", "yes"), ("reverse", "no"))
    }
    ranked = report.table("systems-criterion--faithful")
    assert [row[0] for row in ranked.rows] == ["d", "c", "b", "a"]
    assert any(
        finding.sentence.startswith("On aspects of the kind ‘faithful’, near agrees best")
        for finding in report.findings()
    )


def split_by_aspect(folder: Path, names: dict[str, str]) -> Path:
    """A campaign whose judge `near` has one label file per criterion, with an aspect column."""
    labels = folder / "labels.csv"
    header, *lines = judged(folder).read_text("utf-8").splitlines()
    labels.write_text("\n".join([header, *(x for x in lines if ",people," in x)]) + "\n", "utf-8")
    init_answers(folder / "campaign", (), labels=[labels])
    for aspect, name in names.items():
        rows = [x.split(",") for x in lines if ",near," in x and x.endswith(f",{aspect}")]
        text = "".join(f"{topic},{run},{aspect},{grade}\n" for topic, run, _, _, grade, _ in rows)
        (folder / "campaign" / "qrels").mkdir(exist_ok=True)
        path = folder / "campaign" / "qrels" / f"{name}.csv"
        path.write_text(f"topic,doc,aspect,grade\n{text}", "utf-8")
    return folder / "campaign"


@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputNote")
def test_files_of_one_judge_for_each_kind_of_label_are_one_label_set(tmp_path: Path) -> None:
    folder = split_by_aspect(tmp_path, {"faithful": "near-criteria", "fluent": "near-rubric"})
    with pytest.warns(InputNote, match="near-criteria, near-rubric: read as one label set"):
        report = audit_campaign(folder, reference="people", jobs=1)
    assert report.scorecard is not None
    assert report.scorecard.label_sets == ("people", "near")
    assert report.scorecard.cell("near", "agrees").topics == TOPICS


@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputNote")
@pytest.mark.parametrize("grade", [0, 1, 2])
def test_two_files_of_one_judge_with_labels_of_the_same_item_are_refused(
    tmp_path: Path, grade: int
) -> None:
    folder = split_by_aspect(tmp_path, {"faithful": "near-criteria", "fluent": "near-rubric"})
    with (folder / "qrels" / "near-rubric.csv").open("a", encoding="utf-8") as file:
        file.write(f"t0,a,faithful,{grade}\n")
    with pytest.raises(InputError, match="'faithful' has a label in near-rubric and in another"):
        audit_campaign(folder, reference="people", jobs=1)


@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputNote")
def test_labels_that_give_no_score_by_a_measure_are_named(tmp_path: Path) -> None:
    folder = split_by_aspect(tmp_path, {"faithful": "one", "fluent": "two"})
    with pytest.raises(
        InputError, match=r"one\.csv.*Criterion\('fluent'\) cannot be computed"
    ) as found:
        audit_campaign(folder, reference="people", jobs=1)
    assert "\n" not in str(found.value)


def test_one_person_is_compared_with_the_median_of_the_others() -> None:
    """Three people, two of them with equal labels: ρ over the six pairs, by hand."""
    grades = {"ann": [0, 2], "ben": [0, 2], "cem": [2, 0]}
    judgments = Judgments.from_columns(
        {
            "topic": ["t1", "t2"] * 3,
            "doc": ["a"] * 6,
            "aspect": ["x"] * 6,
            "assessor": [who for who in grades for _ in range(2)],
            "grade": [grade for of in grades.values() for grade in of],
        }
    )
    (row,) = judges_beside_people(
        "criterion.x", judgments, label_set_of(judgments, "people"), {}, None
    )
    # The lower median of the other people is 0 in both topics for ann and ben, and 0 and 2 for cem.
    others, own = [0, 0, 0, 0, 0, 2], [0, 2, 0, 2, 2, 0]
    assert row.value == pytest.approx(np.corrcoef(others, own)[0, 1])
    assert (row.answers, row.topics) == (6, 2)


def test_a_program_that_scores_whole_answers_is_compared_by_rank() -> None:
    people = Qrels.from_dict({f"t{t}": {"a\x1fx": t % 3} for t in range(9)}, name="people")
    program = Qrels.from_dict({f"t{t}": {"a": t % 3 / 10} for t in range(9)}, name="program")
    (row,) = judges_beside_people("criterion.x", None, people, {"program": program}, None)
    assert (row.judge, row.value) == ("program", pytest.approx(1))


def test_a_campaign_of_answers_has_the_scales_of_its_grades(tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    settings = init_answers(folder, (), labels=[judged(tmp_path)])
    text = settings.read_text("utf-8")
    assert "[aspects.criterion.faithful]" in text
    assert '[groups.people]\nrole = "gold"' in text
    assert len(read_judgments(folder / "judgments.csv")) == TOPICS * len(RUNS) * 2 * 5


def test_assessments_of_dragun_become_a_rubric(tmp_path: Path) -> None:
    path = tmp_path / "assessments.csv"
    path.write_text(
        "topic_id,run_tag,answer_id,auto_assessment\nt1,a,na-1,supports\nt1,b,na-1,none\n", "utf-8"
    )
    with pytest.warns(match="topic from topic_id"):
        init_answers(tmp_path / "campaign", (), labels=[path])
    (aspect,) = read_aspects(tmp_path / "campaign/aspects.csv")
    assert (aspect.topic, aspect.aspect, aspect.kind) == ("t1", "na-1", "rubric")
    scores = evaluate(tmp_path / "campaign").matrix("RubricScore")
    assert dict(zip(scores.systems, scores.means().tolist(), strict=True)) == {"a": 1, "b": 0}
