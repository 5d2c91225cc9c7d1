"""`qrelsmith sample`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.sampling import judgments_option, sampling_options


@click.command(
    name="sample",
    epilog="Example: qrelsmith sample runs/*.run --label-set llm.qrels -m nDCG@10 --budget 300"
    " -o sample.csv",
)
@click.option(
    "--budget", type=click.IntRange(min=1), required=True, metavar="N",
    help="How many docs people can judge in all.",
)  # fmt: skip
@click.option(
    "--after", type=click.Path(), metavar="SAMPLE", help="The sample so far: draw its next wave."
)
@judgments_option
@click.option(
    "--wave", type=click.IntRange(min=1), metavar="N",
    help="How many docs this wave draws; default: 30 % of the budget, then all the rest.",
)  # fmt: skip
@click.option(
    "--focus", multiple=True, metavar="RUN",
    help="With --after: draw what tells these runs apart, of one run: from all others; the same in"
    " all waves. Default: all runs.",
)  # fmt: skip
@sampling_options
@common_options
def command(common: Common, asked: Mapping[str, Any], **options: Any) -> None:
    """Sample docs for people to judge: few labels, valid conclusions.

    Columns: topic, doc, wave (the first that drew it), probability (that any wave of the file draws
    it), check (the same in all rows; a file that lacks some is refused). Without --after the pilot
    is drawn, by the weight of the docs in the systems' scores; with it and --judgments of its docs
    the next wave, where labels tell systems apart; the output holds all waves. Judge all of its
    docs, then ask estimate. Below 50 labels no pair of systems is decided.
    """
    from qrelsmith.estimation.sample import sample

    drawn = sample(**asked, **options, seed=common.seed)
    common.say(drawn.notes)
    common.emit(drawn.table())
