"""The command `drift`: quality of a judge on its anchors over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Annotated

from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.base.options import FigureFile, Option, Source
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.gates.figures import FIGURES
from qrelsmith.gates.gate import gate_rows
from qrelsmith.gates.gate_options import check_figures, numbers_by_name
from qrelsmith.gates.gate_rows import GateRow
from qrelsmith.gates.paired_judges import PairedJudges
from qrelsmith.judgments.campaign_sources import CampaignLike, campaign_folder
from qrelsmith.models.anchors import AnchorLabel, read_anchors

_COLUMNS = (
    "date", "model", "prompt", "figure", "baseline", "new", "difference", "low", "high", "margin",
    "verdict",
)  # fmt: skip
_TICKS = (
    25  # dates that are closer than this part of the whole time would be written over each other
)


@dataclass(frozen=True, slots=True)
class JudgedAnchors:
    """A judge's labels of the anchors at one date, compared with the first date.

    Attributes
    ----------
    date, model, prompt : str
        The run.
    rows : tuple of GateRow
        The rows of the gate.
    """

    date: str
    model: str
    prompt: str
    rows: tuple[GateRow, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Drift(Result):
    """Gate results over time.

    Attributes
    ----------
    dates : tuple of JudgedAnchors
        The judged anchors by date; the first date is the baseline.
    """

    dates: tuple[JudgedAnchors, ...]

    def table(self) -> Table:
        """Return one row per date and figure."""
        rows = [
            (
                run.date, run.model, run.prompt, row.figure, row.baseline, row.new, row.difference,
                row.low, row.high, row.margin, row.verdict,
            )
            for run in self.dates
            for row in run.rows
        ]  # fmt: skip
        return Table.of(_COLUMNS, rows, notes=self.notes)

    def figure(self) -> Figure:
        """Return a chart of the differences from the first date, in units of margins."""
        first = datetime.fromisoformat(self.dates[0].date)
        days = [
            (datetime.fromisoformat(run.date) - first).total_seconds() / 86400 for run in self.dates
        ]
        lines = []
        for place, row in enumerate(self.dates[0].rows):
            of_dates = [run.rows[place] for run in self.dates]
            scaled = [
                [(value or 0.0) / (row.margin or 1.0) for value in values]
                for values in zip(
                    *((each.difference, each.low, each.high) for each in of_dates), strict=True
                )
            ]
            lines.append(Line(row.figure, days, scaled[0], scaled[1], scaled[2]))
        ticks: list[tuple[float, str]] = []
        for day, run in zip(days, self.dates, strict=True):
            if not ticks or day - ticks[-1][0] > days[-1] / _TICKS:
                ticks.append((day, run.date[:10]))
        return Figure(
            "drift",
            "Change of the judge since the first date, on the anchors",
            Lines(lines, "date", "difference / margin", reference=-1.0, ticks=ticks),
            "A figure fails if the whole band is below −1.",
        )


@question(
    command="drift",
    heading="trust",
    no_audit="it is of a judge's anchors over time, which are no label set",
    example="qrelsmith drift my-campaign --figure drift.svg",
    writes={
        "figure": FigureFile(
            "Draw a chart of the values over time to this file (.svg or .pdf).",
            "The intervals are for the paired difference from the first date.",
        )
    },
)
def drift(
    campaign: Annotated[CampaignLike, Source(
        "The campaign whose anchors were labelled.", "CAMPAIGN", many=False, required=True)],
    *,
    assessor: Annotated[str | None, Option(
        "Use only the runs of this assessor.", metavar="NAME")] = None,
    margins: Annotated[Mapping[str, float] | None, Option(
        "Margin of a figure, as in `gate`; repeatable.", ("--margin",),
        metavar="FIGURE=X", many=True, gather=numbers_by_name)] = None,
) -> Drift:  # fmt: skip
    """Compare a judge's labels of anchor docs over time.

    Anchors are docs with human labels. `judge --anchors FILE` labels the anchors again each time.
    Columns: date, model, prompt, figure, baseline, new, difference, low, high, margin, verdict. The
    first date is the baseline. The other columns have the same meaning as in `gate`.

    Returns
    -------
    Drift
        `dates`, each with the rows of a gate.

    Raises
    ------
    InputError
        If no anchors were labelled.
    UsageError
        If a margin is invalid, or an assessor is unknown.

    Examples
    --------
    >>> from qrelsmith import drift
    >>> drift("my-campaign").table()  # doctest: +SKIP
    """
    margins = dict(margins or {})
    check_figures(margins, {}, {})
    needing = [entry.name for entry in FIGURES.entries() if entry.about["of_runs"]]
    if wrong := [name for name in margins if name in needing]:
        raise UsageError(
            f"drift does not compute {wrong[0]}; expected alpha, agreement, bias or coverage"
        )
    folder = campaign_folder(campaign)
    if folder is None:
        raise UsageError(
            f"{campaign} is not a campaign folder; expected a folder with campaign.toml"
        )
    labels = read_anchors(Path(folder.folder))
    names = sorted({label.assessor for label in labels})
    if assessor is not None and assessor not in names:
        raise UnknownNameError("assessor of anchors", assessor, names)
    runs = [
        list(group)
        for _, group in groupby(
            (label for label in labels if assessor in (None, label.assessor)),
            key=lambda label: (label.date, label.assessor),
        )
    ]
    first = _qrels(runs[0], "grade")
    dates = []
    for run in runs:
        anchors = {(label.topic, label.doc): label for label in (*runs[0], *run)}
        people = _qrels(anchors.values(), "people")
        judges = PairedJudges.of(people, first, _qrels(run, "grade"))
        dates.append(
            JudgedAnchors(run[0].date, run[0].model, run[0].prompt, gate_rows(judges, margins, {}))
        )
    notes = [f"{dates[-1].date}: {row.sentence()}" for row in dates[-1].rows if row.sentence()]
    return Drift(dates=tuple(dates), notes=tuple(notes))


def _qrels(labels: Iterable[AnchorLabel], column: str) -> Qrels:
    return Qrels.from_rows((label.topic, label.doc, getattr(label, column)) for label in labels)
