"""`qrelsmith sample`."""

from __future__ import annotations

import click

from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.sampling import (
    judgments_option,
    parsed_gains,
    parsed_measures,
    parsed_scale,
    sampled_sources,
    sampling_options,
)


@click.command(
    name="sample",
    epilog="Example: qrelsmith sample runs/*.run --label-set llm.qrels -m nDCG@10 --budget 300"
    " -o sample.csv",
)
@click.argument(
    "runs", type=click.Path(), nargs=-1, metavar="RUN...|CAMPAIGN", callback=folders_of_runs
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
@sampling_options
@common_options
def command(
    common: Common,
    runs: tuple[str, ...],
    budget: int,
    after: str | None,
    judgments: str | None,
    wave: int | None,
    chosen: tuple[str, ...],
    measures: tuple[str, ...],
    topic_set: str | None,
    run_order: str,
    gains: str | None,
    scale: str | None,
) -> None:
    """Sample docs for people to judge: few labels, valid conclusions.

    Columns: topic, doc, wave (the first that drew it), probability (that any wave of the file draws
    it). Without --after the pilot is drawn, by the weight of the docs in the systems' scores; with
    it and --judgments of its docs the next wave, where labels tell systems apart; the output holds
    all waves. The number of docs is random, N is its mean. Judge all of them, then ask estimate.
    """
    from qrelsmith.estimation.sample import sample

    labels, named, label_set = sampled_sources(runs, chosen)
    drawn = sample(
        labels,
        named,
        parsed_measures(measures),
        budget=budget,
        after=after,
        judgments=judgments,
        wave=wave,
        label_set=label_set,
        topic_set=topic_set,
        run_order=run_order,
        gains=parsed_gains(gains),
        scale=parsed_scale(scale),
        seed=common.seed,
    )
    common.say(drawn.notes)
    common.emit(drawn.table())
