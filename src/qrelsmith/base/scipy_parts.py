"""SciPy's modules, each imported on its first use.

The import of SciPy takes longer than all other imports. A command that shows its help or rejects
its input does not need SciPy.
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
        """A module that is imported when one of its names is first used."""

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
