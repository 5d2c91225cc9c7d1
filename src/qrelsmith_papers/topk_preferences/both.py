"""Both collections, as far as they are there."""

from __future__ import annotations

from pathlib import Path

from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.topk_preferences import cast2019, dl2021
from qrelsmith_papers.topk_preferences.collection import TopkCollection

MISSING = f"the data sets {cast2019.FOLDER} or {dl2021.FOLDER} in the folder that --data names"
RUNS = (
    "The 42 automatic runs of TREC CAsT 2019 that the paper evaluates are not public. CAsT 2019 is"
    " here with seven runs that re-rank with BERT and are no submissions, of which little can be"
    " told; DL 2021 is another collection, with all its 63 runs, on which the paper's conclusions"
    " are looked at."
)


def collections(inputs: StudyInputs) -> list[TopkCollection]:
    """CAsT 2019 and DL 2021, those that are there."""
    return [one for one in (cast2019.cast2019(inputs), dl2021.dl2021(inputs)) if one is not None]


def files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """The files that an artefact on both collections reads."""
    return (*cast2019.files_read(inputs), *dl2021.files_read(inputs))
