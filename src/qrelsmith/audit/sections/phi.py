"""Φ beside α: how concentrated the labels of a doc are, and how little that says of two labels."""

from __future__ import annotations

import math

import numpy as np

from qrelsmith.agreement import bootstrap_interval, checco_phi, krippendorff_alpha
from qrelsmith.analyses.campaign_labels import MOST_LEVELS
from qrelsmith.arrays import FloatArray
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import PHI_ROOM, SHUFFLES
from qrelsmith.audit.wording import listed, short
from qrelsmith.content import Figure, Intervals, NamedTable, Section
from qrelsmith.data.judgment_events import Judgments
from qrelsmith.rng import rng_for
from qrelsmith.tables import Cell, Table

_KEY = "phi"
_COLUMNS = (
    "labels", "assessors", "alpha-ordinal", "phi", "low", "high", "phi shuffled", "docs",
)  # fmt: skip


@SECTIONS.add("phi", place=45)
def phi(inputs: AuditInputs) -> Section:
    """Φ of the reference with every label set on its scale, and of the assessors of each group."""
    ratings = _ratings(inputs)
    rows = [_row(inputs, name, values, levels) for name, values, levels in ratings]
    if not rows:
        return Section(
            key=_KEY,
            title="Agreement by Φ",
            missing="a second label set on the scale of the reference, or two assessors of a group"
            " who judged the same docs, with whole numbers as grades",
        )
    return Section(
        key=_KEY,
        title="Agreement by Φ",
        paragraphs=(
            "Φ (Checco et al. 2017) asks how closely the labels of a doc lie together, whatever the"
            " doc: 1 where they are the same, 0 where they are spread evenly over the scale, below"
            " 0 where they stand at opposite ends. Unlike α it is not measured against chance, so"
            " it does not fall where most docs have one grade.",
            "With two labels a doc Φ is high even for random labels. So the column phi shuffled"
            " holds Φ after the labels of every assessor were dealt out to docs at random: only"
            " what exceeds it is agreement, and only that is drawn. No rule of this audit rests on"
            " Φ.",
            *_untold(rows),
        ),
        tables=(
            NamedTable(
                key="phi",
                title="Φ and α of the same labels",
                table=Table.of(_COLUMNS, rows),
                note=f"95 % intervals of Φ from a bootstrap over docs; shuffled: mean of {SHUFFLES}"
                f" shuffles.{_caveat(ratings)}",
            ),
        ),
        figures=_figures(rows),
    )


def _ratings(inputs: AuditInputs) -> list[tuple[str, FloatArray, FloatArray]]:
    """What is compared: its name, the ratings [assessor, doc] and the levels."""
    found = []
    scale = inputs.scale_text(inputs.reference)
    if scale != "real":
        levels = np.arange(int(scale.partition("..")[2]) + 1.0)
        for name in inputs.others:
            if inputs.scale_text(name) == scale:
                sets = {one: inputs.label_sets[one] for one in (inputs.reference, name)}
                values = Judgments.from_qrels(sets).ratings().values
                found.append((f"{inputs.reference} ~ {name}", values, levels))
    for group, judgments in inputs.groups.items():
        values = judgments.ratings().values
        known = values[~np.isnan(values)]
        on_scale = inputs.campaign.scale is not None and inputs.on_campaign_scale(group)
        top = (
            inputs.campaign.scale.top
            if on_scale and inputs.campaign.scale
            else known.max(initial=0)
        )
        if known.size and (known == np.floor(known)).all() and top < MOST_LEVELS:
            found.append((f"within {group}", values, np.arange(float(top) + 1)))
    return [one for one in found if (np.isfinite(one[1]).sum(axis=0) > 1).any()]


def _row(
    inputs: AuditInputs, name: str, values: FloatArray, levels: FloatArray
) -> tuple[Cell, ...]:
    values = values[:, np.isfinite(values).sum(axis=0) > 1]
    values = values[np.isfinite(values).any(axis=1)]
    rng = rng_for(inputs.seed, "audit", "phi", name)
    result = bootstrap_interval(values, "phi", rng=rng, scale=levels)
    alpha = krippendorff_alpha(values, level="ordinal", scale=levels)
    shuffled = [checco_phi(_shuffled(values, rng), scale=levels).value for _ in range(SHUFFLES)]
    return (
        name, len(values), alpha.value, result.value, result.low, result.high,
        float(np.mean(shuffled)), result.units,
    )  # fmt: skip


def _shuffled(values: FloatArray, rng: np.random.Generator) -> FloatArray:
    """The labels of each assessor dealt out at random to the docs that they labelled."""
    dealt = values.copy()
    for row in dealt:
        held = np.flatnonzero(~np.isnan(row))
        row[held] = row[rng.permutation(held)]
    return dealt


def _caveat(ratings: list[tuple[str, FloatArray, FloatArray]]) -> str:
    """Which rows of the table say little, since their docs have too few labels."""
    labels = {name: np.isfinite(values).sum(axis=0) for name, values, _ in ratings}
    few = [name for name, number in labels.items() if np.median(number[number > 1]) < 3]
    if not few:
        return ""
    return (
        " With two labels a doc, phi and its interval are near 1 whatever the labels are; so here:"
        f" {listed(few)}."
    )


def _has_room(row: tuple[Cell, ...]) -> bool:
    """Whether Φ could be noticeably higher than that of shuffled labels; nan: it could not."""
    return 1 - _number(row[6]) >= PHI_ROOM


def _untold(rows: list[tuple[Cell, ...]]) -> tuple[str, ...]:
    """Why some rows are not drawn."""
    full = [f"{row[0]} ({short(_number(row[6]))})" for row in rows if not _has_room(row)]
    if not full:
        return ()
    return (
        f"Not drawn, since Φ of shuffled labels is above {short(1 - PHI_ROOM)} there already, so"
        f" that Φ cannot show agreement: {listed(full)}. See α.",
    )


def _figures(rows: list[tuple[Cell, ...]]) -> tuple[Figure, ...]:
    """How far Φ exceeds that of shuffled labels; bare, two labels a doc would all be near 1."""
    drawn = [row for row in rows if _has_room(row)]
    if not drawn:
        return ()
    values, lows, highs = (
        [_number(row[place]) - _number(row[6]) for row in drawn] for place in (3, 4, 5)
    )
    return (
        Figure(
            key="phi",
            title="How far Φ exceeds that of the same labels at random",
            drawing=Intervals(
                names=[str(row[0]) for row in drawn],
                values=values,
                lows=lows,
                highs=highs,
                label="Φ beyond shuffled labels, 95 % interval",
                reference=0.0,
            ),
            caption="At 0 the labels of a doc lie no closer together than their distributions bring"
            " about. The interval is that of Φ; the shuffled one counts as known.",
        ),
    )


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else math.nan
