"""The state of a sample in a file of the app: computed once per wave, and shown at any time."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.sample_settings import SampleJudging
from qrelsmith.collection.qrels import Qrels
from qrelsmith.estimation.boundaries import labels_needed
from qrelsmith.estimation.estimate import estimate
from qrelsmith.estimation.estimates import Estimated
from qrelsmith.estimation.sample import SampledDocs
from qrelsmith.estimation.sample_files import SampleRows
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.web.project import current_instance

DECIDED, SPENT = "decided", "spent"
_NEAREST = 10


class SampleSources(NamedTuple):
    """The labels, runs, measure and scale for drawing a sample."""

    labels: CampaignLabels | None
    runs: list[FilePath]
    measure: str
    scale: Scale | None


class UndecidedPair(NamedTuple):
    """Two runs for which it is not known yet which run is better."""

    run_a: str
    run_b: str
    difference: float
    low: float
    high: float
    more: float


@dataclass(frozen=True, slots=True)
class SampleState:
    """Estimates from the judged waves.

    Attributes
    ----------
    measure : str
        The measure.
    waves, labels, pairs, decided : int
        Number of judged waves, of their labels, of pairs of runs, and of decided pairs, for which
        it is known which run is better.
    width : float
        Mean width of the intervals of the differences.
    nearest : tuple of UndecidedPair
        The undecided pairs that need the fewest labels; a requested pair comes first.
    ended : str
        Why judging has ended: `decided` or `spent`; empty while it continues.
    problem : str
        Why the next wave could not be drawn; empty if it could.
    """

    measure: str = ""
    waves: int = 0
    labels: int = 0
    pairs: int = 0
    decided: int = 0
    width: float = math.nan
    nearest: tuple[UndecidedPair, ...] = ()
    ended: str = ""
    problem: str = ""


def has_sample() -> bool:
    """Return whether a sample is judged in this campaign."""
    return current_instance().campaign.sampling is not None


def sample_state() -> SampleState:
    """Return the estimates from the judged waves; empty before the first wave is judged."""
    path = _path()
    if not path.is_file():
        return SampleState()
    content = json.loads(path.read_text(encoding="utf-8"))
    nearest = tuple(UndecidedPair(*pair) for pair in content.pop("nearest"))
    return SampleState(**content, nearest=nearest)


def keep_problem(problem: str) -> None:
    """Store why the sample cannot continue."""
    _keep(replace(sample_state(), problem=problem))


def keep_state(
    campaign: Campaign,
    settings: SampleJudging,
    sources: SampleSources,
    rows: SampleRows,
    people: Qrels,
) -> bool:
    """Store the estimates from the judged waves, and return whether judging has ended.

    The decision to end uses bounds that hold for any number of interim analyses within the budget.
    """
    result = estimate(
        sources.labels,
        sources.runs,
        sources.measure,
        sample=SampledDocs(rows_drawn=rows, wave=rows.waves),
        judgments=people,
        pairs=True,
        until=settings.budget,
        scale=sources.scale,
    )
    state = _state(result, settings, rows)
    _keep(state)
    return bool(state.ended)


def _state(result: Estimated, settings: SampleJudging, rows: SampleRows) -> SampleState:
    (estimates,) = result.of_measures
    first, second, difference, reach, decided = estimates.pairs()
    pairs = [
        UndecidedPair(
            estimates.runs[a], estimates.runs[b], gap, gap - half, gap + half,
            max(labels_needed(gap, half, estimates.labels) - estimates.labels, 1.0),
        )
        for a, b, gap, half, told in zip(
            first.tolist(), second.tolist(), difference.tolist(), reach.tolist(), decided.tolist(),
            strict=True,
        )
        if not told
    ]  # fmt: skip
    asked = set(settings.decide)
    pairs.sort(key=lambda pair: ({pair.run_a, pair.run_b} != asked, pair.more))
    width = float(2 * reach.mean()) if reach.size else math.nan
    wishes = [
        not asked or result.decision(*settings.decide).better is not None,
        settings.share is None or bool(decided.size and decided.mean() >= settings.share),
        settings.width is None or bool(reach.size and width <= settings.width),
    ]
    is_asked = bool(asked) or settings.share is not None or settings.width is not None
    ended = SPENT if len(rows.keys) >= settings.budget else ""
    if (is_asked and all(wishes)) or bool(decided.size and decided.all()):
        ended = DECIDED
    return SampleState(
        measure=estimates.measure,
        waves=rows.waves,
        labels=estimates.labels,
        pairs=len(decided),
        decided=int(np.count_nonzero(decided)),
        width=width,
        nearest=tuple(pairs[:_NEAREST]),
        ended=ended,
    )


def _path() -> Path:
    return current_instance().folder / "sample.json"


def _keep(state: SampleState) -> None:
    content = asdict(state)
    write_text(_path(), json.dumps(content, indent=1) + "\n")
