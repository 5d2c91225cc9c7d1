"""Efficiency in reports: tables, a box plot of assessors, relevant docs by position.

See ordering-gold-bronze, Figures 1 and 2 and Tables 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from qrelsmith.base.arrays import IntArray
from qrelsmith.base.content import (
    Boxes,
    Figure,
    Intervals,
    Line,
    Lines,
    NamedTable,
    Section,
    ShownAnswer,
)
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Table
from qrelsmith.judging_times import CRITERIA
from qrelsmith.judging_times.judging_efficiency import GroupComparison, JudgingEfficiency
from qrelsmith.judgments.environments import sessions_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.group_means import TEST as OVER_ASSESSORS
from qrelsmith.stats.intervals import t_interval

KEY = "efficiency"
_MOST_BOXES = 40
_WORDS = {
    "TJ1D": "Seconds to the first judgment (TJ1D)",
    "TF1RH": "Seconds to the first relevant doc (TF1RH)",
    "TF1H": "Seconds to the first highly relevant doc (TF1H)",
    "ATBJ": "Mean seconds between judgments (ATBJ)",
    "NREJ": "Number of changed labels (NREJ)",
}


@dataclass(frozen=True, slots=True, eq=False)
class PositionCounts:
    """Numbers of relevant docs at each position in one environment.

    Attributes
    ----------
    environment : str
        The name of the environment; empty if the judgments do not have one.
    sessions : int
        Number of counted sessions.
    relevant, high : int array [position]
        Numbers of docs judged relevant (but not highly), and highly relevant, at position 1, 2, …
    """

    environment: str
    sessions: int
    relevant: IntArray
    high: IntArray


def position_counts(
    judgments: Judgments, *, relevant: float, high: float
) -> Iterator[PositionCounts]:
    """Count relevant docs by display position (Figure 1).

    Counting ends with the last position of the shortest session, so that every session has a doc at
    each position.

    Parameters
    ----------
    judgments : Judgments
        The judgments; the latest revision counts, and judgments without a position are ignored.
    relevant, high : float
        Lowest grades of relevant docs, and of highly relevant docs.
    """
    now = judgments.current()
    if now.position is None:
        return
    position, has_position = now.position, ~np.isnan(now.position)
    sessions = sessions_of(now)
    longest = np.zeros(len(sessions.sessions))
    np.maximum.at(longest, sessions.of[has_position], position[has_position])
    shown = longest > 0
    shortest = int(longest[shown].min()) if shown.any() else 0
    names = np.array([session.environment for session in sessions.sessions], dtype=object)
    for name in sorted(set(names[shown].tolist())):
        own = has_position & (names == name)[sessions.of] & (position >= 1) & (position <= shortest)
        counts = [
            np.bincount(position[own & level].astype(np.int64), minlength=shortest + 1)[1:]
            for level in ((now.grade >= relevant) & (now.grade < high), now.grade >= high)
        ]
        yield PositionCounts(name, int(((names == name) & shown).sum()), *counts)


def efficiency_section(
    efficiency: JudgingEfficiency,
    judgments: Judgments,
    compared: Sequence[GroupComparison] = (),
    *,
    by: str = "environment",
    answers: tuple[ShownAnswer | None, ShownAnswer | None] = (None, None),
) -> Section:
    """Return the efficiency as a section of a report, without findings.

    Parameters
    ----------
    efficiency : JudgingEfficiency
        The sessions.
    judgments : Judgments
        The judgments with the times.
    compared : sequence of GroupComparison
        The comparisons of groups, if any.
    by : str
        One of `KEYS`: the key of the groups.
    answers : (ShownAnswer, ShownAnswer), optional
        The results shown by the tables of sessions and of comparisons.
    """
    tables = [
        NamedTable(
            f"{KEY}-groups",
            "Efficiency of the groups",
            _summary(efficiency, by),
            "Means over (assessor, topic) pairs; n is the number of pairs with a value. All"
            " criteria are in seconds, except NREJ, which is a count.",
            decimals=_tenths("mean", "low", "high"),
        )
    ]
    if compared:
        tables.append(
            NamedTable(
                f"{KEY}-comparison",
                "Groups compared",
                comparison_table(compared),
                "Glass's delta is the difference divided by the standard deviation of group B. "
                + _unit_note(compared),
                decimals=_tenths("mean_a", "mean_b", "sd_a", "sd_b", "difference"),
                answer=answers[1],
            )
        )
    tables.append(
        NamedTable(
            f"{KEY}-sessions",
            "Criteria by assessor and topic",
            sessions(efficiency),
            decimals=_tenths(*(name.lower() for name in CRITERIA if name != "NREJ")),
            answer=answers[0],
        )
    )
    return Section(
        key=KEY,
        title="Efficiency of the assessors",
        paragraphs=(
            "Times are measured from the opening of the topic"
            + (
                " and include pauses (wall clock)"
                if efficiency.clock == "wall"
                else " and include only the time in which assessors were active"
            )
            + f". Docs with a grade of at least {grade_text(efficiency.relevant)} are relevant, and"
            f" docs with a grade of at least {grade_text(efficiency.high)} are highly relevant.",
            *(f"{note[0].upper()}{note[1:]}." for note in efficiency.notes()),
        ),
        tables=tuple(tables),
        figures=(
            *criterion_figures(efficiency),
            *_means(efficiency, by),
            *position_figures(efficiency, judgments),
        ),
    )


def _unit_note(compared: Sequence[GroupComparison]) -> str:
    if compared[0].test == OVER_ASSESSORS:
        return (
            "Each assessor counts once, with the mean over topics; n is the number of assessors."
            " Differences between groups are tested against differences within groups. With three"
            " or more groups, p is corrected for the number of pairs of groups (Games and Howell)."
        )
    return (
        "The sessions of an assessor are treated as independent. With few assessors per group,"
        " the result says little about assessors in general."
    )


def _tenths(*columns: str) -> dict[str, int]:
    """Return the number of decimals of columns of seconds, which is 1."""
    return dict.fromkeys(columns, 1)


def sessions(efficiency: JudgingEfficiency) -> Table:
    """Return the criteria of every assessor and topic."""
    columns = ("assessor", "group", "ordering", "topic", "docs", *map(str.lower, CRITERIA))
    return Table.of(
        columns,
        [
            (session.assessor, session.group, session.ordering, session.topic, docs, *values)
            for session, docs, values in zip(
                efficiency.sessions,
                efficiency.criteria.docs.tolist(),
                efficiency.criteria.values.tolist(),
                strict=True,
            )
        ],
    )


def comparison_table(compared: Sequence[GroupComparison]) -> Table:
    """Return a row for every pair of groups and criterion."""
    columns = (
        "criterion", "a", "b", "n_a", "n_b", "mean_a", "mean_b", "sd_a", "sd_b", "difference",
        "test", "p", "effect_size", "effect", "glass_delta", "residual_variance",
    )  # fmt: skip
    return Table.of(
        columns,
        [
            (
                c.criterion, c.first, c.second, *c.sizes, *c.means, *c.deviations, c.difference,
                c.test, c.p, c.effect_size, c.effect, c.glass_delta, c.residual_variance,
            )
            for c in compared
        ],
    )  # fmt: skip


def criterion_figures(
    efficiency: JudgingEfficiency, colours: Mapping[str, int] = MappingProxyType({})
) -> Iterator[Figure]:
    """Yield a figure per criterion, with a box per assessor or environment (Figure 2).

    With many assessors, there is a box per environment. `colours` contains the colour indices of
    some groups.
    """
    assessors = sorted({(session.group, session.assessor) for session in efficiency.sessions})
    each = len(assessors) <= _MOST_BOXES
    by = "assessor" if each else "environment"
    for criterion in CRITERIA:
        samples = efficiency.samples(criterion, by)
        names = [name for _, name in assessors] if each else list(samples)
        groups = [group for group, _ in assessors] if each else names
        if not any(samples[name].size for name in names):
            continue
        yield Figure(
            key=f"{KEY}-{criterion.lower()}",
            title=f"{_WORDS[criterion]} by {by}",
            drawing=Boxes(
                names=names,
                values=[samples[name].tolist() for name in names],
                label=_WORDS[criterion],
                groups=groups if any(groups) else (),
                colours=colours,
            ),
            caption="Each box shows the values of all topics. If the boxes of a group differ much,"
            " the assessors of the group work differently.",
        )


def position_figures(efficiency: JudgingEfficiency, judgments: Judgments) -> Iterator[Figure]:
    """Yield a figure of relevant docs by position for each environment (Figure 1)."""
    counted = position_counts(judgments, relevant=efficiency.relevant, high=efficiency.high)
    for number, count in enumerate(counted, start=1):
        places = [float(place) for place in range(1, len(count.high) + 1)]
        yield Figure(
            key=f"{KEY}-positions-{number}",
            title=f"Relevant docs by position: {count.environment or 'all assessors'}",
            drawing=Lines(
                lines=[
                    Line(name, places, [float(docs) for docs in counts])
                    for name, counts in (
                        ("highly relevant", count.high),
                        ("relevant", count.relevant),
                    )
                ],
                x_label="position at which the doc was shown",
                y_label="docs",
            ),
            caption=f"Number of relevant docs at each position, over {count.sessions} (assessor,"
            " topic) pairs. The lines end at the last position of the shortest list. A falling line"
            " means that relevant docs come first, or that assessors later find fewer relevant"
            " docs.",
        )


def _summary(efficiency: JudgingEfficiency, by: str) -> Table:
    rows = []
    for criterion in CRITERIA:
        for name, sample in efficiency.samples(criterion, by).items():
            low, high = t_interval(sample) if sample.size > 1 else (np.nan, np.nan)
            mean = float(sample.mean()) if sample.size else float("nan")
            rows.append((criterion, name, sample.size, mean, float(low), float(high)))
    return Table.of(("criterion", by, "n", "mean", "low", "high"), rows)


def _means(efficiency: JudgingEfficiency, by: str) -> Iterator[Figure]:
    """Yield one figure with each group's mean and interval of the primary criterion."""
    samples = {n: s for n, s in efficiency.samples("ATBJ", by).items() if s.size}
    if len(samples) < 2:
        return
    ends = [t_interval(s) if s.size > 1 else (np.nan, np.nan) for s in samples.values()]
    yield Figure(
        key=f"{KEY}-means",
        title=f"{_WORDS['ATBJ']} by {by}",
        drawing=Intervals(
            names=list(samples),
            values=[float(sample.mean()) for sample in samples.values()],
            lows=[float(low) for low, _ in ends],
            highs=[float(high) for _, high in ends],
            label="seconds, 95% t interval",
        ),
        caption="Mean time per judgment. Intervals treat (assessor, topic) pairs as independent.",
    )
