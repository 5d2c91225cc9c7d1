"""The data sets of the papers: their locations and available files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qrelsmith.base.errors import InputError
from qrelsmith.base.rng import digest_key
from qrelsmith.io.manifest import manifest_for
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.wanted import WantedFile, WantedFolder

PASSAGES = "trec-dl-2021-passage"


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set that artefacts look for.

    Attributes
    ----------
    wanted : WantedFolder
        Its folder and files.
    needs : tuple of str
        The files without which the data set is treated as absent.
    is_whole : bool
        Whether all of its files are needed.
    """

    wanted: WantedFolder
    needs: tuple[str, ...] = ()
    is_whole: bool = False

    @property
    def missing(self) -> str:
        """The error message for an artefact whose data set is missing."""
        name = self.wanted.name
        return f"the data set {name}: a folder of that name in the folder given by --data"

    def folder(self, inputs: StudyInputs) -> Path | None:
        """Return the folder of the data set, or None if the folder does not exist."""
        folder = inputs.folder(self.wanted.name, holds=self.wanted.marks)
        if folder is None or not all(packed_or_not(folder / n).is_file() for n in self.needs):
            return None
        return folder

    def read(self, inputs: StudyInputs) -> tuple[Path, ...]:
        """Return the existing files, for the manifest of the report."""
        folder = self.folder(inputs)
        return () if folder is None else self.files(folder)

    def files(self, folder: Path) -> tuple[Path, ...]:
        """Return the wanted files in a folder; files may be compressed.

        Raises
        ------
        InputError
            If all files are needed and a file is missing.
        """
        files: dict[Path, None] = {}
        for name in (name for file in self.wanted.files for name in file.name.split(", ")):
            found = (path for form in (name, f"{name}.gz") for path in sorted(folder.glob(form)))
            there = dict.fromkeys(path for path in found if path.is_file())
            if self.is_whole and not there:
                raise InputError("file not found; expected it in the data set", path=folder / name)
            files |= there
        return tuple(files)

    def digest(self, folder: Path) -> str:
        """Return the digest of the files' content."""
        files = manifest_for((self.wanted.name,), inputs=self.files(folder), folder=folder).inputs
        return digest_key(0, *(f"{file.path} {file.sha256}" for file in files)).hex()

    def check(self, folder: Path, digest: str) -> None:
        """Raise `InputError` if the files do not match a digest."""
        if self.digest(folder) != digest:
            raise InputError(
                "the files changed while they were read; expected unchanged files", path=folder
            )


def passages_of_2021(
    about: str, labels: Mapping[str, str], others: Sequence[WantedFile] = ()
) -> DataSet:
    """Return the data set TREC DL 2021, passages, with the format of each qrels file used."""
    files = (
        *(WantedFile(f"qrels/{name}.qrels", form) for name, form in labels.items()),
        *others,
        WantedFile("runs/*.run*", "TREC's runs"),
    )
    wanted = WantedFolder(PASSAGES, f"TREC DL 2021, passages: {about}", files)
    return DataSet(wanted, is_whole=True)


def packed_or_not(path: Path) -> Path:
    """Return a file, or its compressed version if only the compressed version exists."""
    packed = path.with_name(f"{path.name}.gz")
    return packed if packed.is_file() and not path.is_file() else path


def qrels_file(folder: Path, name: str) -> Path:
    """Return a file of labels of TREC DL 2021."""
    return packed_or_not(folder / "qrels" / f"{name}.qrels")


def run_files(folder: Path) -> list[Path]:
    """Return the runs of a data set, sorted.

    Raises
    ------
    InputError
        If there are no runs.
    """
    paths = sorted(folder.glob("runs/*.run*"))
    if not paths:
        raise InputError("no runs found; expected *.run files", path=folder / "runs")
    return paths
