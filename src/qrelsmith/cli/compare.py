"""`qrelsmith compare`."""

from __future__ import annotations

from typing import Any

import click

from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.ranking_sources import (
    RankingInputs,
    of_rankings,
    qrels_option,
    ranking_options,
)
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import scoring_options
from qrelsmith.rankings.ranking_comparison import POPULATIONS


@click.command(
    name="compare",
    epilog="Example: qrelsmith compare --qrels nist.qrels --qrels llm.qrels -m nDCG@10 runs/*.run",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[RUN...|CAMPAIGN]", callback=folders_of_runs
)
@ranking_options
@qrels_option
@click.option(
    "--scores", type=click.Path(), multiple=True,
    help="Scores in place of qrels and runs (as for significance); repeat.",
)  # fmt: skip
@click.option(
    "--topic-set", "topic_sets", type=click.Path(), multiple=True,
    help="A file of topics, one a line. Once: only these. Twice or more, with one label set:"
    " compare the rankings over these sets of topics.",
)  # fmt: skip
@click.option(
    "--top", is_flag=True,
    help="The places of the reference's best systems under each label set, with intervals.",
)  # fmt: skip
@click.option(
    "--over", type=click.Choice(POPULATIONS), default="topics", show_default=True,
    help="Whom the interval is for: topics like these, or systems like these.",
)  # fmt: skip
@scoring_options
@common_options
@of_rankings
def command(common: Common, rankings: RankingInputs, **options: Any) -> None:
    """Rank correlation of the systems under several label sets.

    Kendall's tau, or another correlation, between the rankings under every two label sets.

    Columns: measure, qrels_a, qrels_b, systems, tau_a, tau_b, tau_ap, tau_low, tau_high, interval,
    over; a row for each kind of interval (topics: of tau_b over topics like these; and the papers'
    own over systems: fieller, of tau_b; consistent, Long and Cliff 1997, of tau_a). There is no
    interval, and nan stands there, for fewer than 8 topics, for fewer than 5 systems, and in the
    papers' where tau is 1 or -1; tau_b is nan where one side ties all systems, and all are nan for
    one system. Every two label sets are compared on the topics that these two have. tau_ap takes
    qrels_a as the reference: the one that was named first. Files of scores must hold the same
    systems, in any order. A campaign folder in place of the runs stands for its runs, measures and
    label sets, the reference first; with one --label-set and several --ordering, the rankings over
    these topics are compared.

    With --top a row for each label set and each of the reference's best third of systems (8 to 20):
    measure, qrels, system, place, place_low, place_high, systems, kept, low, high, over. The place
    is between place_low and place_high; kept is 1 where the label set has the order of these
    systems, weighted by their differences, and -1 where it has the reverse.
    """
    from qrelsmith.rankings.compared_rankings import compare

    common.emit(rankings.ask(compare, common, doing="evaluating", options=options).table())
