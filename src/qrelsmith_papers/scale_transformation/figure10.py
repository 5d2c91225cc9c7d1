"""Figure 10 and section 4.3.2: the 1,000 best, median and worst cuts into four levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Boxes, Figure, Points
from qrelsmith.base.scipy_parts import special
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.cuts.cut_positions import cut_positions, relevant_shares, width_correlations
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.scale_transformation.collection import cell_of, collection
from qrelsmith_papers.scale_transformation.four_levels import into_four
from qrelsmith_papers.scale_transformation.methods import Transformation, of_scales
from qrelsmith_papers.scale_transformation.published_scales import hold, of_crowds

# Figure 10 and section 4.3.2: the 1,000 best, median and worst cuts.
_WANTED, _WITHOUT = into_four("doc-at", "So4_a"), into_four("doc-at", "So4")
_GROUPS = ("best", "median", "worst")
_PUBLISHED: Mapping[str, float | None] = {"best": None, "median": 0.54, "worst": -0.5}
_SIZE = 1000
_TOPICS = 18  # in the paper
_EDGE = 10  # distance from an end of the scale that counts as very close, in levels


class _Groups(NamedTuple):
    """Sets of cuts by group: spread, share of worst sets near an end of the scale, r and p."""

    spread: Mapping[str, float]
    near_ends: float
    r: Mapping[str, float]
    p: Mapping[str, float]


_FIGURE_10: tuple[c.Claim[_Groups], ...] = (
    c.claim(
        "The cut variability is quite limited for the best cuts; for median cuts the noise"
        " increases.",
        (
            "standard deviation of a cut among the best sets, relative to the median sets",
            lambda of: of.spread["best"] / of.spread["median"],
            c.under(1),
        ),
    ),
    c.claim(
        "The worst cuts have values very close to the scale boundaries.",
        (
            f"share of sets with a cut within {_EDGE} levels of an end",
            lambda of: of.near_ends,
            c.at_least(0.9),
        ),
    ),
    c.claim(
        "The width of the median cuts correlates positively with the ratio of relevant docs.",
        ("r", lambda of: of.r["median"], c.over(0)),
        ("p", lambda of: of.p["median"], c.under(0.05)),
        of="r",
    ),
    c.claim(
        "The width of the worst cuts correlates negatively with that ratio.",
        ("r", lambda of: of.r["worst"], c.under(0)),
        ("p", lambda of: of.p["worst"], c.under(0.05)),
        of="r",
    ),
)  # fmt: skip


@of_crowds(
    "fig10",
    title="Figure 10: best, median and worst cuts",
    claims=_FIGURE_10,
    deviation="The paper does not name the methods; r depends on the method.",
)
def figure10(inputs: StudyInputs) -> Made:
    """Plot positions and widths of the 1,000 best, median and worst sets of cuts."""
    wanted = (_WANTED, *(entry for entry in (*of_scales(101, 4), _WITHOUT) if entry != _WANTED))
    if inputs.is_draw:
        wanted = wanted[:1]  # the claims are only about this transformation
    cells = [cell_of(inputs, group_widths, entry) for entry in wanted]
    shown_cell = cell_of(inputs, group_cuts, _WANTED)
    *tables, shown = inputs.sweep([*cells, shown_cell])
    widths, r, p = tables[0].rows[:-2], *tables[0].rows[-2:]
    correlations = [
        (
            entry.written,
            group,
            value,
            sure,
            _PUBLISHED[group] if entry in (_WANTED, _WITHOUT) else None,
        )
        for entry, table in zip(wanted, tables, strict=True)
        for group, value, sure in zip(_GROUPS, table.rows[-2][2:], table.rows[-1][2:], strict=True)
    ]
    by_group = _by_group(shown)
    of_group: dict[str, list[FloatArray]] = {group: [] for group in _GROUPS}
    for (_, group), cuts in by_group.items():
        of_group[group].append(cuts)
    worst = np.concatenate(of_group["worst"])  # topics may differ in their number of sets
    here = _Groups(
        {g: float(np.mean([cuts.std(axis=0).mean() for cuts in of])) for g, of in of_group.items()},
        float(np.mean((np.minimum(worst, 99 - worst) <= _EDGE).any(axis=1))),
        dict(zip(_GROUPS, (float(str(value)) for value in r[2:]), strict=True)),
        dict(zip(_GROUPS, (float(str(value)) for value in p[2:]), strict=True)),
    )
    printed = {group: value for group, value in _PUBLISHED.items() if value is not None}
    there = _Groups({}, np.nan, printed, {group: _p_of(value) for group, value in printed.items()})
    return Made(
        held=[c.on_print(there, "r"), hold(inputs, here), hold(inputs, here, "r")],
        paragraphs=[
            f"Of all 161,700 sets of cuts of {_WANTED.name} the {_SIZE:,} with the highest α, as"
            " many in the middle and as many with the lowest. The topics shown have the smallest,"
            " the median and the largest share of relevant docs.",
            "The width of a set is the distance from its first cut to its third. A topic's share of"
            " relevant docs is that of the docs above level 0 of So4_a.",
        ],
        tables=[
            table_of(
                "fig10-correlations",
                "Width of the cuts and share of relevant docs, Pearson's r over topics",
                "method|cuts|r|p|published r",
                correlations,
                "Width: mean over the 1,000 sets of a group. The paper has the median and the worst"
                " cuts of doc-at with So4.",
            ),
            table_of(
                "fig10-widths",
                f"Width of the {_SIZE:,} best, median and worst sets of cuts, {_WANTED.name}",
                f"topic|relevant|{'|'.join(_GROUPS)}",
                widths,
            ),
        ],
        figures=[*_positions(by_group), _points(widths)],
    )


def _p_of(r: float) -> float:
    """Return p of a printed correlation over the paper's topics; the paper prints only p < .05."""
    t = r * np.sqrt((_TOPICS - 2) / (1 - r**2))
    return float(2 * special.stdtr(_TOPICS - 2, -abs(t)))


def group_widths(
    *, method: str, source: int, levels: int, target: str, labels: str, seed: int
) -> Table:
    """Return, by topic, the share of relevant docs and each group's mean width; then r and p."""
    data = collection(labels=labels, seed=seed)
    positions = cut_positions(
        data.search(Transformation(method, source, levels, target)), size=_SIZE
    )
    shares = relevant_shares(data.topics(Transformation("doc-at", source, levels, "So4_a")))
    found = positions.widths()
    rows: list[tuple[TableCell, ...]] = [
        (topic, share, *(float(found[group][place]) for group in _GROUPS))
        for place, (topic, share) in enumerate(zip(positions.topics, shares.tolist(), strict=True))
    ]
    by_group = width_correlations(positions, shares)
    rows.append(("r", float("nan"), *(by_group[group].r for group in _GROUPS)))
    rows.append(("p", float("nan"), *(by_group[group].p for group in _GROUPS)))
    return Table.of(("topic", "share", *_GROUPS), rows)


def group_cuts(
    *, method: str, source: int, levels: int, target: str, labels: str, seed: int
) -> Table:
    """Return the cuts of every group in three topics."""
    search = collection(labels=labels, seed=seed).search(
        Transformation(method, source, levels, target)
    )
    positions = cut_positions(search, size=_SIZE)
    order = np.argsort(relevant_shares(search.topics), kind="stable")
    rows = [
        (positions.topics[place], group, *cuts)
        for place in (order[0], order[order.size // 2], order[-1])
        for group in _GROUPS
        for cuts in positions.cuts[group][place].tolist()
    ]
    return Table.of(("topic", "group", "cut_1", "cut_2", "cut_3"), rows)


def _points(rows: Sequence[Sequence[TableCell]]) -> Figure:
    return Figure(
        key="fig10-widths",
        title="Width of the median cuts by share of relevant docs",
        drawing=Points(
            names=[str(row[0]) for row in rows],
            x=[float(str(row[1])) for row in rows],
            y=[float(str(row[3])) for row in rows],
            x_label="share of relevant docs",
            y_label="mean width of the 1,000 median sets",
        ),
        caption="A point for each topic.",
    )


def _by_group(table: Table) -> dict[tuple[str, str], FloatArray]:
    """Return the cuts of each topic and group, [set, cut]."""
    rows: dict[tuple[str, str], list[Sequence[TableCell]]] = {}
    for topic, group, *cuts in table.rows:
        rows.setdefault((str(topic), str(group)), []).append(cuts)
    return {key: np.array(cuts, dtype=np.float64) for key, cuts in rows.items()}


def _positions(cuts_of: Mapping[tuple[str, str], FloatArray]) -> list[Figure]:
    topics = list(dict.fromkeys(topic for topic, _ in cuts_of))
    boxes = [(group, cut) for group in _GROUPS for cut in range(3)]
    return [
        Figure(
            key=f"fig10-{letter}",
            title=f"The {_SIZE:,} best, median and worst sets of cuts of topic {topic}",
            drawing=Boxes(
                names=[f"{group}, cut {cut + 1}" for group, cut in boxes],
                values=[cuts_of[topic, group][:, cut].tolist() for group, cut in boxes],
                label="cut",
                groups=[f"{group} {_SIZE:,}" for group, _ in boxes],
            ),
            caption="Boxes go from quartile to quartile.",
        )
        for letter, topic in zip("abc", topics, strict=False)
    ]
