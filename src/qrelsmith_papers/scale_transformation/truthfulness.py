"""Truthfulness labels of the same authors' crowds on 3, 6 and 101 levels: the parts with α."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qrelsmith.agreement.label_agreement import AgreementOptions, LabelAgreement
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Finding, Line, Lines, NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts import CutSets
from qrelsmith.cuts.cut_topics import CutTopics, aggregated_target
from qrelsmith.cuts.label_cuts import ChosenCuts, CutOptions, LabelCuts
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.judgments.label_transforms import transform_labels
from qrelsmith.judgments.published_labels import PublishedLabels, read_published
from qrelsmith.judgments.scale_operations import Reduction
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.wanted import WantedFile, WantedFolder
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.scale_transformation.methods import BY, DOUBLE, SINGLE

_KEY = "truthfulness"
NAME = "truthfulness-multiscale"
_TITLE = "Truthfulness on 3, 6 and 101 levels"
_LEVELS = {"S3": 3, "S6": 6, "S100": 101}
_HALF_TRUE = 3  # of PolitiFact's six levels from 0
_FACTS, _CHECK, _CROWD = "half-true and above", "ABC", "S3"
_TOPIC = "Politifact"
# Found from the formulas by another program, before this one was written.
_ALPHAS = {"S3": 0.1132, "S6": 0.1104, "S100": 0.1173}
_BEST = {
    ("S100", 2, _FACTS, "doc-at"): ("75", 0.3881),
    ("S100", 3, _CHECK, "doc-at"): ("54:68", 0.4492),
}


@dataclass(frozen=True, slots=True)
class _Searched:
    """A search on one topic."""

    scale: str
    levels: int
    target: str
    method: str
    chosen: ChosenCuts
    alpha: FloatArray

    @property
    def key(self) -> tuple[str, int, str, str]:
        return self.scale, self.levels, self.target, self.method


WANTED = WantedFolder(
    NAME,
    "Truthfulness labels on three scales, of another study: the methods on real HITs.",
    tuple(WantedFile(f"{scale}.csv", "the published columns") for scale in _LEVELS),
)


def files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """The files that are read, for the manifest of the report."""
    folder = inputs.folder(NAME)
    return () if folder is None else tuple(folder / f"{scale}.csv" for scale in _LEVELS)


@SCALES.add("truthfulness", kind=ClaimKind.OTHER_DATA, reads=files_read)
def truthfulness(inputs: StudyInputs) -> Section:
    """α and the best cuts of truthfulness labels, against experts and another crowd."""
    files = files_read(inputs)
    if not files:
        missing = f"the data set {NAME}: a folder of that name in the one that --data names"
        return Section(key=_KEY, title=_TITLE, missing=missing)
    labels = {scale: read_published(path) for scale, path in zip(_LEVELS, files, strict=True)}
    alphas = {scale: _alpha(found) for scale, found in labels.items()}
    searched = _searches(labels)
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            "The paper's own labels are not public. These are, by the same authors (Roitero et al."
            " 2020): crowds judged 180 statements on three scales, in HITs of the same kind, and"
            " two fact-checking organisations had judged them before. A topic is the organisation;"
            " PolitiFact's six levels are cut to two, false and half-true or better.",
        ),
        tables=(_comparison_table(alphas, searched), _cuts(searched)),
        figures=(_figure(searched),),
        findings=_findings(alphas, searched),
    )


def _alpha(found: PublishedLabels) -> float:
    """Ordinal α in the source scale, all statements together."""
    return LabelAgreement(found.judgments[""], AgreementOptions(resamples=0)).overall().value


def _searches(labels: Mapping[str, PublishedLabels]) -> list[_Searched]:
    experts = labels["S100"].experts
    facts = transform_labels(experts["politifact"], Reduction(_HALF_TRUE), source=None)
    crowd = aggregated_target(labels["S3"].judgments[""], by=BY, name="S3")
    wanted: Sequence[tuple[int, str, Qrels | None, Sequence[str], Sequence[str]]] = (
        (2, _FACTS, facts, DOUBLE, ("S6", "S100")),
        (3, _CHECK, experts["abc"], DOUBLE, ("S6", "S100")),
        (3, _CROWD, crowd, DOUBLE, ("S6", "S100")),
        (2, "", None, SINGLE, ("S6", "S100")),
        (3, "", None, SINGLE, ("S6", "S100")),
    )
    return [
        one
        for levels, target, grades, methods, scales in wanted
        for scale in scales
        for method in methods
        for one in _search(labels[scale].judgments[""], scale, levels, target, grades, method)
    ]


def _search(
    judgments: Judgments, scale: str, levels: int, target: str, grades: Qrels | None, method: str
) -> list[_Searched]:
    """The best cuts of each topic."""
    search = LabelCuts(
        CutTopics.of(judgments, target=grades),
        CutSets.of(range(_LEVELS[scale]), targets=levels),
        CutOptions(method, by=BY),
    )
    return [
        _Searched(scale, levels, target, method, chosen, found.alpha)
        for chosen, found in search.per_topic()
    ]


def _comparison_table(alphas: Mapping[str, float], searched: Sequence[_Searched]) -> NamedTable:
    """Another program's numbers, beside what came out."""
    rows: list[tuple[Cell, ...]] = [
        (f"α of {scale}, all statements", "", value, "", _ALPHAS[scale])
        for scale, value in alphas.items()
    ]
    for one in searched:
        if one.key in _BEST:
            scale, levels, target, method = one.key
            what = f"{scale} into {levels} levels, {method}, {target}"
            rows.append((what, str(one.chosen.cuts), one.chosen.alpha, *_BEST[one.key]))
    return NamedTable(
        key=f"{_KEY}-alpha",
        title="α and best cuts, beside those found independently",
        table=Table.of(("what", "cuts", "α", "cuts, independently", "α, independently"), rows),
        note="α is ordinal; of two levels any level of measurement has the same one.",
    )


def _cuts(searched: Sequence[_Searched]) -> NamedTable:
    rows: list[tuple[Cell, ...]] = [
        (
            one.scale, one.levels, one.target, one.method, one.chosen.topic,
            "nan" if one.chosen.cuts is None else str(one.chosen.cuts), one.chosen.alpha,
            one.chosen.tied, one.chosen.units,
        )
        for one in searched
    ]  # fmt: skip
    columns = (
        "labels", "levels", "target", "method", "topic", "cuts", "α", "tied", "units",
    )  # fmt: skip
    return NamedTable(
        key=f"{_KEY}-cuts",
        title="The best cuts",
        table=Table.of(columns, rows),
        note="Several labels are aggregated by their median, the mean of the two middle ones."
        " units: HITs or statements with a value.",
    )


def _of(searched: Sequence[_Searched], levels: int, target: str, topic: str) -> list[_Searched]:
    return [
        one
        for one in searched
        if (one.scale, one.levels, one.target, one.chosen.topic) == ("S100", levels, target, topic)
    ]


def _figure(searched: Sequence[_Searched]) -> Figure:
    shown = [*_of(searched, 2, "", _TOPIC), *_of(searched, 2, _FACTS, _TOPIC)]
    cuts = [float(cut) for cut in range(100)]
    return Figure(
        key=_KEY,
        title="α by cut of S100 into two levels, statements of PolitiFact",
        drawing=Lines(
            lines=[
                Line(
                    search.method,
                    cuts,
                    search.alpha.tolist(),
                    group="single data set"
                    if search.method in SINGLE
                    else "with PolitiFact's labels",
                )
                for search in shown
            ],
            x_label="cut",
            y_label="α, ordinal",
            marks=[
                (search.chosen.cuts.values[0], search.chosen.alpha, f"best by {search.method}")
                for search in shown
                if search.method == "doc-at" and search.chosen.cuts is not None
            ],
        ),
        caption="A label above the cut goes up. The gaps: α is undefined.",
    )


def _findings(alphas: Mapping[str, float], searched: Sequence[_Searched]) -> tuple[Finding, ...]:
    right = all(abs(alphas[scale] - value) < 5e-5 for scale, value in _ALPHAS.items())
    by_key = {search.key: search.chosen for search in searched if search.key in _BEST}
    chosen = {key: (str(search.cuts), search.alpha) for key, search in by_key.items()}
    same = all(
        chosen[key][0] == cuts and abs(chosen[key][1] - alpha) < 5e-5
        for key, (cuts, alpha) in _BEST.items()
    )
    both = [*_of(searched, 2, _FACTS, _TOPIC), *_of(searched, 2, "", _TOPIC)]
    cuts = [search.chosen.cuts.values[0] for search in both if search.chosen.cuts is not None]
    expert, crowd = (
        float(
            np.mean(
                [search.chosen.cuts.values[-1] for search in of if search.chosen.cuts is not None]
            )
        )
        for of in (_of(searched, 3, _CHECK, "ABC"), _of(searched, 3, _CROWD, "ABC"))
    )
    return (
        claim(
            right and same,
            "Found independently from the formulas: α "
            + ", ".join(f"{value:.4f}" for value in _ALPHAS.values())
            + " on S3, S6, S100, best cuts "
            + " and ".join(f"{cut} (α {alpha:.4f})" for cut, alpha in _BEST.values())
            + " of S100. Here "
            + ", ".join(f"{value:.4f}" for value in alphas.values())
            + ", "
            + " and ".join(f"{cut} (α {alpha:.4f})" for cut, alpha in chosen.values())
            + ".",
            section=_KEY,
        ),
        claim(
            max(cuts) - min(cuts) >= 10,
            "The paper: the method matters to the cut that is found. Here, of S100 into two levels,"
            f" the six methods find cuts from {min(cuts):g} to {max(cuts):g} for PolitiFact's"
            " statements.",
            section=_KEY,
        ),
        claim(
            expert > crowd,
            "The paper: an expert's labels as target lead to a higher top cut than a crowd's. Here,"
            f" of S100 into three levels on ABC's statements, {expert:.1f} with ABC and"
            f" {crowd:.1f} with the crowd S3, mean over methods.",
            section=_KEY,
        ),
    )
