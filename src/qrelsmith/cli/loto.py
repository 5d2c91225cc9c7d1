"""`qrelsmith loto`."""

from __future__ import annotations

from typing import Any

import click

from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.ranking_sources import (
    RankingInputs,
    empty_topics_option,
    of_rankings,
    qrels_option,
    ranking_options,
    topic_sets_option,
)
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import scoring_options
from qrelsmith.cli.teams import teams_option
from qrelsmith.rankings.ranking_comparison import POPULATIONS
from qrelsmith.stats.tau_intervals import INTERVALS


@click.command(
    name="loto",
    epilog="Example: qrelsmith loto gold.qrels runs/*.run --teams teams.txt --depth 30 -m nDCG@10",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[QRELS] RUN...|CAMPAIGN",
    callback=folders_of_runs,
)  # fmt: skip
@ranking_options
@qrels_option
@topic_sets_option
@empty_topics_option
@teams_option
@click.option(
    "--depth", type=click.IntRange(min=1),
    help="The depth of the pools; default: that of the campaign's pool files.",
)  # fmt: skip
@click.option(
    "--found", type=click.Path(), metavar="FILE",
    help="Docs found otherwise, as for pool: topic doc. No team alone brought them.",
)  # fmt: skip
@click.option(
    "--interval", type=click.Choice([*POPULATIONS, *INTERVALS.names()]), default="topics",
    show_default=True,
    help="The 95 % interval: of tau_b over topics or systems like these; the papers' over systems:"
    " fieller of tau_b, consistent of tau_a.",
)  # fmt: skip
@scoring_options
@common_options
@of_rankings
def command(common: Common, rankings: RankingInputs, **options: Any) -> None:
    """Leave one team out: are systems that did not pool ranked fairly.

    The docs that only one team's runs have in their top --depth are dropped from the qrels, and all
    systems are ranked again. Columns: measure, qrels, topic_set, team, runs, unique (docs that only
    this team brought), dropped (those of them that the qrels hold), dropped_relevant, left (pairs
    in the qrels without them), fall (ranks that the team's run loses which falls most), systems,
    tau_a, tau_b, tau_low, tau_high, interval, over: the ranking without the team's docs beside the
    full one. tau_low and tau_high are nan for fewer than 8 topics, for fewer than 5 systems, and in
    the papers' intervals where tau is 1. Each label set is looked at on the topics that it shares
    with the first one. A campaign folder in place of the files stands for its label sets, runs,
    teams, measures and the depth of its pools.
    """
    from qrelsmith.rankings.loto import loto

    common.emit(rankings.ask(loto, common, doing="leaving teams out", options=options).table())
