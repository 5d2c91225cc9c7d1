"""Charts of rankings under several label sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.content import Figure, HeatMap, Intervals, RankLines, lowest
from qrelsmith.rankings.ranking_comparison import RankingComparison

_MOST_LINES = 30
_MOST_SETS = 12


def ranking_figures(
    measure: str,
    names: Sequence[str],
    comparisons: Sequence[RankingComparison],
    systems: Sequence[str],
    ranks: Sequence[Sequence[float]],
) -> tuple[Figure, ...]:
    """Draw τ to the first label set with its interval, τ of all pairs, and the systems' ranks.

    Parameters
    ----------
    measure : str
        Measure that ranks the systems.
    names : sequence of str
        The label sets, the reference first.
    comparisons : sequence of RankingComparison
        One for each pair.
    ranks : sequence of sequence of float
        [label set][system]
    """
    slug, reference = slug_of(measure), names[0]
    place = {name: row for row, name in enumerate(names)}
    values = np.full((len(names), len(names)), np.nan)
    for comparison in comparisons:
        first, second = place[comparison.first], place[comparison.second]
        values[first, second] = values[second, first] = comparison.tau_b
    against = sorted(
        (
            comparison
            for comparison in comparisons
            if reference in (comparison.first, comparison.second)
        ),
        key=lambda comparison: -np.nan_to_num(comparison.tau_b, nan=-2.0),
    )
    over = against[0].over if against else "topics"
    figures = [
        Figure(
            f"tau-{slug}",
            f"τ between the {measure} rankings under each label set and under {reference}",
            Intervals.of(
                (
                    (each.second if each.first == reference else each.first, *each.of_tau_b)
                    for each in against
                ),
                f"Kendall's τ-b, 95% interval over {over}",
            ),
            "The closer τ is to 1, the more similar the rankings are.",
        ),
        Figure(
            f"tau-all-{slug}",
            f"τ between the {measure} rankings of all label sets",
            HeatMap(names, names, values.tolist(), lowest(values), 1.0, "τ-b"),
            "The closer τ is to 1, the more similar the rankings under two label sets are.",
        ),
    ]
    if len(systems) <= _MOST_LINES and len(names) <= _MOST_SETS:
        lines = RankLines(systems, names, np.array(ranks).T.tolist())
        figures.append(
            Figure(
                f"ranks-{slug}",
                f"Ranks of the systems by {measure}",
                lines,
                "Each line is a system. Where two lines cross, two label sets order the two systems"
                " differently.",
            )
        )
    return tuple(figures)


def slug_of(measure: str) -> str:
    """Return a measure's name as a part of a file's name: `nDCG@10` is `ndcg-10`."""
    kept = [letter.lower() if letter.isalnum() else "-" for letter in measure]
    return "".join(kept).strip("-")
