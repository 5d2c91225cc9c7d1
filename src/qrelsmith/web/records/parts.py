"""Declaration of a part of an export's records: its files, and how they are exported and imported.

A part is declared in the module of its records; only `folder` lists the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.lines import Cell, Kind


@dataclass(frozen=True, slots=True)
class Coming:
    """Facts about an export before its records are imported.

    Attributes
    ----------
    folder : path
        The folder of the records.
    is_judged : bool
        Whether the records contain events.
    digests : mapping of str to str
        The SHA-256 of the docs in the same import, by name; they need not be in the database yet.
    """

    folder: Path
    is_judged: bool = False
    digests: Mapping[str, str] = field(default_factory=dict)


File = tuple[Kind, Callable[[], Iterable[Mapping[str, Cell]]]]


@dataclass(frozen=True, slots=True)
class Part:
    """Files of records that are imported together.

    Attributes
    ----------
    files : tuple of (Kind, function)
        The format of each file, and the function that yields its records.
    take_in : function
        The function that imports the files, after all earlier parts in the list.
    decides_labels : bool
        Whether current labels and answers depend on the files and must be rebuilt.
    """

    files: tuple[File, ...]
    take_in: Callable[[Coming], Counts]
    decides_labels: bool = False
