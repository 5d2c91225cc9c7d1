"""Table 1: the sizes of the paper's own data."""

from __future__ import annotations

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.www3 import (
    MISSING,
    SUBTASKS,
    PaperCollection,
    own_files,
    paper_collection,
)

_KEY = "table1"
_TITLE = "Table 1: the original data"
_ROWS = ("topics", "assessors a topic", "docs", "grades", "runs")
# The pool depths, 30 and 15, are of the pools: labels do not tell them.
_PUBLISHED = {"Chinese": (80, 3, 11_172, 4, 11), "English": (160, 8, 32_375, 3, 37)}


@PDP.add(_KEY, kind=ClaimKind.RECOMPUTED, reads=own_files)
def table1(inputs: StudyInputs) -> Section:
    """Topics, assessors, docs, grades and runs of NTCIR-15 WWW-3."""
    own = paper_collection(inputs)
    if own is None:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    here = {subtask: _sizes(own, subtask) for subtask in SUBTASKS}
    rows: list[tuple[Cell, ...]] = [
        (subtask, what, printed, counted)
        for subtask in SUBTASKS
        for what, printed, counted in zip(_ROWS, _PUBLISHED[subtask], here[subtask], strict=True)
    ]
    columns = ("subtask", "what", "published", "recomputed")
    return Section(
        key=_KEY,
        title=_TITLE,
        tables=(NamedTable(_KEY, "Published and recomputed", Table.of(columns, rows)),),
        findings=tuple(
            claim(
                here[subtask] == _PUBLISHED[subtask],
                f"The paper: {_sizes_text(_PUBLISHED[subtask])} in the {subtask} subtask. Here"
                f" {_sizes_text(here[subtask])}.",
                section=_KEY,
                any_size=True,
            )
            for subtask in SUBTASKS
        ),
    )


def _sizes(own: PaperCollection, subtask: str) -> tuple[int, ...]:
    """The numbers of a subtask in the order of the rows; assessors of the topic with most."""
    labels, runs = own.original(subtask), len(own.runs(subtask))
    if labels is None:
        return (0, 0, 0, 0, runs)
    sat = set(zip(labels.topic.tolist(), labels.assessor.tolist(), strict=True))
    docs = set(zip(labels.topic.tolist(), labels.doc.tolist(), strict=True))
    topics = [topic for topic, _ in sat]
    most = max(map(topics.count, set(topics)))
    return len(set(topics)), most, len(docs), len({*labels.grade[labels.grade >= 0]}), runs


def _sizes_text(sizes: tuple[int, ...]) -> str:
    return ", ".join(f"{size:,} {what}" for size, what in zip(sizes, _ROWS, strict=True))
