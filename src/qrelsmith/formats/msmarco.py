"""MS MARCO's tab-separated files without header."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.document import Document, DocumentPlace
from qrelsmith.collection.qrels import read_qrels_file, stem
from qrelsmith.collection.runs import Run
from qrelsmith.collection.topics import Topic, is_topic_header, read_topics
from qrelsmith.formats.located_records import unique_records
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.formats.trec import lost_fields, one_run
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.text import FilePath, text_stream
from qrelsmith.io.writing import check_ids, write_text


@FILE_FORMATS.add(
    "msmarco",
    kinds=("qrels", "runs", "topics", "documents"),
    about="https://microsoft.github.io/msmarco/",
)
class MsMarco:
    """`qid 0 pid grade`, `qid pid rank`, `qid text`, `pid text` or `docid url title body`."""

    def read(self, path: FilePath, kind: Kind, _: Texts) -> Content:
        """A run's scores are its ranks below 0, since it has none."""
        if kind == "qrels":
            return read_qrels_file(path)
        if kind == "runs":
            return (_run(path),)
        return read_topics(path) if kind == "topics" else unique_records(_documents(path))

    def write(self, content: Content, path: FilePath, kind: Kind, _: Texts) -> str:
        """Qrels hold all; the others lose what the sentence says."""
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
            said.append(f"line ends and tabs: blanks in their place in {changed} {kind}")
        return "; ".join(filter(None, said))


def _write_run(run: Run, path: FilePath) -> str:
    check_ids(run.docs, what="topic", path=path)
    lines = []
    for topic in sorted(run.docs):
        check_ids(run.docs[topic], what="doc", path=path)
        lines += [f"{topic}\t{doc}\t{rank}\n" for rank, doc in enumerate(run.docs[topic], start=1)]
    write_text(path, "".join(lines))
    return "the scores and the name of the run; ranks stand in their place"


def _run(path: FilePath) -> Run:
    scores: dict[str, dict[str, float]] = {}
    for line, cells in _rows(path):
        if len(cells) not in (3, 4) or not (cells[2].isascii() and cells[2].isdigit()):
            raise InputError(
                f"{quoted(' '.join(cells))}; expected topic, doc and rank, separated by tabs",
                path=path,
                line=line,
            )
        ranking = scores.setdefault(cells[0], {})
        if cells[1] in ranking:
            raise InputError(
                f"doc {quoted(cells[1])} stands twice in topic {quoted(cells[0])};"
                " expected it once",
                path=path,
                line=line,
            )
        ranking[cells[1]] = -float(cells[2])
    return Run.from_dict(scores, name=stem(path))


def _documents(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    for line, cells in _rows(path):
        if len(cells) not in (2, 4):
            raise InputError(
                f"{len(cells)} cells; expected pid and text, or docid, url, title and body,"
                " separated by tabs",
                path=path,
                line=line,
            )
        url, title = cells[1:3] if len(cells) == 4 else ("", "")
        try:
            yield (
                DocumentPlace(path, line),
                Document(cells[0], form="text", content=cells[-1], title=title, url=url),
            )
        except UsageError as error:
            raise InputError(str(error), path=path, line=line) from None


def _rows(path: FilePath) -> Iterator[tuple[int, list[str]]]:
    for line, text in enumerate(text_stream(path), start=1):
        if text.strip():
            yield line, text.rstrip("\n").split("\t")


def _topic_rows(topics: Iterable[Topic]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = sorted((topic.topic, topic.title) for topic in topics)
    check_ids([row[0] for row in rows], what="topic", path=None)
    if rows and is_topic_header(rows[0]):
        raise UsageError(
            f"the topic {quoted(rows[0][0])} with the title {quoted(rows[0][1])} would be read as a"
            " header; MS MARCO has none"
        )
    return rows


def _document_rows(documents: list[Document]) -> list[tuple[str, ...]]:
    html = next((doc for doc in documents if doc.form != "text"), None)
    if html is not None:
        raise UsageError(f"the doc {quoted(html.doc_id)} is {html.form}; MS MARCO holds text only")
    if any(doc.title or doc.url for doc in documents):
        return [(doc.doc_id, doc.url, doc.title, doc.content) for doc in documents]
    return [(doc.doc_id, doc.content) for doc in documents]
