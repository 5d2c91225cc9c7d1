"""TREC DL 2021: LLM labels on finer scales, cut to two and four levels, and τ over its runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.cuts.cut_validation import halvings, means_of
from qrelsmith.cuts.label_cuts import CutOptions, LabelCuts
from qrelsmith.judgments.scale_operations import Cuts
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith.sweep import Cell
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.collection import MEASURE
from qrelsmith_papers.scale_transformation.dl2021 import LABEL_SETS, PASSAGES, CutData
from qrelsmith_papers.scale_transformation.methods import BY

_KEY = "dl2021"
_UNCUT, _EVERY = "uncut", "every"
_EVEN, _OWN, _SINGLE, _BY_TAU = "even slices", "α, per topic", "α, single", "τ, single"
_WAYS = (_UNCUT, _EVEN, _OWN, _SINGLE, _BY_TAU)
_COLUMNS = ("way", "cuts", "alpha", "tau", "held_alpha", "held_tau")
_LARGE = 0.05  # smallest difference of τ that is not small


class _Ways(NamedTuple):
    """τ and α [label set and number of levels] by choice of cuts."""

    tau: Mapping[str, FloatArray]
    alpha: Mapping[str, FloatArray]

    def difference(self, way: str, other: str) -> c.Difference:
        """Return the difference of τ between two choices, with tests over label sets and levels."""
        return c.paired_difference_test(self.tau[way] - self.tau[other], margin=_LARGE)


_CLAIMS: tuple[c.Claim[_Ways], ...] = (
    c.claim(
        "Cuts should be informed rather than arbitrary.",
        (
            "mean rise of τ with the highest α instead of even slices",
            lambda ways: ways.difference(_SINGLE, _EVEN).value,
            c.over(0),
        ),
        ("p of the paired t test", lambda ways: ways.difference(_SINGLE, _EVEN).p, c.under(0.05)),
    ),
    c.claim(
        "Selecting cuts per topic or a single one appears not to have a large impact on τ.",
        (
            "per topic minus single, mean",
            lambda ways: ways.difference(_OWN, _SINGLE),
            c.alike(f"{_LARGE} of τ"),
        ),
    ),
)


@SCALES.add(
    _KEY,
    title="TREC DL 2021: labels of LLMs",
    claims=_CLAIMS,
    kind=c.ClaimKind.OTHER_DATA,
    reads=PASSAGES.read,
    deviation="Better agreement with NIST leads to better rankings only under some label sets.",
)
def dl2021(inputs: StudyInputs) -> Made:
    """Cut LLM labels on 0 to 5, on real numbers and on 0 to 3 to NIST's levels."""
    folder = PASSAGES.folder(inputs)
    if folder is None:
        return Made(missing=PASSAGES.missing)
    cells = _cells(inputs, folder)
    tables = dict(zip(cells, inputs.sweep(list(cells.values())), strict=True))
    result = {key: _rows(table) for key, table in tables.items()}

    def column(place: int, way: str) -> FloatArray:
        return np.array([rows[way][0][place] for rows in result.values()], dtype=np.float64)

    ways = _Ways({way: column(2, way) for way in _WAYS}, {way: column(1, way) for way in _WAYS})
    by_tau, by_alpha = (float(column(4, way).mean()) for way in (_BY_TAU, _SINGLE))
    return Made(
        held=[c.Held("TREC DL 2021", c.ClaimKind.OTHER_DATA, ways, sized=True)],
        facts=[
            "The paper does not say whether to choose cuts by τ or by α. On topics that were not"
            f" used for the choice, cuts by τ lead to a mean τ of {by_tau:.3f}, and cuts by α to"
            f" {by_alpha:.3f}."
        ],
        paragraphs=[
            "Labels are cut to NIST's four levels, or to two (grade 2 and above is relevant), by"
            f" their agreement with NIST, doc by doc (doc-at). τ-b compares the runs by {MEASURE}."
            " Docs without a label do not count in α, and are not relevant in the ranking.",
            "α, per topic and α, single: the cuts with the highest α, of each topic and on"
            " average. τ, single: one set of cuts with the highest τ. Held out: on the other half"
            " of the topics, for cuts learned on a random half, mean over halves.",
        ],
        tables=[
            table_of(
                _KEY,
                "Cuts of LLM labels, their agreement with NIST, and τ of the runs",
                "labels|scale|levels|cuts by|cuts|α|τ|α held out|τ held out",
                [
                    (name, LABEL_SETS[name].scale, levels, way, *row)
                    for (name, levels), rows in result.items()
                    for way in _WAYS
                    for row in rows[way]
                ],
                "α is ordinal, the mean over topics. uncut: the labels as they are.",
            )
        ],
        figures=[
            _figure(name, rows, place)
            for place, ((name, levels), rows) in enumerate(result.items())
            if levels == 2 and len(rows[_EVERY]) > 3
        ],
    )


def label_cuts(
    *, labels: str, levels: int, folder: str, digest: str, every: int, repeats: int, seed: int
) -> Table:
    """Tabulate choices of cuts with α to NIST and τ of the runs, then every single cut."""
    data = CutData(Path(folder), digest, labels, levels, every)
    search = LabelCuts(data.topics, data.sets(), CutOptions("doc-at", by=BY))
    rankings = data.rankings(search.sets)
    by_tau = LabelCuts(
        data.topics, search.sets, CutOptions("doc-at", by=BY, select="tau"), taus=rankings.taus
    )
    chosen = [choice for choice, _ in search.per_topic()]
    single, mean = search.single()
    best_tau, _ = by_tau.single()
    places = range(len(data.topics.topics))
    held = {
        way: means_of(list(halvings(of, repeats=repeats, seed=seed, rankings=rankings)))
        for way, of in ((_SINGLE, search), (_BY_TAU, by_tau))
    }
    even = LabelCuts(data.topics, data.even_slices(), search.options)
    even_found, _ = even.single()
    nan = float("nan")
    rows: list[tuple[TableCell, ...]] = [
        (_UNCUT, "", nan, data.uncut_tau(), nan, nan),
        (
            _EVEN, str(even_found.cuts), even_found.alpha,
            data.rankings(even.sets).tau_of(dict.fromkeys(places, 0)), nan, nan,
        ),
        (
            _OWN, "", float(np.nanmean([choice.alpha for choice in chosen])),
            rankings.tau_of({place: choice.place for place, choice in enumerate(chosen)}), nan, nan,
        ),
    ]  # fmt: skip
    rows += [
        (
            way, str(choice.cuts), choice.alpha,
            rankings.tau_of(dict.fromkeys(places, choice.place)),
            held[way]["alpha_held_out"], held[way]["tau_held_out"],
        )
        for way, choice in ((_SINGLE, single), (_BY_TAU, best_tau))
    ]  # fmt: skip
    if levels == 2:
        taus = rankings.taus(places)
        rows += [
            (_EVERY, str(search.sets.cuts(place)), alpha, tau, nan, nan)
            for place, (alpha, tau) in enumerate(
                zip(mean.alpha.tolist(), taus.tolist(), strict=True)
            )
        ]
    return Table.of(_COLUMNS, rows)


def _cells(inputs: StudyInputs, folder: Path) -> dict[tuple[str, int], Cell]:
    """Return a cell for each label set and number of levels."""
    every, repeats = (1, 50) if inputs.paper_size else (4, 5)
    digest = PASSAGES.digest(folder)
    return {
        (name, levels): inputs.cell(
            label_cuts,
            labels=name,
            levels=levels,
            folder=str(folder),
            digest=digest,
            every=every,
            repeats=repeats,
        )
        for name, labels in LABEL_SETS.items()
        for levels in labels.levels
    }


def _rows(table: Table) -> dict[str, list[tuple[TableCell, ...]]]:
    """Return the rows of a cell, grouped by the first column."""
    rows: dict[str, list[tuple[TableCell, ...]]] = {}
    for way, *values in table.rows:
        rows.setdefault(str(way), []).append(tuple(values))
    return rows


def _figure(name: str, rows: dict[str, list[tuple[TableCell, ...]]], place: int) -> Figure:
    every = rows[_EVERY]
    cuts = [Cuts.parse(str(row[0])).values[0] for row in every]
    alpha, tau = (np.array([row[column] for row in every], dtype=np.float64) for column in (1, 2))
    best, best_tau = int(np.nanargmax(alpha)), int(np.nanargmax(tau))
    return Figure(
        key=f"{_KEY}-{place + 1}",
        title=f"{name}: α and τ by cut into two levels",
        drawing=Lines(
            lines=[Line("α", cuts, alpha.tolist()), Line("τ", cuts, tau.tolist())],
            x_label=f"cut ({LABEL_SETS[name].scale})",
            y_label="α to NIST, τ of the runs",
            marks=[
                (cuts[best], float(alpha[best]), f"best α: {cuts[best]:.3g}"),
                (cuts[best_tau], float(tau[best_tau]), f"best τ: {cuts[best_tau]:.3g}"),
            ],
        ),
        caption="α: mean over topics. A label above the cut counts as relevant.",
    )
