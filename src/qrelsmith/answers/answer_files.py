"""Files of answers: TREC RAG's JSONL, and tables of RAG evaluation programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from qrelsmith.answers.answer_tables import EXPECTED, READ, contexts_of, table_answers, table_rows
from qrelsmith.answers.answers import Sentence, SystemAnswer, SystemAnswers, Turn
from qrelsmith.answers.mtrag import is_mtrag, is_mtrag_file, mtrag_answers
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.collection.qrels import stem
from qrelsmith.io.format_marks import head
from qrelsmith.io.json_rows import Fields, first_text, json_rows, text_of
from qrelsmith.io.table_reading import first_data_line, has_control
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import write_text

_TOPIC = (
    "topic_id", "narrative_id", "metadata.topic_id", "metadata.narrative_id", "request_id",
    "metadata.request_id", "topic", "qid", "query_id",
)  # fmt: skip
_RUN = ("run_id", "metadata.run_id", "run_tag", "run")
_QUESTION = ("title", "question", "query", "narrative", "topic_text", "metadata.narrative")
_READ = READ.union(_TOPIC, _RUN, _QUESTION, ("references", "responses", "turns"))


def read_answers(*paths: FilePath) -> SystemAnswers:
    """Read the answers of systems from files, or folders of files.

    The format is TREC RAG's: JSONL with topic, run, and a list of sentences, which cite docs by id
    or by position in `references`. MTRAG's JSON, and tables with question and answer exported by
    RAGAS, DeepEval, promptfoo, Inspect or Langfuse, can also be read.

    Parameters
    ----------
    *paths : path
        Files and folders, plain or compressed.

    Raises
    ------
    InputError
        If an answer is malformed, or a run has two answers to a topic. The error names the first
        one.

    Examples
    --------
    >>> answers = read_answers("answers.jsonl")  # doctest: +SKIP
    >>> answers.get("t1", "run-1").sentences[0].citations  # doctest: +SKIP
    ('doc-1', 'doc-7')
    """
    answers = [answer for path in paths for file in _files(path) for answer in _read(file)]
    try:
        return SystemAnswers(answers)
    except UsageError as error:
        raise InputError(str(error), path=paths[-1]) from None


def unread_fields(path: FilePath) -> list[str]:
    """Return the names of ignored fields in a file or a folder of answers."""
    names: dict[str, None] = {}
    for file in _files(path):
        line = first_data_line(head(file).decode("utf-8", "replace")) or ""
        for _, fields in () if is_mtrag_file(file) else table_rows(file, line):
            names |= dict.fromkeys(name for name in fields if name not in _READ)
    return list(names)


def _files(path: FilePath) -> Sequence[FilePath]:
    if not Path(path).is_dir():
        return [path]
    files = sorted(each for each in Path(path).iterdir() if each.name[0] != ".")
    if not files:
        raise InputError("the folder has no files; expected answers", path=path)
    return files


def _read(path: FilePath) -> list[SystemAnswer]:
    if not Path(path).exists():
        raise InputError("no such file or folder", path=path)
    line = first_data_line(head(path).decode("utf-8", "replace"))
    if line is None:
        raise InputError("the file is empty; expected answers, such as TREC RAG's JSONL", path=path)
    if line.lstrip()[:1] not in ("{", "["):
        return list(table_answers(path, line))
    rows = list(json_rows(path))
    if len(rows) == 1 and is_mtrag(rows[0][1]):
        return list(mtrag_answers(rows[0][1]))
    if all("answer" not in fields and "responses" not in fields for _, fields in rows) or not all(
        first_text(fields, *_TOPIC) for _, fields in rows
    ):
        return list(table_answers(path, line))
    return [_answer(fields, path, number) for number, fields in rows]


def _answer(fields: Fields, path: FilePath, line: int) -> SystemAnswer:
    """Parse one object of TREC RAG's JSONL."""
    topic = first_text(fields, *_TOPIC)
    run = first_text(fields, *_RUN) or stem(path).removesuffix(".jsonl")
    for what, name in (("topic", topic), ("run", run)):
        if has_control(name):
            raise InputError(f"control characters in {what} {quoted(name)}", path=path, line=line)
    references = _texts(fields.get("references"))
    said = fields.get("responses", fields.get("answer"))
    if isinstance(said, str):
        said = [{"text": said}]
    if not isinstance(said, list) or not all(
        isinstance(sentence_fields, dict) for sentence_fields in said
    ):
        raise InputError(
            f"the answer to {quoted(topic)} is {quoted(said)}; expected a list of sentences,"
            " {text, citations}",
            path=path,
            line=line,
        )
    sentences = []
    for sentence_fields in said:
        cited = sentence_fields.get("citations") or ()
        marks = list(cited) if isinstance(cited, dict) else cited  # RAGTIME: {doc: score}
        if not isinstance(marks, list | tuple):
            raise InputError(
                f"the citations are {quoted(cited)}; expected a list", path=path, line=line
            )
        docs = [_cited_doc(mark, references, path, line) for mark in marks]
        sentences.append(Sentence(first_text(sentence_fields, "text"), tuple(dict.fromkeys(docs))))
    asked = first_text(fields, *_QUESTION)
    return SystemAnswer(
        topic=topic,
        run=run,
        sentences=tuple(sentences),
        references=references,
        turns=_turns(fields.get("turns")) or ((Turn("user", asked),) if asked else ()),
        contexts=tuple(contexts_of(fields)),
        expected=first_text(fields, *EXPECTED),
    )


def _turns(said: object) -> tuple[Turn, ...]:
    rows = said if isinstance(said, list) else ()
    return tuple(
        Turn(first_text(each, "speaker"), first_text(each, "text"))
        for each in rows
        if isinstance(each, dict)
    )


def _cited_doc(mark: object, references: tuple[str, ...], path: FilePath, line: int) -> str:
    """Return the cited doc, given by position in the references (from 0) or by id."""
    text = first_text(mark, "doc_id", "docid", "id") if isinstance(mark, dict) else text_of(mark)
    if text and text in references:
        return text
    if references and text.isdecimal() and len(text) < 7:
        if int(text) < len(references):
            return references[int(text)]
        raise InputError(
            f"the citation is {text}; expected a position from 0 to "
            f"{len(references) - 1}, or the id of a doc",
            path=path,
            line=line,
        )
    if not text or has_control(text):
        raise InputError(
            f"the citation is {quoted(mark)}; expected the id of a doc", path=path, line=line
        )
    return text


def _texts(values: object) -> tuple[str, ...]:
    return tuple(map(text_of, values)) if isinstance(values, list) else ()


def write_answers(answers: Iterable[SystemAnswer], path: FilePath) -> None:
    """Write answers in TREC RAG's JSONL format, sorted by topic and run."""
    import json

    rows = sorted(answers, key=lambda each: (each.topic, each.run))
    lines = (json.dumps(fields, ensure_ascii=False) + "\n" for fields in map(_fields, rows))
    write_text(path, "".join(lines))


def _fields(answer: SystemAnswer) -> dict[str, Any]:
    turns = [{"speaker": turn.speaker, "text": turn.text} for turn in answer.turns]
    return {
        "topic_id": answer.topic,
        "run_id": answer.run,
        **({"turns": turns} if turns else {}),
        "references": list(answer.references),
        **({"contexts": list(answer.contexts)} if answer.contexts else {}),
        **({"reference": answer.expected} if answer.expected else {}),
        "answer": [
            {"text": each.text, "citations": list(each.citations)} for each in answer.sentences
        ],
    }


def cited_docs(answers: Iterable[SystemAnswer]) -> Iterator[str]:
    """Yield the docs cited by answers, without repetition."""
    yield from dict.fromkeys(doc for answer in answers for _, doc in answer.citations())
