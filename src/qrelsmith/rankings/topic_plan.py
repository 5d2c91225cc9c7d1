"""The result of `plan topics`: required topics, curves and report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.base.content import Figure, NamedTable, Report, Section
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.io.manifest import manifest_for, manifest_text
from qrelsmith.io.text import FilePath
from qrelsmith.rankings.topic_set_size import Aim, PlannedTopics, Variance, topic_curves

_COLUMNS = (
    "measure", "test", "systems", "alpha", "variance", "target", "topics", "power", "reached",
)  # fmt: skip


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
