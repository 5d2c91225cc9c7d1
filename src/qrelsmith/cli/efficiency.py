"""`qrelsmith efficiency`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from qrelsmith.cli.options import (
    Common,
    Finite,
    common_options,
    parse_scale,
    scale_options,
    topic_set_option,
)
from qrelsmith.cli.run_files import campaign_folder
from qrelsmith.io.text import FilePath
from qrelsmith.judging_times.efficiency import TESTS, Efficiency, efficiency
from qrelsmith.judgments.environments import KEYS


@click.command(
    name="efficiency",
    epilog="Example: qrelsmith efficiency judgments.csv --ordering prioritised --compare group",
)
@click.argument("judgments_file", type=click.Path(), metavar="JUDGMENTS|CAMPAIGN")
@click.option(
    "--compare", type=click.Choice(list(KEYS)),
    help="Print every two groups compared instead; environment: group and ordering.",
)  # fmt: skip
@click.option(
    "--repeats",
    is_flag=True,
    help="Print instead how often each assessor gave a doc that came again the same grade.",
)
@click.option(
    "--test", type=click.Choice(list(TESTS)),
    help="A test of --compare over (assessor, topic), as in the paper; default: assessors are the"
    " unit (Welch's t over their means).",
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
    figures: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
    **options: Any,
) -> None:
    """Judging times: how fast assessors judge.

    From the times in a JUDGMENTS file.

    Columns: assessor, group, ordering, topic, docs, tj1d (seconds from opening the topic to the
    first judgment), tf1rh and tf1h (to the first relevant and highly relevant doc), atbj (mean
    between the first judgments of docs), nrej (labels changed to another one). What is above a cap
    is dropped: tj1d, tf1rh and tf1h themselves, single intervals of atbj, never a topic. What is
    not known is nan, and notes say why. With --compare: criterion, a, b, n_a, n_b, mean_a, mean_b,
    sd_a, sd_b, difference, test, p, effect_size, effect, glass_delta, residual_variance. With
    --repeats: round, assessor, repeats, same, higher, lower, share, low, high.
    """
    levels = parse_scale(scale, "error" if campaign_folder([judgments_file]) else off_scale)
    compares = options["test"] is not None or options["control"] is not None
    if options["compare"] is None and compares:
        raise click.UsageError("--test and --control go with --compare")
    if figures is not None:
        _check_figures(figures)
    result = efficiency(judgments_file, scale=levels, off_scale=off_scale, **options)
    common.say(result.notes)
    if figures is not None:
        _write_figures(result, judgments_file, Path(figures), common)
    common.emit(result.table())


def _check_figures(folder: FilePath) -> None:
    """Fail before any work is done if the folder cannot be written."""
    from qrelsmith.report import check_dependencies, check_folder

    check_dependencies()
    check_folder(folder)


def _write_figures(result: Efficiency, source: FilePath, folder: Path, common: Common) -> None:
    from qrelsmith.base.content import Report
    from qrelsmith.io.manifest import manifest_for, manifest_text
    from qrelsmith.judgments.campaign_sources import campaign_of
    from qrelsmith.report import write_report

    campaign = campaign_of(source)
    file = source if campaign is None else campaign.campaign.judgments
    judging = result.judging
    manifest = manifest_for(
        ("qrelsmith", "efficiency", str(file)),
        parameters={
            "clock": judging.clock,
            "caps": [judging.caps.judgment, judging.caps.found],
            "relevant": judging.relevant,
            "high": judging.high,
        },
        inputs=[] if file is None else [file],
    )
    judgments = result.judgments
    report = Report(
        title="Efficiency of the assessors",
        subtitle=f"{len(judgments.assessors)} assessors, {len(judgments.topics)} topics",
        notices=(),
        sections=(result.section(),),
        manifest=manifest_text(manifest),
        kind="Times of judgments",
    )
    write_report(report, folder, page="efficiency.html")
    common.say([f"the figures are in {folder}: efficiency.html shows them"])
