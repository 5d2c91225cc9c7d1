"""The command `plan topics`: required number of topics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Unpack

from qrelsmith.base.content import Figure, NamedTable, Report, Section
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.options import Option, ReportFolder
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.evaluation.ranking_options import SCORES, OneRanking, ranking_source, says_how_scored
from qrelsmith.evaluation.ready_scores import scores_or_runs
from qrelsmith.evaluation.scored_sets import ScoredSets
from qrelsmith.io.manifest import manifest_for, manifest_text
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.run_options import Measures, Runs
from qrelsmith.judgments.run_sources import as_list
from qrelsmith.rankings.topic_set_size import (
    Aim,
    PlannedTopics,
    Variance,
    kinds,
    planned_topics,
    topic_curves,
    variance_of,
)
from qrelsmith.stats.design.power import POWERS

_COLUMNS = (
    "measure", "test", "systems", "alpha", "variance", "target", "topics", "power", "reached",
)  # fmt: skip
# Options of scores, which do not apply to a variance.
_OF_SCORES = ("topic_set", "reference", "ordering")


_RANGE = re.compile(r"(\d{1,8})(?:\.\.(\d{1,8})(?::(\d{1,8}))?)?")


def _counts(texts: Sequence[str]) -> list[int]:
    """Return the numbers of topics, each once, in ascending order."""
    counts: set[int] = set()
    for text in texts:
        match = _RANGE.fullmatch(text)
        first, last, step = (int(part or 0) for part in match.groups()) if match else (0, 0, 0)
        if first < 2 or (last and last < first) or (match and match[3] and not step):
            raise UsageError(
                f"--topic-count {quoted(text)}; expected a number, 2 or more, or a range such as"
                " 10..200 or 10..200:10"
            )
        counts.update(range(first, (last or first) + 1, step or 1))
    return sorted(counts)


@question(
    "plan topics",
    no_audit="it is used before a collection is built; the audit says whether topics were enough",
    example="qrelsmith plan topics --variance 0.0284 --difference 0.1",
    doing="evaluating",
    short="Compute the number of topics that a collection needs.",
    writes={
        "report": ReportFolder(
            "Write a page with a figure of power by number of topics (SVG) to this folder.",
            lambda plan, inputs: plan.report(inputs),
            "topics.html",
            "the figure is in {folder}",
            metavar="FOLDER",
            was="figure",
        )
    },
)
def plan_topics(
    labels: Annotated[
        Any,
        ranking_source(
            "[CAMPAIGN|QRELS RUN...]",
            needed=False,
            scores=replace(SCORES, help="File of scores, as for `significance`, from which"
                " the variance is estimated."),
        ),
    ] = None,
    runs: Runs = None,
    measures: Measures = None,
    *,
    variance: Annotated[float | Sequence[float], Option(
        "Residual variance of the scores (V_E2); repeatable.", least=0)] = (),
    test: Annotated[str | Sequence[str], Option(
        "Test or interval for which the number of topics is computed; repeatable.",
        choices=kinds)] = "anova",
    difference: Annotated[float | Sequence[float], Option(
        "Difference to detect; repeatable.", above=0)] = (),
    width: Annotated[float | Sequence[float], Option(
        "Maximum total width of an interval; repeatable.", above=0)] = (),
    systems: Annotated[int, Option("Number of systems, for the test `anova`.", least=2)] = 2,
    alpha: Annotated[float, Option(
        "Significance level; the confidence level of an interval is 1 - alpha.", above=0,
        below=1)] = 0.05,
    power: Annotated[float, Option(
        "Probability of detecting the difference.", above=0, below=1)] = 0.8,
    topic_count: Annotated[int | Sequence[int], Option(
        "Numbers of topics to evaluate, such as 50, 10..200 or 10..200:10; repeatable.",
        metavar="N", gather=_counts, was={"topics": {}})] = (),
    label_set: Annotated[str | None, Option(
        "Label set of a campaign, or a file of labels.",
        metavar="NAME|FILE")] = None,
    **scope: Unpack[OneRanking],
) -> TopicPlan:  # fmt: skip
    """Compute the number of topics that a collection needs to detect or estimate a difference.

    Columns: measure, test, systems, alpha, variance, target (the difference or width), topics (the
    smallest sufficient number, for each system), power, reached (the smallest difference that is
    detected with --power, or the expected width). Pass the variance with --variance. Otherwise, the
    residual variance of a two-way analysis of scores is used; the scores come from --scores, or
    from QRELS and runs with -m. With --topic-count, there is one row per number of topics.

    Raises
    ------
    UsageError
        If options conflict, or no number of topics is enough.
    UndefinedError
        If there are fewer than two systems or topics.
    InputError
        The same errors as `evaluate`.

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
    counts = sorted(set(as_list(topic_count)))
    numbers = as_list(variance)
    notes: list[str] = []
    if numbers:
        held = (labels, runs, measures, label_set, *map(scope.get, _OF_SCORES))
        if says_how_scored(scope):
            raise UsageError("scoring options need runs to score; expected QRELS RUN...")
        if any(each is not None and each != () for each in held):
            raise UsageError("found a variance and scores; expected one of them")
        variances = [Variance("", number) for number in dict.fromkeys(numbers)]
    else:
        if labels is None:
            raise UsageError("expected a variance, labels and runs, a campaign, or scores")
        scored = scores_or_runs(
            labels, runs, measures, which="reference", label_set=label_set, **scope
        )
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
    """Return an aim for every combination of a test and a difference or width."""
    aims = []
    for test in dict.fromkeys(tests):
        is_test = test in POWERS.names()
        targets = differences if is_test else widths
        if not targets:
            raise UsageError(
                f"no {'difference' if is_test else 'width'} given for {test}; expected one"
            )
        aims += [Aim(test, target, systems, alpha, power) for target in dict.fromkeys(targets)]
    if widths and not any(aim.is_interval for aim in aims):
        raise UsageError(f"a width applies only to intervals; found only {', '.join(tests)}")
    if differences and all(aim.is_interval for aim in aims):
        raise UsageError(f"a difference applies only to tests; found only {', '.join(tests)}")
    return aims


def _variances(scored: ScoredSets) -> tuple[list[Variance], str]:
    """Return the variance of each measure, with its source."""
    if len(scored.names) > 1 or len(scored.topics.set_names) > 1:
        raise UsageError("found several label sets or sets of topics; expected one")
    (name,), (chosen,) = scored.names, scored.topics.set_names
    matrices = [scored.pair_with_reference(name, of, topic_set=chosen) for of in scored.measures]
    systems, topics = len(matrices[0].systems), len(matrices[0].topics)
    told = f"variance of {systems} systems on {topics} topics"
    return [variance_of(matrix) for matrix in matrices], told


@dataclass(frozen=True, eq=False, kw_only=True)
class TopicPlan(Result):
    """Required numbers of topics, or the power of given numbers.

    Attributes
    ----------
    variances : tuple of Variance
        The score variance of each measure.
    aims : tuple of Aim
        The aims of the topic set.
    planned : tuple of PlannedTopics
        One number of topics, or several, for each measure and aim.
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
        """Return a chart of power, or of the width of an interval, by number of topics.

        Raises
        ------
        UsageError
            If tests and intervals are mixed in one chart.
        """
        return topic_curves(self.variances, self.aims)

    def report(self, inputs: Sequence[FilePath] = ()) -> Report:
        """Return the plan as a report; `inputs` are its source files.

        Raises
        ------
        UsageError
            If tests and intervals are mixed in one chart.
        """
        manifest = manifest_for(
            ("qrelsmith", "plan", "topics"),
            parameters={
                "variances": [[variance.measure, variance.value] for variance in self.variances],
                "aims": [
                    [aim.test, aim.target, aim.systems, aim.alpha, aim.power] for aim in self.aims
                ],
            },
            inputs=list(inputs),
        )
        table = NamedTable(
            "topic-set-size", "Power and interval widths by number of topics", self.table()
        )
        section = Section(
            key="topics", title="Number of topics needed", tables=(table,), figures=(self.figure(),)
        )
        return Report(
            title="Topic set size",
            subtitle=", ".join(f"{aim.test} {aim.target:g}" for aim in self.aims),
            notices=(),
            sections=(section,),
            manifest=manifest_text(manifest),
            kind="Plan of a test collection",
        )
