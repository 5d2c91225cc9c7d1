"""Judgments in the annotated tasks of Label Studio."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.forms.column_names import columns_for, synonyms_of
from qrelsmith.forms.grades import grade_of_choice
from qrelsmith.io.table_reading import has_control

# The result with the grade, if a task asks for several.
GRADE = "grade"
# The columns of an annotation's row.
NAMES = ("topic", "doc", "assessor", "grade", "judged_at", "active_ms", "note")


def other_results(tasks: Any) -> list[str]:
    """Return the types of the tasks' results if no type can contain a grade, else an empty list."""
    types = {
        str(result.get("type"))
        for task in tasks
        if isinstance(task, Mapping) and isinstance(task.get("annotations"), list)
        for annotation in task["annotations"]
        if isinstance(annotation, Mapping) and isinstance(annotation.get("result"), list)
        for result in annotation["result"]
        if isinstance(result, Mapping)
    }
    return [] if types & {"choices", "rating", "number"} else sorted(types)


def annotation_rows(task: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each annotation that was not cancelled, in the order of `NAMES`.

    Raises
    ------
    UsageError
        If the task does not name topic and doc, or an annotation is malformed.
    """
    data = task["data"]
    topic, doc = _id(data, "topic"), _id(data, "doc")
    if "annotations" not in task and "completions" in task:
        raise UsageError(
            "the task has completions, the format before Label Studio 1.0; expected annotations"
        )
    for annotation in task.get("annotations") or ():
        cancelled = annotation.get("was_cancelled")
        if not isinstance(cancelled, bool | None):
            raise UsageError(f"was_cancelled is {quoted(cancelled)}; expected true or false")
        if cancelled:
            continue
        grades = list(_grades(annotation["result"]))
        if len(grades) != 1:
            raise UsageError(f"an annotation has {len(grades)} grades; expected one")
        seconds = annotation.get("lead_time")
        if seconds is not None and _number(seconds, "lead_time") < 0:
            raise UsageError(f"the lead_time is {quoted(seconds)}; expected seconds, 0 or more")
        yield (
            topic,
            doc,
            _assessor(annotation.get("completed_by")),
            grades[0],
            _text(annotation.get("created_at") or "", "created_at"),
            "" if seconds is None else str(round(seconds * 1000)),
            "\n".join(_notes(annotation["result"])),
        )


def _id(data: Mapping[str, Any], role: str) -> str:
    """Return the id of the topic or doc from a task's data, found by possible column names."""
    name = columns_for((role,), list(data), path="").get(role)
    text = None if name is None else data[name]
    if not isinstance(text, str) or not text:
        raise UsageError(
            f"found no {role} among the fields {quoted(', '.join(data))}; expected a text under"
            f" {', '.join(synonyms_of(role)[:5])}, …"
        )
    return _name(text, role)


def _assessor(who: object) -> str:
    """Return the name, email or id of the account that created an annotation."""
    if isinstance(who, Mapping):
        who = who.get("email") or who.get("id")
    if isinstance(who, bool) or not isinstance(who, int | str) or who == "":
        raise UsageError(f"completed_by is {quoted(who)}; expected the annotator's account")
    return _name(str(who), "account")


def _grades(result: list[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the grades of an annotation, only from results named `grade` if there are any."""
    named = [item for item in result if item.get("from_name") == GRADE]
    for item in named or result:
        value = item["value"]
        if item["type"] == "choices":
            choices = value["choices"]
            for choice in choices if isinstance(choices, list) else [choices]:
                yield _grade_of(choice, is_named=bool(named))
        elif item["type"] in ("rating", "number"):
            yield grade_text(_number(value[item["type"]], item["type"]))


def _grade_of(choice: object, *, is_named: bool) -> str:
    if isinstance(choice, str):
        return grade_of_choice(choice, is_named=is_named)
    return grade_text(_number(choice, "choice"))


def _notes(result: list[Mapping[str, Any]]) -> Iterator[str]:
    for item in result:
        if item["type"] == "textarea":
            texts = item["value"]["text"]
            for text in [texts] if isinstance(texts, str) else texts:
                yield _text(text, "textarea")


def _number(value: object, what: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value):  # type: ignore[arg-type]
        raise UsageError(f"the {what} is {quoted(value)}; expected a finite number")
    return float(value)  # type: ignore[arg-type]


def _name(text: str, what: str) -> str:
    if has_control(text):
        raise UsageError(
            f"the {what} is {quoted(text)}; expected a name without control characters"
        )
    return _text(text, what)


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise UsageError(f"the {what} is {quoted(value)}; expected text")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(f"the {what} {quoted(value)} contains an unpaired surrogate") from None
    return value
