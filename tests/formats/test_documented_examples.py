"""A file of every format and kind in the form that the programs' documentation shows."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from qrelsmith.cli import run
from qrelsmith.collection.document import Document
from qrelsmith.collection.qrels import write_qrels
from qrelsmith.collection.topics import Topic, write_topics
from qrelsmith.demo import collection as demo
from qrelsmith.formats import FILE_FORMATS
from qrelsmith.formats.registry import Texts

Columns = dict[str, list[Any]]
TEXTS = Texts.of(
    [Topic("7", title="how fleas live")],
    [Document("d1", "text", "A flea lives a hundred days.", title="Fleas")],
)
FLEAS = "A flea lives a hundred days."
TOPIC = {"7": "how fleas live"}
DOC = {"d1": FLEAS}
QRELS = {"7": {"d1": 2.0, "d2": 0.0}}
RUN = {"7": ("d1", "d2")}
JUDGED = [("7", "d1", "ann", 2.0)]

# (format, kind): what stands in the file, and what is read. Written anew after the shape that the
# address shows, which `FILE_FORMATS` names.
EXAMPLES: dict[tuple[str, str], tuple[str | Columns, Any]] = {
    # trec_eval's README: four and six columns; TREC's topics have open tags and their words.
    ("trec", "qrels"): ("7 0 d1 2\n7 0 d2 0\n", QRELS),
    ("trec", "runs"): ("7 Q0 d1 0 42.38 prise1\n7 Q0 d2 1 1.25 prise1\n", RUN),
    ("trec", "topics"): (
        ("<top>\n\n<num> Number: 7\n<title> how fleas live\n\n<desc> Description:\nTheir days.\n\n"
        "<narr> Narrative:\nAny flea will do.\n\n</top>\n"),
        TOPIC,
    ),
    # NTCIREVAL and the WWW task: grades with an L, a description of the system, topics in XML.
    ("ntcir", "qrels"): ("7 d1 L2\n7 d2 L0\n", QRELS),
    ("ntcir", "runs"): (
        "<SYSDESC>BM25, as it comes</SYSDESC>\n7 0 d1 1 27.73 TEAM-E-1\n7 0 d2 2 25.15 TEAM-E-1\n",
        RUN,
    ),
    ("ntcir", "topics"): (
        ("<queries>\n<query>\n<qid>7</qid>\n<content>how fleas live</content>\n"
        "<description>Their days.</description>\n</query>\n</queries>\n"),
        TOPIC,
    ),
    ("beir", "qrels"): ("query-id\tcorpus-id\tscore\n7\td1\t2\n7\td2\t0\n", QRELS),
    ("beir", "topics"): ('{"_id": "7", "text": "how fleas live", "metadata": {}}\n', TOPIC),
    ("beir", "documents"): (
        f'{{"_id": "d1", "title": "Fleas", "text": "{FLEAS}", "metadata": {{}}}}\n', DOC,
    ),
    ("msmarco", "qrels"): ("7\t0\td1\t2\n7\t0\td2\t0\n", QRELS),
    ("msmarco", "runs"): ("7\td1\t1\n7\td2\t2\n", RUN),
    ("msmarco", "topics"): ("7\thow fleas live\n", TOPIC),
    ("msmarco", "documents"): (f"d1\t{FLEAS}\n", DOC),
    # `ir_datasets export … --format jsonl` writes the fields of its named tuples.
    ("jsonl", "qrels"): (
        ('{"query_id": "7", "doc_id": "d1", "relevance": 2, "iteration": "0"}\n'
        '{"query_id": "7", "doc_id": "d2", "relevance": 0, "iteration": "0"}\n'),
        QRELS,
    ),
    ("jsonl", "runs"): (
        ('{"query_id": "7", "doc_id": "d1", "score": 4.5}\n'
        '{"query_id": "7", "doc_id": "d2", "score": 1.5}\n'),
        RUN,
    ),
    ("jsonl", "topics"): ('{"query_id": "7", "text": "how fleas live"}\n', TOPIC),
    ("jsonl", "documents"): (f'{{"doc_id": "d1", "text": "{FLEAS}"}}\n', DOC),
    ("jsonl", "judgments"): (
        '{"topic": "7", "doc": "d1", "assessor": "ann", "grade": 2}\n', JUDGED,
    ),
    # PyTerrier's data model.
    ("parquet", "qrels"): ({"qid": ["7", "7"], "docno": ["d1", "d2"], "label": [2, 0]}, QRELS),
    ("parquet", "runs"): (
        {"qid": ["7", "7"], "docno": ["d1", "d2"], "score": [4.5, 1.5], "rank": [0, 1]}, RUN,
    ),
    ("parquet", "topics"): ({"qid": ["7"], "query": ["how fleas live"]}, TOPIC),
    ("parquet", "documents"): ({"doc_id": ["d1"], "text": [FLEAS]}, DOC),
    ("parquet", "judgments"): (
        {"topic": ["7"], "doc": ["d1"], "assessor": ["ann"], "grade": [2.0]}, JUDGED,
    ),
    # A case's ratings under *Export*; a doc that nobody rated has an empty cell.
    ("quepid", "qrels"): (
        'query,docid,rating\nhow fleas live,d1,2\n"how fleas live",d2,0\nhow fleas live,d3,\n',
        QRELS,
    ),
    # Raw JSON of annotated tasks, with a Choices control.
    ("label-studio", "judgments"): (
        json.dumps(
            [
                {
                    "id": 1,
                    "data": {"query_id": "7", "doc_id": "d1", "text": FLEAS},
                    "annotations": [
                        {
                            "id": 11,
                            "completed_by": {"id": 3, "email": "ann"},
                            "result": [
                                {
                                    "id": "q1w2", "from_name": "relevance", "to_name": "text",
                                    "type": "choices", "value": {"choices": ["2 highly relevant"]},
                                }
                            ],
                            "was_cancelled": False, "ground_truth": False, "lead_time": 12.5,
                            "created_at": "2024-01-31T09:00:00.000000Z", "result_count": 1,
                        }
                    ],
                    "predictions": [], "project": 1, "updated_at": "2024-01-31T09:00:00.000000Z",
                }
            ]
        ),
        JUDGED,
    ),
    # What its judge returns for a passage, a line each.
    ("umbrela", "judgments"): (
        json.dumps(
            {
                "model": "ann", "query": "how fleas live", "passage": FLEAS, "prompt": "…",
                "prediction": "##final score: 2", "judgment": 2, "result_status": 1,
            }
        )
        + "\n",
        JUDGED,
    ),
}  # fmt: skip
PLAIN: dict[str, Callable[[Any], Any]] = {
    "qrels": lambda qrels: qrels.to_dict(),
    "runs": lambda runs: runs[0].docs,
    "topics": lambda topics: {topic.topic: topic.title for topic in topics},
    "documents": lambda docs: {doc.doc_id: doc.content for doc in docs},
    "judgments": lambda labels: [
        (labels.topics[topic], labels.docs[doc], labels.assessors[assessor], grade)
        for topic, doc, assessor, grade in zip(
            labels.topic, labels.doc, labels.assessor, labels.grade.tolist(), strict=True
        )
    ],
}


def test_every_format_has_an_example_of_each_kind() -> None:
    kinds = {(form.name, kind) for form in FILE_FORMATS.entries() for kind in form.about["kinds"]}
    assert set(EXAMPLES) == kinds


@pytest.mark.parametrize(("name", "kind"), EXAMPLES)
def test_the_example_is_read(name: str, kind: str, tmp_path: Path) -> None:
    content, expected = EXAMPLES[name, kind]
    file = tmp_path / "example"
    if isinstance(content, str):
        file.write_text(content, encoding="utf-8")
    else:
        parquet.write_table(pyarrow.table(content), file)
    form = FILE_FORMATS.get(name).entry.function()
    assert PLAIN[kind](form.read(file, kind, TEXTS)) == expected


def test_the_demo_through_beir_quepid_and_label_studio_has_the_same_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_qrels(demo.gold(), "gold.qrels")
    write_topics(demo.topics(), "topics.jsonl")
    forms = ("trec", "beir", "quepid", "label-studio", "trec")
    files = ("gold.qrels", "gold.tsv", "gold.csv", "gold.json", "back.qrels")
    for place, (source, target) in enumerate(itertools.pairwise(files)):
        words = [source, target, "--from", forms[place], "--to", forms[place + 1]]
        assert run(["convert", *words, "--kind", "qrels", "--topics", "topics.jsonl"]) == 0
    for source, target, to in (
        ("topics.jsonl", "queries.jsonl", "beir"),
        ("queries.jsonl", "back.jsonl", "jsonl"),
    ):
        assert run(["convert", source, target, "--kind", "topics", "--to", to]) == 0
    assert capsys.readouterr().err == ""
    assert Path("back.qrels").read_bytes() == Path("gold.qrels").read_bytes()
    assert Path("back.jsonl").read_bytes() == Path("topics.jsonl").read_bytes()
