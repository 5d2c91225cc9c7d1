"""`qrelsmith assign`."""

from __future__ import annotations

import click
from click.core import ParameterSource

from qrelsmith.cli.options import Common, Finite, common_options, topic_set_option


@click.command(
    name="assign", epilog="Example: qrelsmith assign my-campaign -o my-campaign/assignments.csv"
)
@click.argument("campaign", type=click.Path())
@click.option("--group", multiple=True, metavar="NAME", help="Only this group; repeat.")
@click.option(
    "--per-doc", type=click.IntRange(min=1),
    help="How many assessors judge a doc, in groups that do not say it; default: 1.",
)  # fmt: skip
@click.option(
    "--hit-size", type=click.IntRange(min=1),
    help="HITs of at most so many docs of one topic, in groups that do not say it.",
)  # fmt: skip
@topic_set_option
@click.option(
    "--repeats", type=Finite(min=0, max=1, min_open=True), metavar="SHARE",
    help="Have this share of each assessor's docs come again in a later round, unseen as repeats.",
)  # fmt: skip
@click.option("--balance", is_flag=True, help="Show how evenly the work is dealt instead.")
@common_options
def command(
    common: Common,
    campaign: str,
    group: tuple[str, ...],
    per_doc: int | None,
    hit_size: int | None,
    topic_set: str | None,
    repeats: float | None,
    balance: bool,
) -> None:
    """Assign topics to assessors: who judges what, in which order.

    Who judges which topic of CAMPAIGN, and in which order the docs are shown.

    Columns: topic, assessor, group, ordering, seed; with HITs also hit and docs, with repeats docs
    and round. A topic of a group with the role gold goes to its creator, half of each one's topics
    prioritised and half randomised; other groups get the topics at random and evenly, prioritised
    unless campaign.toml says otherwise, HITs randomised. --balance: group, assessor, ordering,
    topics, hits, docs. The same seed always gives the same assignments: --seed, else `assignments`
    and `repeats` in [seeds]. Do not show assessors their ordering, nor which docs come again.
    """
    from qrelsmith.assigning.assign import assign

    asked = click.get_current_context().get_parameter_source("seed")
    result = assign(
        campaign,
        group=group,
        per_doc=per_doc,
        hit_size=hit_size,
        topic_set=topic_set,
        repeats=repeats,
        balance=balance,
        seed=None if asked is ParameterSource.DEFAULT else common.seed,
    )
    common.say(result.notes)
    common.emit(result.table())
