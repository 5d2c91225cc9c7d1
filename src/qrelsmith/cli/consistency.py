"""`qrelsmith consistency`."""

from __future__ import annotations

from typing import Any

import click

from qrelsmith.cli.options import Common, Finite, common_options
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


@click.command(
    name="consistency",
    epilog="Example: qrelsmith consistency --qrels gold.qrels --qrels bronze.qrels -m nDCG@10"
    " -m Q@10 runs/*.run",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[QRELS] RUN...|CAMPAIGN",
    callback=folders_of_runs,
)  # fmt: skip
@ranking_options
@qrels_option
@topic_sets_option
@empty_topics_option
@click.option(
    "-B", "--splits", type=click.IntRange(min=2), default=1000, show_default=True,
    help="How many times the topics are split in half.",
)  # fmt: skip
@click.option(
    "--trials", type=click.IntRange(min=1), default=1000, show_default=True,
    help="Trials of the randomised Tukey HSD test.",
)  # fmt: skip
@click.option(
    "--alpha", type=Finite(0, 1, min_open=True, max_open=True), default=0.05,
    show_default=True, help="The level of the test.",
)  # fmt: skip
@click.option("--pairs", is_flag=True, help="Print the test of every two rows instead.")
@scoring_options
@common_options
@of_rankings
def command(common: Common, rankings: RankingInputs, **options: Any) -> None:
    """Rank correlation of the systems over random halves of the topics.

    Kendall's tau, or another correlation, between the rankings over random halves.

    The topics are split in half again and again; tau is the mean of Kendall's tau-b between the two
    rankings, sd its standard deviation over the splits. Columns: letter, qrels, topic_set, measure,
    topics, systems, splits, tau, sd, outperforms, low, high, over; outperforms: the letters of the
    rows that are significantly lower (randomised Tukey HSD over the splits, as the paper has it;
    splits of one set of topics are no sample, and the more of them, the smaller the differences
    that are significant); low, high: the 95 % interval of tau over topics like these, from 8 topics
    on. The highest tau comes first. With --pairs: letter and name of every two rows, difference, p,
    effect_size (ES_E2), over splits.

    All label sets and measures on one set of topics share their splits, which follow from the seed
    and the topics' names. Splits in which a half ties all systems have no tau and are counted. Each
    label set is looked at on the topics that it shares with the first one. A campaign folder in
    place of the files stands for its label sets, runs and measures.
    """
    from qrelsmith.rankings.consistency import consistency

    common.emit(rankings.ask(consistency, common, doing="evaluating", options=options).table())
