"""TREC CAsT 2019: the paper's own judgments, with other runs than the paper's."""

from __future__ import annotations

from pathlib import Path

from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.wanted import WantedFile, WantedFolder
from qrelsmith_papers.topk_preferences.collection import (
    Folder,
    PreferredDocs,
    TopkCollection,
    docs_above,
)
from qrelsmith_papers.topk_preferences.published import RUNS

FOLDER = "trec-cast-2019"
NAME = "CAsT 2019"
MISSING = f"the data set {FOLDER}: a folder of that name in the one that --data names"
_QRELS = ("graded.qrels", "combined.qrels", "local-best.qrels")
_TOP_GRADE = 4
WANTED = WantedFolder(
    FOLDER,
    "TREC CAsT 2019 as the authors released it. The 42 automatic runs are not public: with fewer,"
    " what the paper says of runs is held against TREC DL 2021 alone.",
    (
        WantedFile(
            "graded.qrels", "TREC's qrels, grades 0 to 4: Table 2, the counts, Figures 5, 8"
        ),
        WantedFile("combined.qrels", "the crowd's top five at 10 to 50 above the grades"),
        WantedFile("local-best.qrels", "the research team's best answer: Figure 7"),
        WantedFile(
            "runs/*.run*", f"TREC's runs; from {RUNS} on: Tables 1 and 3, Figures 4, 9 to 11"
        ),
    ),
    marks=("local-best.qrels",),
)


def cast2019(inputs: StudyInputs) -> TopkCollection | None:
    """Return the collection, None if it is not there.

    The crowd's top docs are those that the authors' released qrels raise above the grades.
    """
    path = inputs.folder(FOLDER, holds=WANTED.marks)
    if path is None:
        return None
    folder = Folder(path)
    graded, combined, local = (read_qrels(folder.file(name)) for name in _QRELS)
    crowd = PreferredDocs("crowd", combined, docs_above(combined, _TOP_GRADE, name="crowd"))
    runs = folder.runs()
    return TopkCollection(
        NAME,
        graded,
        (crowd,),
        (("research team", local),),
        runs,
        ClaimKind.RECOMPUTED,
        has_systems=len(runs) >= RUNS,
    )


def files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """Return the files that an artefact on this collection reads."""
    path = inputs.folder(FOLDER, holds=WANTED.marks)
    if path is None:
        return ()
    folder = Folder(path)
    return (*map(folder.file, _QRELS), *folder.runs())
