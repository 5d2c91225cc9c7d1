"""MS MARCO's tab-separated files without a header."""

from __future__ import annotations

from collections.abc import Iterable

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.document import Document
from qrelsmith.collection.runs import Run
from qrelsmith.collection.topics import Topic, is_topic_header
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.formats.trec import lost_fields, one_run
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import check_ids, write_text


@FILE_FORMATS.add(
    "msmarco",
    kinds=("qrels", "runs", "topics", "documents"),
    about="https://microsoft.github.io/msmarco/",
)
class MsMarco:
    """`qid 0 pid grade`, `qid pid rank`, `qid text`, `pid text` or `docid url title body`."""

    def write(self, content: Content, path: FilePath, kind: Kind, _: Texts) -> str:
        """Write the content, and return a note on omitted content; qrels are always complete."""
        if kind == "qrels":
            rows = [(topic, "0", doc, grade_text(grade)) for topic, doc, grade in content.rows()]
            check_ids([cell for row in rows for cell in row], what="id", path=path)
            write_text(path, "".join("\t".join(row) + "\n" for row in rows))
            return ""
        if kind == "runs":
            return _write_run(one_run(content), path)
        lines, changed = [], 0
        records = _topic_rows(content) if kind == "topics" else _document_rows(list(content))
        for name, *record in records:
            cells = [name, *(" ".join(cell.split()) for cell in record)]
            changed += cells[1:] != record
            lines.append("\t".join(cells) + "\n")
        write_text(path, "".join(lines))
        said = []
        if kind == "topics":
            said.append(lost_fields(content, "description", "narrative", "creator"))
        if changed:
            said.append(f"line ends and tabs, which are replaced by blanks in {changed} {kind}")
        return "; ".join(filter(None, said))


def _write_run(run: Run, path: FilePath) -> str:
    check_ids(run.docs, what="topic", path=path)
    lines = []
    for topic in sorted(run.docs):
        check_ids(run.docs[topic], what="doc", path=path)
        lines += [f"{topic}\t{doc}\t{rank}\n" for rank, doc in enumerate(run.docs[topic], start=1)]
    write_text(path, "".join(lines))
    return "the name of the run, and the scores, which are replaced by ranks"


def _topic_rows(topics: Iterable[Topic]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = sorted((topic.topic, topic.title) for topic in topics)
    check_ids([row[0] for row in rows], what="topic", path=None)
    if rows and is_topic_header(rows[0]):
        raise UsageError(
            f"the topic {quoted(rows[0][0])} with the title {quoted(rows[0][1])} would "
            "be read as a header; expected another title, because MS MARCO's files have no header"
        )
    return rows


def _document_rows(documents: list[Document]) -> list[tuple[str, ...]]:
    html = next((doc for doc in documents if doc.form != "text"), None)
    if html is not None:
        raise UsageError(
            f"the doc {quoted(html.doc_id)} is {html.form}; expected text, which MS MARCO requires"
        )
    if any(doc.title or doc.url for doc in documents):
        return [(doc.doc_id, doc.url, doc.title, doc.content) for doc in documents]
    return [(doc.doc_id, doc.content) for doc in documents]
