"""`qrelsmith damages`."""

from __future__ import annotations

from typing import Literal

import click

from qrelsmith.cli.options import (
    Common,
    Finite,
    common_options,
    parse_scale,
    scale_options,
    split_names,
)
from qrelsmith.cli.progress import progress
from qrelsmith.cli.ranking_sources import (
    label_set_option,
    qrels_option,
    reference_option,
    sources,
    topic_set_option,
)
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.teams import teams_option
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.damages import DAMAGES
from qrelsmith.damages.whose import ALPHA


@click.command(
    name="damages",
    epilog="Example: qrelsmith damages www4",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[QRELS] RUN...|CAMPAIGN",
    callback=folders_of_runs,
)  # fmt: skip
@click.option(
    "--damage", "kinds", multiple=True, metavar="NAME",
    help=f"Look for this damage only; repeat for more: {', '.join(DAMAGES.names())}.",
)  # fmt: skip
@label_set_option
@reference_option
@qrels_option
@teams_option
@topic_set_option
@click.option(
    "--alpha", type=Finite(0, 1, min_open=True, max_open=True), default=ALPHA, show_default=True,
    help="The share of clean campaigns in which anything may be reported.",
)  # fmt: skip
@click.option(
    "--order", type=click.Choice(RUN_ORDERS.names()), default="trec", show_default=True,
    help="How the docs of a run are ranked.",
)  # fmt: skip
@scale_options
@common_options
def command(
    common: Common,
    files: tuple[str, ...],
    kinds: tuple[str, ...],
    chosen: tuple[str, ...],
    reference: str | None,
    label_sets: tuple[str, ...],
    teams: str | None,
    topic_set: str | None,
    alpha: float,
    order: str,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Find what is broken in labels, and whose it is.

    Every label set is held against the reference, the reference against most of the others; where
    two could be at fault, third sets decide. Columns: damage, label_set, group, assessor, topic,
    team, value with its 95 % interval low and high, p (after Holm over the culprits of a label
    set), found, sentence. A row for each test of each culprit; a terminal shows what was found.
    """
    from qrelsmith.damages.find_damages import find_damages

    labels, runs, label_set = sources(files, chosen, label_sets)
    with progress("looking for damage", None, quiet=common.quiet) as advance:
        result = find_damages(
            labels,
            runs,
            kinds=split_names(kinds),
            label_set=label_set,
            reference=reference,
            teams=teams,
            topic_set=topic_set,
            alpha=alpha,
            order=order,
            scale=parse_scale(scale, off_scale),
            off_scale=off_scale,
            jobs=common.jobs,
            advance=advance,
        )
    common.say(result.notes)
    common.emit(result.table(), on_terminal=result.summary())
