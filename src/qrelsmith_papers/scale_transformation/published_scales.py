"""The paper's own labels, if available: S2, S4 and S100 on topics of TREC-8."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.judgments.label_transforms import transform_labels
from qrelsmith.judgments.published_labels import PublishedLabels, read_published
from qrelsmith.judgments.scale_operations import Reduction
from qrelsmith.studies.claims import ClaimKind, Held
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.wanted import WantedFile, WantedFolder
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.data_files import DataSet, packed_or_not

E = TypeVar("E")

FILES = {2: "S2.csv", 4: "S4.csv", 101: "S100.csv"}
_COLUMN_OF_EXPERT = {2: "trec", 4: "sormunen"}
_DEPTH = 10
CROWDS = DataSet(
    WantedFolder(
        "trec8-crowd-scales",
        "The crowds' labels of 18 topics of TREC-8 on three scales, with both experts. All three"
        " files are needed.",
        (
            *(
                WantedFile(
                    name, "the published columns; what is computed from all three: every artefact"
                )
                for name in FILES.values()
            ),
            WantedFile("runs/*", "the runs of TREC-8: Table 4"),
        ),
        marks=("S2.csv", "S4.csv"),
    ),
    needs=tuple(FILES.values()),
)


class PublishedLabelFiles:
    """The labels of a folder.

    Parameters
    ----------
    folder : Path
        The folder of the data set.
    digest : str
        The digest of its content when the work was planned.

    Raises
    ------
    InputError
        If the files have changed.
    """

    def __init__(self, folder: Path, digest: str) -> None:
        super().__init__()
        CROWDS.check(folder, digest)
        self._folder = folder
        self._labels: dict[int, PublishedLabels] = {}

    @cached_property
    def runs(self) -> Sequence[Run]:
        """The systems."""
        return [read_run(path, depth=_DEPTH) for path in system_files(self._folder)]

    def crowd(self, levels: int) -> Judgments:
        """Return the labels of the crowd with this number of levels."""
        (judgments,) = self._read_file(levels).judgments.values()
        return judgments

    def expert(self, levels: int) -> Qrels:
        """Return the judgments of the expert with this number of levels."""
        column = _COLUMN_OF_EXPERT[levels]
        labels = self._read_file(max(FILES)).experts[column]
        return labels if levels > 2 else transform_labels(labels, Reduction(1.0), source=None)

    def _read_file(self, levels: int) -> PublishedLabels:
        if levels not in self._labels:
            path = packed_or_not(self._folder / FILES[levels])
            self._labels[levels] = read_published(path, gold_labels="drop")
        return self._labels[levels]


def kind_of_scales(inputs: StudyInputs) -> ClaimKind:
    """Return the kind of numbers computed from the crowds' labels."""
    return ClaimKind.SIMULATED if CROWDS.folder(inputs) is None else ClaimKind.RECOMPUTED


of_crowds = partial(SCALES.add, kind=kind_of_scales, reads=CROWDS.read)
"""Registers an artefact computed from the crowds' labels"""


def hold(inputs: StudyInputs, evidence: E, of: str = "") -> Held[E]:
    """Return evidence from the crowds' labels."""
    kind = kind_of_scales(inputs)
    name = "the simulated labels" if kind is ClaimKind.SIMULATED else "the paper's labels"
    return Held(name, kind, evidence, of)


def system_files(folder: Path) -> list[Path]:
    """Return the files of the runs, if there are any."""
    return sorted(path for path in folder.glob("runs/*") if path.is_file())
