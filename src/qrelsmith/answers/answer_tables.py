"""Tables with question, answer and contexts, exported by RAG evaluation programs.

RAGAS, DeepEval and Langfuse export rows in CSV or JSON. The programs promptfoo and Inspect export
one JSON object: `results.results` with `vars` and `response` (promptfoo), or `samples` with
`output.completion` (Inspect).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from qrelsmith.answers.answers import Sentence, SystemAnswer, Turn
from qrelsmith.base.errors import InputError
from qrelsmith.collection.qrels import stem
from qrelsmith.io.csv_records import CsvRecords
from qrelsmith.io.json_rows import Fields, first_text, json_rows
from qrelsmith.io.table_reading import decoded_text
from qrelsmith.io.text import FilePath, read_bytes

# Names of question, answer, contexts and expected answer in each program; the first existing name
# is used.
_QUESTION = (
    "user_input", "question", "query", "vars.question", "vars.query", "input.question",
    "input.query", "input", "prompt.raw", "prompt",
)  # fmt: skip
_ANSWER = (
    "response", "answer", "actual_output", "response.output", "output.completion", "output.answer",
    "output.content", "output",
)  # fmt: skip
_CONTEXTS = ("retrieved_contexts", "retrieval_context", "contexts", "context", "vars.context")
EXPECTED = ("reference", "ground_truth", "expected_output", "expectedOutput", "target")
TOPIC = (
    "topic", "topic_id", "narrative_id", "qid", "query_id", "question_id", "task_id",
    "metadata.topic_id", "testIdx", "id",
)  # fmt: skip
_RUN = ("run", "run_id", "system", "model", "model_id", "provider.id", "provider", "metadata.model")
# Top-level fields that are read.
READ = frozenset(
    name.partition(".")[0]
    for name in (*_QUESTION, *_ANSWER, *_CONTEXTS, *EXPECTED, *TOPIC, *_RUN, "messages")
)
_INSIDE = ("results.results", "results", "samples", "test_cases", "testCases", "data", "traces")


def table_answers(path: FilePath, line: str) -> Iterator[SystemAnswer]:
    """Yield the answers of a table; topics without ids get the ids q1, q2, ….

    Raises
    ------
    InputError
        If a row has no question or no answer.
    """
    places: dict[str, str] = {}
    for number, fields in table_rows(path, line):
        question, answer = first_text(fields, *_QUESTION), first_text(fields, *_ANSWER)
        turns = [Turn("user", question)] if question else _messages(fields)
        if not turns or not answer:
            what = "answer" if turns else "question"
            raise InputError(
                f"the {what} is missing; expected answers in the TREC RAG format, or a table with "
                f"question and answer (columns: {', '.join(fields)})",
                path=path,
                line=number,
            )
        asked = turns[-1].text
        topic = first_text(fields, *TOPIC) or places.setdefault(asked, f"q{len(places) + 1}")
        yield SystemAnswer(
            topic=topic,
            run=first_text(fields, *_RUN) or stem(path).rsplit(".", 1)[0],
            sentences=(Sentence(answer),),
            turns=tuple(turns),
            contexts=tuple(contexts_of(fields)),
            expected=first_text(fields, *EXPECTED),
        )


def _messages(fields: Fields) -> list[Turn]:
    """Return the turns of a question that is a list of chat messages."""
    for name in ("user_input", "input", "messages"):
        value = fields.get(name)
        if isinstance(value, dict):
            value = value.get("messages")
        if isinstance(value, list):
            return [
                Turn(
                    first_text(each, "role", "type", "speaker"), first_text(each, "content", "text")
                )
                for each in value
                if isinstance(each, dict)
            ]
    return []


def contexts_of(fields: Fields) -> Iterator[str]:
    """Yield the retrieved texts of a row."""
    for name in _CONTEXTS:
        value: Any = fields
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if value:
            for each in cell_items(value):
                yield each if isinstance(each, str) else json.dumps(each, ensure_ascii=False)
            return


def cell_items(value: Any) -> list[Any]:
    """Return the items of a list or of a JSON list in a cell; any other value is the only item."""
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except json.JSONDecodeError:
            return [value]
    return value if isinstance(value, list) else [value]


def table_rows(path: FilePath, line: str) -> Iterator[tuple[int, Fields]]:
    """Yield the line number and the fields of each row of a JSON or CSV file."""
    return _json(path) if line.lstrip()[:1] in ("{", "[") else _csv(path, line)


def _json(path: FilePath) -> Iterator[tuple[int, Fields]]:
    for number, fields in json_rows(path):
        run = first_text(fields, "eval.model")
        for name in _INSIDE:
            value: Any = fields
            for part in name.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            if isinstance(value, list) and value and isinstance(value[0], dict):
                yield from ((number, {"run": run} | each) for each in value)
                break
        else:
            yield number, fields


def _csv(path: FilePath, line: str) -> Iterator[tuple[int, Fields]]:
    text = decoded_text(read_bytes(path), path=path)
    records = CsvRecords(text, "\t" if "\t" in line else ",", path)
    header: list[str] = []
    for record in records:
        if not header:
            header = record
            continue
        if len(record) != len(header):
            raise InputError(
                f"found {len(record)} cells; expected {len(header)}: {','.join(header)}",
                path=path,
                line=records.first,
            )
        yield records.first, dict(zip(header, record, strict=True))
