"""`qrelsmith aggregate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from qrelsmith.cli.label_output import emit_qrels
from qrelsmith.cli.options import (
    Common,
    common_options,
    parse_scale,
    scale_options,
    topic_set_option,
)
from qrelsmith.cli.run_files import label_files
from qrelsmith.judgments.aggregation import AGGREGATIONS

if TYPE_CHECKING:
    from qrelsmith.judgments.ratings import Errors


@click.command(
    name="aggregate",
    epilog="Example: qrelsmith aggregate anne.qrels ben.qrels carl.qrels --by median -o all.qrels",
)
@click.argument("files", type=click.Path(), nargs=-1, metavar="FILE...")
@click.option(
    "--by", default="median", show_default=True, metavar="NAME",
    help=f"How: {', '.join(AGGREGATIONS.names())}; parameters as in \"dawid-skene(smoothing=1)\".",
)  # fmt: skip
@click.option(
    "--label-set", "label_set", multiple=True, metavar="NAME|FILE",
    help="Of a campaign, this label set (each counts as an assessor); else one more file; repeat.",
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
    label_set: tuple[str, ...],
    group: str | None,
    errors: Errors,
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Aggregate several assessors' grades into one.

    One grade for each doc of a judgments FILE, of a campaign, or of qrels, one FILE per assessor.

    The result is qrels in TREC's form; with --format a table topic, doc, grade. Codes below 0 are
    no grades; docs without any grade are left out, and a note counts them. A majority that ties
    takes the lower grade, and so does a median between two. A mean need not be a level, and is
    written with all its digits. Of several revisions the latest counts.
    """
    from qrelsmith.judgments.aggregate import aggregate

    labels, names = label_files(files, label_set)
    result = aggregate(
        labels[0] if len(labels) == 1 else labels,
        by,
        group=group,
        label_set=names,
        errors=errors,
        scale=parse_scale(scale, off_scale),
        off_scale=off_scale,
        topic_set=topic_set,
    )
    common.say(result.notes)
    emit_qrels(result.qrels, common)
