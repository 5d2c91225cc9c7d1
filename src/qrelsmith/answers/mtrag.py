"""MTRAG's JSON: answers of systems in conversations, with labels by people and programs.

One object has `tasks` with the turns of a conversation, `documents`, and `evaluations`. An
evaluation has the answer of a system to a task and each annotator's labels by criterion
(`forms.answer_labels`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from qrelsmith.answers.answers import Sentence, SystemAnswer, Turn
from qrelsmith.io.format_marks import head
from qrelsmith.io.json_rows import Fields, first_text, json_rows
from qrelsmith.io.text import FilePath, read_bytes

_NEEDED = ("tasks", "evaluations")


def is_mtrag(fields: Mapping[str, Any]) -> bool:
    """Return whether an object has MTRAG's format."""
    return all(isinstance(fields.get(name), list) for name in _NEEDED)


def read_mtrag(path: FilePath) -> Fields | None:
    """Read the object of an MTRAG file; return None for other files."""
    rows = list(json_rows(path))
    return rows[0][1] if len(rows) == 1 and is_mtrag(rows[0][1]) else None


def is_mtrag_file(path: FilePath) -> bool:
    """Detect from its content whether a file has MTRAG's format."""
    first = head(path).lstrip()[:1]
    return first == b"{" and b'"evaluations"' in read_bytes(path) and read_mtrag(path) is not None


def mtrag_answers(fields: Fields) -> Iterator[SystemAnswer]:
    """Yield the answers, each as one sentence without citations."""
    tasks = {first_text(task, "task_id"): task for task in fields["tasks"]}
    texts = {
        first_text(doc, "document_id"): first_text(doc, "text")
        for doc in fields.get("documents", ())
    }
    for evaluation in fields["evaluations"]:
        task = tasks.get(first_text(evaluation, "task_id"), {})
        docs = [first_text(doc, "document_id") for doc in task.get("contexts", ())]
        yield SystemAnswer(
            topic=first_text(evaluation, "task_id"),
            run=first_text(evaluation, "model_id"),
            sentences=(Sentence(first_text(evaluation, "model_response")),),
            references=tuple(docs),
            turns=tuple(
                Turn(first_text(turn, "speaker"), first_text(turn, "text"))
                for turn in task.get("input", ())
            ),
            contexts=tuple(texts.get(doc, "") for doc in docs),
        )
