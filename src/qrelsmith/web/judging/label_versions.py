"""The versions of scales and docs against which labels are checked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from qrelsmith.web.models import DocVersion

_CHUNK = 500


class LabelScale(Protocol):
    """A version of the scale of labels."""

    @property
    def version(self) -> int:
        """Its number, from 1."""

    @property
    def expected(self) -> str:
        """The possible values of a label, for error messages."""

    def has(self, value: float) -> bool:
        """Return whether a label can have the given value."""

    def off(self, value: float) -> str:
        """Return the refusal of a value, as a sentence for a person."""


@dataclass(frozen=True, slots=True)
class ShownVersions:
    """The versions against which labels are checked.

    Attributes
    ----------
    scales : mapping of int to LabelScale
        Versions of the scale.
    digests : mapping of int to collection of str
        The digests of the versions of docs, by the doc's key.
    is_complete : bool
        Whether a doc without digests has no versions; otherwise, its versions are unknown.
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
        rows = DocVersion.objects.filter(doc__in=part)
        for doc, digest in rows.values_list("doc", "sha256"):
            digests.setdefault(doc, set()).add(digest)
    return digests
