"""Options that `sample`, `estimate` and `plan sample` share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import click

from qrelsmith.base.scales import Gains, Scale
from qrelsmith.cli.options import split_names
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.judgments.label_options import is_campaign
from qrelsmith.judgments.run_options import check_named_once, files_by_name


def sampling_options(function: Callable[..., None]) -> Callable[..., None]:
    """Runs or a campaign, label sets, measures and how runs are read, as one argument `asked`.

    Keywords of the question's function. To stand above `common_options`.
    """
    from qrelsmith.collection.run_order import RUN_ORDERS

    @wraps(function)
    def with_asked(
        *,
        runs: tuple[str, ...],
        chosen: tuple[str, ...],
        measures: tuple[str, ...],
        topic_set: str | None,
        run_order: str,
        gains: str | None,
        scale: str | None,
        **own: Any,
    ) -> None:
        asked = _sources(runs, chosen) | {
            "measures": split_names(measures) or None,
            "topic_set": topic_set,
            "run_order": run_order,
            "gains": None if gains is None else Gains.parse(gains),
            "scale": None if scale is None else Scale.parse(scale),
        }
        function(asked=asked, **own)

    command: Callable[..., None] = with_asked
    for option in (
        click.option(
            "--scale", metavar="LEVELS",
            help="Levels that people grade on: 0..3 or 0,1,2,3; default: those of the campaign,"
            " else 0 to the highest grade in the judgments.",
        ),
        click.option(
            "--gains", metavar="G1:G2:…", help="Gains of the grades 1, 2, …; default: the grades."
        ),
        click.option(
            "--run-order", type=click.Choice(RUN_ORDERS.names()), default="trec",
            show_default=True, help="How the docs of a run are ranked.",
        ),
        click.option(
            "--topic-set", type=click.Path(), help="A file of topics, one a line: only these."
        ),
        click.option(
            "-m", "--measure", "measures", multiple=True,
            help="A measure that is a sum over docs: P@k, RBP, DCG@k, nDCG@k. Default: the"
            " campaign's first.",
        ),
        click.option(
            "--label-set", "chosen", multiple=True, metavar="NAME|FILE",
            help="A model's labels: of a campaign its label set (default: all but the reference),"
            " else a qrels file; repeat for more.",
        ),
        click.argument(
            "runs", type=click.Path(), nargs=-1, metavar="RUN...|CAMPAIGN",
            callback=folders_of_runs,
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def _sources(files: Sequence[str], chosen: Sequence[str]) -> dict[str, Any]:
    """A campaign's folder, or runs with the label sets that were named as files."""
    if not files:
        raise click.UsageError("expected RUN... or a campaign folder")
    if is_campaign(files[0]):
        runs, label_set = list(files[1:]) or None, list(chosen) or None
        return {"labels": files[0], "runs": runs, "label_set": label_set}
    check_named_once(files)
    return {"labels": files_by_name(chosen) if chosen else None, "runs": list(files)}


judgments_option = click.option(
    "--judgments", metavar="QRELS|NAME",
    help="People's labels of the docs in the sample: a qrels file; of a campaign a label set"
    " (default: its reference).",
)  # fmt: skip
