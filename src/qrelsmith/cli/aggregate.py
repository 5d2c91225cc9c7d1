"""`qrelsmith aggregate`."""

from __future__ import annotations

from typing import Literal

import click

from qrelsmith.aggregation import AGGREGATIONS
from qrelsmith.analyses.label_transforms import aggregate_notes, aggregated
from qrelsmith.cli.label_output import emit_qrels
from qrelsmith.cli.options import (
    Common,
    common_options,
    parse_scale,
    scale_options,
    topic_set_option,
)
from qrelsmith.data.judgments import Judgments, read_judgments
from qrelsmith.data.text import FilePath
from qrelsmith.data.topic_set import read_topic_set, restricted_judgments
from qrelsmith.errors import InputError
from qrelsmith.scales import Scale, assumed_note, levels_seen


@click.command(
    name="aggregate",
    epilog="Example: qrelsmith aggregate anne.qrels ben.qrels carl.qrels --by median -o all.qrels",
)
@click.argument("files", type=click.Path(), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--by", required=True, metavar="NAME",
    help=f"How: {', '.join(AGGREGATIONS.names())}; parameters as in \"dawid-skene(smoothing=1)\".",
)  # fmt: skip
@click.option("--group", metavar="NAME", help="Only the judgments of this group.")
@click.option(
    "--errors", type=click.Choice(["missing", "nonrelevant"]), default="missing",
    show_default=True, help="What the code -2 (could not be displayed) is.",
)  # fmt: skip
@topic_set_option
@scale_options
@common_options
def command(
    common: Common,
    files: tuple[str, ...],
    by: str,
    group: str | None,
    errors: Literal["missing", "nonrelevant"],
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """One grade for each doc: from one judgments FILE, or from qrels, one FILE per assessor.

    The result is qrels in TREC's form; with --format a table topic, doc, grade. Codes below 0 are
    no grades; docs without any grade are left out, and a note counts them. A majority that ties
    takes the lower grade, and so does a median between two. A mean need not be a level, and is
    written with all its digits. Of several revisions the latest counts.
    """
    AGGREGATIONS.get(by)  # a wrong name is told before a long file is read
    levels = parse_scale(scale, off_scale)
    judgments = labels_of(files, levels, off_scale, topic_set)
    result = aggregated(judgments, by, group=group, errors=errors, scale=levels, name="aggregate")
    if levels is None:
        common.say([assumed_note(Scale(levels_seen(judgments.grade)))])
    common.say(aggregate_notes(result))
    emit_qrels(result.qrels, common)


def labels_of(
    files: tuple[FilePath, ...],
    scale: Scale | None,
    off_scale: Literal["error", "missing"],
    topic_set: FilePath | None,
) -> Judgments:
    """The judgments of some files, of all topics or of a set; that there are none is an error."""
    judgments = read_judgments(*files, scale=scale, off_scale=off_scale)
    if not len(judgments):
        raise InputError("there are no judgments; expected at least one", path=files[0])
    if topic_set is not None:
        return restricted_judgments(judgments, read_topic_set(topic_set), path=topic_set)
    return judgments
