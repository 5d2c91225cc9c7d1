"""Packages that qrelsmith can work with and does not require, imported when they are used."""

from __future__ import annotations

import importlib
from typing import Any

from qrelsmith.base.errors import MissingDependencyError


def optional_package(name: str, *, purpose: str, extra: str = "frames") -> Any:
    """Return a package, imported.

    Parameters
    ----------
    purpose : str
        What it is needed for, such as `a pandas data frame`.
    extra : str
        The extra of qrelsmith that installs it.

    Raises
    ------
    MissingDependencyError
        If it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingDependencyError(name, extra=extra, purpose=purpose) from None
