"""`qrelsmith estimate`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.sampling import judgments_option, sampling_options

if TYPE_CHECKING:
    from qrelsmith.estimation.estimates import Estimated, Over

_FIRST, _SECOND, _OPEN = 0, 3, 4


@click.command(
    name="estimate",
    epilog="Example: qrelsmith estimate runs/*.run --sample sample.csv --judgments people.qrels"
    " --label-set llm.qrels -m nDCG@10 --pairs",
)
@click.option(
    "--sample", "sample_file", type=click.Path(), metavar="SAMPLE",
    help="What qrelsmith sample drew; default: sample.csv of the campaign.",
)  # fmt: skip
@judgments_option
@click.option("--pairs", is_flag=True, help="The differences of every two systems.")
@click.option(
    "--order", is_flag=True,
    help="An order of the systems: the models' labels', corrected by people's. No intervals.",
)  # fmt: skip
@click.option(
    "--over", type=click.Choice(["pool", "topics"]), default="pool", show_default=True,
    help="Whom the intervals are for: complete judging of this pool, or topics like these.",
)  # fmt: skip
@click.option(
    "--looks", type=click.IntRange(min=1), metavar="K",
    help="Intervals that hold together for K looks at a growing sample.",
)  # fmt: skip
@click.option("--anytime", is_flag=True, help="Intervals that hold however often one looks.")
@click.option(
    "--until", type=click.IntRange(min=1), metavar="N",
    help="Intervals that hold however often one looks until N labels are there: the budget.",
)  # fmt: skip
@click.option(
    "--exit-code", "two_runs", nargs=2, metavar="RUN_A RUN_B",
    help="Exit with 0 if RUN_A is better, 3 if RUN_B is, 4 if that is open.",
)  # fmt: skip
@sampling_options
@common_options
def command(
    common: Common,
    asked: Mapping[str, Any],
    sample_file: str | None,
    judgments: str | None,
    pairs: bool,
    order: bool,
    over: Over,
    looks: int | None,
    anytime: bool,
    until: int | None,
    two_runs: tuple[str, str] | None,
) -> None:
    """Estimate scores and differences of systems from few labels.

    Of a sample's docs, with intervals that hold. Columns: run, measure, estimate, low, high, labels
    (people's labels used), over; with --pairs: measure, run_a, run_b, difference, low, high,
    decided (true if 0 is outside, and of the decided ones .5 % at most are expected to be wrong);
    with --order: measure, rank, run, score. The intervals hold at
    95 %, for each row by itself, whatever the models' labels are worth. nDCG of one system has none
    that is known to hold; its differences have.
    """
    from qrelsmith.estimation.estimate import estimate

    answer = estimate(
        **asked,
        sample=sample_file,
        judgments=judgments,
        pairs=pairs or (two_runs is not None and not order),
        order=order,
        over=over,
        looks=looks,
        anytime=anytime,
        until=until,
    )
    status = _FIRST if two_runs is None else _exit_status(common, answer, two_runs)
    common.say(answer.notes)
    common.emit(answer.table())
    if status:
        click.get_current_context().exit(status)


def _exit_status(common: Common, answer: Estimated, two_runs: tuple[str, str]) -> int:
    """The exit status, and in a note what it says."""
    first, second = two_runs
    better, labels = answer.decision(first, second)
    if better is not None:
        common.say([f"{better} is better than {second if better == first else first}"])
        return _FIRST if better == first else _SECOND
    about = "no number of labels" if math.isinf(labels) else f"about {labels:,.0f} labels"
    common.say([f"undecided between {first} and {second}: {about} would decide"])
    return _OPEN
