"""Labels, preferences and runs: the paper's NTCIR-15 WWW-3, else TREC DL 2021."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from qrelsmith.base.scales import Scale
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.judgments.judgment_files import Judgments, read_judgments
from qrelsmith.judgments.label_transforms import aggregated_qrels, transform_labels
from qrelsmith.judgments.scale_operations import Reduction, log_sum_scale
from qrelsmith.pairs.preference_files import read_preferences
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.wanted import WantedFile, WantedFolder
from qrelsmith_papers.data_files import DataSet, packed_or_not, passages_of_2021, run_files

SUBTASKS = ("Chinese", "English")
_GPT4O = tuple(f"prefs/gpt-4o.round0{number}.prefs" for number in range(6))
# The assessors of preferences, by subtask, and the files of their answers.
PREFERENCES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "": {"human": ("prefs/human.crowd.prefs",), "GPT-4o": _GPT4O},
    **{name: {"": (f"{name.lower()}-preferences.csv",)} for name in SUBTASKS},
}


@dataclass(frozen=True, slots=True)
class LabelSetting:
    """Labels in one annotation setting.

    Attributes
    ----------
    name : str
        Its name in tables.
    files : tuple of str
        The files of labels: a qrels file per assessor, or a judgments file.
    top : int
        The highest grade; the lowest is 0.
    subtask : str
        The subtask of WWW-3; empty on TREC DL 2021.
    minimum : int or None
        M of the reduction "≥ M" applied to the grades.
    log_sum : bool
        Whether a doc's grades are combined to the integer part of log2(sum + 1).
    """

    name: str
    files: tuple[str, ...]
    top: int = 3
    subtask: str = ""
    minimum: int | None = None
    log_sum: bool = False

    @property
    def scale(self) -> Scale:
        """The scale of the files."""
        return Scale(tuple(map(float, range(self.top + 1))))

    @property
    def assessors(self) -> int:
        """The number of labels per doc, if each file belongs to an assessor."""
        return 1 if self.log_sum else len(self.files)


def _reductions(
    name: str, files: tuple[str, ...], top: int = 3, subtask: str = ""
) -> Iterable[LabelSetting]:
    start = f"{name}, " if name else ""
    for least in range(1, top + 1):
        words = f"{start}{top + 1}to2(≥{least})"
        yield LabelSetting(words, files, top, subtask, minimum=least)
    yield LabelSetting(f"{start}{top + 1} grades", files, top, subtask)


def _llm(*names: str) -> tuple[str, ...]:
    return tuple(f"qrels/{name}.qrels" for name in names)


_UMBRELA = _llm("umbrela.gpt-4", "umbrela.gpt-4o", "umbrela.llama3.2.run1")
LOG_SUM = "three LLMs, 4to4(logS)"
_LLAMA = _llm(*(f"umbrela.llama3.2.run{number}" for number in range(1, 5)))
LABEL_SETS = {
    one.name: one
    for one in (
        *_reductions("NIST", _llm("nist")),
        *_reductions("three LLMs", _UMBRELA),
        LabelSetting(LOG_SUM, _UMBRELA, log_sum=True),
        LabelSetting("GPT-4, 4 grades", _UMBRELA[:1]),
        LabelSetting("GPT-4o, 4 grades", _UMBRELA[1:2]),
        LabelSetting("llama3.2, 4 grades", _UMBRELA[2:]),
        LabelSetting("llama3.2 four times, 4 grades", _LLAMA),
        LabelSetting("GPT-4, exam 6 grades", _llm("exam-graded-max.gpt-4"), top=5),
        LabelSetting("GPT-4o, exam 6 grades", _llm("exam-graded-max.gpt-4o"), top=5),
    )
}
_ENGLISH = ("english.csv",)
SETTINGS = {
    one.name: one
    for one in (
        *_reductions("", ("chinese.csv",), 3, "Chinese"),
        LabelSetting("7 grades", ("chinese-7.csv",), 6, "Chinese"),
        *_reductions("", _ENGLISH, 2, "English"),
        LabelSetting("3to5(logS)", _ENGLISH, 2, "English", log_sum=True),
    )
}
WWW3 = DataSet(
    WantedFolder(
        "ntcir15-www3",
        "NTCIR-15 WWW-3 with the authors' labels on seven grades and their preferences.",
        (
            WantedFile(
                "chinese.csv", "a judgments file, 0 to 3: Table 1, Table 2's four grades, Figure 7"
            ),
            WantedFile("chinese-7.csv", "the same on 0 to 6: Table 2's seven grades"),
            WantedFile(
                "english.csv", "a judgments file, 0 to 2: Table 1, Table 2's English subtask"
            ),
            WantedFile("*-preferences.csv", "topic, left, right, outcome, assessor; below 0: left"),
            WantedFile("runs-chinese/*, runs-english/*", "the submitted runs"),
        ),
        marks=("chinese.csv", "english.csv"),
    )
)
MISSING_OWN = (
    f"the paper's own labels: a folder {WWW3.wanted.name} in the folder given by --data (wanted.md)"
)
_FORMS = {
    Path(file).stem: f"TREC's qrels, grades 0 to {one.top}"
    for one in LABEL_SETS.values()
    for file in one.files
}
DL2021 = passages_of_2021(
    "another collection, on which Table 2 and Figure 7 are checked.",
    _FORMS,
    [WantedFile(file, f"preferences, {who}") for who, of in PREFERENCES[""].items() for file in of],
)


@dataclass(frozen=True)
class QualityData:
    """The folder of a collection.

    Attributes
    ----------
    folder : Path
        The folder.
    is_own : bool
        Whether it has the paper's own labels.
    every : int
        Only every n-th run is used.
    digest : str
        The digest of its files when the work was planned.
    """

    folder: Path
    is_own: bool
    every: int = 1
    digest: str = ""

    @property
    def data_set(self) -> DataSet:
        """The data set."""
        return WWW3 if self.is_own else DL2021

    @property
    def settings(self) -> list[str]:
        """All settings, or, for the paper's labels, the settings whose files exist."""
        every = SETTINGS if self.is_own else LABEL_SETS
        return [n for n, one in every.items() if not self.is_own or self.has(one)]

    def has(self, setting: LabelSetting) -> bool:
        """Return whether the labels of a setting are available."""
        return all(self.file(name).is_file() for name in setting.files)

    def labels(self, setting: LabelSetting) -> tuple[Judgments, Scale]:
        """Return the labels of a setting and their scale."""
        read = read_judgments(*map(self.file, setting.files), scale=setting.scale)
        if setting.log_sum:
            summed = aggregated_qrels(read, "logsum")
            one = Judgments.from_qrels({setting.name: summed.qrels})
            return one, log_sum_scale(setting.scale, summed.most)
        if setting.minimum is None:
            return read, setting.scale
        reduced = transform_labels(read, Reduction(setting.minimum), source=setting.scale)
        return reduced, Scale((0.0, 1.0))

    def file(self, name: str) -> Path:
        """Return a file by its name without `.gz`."""
        return packed_or_not(self.folder / name)


@lru_cache(maxsize=2)
def runs_of(data: QualityData, subtask: str = "") -> list[Run]:
    """Return the runs of a subtask."""
    folder = data.folder / f"runs-{subtask.lower()}"
    paths = sorted(folder.glob("*")) if subtask else run_files(data.folder)
    return [read_run(path) for path in paths[:: data.every] if path.is_file()]


@lru_cache(maxsize=2)
def preferences_of(data: QualityData, subtask: str = "") -> dict[str, Preferences]:
    """Return the preferences of a subtask, by group of assessors."""
    return {
        who: Preferences.join([read_preferences(data.file(name)) for name in names])
        for who, names in PREFERENCES[subtask].items()
    }


def own_data(inputs: StudyInputs) -> QualityData | None:
    """Return the paper's own collection, or None if it is missing."""
    folder = WWW3.folder(inputs)
    return None if folder is None else QualityData(folder, is_own=True)


def quality_data(inputs: StudyInputs) -> QualityData | None:
    """Return the paper's own collection, else TREC DL 2021; None if both are missing."""
    folder = DL2021.folder(inputs)
    public = None if folder is None else QualityData(folder, is_own=False)
    return own_data(inputs) or public


@lru_cache(maxsize=1)
def checked_data(folder: str, digest: str, is_own: bool, every: int) -> QualityData:
    """Return the checked collection, and cache it for later table cells in the same process.

    Raises
    ------
    InputError
        If the files do not match the digest.
    """
    data = QualityData(Path(folder), is_own, every, digest)
    data.data_set.check(data.folder, digest)
    return data


def kind_of_own(inputs: StudyInputs) -> ClaimKind:
    """Return the kind of numbers computed from the paper's labels, else from other labels."""
    return ClaimKind.OTHER_DATA if own_data(inputs) is None else ClaimKind.RECOMPUTED


def files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """Return the files of the paper's own labels, or else the files of TREC DL 2021."""
    return WWW3.read(inputs) or DL2021.read(inputs)
