"""An example of every format and kind in the form that the programs' documentation shows.

The content is ours; the comment above an example names the page that shows its form.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from qrelsmith.base.errors import InputWarning
from qrelsmith.cli import run
from qrelsmith.collection.document import Document
from qrelsmith.collection.qrels import read_qrels_file, write_qrels
from qrelsmith.collection.topics import Topic, write_topics
from qrelsmith.demo import collection as demo
from qrelsmith.formats import FILE_FORMATS
from qrelsmith.formats.convert import read_as
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
ASPECTS = [("7", "n1", "nugget", "A hundred days")]

# (format, kind): the content of the file, and the result of reading it.
EXAMPLES: dict[tuple[str, str], tuple[str | Columns, Any]] = {
    # "Data - English Relevance Judgements", https://trec.nist.gov/data/qrels_eng. The heads of
    # get_qrels.c and get_trec_results.c, https://github.com/usnistgov/trec_eval, tell of runs: a
    # rank may be 0, and a score may have no point. Topics are those of "TrecTopicsReader",
    # https://lucenenet.apache.org/docs/4.8.0-beta00017/api/benchmark/.
    ("trec", "qrels"): ("7 0 d1 2\n7 0 d2 0\n", QRELS),
    ("trec", "runs"): ("7 Q0 d1 0 4238 bm25\n7 Q0 d2 1 41.5 bm25\n", RUN),
    ("trec", "topics"): (
        ("<top>\n\n<num> Number: 7\n<title> how fleas live\n\n<desc> Description:\nTheir days.\n\n"
        "<narr> Narrative:\nAny flea will do.\n\n</top>\n"),
        TOPIC,
    ),
    # The forms of the WWW tasks, http://sakailab.com/www4: their public pages link to files, but
    # show no example. Examples from earlier NTCIR tasks are below.
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
    # "Load your custom dataset", https://github.com/beir-cellar/beir/wiki/Load-your-custom-dataset.
    ("beir", "qrels"): ("query-id\tcorpus-id\tscore\n7\td1\t2\n7\td2\t0\n", QRELS),
    ("beir", "topics"): ('{"_id": "7", "text": "how fleas live", "metadata": {}}\n', TOPIC),
    ("beir", "documents"): (
        f'{{"_id": "d1", "title": "Fleas", "text": "{FLEAS}", "metadata": {{}}}}\n', DOC,
    ),
    # "Submit to Document and Passage Ranking Leaderboards" shows runs,
    # https://microsoft.github.io/msmarco/Submission; "Datasets" names the columns of the others,
    # https://microsoft.github.io/msmarco/Datasets.
    ("msmarco", "qrels"): ("7\t0\td1\t2\n7\t0\td2\t0\n", QRELS),
    ("msmarco", "runs"): ("7\td1\t1\n7\td2\t2\n", RUN),
    ("msmarco", "topics"): ("7\thow fleas live\n", TOPIC),
    ("msmarco", "documents"): (f"d1\t{FLEAS}\n", DOC),
    # ir_datasets' README, "Command Line Interface", https://github.com/allenai/ir_datasets: an
    # object of the fields of its named tuples on each line.
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
    ("csv", "judgments"): ("topic,doc,assessor,grade\n7,d1,ann,2\n", JUDGED),
    # Our own columns of aspects; answers as TREC RAG's "Submission format" has them,
    # https://trec-rag.github.io.
    ("csv", "aspects"): ("topic,aspect,kind,text\n7,n1,nugget,A hundred days\n", ASPECTS),
    ("jsonl", "aspects"): (
        '{"topic": "7", "aspect": "n1", "kind": "nugget", "text": "A hundred days"}\n', ASPECTS,
    ),
    ("parquet", "aspects"): (
        {"topic": ["7"], "aspect": ["n1"], "kind": ["nugget"], "text": ["A hundred days"]}, ASPECTS,
    ),
    ("jsonl", "answers"): (
        ('{"topic_id": "7", "run_id": "a", "references": ["d1"], "answer":'
        f' [{{"text": "{FLEAS}", "citations": [0]}}]}}\n'),
        [("7", "a", FLEAS)],
    ),
    # "PyTerrier Data Model", https://github.com/terrier-org/pyterrier/blob/master/docs/datamodel.md.
    ("parquet", "qrels"): ({"qid": ["7", "7"], "docno": ["d1", "d2"], "label": [2, 0]}, QRELS),
    ("parquet", "runs"): (
        {"qid": ["7", "7"], "docno": ["d1", "d2"], "score": [4.5, 1.5], "rank": [0, 1]}, RUN,
    ),
    ("parquet", "topics"): ({"qid": ["7"], "query": ["how fleas live"]}, TOPIC),
    ("parquet", "documents"): ({"doc_id": ["d1"], "text": [FLEAS]}, DOC),
    ("parquet", "judgments"): (
        {"topic": ["7"], "doc": ["d1"], "assessor": ["ann"], "grade": [2.0]}, JUDGED,
    ),
    # Quepid's dialog "Import into Case", https://github.com/o19s/quepid,
    # app/assets/javascripts/components/import_ratings/_modal.html: with an unrated doc, and a query
    # without a doc.
    ("quepid", "qrels"): (
        ('query,docid,rating\nhow fleas live,d1,2\n"how fleas live",d2,0\nhow fleas live,d3,\n'
        "how ticks live,,\n"),
        QRELS,
    ),
    # "Label Studio Task Format", https://labelstud.io/guide/task_format.html; the result is that of
    # "Choices", https://labelstud.io/tags/choices.html.
    ("label-studio", "judgments"): (
        json.dumps(
            [
                {
                    "id": 1,
                    "created_at": "2024-01-30T08:00:00.123456Z",
                    "updated_at": "2024-01-31T09:00:00.123456Z",
                    "project": 83,
                    "data": {"query_id": "7", "doc_id": "d1", "text": FLEAS},
                    "annotations": [
                        {
                            "id": "1001",
                            "result": [
                                {
                                    "from_name": "relevance", "id": "q1w2", "source": "$text",
                                    "to_name": "text", "type": "choices",
                                    "value": {"choices": ["2: highly relevant"]},
                                }
                            ],
                            "was_cancelled": False, "ground_truth": False,
                            "created_at": "2024-01-31T09:00:00.123456Z",
                            "updated_at": "2024-01-31T09:00:00.123456Z",
                            "lead_time": 4.288, "result_count": 0, "task": 1, "completed_by": 10,
                        }
                    ],
                    "predictions": [
                        {
                            "created_ago": "3 hours", "model_version": "model 1",
                            "result": [
                                {
                                    "from_name": "relevance", "id": "e3r4", "source": "$text",
                                    "to_name": "text", "type": "choices",
                                    "value": {"choices": ["0: not relevant"]},
                                }
                            ],
                        }
                    ],
                }
            ]
        ),
        [("7", "d1", "10", 2.0)],
    ),
    # "Judge Output (JSONL)" in input-output-examples.md of https://github.com/castorini/umbrela.
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
# Further forms that a page shows: format, kind, content of the file, and the result of reading it.
FURTHER: list[tuple[str, str, str | Columns, Any]] = [
    # "Format of Search Results to NACSIS" and "Format of Relevant Assessment", with tabs,
    # https://research.nii.ac.jp/ntcir/ntcir-ws2/sample-s-c-en.html and …/sample-r-c-en.html.
    ("ntcir", "runs", "0007\t0\td1\t1\t9999\tabc1\n0007\t0\td2\t2\t9998\tabc1\n",
     {"0007": ("d1", "d2")}),
    ("ntcir", "qrels", "0007\tA\td1\t1 \n0007\tC\td2\t0 \n", {"0007": {"d1": 1.0, "d2": 0.0}}),
    # Quepid's export "Basic", app/views/api/v1/export/ratings/show.basic.csv.erb: the row of a
    # query without ratings ends after it.
    ("quepid", "qrels",
     "query,docid,rating\nhow fleas live,d1,2\nhow ticks live\nhow fleas live,d2,0\n", QRELS),
    # "Getting Started", https://github.com/terrierteam/ir_measures: the columns of its frames.
    ("parquet", "qrels",
     {"query_id": ["7", "7"], "doc_id": ["d1", "d2"], "relevance": [2, 0]}, QRELS),
    ("parquet", "runs", {"query_id": ["7", "7"], "doc_id": ["d1", "d2"], "score": [1.2, 1.0]}, RUN),
    # ir_datasets' README: docs and queries as `[id]\t[text]`, which is MS MARCO's form.
    ("msmarco", "documents", f"d1\t{FLEAS}\n", DOC),
    ("msmarco", "topics", "7\thow fleas live\n", TOPIC),
    # "MSMARCO (passage, version 2)", https://ir-datasets.com/msmarco-passage-v2.html, and topics
    # with more fields, https://huggingface.co/datasets/irds/wapo_v2_trec-core-2018.
    ("jsonl", "documents",
     f'{{"doc_id": "d1", "text": "{FLEAS}", "spans": [[0, 28]], "msmarco_document_id": "m"}}\n',
     DOC),
    ("jsonl", "topics",
     ('{"query_id": "7", "title": "how fleas live", "description": "Their days.",'
     ' "narrative": "Any."}\n'),
     TOPIC),
    # "With --include-reasoning" of UMBRELA's page.
    ("umbrela", "judgments",
     json.dumps(
         {
             "model": "ann", "query": "how fleas live", "passage": FLEAS, "prompt": "…",
             "prediction": "…", "judgment": 2, "result_status": 1, "reasoning": "It says so.",
         }
     ) + "\n",
     JUDGED),
]  # fmt: skip
PLAIN: dict[str, Callable[[Any], Any]] = {
    "qrels": lambda qrels: qrels.to_dict(),
    "runs": lambda runs: runs[0].docs,
    "topics": lambda topics: {topic.topic: topic.title for topic in topics},
    "documents": lambda docs: {doc.doc_id: doc.content for doc in docs},
    "aspects": lambda aspects: [(one.topic, one.aspect, one.kind, one.text) for one in aspects],
    "answers": lambda answers: [(one.topic, one.run, one.text) for one in answers],
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


@pytest.mark.filterwarnings("ignore:.*ignored:qrelsmith.base.errors.InputWarning")
@pytest.mark.parametrize(
    ("name", "kind", "content", "expected"),
    [*((*key, *example) for key, example in EXAMPLES.items()), *FURTHER],
)
def test_every_example_is_read(
    name: str, kind: str, content: str | Columns, expected: Any, tmp_path: Path
) -> None:
    file = tmp_path / "example"
    if isinstance(content, str):
        file.write_text(content, encoding="utf-8")
    else:
        parquet.write_table(pyarrow.table(content), file)
    assert PLAIN[kind](read_as(file, kind, of=name, texts=TEXTS)) == expected


def test_qrels_of_ir_datasets_with_tabs_are_distinguished_from_trec(tmp_path: Path) -> None:
    # `--format tsv` of ir_datasets' README writes the fields of a named tuple in their order:
    # query_id, doc_id, relevance, iteration.
    file = tmp_path / "qrels.tsv"
    file.write_text("7\td1\t2\t0\n7\td2\t0\t0\n8\td9\t1\t0\n8\td8\t0\t0\n")
    with pytest.warns(InputWarning, match="ir_datasets export --format tsv writes"):
        read_qrels_file(file)


def test_the_demo_converted_through_beir_quepid_and_label_studio_has_the_same_labels(
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
    assert "cannot store" not in capsys.readouterr().err
    assert Path("back.qrels").read_bytes() == Path("gold.qrels").read_bytes()
    assert Path("back.jsonl").read_bytes() == Path("topics.jsonl").read_bytes()
