"""A part of an export's records: which files it has, and how they go out and come in.

A part is written down where its records are; `folder` lists the parts, and nothing else knows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.lines import Cell, Kind


@dataclass(frozen=True, slots=True)
class Coming:
    """The facts of an export before its records come in.

    Attributes
    ----------
    folder : path
        Where the records are.
    is_judged : bool
        Whether there are events among them.
    digests : mapping of str to str
        The SHA-256 of the docs that lie beside them, by name; they need not be in the database yet.
    """

    folder: Path
    is_judged: bool = False
    digests: Mapping[str, str] = field(default_factory=dict)


File = tuple[Kind, Callable[[], Iterable[Mapping[str, Cell]]]]


@dataclass(frozen=True, slots=True)
class Part:
    """Files of records that come in together.

    Attributes
    ----------
    files : tuple of (Kind, function)
        The form of each file, and what gives its records.
    take_in : function
        Brings them into the database; what comes before them in the list is there already.
    decides_labels : bool
        Whether current labels and answers follow from them, and are to be rebuilt.
    """

    files: tuple[File, ...]
    take_in: Callable[[Coming], Counts]
    decides_labels: bool = False
