"""A collection that the simulator is fitted to and held against: options and reading."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
import numpy as np

from qrelsmith.analyses.campaign_plan.calibration import CAMPAIGNS, Calibration, calibrated
from qrelsmith.analyses.campaign_plan.fit import fit_steps
from qrelsmith.analyses.campaign_plan.observed import (
    DEEPEST,
    ObservedCampaign,
    observed_campaign,
)
from qrelsmith.cli.options import Common
from qrelsmith.cli.progress import progress
from qrelsmith.cli.run_files import read_runs
from qrelsmith.data.campaign import read_campaign
from qrelsmith.data.judgments import read_judgments
from qrelsmith.data.text import FilePath
from qrelsmith.errors import InputError
from qrelsmith.scales import Scale, assumed_note


def fit_options(function: Callable[..., None]) -> Callable[..., None]:
    """What the simulator is fitted to: `fit`, `fit_runs` and `fit_scale`."""
    for option in (
        click.option(
            "--fit-scale", metavar="LEVELS",
            help="Levels of the labels of --fit: 0..3; default: the campaign's, else 0 to the"
            " highest grade seen.",
        ),
        click.option(
            "--fit-runs", type=click.Path(), multiple=True, metavar="RUN",
            help="A run, or a folder of runs, of the collection of --fit; default: the"
            " campaign's. Repeat for more.",
        ),
        click.option(
            "--fit", type=click.Path(), multiple=True, metavar="CAMPAIGN|FILE",
            help="A collection that the simulator is fitted to, on half of its topics, and held"
            " against, on the other half: a campaign folder, or files of labels; repeat for more"
            " files.",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


def checked_simulator(
    fit: tuple[str, ...],
    runs: tuple[str, ...],
    scale: str | None,
    *,
    measure: str,
    common: Common,
) -> tuple[Calibration, ObservedCampaign, tuple[FilePath, ...]]:
    """The simulator, fitted and held against a collection; and the files that were read.

    Raises
    ------
    InputError
        If a file is not as it should be, or there are no runs.
    UndefinedError
        If there is too little to fit to.
    """
    given = None if scale is None else Scale.parse(scale)
    labels: tuple[FilePath, ...] = fit
    run_paths = runs
    if len(fit) == 1 and Path(fit[0]).is_dir():
        campaign = read_campaign(fit[0])
        given = given or campaign.scale
        labels = campaign.qrels if campaign.judgments is None else (campaign.judgments,)
        run_paths = runs or tuple(map(str, campaign.runs))
        if not labels:
            raise InputError(
                "the campaign has neither judgments.* nor qrels/; expected labels", path=fit[0]
            )
    if not run_paths:
        raise click.UsageError("--fit needs runs: name them with --fit-runs")
    judgments = read_judgments(*labels, scale=given)
    if given is None:
        top = int(np.ceil(judgments.grade.max(initial=1.0)))
        given = Scale.parse(f"0..{top}")
        common.say([assumed_note(given)])
    loaded = tuple(read_runs(run_paths, order="trec", depth=DEEPEST, common=common))
    observed = observed_campaign(judgments, loaded, scale=given)
    found_there = (
        f"{len(observed.topics)} topics, {len(loaded)} runs pooled {observed.depth} deep;"
        f" {observed.left_out} judged docs outside that pool are left out"
    )
    common.say([f"fitting to labels of {', '.join(observed.names)}: {found_there}"])
    steps = fit_steps() + CAMPAIGNS
    with progress("fitting the simulator", steps, quiet=common.quiet) as advance:
        found = calibrated(observed, measure=measure, seed=common.seed, advance=advance)
    return found, observed, (*labels, *_files(run_paths))


def _files(paths: tuple[str, ...]) -> list[Path]:
    """The files of runs and of folders of them."""
    found: list[Path] = []
    for path in map(Path, paths):
        inside = sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]
        found += [one for one in inside if one.name[0] != "."]
    return found
