from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from qrelsmith import agree, evaluate
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.cli import run
from qrelsmith.collection.runs import read_run
from qrelsmith.collection.topics import read_topics
from qrelsmith.demo import collection
from qrelsmith.demo.answers import add_answers
from qrelsmith.demo.docstrings import stdlib_docs
from qrelsmith.judgments.given_labels import read_qrels


@pytest.fixture(scope="module")
def folder(made_demo: Path) -> Path:
    return made_demo


def test_the_lists_are_complete() -> None:
    topics, gold = collection.topics(), collection.gold()
    assert len(topics) == 25
    assert all(t.title and t.description and t.narrative and t.creator for t in topics)
    assert set(gold.topics) == {topic.topic for topic in topics}
    assert set(gold.grade.tolist()) == {0.0, 1.0, 2.0, 3.0}


def test_every_topic_has_relevant_and_non_relevant_docs() -> None:
    for topic, grades in collection.gold().to_dict().items():
        values = list(grades.values())
        assert sum(grade >= 2 for grade in values) >= 3, topic
        assert 5 <= sum(grade >= 1 for grade in values) <= 45, topic
        assert values.count(0) >= 20, topic


def test_nearly_all_judged_docs_exist_on_this_python() -> None:
    known = {doc.doc_id for doc in stdlib_docs()}
    gold = collection.gold()
    absent = {doc for _, doc, _ in gold.rows()} - known
    assert len(absent) <= 0.1 * len(gold.docs)


def test_the_folder_is_a_campaign_that_can_be_read(folder: Path) -> None:
    campaign = read_campaign(folder)
    assert campaign.scale is not None
    assert campaign.scale.levels == (0.0, 1.0, 2.0, 3.0)
    assert len(campaign.runs) == 14
    assert set(campaign.teams) == {read_run(path).name for path in campaign.runs}
    names = [path.name for path in campaign.qrels]
    assert names == ["baseline-lexical.qrels", "gold.qrels"]
    assert campaign.sample is not None
    assert campaign.topics is not None
    assert read_topics(campaign.topics) == collection.topics()
    documents = (folder / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    docs = {json.loads(line)["doc_id"] for line in documents}
    assert set(read_qrels(campaign.qrels[0]).docs) <= docs


def test_every_run_ranks_every_topic(folder: Path) -> None:
    for path in read_campaign(folder).runs:
        ranked = read_run(path)
        assert len(ranked.topics) == 25
        assert max(len(docs) for docs in ranked.docs.values()) == 100


def test_evaluation_csv_equals_the_output_of_evaluate(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open(folder / "evaluation.csv", encoding="utf-8", newline="") as file:
        written = {(r["run"], r["measure"]): r["score"] for r in csv.DictReader(file)}
    runs = sorted(map(str, (folder / "runs").iterdir()))
    capsys.readouterr()
    assert run(["evaluate", str(folder / "qrels/gold.qrels"), *runs, "-m", "nDCG@10 AP"]) == 0
    for row in csv.DictReader(capsys.readouterr().out.splitlines()):
        assert float(written[row["run"], row["measure"]]) == pytest.approx(float(row["score"]))
    assert len(written) == 14 * 5


def test_files_left_from_an_earlier_use_are_named(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "demo"
    shutil.copytree(folder, copy)
    assert collection.foreign_files(copy) == ()
    (copy / "pools").mkdir()
    (copy / "qrels" / "qwen3.qrels").write_text("P01 0 a 1\n")
    (copy / "runs" / "mine.run").write_text("P01 Q0 a 1 1 mine\n")
    assert collection.foreign_files(copy) == ("pools", "qrels/qwen3.qrels", "runs/mine.run")


def test_a_folder_with_other_files_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.txt").write_text("precious")
    assert run(["demo", str(tmp_path)]) == 2
    assert "not empty and is not a demo collection" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputNote")
def test_a_campaign_of_answers_is_beside_the_docs(tmp_path: Path) -> None:
    folder = add_answers(tmp_path)
    campaign = read_campaign(folder)
    assert len(campaign.answers) == 1
    result = evaluate(folder)
    found = {name: result.matrix(name) for name in result.measures}
    nuggets, citations = found["NuggetRecall(variant='V_strict')"], found["CitationPrecision"]
    assert nuggets.systems == citations.systems == ("basalt", "chalk", "granite", "gravel")
    assert nuggets.means().argmax() == 2
    assert citations.means().argmin() == 2
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    add_answers(tmp_path)
    assert {path: path.read_bytes() for path in before} == before
    assert (agree(folder, aspect="nugget", by="pair").parts[0].value) > 0.7
