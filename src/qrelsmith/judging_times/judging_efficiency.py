"""Efficiency of assessors: the criteria for every topic, and comparisons of groups.

See ordering-gold-bronze, section 4 (Tables 3 and 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from qrelsmith.base.arrays import AnyArray, BoolArray, FloatArray
from qrelsmith.base.errors import UndefinedError, UsageError, quoted
from qrelsmith.judging_times import CRITERIA, NO_CAPS, PAPER_CAPS, Caps, Criteria, criteria
from qrelsmith.judging_times.judging_logs import Clock, LoggedSessions, judging_log
from qrelsmith.judgments.environments import KEYS, Session
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.effects import glass_delta, residual_variance_one_way
from qrelsmith.stats.group_means import compare_assessors
from qrelsmith.stats.groups import GroupResult
from qrelsmith.stats.significance import INDEPENDENT_TESTS

# A note reports a higher share of dropped values in a group.
_MANY_DROPPED = 1 / 3
_FEW, _MANY = "two-sample-t", "unpaired-tukey"


@dataclass(frozen=True, slots=True, eq=False)
class JudgingEfficiency:
    """The efficiency of every session.

    Attributes
    ----------
    logged : LoggedSessions
        The sessions, and problems of their logs.
    clock : str
        `wall` or `active`.
    caps : Caps
        The caps above which times were dropped.
    relevant, high : float
        Lowest grades of relevant docs, and of highly relevant docs.
    """

    logged: LoggedSessions
    criteria: Criteria
    clock: Clock
    caps: Caps
    relevant: float
    high: float

    @property
    def sessions(self) -> tuple[Session, ...]:
        """Assessor, topic, group and ordering of each session."""
        return self.logged.sessions

    def samples(self, criterion: str, by: str) -> dict[str, FloatArray]:
        """Return a criterion's defined values, grouped by a property of the sessions.

        Sessions without this property, whose judgments state no group or order, are left out.
        """
        names = np.array([KEYS[by](session) for session in self.sessions], dtype=object)
        values = self.criteria.of(criterion)
        known = ~np.isnan(values)
        return {
            name: values[(names == name) & known] for name in sorted(set(names.tolist()) - {""})
        }

    def assessors_of_samples(self, criterion: str, by: str) -> dict[str, AnyArray]:
        """Return the assessor of each value of `samples`."""
        names = np.array([KEYS[by](session) for session in self.sessions], dtype=object)
        who = np.array([session.assessor for session in self.sessions], dtype=str)
        known = ~np.isnan(self.criteria.of(criterion))
        return {name: who[(names == name) & known] for name in sorted(set(names.tolist()) - {""})}

    def notes(self) -> list[str]:
        """Return notes on the numbers for readers, one sentence each."""
        criteria, count = self.criteria, len(self.sessions)
        backwards = self.logged.backwards > 0
        judged = criteria.docs > 0
        reasons = (
            ("have no judgment", ~judged),
            (
                "have a judgment without a timestamp, so no times are shown for them",
                judged & ~criteria.timed & ~backwards,
            ),
            ("have timestamps that go backwards, so no times are shown for them", backwards),
            (
                "lack the time at which the topic was opened, so TJ1D, TF1RH and TF1H are missing",
                criteria.timed & self.logged.unopened,
            ),
        )
        notes = [
            f"{int(which.sum())} of {count} (assessor, topic) pairs {what}; first:"
            f" {self._first(which)}"
            for what, which in reasons
            if which.any()
        ]
        if not self.logged.log.revisions_kept and count:
            notes.append(
                "the judgments have no revision column, so the number of label changes is unknown"
            )
        if self.logged.earlier_lost:
            notes.append(
                f"{self.logged.earlier_lost} judgments lack their earlier revisions, so the first"
                " judgments of these docs are not counted"
            )
        return notes + list(self._drop_counts())

    def _drop_counts(self) -> Iterator[str]:
        """Yield notes on the values dropped by the caps, by criterion and group."""
        criteria = self.criteria
        groups = np.array([session.group for session in self.sessions], dtype=object)
        for column, name in enumerate(CRITERIA):
            dropped = criteria.dropped[:, column]
            kept = (~np.isnan(criteria.of(name))).astype(np.int64)
            # ATBJ is a mean over intervals, of which there is one fewer than docs.
            intervals = np.where(criteria.timed, np.maximum(criteria.docs - 1, 0), 0)
            there = intervals if name == "ATBJ" else kept + dropped
            cap = self.caps.found if name.startswith("TF") else self.caps.judgment
            for group in sorted(set(groups[dropped > 0].tolist())):
                lost, total = (int(part[groups == group].sum()) for part in (dropped, there))
                whose = f"{name} of {group}" if group else name
                what = "intervals" if name == "ATBJ" else "values"
                note = f"{whose}: {what} above {cap:g} s are dropped ({lost:,} of {total:,})"
                many = "; more than a third is dropped, so the rest represents only fast judging"
                yield note + many * (lost > _MANY_DROPPED * total)

    def _first(self, which: BoolArray) -> str:
        session = self.sessions[int(np.argmax(which))]
        return f"{session.assessor}, {session.topic}"


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """A comparison of two groups of sessions by one criterion.

    Attributes
    ----------
    criterion : str
        One of `CRITERIA`.
    first, second : str
        The groups; the second is the control of Glass's Δ.
    sizes, means, deviations : (int, int), (float, float), (float, float)
        Number of values, mean and sample standard deviation of both.
    difference : float
        Mean of the first group minus mean of the second.
    test : str
        A name in `INDEPENDENT_TESTS`, or `over-assessors`.
    p, effect_size : float
        p-value and effect size of the test; nan if it has none.
    effect : str
        Name of the effect size.
    glass_delta : float
        The difference divided by the standard deviation of the second group.
    residual_variance : float
        The residual variance V_E1 over all groups.
    """

    criterion: str
    first: str
    second: str
    sizes: tuple[int, int]
    means: tuple[float, float]
    deviations: tuple[float, float]
    difference: float
    test: str
    p: float
    effect_size: float
    effect: str
    glass_delta: float
    residual_variance: float


def judging_efficiency(
    judgments: Judgments,
    *,
    high: float,
    relevant: float = 1.0,
    clock: Clock = "wall",
    caps: Caps | None = None,
) -> JudgingEfficiency:
    """Compute the criteria of efficiency for every assessor and topic.

    Parameters
    ----------
    judgments : Judgments
        All revisions of the judgments, with their times.
    high, relevant : float
        Lowest grades of highly relevant docs, and of relevant docs.
    clock : {'wall', 'active'}
        See `judging_log`.
    caps : Caps, optional
        By default 3 and 10 minutes for the wall clock, and none for the active clock, which only
        counts time when the assessor was present.

    Raises
    ------
    UsageError
        If `high` is below `relevant`.
    """
    if not relevant <= high:
        raise UsageError(
            f"the lowest highly relevant grade is {high:g}; expected at least {relevant:g}, "
            "the lowest relevant grade"
        )
    limits = caps or (PAPER_CAPS if clock == "wall" else NO_CAPS)
    logged = judging_log(judgments, clock=clock)
    return JudgingEfficiency(
        logged=logged,
        criteria=criteria(logged.log, relevant=relevant, high=high, caps=limits),
        clock=clock,
        caps=limits,
        relevant=relevant,
        high=high,
    )


def compared_groups(
    efficiency: JudgingEfficiency,
    *,
    by: str = "environment",
    test: str | None = None,
    control: str | None = None,
) -> Iterator[GroupComparison]:
    """Compare every pair of groups of sessions, criterion by criterion.

    Parameters
    ----------
    efficiency : JudgingEfficiency
        The sessions.
    by : str
        One of `KEYS`: the key of the groups.
    test : str, optional
        By default, assessors are the unit (`compare_assessors`), because sessions of one assessor
        are similar; with `by="assessor"`, the paper's test is the default. A test in
        `INDEPENDENT_TESTS` assumes independent sessions: the paper uses Student's t for two groups
        (Table 3) and Tukey HSD for more (Table 4).
    control : str, optional
        The last group, which is the control of Glass's Δ; by default the last by name.

    Raises
    ------
    UndefinedError
        If there are fewer than two groups.
    UsageError
        If the control is not a group.

    Notes
    -----
    Comparisons by a criterion omit groups without values of this criterion. An assessor in two of
    the groups (of orderings) is compared with themselves.
    """
    names = sorted({KEYS[by](session) for session in efficiency.sessions} - {""})
    if len(names) < 2:
        there = f"the only {by} is {quoted(names[0])}" if names else f"the judgments have no {by}"
        raise UndefinedError(f"a comparison by {by} needs at least two values; {there}")
    if control is not None:
        if control not in names:
            raise UsageError(
                f"the control is {quoted(control)}; expected one of {', '.join(names)}"
            )
        names = [name for name in names if name != control] + [control]
    chosen = test
    if test is None and by == "assessor":
        chosen = _FEW if len(names) == 2 else _MANY
    for criterion in CRITERIA:
        samples = efficiency.samples(criterion, by)
        assessors = None if chosen else efficiency.assessors_of_samples(criterion, by)
        kept = {name: samples[name] for name in names if samples[name].size}
        yield from _compare(criterion, kept, chosen, assessors)


def _compare(
    criterion: str,
    samples: dict[str, FloatArray],
    test: str | None,
    assessors: dict[str, AnyArray] | None,
) -> Iterator[GroupComparison]:
    if len(samples) < 2:
        return
    names, values = list(samples), list(samples.values())
    if assessors is None:
        result: GroupResult = INDEPENDENT_TESTS.get(test or "")(values)
    else:
        result = compare_assessors(values, [assessors[name] for name in names])
        # The test and the table use one value for each assessor.
        values = [_means(sample, assessors[name]) for name, sample in samples.items()]
    variance = residual_variance_one_way(values)
    deviations = [_deviation(sample) for sample in values]
    for pair, (a, b) in enumerate(combinations(range(len(names)), 2)):
        means = float(values[a].mean()), float(values[b].mean())
        yield GroupComparison(
            criterion=criterion,
            first=names[a],
            second=names[b],
            sizes=(values[a].size, values[b].size),
            means=means,
            deviations=(deviations[a], deviations[b]),
            difference=float(result.difference[pair]),
            test=result.test,
            p=float(result.p[pair]),
            effect_size=float(result.effect_size[pair]),
            effect=result.effect,
            glass_delta=float(glass_delta(*means, deviations[b])),
            residual_variance=variance,
        )


def _means(values: FloatArray, assessors: AnyArray) -> FloatArray:
    """Return the mean of each assessor's values."""
    _, place = np.unique(assessors, return_inverse=True)
    return np.bincount(place, weights=values) / np.bincount(place)


def _deviation(sample: Sequence[float] | FloatArray) -> float:
    return float(np.std(sample, ddof=1)) if len(sample) > 1 else float("nan")
