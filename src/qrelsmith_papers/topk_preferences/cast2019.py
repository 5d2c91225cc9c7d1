"""TREC CAsT 2019: the paper's judgments, with different runs."""

from __future__ import annotations

from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.wanted import WantedFile, WantedFolder
from qrelsmith_papers.data_files import DataSet, packed_or_not, run_files
from qrelsmith_papers.topk_preferences.collection import PreferredDocs, TopkCollection, docs_above
from qrelsmith_papers.topk_preferences.published import RUNS

NAME = "CAsT 2019"
_QRELS = ("graded.qrels", "combined.qrels", "local-best.qrels")
_TOP_GRADE = 4
CAST = DataSet(
    WantedFolder(
        "trec-cast-2019",
        "TREC CAsT 2019 as the authors released it. The 42 automatic runs are not public;"
        " with fewer runs, the paper's statements about runs are checked only on TREC DL 2021.",
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
    ),
    is_whole=True,
)


def cast2019(inputs: StudyInputs) -> TopkCollection | None:
    """Return the collection, or None if its data set is missing.

    The crowd's top docs are the docs that the authors' released qrels raise above the grades.
    """
    folder = CAST.folder(inputs)
    if folder is None:
        return None
    graded, combined, local = (read_qrels(packed_or_not(folder / name)) for name in _QRELS)
    crowd = PreferredDocs("crowd", combined, docs_above(combined, _TOP_GRADE, name="crowd"))
    runs = run_files(folder)
    return TopkCollection(
        NAME,
        graded,
        (crowd,),
        (("research team", local),),
        runs,
        ClaimKind.RECOMPUTED,
        has_systems=len(runs) >= RUNS,
    )
