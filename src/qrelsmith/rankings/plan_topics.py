"""The question `plan topics`: how many topics a collection needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from qrelsmith.base.content import Figure
from qrelsmith.base.errors import UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Gains, Scale
from qrelsmith.base.tables import Table
from qrelsmith.evaluation.common_topics import TopicSets
from qrelsmith.evaluation.compared_sets import compared_sets
from qrelsmith.evaluation.scored_sets import ScoredSets, scored_sets, scores_of
from qrelsmith.evaluation.scoring import OffScale, Scoring
from qrelsmith.judgments.run_sources import MeasuresLike, RunsLike, as_list
from qrelsmith.judgments.sources import LabelSets
from qrelsmith.rankings.topic_set_size import (
    Aim,
    PlannedTopics,
    Variance,
    planned_topics,
    topic_curves,
    variance_of,
)
from qrelsmith.stats.design.power import POWERS

_COLUMNS = (
    "measure", "test", "systems", "alpha", "variance", "target", "topics", "power", "reached",
)  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class TopicPlan(Result):
    """How many topics are enough, or what some numbers of topics are good for.

    Attributes
    ----------
    variances : tuple of Variance
        What is known of each measure's scores.
    aims : tuple of Aim
        What the topics are to be enough for.
    planned : tuple of PlannedTopics
        A number of topics for each measure and aim, or several.
    """

    variances: tuple[Variance, ...]
    aims: tuple[Aim, ...]
    planned: tuple[PlannedTopics, ...]

    def table(self) -> Table:
        """Columns: measure, test, systems, alpha, variance, target, topics, power, reached."""
        return Table.of(
            _COLUMNS,
            (
                (
                    one.variance.measure, one.aim.test, one.aim.systems, one.aim.alpha,
                    one.variance.value, one.aim.target, one.topics, one.power, one.reached,
                )
                for one in self.planned
            ),
        )  # fmt: skip

    def figure(self) -> Figure:
        """Power, or the width of an interval, over the number of topics.

        Raises
        ------
        UsageError
            If tests and intervals would share an axis.
        """
        return topic_curves(self.variances, self.aims)


@question(
    "plan topics",
    no_audit="it is asked before a collection is built; the audit tells whether topics were enough",
    flags={"measures": "-m"},
)
def plan_topics(
    labels: LabelSets | None = None,
    runs: RunsLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    variance: float | Sequence[float] = (),
    test: str | Sequence[str] = "anova",
    difference: float | Sequence[float] = (),
    width: float | Sequence[float] = (),
    systems: int = 2,
    alpha: float = 0.05,
    power: float = 0.8,
    topics: int | Sequence[int] = (),
    label_set: str | None = None,
    reference: str | None = None,
    topic_set: TopicSets = None,
    order: str = "trec",
    gains: Gains | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    condensed: bool = False,
    jobs: int | None = None,
    advance: Callable[[], None] | None = None,
) -> TopicPlan:
    """How many topics a collection needs so that a difference is found, or known well enough.

    The variance of the scores is given, or is the residual variance of their two-way analysis.

    Parameters
    ----------
    labels : qrels, campaign, or scores, optional
        What scores are taken of, where no variance is given: a label set, a campaign, or scores (a
        `ScoreMatrix`, an `Evaluation`, or several matrices).
    runs, measures
        As of `evaluate`.
    variance : float, or several
        The residual variance of the scores (V_E2), in place of labels and runs.
    test : str, or several
        What the topics are for: a test (`anova`, `paired-t`, `two-sample-t`) or an interval.
    difference, width : float, or several
        The difference that a test is to detect; how wide an interval may be, from end to end.
    systems : int
        How many systems are compared (anova).
    alpha, power : float
        The level of significance (an interval has 1 − alpha), and the probability with which the
        difference is to be found.
    topics : int, or several
        Look at these numbers of topics; by default at the smallest that is enough.
    label_set, reference, topic_set, order, gains, scale, off_scale, condensed, jobs, advance
        As of `evaluate`.

    Returns
    -------
    TopicPlan

    Raises
    ------
    UsageError
        If options do not go together, or no number of topics would do.
    UndefinedError
        If there are fewer than two systems or topics.
    InputError
        As of `evaluate`.

    References
    ----------
    Sakai (2016), Topic set size design.

    Examples
    --------
    >>> from qrelsmith import plan_topics
    >>> plan_topics(variance=0.0284, difference=0.1).planned[0].topics
    46
    """
    aims = _aims(as_list(test), as_list(difference), as_list(width), systems, alpha, power)
    counts = sorted(set(as_list(topics)))
    given = as_list(variance)
    notes: list[str] = []
    if given:
        if any(held is not None for held in (labels, runs, measures, topic_set, label_set)):
            raise UsageError("either a variance or scores to take it of, not both")
        variances = [Variance("", number) for number in dict.fromkeys(given)]
    else:
        if labels is None:
            raise UsageError("expected a variance, labels and runs, a campaign, or scores")
        scored = scores_of(labels, measures, topic_set=topic_set, runs=runs) or scored_sets(
            compared_sets(
                labels, runs, measures, Scoring(order, gains, scale, off_scale, condensed),
                which="reference", label_set=label_set, reference=reference, topic_set=topic_set,
            ),
            jobs=jobs,
            advance=advance,
        )  # fmt: skip
        variances, told = _variances(scored)
        notes += [*scored.notes, told]
    return TopicPlan(
        variances=tuple(variances),
        aims=tuple(aims),
        planned=planned_topics(variances, aims, topics=counts),
        notes=tuple(notes),
    )


def _aims(
    tests: Sequence[str],
    differences: Sequence[float],
    widths: Sequence[float],
    systems: int,
    alpha: float,
    power: float,
) -> list[Aim]:
    """Each test with each of its targets."""
    aims = []
    for test in dict.fromkeys(tests):
        is_test = test in POWERS.names()
        targets = differences if is_test else widths
        if not targets:
            raise UsageError(f"{test} needs a {'difference' if is_test else 'width'}")
        aims += [Aim(test, target, systems, alpha, power) for target in dict.fromkeys(targets)]
    if widths and not any(aim.is_interval for aim in aims):
        raise UsageError(f"a width is for none of {', '.join(tests)}")
    if differences and all(aim.is_interval for aim in aims):
        raise UsageError(f"a difference is for none of {', '.join(tests)}")
    return aims


def _variances(scored: ScoredSets) -> tuple[list[Variance], str]:
    """The variance of each measure, and what it is of."""
    if len(scored.names) > 1 or len(scored.topics.set_names) > 1:
        raise UsageError("there are several label sets or sets of topics; expected one")
    (name,), (chosen,) = scored.names, scored.topics.set_names
    matrices = [scored.pair_with_reference(name, of, topic_set=chosen) for of in scored.measures]
    systems, topics = len(matrices[0].systems), len(matrices[0].topics)
    told = f"variance of {systems} systems on {topics} topics"
    return [variance_of(matrix) for matrix in matrices], told
