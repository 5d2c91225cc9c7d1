"""Figure 7: PDP and DP of four grades extended at random to seven."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Intervals
from qrelsmith.base.tables import Table
from qrelsmith.judgments.label_transforms import transform_labels
from qrelsmith.judgments.scale_operations import Extension
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.label_data import (
    DL2021,
    LABEL_SETS,
    SETTINGS,
    QualityData,
    checked_data,
    files_read,
    kind_of_own,
    preferences_of,
    quality_data,
    runs_of,
)
from qrelsmith_papers.judgment_quality.label_quality import MEASURES, LabelQuality
from qrelsmith_papers.judgment_quality.table2 import FOUR, TASK

_KEY = "fig7"
_W = ("0.5", "1", "2", "3", "4", "inf")
_CERTAIN = _W.index("inf")
_NAMES = (*(f"PDP, {mode}" for mode in MODES), *(f"DP, {what}" for what in MEASURES))


class _Extended(NamedTuple):
    """Means over repetitions [w, depth, name], and values of four grades [depth, name]."""

    means: FloatArray
    original: FloatArray

    def stronger(self) -> float:
        """Return the share of measures and depths that discriminate more at w = ∞ than at .5."""
        change = self.means[_CERTAIN] - self.means[0]
        change[:, : len(MODES)] *= -1
        return float((change > 0).mean())

    def steps(self) -> float:
        """Return the share of steps to the next w in which PDP or DP discriminates more."""
        change = np.diff(self.means, axis=0)
        change[..., : len(MODES)] *= -1
        return float((change > 0).mean())

    def pdp_apart(self) -> float:
        """Return the largest difference between PDP on 4to7(∞) and on four grades."""
        count = len(MODES)
        return float(np.abs(self.means[_CERTAIN, :, :count] - self.original[:, :count]).max())

    def dp_lower(self) -> float:
        """Return the share of measures and depths with lower DP on 4to7(∞) than on 4 grades."""
        power = self.means[_CERTAIN, :, len(MODES) :] - self.original[:, len(MODES) :]
        return float((power < -1e-12).mean())


_CLAIMS: tuple[c.Claim[_Extended], ...] = (
    c.claim(
        "Almost all metrics indicate that the discrimination becomes stronger when w becomes"
        " larger.",
        ("share of figures stronger at w = ∞ than at w = 0.5", _Extended.stronger, c.at_least(0.9)),
        ("share of steps in which figures become stronger", _Extended.steps, c.at_least(0.8)),
    ),
    c.claim(
        "PDP on 4to7(∞) is just the same as on the four grades.",
        ("largest difference", _Extended.pdp_apart, c.under(1e-9)),
    ),
    c.claim(
        "DP of most measures is lower on 4to7(∞) than on the four grades.",
        ("share of measures and depths with lower DP", _Extended.dp_lower, c.over(0.5)),
    ),
)


@PDP.add(
    "fig7",
    title="Figure 7: from 4 to 7 grades",
    claims=_CLAIMS,
    kind=kind_of_own,
    reads=files_read,
    deviation="Other data. Linear nDCG and RBP do not change when gains double; other measures do.",
)
def figure7(inputs: StudyInputs) -> Made:
    """Plot PDP and DP of grades extended from 4 to 7 levels, by the certainty w."""
    data = quality_data(inputs)
    if data is None:
        return Made(missing=DL2021.missing)
    labels, preferences = (
        ("The paper's own labels (Chinese, 0 to 3)", "the paper's own")
        if data.is_own
        else (
            "The labels of three LLMs on TREC DL 2021 (0 to 3)",
            "those of GPT-4o, which compare all pairs of these grades",
        )
    )
    depths = (5, 10) if inputs.paper_size else (5,)
    slices = 5 if inputs.paper_size else 2
    extended, original = _quality(inputs, data, depths, slices)
    means = extended.mean(axis=1)
    deviations = extended.std(axis=1, ddof=1).round(12)  # equal values can differ in the last bits
    columns = ("top", "figure", "4 grades", *map(_label, range(len(_W))))
    places = list(product(range(len(depths)), range(len(_NAMES))))
    rows = [
        (depths[at], _NAMES[name], float(original[at, name]), *means[:, at, name].tolist())
        for at, name in places
    ]
    spreads = [(depths[at], _NAMES[name], *deviations[:, at, name].tolist()) for at, name in places]
    name = "the paper's own labels" if data.is_own else TASK
    return Made(
        held=[c.Held(name, kind_of_own(inputs), _Extended(means, original), sized=True)],
        paragraphs=(
            f"{labels} are extended to 7 grades by Eq. 16, {slices} times for each w, annotation by"
            f" annotation; preferences are {preferences}. The larger w, the less is left to"
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
    is_own: bool,
    folder: str,
    digest: str,
    seed: int,
) -> Table:
    """Return PDP and DP of an extension (of the four grades if w is None), with a row per depth."""
    data = checked_data(folder, digest, is_own, every)
    setting = SETTINGS["4 grades"] if is_own else LABEL_SETS[FOUR]
    preferences = preferences_of(data, setting.subtask)["" if is_own else "GPT-4o"]
    labels, scale = data.labels(setting)
    if w is not None:
        extension = Extension.parse("7", w)
        # Different seeds also have different repetitions.
        labels = transform_labels(labels, extension, source=scale, seed=1000 * seed + repeat)
        scale = extension.target
    rows = []
    for depth in depths:
        quality = LabelQuality(labels, scale, runs_of(data, setting.subtask), depth, seed)
        pdp = [quality.pdp(preferences, mode, resamples=0).value for mode in MODES]
        rows.append((depth, *pdp, *(power.value for power in quality.power().values())))
    return Table.of(("depth", *_NAMES), rows)


def _quality(
    inputs: StudyInputs, data: QualityData, depths: tuple[int, ...], slices: int
) -> tuple[FloatArray, FloatArray]:
    """Return the quality of extensions [w, repeat, depth, name], and of four grades."""
    cells = [
        inputs.cell(
            extended_quality,
            w=w,
            repeat=repeat,
            depths=depths,
            every=1 if inputs.paper_size else 8,
            is_own=data.is_own,
            folder=str(data.folder),
            digest=data.data_set.digest(data.folder),
        )
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
    """Return a chart for each mode of PDP, and a chart for all measures of DP."""

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
