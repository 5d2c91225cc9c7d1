"""Answers in the formats of TREC RAG and other programs, and their judged aspects."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.answers.answer_files import read_answers, write_answers
from qrelsmith.answers.answers import Sentence
from qrelsmith.answers.aspects import Aspect, read_aspects, write_aspects
from qrelsmith.base.errors import InputError, InputNote, InputWarning
from qrelsmith.cli import run
from qrelsmith.collection.documents import read_documents
from qrelsmith.formats.answer_campaign import init_answers
from qrelsmith.formats.checking import check_files
from qrelsmith.formats.convert import convert
from qrelsmith.judgments.judgment_files import read_judgments

SHARED = Path(__file__).parents[3] / "shared/data"
CITED = (Sentence("One.", ("d1", "d2")), Sentence("Two."))
SAID = [{"text": "One.", "citations": [0, 1]}, {"text": "Two.", "citations": []}]


def written(folder: Path, content: Any, name: str = "answers.jsonl") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content) + "\n", "utf-8")
    return path


@pytest.mark.parametrize(
    "fields",
    [
        {"topic_id": "t1", "run_id": "r", "references": ["d1", "d2"], "answer": SAID},
        {"narrative_id": "t1", "run_id": "r", "references": ["d1", "d2"], "responses": SAID},
        {
            "metadata": {"topic_id": "t1", "run_id": "r"},
            "responses": [{"text": "One.", "citations": ["d1", "d2"]}, {"text": "Two."}],
        },
        {
            "metadata": {"narrative_id": "t1", "run_id": "r"},
            "responses": [{"text": "One.", "citations": {"d1": 0.9, "d2": 0.1}}, {"text": "Two."}],
        },
    ],
    ids=["topic_id", "narrative_id", "metadata", "scores"],
)
def test_answers_of_trec_rag_are_read(fields: dict[str, Any], tmp_path: Path) -> None:
    (answer,) = read_answers(written(tmp_path, fields))
    assert (answer.topic, answer.run, answer.sentences) == ("t1", "r", CITED)
    assert list(answer.citations()) == [(0, "d1"), (0, "d2")]


QUESTION, ANSWER, CONTEXT = "What?", "That.", ["one", "two"]
TABLES: dict[str, tuple[str, Any]] = {
    "RAGAS": ("ragas.jsonl",
              {"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": CONTEXT}),
    "RAGAS csv": ("r.csv", 'question,answer,contexts\nWhat?,That.,"[""one"", ""two""]"\n'),
    "DeepEval": ("deepeval.json", [
        {"input": QUESTION, "actual_output": ANSWER, "retrieval_context": CONTEXT}]),
    "promptfoo": ("promptfoo.json", {"results": {"results": [
        {"vars": {"question": QUESTION, "context": CONTEXT}, "provider": {"id": "m"},
         "response": {"output": ANSWER}}]}}),
    "Inspect": ("log.json", {"eval": {"model": "m"}, "samples": [
        {"input": QUESTION, "output": {"completion": ANSWER}, "id": 1}]}),
    "Langfuse": ("traces.jsonl",
                 {"id": "x", "input": {"question": QUESTION}, "output": {"answer": ANSWER}}),
}  # fmt: skip


@pytest.mark.parametrize("program", TABLES)
def test_tables_of_answer_evaluation_programs_are_read(program: str, tmp_path: Path) -> None:
    name, content = TABLES[program]
    (answer,) = read_answers(written(tmp_path, content, name))
    assert (answer.turns[-1].text, answer.text) == (QUESTION, ANSWER)
    if program not in ("Inspect", "Langfuse"):
        assert answer.contexts == ("one", "two")
    assert answer.run == ("m" if program in ("promptfoo", "Inspect") else name.split(".")[0])


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"topic_id": "t", "run_id": "r", "references": ["d"],
          "answer": [{"text": "a", "citations": [1]}]}, "expected a position from 0 to 0"),
        ({"topic_id": "t", "run_id": "r", "answer": [3]}, "expected a list of sentences"),
        ({"prompt": "a"}, "the answer is missing"),
    ],
)  # fmt: skip
def test_malformed_answers_are_refused(fields: Any, problem: str, tmp_path: Path) -> None:
    path = written(tmp_path, fields)
    with pytest.raises(InputError, match=problem) as error:
        read_answers(path)
    assert f"{path}:1" in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_answers(tmp_path / "none.jsonl")


def test_a_second_answer_of_a_run_is_an_error(tmp_path: Path) -> None:
    one = json.dumps({"topic_id": "t", "run_id": "r", "answer": SAID, "references": ["a", "b"]})
    with pytest.raises(InputError, match="two answers"):
        read_answers(written(tmp_path, f"{one}\n{one}\n"))


def test_answers_and_aspects_are_written_as_they_were_read(tmp_path: Path) -> None:
    first = written(tmp_path, {"topic_id": "t", "run_id": "r", "references": ["a", "b"],
                               "answer": SAID, "title": "What?"})  # fmt: skip
    again = tmp_path / "again.jsonl"
    write_answers(read_answers(first), again)
    assert list(read_answers(again)) == list(read_answers(first))
    aspects = [Aspect("", "fluency", "criterion"), Aspect("t", "n1", "nugget", "x", "vital")]
    for name in ("aspects.csv", "aspects.jsonl"):
        write_aspects(aspects, tmp_path / name)
        assert list(read_aspects(tmp_path / name)) == aspects


ASPECTS: dict[str, tuple[Any, list[Aspect]]] = {
    "nuggetizer": (
        {"qid": "t", "nuggets": [{"text": "x", "importance": "okay"}]},
        [Aspect("t", "n1", "nugget", "x", "okay")]),
    "AutoJudge": (
        {"query_id": "t", "nugget_bank": {"x?": {"question_id": "h", "answers": {"y": {}}}}},
        [Aspect("t", "h", "nugget", "x? [y]")]),
    "DRAGUN": (
        {"topic_id": "t", "rubrics": [{"question_id": "q1", "importance": "A: Have to Know",
         "question": "x?", "short_answers": [{"answer_id": "a1", "answer": "y"}]}]},
        [Aspect("t", "q1", "rubric", "x?", "4"), Aspect("t", "a1", "rubric", "y", "", "q1")]),
}  # fmt: skip


@pytest.mark.parametrize("program", ASPECTS)
def test_aspects_of_other_programs_are_read(program: str, tmp_path: Path) -> None:
    content, expected = ASPECTS[program]
    path = written(tmp_path, content)
    aspects = read_aspects(path)
    assert list(aspects) == expected
    (check,) = check_files(path).files
    assert (check.kind, check.form) == ("aspects", program)
    for to in ("csv", "jsonl", "parquet"):
        out = tmp_path / f"aspects.{to}"
        assert convert(path, out, kind="aspects", to=to) == ""
        assert sorted(read_aspects(out), key=str) == sorted(expected, key=str)
    if program == "DRAGUN":
        (answer,) = aspects.of("t", "rubric")
        assert (answer.aspect, aspects.question_weight(answer)) == ("a1", 4)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("t,n,nuget,x,", "did you mean nugget"),
        ("t,n,nugget,x,much", "expected 'vital', 'okay' or a number"),
        ("t,citation:0:d,nugget,x,", "expected the id of a nugget"),
    ],
)
def test_malformed_aspects_are_refused(row: str, problem: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"topic,aspect,kind,text,importance\n{row}\n", "aspects.csv")
    with pytest.raises(InputError, match=problem) as error:
        read_aspects(path)
    assert f"{path}:2" in str(error.value)


LABELS: dict[str, tuple[str, str, dict[str, float]]] = {
    "nuggetizer": ("a.jsonl", json.dumps({"qid": "t", "run_id": "r", "nuggets": [
        {"text": "x", "assignment": "support"}, {"text": "y", "assignment": "partial_support"}]}),
        {"n1": 2, "n2": 1}),
    "DRAGUN": ("a.csv", ("topic_id,run_tag,answer_id,auto_assessment\nt,r,a1,partial\n"
               "t,r,a2,contradicts\n"), {"a1": 1, "a2": -3}),
}  # fmt: skip


@pytest.mark.parametrize("program", LABELS)
def test_labels_of_other_programs_are_read(program: str, tmp_path: Path) -> None:
    name, content, expected = LABELS[program]
    with pytest.warns(match="topic from"):
        judgments = read_judgments(written(tmp_path, content, name))
    assert judgments.aspect is not None
    assert dict(zip(judgments.aspect, judgments.grade.tolist(), strict=True)) == expected


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data sets are not here")
def test_mtrag_is_read_unchanged() -> None:
    path = SHARED / "mtrag-answers/human-evaluations.json.gz"
    answers = read_answers(path)
    assert (len(answers), len(answers.runs), len(answers.topics)) == (477, 3, 159)
    with pytest.warns(match="by a program"):
        judgments = read_judgments(path)
    assert len(judgments.assessors) == 7
    assert judgments.aspect is not None
    counts = {name: judgments.aspect.count(name) for name in set(judgments.aspect)}
    assert len(counts) == 5
    assert sorted(counts.values()) == [1411, 1413, 1413, 1419, 1431]


def test_check_summarises_answers_and_aspects_and_names_unusual_values(tmp_path: Path) -> None:
    answer = {"topic_id": "t1", "run_id": "r", "references": ["d1", "d2"], "answer": SAID}
    silent = answer | {"topic_id": "t2", "answer": [{"text": "", "citations": []}]}
    answers = written(tmp_path, f"{json.dumps(answer)}\n{json.dumps(silent)}\n")
    rows = "t1,n1,nugget,x,\nt3,a1,rubric,y,q1\n"
    aspects = written(tmp_path, f"topic,aspect,kind,text,parent\n{rows}", "aspects.csv")
    labels = "topic,doc,assessor,grade,aspect\nt1,r,ann,2,n1\nt1,r,ben,1,n1\n"
    judgments = written(tmp_path, labels, "judgments.csv")
    found = check_files([answers, aspects, judgments])
    assert [check.holds for check in found.files] == [
        "2 answers to 2 topics by 1 run, 3 sentences, 2 citations",
        "1 nugget, 1 rubric of 2 topics",
        "2 judgments of aspects of answers to 1 topic by 2 assessors, grades 1..2",
    ]
    assert [problem.rpartition(": ")[2] for check in found.files for problem in check.problems] == [
        "1 answer without text, such as that of r to t2",
        "1 topic has no aspects, such as 't2'",
        "1 aspect with an unknown parent, such as 'a1'",
        "1 topic has no answers, such as 't3'",
    ]
    bare = {"topic_id": "t1", "run_id": "r", "answer": [{"text": "x", "citations": ["d1"]}]}
    (check,) = check_files([written(tmp_path, json.dumps(bare), "bare.jsonl")]).files
    assert check.kind == "answers"
    command = f"qrelsmith init campaign --answers {answers} --aspects {aspects} --qrels {judgments}"
    assert found.commands[str(answers)] == command


@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the data beside the repository")
def test_dragun_and_mtrag_are_converted_completely(tmp_path: Path) -> None:
    labels = SHARED / "dragun-reports" / "auto_report_assessments.csv.gz"
    convert(labels, tmp_path / "judgments.csv", kind="judgments", to="csv")
    assert len(read_judgments(tmp_path / "judgments.csv")) == 14_326
    for source in (
        SHARED / "dragun-reports" / "runs" / "garag_rubric.jsonl",
        SHARED / "mtrag-answers" / "human-evaluations.json.gz",
    ):
        out = tmp_path / "answers.jsonl"
        convert(source, out, kind="answers", to="jsonl")
        before, after = (
            {(each.topic, each.run): (each.sentences, each.references, each.turns) for each in of}
            for of in (read_answers(source), read_answers(out))
        )
        assert before == after


NATURAL = {
    "query_id": "q1", "question": QUESTION, "answer": ANSWER, "contexts": CONTEXT,
    "nuggets": ["a", "b"], "reference": "c",
}  # fmt: skip


def test_contexts_nuggets_and_expected_answers_are_kept(tmp_path: Path) -> None:
    rows = [NATURAL | {"run": run} for run in ("r", "s")]
    path = written(tmp_path, "".join(f"{json.dumps(row)}\n" for row in rows), "natural.jsonl")
    folder = tmp_path / "campaign"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        init_answers(folder, [path])
    kept = list(read_answers(folder / "answers.jsonl"))
    assert [each.contexts for each in kept] == [("one", "two")] * 2
    assert [each.expected for each in kept] == [NATURAL["reference"]] * 2
    assert [each.text for each in read_aspects(folder / "aspects.csv")] == ["a", "b"]
    lost = convert(path, tmp_path / "o.jsonl", kind="answers", to="jsonl")
    assert lost == "jsonl cannot store other fields: nuggets"
    (check,) = check_files([path]).files
    assert (check.kind, check.problems) == ("answers", ())
    assert check.holds.endswith("; also aspects: 2 nuggets")


def test_different_nuggets_of_a_topic_are_reported(tmp_path: Path) -> None:
    rows = [NATURAL | {"run": run, "nuggets": [run]} for run in ("r", "s")]
    path = written(tmp_path, "".join(f"{json.dumps(row)}\n" for row in rows), "natural.jsonl")
    with pytest.warns(InputWarning, match="ignored fields: nuggets .*has aspect 'n1' twice"):
        init_answers(tmp_path / "campaign", [path])
    (check,) = check_files([path]).files
    assert check.is_readable
    assert "the nuggets are not aspects" in check.problems[0]


RENAMED = [
    ("a.csv", "query_id,name,type,statement,source\nq,n1,nugget,One.,x\n", "; ignored: source"),
    ("a.tsv", "qid\taspect_id\tkind\tdescription\nq\tn1\tnugget\tOne.\n", ""),
    ("a.jsonl", '{"topic": "q", "id": "n1", "type": "nugget", "question": "One."}\n', ""),
]


@pytest.mark.parametrize(("name", "content", "ignored"), RENAMED)
def test_aspects_are_read_from_columns_with_other_names(
    name: str, content: str, ignored: str, tmp_path: Path
) -> None:
    path = written(tmp_path, content, name)
    with pytest.warns(
        InputNote, match=rf"read as aspects: topic from .*, text from [a-z]+{ignored}$"
    ):
        assert list(read_aspects(path)) == [Aspect("q", "n1", "nugget", "One.")]
    (check,) = check_files([path]).files
    assert (check.kind, check.problems) == ("aspects", ())
    assert "read as aspects: topic from" in check.holds


def test_texts_with_a_type_are_not_aspects(tmp_path: Path) -> None:
    path = written(tmp_path, "qid,id,type,question\nq1,1,fact,Why?\n", "topics.csv")
    (check,) = check_files([path]).files
    assert check.kind == "topics"


def test_mtrag_campaigns_store_the_text_of_a_doc_once(tmp_path: Path) -> None:
    file = SHARED / "mtrag-answers" / "human-evaluations.json.gz"
    if not file.exists():
        pytest.skip("needs the public data sets in shared/data")
    with pytest.warns(InputWarning, match="read as MTRAG"):
        init_answers(tmp_path / "c", [file])
    answers = list(read_answers(tmp_path / "c" / "answers.jsonl"))
    docs = {each.doc_id for each in read_documents(tmp_path / "c" / "documents.jsonl")}
    assert len(answers) == 477
    assert {len(each.contexts) for each in answers} == {0}
    assert docs >= {doc for each in answers for doc in each.references}


@pytest.mark.parametrize("program", TABLES)
def test_check_recognises_tables_of_programs(program: str, tmp_path: Path) -> None:
    name, content = TABLES[program]
    (check,) = check_files([written(tmp_path, content, name)]).files
    assert check.kind == "answers"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("n.jsonl", ('{"query_id": "q", "nugget": "a", "importance": "vital"}\n'
                     '{"query_id": "q", "nugget": "b", "importance": "okay"}\n')),
        ("n.csv", "query_id,nugget,importance\nq,a,vital\nq,b,okay\n"),
    ],
)  # fmt: skip
def test_a_nugget_per_row_is_an_aspect(name: str, content: str, tmp_path: Path) -> None:
    path = written(tmp_path, content, name)
    vital, okay = read_aspects(path)
    assert vital == Aspect("q", "n1", "nugget", "a", "vital")
    assert (okay.aspect, okay.importance) == ("n2", "okay")
    (check,) = check_files([path]).files
    assert check.kind == "aspects"
    with pytest.raises(InputError, match=r"has aspects .*Pass aspects with --aspects"):
        read_judgments(path)


def test_answers_in_place_of_labels_are_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has answers .*expected labels of answers"):
        read_judgments(written(tmp_path, NATURAL))


def test_init_accepts_loose_answers_and_labels_with_different_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = written(tmp_path, NATURAL)
    own = written(tmp_path, "topic,doc,aspect,grade,assessor,group\nq1,answers,n1,2,a,g\n", "a.csv")
    lex = written(tmp_path, "topic,doc,aspect,grade,assessor,note\nq1,answers,n1,0,b,x\n", "b.csv")
    assert run(["init", str(tmp_path / "c"), *map(str, (answers, own, lex))]) == 0
    assert "ignored" not in capsys.readouterr().err
    joined = read_judgments(tmp_path / "c" / "judgments.csv")
    assert (joined.group, joined.note) == (("g", ""), ("", "x"))
