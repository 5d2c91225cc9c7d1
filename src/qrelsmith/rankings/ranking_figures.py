"""Pictures of rankings under several label sets."""

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
    """τ to the first label set with its interval, τ of all pairs, and the systems' ranks.

    Parameters
    ----------
    measure : str
        What ranks the systems.
    names : sequence of str
        The label sets, the reference first.
    comparisons : sequence of RankingComparison
        One for each pair.
    systems : sequence of str
        The systems.
    ranks : sequence of sequence of float
        [label set][system]
    """
    slug, reference = slug_of(measure), names[0]
    place = {name: row for row, name in enumerate(names)}
    values = np.full((len(names), len(names)), np.nan)
    for one in comparisons:
        first, second = place[one.first], place[one.second]
        values[first, second] = values[second, first] = one.tau_b
    against = sorted(
        (one for one in comparisons if reference in (one.first, one.second)),
        key=lambda one: -np.nan_to_num(one.tau_b, nan=-2.0),
    )
    over = against[0].over if against else "topics"
    figures = [
        Figure(
            f"tau-{slug}",
            f"τ of the {measure} ranking to that of {reference}",
            Intervals(
                names=[one.second if one.first == reference else one.first for one in against],
                values=[one.tau_b for one in against],
                lows=[one.low for one in against],
                highs=[one.high for one in against],
                label=f"Kendall's τ-b, 95 % interval over {over}",
            ),
            "The nearer to 1, the more alike the systems are ranked.",
        ),
        Figure(
            f"tau-all-{slug}",
            f"τ between the {measure} rankings of all label sets",
            HeatMap(names, names, values.tolist(), lowest(values), 1.0, "τ-b"),
            "The nearer to 1, the more alike two label sets rank the systems.",
        ),
    ]
    if len(systems) <= _MOST_LINES and len(names) <= _MOST_SETS:
        lines = RankLines(systems, names, np.array(ranks).T.tolist())
        figures.append(
            Figure(
                f"ranks-{slug}",
                f"Ranks of the systems by {measure}",
                lines,
                "Each line is a system; where two cross, two label sets order them differently.",
            )
        )
    return tuple(figures)


def slug_of(measure: str) -> str:
    """A measure's name as a part of a file's name: `nDCG@10` is `ndcg-10`."""
    kept = [letter.lower() if letter.isalnum() else "-" for letter in measure]
    return "".join(kept).strip("-")
