"""Figure 7: four grades spread over seven by chance, and what PDP and DP say of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Intervals
from qrelsmith.base.scales import Scale
from qrelsmith.base.tables import Table
from qrelsmith.collection.runs import Run
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_transforms import transform_labels
from qrelsmith.judgments.scale_operations import Extension
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.studies.claims import Claim, ClaimKind, ClaimPart, Held, at_least, claim, over, under
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith.sweep import Cell
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.dl2021 import (
    MISSING,
    THREE_LLMS,
    QualityCollection,
    checked_collection,
    collection,
    files_read,
)
from qrelsmith_papers.judgment_quality.label_quality import MEASURES, LabelQuality
from qrelsmith_papers.judgment_quality.www3 import (
    SETTINGS,
    PaperCollection,
    kind_of_own,
    own_files,
    paper_collection,
)

_KEY = "fig7"
_WORK = f"{__name__}:extended_quality"
_W = ("0.5", "1", "2", "3", "4", "inf")
_CERTAIN = _W.index("inf")
_PDP_NAMES = tuple(f"PDP, {mode}" for mode in MODES)
_SUBTASK = "Chinese"
(_FOUR_GRADES,) = (one for one in SETTINGS if (one.subtask, one.name) == (_SUBTASK, "4 grades"))
# Labels, their scale, preferences and runs.
_Collected = tuple[Judgments, Scale, Preferences, Sequence[Run]]
_NAMES = (*_PDP_NAMES, *(f"DP, {what}" for what in MEASURES))


def _files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """Return the files of the paper's own labels, or else of TREC DL 2021."""
    return own_files(inputs) or files_read(inputs)


class _Extended(NamedTuple):
    """Means over repetitions [w, depth, name], and those of four grades [depth, name]."""

    means: FloatArray
    original: FloatArray

    def stronger(self) -> float:
        """The share of figures and depths that discriminate more at w = ∞ than at w = 0.5."""
        change = self.means[_CERTAIN] - self.means[0]
        change[:, : len(MODES)] *= -1
        return float((change > 0).mean())

    def steps(self) -> float:
        """Return the share of steps from one w to the next in which a figure discriminates more."""
        change = np.diff(self.means, axis=0)
        change[..., : len(MODES)] *= -1
        return float((change > 0).mean())

    def pdp_apart(self) -> float:
        """Return the largest difference of PDP on 4to7(∞) and on the four grades."""
        count = len(MODES)
        return float(np.abs(self.means[_CERTAIN, :, :count] - self.original[:, :count]).max())

    def dp_lower(self) -> float:
        """The share of measures and depths whose DP is lower on 4to7(∞) than on four grades."""
        power = self.means[_CERTAIN, :, len(MODES) :] - self.original[:, len(MODES) :]
        return float((power < -1e-12).mean())


_CLAIMS: tuple[Claim[_Extended], ...] = (
    claim(
        "Almost all metrics indicate that the discrimination becomes stronger when w becomes"
        " larger.",
        ClaimPart("share of figures stronger at ∞ than at 0.5", _Extended.stronger, at_least(0.9)),
        ClaimPart("share of steps in which they are", _Extended.steps, at_least(0.8)),
    ),
    claim(
        "PDP on 4to7(∞) is just the same as on the four grades.",
        ClaimPart("largest difference", _Extended.pdp_apart, under(1e-9)),
    ),
    claim(
        "DP of most measures is lower on 4to7(∞) than on the four grades.",
        ClaimPart("share of measures and depths", _Extended.dp_lower, over(0.5)),
    ),
)


@PDP.add(
    "fig7",
    title="Figure 7: from 4 to 7 grades",
    claims=_CLAIMS,
    kind=kind_of_own,
    reads=_files_read,
    deviation="Other data. Linear nDCG and RBP do not change when gains double; the other measures"
    " do, up and down.",
)
def figure7(inputs: StudyInputs) -> Made:
    """PDP and DP of grades extended from 4 to 7 levels, by the certainty w."""
    data = paper_collection(inputs) or collection(inputs)
    if data is None:
        return Made(missing=MISSING)
    labels = (
        "The paper's own labels (Chinese, 0 to 3) are extended to 7 grades by Eq. 16,"
        if isinstance(data, PaperCollection)
        else "The labels of three LLMs on TREC DL 2021 (0 to 3) are extended to 7 grades by Eq. 16,"
    )
    preferences = (
        "the paper's own"
        if isinstance(data, PaperCollection)
        else "those of GPT-4o, which compare all pairs of these grades"
    )
    depths = (5, 10) if inputs.paper_size else (5,)
    slices = 5 if inputs.paper_size else 2
    extended, original = _quality(inputs, data, depths, slices)
    means = extended.mean(axis=1)
    deviations = extended.std(axis=1, ddof=1).round(12)  # equal values leave some last bits
    columns = ("top", "figure", "4 grades", *map(_label, range(len(_W))))
    places = list(product(range(len(depths)), range(len(_NAMES))))
    rows = [
        (depths[at], _NAMES[name], float(original[at, name]), *means[:, at, name].tolist())
        for at, name in places
    ]
    spreads = [(depths[at], _NAMES[name], *deviations[:, at, name].tolist()) for at, name in places]
    own = isinstance(data, PaperCollection)
    kind = ClaimKind.RECOMPUTED if own else ClaimKind.OTHER_DATA
    name = "the paper's own labels" if own else "TREC DL 2021"
    return Made(
        held=[Held(name, kind, _Extended(means, original), sized=True)],
        paragraphs=(
            f"{labels} {slices} times for each w, annotation by annotation; preferences are"
            f" {preferences}. The larger w, the less is left to"
            " chance; at w = ∞ the grades 0, 1, 2, 3 have become 0, 2, 4, 6. Everything else is as"
            " in Table 2. The paper's figure shows its own collection, without numbers.",
        ),
        tables=(
            table_of(_KEY, "Means over the repetitions, by w", "|".join(columns), rows),
            table_of(
                f"{_KEY}-sd",
                "Standard deviations over the repetitions, by w",
                "|".join((*columns[:2], *columns[3:])),
                spreads,
            ),
        ),
        figures=tuple(
            figure
            for at, depth in enumerate(depths)
            for figure in _figures(depth, means[:, at], deviations[:, at], original[at])
        ),
    )


def extended_quality(
    *,
    w: str | None,
    repeat: int,
    depths: tuple[int, ...],
    every: int,
    own: bool,
    folder: str,
    digest: str,
    seed: int,
) -> Table:
    """Return PDP and DP of one extension, a row for each depth; without w, of the four grades."""
    labels, scale, preferences, runs = (_own if own else _public)(folder, digest, every)
    if w is not None:
        extension = Extension.parse("7", w)
        # The repetitions of different seeds are different too.
        labels = transform_labels(labels, extension, source=scale, seed=1000 * seed + repeat)
        scale = extension.target
    rows = []
    for depth in depths:
        quality = LabelQuality(labels, scale, runs, depth, seed)
        pdp = [quality.pdp(preferences, mode, resamples=0).value for mode in MODES]
        rows.append((depth, *pdp, *(power.value for power in quality.power().values())))
    return Table.of(("depth", *_NAMES), rows)


def _public(folder: str, digest: str, every: int) -> _Collected:
    data = checked_collection(folder, digest, every)
    return data.labels(THREE_LLMS), THREE_LLMS.scale, data.preferences["GPT-4o"], data.runs


def _own(folder: str, digest: str, _every: int) -> _Collected:
    data = PaperCollection(Path(folder))
    data.check(digest)
    return *data.labels(_FOUR_GRADES), data.preferences(_SUBTASK), data.runs(_SUBTASK)


def _quality(
    inputs: StudyInputs,
    data: QualityCollection | PaperCollection,
    depths: tuple[int, ...],
    slices: int,
) -> tuple[FloatArray, FloatArray]:
    """The quality of the extensions [w, repeat, depth, name] and of four grades [depth, name]."""
    shared = {
        "depths": depths,
        "every": 1 if inputs.paper_size else 8,
        "own": isinstance(data, PaperCollection),
        "folder": str(data.folder),
        "digest": data.digest(),
    }
    cells = [
        Cell(_WORK, {"w": w, "repeat": repeat, **shared}, inputs.seed)
        for w, repeat in [(None, 0), *product(_W, range(slices))]
    ]
    original, *extended = (
        np.array([row[1:] for row in table.rows], dtype=np.float64) for table in inputs.sweep(cells)
    )
    return np.stack(extended).reshape(len(_W), slices, *original.shape), original


def _label(w: int) -> str:
    return f"4to7({'∞' if w == _CERTAIN else _W[w]})"


def _figures(
    depth: int, means: FloatArray, deviations: FloatArray, original: FloatArray
) -> tuple[Figure, ...]:
    """Return a figure for each mode of PDP, and one for all measures of DP."""

    def interval_figure(chosen: range, label: str, reference: float | None) -> Intervals:
        places = list(product(chosen, range(len(_W))))
        several = len(chosen) > 1
        return Intervals(
            names=[f"{_NAMES[name]}, {_label(w)}" if several else _label(w) for name, w in places],
            values=[float(means[w, name]) for name, w in places],
            lows=[float(means[w, name] - deviations[w, name]) for name, w in places],
            highs=[float(means[w, name] + deviations[w, name]) for name, w in places],
            label=label,
            reference=reference,
            groups=[_NAMES[name] for name, _ in places] if several else (),
        )

    pdp = [
        Figure(
            key=f"{_KEY}-{mode}-{depth}",
            title=f"PDP in {mode} mode, first {depth} docs",
            drawing=interval_figure(range(place, place + 1), "PDP (nats)", float(original[place])),
            caption="Mean and standard deviation over the repetitions; the line is at four grades.",
        )
        for place, mode in enumerate(MODES)
    ]
    power = Figure(
        key=f"{_KEY}-dp-{depth}",
        title=f"Discriminative power, first {depth} docs",
        drawing=interval_figure(range(len(MODES), len(_NAMES)), "share of pairs of runs", None),
        caption="Mean and standard deviation over the repetitions.",
    )
    return (*pdp, power)
