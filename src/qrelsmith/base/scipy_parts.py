"""SciPy's parts, each imported when something of it is first used.

Together they take longer to import than all the rest, and a command that shows its help or refuses
its input computes nothing with them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["csgraph", "linalg", "optimize", "sparse", "special", "stats"]

if TYPE_CHECKING:
    from scipy import linalg, optimize, sparse, special, stats
    from scipy.sparse import csgraph
else:

    class _Part:
        """A module that is imported when it is first asked for a name."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            value = getattr(import_module(self._name), name)
            setattr(self, name, value)
            return value

    linalg, optimize, sparse, special, stats, csgraph = (
        _Part(f"scipy.{name}")
        for name in ("linalg", "optimize", "sparse", "special", "stats", "sparse.csgraph")
    )
