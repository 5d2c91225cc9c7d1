"""TREC DL 2021: labels of LLMs on finer scales cut to two and four levels, and τ over its runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from qrelsmith.base.content import Figure, Finding, Line, Lines, NamedTable, Section, Verdict
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.cuts.cut_validation import halvings, means_of
from qrelsmith.cuts.label_cuts import CutOptions, LabelCuts
from qrelsmith.judgments.scale_operations import Cuts
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.collection import MEASURE
from qrelsmith_papers.scale_transformation.dl2021 import (
    LABEL_SETS,
    MISSING,
    NAME,
    CutData,
    digest_of,
    files_read,
)
from qrelsmith_papers.scale_transformation.methods import BY

_KEY = "dl2021"
_TITLE = "TREC DL 2021: labels of LLMs"
_WORK = "qrelsmith_papers.scale_transformation.llm_labels:label_cuts"
_UNCUT, _EVERY = "uncut", "every"
_EVEN, _OWN, _SINGLE, _BY_TAU = "even slices", "α, per topic", "α, single", "τ, single"
_WAYS = (_UNCUT, _EVEN, _OWN, _SINGLE, _BY_TAU)
_COLUMNS = ("way", "cuts", "alpha", "tau", "held_alpha", "held_tau")
_LARGE = 0.05  # a difference of τ from here on is no small one

Found = Mapping[tuple[str, int], Table]


@SCALES.add("dl2021", kind=ClaimKind.OTHER_DATA, reads=files_read, sized=True)
def dl2021(inputs: StudyInputs) -> Section:
    """LLM labels on 0 to 5, on real numbers and on 0 to 3, cut to NIST's levels."""
    folder = inputs.folder(NAME)
    if folder is None:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    cells = _cells(inputs, folder)
    tables = dict(zip(cells, inputs.sweep(list(cells.values())), strict=True))
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            "Labels of LLMs on finer scales are cut to the four levels of NIST, or to two (grade 2"
            " and above is relevant), by the agreement of cut labels and NIST's, doc by doc"
            f" (doc-at). τ-b is that of the runs by {MEASURE} to their ranking under NIST's labels"
            " on as many levels. Docs without a label count for nothing in α, and as not relevant"
            " in the ranking.",
            "A guess would cut the scale into even slices. α, per topic and α, single: the cuts"
            " with the highest α, of each topic and on average over topics. τ, single: one set of"
            " cuts with the highest τ. Held out: α and τ on the other half of the topics, when such"
            " cuts are chosen on a random half, mean over halves.",
        ),
        tables=(_table(tables),),
        figures=tuple(
            _figure(name, tables[name, 2], place)
            for place, (name, levels) in enumerate(tables)
            if levels == 2 and len(_rows(tables[name, 2])[_EVERY]) > 3
        ),
        findings=_findings(tables),
    )


def label_cuts(
    *, labels: str, levels: int, folder: str, digest: str, every: int, repeats: int, seed: int
) -> Table:
    """Ways to choose cuts, with α to NIST and τ of the runs; then every single cut."""
    data = CutData(Path(folder), digest, labels, levels, every)
    search = LabelCuts(data.topics, data.sets(), CutOptions("doc-at", by=BY))
    rankings = data.rankings(search.sets)
    by_tau = LabelCuts(
        data.topics,
        search.sets,
        CutOptions("doc-at", by=BY, select="tau"),
        taus=rankings.taus,
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
    """A cell for each label set and number of levels."""
    every, repeats = (1, 50) if inputs.paper_size else (4, 5)
    digest = digest_of(folder)
    return {
        (name, levels): Cell(
            _WORK,
            {
                "labels": name,
                "levels": levels,
                "folder": str(folder),
                "digest": digest,
                "every": every,
                "repeats": repeats,
            },
            inputs.seed,
        )
        for name, labels in LABEL_SETS.items()
        for levels in labels.levels
    }


def _rows(table: Table) -> dict[str, list[tuple[TableCell, ...]]]:
    """The rows of a cell by what they are of."""
    rows: dict[str, list[tuple[TableCell, ...]]] = {}
    for way, *values in table.rows:
        rows.setdefault(str(way), []).append(tuple(values))
    return rows


def _table(found: Found) -> NamedTable:
    rows: list[tuple[TableCell, ...]] = []
    for (name, levels), table in found.items():
        by_way = _rows(table)
        for way in _WAYS:
            cuts, *values = by_way[way][0]
            rows.append((name, LABEL_SETS[name].scale, levels, way, cuts, *values))
    columns = (
        "labels", "scale", "levels", "cuts by", "cuts", "α", "τ", "α held out", "τ held out",
    )  # fmt: skip
    return NamedTable(
        key=_KEY,
        title="Cuts of LLM labels, their agreement with NIST, and τ of the runs",
        table=Table.of(columns, rows),
        note="α is ordinal, the mean over topics. uncut: the labels as they are.",
    )


def _figure(name: str, table: Table, place: int) -> Figure:
    every = _rows(table)[_EVERY]
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


def _findings(tables: Found) -> tuple[Finding, ...]:
    taus, alphas = (
        {
            way: np.array(
                [_rows(table)[way][0][column] for table in tables.values()], dtype=np.float64
            )
            for way in _WAYS
        }
        for column in (2, 1)
    )
    held = np.array([_rows(table)[_BY_TAU][0][4] for table in tables.values()], dtype=np.float64)
    by_alpha = np.array(
        [_rows(table)[_SINGLE][0][4] for table in tables.values()], dtype=np.float64
    )
    own = taus[_OWN] - taus[_SINGLE]
    gain = taus[_SINGLE] - taus[_EVEN]
    return (
        claim(
            bool((alphas[_SINGLE] >= alphas[_EVEN]).all() and gain.mean() > 0),
            "The paper: cuts should be informed rather than arbitrary. Here cuts by the highest α"
            f" change τ by {gain.mean():+.3f} on average against even slices, from"
            f" {gain.min():+.3f} to {gain.max():+.3f}; α rises by"
            f" {(alphas[_SINGLE] - alphas[_EVEN]).mean():.3f}.",
            section=_KEY,
        ),
        claim(
            bool(np.abs(own).max() < _LARGE),
            "The paper: cuts of each topic or a single one make no large difference to τ. Here it"
            f" is {own.mean():+.3f} on average, from {own.min():+.3f} to {own.max():+.3f}.",
            section=_KEY,
        ),
        Finding(
            "published",
            Verdict.FACT,
            "The paper leaves open whether cuts had better be chosen by τ than by α. Here, on"
            " topics that they were not chosen on, those by τ lead to a mean τ of"
            f" {held.mean():.3f}, and those by α to {by_alpha.mean():.3f}.",
            _KEY,
        ),
    )
