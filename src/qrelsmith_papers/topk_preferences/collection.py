"""A collection with grades, runs, and top docs by preferences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.studies.claims import ClaimKind, Held

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class PreferredDocs:
    """The top docs by the preferences of a group of assessors.

    Attributes
    ----------
    who : str
        The assessors.
    combined : Qrels
        The grades with the top docs above them.
    top : Qrels
        Only the top docs; better docs have higher values.
    """

    who: str
    combined: Qrels
    top: Qrels

    def first(self) -> list[tuple[str, str]]:
        """Return topic and doc of every doc at rank 1."""
        return [
            (topic, doc)
            for topic, docs in self.top.to_dict().items()
            for doc, value in docs.items()
            if value == max(docs.values())
        ]


@dataclass(frozen=True)
class TopkCollection:
    """A collection with preferences.

    Attributes
    ----------
    name : str
        Its name in tables.
    graded : Qrels
        The grades.
    preferred : tuple of PreferredDocs
        One per group of assessors of preferences.
    best : tuple of (str, Qrels)
        The assessors who chose the single best doc of each topic, and the docs.
    run_files : sequence of Path
        The runs to use.
    kind : ClaimKind
        The kind of its numbers.
    has_systems : bool
        Whether its runs come from a task, so that conclusions about runs can be checked.
    """

    name: str
    graded: Qrels
    preferred: tuple[PreferredDocs, ...]
    best: tuple[tuple[str, Qrels], ...]
    run_files: Sequence[Path]
    kind: ClaimKind
    has_systems: bool = True

    def hold(self, evidence: E, *, who: str = "") -> Held[E]:
        """Return evidence from this collection, optionally from one group's preferences."""
        name = f"{self.name} with {who} preferences" if who else self.name
        return Held(name, self.kind, evidence, sized=self.kind is ClaimKind.OTHER_DATA)

    @cached_property
    def runs(self) -> list[Run]:
        """The runs, read once."""
        return [read_run(path) for path in self.run_files]


def docs_above(qrels: Qrels, grade: float, *, name: str) -> Qrels:
    """Return the docs with grades above a given grade."""
    return Qrels.from_rows((row for row in qrels.rows() if row[2] > grade), name=name)


def of_docs(qrels: Qrels, docs: Iterable[tuple[str, str]], *, name: str) -> Qrels:
    """Return the qrels of only the given (topic, doc) pairs."""
    wanted = set(docs)
    return Qrels.from_rows((row for row in qrels.rows() if row[:2] in wanted), name=name)
