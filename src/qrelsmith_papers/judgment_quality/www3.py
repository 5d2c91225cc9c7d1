"""NTCIR-15 WWW-3, the paper's own labels, where they are there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.wanted import WantedFile, WantedFolder
from qrelsmith_papers.data_files import packed_or_not

NAME = "ntcir15-www3"
MISSING = f"the paper's own labels: a folder {NAME} in the one that --data names (wanted.md)"
SUBTASKS = ("Chinese", "English")
_TOPS = {"chinese.csv": 3, "chinese-7.csv": 6, "english.csv": 2}
WANTED = WantedFolder(
    NAME,
    "NTCIR-15 WWW-3 with the authors' labels on seven grades and their preferences.",
    (
        WantedFile(
            "chinese.csv", "a judgments file, 0 to 3: Table 1, Table 2's four grades, Figure 7"
        ),
        WantedFile("chinese-7.csv", "the same on 0 to 6: Table 2's seven grades"),
        WantedFile("english.csv", "a judgments file, 0 to 2: Table 1, Table 2's English subtask"),
        WantedFile("*-preferences.csv", "topic, left, right, outcome, assessor; below 0: left"),
        WantedFile("runs-chinese/*, runs-english/*", "the submitted runs"),
    ),
    marks=("chinese.csv", "english.csv"),
)


@dataclass(frozen=True, slots=True)
class PaperSetting:
    """A column of Table 2.

    Attributes
    ----------
    subtask, name : str
        As printed.
    file : str
        The file of its labels.
    minimum : int or None
        M of the reduction to "≥ M" that the grades go through.
    log_sum : bool
        Whether a doc's grades become one, the integer part of log2(sum + 1).
    """

    subtask: str
    name: str
    file: str
    minimum: int | None = None
    log_sum: bool = False


SETTINGS = (
    *(PaperSetting("Chinese", f"4to2(≥{m})", "chinese.csv", m) for m in (1, 2, 3)),
    PaperSetting("Chinese", "4 grades", "chinese.csv"),
    PaperSetting("Chinese", "7 grades", "chinese-7.csv"),
    *(PaperSetting("English", f"3to2(≥{m})", "english.csv", m) for m in (1, 2)),
    PaperSetting("English", "3 grades", "english.csv"),
    PaperSetting("English", "3to5(logS)", "english.csv", log_sum=True),
)


@dataclass(frozen=True, slots=True)
class PaperCollection:
    """The folder of the paper's labels."""

    folder: Path

    @property
    def settings(self) -> tuple[PaperSetting, ...]:
        """The settings whose labels are there."""
        return tuple(one for one in SETTINGS if self._file(one.file).is_file())

    def files(self) -> tuple[Path, ...]:
        """Return every file that is there."""
        names = (*_TOPS, *(f"{subtask.lower()}-preferences.csv" for subtask in SUBTASKS))
        there = (self._file(name) for name in names)
        runs = (path for subtask in SUBTASKS for path in self._run_files(subtask))
        return (*(path for path in there if path.is_file()), *runs)

    def digest(self) -> str:
        """Return the digest of the files' content: another one if any of them is another."""
        read = manifest_for((NAME,), inputs=self.files(), folder=self.folder).inputs
        return digest_key(0, *(f"{file.path} {file.sha256}" for file in read)).hex()

    def check(self, digest: str) -> None:
        """Raise `InputError` unless the files are those of a digest."""
        if self.digest() != digest:
            raise InputError("the files changed while they were worked on", path=self.folder)

    def original(self, subtask: str) -> Judgments | None:
        """Return the labels of a subtask as they were given; None where they are not there."""
        name = f"{subtask.lower()}.csv"
        path = self._file(name)
        return read_judgments(path, scale=_scale(name)) if path.is_file() else None

    def labels(self, setting: PaperSetting) -> tuple[Judgments, Scale]:
        """Return the labels of a setting, and the scale that they are on."""
        scale = _scale(setting.file)
        read = read_judgments(self._file(setting.file), scale=scale)
        if setting.log_sum:
            summed = aggregated_qrels(read, "logsum")
            return Judgments.from_qrels({"logsum": summed.qrels}), log_sum_scale(scale, summed.most)
        if setting.minimum is None:
            return read, scale
        reduced = transform_labels(read, Reduction(setting.minimum), source=scale)
        return reduced, Scale((0.0, 1.0))

    def runs(self, subtask: str) -> list[Run]:
        """Return the runs of a subtask."""
        return [read_run(path) for path in self._run_files(subtask)]

    def preferences(self, subtask: str) -> Preferences:
        """Return the preferences of a subtask."""
        return read_preferences(self._file(f"{subtask.lower()}-preferences.csv"))

    def _file(self, name: str) -> Path:
        return packed_or_not(self.folder / name)

    def _run_files(self, subtask: str) -> Iterable[Path]:
        files = (self.folder / f"runs-{subtask.lower()}").glob("*")
        return sorted(path for path in files if path.is_file())


def paper_collection(inputs: StudyInputs) -> PaperCollection | None:
    """Return the paper's own collection, None if it is not there."""
    folder = inputs.folder(NAME, holds=WANTED.marks)
    return None if folder is None else PaperCollection(folder)


def kind_of_own(inputs: StudyInputs) -> ClaimKind:
    """Return the kind of what is computed from the paper's labels, or else from others."""
    own = paper_collection(inputs)
    return ClaimKind.OTHER_DATA if own is None else ClaimKind.RECOMPUTED


def own_files(inputs: StudyInputs) -> tuple[Path, ...]:
    """Return the files that are read, for the manifest of the report."""
    own = paper_collection(inputs)
    return () if own is None else own.files()


def _scale(file: str) -> Scale:
    return Scale(tuple(map(float, range(_TOPS[file] + 1))))
