"""Parameters of commands about rankings: runs, measures, scoring options, topics."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypedDict

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.options import OnScale, Option, PythonOnly
from qrelsmith.base.scales import Gains
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.collection.qrels import text_stem
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.judgments.run_sources import MeasuresLike, RunsLike


def run_words(paths: Iterable[str]) -> list[str]:
    """Return the paths, with each folder that is not a campaign replaced by its files.

    Raises
    ------
    InputError
        If a path does not exist, or a folder is empty.
    """
    files: list[str] = []
    for path in paths:
        if not os.path.lexists(path):
            raise InputError("no such file or folder", path=path)
        folder = Path(path)
        if not folder.is_dir() or (folder / SETTINGS).exists():
            files.append(path)
            continue
        inside = sorted(one for one in folder.iterdir() if one.is_file() and one.name[0] != ".")
        if not inside:
            raise InputError("the folder has no files; expected runs", path=folder)
        files += map(str, inside)
    return files


def check_named_once(files: Sequence[str]) -> None:
    """Raise an error if a run is named twice.

    Raises
    ------
    UsageError
        If a run is named twice.
    """
    for place, file in enumerate(files):
        if file in files[:place]:
            raise UsageError(f"the run {quoted(file)} is named twice; expected it once")


def distinct_runs(files: Sequence[str]) -> list[str]:
    """Return the runs if no run is named twice; see `check_named_once`."""
    check_named_once(files)
    return list(files)


def files_by_name(paths: Sequence[str]) -> dict[str, str]:
    """Return files by their short names, or by their whole paths if short names are equal.

    Raises
    ------
    UsageError
        If a file is named twice.
    """
    for place, path in enumerate(paths):
        if path in paths[:place]:
            raise UsageError(f"{quoted(path)} is named twice; expected different files")
    names = [text_stem(path) for path in paths]
    alike = len(set(names)) < len(names)
    return dict(zip(paths if alike else names, paths, strict=True))


def _topic_sets(paths: Sequence[str]) -> Any:
    return paths[0] if len(paths) == 1 else files_by_name(paths)


Runs = Annotated[
    RunsLike | None,
    PythonOnly("The systems: a run, path, folder, data frame or mapping, or a list of these; read"
               " part by part. Default: the campaign's runs."),
]  # fmt: skip
Measures = Annotated[
    MeasuresLike | None,
    Option("Measure, such as nDCG@10; repeatable. See qrelsmith measures. Default: the campaign's"
        " measures, or nDCG@10.", ("-m", "--measure"), many=True, split=True),
]  # fmt: skip
RunOrder = Annotated[
    str,
    Option("Order of the docs in a run.", choices=RUN_ORDERS.names,
           default="trec"),
]  # fmt: skip
GainsOption = Annotated[
    Gains | None,
    Option("Gains of the grades 1, 2, …; default: the grades themselves.", metavar="G1:G2:…",
           read=Gains.parse),
]  # fmt: skip
Teams = Annotated[
    Any,
    Option("File with the team of each run (lines: run team). Default: the campaign's teams, or"
        " the part of a run's name before the first hyphen or underscore.", metavar="FILE",
        file=True, many=False),
]  # fmt: skip
Reference = Annotated[
    str | None, Option("Label set with which the other sets are compared.", metavar="NAME")
]
LabelSetChoice = Annotated[
    str | Sequence[str] | None,
    Option("Label set of a campaign (a qrels file or a group), or a qrels file; repeatable.",
           metavar="NAME|FILE"),
]  # fmt: skip


class ScoringOptions(OnScale, total=False):
    """Options for scoring runs."""

    order: RunOrder
    gains: GainsOption
    condensed: Annotated[
        bool, Option("Remove unjudged docs from the runs before scoring.", default=False)
    ]


class TopicScope(TypedDict, total=False):
    """The topics to use, and the label set."""

    reference: Reference
    topic_set: Annotated[
        Any,
        Option("File of topics to use, one per line; repeatable, to compare sets of topics.",
            file=True, many=True, gather=_topic_sets),
    ]  # fmt: skip
    ordering: Annotated[
        str | Sequence[str],
        Option("Use only the campaign's topics whose docs the reference's assessors saw in this"
            " ordering.", metavar="NAME", default=()),
    ]  # fmt: skip
