"""The figures of Table 2: PDP with its intervals, and PDP against discriminative power."""

from __future__ import annotations

from collections.abc import Mapping

from qrelsmith.base.content import Figure, Intervals, Points
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith_papers.judgment_quality.label_quality import MeasuredQuality

_KEY = "table2"


def quality_figures(
    by_setting: Mapping[tuple[str, int], Mapping[tuple[str, str, str], MeasuredQuality]],
    depth: int,
) -> tuple[Figure, ...]:
    """The figures of one number of docs."""
    names, values, groups = [], [], []
    for (name, at), of_setting in by_setting.items():
        for mode in MODES:
            mean = of_setting.get(("pdp", mode, "GPT-4o"))
            if at == depth and mean is not None and not mean.untested:
                names.append(f"{name}, {mode}" if mode == "aggregate" else name)
                values.append(mean)
                groups.append(mode)
    power = [
        (name, of_setting["pdp", "individual", "GPT-4o"], of_setting["power", "linear nDCG", ""])
        for (name, at), of_setting in by_setting.items()
        if at == depth
    ]
    tested = [
        (name, mean.value, power_value.value)
        for name, mean, power_value in power
        if not mean.untested
    ]
    return (
        Figure(
            key=f"{_KEY}-pdp-{depth}",
            title=f"PDP of the first {depth} docs, preferences of GPT-4o",
            drawing=Intervals(
                names=names,
                values=[mean.value for mean in values],
                lows=[mean.low for mean in values],
                highs=[mean.high for mean in values],
                label="mean PDP (nats)",
                groups=groups,
            ),
            caption="Settings all of whose pairs of grades were compared. Further left is more"
            " discriminative.",
        ),
        Figure(
            key=f"{_KEY}-dp-{depth}",
            title=f"PDP and discriminative power, first {depth} docs",
            drawing=Points(
                names=[name for name, _, _ in tested],
                x=[x for _, x, _ in tested],
                y=[y for _, _, y in tested],
                x_label="individual PDP (nats)",
                y_label=f"share of pairs that nDCG@{depth} tells apart",
            ),
            caption="If both agree, settings further left are higher up.",
        ),
    )
