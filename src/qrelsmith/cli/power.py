"""`qrelsmith power`."""

from __future__ import annotations

from typing import Any

import click

from qrelsmith.cli.options import Common, Finite, common_options
from qrelsmith.cli.ranking_sources import (
    RankingInputs,
    of_rankings,
    qrels_option,
    ranking_options,
    topic_set_option,
)
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import scoring_options
from qrelsmith.rankings.significance import PAIRED_TEST
from qrelsmith.stats.significance import TESTS


@click.command(
    name="power",
    epilog="Example: qrelsmith power nist.qrels runs/*.run -m nDCG@10 -m AP --test paired-t",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[QRELS RUN...|CAMPAIGN]",
    callback=folders_of_runs,
)  # fmt: skip
@ranking_options
@qrels_option
@click.option(
    "--scores", type=click.Path(), help="Scores in place of qrels and runs, as for significance."
)
@click.option(
    "--test", "tests", type=click.Choice(TESTS.names()), multiple=True,
    default=(PAIRED_TEST,), show_default=True, help="A test; repeat for more.",
)  # fmt: skip
@click.option(
    "--alpha", type=Finite(0, 1, min_open=True, max_open=True), default=0.05,
    show_default=True, help="The level of significance.",
)  # fmt: skip
@click.option("-B", "--trials", type=click.IntRange(min=1), help="Random trials of the test.")
@topic_set_option
@scoring_options
@common_options
@of_rankings
def command(common: Common, rankings: RankingInputs, **options: Any) -> None:
    """Discriminative power: the share of system pairs that differ significantly.

    Columns: measure, test, pairs, significant, power, delta. delta is the difference above which
    every pair of these systems would be significant (Sakai 2006). The tests are those of
    `significance`, with the same p. One system has no pairs: power and delta are nan. A campaign
    folder stands for its label sets, runs and measures; several label sets have a column qrels.
    """
    from qrelsmith.rankings.discriminative_powers import power

    common.emit(rankings.ask(power, common, doing="evaluating", options=options).table())
