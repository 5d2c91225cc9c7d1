"""Judgments as columns of text, and the combined judgments of several files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.items import item_parts
from qrelsmith.io.cells import number_texts
from qrelsmith.io.text import FilePath
from qrelsmith.io.times import time_texts
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_tables import COLUMNS, IDS, NUMBERS, TIMES


def judgment_cells(judgments: Judgments) -> dict[str, list[str]]:
    """Return the columns of a judgments file as text, without empty optional columns."""
    columns: dict[str, list[str]] = {}
    for name in IDS:
        ids = getattr(judgments, f"{name}s")
        ids = [item_parts(key)[0] for key in ids] if name == "doc" else ids
        columns[name] = [ids[place] for place in getattr(judgments, name).tolist()]
    columns["grade"] = number_texts(judgments.grade)
    for name in COLUMNS.optional:
        column = getattr(judgments, name)
        if column is None:
            continue
        if name in TIMES:
            texts = list(time_texts(column))
        else:
            texts = number_texts(column) if name in NUMBERS else list(column)
        if any(texts):
            columns[name] = texts
    return columns


def join_labels(labels: Mapping[str, Judgments], files: Mapping[str, FilePath]) -> Judgments:
    """Return the judgments of several files, with each file as a group of assessors.

    Parameters
    ----------
    labels : mapping of str to Judgments
        The judgments by the name of their file. Judgments without a group get this name as the
        group, unless an assessor is in several files.
    files : mapping of str to path
        The files, for error messages.

    Raises
    ------
    InputError
        If two files contain labels by one assessor for one doc.
    """
    _check_distinct(labels, files)
    shared = Counter(who for judgments in labels.values() for who in judgments.assessors)
    is_group = max(shared.values(), default=1) == 1
    columns: dict[str, list[object]] = {name: [] for name in COLUMNS.names}
    for name, judgments in labels.items():
        cells = judgment_cells(judgments)
        if is_group:
            cells["group"] = [group or name for group in cells.get("group", [""] * len(judgments))]
        for column, joined in columns.items():
            joined.extend(cells.get(column, [""] * len(judgments)))
    return Judgments.from_columns(columns)


def _check_distinct(labels: Mapping[str, Judgments], files: Mapping[str, FilePath]) -> None:
    first: dict[tuple[str, str, str], str] = {}
    for name, judgments in labels.items():
        codes = (judgments.topic.tolist(), judgments.doc.tolist(), judgments.assessor.tolist())
        for topic, doc, who in zip(*codes, strict=True):
            judged = judgments.topics[topic], judgments.docs[doc], judgments.assessors[who]
            if first.setdefault(judged, name) != name:
                raise InputError(
                    f"the assessor {quoted(judged[2])} also labels topic {quoted(judged[0])} doc"
                    f" {quoted(item_parts(judged[1])[0])} in {files[first[judged]]}; "
                    "expected different assessors or docs",
                    path=files[name],
                )
