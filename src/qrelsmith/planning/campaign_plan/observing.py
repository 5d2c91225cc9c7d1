"""An existing collection for the fit and the check of the simulator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale, assumed_note
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.run_sources import RunsLike, runs_of
from qrelsmith.judgments.sources import JudgmentsLike, judgments_of
from qrelsmith.planning.campaign_plan.calibration import Calibration, calibrate
from qrelsmith.planning.campaign_plan.observed import DEEPEST, ObservedCampaign, observed_campaign


@dataclass(frozen=True, slots=True, eq=False)
class CheckedSimulator:
    """The simulator, fitted to a collection and compared with the collection.

    Attributes
    ----------
    calibration : Calibration
        The predictions and the observed values.
    observed : ObservedCampaign
        The collection.
    files : tuple of path
        The files that were read, if any.
    notes : tuple of str
        Notes for the reader of the results.
    """

    calibration: Calibration
    observed: ObservedCampaign
    files: tuple[FilePath, ...]
    notes: tuple[str, ...]


def checked_simulator(
    labels: JudgmentsLike,
    runs: RunsLike | None,
    scale: Scale | None,
    *,
    measure: str,
    seed: int,
    jobs: int | None,
    advance: Callable[[], None],
) -> CheckedSimulator:
    """Return the simulator, fitted to half of a collection's topics and tested on the other half.

    Parameters
    ----------
    runs : runs, optional
        The runs; by default those of the campaign.
    scale : Scale, optional
        The levels of the labels; by default the campaign's, else 0 to the highest grade found.
    measure : str
        The measure that ranks the systems.
    seed : int
        The seed of the halves and of the simulations.
    jobs : int, optional
        The number of threads that read runs.
    advance : callable
        Called after each step of the fit.

    Raises
    ------
    InputError
        If a file is malformed, or there are no runs.
    UndefinedError
        If there are too few data for the fit.
    """
    campaign = campaign_of(labels)
    files: list[object] = [*labels] if isinstance(labels, list | tuple) else [labels]
    declared = scale
    if campaign is not None:
        folder = campaign.campaign
        declared = scale or folder.scale
        files = [*(folder.qrels if folder.judgments is None else (folder.judgments,))]
    elif runs is None:
        raise UsageError("a fit needs runs; expected --fit-runs")
    judgments = judgments_of(campaign or labels, scale=scale)
    notes = []
    if declared is None:
        top = int(np.ceil(judgments.grade.max(initial=1.0)))
        declared = Scale(tuple(float(level) for level in range(top + 1)))
        notes.append(assumed_note(declared))
    sources = runs_of(campaign if runs is None else runs)
    files += sources
    loaded = load_runs(sources, depth=DEEPEST, jobs=jobs)
    observed = observed_campaign(judgments, loaded, scale=declared)
    found_there = (
        f"{len(observed.topics)} topics, {len(loaded)} runs pooled {observed.depth} deep;"
        f" {observed.left_out} judged docs outside the pool are left out"
    )
    notes.append(f"fitting to labels of {', '.join(observed.names)}: {found_there}")
    calibration = calibrate(observed, measure=measure, seed=seed, advance=advance)
    named = tuple(file for file in files if isinstance(file, str | PathLike))
    return CheckedSimulator(calibration, observed, named, tuple(notes))
