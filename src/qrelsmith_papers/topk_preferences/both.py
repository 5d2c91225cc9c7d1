"""Both collections, as far as they are there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.topk_preferences import cast2019, dl2021
from qrelsmith_papers.topk_preferences.collection import TopkCollection
from qrelsmith_papers.topk_preferences.published import RUNS

MISSING = f"the data sets {cast2019.FOLDER} or {dl2021.FOLDER} in the folder that --data names"


def collections(inputs: StudyInputs) -> list[TopkCollection]:
    """CAsT 2019 and DL 2021, those that are there."""
    return [one for one in (cast2019.cast2019(inputs), dl2021.dl2021(inputs)) if one is not None]


def runs_text(there: Sequence[TopkCollection]) -> str:
    """The runs of each collection, and on which of them the paper's conclusions are looked at."""
    shown = [
        f"{data.name} is here with {len(data.run_files)} runs"
        + ("" if data.has_systems else ", fewer than the paper's, of which little can be told")
        for data in there
    ]
    looked = [data.name for data in there if data.has_systems]
    return (
        f"The paper evaluates {RUNS} automatic runs of TREC CAsT 2019. {'; '.join(shown)}."
        f" Conclusions about runs are looked at on {' and '.join(looked) or 'none of them'}."
    )


def kind_of_runs(inputs: StudyInputs) -> ClaimKind:
    """Return the kind of what is told of runs: the paper's conclusions need as many as it has."""
    own = cast2019.cast2019(inputs)
    whole = own is not None and own.has_systems
    return ClaimKind.RECOMPUTED if whole else ClaimKind.OTHER_DATA


def files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """Return the files that an artefact on both collections reads."""
    return (*cast2019.files_read(inputs), *dl2021.files_read(inputs))
