"""The registries of papers and of their artefacts: tables and figures that are made anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qrelsmith.base.registry import REQUIRED, Registry

if TYPE_CHECKING:
    # Papers are plug-ins, which whoever asks any registry loads.
    from qrelsmith.base.content import Figure, NamedTable
    from qrelsmith.base.tables import Table
    from qrelsmith.studies.claims import Claim, ClaimKind, Held
    from qrelsmith.studies.wanted import WantedFolder
    from qrelsmith.sweep import Cell
    from qrelsmith.sweep.cells import Parameter


@dataclass(frozen=True, slots=True)
class StudyInputs:
    """The inputs of an artefact.

    Attributes
    ----------
    data : Path or None
        The folder with the public data sets, each in a folder of its own; or that of one of them.
    seed : int
        Random seed.
    paper_size : bool
        Whether simulations have the paper's size; otherwise one at which a laptop is done within a
        minute, whose numbers are not the paper's.
    sweep : callable
        Computes cells, resumed and in parallel, and returns their rows in the order of the cells.
    draws : int
        In how many draws the claims about simulated collections are judged.
    is_draw : bool
        Whether this is one of them, of which only the claims are looked at.
    """

    data: Path | None
    seed: int
    paper_size: bool
    sweep: Callable[[Sequence[Cell]], list[Table]]
    draws: int = 0
    is_draw: bool = False

    def folder(self, name: str, *, holds: Sequence[str] = ()) -> Path | None:
        """Return the folder of a data set, None if it is not there.

        The folder of that name in the one with the data sets; else this one itself, if it is called
        so or has one of the files that `holds` names.
        """
        if self.data is None:
            return None
        if (self.data / name).is_dir():
            return self.data / name
        itself = self.data.resolve().name == name or any(
            (self.data / one).exists() for one in holds
        )
        return self.data if itself else None

    def cell(self, work: Callable[..., Table], **parameters: Parameter) -> Cell:
        """Return a cell of a sweep: a call of a public function with parameters and the seed."""
        from qrelsmith.sweep import Cell

        return Cell(f"{work.__module__}:{work.__name__}", parameters, self.seed)


@dataclass(frozen=True, slots=True)
class Made:
    """An artefact as it was made.

    Attributes
    ----------
    held : sequence of Held
        What its claims are held against.
    tables, figures, paragraphs
        As in `Section`.
    facts : sequence of str
        Findings that are no claims of the paper.
    missing : str
        What input it lacks; if not empty, nothing else is there.
    """

    held: Sequence[Held[Any]] = ()
    tables: Sequence[NamedTable] = ()
    figures: Sequence[Figure] = ()
    paragraphs: Sequence[str] = ()
    facts: Sequence[str] = ()
    missing: str = ""


ArtefactFunction = Callable[[StudyInputs], Made]
"""Makes an artefact.

What `@PDP.add("table2", …)` says of it besides: `title`; `claims`, those of the paper about it;
`kind`, the `ClaimKind` of what they are held against or a function of the inputs that gives it;
`reads`, which files of data sets it reads; `deviation`, why it comes out otherwise.
"""

KindOfInputs = Callable[[StudyInputs], "ClaimKind"]
"""The kind of an artefact's claims, by what data are there."""

FilesRead = Callable[[StudyInputs], Sequence[Path]]
"""The files that an artefact reads, none where its data set is not there."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and its artefacts.

    Attributes
    ----------
    key : str
        What it is called on the command line.
    title, citation : str
        As published.
    artefacts : Registry
        The functions that make its tables and figures, in the order of the paper.
    wanted : tuple of WantedFolder
        The data sets that they look for.
    """

    key: str
    title: str
    citation: str
    artefacts: Registry[ArtefactFunction]
    wanted: tuple[WantedFolder, ...] = ()

    def claims(self, artefact: str) -> Sequence[Claim[Any]]:
        """Return the paper's claims about an artefact."""
        claims: Sequence[Claim[Any]] = self.artefacts.get(artefact).entry.about["claims"]
        return claims


PAPERS: Registry[Callable[[], Registry[ArtefactFunction]]] = Registry(
    "paper", facts={"title": REQUIRED, "wanted": None}
)
"""The papers: functions that import the modules of the artefacts and return their registry.

What `@PAPERS.add` says of one besides: its `title`, and `wanted`, a function that gives the data
sets that its artefacts look for.
"""


def artefacts_of(key: str) -> Registry[ArtefactFunction]:
    """Return an empty registry for the artefacts of a paper."""
    facts = {"title": REQUIRED, "kind": REQUIRED, "claims": (), "reads": None, "deviation": ""}
    return Registry(f"artefact of {key}", arguments=("inputs",), facts=facts)


def paper_named(key: str) -> Paper:
    """Return a paper with its artefacts.

    Raises
    ------
    UnknownNameError
        If there is no such paper.
    """
    entry = PAPERS.get(key).entry
    wanted = entry.about["wanted"]
    return Paper(
        entry.name,
        entry.about["title"],
        entry.source,
        entry.function(),
        () if wanted is None else tuple(wanted()),
    )
