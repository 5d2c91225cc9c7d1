"""The passages of TREC DL 2021 with human and LLM labels and preferences, as Table 2 needs them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path

from qrelsmith.base.errors import InputError
from qrelsmith.base.rng import digest_key
from qrelsmith.base.scales import Scale
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.io.manifest import manifest_for
from qrelsmith.judgments.judgment_files import Judgments, read_judgments
from qrelsmith.judgments.label_transforms import aggregated_qrels, transform_labels
from qrelsmith.judgments.scale_operations import Reduction, log_sum_scale
from qrelsmith.pairs.preference_files import read_preferences
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.data_files import packed_or_not, run_files

NAME = "trec-dl-2021-passage"
MISSING = f"the data set {NAME}: a folder of that name in the one that --data names"
# Who was asked for preferences, and the files of the answers.
PREFERENCES = {
    "human": ("human.crowd.prefs",),
    "GPT-4o": tuple(f"gpt-4o.round0{number}.prefs" for number in range(6)),
}


@dataclass(frozen=True, slots=True)
class QualityLabels:
    """Labels of the collection in one annotation setting.

    Attributes
    ----------
    name : str
        What it is called in tables.
    files : tuple of str
        A qrels file for each assessor, without its last suffixes.
    top : int
        The highest grade; the lowest is 0.
    minimum : int or None
        M of the reduction to "≥ M" that the grades go through.
    log_sum : bool
        Whether the assessors' grades become one, the integer part of log2(sum + 1).
    """

    name: str
    files: tuple[str, ...]
    top: int = 3
    minimum: int | None = None
    log_sum: bool = False

    @property
    def assessors(self) -> int:
        """How many labels a doc has."""
        return 1 if self.log_sum else len(self.files)

    @property
    def scale(self) -> Scale:
        """The scale of the labels as they are measured."""
        if self.log_sum:
            return log_sum_scale(Scale(tuple(map(float, range(self.top + 1)))), len(self.files))
        return Scale(tuple(map(float, range(self.top + 1 if self.minimum is None else 2))))


def _with_reductions(name: str, files: tuple[str, ...]) -> Iterable[QualityLabels]:
    yield from (
        QualityLabels(f"{name}, 4to2(≥{least})", files, minimum=least) for least in (1, 2, 3)
    )
    yield QualityLabels(f"{name}, 4 grades", files)


_UMBRELA = ("umbrela.gpt-4", "umbrela.gpt-4o", "umbrela.llama3.2.run1")
LOG_SUM = "three LLMs, 4to4(logS)"
_LLAMA = tuple(f"umbrela.llama3.2.run{number}" for number in range(1, 5))
LABEL_SETS = {
    labels.name: labels
    for labels in (
        *_with_reductions("NIST", ("nist",)),
        *_with_reductions("three LLMs", _UMBRELA),
        QualityLabels(LOG_SUM, _UMBRELA, log_sum=True),
        QualityLabels("GPT-4, 4 grades", _UMBRELA[:1]),
        QualityLabels("GPT-4o, 4 grades", _UMBRELA[1:2]),
        QualityLabels("llama3.2, 4 grades", _UMBRELA[2:]),
        QualityLabels("llama3.2 four times, 4 grades", _LLAMA),
        QualityLabels("GPT-4, exam 6 grades", ("exam-graded-max.gpt-4",), top=5),
        QualityLabels("GPT-4o, exam 6 grades", ("exam-graded-max.gpt-4o",), top=5),
    )
}
THREE_LLMS = LABEL_SETS["three LLMs, 4 grades"]


@dataclass(frozen=True)
class QualityCollection:
    """The folder of the collection, and what was read from it.

    Attributes
    ----------
    folder : Path
        The folder.
    every : int
        One of so many runs is looked at.
    """

    folder: Path
    every: int = 1

    def files(self) -> tuple[Path, ...]:
        """Return every file that is read here.

        Raises
        ------
        InputError
            If there are no runs.
        """
        runs = run_files(self.folder)
        labels = {name: None for labels in LABEL_SETS.values() for name in labels.files}
        return (
            *(self._file("qrels", f"{name}.qrels") for name in labels),
            *(self._file("prefs", name) for name in chain.from_iterable(PREFERENCES.values())),
            *runs,
        )

    def digest(self) -> str:
        """Return the digest of the files' content: another one if any of them is another."""
        read = manifest_for((NAME,), inputs=self.files(), folder=self.folder).inputs
        return digest_key(0, *(f"{file.path} {file.sha256}" for file in read)).hex()

    def labels(self, labels: QualityLabels) -> Judgments:
        """Return the labels of a set, each file one assessor's."""
        scale = Scale(tuple(map(float, range(labels.top + 1))))
        read = read_judgments(
            *(self._file("qrels", f"{name}.qrels") for name in labels.files), scale=scale
        )
        if labels.log_sum:
            return Judgments.from_qrels({labels.name: aggregated_qrels(read, "logsum").qrels})
        if labels.minimum is None:
            return read
        return transform_labels(read, Reduction(labels.minimum), source=scale)

    @cached_property
    def runs(self) -> list[Run]:
        """The runs."""
        return [read_run(path) for path in run_files(self.folder)[:: self.every]]

    @cached_property
    def preferences(self) -> dict[str, Preferences]:
        """The preferences of the crowd and of the LLM."""
        return {
            who: Preferences.join([read_preferences(self._file("prefs", name)) for name in names])
            for who, names in PREFERENCES.items()
        }

    def _file(self, folder: str, name: str) -> Path:
        return packed_or_not(self.folder / folder / name)


def collection(inputs: StudyInputs) -> QualityCollection | None:
    """Return the collection, None if it is not there."""
    folder = inputs.folder(NAME)
    return None if folder is None else QualityCollection(folder)


@lru_cache(maxsize=1)
def checked_collection(folder: str, digest: str, every: int) -> QualityCollection:
    """Return the collection, kept with what was read of it for the next cells of a process.

    Raises
    ------
    InputError
        If the files are not those of the digest.
    """
    data = QualityCollection(Path(folder), every)
    if data.digest() != digest:
        raise InputError("the files changed while they were worked on", path=data.folder)
    return data


def files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """The files that an artefact on this collection reads, for the manifest of the report."""
    found = collection(inputs)
    return () if found is None else found.files()
