"""An example of every format: recognised by its content, and read with its program's meaning.

The content is ours; the pages named in the registry show the forms.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from qrelsmith.base.errors import InputError, InputWarning, QrelsmithError
from qrelsmith.base.items import item_key
from qrelsmith.cli import run
from qrelsmith.collection.documents import read_documents
from qrelsmith.collection.qrels import read_qrels_file
from qrelsmith.collection.runs import read_run
from qrelsmith.collection.topics import read_topics
from qrelsmith.evaluation.loaded_runs import read_runs
from qrelsmith.formats.checking import check_files
from qrelsmith.formats.new_campaign import init_campaign
from qrelsmith.forms.every import FORMS
from qrelsmith.forms.reading import reading
from qrelsmith.forms.recognising import recognise
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.pairs.preference_files import read_preferences

pytestmark = pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")

GRADES = {"q1": {"d1": 2.0, "d2": 0.0}}
BY = {"ann": GRADES, "bob": {"q1": {"d1": 1.0}}}
SCORES = {"q1": {"d1": 0.5, "d2": 1.5}}
RUN = {"q1": ("d2", "d1")}
TOPIC = {"q1": "tea cups"}
DOC = {"d1": "A leaf."}
WON = [("q1", "d1", "d2", -1)]


def lines(*objects: Mapping[str, Any]) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


def argilla(doc: str, *answers: tuple[str, str]) -> dict[str, Any]:
    said = [{"value": value, "user_id": user, "status": "submitted"} for value, user in answers]
    ids = {"query_id": "q1", "doc_id": doc}
    return {"id": doc, "fields": {"text": "x"}, "metadata": ids, "responses": {"relevance": said}}


def potato(doc: str, grade: str, user: str) -> dict[str, Any]:
    label = {"relevance": {grade: "true"}}
    return {"user_id": user, "instance_id": f"q1::{doc}", "label_annotations": label}


def prodigy(doc: str, grade: str, user: str) -> dict[str, Any]:
    ids = {"query_id": "q1", "doc_id": doc}
    return {"text": "x", "meta": ids, "accept": [grade], "answer": "accept", "_annotator_id": user}


def studio(doc: str, choice: str, user: int) -> dict[str, Any]:
    result = [{"from_name": "r", "type": "choices", "value": {"choices": [choice]}}]
    return {
        "data": {"query_id": "q1", "doc_id": doc},
        "annotations": [{"completed_by": {"email": user}, "result": result}],
    }


def umbrela(doc: str, grade: int) -> dict[str, Any]:
    words = {"query": "tea cups", "passage": "A leaf.", "prediction": "…", "result_status": 1}
    return {"model": "ann", "qid": "q1", "docid": doc, "judgment": grade, **words}


TABLE = "query_id,doc_id,relevance,annotator\nq1,d1,2,ann\nq1,d2,0,ann\nq1,d1,1,bob\n"
ROWS = [dict(zip(("qid", "docno", "label", "judge"), row, strict=True)) for row in
        (("q1", "d1", "2", "ann"), ("q1", "d2", "0", "ann"), ("q1", "d1", "1", "bob"))]  # fmt: skip
SCORED = [{"qid": "q1", "docno": "d1", "score": 0.5}, {"qid": "q1", "docno": "d2", "score": 1.5}]
PAIR = {"qid": "q1", "doc_a": "d1", "doc_b": "d2", "preference": "A"}
NEUCLIR = {"topic_id": "q1", "topics": [
    {"lang": "zho", "topic_title": "茶"},
    {"lang": "eng", "source": "original", "topic_title": "tea cups"}]}  # fmt: skip

# (format, kind), the content, and the result of reading it; labels of several assessors by
# assessor.
EXAMPLES: list[tuple[str, str, Any, Any]] = [
    ("csv", "judgments", TABLE, BY),
    ("csv", "judgments", TABLE.replace(",", ";"), BY),
    ("tsv", "judgments", TABLE.replace(",", "\t"), BY),
    ("tsv", "qrels", "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n", GRADES),
    ("jsonl", "judgments", lines(*ROWS), BY),
    ("json", "judgments", json.dumps(ROWS), BY),
    ("parquet", "judgments", ROWS, BY),
    ("jsonl", "qrels", lines({"query-id": "q1", "corpus-id": "d1", "score": 2},
                             {"query-id": "q1", "corpus-id": "d2", "score": 0}), GRADES),
    ("ranx", "qrels", json.dumps(GRADES, indent=1), GRADES),
    ("ranx", "runs", json.dumps(SCORES), RUN),
    ("mteb", "runs", json.dumps({"mteb_model_meta": {}, "default": {"test": SCORES}}), RUN),
    ("csv", "runs", "run,qid,docno,score\nx,q1,d1,1\nx,q1,d2,2\n", RUN),
    ("tsv", "runs", "qid\tdocid\tdocno\trank\tscore\nq1\t7\td1\t1\t1\nq1\t8\td2\t0\t2\n", RUN),
    ("jsonl", "runs", lines(*SCORED), RUN),
    ("json", "runs", json.dumps(SCORED), RUN),
    ("parquet", "runs", [{"q_id": "q1", "doc_id": "d1", "score": 0.5},
                         {"q_id": "q1", "doc_id": "d2", "score": 1.5}], RUN),
    ("msmarco", "runs", "q1\td2\t1\nq1\td1\t2\n", RUN),
    ("quepid", "qrels", "query,docid,rating\ntea cups,d1,2\ntea cups,d2,\nold\n",
     {"tea cups": {"d1": 2.0}}),
    ("quepid-book", "judgments", "query,docid,ann,bob\nq1,d1,2,1\nq1,d2,0,\n", BY),
    ("wide", "judgments", "qid,docno,title,ann,bob\nq1,d1,x,2,1\nq1,d2,y,0,\n", BY),
    ("quepid-json", "judgments", json.dumps({"name": "b", "query_doc_pairs": [
        {"query_text": "q1", "doc_id": "d1", "judgements": [
            {"rating": 2.0, "unrateable": False, "user_email": "ann"},
            {"rating": 1.0, "unrateable": False, "user_email": "bob"}]},
        {"query_text": "q1", "doc_id": "d2", "judgements": [
            {"rating": 0.0, "user_email": "ann"}, {"rating": None, "user_email": "bob"}]}]}), BY),
    ("quepid-json", "qrels", json.dumps({"queries": [{"query": "q1", "ratings": GRADES["q1"]}]}),
     GRADES),
    ("opensearch", "qrels", json.dumps({"name": "x", "judgmentRatings": [
        {"query": "q1", "ratings": [{"rating": "2.0", "docId": "d1"},
                                    {"rating": "0", "docId": "d2"}]}]}), GRADES),
    ("elasticsearch", "qrels", json.dumps({"requests": [{"id": "q1", "request": {}, "ratings": [
        {"_index": "i", "_id": "d1", "rating": 2}, {"_index": "i", "_id": "d2", "rating": 0}]}]}),
     GRADES),
    ("rre", "qrels", json.dumps({"topics": [{"query_groups": [{"name": "q1", "queries": [],
        "relevant_documents": {"2": ["d1"], "d2": {"gain": 0}}}]}]}), GRADES),
    ("label-studio", "judgments", json.dumps(
        [studio("d1", "2: good", "ann"), studio("d2", "0", "ann"), studio("d1", "1", "bob")]), BY),
    ("label-studio-min", "judgments",
     ("annotation_id,annotator,id,query_id,doc_id,useful,lead_time\n1,ann,1,q1,d1,2: yes,3\n"
     "2,ann,2,q1,d2,0: no,4\n3,bob,1,q1,d1,1: so so,5\n"), BY),
    ("potato", "judgments",
     lines(potato("d1", "2", "ann"), potato("d2", "0", "ann"), potato("d1", "1", "bob")), BY),
    ("potato", "judgments", ("user\tinstance_id\trel:::0\trel:::1\trel:::2\nann\tq1_d1\t\t\ttrue\n"
     "ann\tq1_d2\ttrue\t\t\nbob\tq1_d1\t\ttrue\t\n"), BY),
    ("doccano", "judgments", lines(
        {"id": 1, "meta": {"query_id": "q1", "doc_id": "d1"},
         "annotations": [{"label": "2", "user": "ann"}, {"label": "1", "user": "bob"}]},
        {"id": 2, "meta": {"query_id": "q1", "doc_id": "d2"},
         "annotations": [{"label": "0", "user": "ann"}]}), BY),
    ("argilla", "judgments", json.dumps(
        [argilla("d1", ("2", "ann"), ("1", "bob")), argilla("d2", ("0", "ann"))]), BY),
    ("argilla", "judgments", [
        {"query_id": "q1", "doc_id": "d1", "relevance.responses": ["2", "1"],
         "relevance.responses.users": ["ann", "bob"]},
        {"query_id": "q1", "doc_id": "d2", "relevance.responses": ["0"],
         "relevance.responses.users": ["ann"]}], BY),
    ("argilla", "judgments", [
        {"query_id": "q1", "doc_id": "d1", "relevance": {
            "user_id": ["ann", "bob"], "value": ["2", "1"], "status": ["submitted"] * 2}},
        {"query_id": "q1", "doc_id": "d2", "relevance": {
            "user_id": ["ann", "bob"], "value": ["0", "2"], "status": ["submitted", ""]}}], BY),
    ("prodigy", "judgments",
     lines(prodigy("d1", "2", "ann"), prodigy("d2", "0", "ann"), prodigy("d1", "1", "bob")), BY),
    ("umbrela", "judgments", lines(umbrela("d1", 2), umbrela("d2", 0)), {"ann": GRADES}),
    ("ndeval", "qrels", "q1 1 d1 2\nq1 2 d1 0\nq1 1 d2 0\n", {"q1": {
        item_key("d1", "subtopic:1"): 2.0, item_key("d1", "subtopic:2"): 0.0,
        item_key("d2", "subtopic:1"): 0.0}}),
    ("csv", "judgments", "query_id,doc_id,is_relevant,annotator\nq1,d1,true,ann\nq1,d2,False,ann\n",
     {"ann": {"q1": {"d1": 1.0, "d2": 0.0}}}),
    ("lists", "runs", json.dumps([{"query": {"text": "tea cups", "qid": "q1"}, "candidates": [
        {"docid": "d2", "score": 1.5, "doc": {"contents": "A leaf."}},
        {"docid": "d1", "score": 0.5, "doc": {"contents": "A cup."}}]}]), RUN),
    ("lists", "qrels", lines({"qid": "q1", "judgments": [
        {"docid": "d1", "relevance": 2}, {"docid": "d2", "relevance": 0}]}), GRADES),
    ("letor", "qrels", "2 qid:q1 1:0.5 # d1 tea\n0 qid:q1 # d2 tea\n", GRADES),
    ("csv", "preferences", "query,left,right,winner\nq1,d1,d2,d1\n", WON),
    ("jsonl", "preferences", lines(PAIR), WON),
    ("json", "preferences", json.dumps([PAIR]), WON),
    ("tsv", "preferences", "qid\twinner\tloser\nq1\td1\td2\n", WON),
    ("parquet", "preferences", [PAIR], WON),
    ("csv", "topics", "id,query\nq1,tea cups\n", TOPIC),
    ("tsv", "topics", 'query_id\ttext\nq1\ttea "cups\n', {"q1": 'tea "cups'}),
    ("jsonl", "topics", '{"_id": "q1", "text": "tea cups", "tags": ["a"]}\n', TOPIC),
    ("jsonl", "topics", '{"id": "q1", "narrative": "tea cups"}\n', TOPIC),
    ("json", "topics", '{"topics": [{"number": "q1", "title": "tea cups"}]}', TOPIC),
    ("parquet", "topics", [{"_id": "q1", "text": "tea cups"}], TOPIC),
    ("neuclir", "topics", lines(NEUCLIR), TOPIC),
    ("cast", "topics", '[{"number": 3, "turn": [{"number": 1, "raw_utterance": "tea cups"}]}]',
     {"3_1": "tea cups"}),
    # The tree of CAsT 2022: turns of the system are not topics, and paths repeat turns.
    ("cast", "topics", json.dumps([{"number": 3, "turn": [
        {"number": "1-1", "participant": "User", "raw_utterance": "tea cups"},
        {"number": "1-2", "participant": "System", "response": "Which ones?"},
        {"number": "1-1", "participant": "User", "raw_utterance": "tea cups"}]}]),
     {"3_1-1": "tea cups"}),
    ("mtrag-tasks", "topics", lines({"task_id": "q1", "input": [
        {"speaker": "user", "text": "Hi"}, {"speaker": "user", "text": "tea cups"}]}), TOPIC),
    ("json-topics", "topics", '{"q1": "tea cups"}', TOPIC),
    ("csv", "documents", "docno,body\nd1,A leaf.\n", DOC),
    ("tsv", "documents", "pid\tpassage\nd1\tA leaf.\n", DOC),
    ("jsonl", "documents", '{"docid": "d1", "segment": "A leaf."}\n', DOC),
    ("json", "documents", '[{"id": "d1", "contents": "A leaf."}]', DOC),
    ("parquet", "documents", [{"_id": "d1", "text": "A leaf.", "title": "Tea"}], DOC),
]  # fmt: skip
# Formats whose labels are tested together with answers.
_ELSEWHERE = {"MTRAG", "DRAGUN", "nuggetizer"}


def _judged(path: Path) -> Any:
    labels = read_judgments(path)
    return {who: labels.to_qrels(assessor=who).to_dict() for who in labels.assessors}


READERS: dict[str, Callable[[Path], Any]] = {
    "qrels": lambda path: read_qrels_file(path).to_dict(),
    "judgments": _judged,
    "runs": lambda path: read_run(path).docs,
    "topics": lambda path: {topic.topic: topic.title for topic in read_topics(path)},
    "documents": lambda path: {doc.doc_id: doc.content for doc in read_documents(path)},
    "preferences": lambda path: [
        (row.topic, row.left, row.right, row.outcome) for row in read_preferences(path).rows()
    ],
}


def written(content: Any, folder: Path) -> Path:
    path = folder / "file"
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    else:
        parquet.write_table(pyarrow.Table.from_pylist(content), path)
    return path


def test_every_format_has_an_example() -> None:
    assert {name for name, *_ in EXAMPLES} == set(FORMS.names()) - _ELSEWHERE


@pytest.mark.parametrize(("name", "kind", "content", "expected"), EXAMPLES)
def test_the_example_is_recognised_and_read(
    name: str, kind: str, content: Any, expected: Any, tmp_path: Path
) -> None:
    path = written(content, tmp_path)
    table = recognise(path, kind)
    assert table is not None
    assert table.form == name
    assert READERS[kind](path) == expected
    with reading(name):
        assert READERS[kind](path) == expected
    (check,) = check_files(path).files
    assert (check.form, check.problems) == (name, ())
    assert check.kind.split(" ")[0] == kind or {check.kind.split(" ")[0], kind} <= {
        "qrels",
        "judgments",
    }


def test_columns_are_named_and_the_command_of_check_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("odd.csv").write_text("question,item,stars,who\nq1,d1,2,ann\nq1,d1,1,bob\n")
    Path("empty").write_text("")
    assert run(["check", "odd.csv", "empty"]) == 2
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == "file,kind,form,problem,command"
    assert "Use --columns doc=NAME,grade=NAME" in rows[1]
    assert rows[2] == "empty,,,empty: the file is empty,"
    named = ["--columns", "doc=item,grade=stars,assessor=who"]
    assert run(["check", "odd.csv", *named]) == 0
    command = capsys.readouterr().out.splitlines()[1].partition('"qrelsmith ')[2].strip('"')
    assert command == f"agree odd.csv {' '.join(named)}"
    assert run([*command.split(), "--coefficient", "agreement"]) == 0
    assert "all,agreement,0.0," in capsys.readouterr().out


def test_readers_accept_the_format_and_the_columns(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("question,item,stars,who\nq1,d1,2,ann\nq1,d2,0,ann\n")
    columns = {"topic": "question", "doc": "item", "grade": "stars"}
    assert read_qrels(path, columns=columns).to_dict() == GRADES
    labels = read_judgments(path, columns={**columns, "assessor": "who"})
    assert labels.to_qrels(assessor="ann").to_dict() == GRADES
    run = {**columns, "score": "stars"}
    assert read_run(path, columns=run).docs == {"q1": ("d1", "d2")}
    assert [each.docs for each in read_runs(path, columns=run)] == [{"q1": ("d1", "d2")}]
    words = tmp_path / "words.csv"
    words.write_text("question,words\nq1,tea cups\n")
    (topic,) = read_topics(words, columns={"topic": "question", "title": "words"})
    assert (topic.topic, topic.title) == ("q1", "tea cups")
    both = written(json.dumps({"requests": [{"id": "q", "ratings": []}], "judgmentRatings": [
        {"query": "q1", "ratings": [{"rating": 1, "docId": "d"}]}]}), tmp_path)  # fmt: skip
    assert read_qrels(both, form="opensearch").to_dict() == {"q1": {"d": 1.0}}
    with pytest.raises(QrelsmithError, match="unknown form 'quapid'"):
        read_qrels(path, form="quapid")


def test_check_reads_the_files_of_a_folder_and_the_parts_of_a_campaign(tmp_path: Path) -> None:
    loose = tmp_path / "loose"
    (loose / "runs").mkdir(parents=True)
    (loose / "people.csv").write_text("qid,docid,rating,user\nq1,d1,2,ann\nq1,d1,1,bob\n")
    (loose / "model.jsonl").write_text('{"qid": "q1", "docid": "d1", "score": 1, "model": "m"}\n')
    (loose / "runs" / "a.run").write_text("q1 Q0 d1 1 .5 a\n")
    (loose / "runs" / "b.run").write_text("q1 Q0 d1 1 .5 b\n")
    (loose / "scores.csv").write_text("run,topic,measure,score\na,all,AP,0.5\n")
    (loose / "README.md").write_text("ours\n")
    (loose / "empty").mkdir()
    (loose / "pages").mkdir()
    (loose / "pages" / "d1.html").write_text("<html><p>words")
    checked = check_files(loose)
    assert [(Path(each.file).name, each.kind) for each in checked.files] == [
        ("model.jsonl", "judgments of one"),
        ("pages", "documents"),
        ("people.csv", "judgments"),
        ("a.run", "runs"),
        ("b.run", "runs"),
        ("scores.csv", "scores"),
    ]
    assert checked.exit_status() == 0
    runs, labels = loose / "runs", loose / "people.csv"
    command = f"qrelsmith evaluate {labels} {runs} -m nDCG@10"
    assert checked.commands[str(runs / "b.run")] == command
    agree = f"qrelsmith agree {labels} {loose / 'model.jsonl'}"
    assert checked.commands[str(loose / "model.jsonl")] == agree
    with pytest.warns(InputWarning):
        init_campaign(tmp_path / "made", runs=[runs / "a.run"], qrels=[labels])
    made = check_files(tmp_path / "made")
    assert [each.kind for each in made.files] == ["campaign", "judgments", "runs"]
    assert made.commands[made.files[0].file] == f"qrelsmith audit {tmp_path / 'made'}"
    with pytest.raises(InputError, match="the folder has no files"):
        check_files(loose / "empty")


def test_our_judgments_with_positions_are_not_taken_for_a_run(tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    path.write_text("topic,doc,assessor,grade,position\nt1,d1,a,2,1\nt1,d1,b,1,1\n")
    assert check_files(path).files[0].kind == "judgments"


def test_two_matching_formats_are_named(tmp_path: Path) -> None:
    both = {
        "requests": [{"id": "q", "ratings": []}],
        "judgmentRatings": [{"query": "q", "ratings": []}],
    }
    path = written(json.dumps(both), tmp_path)
    with pytest.raises(QrelsmithError, match="--from opensearch or --from elasticsearch"):
        read_qrels_file(path)
    with reading("opensearch"):
        assert read_qrels_file(path).to_dict() == {}


@pytest.mark.parametrize("seed", range(4))
def test_hostile_files_are_read_or_refused_in_one_line(seed: int, tmp_path: Path) -> None:
    random_bytes = random.Random(seed)
    for _, kind, content, _ in EXAMPLES:
        path = written(content, tmp_path)
        whole = path.read_bytes()
        for _ in range(3):
            path.write_bytes(_mutated(whole, random_bytes))
            problem = ""
            try:
                READERS[kind](path)
            except QrelsmithError as error:
                problem = str(error)
            assert "\n" not in problem


_INSERTED = [b'"', b"{}", b"[]", b",", b"\t", b"null", b"\\ud800", b"\xff"]


def _mutated(content: bytes, rng: random.Random) -> bytes:
    """Return content with some bytes cut, doubled, swapped or replaced."""
    changed = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(changed) or 1)
        end = min(len(changed), place + rng.randint(1, 12))
        what = rng.randrange(4)
        if what == 0:
            del changed[place:end]
        elif what == 1:
            changed[place:place] = changed[place:end]
        elif what == 2:
            changed[place:place] = rng.choice(
                [b'"', b"{}", b"[]", b",", b"\t", b"null", b"\\ud800", b"\xff"]
            )
        elif changed:
            changed[place % len(changed)] = rng.randrange(256)
    return bytes(changed)
