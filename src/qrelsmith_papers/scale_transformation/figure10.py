"""Figure 10, and section 4.3.2: the 1,000 best, median and worst ways to cut S100 into four."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Boxes, Figure, Finding, NamedTable, Points, Section
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.cuts.cut_positions import (
    cut_positions,
    relevant_shares,
    width_correlations,
)
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.collection import collection, labels_of
from qrelsmith_papers.scale_transformation.methods import Transformation, of_scales
from qrelsmith_papers.scale_transformation.published_scales import kind_of_scales, scales_read

_KEY = "fig10"
_MODULE = "qrelsmith_papers.scale_transformation.figure10"
_WANTED = Transformation("doc-at", 101, 4, "So4_a")
_WITHOUT = Transformation("doc-at", 101, 4, "So4")
_GROUPS = ("best", "median", "worst")
_PUBLISHED: Mapping[str, float | None] = {"best": None, "median": 0.54, "worst": -0.5}
_SIZE = 1000
_QUARTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@SCALES.add(
    "fig10",
    kind=kind_of_scales,
    reads=scales_read,
    sized=True,
    deviation=(
        "The paper does not say of which methods the cuts are; by method the correlation goes "
        "from below 0 to above the paper's."
    ),
)
def figure10(inputs: StudyInputs) -> Section:
    """Positions of the 1,000 best, median and worst sets of cuts, and their widths."""
    wanted = (*of_scales(101, 4), _WITHOUT)
    cells = [_cell(inputs, "group_widths", one) for one in wanted]
    *tables, shown = inputs.sweep([*cells, _cell(inputs, "group_cuts", _WANTED)])
    by_transformation = dict(zip(wanted, tables, strict=True))
    return Section(
        key=_KEY,
        title="Figure 10: best, median and worst cuts",
        paragraphs=(
            f"Of all 161,700 sets of cuts of {_WANTED.name} the {_SIZE:,} with the highest α, as"
            " many in the middle and as many with the lowest. The topics shown have the smallest,"
            " the median and the largest share of relevant docs.",
            "The width of a set is the distance from its first cut to its third. A topic's share of"
            " relevant docs is that of the docs above level 0 of So4_a.",
        ),
        tables=(_correlations(by_transformation), _widths(by_transformation[_WANTED])),
        figures=(*_figures(shown), _points(by_transformation[_WANTED])),
        findings=_findings(by_transformation[_WANTED], shown),
    )


def group_widths(
    *, method: str, source: int, levels: int, target: str, labels: str, seed: int
) -> Table:
    """The share of relevant docs and the mean width of each group by topic; then their r and p."""
    data = collection(labels=labels, seed=seed)
    search = data.search(Transformation(method, source, levels, target))
    positions = cut_positions(search, size=_SIZE)
    filled = Transformation("doc-at", source, levels, "So4_a")
    shares = relevant_shares(data.topics(filled))
    found = positions.widths()
    rows: list[tuple[TableCell, ...]] = [
        (topic, share, *values)
        for topic, share, *values in zip(
            positions.topics, shares.tolist(), *(found[group].tolist() for group in _GROUPS),
            strict=True,
        )
    ]  # fmt: skip
    by_group = width_correlations(positions, shares)
    rows.append(("r", float("nan"), *(by_group[group].r for group in _GROUPS)))
    rows.append(("p", float("nan"), *(by_group[group].p for group in _GROUPS)))
    return Table.of(("topic", "share", *_GROUPS), rows)


def group_cuts(
    *, method: str, source: int, levels: int, target: str, labels: str, seed: int
) -> Table:
    """The cuts of every group in three topics."""
    data = collection(labels=labels, seed=seed)
    search = data.search(Transformation(method, source, levels, target))
    positions = cut_positions(search, size=_SIZE)
    order = np.argsort(relevant_shares(search.topics), kind="stable")
    rows = [
        (positions.topics[place], group, *cuts)
        for place in (order[0], order[order.size // 2], order[-1])
        for group in _GROUPS
        for cuts in positions.cuts[group][place].tolist()
    ]
    return Table.of(("topic", "group", "cut_1", "cut_2", "cut_3"), rows)


def _cell(inputs: StudyInputs, work: str, transformation: Transformation) -> Cell:
    return Cell(
        f"{_MODULE}:{work}",
        {
            "method": transformation.method,
            "source": transformation.source,
            "levels": transformation.levels,
            "target": transformation.target,
            "labels": labels_of(inputs),
        },
        inputs.seed,
    )


def _correlations(found: Mapping[Transformation, Table]) -> NamedTable:
    rows = [
        (one.written, group, value, p, _PUBLISHED[group] if one in (_WANTED, _WITHOUT) else None)
        for one, table in found.items()
        for group, value, p in zip(_GROUPS, table.rows[-2][2:], table.rows[-1][2:], strict=True)
    ]
    return NamedTable(
        key=f"{_KEY}-correlations",
        title="Width of the cuts and share of relevant docs, Pearson's r over topics",
        table=Table.of(("method", "cuts", "r", "p", "published r"), rows),
        note="Width: mean over the 1,000 sets of a group. The paper has the median and the worst"
        " cuts of doc-at with So4.",
    )


def _widths(table: Table) -> NamedTable:
    return NamedTable(
        key=f"{_KEY}-widths",
        title=f"Width of the {_SIZE:,} best, median and worst sets of cuts, {_WANTED.name}",
        table=Table.of(("topic", "relevant", *_GROUPS), table.rows[:-2]),
    )


def _points(table: Table) -> Figure:
    rows = table.rows[:-2]
    return Figure(
        key=f"{_KEY}-widths",
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
    """The cuts of each topic and group, [set, cut]."""
    rows: dict[tuple[str, str], list[Sequence[TableCell]]] = {}
    for topic, group, *cuts in table.rows:
        rows.setdefault((str(topic), str(group)), []).append(cuts)
    return {key: np.array(cuts, dtype=np.float64) for key, cuts in rows.items()}


def _figures(table: Table) -> tuple[Figure, ...]:
    cuts_of = _by_group(table)
    topics = list(dict.fromkeys(topic for topic, _ in cuts_of))
    return tuple(
        Figure(
            key=f"{_KEY}-{letter}",
            title=f"The {_SIZE:,} best, median and worst sets of cuts of topic {topic}",
            drawing=Boxes(
                names=[f"{group}, cut {cut}" for group in _GROUPS for cut in (1, 2, 3)],
                values=[
                    cuts_of[topic, group][:, cut].tolist() for group in _GROUPS for cut in range(3)
                ],
                label="cut",
                groups=[f"{group} {_SIZE:,}" for group in _GROUPS for _ in range(3)],
            ),
            caption="Boxes go from quartile to quartile.",
        )
        for letter, topic in zip("abc", topics, strict=False)
    )


def _findings(table: Table, shown: Table) -> tuple[Finding, ...]:
    groups = _by_group(shown)
    spread = {
        group: float(
            np.mean(
                [
                    cuts.std(axis=0).mean()
                    for (_, group_of), cuts in groups.items()
                    if group_of == group
                ]
            )
        )
        for group in _GROUPS
    }
    edges = float(
        np.mean(
            [
                (np.minimum(cuts, 99 - cuts) <= 10).any(axis=1).mean()
                for (_, group_of), cuts in groups.items()
                if group_of == "worst"
            ]
        )
    )
    median_r, worst_r = (float(str(value)) for value in table.rows[-2][3:])
    median_p, worst_p = (float(str(value)) for value in table.rows[-1][3:])
    return (
        claim(
            spread["best"] < spread["median"],
            "The paper: the best cuts vary little, the median ones more. Here the standard"
            f" deviation of a cut among the 1,000 sets is {spread['best']:.1f} and"
            f" {spread['median']:.1f} levels ({spread['worst']:.1f} of the worst), mean over three"
            " topics.",
            section=_KEY,
        ),
        claim(
            edges >= 0.9,
            "The paper: the worst cuts lie very close to the ends of the scale. Here"
            f" {edges:.0%} of the worst sets have a cut within 10 levels of an end.",
            section=_KEY,
        ),
        claim(
            median_r > 0 and median_p < 0.05,
            "The paper: the width of the median cuts correlates with the share of relevant docs,"
            f" r = 0.54, p < 0.05. Here r = {median_r:.2f}, p = {median_p:.2g}.",
            section=_KEY,
        ),
        claim(
            worst_r < 0 and worst_p < 0.05,
            "The paper: that of the worst cuts does so negatively, r = −0.5, p < 0.05. Here"
            f" r = {worst_r:.2f}, p = {worst_p:.2g}.",
            section=_KEY,
        ),
    )
