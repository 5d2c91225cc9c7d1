"""Content that a target cannot store or that its reader would change, and duplicates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.collection.document import Document
from qrelsmith.collection.topics import Topic
from qrelsmith.formats import FILE_FORMATS
from qrelsmith.formats.convert import convert, read_as
from qrelsmith.formats.registry import Texts
from qrelsmith.io.format_marks import Kind

LONG = "a flea " * 30_000


def refused(source: Path, kind: Kind, of: str, to: str) -> str:
    """Return the error message of a conversion that writes nothing."""
    target = source.with_name("out")
    with pytest.raises((InputError, UsageError)) as error:
        convert(source, target, kind=kind, of=of, to=to)
    assert not target.exists()
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("to", ["jsonl", "parquet", "beir", "msmarco"])
def test_long_and_empty_docs_are_written_and_read_back(to: str, tmp_path: Path) -> None:
    docs = [Document("d1", "text", LONG.strip()), Document("d2", "text", "", title="Fleas")]
    form = FILE_FORMATS.get(to).entry.function()
    form.write(iter(docs), tmp_path / "docs.jsonl", "documents", Texts())
    assert list(read_as(tmp_path / "docs.jsonl", "documents", of=to, texts=Texts())) == docs


def test_the_text_of_a_doc_in_jsonl_is_unchanged(tmp_path: Path) -> None:
    docs = [Document("d1", "text", "a\r\nflea\x00"), Document("d2", "html", "")]
    form = FILE_FORMATS.get("jsonl").entry.function()
    form.write(iter(docs), tmp_path / "docs", "documents", Texts())
    assert list(read_as(tmp_path / "docs", "documents", of="jsonl", texts=Texts())) == docs


TWICE = {
    "beir": '{"_id": "d", "text": "a"}\n',
    "msmarco": "d\ta\n",
    "jsonl": '{"doc_id": "d", "text": "a"}\n',
}


@pytest.mark.parametrize("of", TWICE)
def test_a_repeated_doc_is_an_error(of: str, tmp_path: Path) -> None:
    source = tmp_path / "docs.jsonl"
    source.write_text(TWICE[of] * 2)
    assert refused(source, "documents", of, "jsonl") == (
        f"{source}:2: the doc 'd' appears twice (first on line 1); expected every doc once"
    )


def test_a_doc_may_occur_only_once_in_parquet_and_in_the_additional_docs(tmp_path: Path) -> None:
    docs = [Document("d", "text", "a"), Document("d", "text", "b")]
    form = FILE_FORMATS.get("parquet").entry.function()
    form.write(docs, tmp_path / "docs", "documents", Texts())
    said = f"{tmp_path}/docs:2: the doc 'd' appears twice"
    assert refused(tmp_path / "docs", "documents", "parquet", "jsonl").startswith(said)
    beside = tmp_path / "docs.jsonl"
    beside.write_text(TWICE["jsonl"] * 2)
    (tmp_path / "q").write_text("t 0 d 1\n")
    with pytest.raises(InputError, match=r"docs\.jsonl:2: the doc 'd' appears twice"):
        convert(tmp_path / "q", tmp_path / "o", kind="qrels", to="umbrela", documents=beside)


def test_ids_with_blanks_are_not_written(tmp_path: Path) -> None:
    form = FILE_FORMATS.get("beir").entry.function()
    with pytest.raises(InputError, match="the id 't 1' cannot be written"):
        form.write([Topic("t 1", title="a")], tmp_path / "out", "topics", Texts())
    assert not (tmp_path / "out").exists()


def test_carriage_returns_lost_in_parquet_are_reported(tmp_path: Path) -> None:
    docs = [Document("d1", "text", "a\r\nb"), Document("d2", "text", "a\nb")]
    form = FILE_FORMATS.get("parquet").entry.function()
    said = form.write(docs, tmp_path / "docs", "documents", Texts())
    assert said == "carriage returns, which are replaced by line ends in 1 documents"
    assert {
        doc.content for doc in read_as(tmp_path / "docs", "documents", of="parquet", texts=Texts())
    } == {"a\nb"}


TOPICS = {
    "field": ("ntcir", Topic("t", title="a", others={"my field": "x"}), "invalid XML"),
    "control": ("ntcir", Topic("t", title="a\x08"), "invalid XML"),
    "markup": (
        "trec",
        Topic("t", title="a </title> b"),
        "markup that would end a field: 'a </title> b'",
    ),
    "tag": (
        "trec",
        Topic("t", title="a", description="b\n<narr> c"),
        "markup that would end a field",
    ),
    "label": ("trec", Topic("t", title="Topic: a"), "the title 'Topic: a' would be read as 'a'"),
    "return": ("trec", Topic("t", title="a\rb"), "carriage return"),
    "comment": ("msmarco", Topic("#q1", title="a"), "the topic '#q1' cannot be written"),
    "header": ("msmarco", Topic("topic", title="title"), "would be read as a header"),
    "blanks": ("trec", Topic("t  1", title="a"), "the topic 't  1' would be read as 't 1'"),
}


@pytest.mark.parametrize("fault", TOPICS)
def test_a_topic_that_would_be_read_as_another_one_is_refused(fault: str, tmp_path: Path) -> None:
    to, topic, said = TOPICS[fault]
    with pytest.raises((InputError, UsageError)) as error:
        FILE_FORMATS.get(to).entry.function().write([topic], tmp_path / "out", "topics", Texts())
    assert said in str(error.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("to", ["trec", "ntcir"])
def test_blanks_lost_in_markup_are_reported(to: str, tmp_path: Path) -> None:
    topics = [Topic("t", title="a  b"), Topic("u", title="a b")]
    form = FILE_FORMATS.get(to).entry.function()
    said = form.write(topics, tmp_path / "out", "topics", Texts())
    assert said == "the original blanks and line ends of 1 topics"


BEIR = {
    "surrogate": ('{"_id": "q", "text": "x\\udfff"}', "contains an unpaired surrogate"),
    "in metadata": ('{"_id": "q", "text": "x", "metadata": {"n": "\\udfff"}}', "unpaired"),
    "twice": ('{"_id": "q", "text": "x", "text": "y"}', "the key 'text' appears twice"),
}


@pytest.mark.parametrize("fault", BEIR)
@pytest.mark.parametrize("to", ["trec", "ntcir", "beir"])
def test_topics_of_beir_that_are_refused(fault: str, to: str, tmp_path: Path) -> None:
    line, said = BEIR[fault]
    source = tmp_path / "queries.jsonl"
    source.write_text(line + "\n")
    problem = refused(source, "topics", "beir", to)
    assert problem.startswith(f"{source}:1: ")
    assert said in problem


def test_a_topic_of_beir_may_occur_only_once(tmp_path: Path) -> None:
    source = tmp_path / "queries.jsonl"
    source.write_text('{"_id": "q", "text": "x", "metadata": []}\n' * 2)
    said = f"{source}:2: the topic 'q' appears twice (first on line 1); expected every topic once"
    assert refused(source, "topics", "beir", "jsonl") == said


def test_the_error_for_qrels_in_json_lines_without_a_doc_names_the_missing_key(
    tmp_path: Path,
) -> None:
    source = tmp_path / "qrels.jsonl"
    source.write_text('{"topic": "t", "doc": "d", "grade": 1}\n{"topic": "t", "grade": 1}\n')
    said = f"{source}:2: the doc is missing; expected an id"
    assert refused(source, "qrels", "jsonl", "trec") == said


def test_additional_files_in_a_beir_folder_are_reported(tmp_path: Path) -> None:
    source = tmp_path / "corpus.jsonl"
    record = {"_id": "d", "text": "a", "url": "u", "metadata": {"url": "v", "year": 0, "n": ""}}
    source.write_text(json.dumps(record) + "\n")
    with pytest.warns(InputWarning) as told:
        (doc,) = read_as(source, "documents", of="beir", texts=Texts())
    assert [str(each.message) for each in told] == [
        f"{source}: keys that are not known are ignored: metadata.year"
    ]
    assert doc == Document("d", "text", "a", url="v")
