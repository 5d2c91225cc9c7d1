"""`qrelsmith assign`."""

from __future__ import annotations

import click
from click.core import ParameterSource

from qrelsmith.analyses.assignment import assigned
from qrelsmith.cli.options import Common, common_options, topic_set_option
from qrelsmith.data.campaign import Campaign, read_campaign
from qrelsmith.data.topic_set import read_topic_set

_SEED = "assignments"


@click.command(
    name="assign", epilog="Example: qrelsmith assign my-campaign -o my-campaign/assignments.csv"
)
@click.argument("campaign", type=click.Path())
@click.option("--group", "groups", multiple=True, metavar="NAME", help="Only this group; repeat.")
@click.option(
    "--per-doc", type=click.IntRange(min=1),
    help="How many assessors judge a doc, in groups that do not say it; default: 1.",
)  # fmt: skip
@click.option(
    "--hit-size", type=click.IntRange(min=1),
    help="HITs of at most so many docs of one topic, in groups that do not say it.",
)  # fmt: skip
@topic_set_option
@click.option("--balance", is_flag=True, help="Show how evenly the work is dealt instead.")
@common_options
def command(
    common: Common,
    campaign: str,
    groups: tuple[str, ...],
    per_doc: int | None,
    hit_size: int | None,
    topic_set: str | None,
    balance: bool,
) -> None:
    """Decide who judges which topic of CAMPAIGN, and in which order the docs are shown.

    Columns: topic, assessor, group, ordering, seed; with HITs also hit and docs. A topic of a group
    with the role gold goes to its creator, half of each one's topics prioritised and half
    randomised; other groups get the topics at random and evenly, prioritised unless campaign.toml
    says otherwise, HITs randomised. --balance: group, assessor, ordering, topics, hits, docs. The
    same seed always gives the same assignments: --seed, else `assignments` in [seeds]. Do not show
    assessors their ordering.
    """
    read = read_campaign(campaign)
    result = assigned(
        read,
        seed=_seed(read, common),
        groups=groups,
        per_doc=per_doc,
        hit_size=hit_size,
        topics=None if topic_set is None else read_topic_set(topic_set),
    )
    common.say(result.notes)
    common.emit(result.balance() if balance else result.table())


def _seed(campaign: Campaign, common: Common) -> int:
    """The seed that was asked for, else the campaign's, else the default."""
    asked = click.get_current_context().get_parameter_source("seed")
    if asked is not ParameterSource.DEFAULT:
        return common.seed
    return campaign.seeds.get(_SEED, common.seed)
