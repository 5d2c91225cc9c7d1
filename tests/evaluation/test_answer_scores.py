"""Scores of answers from labels of aspects: of files and of a campaign, equal to the command's."""

from __future__ import annotations

import csv
import gzip
import json
import math
from collections import defaultdict
from pathlib import Path

import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.evaluation.scored_runs import evaluate
from qrelsmith.gates.gate import gate
from qrelsmith.rankings.compared_rankings import compare
from qrelsmith.rankings.significance import significance

SHARED = Path(__file__).parents[3] / "shared/data"
# Two assessors of one nugget: the lower median of 2 and 0 is 0. t2 has labels of n3 only.
LABELS = """topic,doc,assessor,grade,aspect
t1,a,anne,2,n1
t1,a,ben,0,n1
t1,a,anne,1,n2
t1,b,anne,2,n1
t1,b,anne,-3,n2
t2,a,anne,2,n3
t2,b,anne,1,n3
t1,a,anne,1,citation:0:d:1
t1,a,anne,2,citation:0:d2
t1,a,anne,4,fluency
t1,b,anne,3,fluency
"""
ASPECTS = """topic,aspect,kind,importance
t1,n1,nugget,vital
t1,n2,nugget,okay
t2,n3,nugget,okay
t3,n4,nugget,vital
,fluency,criterion,
"""
ANSWERS = [
    {"topic_id": "t1", "run_id": "a",
     "answer": [{"text": "x", "citations": ["d:1", "d2"]}, {"text": "y"}]},
    {"topic_id": "t1", "run_id": "b", "answer": [{"text": "z"}]},
    {"topic_id": "t2", "run_id": "a", "answer": [{"text": "z", "citations": ["d2"]}]},
]  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    content = {
        "labels": ("judgments.csv", LABELS),
        "aspects": ("aspects.csv", ASPECTS),
        "answers": ("answers.jsonl", "".join(json.dumps(each) + "\n" for each in ANSWERS)),
    }
    for name, text in content.values():
        (tmp_path / name).write_text(text, "utf-8")
    return {key: str(tmp_path / name) for key, (name, _) in content.items()}


def scores_of(files: dict[str, str], measure: str) -> dict[str, list[float]]:
    result = evaluate(
        files["labels"], None, measure, aspects=files["aspects"], answers=files["answers"]
    )
    matrix = result.matrix(measure)
    return dict(zip(matrix.systems, matrix.scores.tolist(), strict=True))


NAN = math.nan


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # b has no answer to t2, but labels for one.
        ("NuggetRecall(variant='V_strict')", {"a": [0, NAN], "b": [1, NAN]}),
        ("NuggetRecall(variant='W')", {"a": [0.25 / 1.5, 1], "b": [1 / 1.5, 0.5]}),
        ("NuggetRecall(variant='A_strict')", {"a": [0, 1], "b": [0.5, 0]}),
        ("CitationPrecision", {"a": [0.75, NAN], "b": [NAN, NAN]}),
        ("CitationRecall", {"a": [0.5, NAN], "b": [0, NAN]}),
        ("CitationRecall(first=True)", {"a": [0.25, NAN], "b": [0, NAN]}),
        ("Criterion('fluency')", {"a": [4, NAN], "b": [3, NAN]}),
    ],
)
def test_scores_are_as_computed_by_hand(
    files: dict[str, str], measure: str, expected: dict[str, list[float]]
) -> None:
    found = scores_of(files, measure)
    assert found.keys() == expected.keys()
    for run, scores in expected.items():
        assert found[run] == pytest.approx(scores, nan_ok=True)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        # n1 has grade 2 by people, 0 by one model and 1 by two passes of the same model; n1 of b
        # has -3 and 2.
        ({}, (0.5, 0.0)),
        ({"aggregation": "majority"}, (0.5, 0.0)),
        ({"aggregation": "mean"}, (0.5, 0.5)),
        ({"aggregation": "max"}, (1.0, 1.0)),
        ({"aggregation": "mean", "one_voice": "llm"}, (0.5, 0.5)),
        ({"one_voice": "llm"}, (0.5, 0.0)),
        ({"aggregation": "max", "one_voice": "llm"}, (1.0, 1.0)),
        ({"aggregation": "min"}, (0.0, 0.0)),
    ],
)
def test_grades_of_several_assessors_are_aggregated_as_requested(
    how: dict[str, str], expected: tuple[float, ...], tmp_path: Path
) -> None:
    labels = tmp_path / "judgments.csv"
    labels.write_text(
        "topic,doc,assessor,group,grade,aspect\n"
        "t1,a,anne,people,2,n1\nt1,a,ben,people,0,n1\nt1,a,m1,llm,1,n1\nt1,a,m2,llm,1,n1\n"
        "t1,b,anne,people,2,n1\nt1,b,ben,people,-3,n1\n"
    )
    result = evaluate(labels, measures=["NuggetRecall(variant='A')"], **how)  # type: ignore[arg-type]
    assert tuple(result.scores[0, :, 0].tolist()) == expected
    with pytest.raises(UsageError, match="unknown group 'models'"):
        evaluate(labels, measures=["NuggetRecall"], one_voice="models")
    with pytest.raises(UsageError, match="only to measures of answers"):
        evaluate({"t": {"d": 1}}, {"r": {"t": {"d": 1.0}}}, ["AP"], aggregation="mean")


def test_omitted_labels_are_noted(files: dict[str, str]) -> None:
    result = evaluate(files["labels"], None, "NuggetRecall", aspects=files["aspects"])
    notes = " ".join(result.notes)
    assert "1 labels say that the answer contradicts a nugget; they count as 0" in notes
    assert "NuggetRecall(variant='V_strict') is undefined in t2" not in notes


def test_a_campaign_gives_the_same_scores(files: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(
        'format = 1\ntitle = "x"\n[scale]\nrange = "0..1"\n[aspects.nugget]\nrange = "0..2"\n'
        '[aspects.criterion.fluency]\nrange = "1..4"\n',
        "utf-8",
    )
    measures = ["NuggetRecall(variant='W')", "CitationRecall", "Criterion('fluency')"]
    of_campaign = evaluate(tmp_path, None, measures)
    of_files = evaluate(
        files["labels"], None, measures, aspects=files["aspects"], answers=files["answers"]
    )
    assert of_campaign.table().rows == of_files.table().rows
    # A campaign without measures uses the measures for which it has labels.
    assert evaluate(tmp_path).measures == (
        "CitationPrecision", "Criterion('fluency')", "NuggetRecall(variant='V_strict')",
    )  # fmt: skip


def test_label_sets_are_compared_and_systems_tested(files: dict[str, str]) -> None:
    labels, aspects = files["labels"], files["aspects"]
    other = Path(labels).with_name("other.csv")
    other.write_text(LABELS.replace("4,fluency", "2,fluency"), "utf-8")
    found = compare([labels, other], None, "Criterion('fluency')").comparisons
    assert {(one.first, one.second, one.tau_b) for one in found} == {
        ("judgments.csv", "other.csv", -1)
    }
    result = significance(
        labels, None, "NuggetRecall(variant='W')", aspects=aspects, test="paired-t"
    )
    (test,) = result.tests
    assert test.names == ("a", "b")


def test_rankings_of_docs_do_not_count_labels_of_aspects(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("topic,doc,grade,aspect\nt1,d1,1,\nt1,d2,2,n1\n", "utf-8")
    with pytest.warns(match="read as csv"):
        result = evaluate(path, {"r": {"t1": {"d1": 1.0}}}, "nDCG@10")
    assert result.matrix("nDCG@10").means().tolist() == [1.0]


def test_a_gate_compares_judges_of_answers_with_people(files: dict[str, str]) -> None:
    other = Path(files["labels"]).with_name("other.csv")
    other.write_text(LABELS.replace("4,fluency", "2,fluency"), "utf-8")
    with pytest.warns(match="lower median of the grades of 2 assessors"):
        found = gate(
            other, None, "Criterion('fluency')", baseline=files["labels"], reference=files["labels"]
        )
    tau = next(row for row in found.rows if row.figure == "tau")
    assert (tau.baseline, tau.new) == (1, -1)


@pytest.mark.parametrize(
    ("measures", "options", "problem"),
    [
        (["CitationRecall"], {}, "expected answers"),
        (["Criterion('tone')"], {}, "no label has the criterion 'tone'"),
        (["NuggetRecall", "AP"], {}, "expected measures of one kind"),
        (
            ["Criterion('fluency')"],
            {"runs": "x.run"},
            "measures of answers cannot be used with runs",
        ),
    ],
)
def test_answers_that_cannot_be_scored_are_refused(
    files: dict[str, str], measures: list[str], options: dict[str, str], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        evaluate(files["labels"], options.get("runs"), measures, aspects=files["aspects"])


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data sets are not here")
@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
def test_systems_of_dragun_are_ranked_by_the_means_of_its_rows() -> None:
    path = SHARED / "dragun-reports/auto_report_assessments.csv.gz"
    worth = {"supports": 1.0, "partial": 0.5}
    rows: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            said = worth.get(row["auto_assessment"], 0.0)
            rows[row["run_tag"]][row["topic_id"]].append(said)
    result = evaluate(path, None, "RubricScore")
    means = dict(zip(result.systems, result.matrix("RubricScore").means(), strict=True))
    expected = {
        run: sum(sum(of) / len(of) for of in topics.values()) / len(topics)
        for run, topics in rows.items()
    }
    assert len(means) == 26
    assert means == pytest.approx(expected)
