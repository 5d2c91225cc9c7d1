"""Truthfulness labels of the same authors' crowds on 3, 6 and 101 levels: results with α."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.agreement.label_agreement import AgreementOptions, LabelAgreement
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.tables import Cell
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts import CutSets
from qrelsmith.cuts.cut_topics import CutTopics, aggregated_target
from qrelsmith.cuts.label_cuts import ChosenCuts, CutOptions, LabelCuts
from qrelsmith.judgments.label_transforms import transform_labels
from qrelsmith.judgments.published_labels import PublishedLabels, read_published
from qrelsmith.judgments.scale_operations import Reduction
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith.studies.wanted import WantedFile, WantedFolder
from qrelsmith_papers.artefacts import SCALES
from qrelsmith_papers.data_files import DataSet, packed_or_not
from qrelsmith_papers.scale_transformation.methods import BY, DOUBLE, SINGLE

_KEY = "truthfulness"
_LEVELS = {"S3": 3, "S6": 6, "S100": 101}
_HALF_TRUE = 3  # of PolitiFact's six levels, counted from 0
_FACTS, _CHECK, _CROWD = "half-true and above", "ABC", "S3"
# Computed from the formulas by an independent program, before this code was written.
_ALPHAS = {"S3": 0.1132, "S6": 0.1104, "S100": 0.1173}
_BEST = {
    ("S100", 2, _FACTS, "doc-at"): ("75", 0.3881),
    ("S100", 3, _CHECK, "doc-at"): ("54:68", 0.4492),
}


@dataclass(frozen=True, slots=True)
class _Search:
    """A search on one topic: labels, levels, target, method and result."""

    scale: str
    levels: int
    target: str
    method: str
    chosen: ChosenCuts
    alpha: FloatArray

    @property
    def key(self) -> tuple[str, int, str, str]:
        return self.scale, self.levels, self.target, self.method

    @property
    def top(self) -> float:
        """The top cut; nan where undefined."""
        return float("nan") if self.chosen.cuts is None else self.chosen.cuts.values[-1]


@dataclass(frozen=True, slots=True)
class _Found:
    """α of each crowd's labels, and all searches."""

    alphas: Mapping[str, float]
    searches: Sequence[_Search]

    def of(self, levels: int, target: str, topic: str) -> list[_Search]:
        """Return the searches of S100 on one topic."""
        wanted = ("S100", levels, target, topic)
        return [
            one
            for one in self.searches
            if (one.scale, one.levels, one.target, one.chosen.topic) == wanted
        ]

    def wrong(self) -> float:
        """Count the numbers that differ from the independently computed numbers."""
        found = {one.key: one.chosen for one in self.searches if one.key in _BEST}
        return float(
            sum(abs(self.alphas[scale] - value) >= 5e-5 for scale, value in _ALPHAS.items())
            + sum(
                str(found[key].cuts) != cuts or abs(found[key].alpha - alpha) >= 5e-5
                for key, (cuts, alpha) in _BEST.items()
            )
        )

    def methods_apart(self) -> float:
        """Return the range of six methods' cuts of S100 into two levels, for PolitiFact."""
        cuts = [one.top for target in (_FACTS, "") for one in self.of(2, target, "Politifact")]
        return float(np.nanmax(cuts) - np.nanmin(cuts))

    def expert_higher(self) -> float:
        """Return the smallest difference by method: an expert's minus a crowd's top cut."""
        pairs = zip(self.of(3, _CHECK, "ABC"), self.of(3, _CROWD, "ABC"), strict=True)
        return min(expert.top - crowd.top for expert, crowd in pairs)


_CLAIMS: tuple[c.Claim[_Found], ...] = (
    c.claim(
        "(Not a claim of the paper.) An independent implementation gives the same α and best cuts.",
        ("differing numbers, of five", _Found.wrong, c.equal_to(0)),
    ),
    c.claim(
        "The method has an impact on the cut.",
        ("levels between the cuts of S100 by six methods", _Found.methods_apart, c.at_least(10)),
    ),
    c.claim(
        "An expert's labels as target lead to higher top cuts than a crowd's.",
        ("smallest lead over three methods, in levels", _Found.expert_higher, c.over(0)),
    ),
)
STATEMENTS = DataSet(
    WantedFolder(
        "truthfulness-multiscale",
        "Truthfulness labels on three scales, of another study: the methods on real HITs.",
        tuple(WantedFile(f"{scale}.csv", "the published columns") for scale in _LEVELS),
    )
)


@SCALES.add(
    _KEY,
    title="Truthfulness on 3, 6 and 101 levels",
    claims=_CLAIMS,
    kind=c.ClaimKind.OTHER_DATA,
    reads=STATEMENTS.read,
    deviation="Statements of two organisations are not topics with relevant docs.",
)
def truthfulness(inputs: StudyInputs) -> Made:
    """Compute α and the best cuts of truthfulness labels, for experts and a crowd as target."""
    folder = STATEMENTS.folder(inputs)
    if folder is None:
        return Made(missing=STATEMENTS.missing)
    labels = {s: read_published(packed_or_not(folder / f"{s}.csv")) for s in _LEVELS}
    result = _Found({scale: _alpha(entry) for scale, entry in labels.items()}, _searches(labels))
    rows: list[tuple[Cell, ...]] = [
        (f"α of {scale}, all statements", "", value, "", _ALPHAS[scale])
        for scale, value in result.alphas.items()
    ]
    rows += [
        (f"{entry.scale} into {entry.levels} levels, {entry.method}, {entry.target}",
         str(entry.chosen.cuts), entry.chosen.alpha, *_BEST[entry.key])
        for entry in result.searches
        if entry.key in _BEST
    ]  # fmt: skip
    cuts = [
        (*entry.key[:2], entry.target, entry.method, entry.chosen.topic,
         "nan" if entry.chosen.cuts is None else str(entry.chosen.cuts), entry.chosen.alpha,
         entry.chosen.tied, entry.chosen.units)
        for entry in result.searches
    ]  # fmt: skip
    return Made(
        held=[c.Held("truthfulness labels", c.ClaimKind.OTHER_DATA, result)],
        paragraphs=[
            "Labels by the same authors (Roitero et al. 2020): crowds judged 180 statements of two"
            " fact-checking organisations (the topics) on three scales, in HITs of the same kind."
            " PolitiFact's six levels are cut to two, false and half-true or better."
        ],
        tables=[
            table_of(
                f"{_KEY}-alpha",
                "α and best cuts, beside those found independently",
                "what|cuts|α|cuts, independently|α, independently",
                rows,
                "α is ordinal; of two levels any level of measurement has the same one.",
            ),
            table_of(
                f"{_KEY}-cuts",
                "The best cuts",
                "labels|levels|target|method|topic|cuts|α|tied|units",
                cuts,
                "Several labels are aggregated by their median, the mean of the two middle ones."
                " units: HITs or statements with a value.",
            ),
        ],
        figures=[_figure(result)],
    )


def _alpha(found: PublishedLabels) -> float:
    """Return ordinal α in the source scale, for all statements together."""
    return LabelAgreement(found.judgments[""], AgreementOptions(resamples=0)).overall().value


def _searches(labels: Mapping[str, PublishedLabels]) -> list[_Search]:
    experts = labels["S100"].experts
    facts = transform_labels(experts["politifact"], Reduction(_HALF_TRUE), source=None)
    crowd = aggregated_target(labels["S3"].judgments[""], by=BY, name="S3")
    wanted: Sequence[tuple[int, str, Qrels | None, Sequence[str]]] = (
        (2, _FACTS, facts, DOUBLE),
        (3, _CHECK, experts["abc"], DOUBLE),
        (3, _CROWD, crowd, DOUBLE),
        (2, "", None, SINGLE),
        (3, "", None, SINGLE),
    )
    return [
        _Search(scale, levels, target, method, chosen, each.alpha)
        for levels, target, grades, methods in wanted
        for scale in ("S6", "S100")
        for method in methods
        for chosen, each in LabelCuts(
            CutTopics.of(labels[scale].judgments[""], target=grades),
            CutSets.of(range(_LEVELS[scale]), targets=levels),
            CutOptions(method, by=BY),
        ).per_topic()
    ]


def _figure(found: _Found) -> Figure:
    shown = [entry for target in ("", _FACTS) for entry in found.of(2, target, "Politifact")]
    cuts = [float(cut) for cut in range(100)]
    group = {True: "single data set", False: "with PolitiFact's labels"}
    return Figure(
        key=_KEY,
        title="α by cut of S100 into two levels, statements of PolitiFact",
        drawing=Lines(
            lines=[
                Line(entry.method, cuts, entry.alpha.tolist(), group=group[entry.method in SINGLE])
                for entry in shown
            ],
            x_label="cut",
            y_label="α, ordinal",
            marks=[
                (entry.top, entry.chosen.alpha, f"best by {entry.method}")
                for entry in shown
                if entry.method == "doc-at" and entry.chosen.cuts is not None
            ],
        ),
        caption="A label above the cut goes up. The gaps: α is undefined.",
    )
