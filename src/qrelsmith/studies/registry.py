"""The registries of papers and of their artefacts: the tables and figures to reproduce."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qrelsmith.base.registry import REQUIRED, Registry

if TYPE_CHECKING:
    # Papers are plug-ins, which are loaded on any access to a registry.
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
        The folder with the public data sets, each in a subfolder, or the folder of one data set.
    seed : int
        Random seed.
    paper_size : bool
        Whether simulations have the paper's size. Otherwise they finish within a minute on a
        laptop, and their numbers differ from the paper's.
    sweep : callable
        Function that computes cells in parallel, resuming earlier work, and returns their rows in
        the order of the cells.
    draws : int
        Number of draws in which the claims about simulated collections are judged.
    is_draw : bool
        Whether this is one of these draws, in which only the claims are used.
    """

    data: Path | None
    seed: int
    paper_size: bool
    sweep: Callable[[Sequence[Cell]], list[Table]]
    draws: int = 0
    is_draw: bool = False

    def folder(self, name: str, *, holds: Sequence[str] = ()) -> Path | None:
        """Return the folder of a data set, or None if it does not exist.

        The folder is the subfolder of this name in `data`. If there is none, the folder is `data`
        itself if `data` has this name or contains one of the files in `holds`.
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
    """A reproduced artefact.

    Attributes
    ----------
    held : sequence of Held
        The evidence with which its claims are checked.
    tables, figures, paragraphs
        As in `Section`.
    facts : sequence of str
        Findings other than the paper's claims.
    missing : str
        The missing input; if not empty, all other fields are empty.
    """

    held: Sequence[Held[Any]] = ()
    tables: Sequence[NamedTable] = ()
    figures: Sequence[Figure] = ()
    paragraphs: Sequence[str] = ()
    facts: Sequence[str] = ()
    missing: str = ""


ArtefactFunction = Callable[[StudyInputs], Made]
"""Computes an artefact.

Facts passed to `@PDP.add("table2", …)`: `title`; `claims`, the paper's claims about it; `kind`, the
`ClaimKind` of the evidence, or a function of the inputs that returns it; `reads`, the files of data
sets that it reads; `deviation`, the reason why its result differs.
"""

KindOfInputs = Callable[[StudyInputs], "ClaimKind"]
"""The kind of an artefact's claims, depending on the available data"""

FilesRead = Callable[[StudyInputs], Sequence[Path]]
"""The files that an artefact reads; none if its data set does not exist"""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and its artefacts.

    Attributes
    ----------
    key : str
        Its name on the command line.
    title, citation : str
        Title and citation, as published.
    artefacts : Registry
        The functions that compute its tables and figures, in the order of the paper.
    wanted : tuple of WantedFolder
        The data sets that the artefacts look for.
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
"""The papers: functions that import the modules of the artefacts and return their registry

Facts passed to `@PAPERS.add`: its `title`, and `wanted`, a function that returns the data sets that
its artefacts look for.
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
        If the paper does not exist.
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
