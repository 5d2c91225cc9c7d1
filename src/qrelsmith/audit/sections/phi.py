"""The coefficients Φ and α, and why Φ is of limited use for docs with only two labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.agreement import checco_phi
from qrelsmith.agreement.agree import agree
from qrelsmith.agreement.agreement_of_labels import Agreement
from qrelsmith.agreement.scoped_agreement import BETWEEN, ScopedAgreement
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import PHI_ROOM, SHUFFLES
from qrelsmith.audit.wording import name_list
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Intervals, NamedTable, Section
from qrelsmith.base.figure_text import short
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.ratings import Ratings

_KEY = "phi"
_PHI, _ALPHA = "phi", "alpha-ordinal"
_COLUMNS = (
    "labels", "assessors", "alpha-ordinal", "phi", "low", "high", "phi shuffled", "docs", "over",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Row:
    """Φ of some labels, with their α and the Φ of the shuffled labels.

    `most_have_two`: whether the median number of labels per doc is 2, over docs with at least two
    labels.
    """

    labels: str
    phi: ScopedAgreement
    alpha: float
    shuffled: float
    most_have_two: bool

    @property
    def has_room(self) -> bool:
        """Whether Φ could be noticeably higher than the Φ of shuffled labels; false for nan."""
        return 1 - self.shuffled >= PHI_ROOM


@SECTIONS.add("phi", place=45, apart=True, of="docs")
def phi(inputs: AuditInputs) -> Section:
    """Compute Φ between the reference and each label set on its scale, and within each group."""
    sets, groups = _of_label_sets(inputs), _of_groups(inputs)
    rows = [*sets[0], *groups[0]]
    if not rows:
        return Section(
            key=_KEY,
            title="Agreement by Φ",
            missing="a second label set on the scale of the reference, or two assessors of the same"
            " group with docs in common; grades must be whole numbers",
        )
    note = f"Phi shuffled: mean Φ of {SHUFFLES} random shuffles of the labels."
    return Section(
        key=_KEY,
        title="Agreement by Φ",
        paragraphs=(
            "Φ (Checco et al. 2017) is 1 if the labels of a doc are equal, 0 if they are evenly"
            " spread and below 0 if they are opposite. Φ is not corrected for chance, so only"
            " the excess over Φ of shuffled labels shows agreement.",
            *_missing_rows_note(rows),
        ),
        tables=tuple(
            NamedTable(
                key=key, title=title, table=_table(parts), note=note + _caveat(parts), answer=answer
            )
            for key, title, (parts, answer) in (
                ("phi", f"Φ and α of {inputs.reference} with the other label sets", sets),
                ("phi-groups", "Φ and α of the assessors of each group", groups),
            )
            if parts
        ),
        figures=_figures(rows),
    )


def _of_label_sets(inputs: AuditInputs) -> tuple[list[_Row], Agreement | None]:
    """Return one row per label set that has the reference's scale: its Φ with the reference."""
    scale = inputs.scale_text(inputs.reference)
    names = [name for name in inputs.label_sets if inputs.scale_text(name) == scale]
    if scale == "real" or len(names) < 2:
        return [], None
    answer = inputs.ask(
        agree,
        (_PHI, _ALPHA),
        by="pair",
        reference=inputs.reference,
        label_set=() if len(names) == len(inputs.label_sets) else tuple(names),
    )
    rows = []
    for part, alpha in zip(answer.of(_PHI)[1:], answer.of(_ALPHA)[1:], strict=True):
        ratings = Judgments.from_qrels({name: inputs.label_sets[name] for name in part.sides})
        (other,) = (name for name in part.sides if name != inputs.reference)
        name = f"{inputs.reference}{BETWEEN}{other}"
        rows += _rows(inputs, name, part, alpha, ratings.ratings())
    return rows, answer


def _of_groups(inputs: AuditInputs) -> tuple[list[_Row], Agreement | None]:
    """Return a row for each group on a scale with levels, or a row for all assessors."""
    if inputs.judgments is None:
        return [], None
    by = "assessor" if inputs.judgments.group is None else "group"
    answer = inputs.ask(agree, (_PHI, _ALPHA), by=by, reference=None)
    phis, alphas = ({part.scope: part for part in answer.of(name)} for name in (_PHI, _ALPHA))
    rows = []
    for group, judgments in inputs.groups.items():
        scope = group if by == "group" else "all"
        if scope in phis and inputs.scale_text(group) != "real":
            ratings = judgments.ratings()
            rows += _rows(inputs, f"within {group}", phis[scope], alphas[scope], ratings)
    return rows, answer


def _rows(
    inputs: AuditInputs, name: str, phi: ScopedAgreement, alpha: ScopedAgreement, ratings: Ratings
) -> list[_Row]:
    """Return a list of one row, or an empty list if no doc has two labels."""
    labels = (~np.isnan(ratings.values)).sum(axis=0)
    several = labels > 1
    if not several.any():
        return []
    values = ratings.values[:, several]
    values = values[np.isfinite(values).any(axis=1)]
    docs = [f"{topic}\t{doc}" for topic, doc in ratings.units]
    rng = rng_for(inputs.seed, "shuffles", *docs)
    top = int(inputs.scale_text(inputs.reference).partition("..")[2] or 0)
    scale = inputs.campaign.scale
    levels = np.arange(max(top, int(values[~np.isnan(values)].max())) + 1.0)
    levels = levels if scale is None else np.array(scale.levels)
    shuffled = [checco_phi(_shuffle(values, rng), scale=levels).value for _ in range(SHUFFLES)]
    return [
        _Row(name, phi, alpha.value, float(np.mean(shuffled)), bool(np.median(labels[several]) < 3))
    ]


def _table(rows: list[_Row]) -> Table:
    return Table.of(
        _COLUMNS,
        [
            (
                row.labels, row.phi.assessors, row.alpha, row.phi.value, row.phi.low, row.phi.high,
                row.shuffled, row.phi.units, row.phi.over,
            )
            for row in rows
        ],
    )  # fmt: skip


def _shuffle(values: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Shuffle the labels of each assessor over the docs labelled by the assessor."""
    dealt = values.copy()
    for row in dealt:
        held = np.flatnonzero(~np.isnan(row))
        row[held] = row[rng.permutation(held)]
    return dealt


def _caveat(rows: list[_Row]) -> str:
    """Return a caveat on rows whose docs have too few labels for a conclusion."""
    few = [row.labels for row in rows if row.most_have_two]
    if not few:
        return ""
    return f" Two labels per doc, so Φ is near 1 even for random labels: {name_list(few)}."


def _missing_rows_note(rows: list[_Row]) -> tuple[str, ...]:
    """Return a note on the rows that are missing in the plots."""
    full = [f"{row.labels} ({short(row.shuffled)})" for row in rows if not row.has_room]
    if not full:
        return ()
    return (
        f"Φ cannot show agreement if Φ of shuffled labels exceeds {short(1 - PHI_ROOM)}; use α"
        f" instead. Omitted because Φ of shuffled labels is too high: {name_list(full)}.",
    )


def _figures(rows: list[_Row]) -> tuple[Figure, ...]:
    """Return the plots of Φ beside the Φ of shuffled labels, because Φ alone can mislead."""
    drawn = [row for row in rows if row.has_room]
    if not drawn:
        return ()
    return (
        Figure(
            key="phi",
            title="Excess of Φ over Φ of the shuffled labels",
            drawing=Intervals(
                names=[row.labels for row in drawn],
                values=[row.phi.value - row.shuffled for row in drawn],
                lows=[row.phi.low - row.shuffled for row in drawn],
                highs=[row.phi.high - row.shuffled for row in drawn],
                label="Φ minus Φ of shuffled labels, 95% interval",
                reference=0.0,
            ),
            caption="At 0, labels agree no more than shuffled labels.",
        ),
    )
