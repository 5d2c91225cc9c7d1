"""Topics in special JSON formats: HC4, NeuCLIR, conversations of CAsT and MTRAG, {id: text}."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qrelsmith.forms.column_names import columns_for, topic_fields
from qrelsmith.forms.records import Records, cell_text
from qrelsmith.forms.registry import FORMS, FormTable, Looked, object_list
from qrelsmith.forms.tables import topics_table

_KINDS = ("topics",)
_NEUCLIR = {"topic_title": "title", "topic_description": "description"}
_NEUCLIR["topic_narrative"] = "narrative"
_SAID = ("utterance", "raw_utterance", "text", "content", "question")
_REWRITTEN = (
    "resolved_utterance", "manual_rewritten_utterance", "automatic_rewritten_utterance",
)  # fmt: skip


@FORMS.add("neuclir", kinds=_KINDS, about="https://huggingface.co/datasets/neuclir/neuclir1")
def neuclir(looked: Looked) -> FormTable | None:
    """Read topics of HC4 and NeuCLIR, with the text in English and fields for other languages."""
    records = looked.records
    found = None if records is None else records.cells.get("topics")
    if records is None or found is None or not all(isinstance(each, list) for each in found):
        return None
    objects: list[dict[str, object]] = []
    for row, versions in enumerate(found):
        rest = {name: records.cells[name][row] for name in records.names if name != "topics"}
        objects.append(
            _of_languages(object_list(versions)) | {n: v for n, v in rest.items() if v != ""}
        )
    return _table(objects, records.lines, looked)


@FORMS.add("cast", kinds=_KINDS, about="https://www.treccast.ai/")
def conversations(looked: Looked) -> FormTable | None:
    """Read each user turn of CAsT's and iKAT's conversations as a topic, such as 31_2.

    The description is the turn rewritten to be clear without the conversation. A turn that several
    paths of a conversation contain is read once.
    """
    records = looked.records
    turns = None if records is None else records.column("turn", "turns")
    numbers = None if records is None else records.column("number", "topic_id", "id")
    if records is None or turns is None or numbers is None:
        return None
    if not all(object_list(each) for each in turns):
        return None
    by_turn: dict[tuple[str, str], tuple[dict[str, object], int]] = {}
    for row, each in enumerate(turns):
        for turn in object_list(each):
            if str(turn.get("participant", "user")).lower() != "user":
                continue
            place = turn.get("number", turn.get("turn_id", ""))
            topic, title = f"{cell_text(numbers[row])}_{cell_text(place)}", _words(turn, _SAID)
            rewritten = _words(turn, _REWRITTEN)
            fields: dict[str, object] = {"topic": topic, "title": title}
            if rewritten not in ("", title):
                fields["description"] = rewritten
            by_turn.setdefault((topic, title), (fields, records.lines[row]))
    objects = [fields for fields, _ in by_turn.values()]
    return _table(objects, [line for _, line in by_turn.values()], looked)


@FORMS.add("mtrag-tasks", kinds=_KINDS, about="https://github.com/IBM/mt-rag-benchmark")
def conversation_tasks(looked: Looked) -> FormTable | None:
    """Read MTRAG's tasks, with the last turn as title and the conversation as description."""
    records = looked.records
    turns = None if records is None else records.column("input")
    ids = None if records is None else records.column("task_id")
    if (
        records is None
        or turns is None
        or ids is None
        or not all(object_list(each) for each in turns)
    ):
        return None
    objects: list[dict[str, object]] = []
    for row, each in enumerate(turns):
        said = object_list(each)
        lines = [f"{cell_text(turn.get('speaker'))}: {_words(turn, _SAID)}" for turn in said]
        fields: dict[str, object] = {"topic": ids[row], "title": _words(said[-1], _SAID)}
        objects.append(fields | {"description": "\n\n".join(lines) if len(lines) > 1 else ""})
    return _table(objects, records.lines, looked)


@FORMS.add("json-topics", kinds=_KINDS, about="https://www.rfc-editor.org/rfc/rfc8259")
def named_topics(looked: Looked) -> FormTable | None:
    """Read the topics of one object: {topic: text}, or {topic: {field: text}}."""
    topics = looked.document
    if not topics or not (
        all(isinstance(each, str) for each in topics.values())
        or all(isinstance(each, dict) for each in topics.values())
    ):
        return None
    names = list(topics)
    if topic_fields(names) or columns_for(("doc_id",), names, path=looked.path):
        return None  # a single topic or doc in JSONL
    objects = [
        {"topic": topic, **(held if isinstance(held, dict) else {"title": held})}
        for topic, held in topics.items()
    ]
    return _table(objects, [1] * len(objects), looked)


def _of_languages(versions: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return the fields of a topic in English or its first language, and in other languages."""
    ranked = sorted(
        versions,
        key=lambda each: (each.get("lang") not in ("eng", "en"), each.get("source") != "original"),
    )
    fields: dict[str, object] = {}
    for place, version in enumerate(ranked):
        for name, text in version.items():
            field = _NEUCLIR.get(name, name.removeprefix("topic_"))
            if name in ("lang", "source") or not isinstance(text, str):
                continue
            fields.setdefault(f"{field}_{version.get('lang')}" if place else field, text)
    return fields


def _words(turn: Mapping[str, object], names: Sequence[str]) -> str:
    return next((cell_text(turn[name]) for name in names if turn.get(name)), "")


def _table(
    objects: Sequence[Mapping[str, object]], lines: Sequence[int], looked: Looked
) -> FormTable | None:
    names = dict.fromkeys(name for fields in objects for name in fields)
    cells = {name: [fields.get(name, "") for fields in objects] for name in names}
    return topics_table(Records("json", cells, lines), looked)
