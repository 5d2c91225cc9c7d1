"""Exports of annotation tools: Potato, doccano, Argilla and Prodigy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.forms.column_names import columns_for, plain, synonyms_of
from qrelsmith.forms.grades import grades_of
from qrelsmith.forms.records import Records, cell_text
from qrelsmith.forms.registry import FORMS, FormTable, Looked, form_table, object_list

_KINDS = ("qrels", "judgments")
# Possible separators of topic and doc in item names; the first that fits all items is used.
_BETWEEN = ("<::>", "::", "|||", "||", "|", "\t", "__", " ", ":", "/", "_", "-")


@FORMS.add("potato", kinds=_KINDS, about="https://github.com/davidjurgens/potato")
def potato(looked: Looked) -> FormTable | None:
    """Read Potato's `label_annotations`, or its columns `SCHEMA:::LABEL`, for each instance."""
    records = looked.records
    if records is None:
        return None
    labels = records.column("label_annotations", "annotations", "annotation")
    columns = [name for name in records.names if ":::" in name]
    instance = records.column("instance_id", "id")
    if instance is None or (labels is None and not columns):
        return None
    if labels is not None and not all(isinstance(each, dict) for each in labels):
        return None
    if labels is None:
        labels = [_schemas(records, columns, row) for row in range(len(records))]
    values = [_answer(each, records.lines[row], looked) for row, each in enumerate(labels)]
    users = records.column("user_id", "user", "annotator", "username")
    return _labels(looked, records, values, users, items=instance)


@FORMS.add("doccano", kinds=_KINDS, about="https://doccano.github.io/doccano/")
def doccano(looked: Looked) -> FormTable | None:
    """Read doccano's `annotations` of several users, each with a label and an account."""
    records = looked.records
    found = None if records is None else records.column("annotations")
    if records is None or found is None:
        return None
    given = [object_list(each) for each in found]
    if not any({"label", "user"} <= one.keys() for each in given for one in each):
        return None
    return _answers(
        looked, records, [[(one.get("label"), one.get("user")) for one in each] for each in given]
    )


@FORMS.add(
    "argilla", kinds=_KINDS, about="https://docs.argilla.io/latest/how_to_guides/import_export/"
)
def argilla(looked: Looked) -> FormTable | None:
    """Read Argilla's responses from records, a hub dataset, or version 1 exports."""
    records = looked.records
    if records is None:
        return None
    responses = records.cells.get("responses")
    if responses is not None and any(isinstance(row, dict | list) for row in responses):
        answers = [dict(_by_question(row)) for row in responses]
    else:
        answers = _of_hub(records)
    questions = sorted({question for row in answers for question in row})
    if not questions:
        return None
    question = _question(questions, looked)
    return _answers(looked, records, [row.get(question, []) for row in answers])


@FORMS.add("prodigy", kinds=_KINDS, about="https://prodi.gy/docs/api-interfaces")
def prodigy(looked: Looked) -> FormTable | None:
    """Read Prodigy's answers: the accepted choice, or 1 and 0 for a binary label."""
    records = looked.records
    answers = None if records is None else records.column("answer")
    if records is None or answers is None:
        return None
    if any(answer not in ("accept", "reject", "ignore") for answer in answers):
        return None
    chosen, labels = records.column("accept"), records.column("label")
    if chosen is None and labels is None:
        return None
    values: list[object] = []
    for row, answer in enumerate(answers):
        if answer == "ignore" or (chosen is not None and answer == "reject"):
            values.append("")
        elif chosen is not None:
            values.append(chosen[row])
        else:
            values.append("1" if answer == "accept" else "0")
    users = records.column("_annotator_id", "_session_id")
    return _labels(looked, records, values, users)


def _answers(
    looked: Looked, records: Records, answers: Sequence[Sequence[tuple[object, object]]]
) -> FormTable:
    """Return the labels of records, each of which has a list of values and users."""
    places = [row for row, each in enumerate(answers) for _ in each]
    cells = {name: [column[row] for row in places] for name, column in records.cells.items()}
    spread = Records(records.form, cells, [records.lines[row] for row in places])
    values = [value for each in answers for value, _ in each]
    users = [user for each in answers for _, user in each]
    return _labels(looked, spread, values, users)


def _labels(
    looked: Looked,
    records: Records,
    values: Sequence[object],
    users: Sequence[object] | None,
    *,
    items: Sequence[object] | None = None,
) -> FormTable:
    """Return labels of records; topic and doc are columns, or parts of the item name."""
    grades = grades_of(values, records.lines, looked)
    taken = columns_for(("topic", "doc"), records.names, named=looked.named, path=looked.path)
    if {"topic", "doc"} <= taken.keys():
        ids = list(zip(records.texts(taken["topic"]), records.texts(taken["doc"]), strict=True))
    elif items is not None and (split := _split([cell_text(each) for each in items])):
        ids, between = split
        taken = dict.fromkeys(("topic", "doc"), f"the id of the item, at {quoted(between)}")
    else:
        missing = [role for role in ("topic", "doc") if role not in taken]
        raise InputError(
            f"the columns {quoted(', '.join(records.names))} contain no "
            f"{' and no '.join(missing)}; expected a column with one of these names: "
            f"{', '.join(synonyms_of(missing[0])[:4])}, …. Name them with --columns "
            f"{','.join(f'{role}=NAME' for role in missing)}",
            path=looked.path,
        )
    used = dict(taken)
    taken = {**taken, "grade": "the answers"}
    who = [] if users is None else [cell_text(user) for user in users]
    if who and all(who):
        taken["assessor"] = "the account"
    else:
        who = []
    rows, lines = [], []
    for row, grade in enumerate(grades):
        if grade:
            rows.append((*ids[row], grade, *who[row : row + 1]))
            lines.append(records.lines[row])
    left = len(grades) - len(rows)
    notes = [f"items without an answer are ignored: {left}"] if left else []
    ignored = [name for name in records.names if name not in used.values()]
    return form_table(
        looked, rows, taken, lines=lines, notes=notes, ignored=ignored, unit=records.unit
    )


def _split(items: Sequence[str]) -> tuple[list[tuple[str, str]], str] | None:
    """Split item names into topic and doc, and also return the common separator."""
    for between in _BETWEEN:
        parts = [item.split(between) for item in items]
        if items and all(len(part) == 2 and all(part) for part in parts):
            return [(topic, doc) for topic, doc in parts], between
    return None


def _schemas(records: Records, columns: Sequence[str], row: int) -> dict[str, object]:
    """Return Potato's answers in a CSV row in the layout of its JSON: {schema: {label: value}}."""
    found: dict[str, dict[str, object]] = {}
    for name in columns:
        schema, _, label = name.partition(":::")
        found.setdefault(schema, {})[label] = records.cells[name][row]
    return dict(found)


def _answer(schemas: object, line: int, looked: Looked) -> object:
    """Return the answer to Potato's only question, or to the question that asks for the grade."""
    held = schemas if isinstance(schemas, dict) else {}
    if not held:
        return ""
    return held[_question(list(held), looked, line=line)]


def _question(questions: Sequence[str], looked: Looked, *, line: int | None = None) -> str:
    """Return the question that asks for the grade."""
    if looked.named.get("grade") in questions:
        return looked.named["grade"]
    named = [name for name in questions if plain(name) in synonyms_of("grade")]
    asking = named if len(named) == 1 else list(questions)
    if len(asking) != 1:
        raise InputError(
            f"the questions are {quoted(', '.join(questions))}; expected one. Name the "
            "question that asks for the grade with --columns grade=NAME",
            path=looked.path,
            line=line,
        )
    return asking[0]


def _by_question(responses: object) -> Iterator[tuple[str, list[tuple[object, object]]]]:
    """Yield the responses to each question of an Argilla record, as values with their users."""
    if isinstance(responses, dict):
        for question, given in responses.items():
            yield question, _user_values(given)
        return
    answers: dict[str, list[tuple[object, object]]] = {}
    for one in object_list(responses):
        values = one.get("values")
        if _counts(one) and isinstance(values, dict):
            for question, value in values.items():
                answers.setdefault(question, []).append((value, one.get("user_id")))
    yield from answers.items()


def _of_hub(records: Records) -> list[dict[str, list[tuple[object, object]]]]:
    """Return Argilla's answers from a hub dataset, which has columns for each question."""
    answers: list[dict[str, list[tuple[object, object]]]] = [{} for _ in range(len(records))]
    for name in records.names:
        for row, cell in enumerate(records.cells[name]):
            if f"{name}-suggestion" in records.cells or _is_of_lists(cell):
                answers[row][name] = _user_values(cell)
            elif name.endswith(".responses") and isinstance(cell, list):
                users = records.cells.get(f"{name}.users", [[]] * len(records))[row]
                states = records.cells.get(f"{name}.status", [[]] * len(records))[row]
                answers[row][name.removesuffix(".responses")] = _submitted_values(
                    cell, users, states
                )
    return answers


def _submitted_values(
    values: Sequence[object], users: object, states: object
) -> list[tuple[object, object]]:
    """Return the submitted values with their users."""
    who = users if isinstance(users, list) else []
    how = states if isinstance(states, list) else []
    return [
        (value, who[place] if place < len(who) else "")
        for place, value in enumerate(values)
        if place >= len(how) or how[place] == "submitted"
    ]


def _is_of_lists(cell: object) -> bool:
    """Return whether a cell has answers in the layout of `datasets`: a list for each field."""
    return isinstance(cell, dict) and {"user_id", "value", "status"} <= cell.keys()


def _user_values(answers: object) -> list[tuple[object, object]]:
    """Return the values of submitted answers, with their users."""
    if isinstance(answers, dict) and _is_of_lists(answers):
        columns = [answers[name] for name in ("value", "user_id", "status")]
        if all(isinstance(column, list) for column in columns):
            return _submitted_values(*columns)
    return [(one.get("value"), one.get("user_id")) for one in object_list(answers) if _counts(one)]


def _counts(response: Mapping[str, object]) -> bool:
    return response.get("status", "submitted") == "submitted"
