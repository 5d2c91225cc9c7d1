"""Names of runs: the tag, or the file's name if two files have the same tag."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

from qrelsmith.base.errors import InputWarning, UsageError, quoted
from qrelsmith.collection.runs import Run
from qrelsmith.io.text import FilePath


def distinct_names(names: Sequence[str], runs: Sequence[Run | FilePath]) -> list[str]:
    """Return names of runs for a table: the tag, or the file's name if two files share a tag.

    Files with the same name in different folders are named by their whole path.

    Raises
    ------
    UsageError
        If two runs that are not files have one name, or a file is named twice.
    """
    result = list(names)
    paths = [None if isinstance(run, Run) else run for run in runs]
    for name in dict.fromkeys(name for name in names if list(names).count(name) > 1):
        same = [place for place, other in enumerate(names) if other == name]
        if any(paths[place] is None for place in same):
            raise UsageError(f"two runs have the name {quoted(name)}; expected different names")
        files = [Path(str(paths[place])).name for place in same]
        whole = len(set(files)) < len(files)
        for place, file in zip(same, files, strict=True):
            result[place] = str(paths[place]) if whole else file
        warnings.warn(
            f"{len(same)} run files have the tag {quoted(name)}; their file names are used instead",
            InputWarning,
            stacklevel=2,
        )
    twice = next((name for name in result if result.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two runs have the name {quoted(twice)}; expected different names")
    return result
