"""Options that `sample`, `estimate` and `plan sample` share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from qrelsmith.base.scales import Gains, Scale
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.cli.options import split_names
from qrelsmith.cli.ranking_sources import files_by_name
from qrelsmith.cli.run_files import check_named_once
from qrelsmith.io.text import FilePath


class SampledSources(NamedTuple):
    """The inputs of a question about few labels, and which label sets of a campaign are meant."""

    labels: FilePath | dict[str, FilePath] | None
    runs: list[FilePath] | None
    label_set: list[str] | None


def sampled_sources(files: Sequence[FilePath], chosen: Sequence[str]) -> SampledSources:
    """A campaign's folder, or runs with the label sets that were named as files."""
    if files and (Path(files[0]) / SETTINGS).is_file():
        return SampledSources(files[0], list(files[1:]) or None, list(chosen) or None)
    if not files:
        raise click.UsageError("expected RUN... or a campaign folder")
    check_named_once([str(file) for file in files])
    return SampledSources(files_by_name(chosen) if chosen else None, list(files), None)


def parsed_gains(text: str | None) -> Gains | None:
    """Gains of an option."""
    return None if text is None else Gains.parse(text)


def parsed_scale(text: str | None) -> Scale | None:
    """The scale of an option."""
    return None if text is None else Scale.parse(text)


def parsed_measures(named: Sequence[str]) -> list[str] | None:
    """Names of measures; None: the campaign's."""
    return split_names(named) or None


def sampling_options(function: Callable[..., None]) -> Callable[..., None]:
    """Label sets, measures and how runs are read: `chosen`, `measures`, `run_order`, …."""
    from qrelsmith.collection.run_order import RUN_ORDERS

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
    ):  # fmt: skip
        function = option(function)
    return function


judgments_option = click.option(
    "--judgments", metavar="QRELS|NAME",
    help="People's labels of the docs in the sample: a qrels file; of a campaign a label set"
    " (default: its reference).",
)  # fmt: skip
