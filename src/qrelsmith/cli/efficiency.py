"""`qrelsmith efficiency`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from qrelsmith.analyses.efficiency_report import comparison_table, efficiency_section, sessions
from qrelsmith.analyses.environments import KEYS, in_environments
from qrelsmith.analyses.judging_efficiency import (
    JudgingEfficiency,
    compared_groups,
    judging_efficiency,
)
from qrelsmith.cli.judgment_source import read_source
from qrelsmith.cli.options import Common, Finite, common_options, scale_options, topic_set_option
from qrelsmith.content import Report
from qrelsmith.data.judgments import Judgments
from qrelsmith.data.manifest import manifest_for, manifest_text
from qrelsmith.data.text import FilePath
from qrelsmith.efficiency import NO_CAPS, PAPER_CAPS, Caps
from qrelsmith.scales import Scale, grade_text, levels_seen

Clock = Literal["wall", "active"]
_TESTS = {"student": "two-sample-t", "welch": "welch-t", "tukey": "unpaired-tukey"}


@click.command(
    name="efficiency",
    epilog="Example: qrelsmith efficiency judgments.csv --ordering prioritised --compare group",
)
@click.argument("judgments_file", type=click.Path(), metavar="JUDGMENTS|CAMPAIGN")
@click.option(
    "--compare", "by", type=click.Choice(list(KEYS)),
    help="Print every two groups compared instead; environment: group and ordering.",
)  # fmt: skip
@click.option(
    "--test", type=click.Choice(list(_TESTS)),
    help="The test of --compare; default: student for two groups, tukey (HSD) for more.",
)  # fmt: skip
@click.option("--control", metavar="NAME", help="The group that is b; default: the last by name.")
@click.option("--group", "groups", multiple=True, metavar="NAME", help="Only these groups; repeat.")
@click.option(
    "--ordering", "orderings", multiple=True, metavar="NAME", help="Only these orderings; repeat."
)
@click.option(
    "--clock", type=click.Choice(["wall", "active"]), default="wall", show_default=True,
    help="The times of the judgments, or only the time in which the assessor was active"
    " (active_ms, idle_ms).",
)  # fmt: skip
@click.option(
    "--judgment-cap", type=Finite(min=0, min_open=True), metavar="SECONDS",
    help="Longest TJ1D and interval of ATBJ; default: 180, with --clock active none.",
)  # fmt: skip
@click.option(
    "--found-cap", type=Finite(min=0, min_open=True), metavar="SECONDS",
    help="Longest TF1RH and TF1H; default: 600, with --clock active none.",
)  # fmt: skip
@click.option(
    "--relevant", type=Finite(), default=1.0, show_default=True, help="The lowest relevant grade."
)
@click.option(
    "--high", type=Finite(), help="The lowest highly relevant grade; default: the scale's top."
)
@click.option(
    "--figures", type=click.Path(), metavar="FOLDER",
    help="Also write a page with the figures (SVG, PDF) and tables to this folder.",
)  # fmt: skip
@topic_set_option
@scale_options
@common_options
def command(
    common: Common,
    judgments_file: str,
    by: str | None,
    test: str | None,
    control: str | None,
    groups: tuple[str, ...],
    orderings: tuple[str, ...],
    clock: Clock,
    judgment_cap: float | None,
    found_cap: float | None,
    relevant: float,
    high: float | None,
    figures: str | None,
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """How fast assessors judge, from the times in a JUDGMENTS file.

    Columns: assessor, group, ordering, topic, docs, tj1d (seconds from opening the topic to the
    first judgment), tf1rh and tf1h (to the first relevant and highly relevant doc), atbj (mean
    between the first judgments of docs), nrej (labels changed to another one). What is above a cap
    is dropped: tj1d, tf1rh and tf1h themselves, single intervals of atbj, never a topic. What is
    not known is nan, and notes say why. With --compare: criterion, a, b, n_a, n_b, mean_a, mean_b,
    sd_a, sd_b, difference, test, p, effect_size, effect, glass_delta, residual_variance.
    """
    if by is None and (test is not None or control is not None):
        raise click.UsageError("--test and --control go with --compare")
    if figures is not None:
        _check_figures(figures)
    source = read_source([judgments_file], scale, off_scale, topic_set)
    judgments = in_environments(source.judgments, groups=groups, orderings=orderings)
    top = max(_high(judgments, source.scale), relevant) if high is None else high
    if high is None:
        common.say([f"highly relevant is taken to be the grade {grade_text(top)}"])
    plain = PAPER_CAPS if clock == "wall" else NO_CAPS
    found = judging_efficiency(
        judgments,
        relevant=relevant,
        high=top,
        clock=clock,
        caps=Caps(judgment_cap or plain.judgment, found_cap or plain.found),
    )
    common.say(found.notes())
    if by is None:
        table = sessions(found).sorted()
    else:
        name = None if test is None else _TESTS[test]
        table = comparison_table(list(compared_groups(found, by=by, test=name, control=control)))
    if figures is not None:
        by = by or "environment"
        _write_figures(found, judgments, by, source.files[0], Path(figures), common)
    common.emit(table)


def _high(judgments: Judgments, levels: Scale | None) -> float:
    """The top of the scale, or the highest grade seen."""
    return levels.top if levels is not None else max(levels_seen(judgments.grade), default=0.0)


def _check_figures(folder: FilePath) -> None:
    """Fail before any work is done if the folder cannot be written."""
    from qrelsmith.report import check_dependencies, check_folder

    check_dependencies()
    check_folder(folder)


def _write_figures(
    found: JudgingEfficiency,
    judgments: Judgments,
    by: str,
    source: FilePath,
    folder: Path,
    common: Common,
) -> None:
    from qrelsmith.report import write_report

    manifest = manifest_for(
        ("qrelsmith", "efficiency", str(source)),
        parameters={
            "clock": found.clock,
            "caps": [found.caps.judgment, found.caps.found],
            "relevant": found.relevant,
            "high": found.high,
        },
        inputs=[source],
    )
    report = Report(
        title="Efficiency of the assessors",
        subtitle=f"{len(judgments.assessors)} assessors, {len(judgments.topics)} topics",
        notices=(),
        sections=(efficiency_section(found, judgments, by=by),),
        manifest=manifest_text(manifest),
        kind="Times of judgments",
    )
    write_report(report, folder, page="efficiency.html")
    common.say([f"the figures are in {folder}: efficiency.html shows them"])
