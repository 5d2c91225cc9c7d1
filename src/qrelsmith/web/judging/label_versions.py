"""The versions that labels are checked against: of the scale, and of what was shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.models import DocVersion

_CHUNK = 500
# The digests of all versions of a few docs.
_DIGESTS = Prepared[Any](
    lambda one, other: DocVersion.objects.filter(doc__in=(one, other)).values_list("doc", "sha256")
)


class LabelScale(Protocol):
    """A version of what a label can be."""

    @property
    def version(self) -> int:
        """Its number, from 1."""

    @property
    def expected(self) -> str:
        """The values that a label can have, for errors."""

    def has(self, value: float) -> bool:
        """Return whether a label can have a value."""

    def off(self, value: float) -> str:
        """Return a sentence for a person whose label cannot have that value."""


@dataclass(frozen=True, slots=True)
class ShownVersions:
    """The versions that labels are checked against.

    Attributes
    ----------
    scales : mapping of int to LabelScale
        Versions of the scale.
    digests : mapping of int to collection of str
        The digests of the versions of docs, by the doc's key.
    is_complete : bool
        Whether a doc without digests has no version, rather than one that is not known here.
    """

    scales: Mapping[int, LabelScale]
    digests: Mapping[int, Collection[str]] = field(default_factory=dict)
    is_complete: bool = True


def digests_of(docs: Iterable[int]) -> dict[int, set[str]]:
    """Return the digests of all versions of some docs."""
    wanted = sorted(set(docs))
    digests: dict[int, set[str]] = {}
    for start in range(0, len(wanted), _CHUNK):
        part = wanted[start : start + _CHUNK]
        rows: Iterable[Any] = (
            _DIGESTS.rows(part[0], part[-1])
            if len(part) <= 2
            else DocVersion.objects.filter(doc__in=part).values_list("doc", "sha256")
        )
        for doc, digest in rows:
            digests.setdefault(doc, set()).add(digest)
    return digests
