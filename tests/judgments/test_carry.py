"""Labels carried over: no label is wrong, and hardly any is lost if its text still exists."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.cli import run
from qrelsmith.collection.document import Document
from qrelsmith.collection.qrels import Qrels, read_qrels_file, write_qrels
from qrelsmith.demo.collection import gold
from qrelsmith.demo.docstrings import stdlib_docs
from qrelsmith.judgments.carry import Carried, carry

OLD = (
    Document("a", "text", "Tea is hot.\n\nIt is made of leaves."),
    Document("b", "text", "Fleas live for a hundred days."),
    Document("c", "text", "Same words stand here."),
    Document("d", "text", "Same words stand here."),
)


def carried(new: list[Document], grades: dict[str, float], **passages: tuple[int, int]) -> Carried:
    spans = {("t", doc): [span] for doc, span in passages.items()}
    return carry(Qrels.from_dict({"t": grades}), OLD, new, passages=spans)


def rows(result: Carried) -> list[tuple[object, ...]]:
    return [row[1:] for row in result.table().rows]


def test_an_unchanged_doc_keeps_its_label_under_another_id() -> None:
    result = carried([Document("x", "text", OLD[0].content)], {"a": 2})
    assert rows(result) == [("a", "x", "kept", None, None)]
    assert result.qrels.to_dict() == {"t": {"x": 2.0}}


def test_a_passage_moves_with_its_text_regardless_of_blanks() -> None:
    new = [Document("x", "text", "See: It is\n  made of leaves."), Document("y", "text", "Tea.")]
    result = carried(new, {"a": 2}, a=(13, 34))
    assert rows(result) == [("a", "x", "passage", 5, 28)]
    assert new[0].content[5:28] == "It is\n  made of leaves."


def test_half_a_text_or_one_of_two_docs_leaves_the_label_open() -> None:
    new = [
        Document("x", "text", "Tea is hot."),
        Document("y", "text", "Same words stand here. No."),
    ]
    assert rows(carried(new, {"a": 1, "c": 1})) == [
        ("a", "", "open", None, None),
        ("c", "", "open", None, None),
    ]


def test_two_grades_for_one_doc_leave_the_label_open() -> None:
    new = [Document("x", "text", f"{OLD[0].content} {OLD[1].content}")]
    assert carried(new, {"a": 1, "b": 2}).counts == {"kept": 0, "passage": 0, "grown": 0, "open": 2}
    assert carried(new, {"a": 1, "b": 1}).qrels.to_dict() == {"t": {"x": 1.0}}


def test_a_zero_of_a_doc_that_grew_is_marked() -> None:
    grown = [Document("x", "text", f"{OLD[0].content} It is green.")]
    renamed = [Document("x", "text", OLD[0].content, title="Tea")]
    statuses = [rows(carried(new, {"a": 0}))[0][2] for new in (grown, renamed)]
    assert statuses == ["grown", "passage"]
    assert carried(grown, {"a": 1}).counts["passage"] == 1


def test_an_open_label_is_listed_once() -> None:
    both = f"{OLD[0].content} {OLD[1].content}"
    new = [Document(name, "text", f"{both} {name}") for name in ("x", "y")]
    assert rows(carried(new, {"a": 1, "b": 2})) == [
        ("a", "", "open", None, None),
        ("b", "", "open", None, None),
    ]
    new.append(Document("z", "text", f"{OLD[0].content} z"))
    assert [row[:3] for row in rows(carried(new, {"a": 1, "b": 2}))] == [
        ("a", "z", "passage"),
        ("b", "", "open"),
    ]


def test_a_passage_outside_its_doc_is_reported() -> None:
    with pytest.raises(UsageError, match="the passage 5:99 of topic 't' is not inside doc 'a'"):
        carried([], {"a": 1}, a=(5, 99))
    with pytest.raises(
        UsageError,
        match="doc 'z' has a label but is not among the old docs; expected every labelled doc",
    ):
        carried([], {"z": 1})


@pytest.fixture(scope="module")
def docs() -> dict[str, str]:
    return {doc.doc_id: doc.text for doc in stdlib_docs()}


@pytest.fixture(scope="module")
def labels(docs: dict[str, str]) -> Qrels:
    return Qrels.from_rows((row for row in gold().rows() if row[1] in docs), name="gold")


def shares(result: Carried, sources: dict[str, set[str]]) -> tuple[int, float]:
    """Return the number of wrongly carried labels, and the share of carried labels."""
    wrong = sum(
        1 for label in result.labels if label.new_doc and label.doc not in sources[label.new_doc]
    )
    counts = result.counts
    return wrong, 1 - counts["open"] / sum(counts.values())


def test_labels_of_the_demo_survive_cutting_docs_into_pieces(
    docs: dict[str, str], labels: Qrels
) -> None:
    new, sources, spans = [], {}, {}
    for doc, text in docs.items():
        for place, start in enumerate(range(0, max(len(text), 1), 400)):
            new.append(Document(f"{doc}-{place}", "text", text[start : start + 400]))
            sources[f"{doc}-{place}"] = {doc}
        # The passage is the longest line that no cut divides.
        lines, begin = [], 0
        for line in text.splitlines(keepends=True):
            end = begin + len(line)
            if line.strip() and begin // 400 == (end - 1) // 400:
                lines.append((end - begin, begin, end))
            begin = end
        if lines:
            spans[doc] = [max(lines)[1:]]
    with_passage = Qrels.from_rows(
        ((t, d, g) for t, d, g in labels.rows() if d in spans), name="gold"
    )
    passages = {(t, d): spans[d] for t, d, _ in with_passage.rows()}
    old = [Document(doc, "text", text) for doc, text in docs.items()]
    wrong, share = shares(carry(with_passage, old, new, passages=passages), sources)
    assert wrong == 0
    assert share >= 0.95


def test_labels_of_the_demo_survive_another_page_frame(docs: dict[str, str], labels: Qrels) -> None:
    old = [Document(doc, "text", text) for doc, text in docs.items()]
    new = [
        Document(f"n{place}", "text", f"Page {place}\n{textwrap.indent(text, '  ')}\nEnd")
        for place, text in enumerate(docs.values())
    ]
    sources = {f"n{place}": {doc} for place, doc in enumerate(docs)}
    wrong, share = shares(carry(labels, old, new), sources)
    assert wrong == 0
    assert share >= 0.95


def test_labels_of_the_demo_survive_merging_docs_in_pairs_if_some_are_missing(
    docs: dict[str, str], labels: Qrels
) -> None:
    old = [Document(doc, "text", text) for doc, text in docs.items()]
    names = list(docs)
    pairs = [names[place : place + 2] for place in range(0, len(names), 2)]
    left = [pair for place, pair in enumerate(pairs) if place % 10]
    new = [Document(f"p-{one[0]}", "text", "\n\n".join(docs[doc] for doc in one)) for one in left]
    sources = {f"p-{pair[0]}": set(pair) for pair in left}
    grades = labels.to_dict()
    of = {doc: pair for pair in left for doc in pair}
    clear = Qrels.from_rows(
        (
            (topic, doc, grade)
            for topic, doc, grade in labels.rows()
            if doc in of and len({grades[topic].get(other, grade) for other in of[doc]}) == 1
        ),
        name="gold",
    )
    wrong, share = shares(carry(clear, old, new), sources)
    assert wrong == 0
    assert share >= 0.95
    everything = carry(labels, old, new)
    assert shares(everything, sources)[0] == 0
    assert everything.counts["open"] > 0


def test_the_command_carries_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_qrels(Qrels.from_dict({"t": {"a": 2, "b": 1}}), "q")
    Path("old.jsonl").write_text(
        '{"doc_id": "a", "text": "hot tea"}\n{"doc_id": "b", "text": "c"}\n'
    )
    Path("new.jsonl").write_text('{"doc_id": "x", "text": "some hot tea"}\n')
    Path("p.csv").write_text("topic,doc,start,end\nt,a,4,7\n")
    words = [
        "carry",
        "q",
        "--old-docs",
        "old.jsonl",
        "--new-docs",
        "new.jsonl",
        "--passages",
        "p.csv",
    ]
    assert run([*words, "-o", "out", "--report", "report.csv"]) == 0
    assert read_qrels_file("out").to_dict() == {"t": {"x": 2.0}}
    assert Path("report.csv").read_text() == (
        "topic,doc,new_doc,status,start,end\nt,a,x,passage,9,12\nt,b,,open,,\n"
    )
