"""Versions of a campaign's judging settings: the latest is current, older versions are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from qrelsmith.web.core.prepared import Prepared

Shown = TypeVar("Shown")


class Versions(Generic[Shown]):
    """The versions of a table with the columns `version` and `content`.

    Parameters
    ----------
    table : type
        The table.
    shown : callable
        Converts a version's number and content to the form that pages show.
    is_used : callable
        Returns whether a version was used for judgments; until then, the only version is rewritten.
    missing : str
        The error message if there is no version yet.
    """

    def __init__(
        self,
        table: Any,
        shown: Callable[[int, Mapping[str, Any]], Shown],
        *,
        is_used: Callable[[], bool],
        missing: str,
    ) -> None:
        self._table = table
        self._shown = shown
        self._is_used = is_used
        self._missing = missing
        self._latest = Prepared[Any](lambda: table.objects.order_by("-version")[:1])

    def current(self) -> Shown:
        """Return the latest version.

        Raises
        ------
        LookupError
            If there is no version yet.
        """
        latest = self._latest.first()
        if latest is None:
            raise LookupError(self._missing)
        return self._shown(latest.version, latest.content)

    def all(self) -> dict[int, Shown]:
        """Return all versions by number."""
        rows = self._table.objects.order_by("version")
        return {each.version: self._shown(each.version, each.content) for each in rows}

    def record(self, content: Mapping[str, Any]) -> None:
        """Record some content as a new version, if it differs from the latest version.

        Before the first judgment, the latest version is overwritten instead.
        """
        latest = self._table.objects.order_by("-version").first()
        if latest is not None and latest.content == content:
            return
        if latest is not None and not self._is_used():
            latest.content = content
            latest.save(update_fields=["content"])
            return
        version = 1 if latest is None else latest.version + 1
        self._table.objects.create(version=version, content=content)
