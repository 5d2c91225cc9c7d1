"""Parameters of commands about labels: files or a campaign, label sets, topics, the scale."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import OnScale, Option, Source
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.judgments.ratings import Errors
from qrelsmith.judgments.topic_sources import TopicSet


def is_campaign(path: str) -> bool:
    """Return whether a path is the folder of a campaign."""
    return (Path(path) / SETTINGS).is_file()


def label_files(words: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """Parse label files or a campaign; without a campaign, --label-set names additional files.

    Raises
    ------
    UsageError
        If there is neither.
    """
    label_set = options.pop("label_set", ())
    names = (label_set,) if isinstance(label_set, str) else label_set
    if words and is_campaign(words[0]):
        chosen = {"label_set": label_set} if label_set else {}
        return {"labels": words[0] if len(words) == 1 else list(words), **chosen}
    files = [*words, *names]
    if not files:
        raise UsageError("Missing argument 'FILE...'.")
    return {"labels": files[0] if len(files) == 1 else files}


LabelFiles = Annotated[
    Any,
    Source(
        "The labels of assessors: judgments, a campaign, a path or paths, a data frame, or the"
        " qrels of each assessor by name.",
        "FILE...",
        label_files,
    ),
]
LabelSetNames = Annotated[
    Sequence[Any],
    Option("Label set of a campaign to use (qrels file or group), or an additional file;"
        " repeatable.",
           metavar="NAME|FILE"),
]  # fmt: skip
ErrorCode = Annotated[
    Errors, Option("Treatment of the code -2 (could not be displayed).", default="missing")
]
WhenUndefined = Annotated[
    Literal["nan", "one", "zero"], Option("Value when agreement is undefined (0/0).", default="nan")
]
OnlyTopics = Annotated[
    TopicSet | None, Option("File of topics to use, one per line.", file=True, many=False)
]


LabelSetName = Annotated[
    str | None,
    Option("Label set of a campaign, or a file of labels.",
           metavar="NAME|FILE"),
]  # fmt: skip
GroupName = Annotated[str | None, Option("Use only the judgments of this group.", metavar="NAME")]


LowestRelevant = Annotated[float, Option("Lowest grade that is relevant.", default=1.0)]
LowestHigh = Annotated[
    float | None, Option("Lowest grade that is highly relevant; default: the top of the scale.")
]


OnlyAspect = Annotated[
    str | None,
    Option("For answers: use only labels of this aspect or kind (nugget, rubric, citation,"
        " criterion.NAME).", ("--aspect",), metavar="NAME"),
]  # fmt: skip
AspectFile = Annotated[
    Any,
    Option("File with the aspects of answers and their kinds; default: the campaign's aspects.",
           metavar="FILE", file=True, many=False),
]  # fmt: skip


class LabelScope(OnScale, total=False):
    """Options for the labels to use: topics and scale."""

    topic_set: OnlyTopics
