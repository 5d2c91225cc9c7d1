"""Parameters of commands about properties of docs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypedDict

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.damages.doc_properties import doc_properties
from qrelsmith.damages.layout import Layout


class PropertyOptions(TypedDict, total=False):
    """The docs and the properties that errors may depend on."""

    properties: Annotated[
        str | Sequence[str],
        Option("Field of the docs to test, in addition to length, overlap and language;"
            " repeatable.", ("--property",), metavar="NAME", split=True, default=()),
    ]  # fmt: skip
    documents: Annotated[
        Any,
        Option("File or folder of docs; default: the campaign's docs.", metavar="FILE", file=True),
    ]
    topics: Annotated[
        Any,
        Option(
            "File of topics, for the property overlap; default: the campaign's topics.",
            metavar="FILE",
            file=True,
        ),
    ]


def with_properties(
    layout: Layout, campaign: Campaign | None, options: Mapping[str, Any]
) -> tuple[Layout, list[str]]:
    """Return a layout with the properties of its docs, and notes.

    Raises
    ------
    UsageError
        If a property is requested and there are no docs.
    """
    named = options["properties"] or ()
    names = [named] if isinstance(named, str) else list(named)
    documents, topics = options["documents"], options["topics"]
    if campaign is not None:
        documents = campaign.documents if documents is None else documents
        topics = campaign.topics if topics is None else topics
    if documents is None:
        if names:
            raise UsageError("--property needs the docs. Pass them with --documents FILE")
        return layout, []
    arrays = layout.arrays
    properties = doc_properties(
        documents, topics, names,
        topic_names=layout.topics, docs=layout.docs, width=arrays.grades.shape[2],
    )  # fmt: skip
    notes = [
        f"the property {name} is not tested because it is the same for all docs"
        for name in names
        if name not in properties
    ]
    return replace(layout, arrays=replace(arrays, properties=properties)), notes
