"""A plan of topics as a report: the curves with their table."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.base.content import NamedTable, Report, Section
from qrelsmith.io.manifest import manifest_for, manifest_text
from qrelsmith.io.text import FilePath
from qrelsmith.rankings.plan_topics import TopicPlan


def topic_plan_report(plan: TopicPlan, *, inputs: Sequence[FilePath] = ()) -> Report:
    """The plan as a report; `inputs` are the files that it was made of, for the manifest.

    Raises
    ------
    UsageError
        If tests and intervals would share an axis.
    """
    manifest = manifest_for(
        ("qrelsmith", "plan", "topics"),
        parameters={
            "variances": [[variance.measure, variance.value] for variance in plan.variances],
            "aims": [
                [aim.test, aim.target, aim.systems, aim.alpha, aim.power] for aim in plan.aims
            ],
        },
        inputs=list(inputs),
    )
    table = NamedTable("topic-set-size", "What numbers of topics are good for", plan.table())
    section = Section(
        key="topics", title="How many topics", tables=(table,), figures=(plan.figure(),)
    )
    return Report(
        title="Topic set size",
        subtitle=", ".join(f"{aim.test} {aim.target:g}" for aim in plan.aims),
        notices=(),
        sections=(section,),
        manifest=manifest_text(manifest),
        kind="Plan of a test collection",
    )
