"""Versions of what a campaign says of judging: the newest is current, older ones stay."""

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
        A version as pages show it, of its number and its content.
    is_used : callable
        Whether something was judged by a version; until then the only one is rewritten.
    missing : str
        What is wrong where there is none yet.
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
        """Return the newest version.

        Raises
        ------
        LookupError
            If there is none yet.
        """
        latest = self._latest.first()
        if latest is None:
            raise LookupError(self._missing)
        return self._shown(latest.version, latest.content)

    def all(self) -> dict[int, Shown]:
        """Return all versions by their numbers."""
        rows = self._table.objects.order_by("version")
        return {each.version: self._shown(each.version, each.content) for each in rows}

    def record(self, content: Mapping[str, Any]) -> None:
        """Make a content the newest version, unless it is already.

        As long as nothing was judged, the only version is rewritten instead.
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
