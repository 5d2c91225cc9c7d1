"""TREC CAsT 2019: the paper's own judgments, with other runs than the paper's."""

from __future__ import annotations

from pathlib import Path

from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.topk_preferences.collection import (
    Folder,
    PreferredDocs,
    TopkCollection,
    docs_above,
)

FOLDER = "trec-cast-2019"
NAME = "CAsT 2019"
MISSING = f"the data set {FOLDER}: a folder of that name in the one that --data names"
_QRELS = ("graded.qrels", "combined.qrels", "local-best.qrels")
_TOP_GRADE = 4


def cast2019(inputs: StudyInputs) -> TopkCollection | None:
    """The collection, None if it is not there.

    The crowd's top docs are those that the authors' released qrels raise above the grades.
    """
    path = inputs.folder(FOLDER)
    if path is None:
        return None
    folder = Folder(path)
    graded, combined, local = (read_qrels(folder.file(name)) for name in _QRELS)
    crowd = PreferredDocs("crowd", combined, docs_above(combined, _TOP_GRADE, name="crowd"))
    return TopkCollection(NAME, graded, (crowd,), (("research team", local),), folder.runs())


def files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """The files that an artefact on this collection reads."""
    path = inputs.folder(FOLDER)
    if path is None:
        return ()
    folder = Folder(path)
    return (*map(folder.file, _QRELS), *folder.runs())
