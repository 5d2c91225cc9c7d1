"""Aspects of other programs: nuggetizer, AutoJudge's nugget banks, DRAGUN's rubrics, tables."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from qrelsmith.answers.answer_tables import TOPIC, cell_items, table_rows
from qrelsmith.base.errors import InputError, InputNote, quoted
from qrelsmith.forms.column_names import plain
from qrelsmith.io.format_marks import head
from qrelsmith.io.json_rows import Fields, first_text, text_of
from qrelsmith.io.parquet import is_parquet
from qrelsmith.io.table_reading import first_data_line
from qrelsmith.io.text import FilePath

Row = tuple[int, dict[str, str]]
# Names of columns in tables of aspects; the first existing name is used.
_COLUMNS = {
    "topic": "topic topic_id topicid qid query_id queryid narrative_id request_id query",
    "aspect": "aspect aspect_id nugget_id criterion_id id name",
    "kind": "kind type aspect_kind aspect_type",
    "text": "text description statement question definition",
    "importance": "importance weight",
    "parent": "parent parent_id",
}
# Importance of a rubric's question in DRAGUN, such as "A: Have to Know".
_DRAGUN = {"A": "4", "B": "2", "C": "1"}


def foreign_aspects(path: FilePath) -> Sequence[Row] | None:
    """Return line number and fields of another program's aspects, or None for unknown formats."""
    line = first_data_line(head(path).decode("utf-8", "replace"))
    if line is None or is_parquet(path):
        return None
    rows: list[Row] = []
    counts: Counter[str] = Counter()
    for number, fields in table_rows(path, line):
        reader = next((read for key, read in _READERS.items() if key in fields), None)
        if reader is None:
            return _rename_columns(path, line)
        try:
            for row in reader(fields):
                counts[row["topic"]] += 1
                rows.append(
                    (number, row | {"aspect": row["aspect"] or nugget_id(counts[row["topic"]])})
                )
        except (AttributeError, TypeError, KeyError) as error:
            raise InputError(
                f"{quoted(fields)} cannot be read: {error}", path=path, line=number
            ) from None
    return rows


def aspect_columns(names: Sequence[str]) -> dict[str, str]:
    """Map the standard columns of aspects to a file's columns; return {} for other tables.

    >>> aspect_columns(["qid", "name", "type", "description"])
    {'topic': 'qid', 'aspect': 'name', 'kind': 'type', 'text': 'description'}
    >>> aspect_columns(["qid", "type"])
    {}
    """
    plain_names = {plain(name): name for name in reversed(names)}
    taken: dict[str, str] = {}
    for role, synonyms in _COLUMNS.items():
        found = (plain_names[each] for each in synonyms.split() if each in plain_names)
        name = next((each for each in found if each not in taken.values()), None)
        if name is not None:
            taken[role] = name
    return taken if taken.keys() >= {"aspect", "kind", "text"} else {}


def _rename_columns(path: FilePath, line: str) -> Sequence[Row] | None:
    """Return the aspects of a table with non-standard column names, and note the names used."""
    rows = list(table_rows(path, line))
    names = list(dict.fromkeys(name for _, fields in rows for name in fields))
    taken = aspect_columns(names)
    if not taken or all(role == name for role, name in taken.items()):
        return None
    ignored = [name for name in names if name not in taken.values()]
    note = ", ".join(f"{role} from {name}" for role, name in taken.items())
    note += f"; ignored: {', '.join(ignored)}" if ignored else ""
    warnings.warn(f"{path}: read as aspects: {note}", InputNote, stacklevel=2)
    return [
        (number, {role: first_text(fields, name) for role, name in taken.items()})
        for number, fields in rows
    ]


def nugget_id(place: int) -> str:
    """Return the id of a nugget: its position from 1, because nuggetizer's list has no ids."""
    return f"n{place}"


def _nuggetizer(fields: Fields) -> Iterator[dict[str, str]]:
    """Yield the nuggets of a list: text and importance."""
    for place, nugget in enumerate(cell_items(fields["nuggets"]), 1):
        yield {
            "topic": first_text(fields, *TOPIC),
            "aspect": first_text(nugget, "nugget_id", "id") or nugget_id(place),
            "kind": "nugget",
            "text": text_of(nugget) or first_text(nugget, "text", "nugget"),
            "importance": first_text(nugget, "importance"),
        }


def _nugget(fields: Fields) -> Iterator[dict[str, str]]:
    """Yield the nugget of a row; nuggets without ids are numbered within their topic."""
    yield {
        "topic": first_text(fields, *TOPIC),
        "aspect": first_text(fields, "nugget_id", "aspect"),
        "kind": "nugget",
        "text": first_text(fields, "nugget", "text"),
        "importance": first_text(fields, "importance"),
    }


def _nugget_bank(fields: Fields) -> Iterator[dict[str, str]]:
    """Yield the questions and claims of a nugget bank; the text includes the expected answers."""
    banks: dict[str, Any] = {**fields.get("nugget_bank", {}), **fields.get("claim_bank", {})}
    for text, nugget in banks.items():
        known = nugget.get("answers") or {}
        answers = list(known) if isinstance(known, dict | list) else []
        yield {
            "topic": first_text(fields, "query_id", "topic_id"),
            "aspect": first_text(nugget, "question_id", "claim_id", "nugget_id") or text,
            "kind": "nugget",
            "text": " ".join([text, *(f"[{each}]" for each in answers if isinstance(each, str))]),
            "importance": first_text(nugget, "importance"),
        }


def _dragun(fields: Fields) -> Iterator[dict[str, str]]:
    """Yield questions with weights 4, 2 or 1, and their expected answers."""
    topic = first_text(fields, "topic_id")
    for asked in fields["rubrics"]:
        name, grade = first_text(asked, "question_id"), first_text(asked, "importance")
        weight = _DRAGUN.get(grade[:1], grade) if not grade[:1].isdigit() else grade
        yield {
            "topic": topic, "aspect": name, "kind": "rubric", "importance": weight,
            "text": first_text(asked, "question", "question_text", "text"),
        }  # fmt: skip
        for answer in asked["short_answers"]:
            yield {
                "topic": topic, "aspect": first_text(answer, "answer_id"), "kind": "rubric",
                "text": first_text(answer, "answer", "short_answer", "text"), "parent": name,
            }  # fmt: skip


_READERS = {
    "nuggets": _nuggetizer, "nugget": _nugget, "nugget_bank": _nugget_bank, "rubrics": _dragun,
}  # fmt: skip
