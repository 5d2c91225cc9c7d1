"""Import of optional packages on first use."""

from __future__ import annotations

import importlib
from typing import Any

from qrelsmith.base.errors import MissingDependencyError


def optional_package(name: str, *, purpose: str, extra: str = "frames") -> Any:
    """Import an optional package.

    Parameters
    ----------
    purpose : str
        The purpose of the package, such as `a pandas data frame`.
    extra : str
        The extra of qrelsmith that installs it.

    Raises
    ------
    MissingDependencyError
        If the package is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingDependencyError(name, extra=extra, purpose=purpose) from None
