"""Every format: a round trip, its losses, and what its reader accepts and refuses."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.answers.answers import Sentence, SystemAnswer, Turn
from qrelsmith.answers.aspects import Aspect
from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.cli import run
from qrelsmith.collection.document import Document
from qrelsmith.collection.documents import read_documents
from qrelsmith.collection.qrels import Qrels, read_qrels_file, write_qrels
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.collection.topics import Topic, read_topics, write_topics
from qrelsmith.demo import collection as demo
from qrelsmith.formats import FILE_FORMATS, KINDS
from qrelsmith.formats.convert import convert, read_as
from qrelsmith.formats.new_campaign import init_campaign
from qrelsmith.formats.registry import Texts
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.parquet import parquet_bytes
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import Judgments, judgments_text

TOPICS = (
    Topic("t1", title="flea life cycle", description="How long\n\ndo fleas live?", narrative="…"),
    Topic("t2", title="tea & <b>", creator="ann", others={"source": "a log"}),
)
DOCS = (
    Document("d1", "text", "a flea, or two", title="Fleas", url="http://x.example/1"),
    Document("d2", "text", "café\n\tin two lines"),
    Document("d3", "html", "<p>tea"),
)
TEXTS = Texts.of(TOPICS, DOCS)
GRADES = {"t1": {"d1": 2.0, "d2": 0.0}, "t2": {"d1": 1.0, "d3": 3.0}}
RUNS = (Run.from_dict({"t1": {"d1": 2.5, "d2": -1e-9}, "t2": {"d3": 0.1}}, name="bm25"),)
JUDGMENTS = Judgments.from_columns(
    {
        "topic": ["t1", "t1", "t2"],
        "doc": ["d1", "d1", "d3"],
        "assessor": ["ann", "7", "ann"],
        "grade": [2.0, 0.0, 1.0],
    }
)
WHOLE: Mapping[Kind, Any] = {
    "qrels": Qrels.from_dict(GRADES, name="gold"),
    "runs": RUNS,
    "topics": TOPICS,
    "documents": DOCS,
    "judgments": JUDGMENTS,
    "answers": (
        SystemAnswer("t1", "a", (Sentence("Long.", ("d1",)), Sentence("Very."))),
        SystemAnswer("t1", "b", (), ("d2",), (Turn("user", "How long?"),)),
    ),
    "aspects": (
        Aspect("", "fluency", "criterion"),
        Aspect("t1", "n1", "nugget", "they live, long", "vital"),
    ),
}
PAIRS = [(entry.name, kind) for entry in FILE_FORMATS.entries() for kind in entry.about["kinds"]]
# Only the losses that the writer's sentence names.
LOSSES = {
    ("trec", "topics"): "creator, source",
    ("msmarco", "runs"): "scores",
    ("msmarco", "topics"): "creator, description, narrative, source",
}


def plain(content: Any, kind: Kind) -> Any:
    """Return the values by which two contents are compared."""
    if kind == "qrels":
        return content.to_dict()
    if kind == "runs":
        return {
            run.name: (run.docs, {t: s.tolist() for t, s in run.scores.items()}) for run in content
        }
    return judgments_text(content) if kind == "judgments" else list(content)


@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_every_format_survives_a_round_trip(name: str, kind: Kind, tmp_path: Path) -> None:
    form = FILE_FORMATS.get(name).entry.function()
    content = WHOLE[kind] if (name, kind) != ("msmarco", "documents") else (DOCS[0],)
    lost = form.write(content, tmp_path / "gold", kind, TEXTS)
    once = (tmp_path / "gold").read_bytes()
    back = read_as(tmp_path / "gold", kind, of=name, texts=TEXTS)
    form.write(back := back if kind != "documents" else list(back), tmp_path / "b", kind, TEXTS)
    assert (tmp_path / "b").read_bytes() == once
    if (name, kind) in LOSSES:
        assert LOSSES[name, kind] in lost
        assert plain(back, kind) != plain(content, kind)
    else:
        assert lost == ""
        assert plain(back, kind) == plain(content, kind)


def test_every_kind_has_a_format_that_loses_nothing() -> None:
    assert {kind for pair in PAIRS if pair not in LOSSES for kind in [pair[1]]} == set(KINDS)


# --- what readers accept and refuse; `test_documented_examples` has the pages' own forms ---


def test_beir_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tdoc1\t1\n")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "doc1", "title": "Tea", "text": "A leaf."}\n')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "what is tea?"}\n')
    beir = FILE_FORMATS.get("beir").entry.function()
    assert read_as(tmp_path, "qrels", of="beir", texts=TEXTS).to_dict() == {"q1": {"doc1": 1}}
    assert list(read_as(tmp_path, "documents", of="beir", texts=TEXTS)) == [
        Document("doc1", "text", "A leaf.", title="Tea")
    ]
    assert read_as(tmp_path, "topics", of="beir", texts=TEXTS) == (
        Topic("q1", title="what is tea?"),
    )
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "tea", "metadata": {"url": "u", "n": ["a", "b"]}}\n'
    )
    (topic,) = read_as(tmp_path, "topics", of="beir", texts=TEXTS)
    assert (topic.title, topic.others) == ("tea", {"url": "u", "n": '["a", "b"]'})
    with pytest.raises(UsageError, match="expected whole-number grades"):
        beir.write(Qrels.from_dict({"t": {"d": 0.5}}), tmp_path / "out", "qrels", TEXTS)


def test_msmarco_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("D1\thttp://x\tA title\tA body\n")
    (doc,) = read_as(file, "documents", of="msmarco", texts=TEXTS)
    assert (doc.url, doc.title, doc.content) == ("http://x", "A title", "A body")
    file.write_text("7\tb\t2\n7\ta\t1\n")
    (run,) = read_as(file, "runs", of="msmarco", texts=TEXTS)
    assert run.docs == {"7": ("a", "b")}
    # https://microsoft.github.io/msmarco/Datasets: its top 1000 are `qid, pid, query, passage`.
    file.write_text("7\t11\twhat is tea\tA leaf.\n")
    with pytest.raises(InputError, match="the score is 'tea'"):
        read_as(file, "runs", of="msmarco", texts=TEXTS)


def test_quepid_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text(
        'query,docid,rating\nflea life cycle,d1,2\n"tea & <b>",d3,\nflea life cycle,d2,0\n'
    )
    with pytest.warns(InputWarning, match="docs without a rating are ignored: 1"):
        read_as(file, "qrels", of="quepid")
    quepid = FILE_FORMATS.get("quepid").entry.function()
    file.write_text("query,docid,rating\nflea life cycle,d1,2\nflea life cycle,d2,0\n")
    assert read_as(file, "qrels", of="quepid", texts=TEXTS).to_dict() == {
        "t1": {"d1": 2.0, "d2": 0.0}
    }
    file.write_text("query,docid,rating\nflea life cycle,,2\n")
    with pytest.raises(InputError, match=r"ratings.csv:2: a rating has no docid"):
        read_as(file, "qrels", of="quepid", texts=TEXTS)
    file.write_text("query,docid\nflea life cycle,d1\n")
    with pytest.raises(InputError, match=r"known as the grade\. Use --columns grade=NAME"):
        read_as(file, "qrels", of="quepid", texts=TEXTS)
    file.write_text("query,docid,rating\nflea life cycle,d1,2\n")
    assert read_as(file, "qrels", of="quepid").to_dict() == {"flea life cycle": {"d1": 2.0}}
    with pytest.raises(InputError, match=r"no topics have the text 'flea life cycle'.*--topics"):
        read_as(file, "qrels", of="quepid", texts=Texts.of([Topic("t", title="tea")], ()))
    same = Texts.of([Topic("a", title="tea"), Topic("b", title="tea")], ())
    with pytest.raises(UsageError, match="the same text"):
        quepid.write(Qrels.from_dict({"a": {"d": 1}, "b": {"d": 1}}), file, "qrels", same)


def test_label_studio_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"

    def annotation(kind: str, value: object, **more: object) -> dict[str, object]:
        item = {"from_name": "tag", "id": "x", "to_name": "t", "type": kind, "value": value}
        return {"id": 1, "result": [item], "completed_by": 10, "was_cancelled": False, **more}

    tasks = [
        {
            "id": 1,
            "data": {"query_id": "t1", "doc_id": "d1", "text": "a flea"},
            "annotations": [
                annotation("rating", {"rating": 3}, lead_time=4.288),
                annotation("choices", {"choices": ["1: related"]}, completed_by={"email": "a@b.c"}),
                annotation("choices", {"choices": ["2"]}, was_cancelled=True),
            ],
            "predictions": [],
        },
        {"id": 2, "data": {"query_id": "t1", "doc_id": "d2"}, "annotations": []},
    ]
    file.write_text(json.dumps(tasks))
    labels = read_as(file, "judgments", of="label-studio", texts=TEXTS)
    assert labels.assessors == ("10", "a@b.c")
    assert labels.grade.tolist() == [3.0, 1.0]
    assert labels.active_ms.tolist()[0] == 4288
    tasks[0]["annotations"] = [annotation("choices", {"choices": ["good"]})]
    file.write_text(json.dumps(tasks))
    with pytest.raises(InputError, match="task 1: the choice is 'good'"):
        read_as(file, "judgments", of="label-studio", texts=TEXTS)


ANNOTATION: dict[str, Any] = {"result": [], "completed_by": 10}
TASK = {"data": {"topic": "t1", "doc": "d1"}, "annotations": [ANNOTATION]}


def one_task(kind: str, value: object, *, name: str = "tag", **more: object) -> list[Any]:
    item = {"from_name": name, "to_name": "t", "type": kind, "value": {kind: value}}
    return [TASK | {"annotations": [ANNOTATION | {"result": [item]} | more]}]


CHOICE = one_task("choices", ["2"])
FAULTY = {
    '"3s"': (one_task("rating", 3, lead_time="3s"), "lead_time is '3s'; expected a finite"),
    "nan": (one_task("rating", 3, lead_time=float("nan")), "lead_time is 'nan'"),
    "1e400": (one_task("rating", 3, lead_time=float("inf")), "lead_time is 'inf'"),
    "below 0": (one_task("rating", 3, lead_time=-3), "lead_time is '-3'; expected seconds"),
    "choice of a flag": (one_task("choices", [True]), "choice is 'True'"),
    "abc": (one_task("number", "abc"), "number is 'abc'"),
    "400 digits": (one_task("number", 10**400), "number is 'inf'"),
    "true": (one_task("rating", value=True), "rating is 'True'"),
    "1-2 stars": (one_task("choices", ["1-2 stars"]), "choice is '1-2 stars'"),
    "3.5.1 x": (one_task("choices", ["3.5.1 x"]), "choice is '3.5.1 x'"),
    "3 days old": (one_task("choices", ["3 days old"]), "choice is '3 days old'"),
    "5000 digits": (one_task("choices", ["2"], completed_by=10**4000), "completed_by is"),
    "true account": (one_task("choices", ["2"], completed_by=True), "completed_by is 'True'"),
    "cancelled": (one_task("choices", ["2"], was_cancelled="false"), "was_cancelled is 'false'"),
    "no time": (one_task("choices", ["2"], created_at="noon"), "the judged_at is 'noon'"),
    "twice": (CHOICE + one_task("choices", ["3"]), "task 2: "),
    "broken": ([TASK | {"data": {"topic": "t\udfff", "doc": "d1"}}], "an unpaired surrogate"),
    "old": ([{"data": TASK["data"], "completions": [ANNOTATION]}], "expected annotations"),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_annotation_names_its_task(fault: str, tmp_path: Path) -> None:
    tasks, said = FAULTY[fault]
    (tmp_path / "lsl").write_text(json.dumps(tasks))
    with pytest.raises(InputError) as error:
        read_as(tmp_path / "lsl", "judgments", of="label-studio", texts=TEXTS)
    assert str(error.value).startswith(f"{tmp_path}/lsl: task {len(tasks)}: ")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("choice", "grade"),
    [
        ("2", 2),
        (3, 3),
        (" 0.5 ", 0.5),
        ("1: related", 1),
        ("3 - very", 3),
        ("2 (so so)", 2),
        ("4) é", 4),
    ],
)
def test_a_choice_begins_with_its_grade(choice: str | int, grade: float, tmp_path: Path) -> None:
    note = {"type": "textarea", "value": {"text": "hi"}}
    tasks = one_task("choices", [choice])
    tasks[0]["annotations"][0]["result"].append(note)
    (tmp_path / "lsl").write_text(json.dumps(tasks))
    labels = read_as(tmp_path / "lsl", "judgments", of="label-studio", texts=TEXTS)
    assert (labels.grade.tolist(), labels.note) == ([grade], ("hi",))


def test_the_number_in_a_result_with_the_name_grade_is_the_grade(tmp_path: Path) -> None:
    (tmp_path / "lsl").write_text(json.dumps(one_task("choices", ["2 relevant"], name="grade")))
    assert read_as(
        tmp_path / "lsl", "judgments", of="label-studio", texts=TEXTS
    ).grade.tolist() == [2]


def test_a_grade_below_0_becomes_an_open_task(tmp_path: Path) -> None:
    labels = Judgments.from_qrels({"ann": Qrels.from_dict({"t1": {"d1": -1, "d2": 1}})})
    studio = FILE_FORMATS.get("label-studio").entry.function()
    said = studio.write(labels, tmp_path / "tasks.json", "judgments", TEXTS)
    assert said == "grades below 0, whose docs become open tasks: 1"
    first, second = json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    assert (first["annotations"], len(second["annotations"])) == ([], 1)
    assert first["data"]["text"] == DOCS[0].content


def test_umbrela_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "judged.jsonl"
    record = {
        "model": "gpt-4o", "query": "flea life cycle", "passage": "a flea, or two", "prompt": "…",
        "prediction": "##final score: 3", "judgment": 3, "result_status": 1,
    }  # fmt: skip
    unread = record | {"passage": DOCS[1].content, "judgment": 0, "result_status": 0}
    file.write_text(json.dumps(record) + "\n" + json.dumps(unread) + "\n")
    with pytest.warns(InputWarning, match="could not read: 1"):
        labels = read_as(file, "judgments", of="umbrela", texts=TEXTS)
    assert labels.to_qrels().to_dict() == {"t1": {"d1": 3.0}}
    assert (labels.assessors, labels.note) == (("gpt-4o",), ("##final score: 3",))


@pytest.mark.parametrize(("status", "is_read"), [("0.0", False), ("1.0", True), ('"0"', False)])
def test_umbrela_records_whether_an_answer_could_be_parsed(
    status: str, is_read: bool, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    file = tmp_path / "judged.jsonl"
    head = (
        '{"query": "flea life cycle", "passage": "a flea, or two", "judgment": 0, "result_status"'
    )
    file.write_text(f"{head}: {status}}}\n")
    assert len(read_as(file, "judgments", of="umbrela", texts=TEXTS)) == is_read
    assert len(recwarn) == (not is_read)
    file.write_text(f"{head}: null}}\n")
    with pytest.raises(InputError, match=r"jsonl:1: the result_status is ''; expected 0 or 1"):
        read_as(file, "judgments", of="umbrela", texts=TEXTS)


@pytest.mark.parametrize("fault", ['"x": "d2"', '"doc_id": null', '"doc_id": " d2"'])
@pytest.mark.parametrize(("kind", "number"), [("qrels", "relevance"), ("runs", "score")])
@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
def test_a_missing_id_is_an_error(kind: Kind, number: str, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "file.jsonl"
    file.write_text(
        "".join(f'{{"query_id": "q", {doc}, "{number}": 1}}\n' for doc in ('"doc_id": "d"', fault))
    )
    with pytest.raises(InputError, match=r"file.jsonl:2: the doc is (' d2'|missing); expected an"):
        convert(file, tmp_path / "out", kind=kind, to="trec")
    assert not (tmp_path / "out").exists()


# --- errors for files in these formats ---

BEGINNINGS = {
    ("qrels", "beir"): "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    ("qrels", "quepid"): "query,docid,rating\nq1,d1,1\n",
    ("qrels", "jsonl"): '{"query_id": "q1", "doc_id": "d1", "relevance": 1}\n',
    ("qrels", "label-studio"): '[\n{"data": {"topic": "q1", "doc": "d1"}, "annotations": []}]\n',
    ("runs", "msmarco"): "q1\td1\t1\n",
    ("runs", "jsonl"): '{"query_id": "q1", "doc_id": "d1", "score": 0.5}\n',
    ("topics", "beir"): '{"_id": "q1", "text": "tea", "metadata": {}}\n',
    ("documents", "beir"): '{"_id": "d1", "title": "", "text": "tea"}\n',
}


@pytest.mark.parametrize(
    ("read", "line"), [(read_qrels_file, "t,0,d,1"), (read_run, "t,Q0,d,1,2,r")]
)
def test_commas_between_fields_are_reported(
    read: Callable[[Path], object], line: str, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text(f"{line}\n")
    with pytest.raises(InputError, match="are separated by commas and have no header"):
        read(file)
    file.write_text(line.replace(",", " ", 1))
    with pytest.raises(InputError) as fault:
        read(file)
    assert "separated by" not in str(fault.value)


@pytest.mark.parametrize(("kind", "name"), BEGINNINGS)
@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
def test_readers_accept_the_files_of_other_programs(kind: Kind, name: str, tmp_path: Path) -> None:
    file = tmp_path / "file.jsonl"
    file.write_text(BEGINNINGS[kind, name])
    content = read_as(file, kind, of=name)
    found = {
        "qrels": lambda: read_qrels_file(file), "runs": lambda: (read_run(file),),
        "topics": lambda: read_topics(file), "documents": lambda: list(read_documents(file)),
    }[kind]()  # fmt: skip
    assert plain(found, kind) == plain(content, kind)


@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
def test_init_accepts_the_files_of_other_programs(tmp_path: Path) -> None:
    (tmp_path / "nist.tsv").write_text(BEGINNINGS["qrels", "beir"])
    (tmp_path / "bm25.tsv").write_text(BEGINNINGS["runs", "msmarco"])
    init_campaign(tmp_path / "camp", runs=[tmp_path / "bm25.tsv"], qrels=[tmp_path / "nist.tsv"])
    assert read_qrels(tmp_path / "camp/qrels/nist.qrels").to_dict() == {"q1": {"d1": 1.0}}
    assert read_run(tmp_path / "camp/runs/bm25.run").docs == {"q1": ("d1",)}


# --- complete conversions ---


@pytest.mark.parametrize("name", ["beir", "quepid", "label-studio", "msmarco", "ntcir"])
def test_the_demo_collection_is_converted_and_back(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_qrels(demo.gold(), "gold.qrels")
    write_topics(demo.topics(), "topics.jsonl")
    there = ["convert", "gold.qrels", "there", "--kind", "qrels", "--to", name]
    back = ["convert", "there", "back.qrels", "--kind", "qrels", "--from", name, "--to", "trec"]
    assert run([*there, "--topics", "topics.jsonl"]) == 0
    assert run([*back, "--topics", "topics.jsonl"]) == 0
    assert "cannot store" not in capsys.readouterr().err
    assert Path("back.qrels").read_bytes() == Path("gold.qrels").read_bytes()


@pytest.mark.parametrize("to", ["jsonl", "beir"])
@pytest.mark.usefixtures("kilobyte_sizes")
def test_docs_are_converted_one_by_one(tmp_path: Path, to: str) -> None:
    line = json.dumps({"doc_id": "d{}", "text": "a flea " * 2_000})
    (tmp_path / "docs.jsonl").write_text(
        "".join(line.replace("{}", str(n)) + "\n" for n in range(1_000)), encoding="utf-8"
    )
    tracemalloc.start()
    try:
        convert(tmp_path / "docs.jsonl", tmp_path / "out.jsonl", kind="documents", to=to)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < (tmp_path / "out.jsonl").stat().st_size / 2


def test_a_loss_is_reported_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_topics(TOPICS, "topics.jsonl")
    words = ["convert", "topics.jsonl", "queries.tsv", "--kind", "topics", "--to", "msmarco"]
    assert run(words) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("qrelsmith: note: msmarco cannot store fields of topics")
    assert run([*words[:3], "--kind", "runs", "--to", "beir"]) == 2
    assert "beir does not support runs" in capsys.readouterr().err


def test_a_topic_without_an_id_in_parquet_names_the_file(tmp_path: Path) -> None:
    source = tmp_path / "topics.parquet"
    source.write_bytes(parquet_bytes({"name": ["t1"], "title": ["a"]}, {}))
    with pytest.raises(InputError) as fault:
        convert(source, tmp_path / "out", kind="topics", to="jsonl", of="parquet")
    assert str(fault.value) == f"{source}: no topic has an id and text; expected at least one"


def test_judgments_of_several_assessors_are_not_qrels(tmp_path: Path) -> None:
    source = tmp_path / "judgments.jsonl"
    source.write_text(judgments_text(JUDGMENTS, form="jsonl"))
    with pytest.raises(InputError, match="several assessors"):
        convert(source, tmp_path / "out", kind="judgments", to="trec")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["qrels", "runs"])
def test_an_empty_file_has_no_kind(tmp_path: Path, kind: Any) -> None:
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(InputError, match=f"the file is empty; expected {kind}"):
        convert(tmp_path / "empty", tmp_path / "out", kind=kind, to="jsonl")
    assert not (tmp_path / "out").exists()
