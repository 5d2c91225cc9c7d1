"""The available collections, and artefacts computed from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import KindOfInputs, Made, StudyInputs
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences import cast2019, dl2021
from qrelsmith_papers.topk_preferences.collection import TopkCollection
from qrelsmith_papers.topk_preferences.published import RUNS

_MISSING = (
    f"the data sets {cast2019.CAST.wanted.name} or {dl2021.PASSAGES.wanted.name} in the folder that"
    " --data names"
)
_Make = Callable[[Sequence[TopkCollection]], Made]


def runs_text(there: Sequence[TopkCollection]) -> str:
    """Describe the runs of each collection, and where the paper's conclusions are checked."""
    shown = [
        f"{data.name} is here with {len(data.run_files)} runs"
        + ("" if data.has_systems else ", fewer than in the paper and too few for conclusions")
        for data in there
    ]
    looked = [data.name for data in there if data.has_systems]
    return (
        f"The paper evaluates {RUNS} automatic runs of TREC CAsT 2019. {'; '.join(shown)}."
        f" Conclusions about runs are checked on {' and '.join(looked) or 'none of them'}."
    )


def kind_of_runs(inputs: StudyInputs) -> ClaimKind:
    """Return the kind of results on runs; the paper's conclusions need enough runs."""
    own = cast2019.cast2019(inputs)
    whole = own is not None and own.has_systems
    return ClaimKind.RECOMPUTED if whole else ClaimKind.OTHER_DATA


def on_both(
    name: str, kind: ClaimKind | KindOfInputs = ClaimKind.RECOMPUTED, **about: Any
) -> Callable[[_Make], _Make]:
    """Register an artefact computed from the available collections."""

    def register(function: _Make) -> _Make:
        def make(inputs: StudyInputs) -> Made:
            both = (cast2019.cast2019(inputs), dl2021.dl2021(inputs))
            there = [one for one in both if one is not None]
            return function(there) if there else Made(missing=_MISSING)

        make.__doc__, make.__name__ = function.__doc__, function.__name__
        TOPK.add(name, kind=kind, reads=_files_read, **about)(make)
        return function

    return register


def _files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    return (*cast2019.CAST.read(inputs), *dl2021.PASSAGES.read(inputs))
