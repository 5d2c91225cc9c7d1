"""`qrelsmith audit`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from qrelsmith.audit.campaign_audit import compute_audit
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.base.content import CellVerdict, Scorecard
from qrelsmith.cli.options import Common, split_names
from qrelsmith.cli.progress import progress
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.io.text import FilePath
from qrelsmith.report import check_dependencies, check_folder, write_report

_SAID: tuple[CellVerdict, ...] = ("good", "doubtful", "bad", "undecided")


@click.command(
    name="audit", epilog="Example: qrelsmith audit qrelsmith-demo -o qrelsmith-demo/audit"
)
@click.argument("campaign", type=click.Path())
@click.option(
    "-o", "--output", type=click.Path(), help="The folder to write; default: CAMPAIGN/audit."
)
@click.option(
    "-m", "--measure", "measures", multiple=True,
    help="A measure that ranks the systems; repeat for more. Default: those of campaign.toml.",
)  # fmt: skip
@click.option(
    "--reference",
    help="The label set to compare with; default: gold, else the only set by people.",
)
@click.option(
    "--order", type=click.Choice(RUN_ORDERS.names()), default="trec", show_default=True,
    help="How the docs of a run are ranked.",
)  # fmt: skip
@click.option("--pdf", is_flag=True, help="Write the figures as PDF, too.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of whatever is random.")
@click.option("--jobs", type=click.IntRange(min=1), help="Threads; default: one a processor.")
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(
    campaign: str,
    output: str | None,
    measures: tuple[str, ...],
    reference: str | None,
    order: str,
    pdf: bool,
    seed: int,
    jobs: int | None,
    quiet: bool,
) -> None:
    """Audit of a campaign: which labels and rankings to trust.

    The folder gets audit.html, which opens offline in any browser, the tables as csv, Markdown and
    LaTeX, the figures as SVG, and the manifest. The summary is printed as well.
    """
    common = Common(form=None, output=None, seed=seed, jobs=jobs, quiet=quiet)
    folder = Path(output) if output is not None else Path(campaign) / "audit"
    check_dependencies()
    check_folder(folder)
    inputs = AuditInputs(
        campaign,
        measures=split_names(measures),
        reference=reference,
        order=order,
        seed=seed,
        jobs=jobs,
    )
    write_audit(inputs, folder, common, pdf=pdf)


def write_audit(
    inputs: AuditInputs, folder: FilePath, common: Common, *, pdf: bool = False
) -> None:
    """Audit a campaign into a folder, print the summary, and say where the report is."""
    with progress("auditing", len(SECTIONS.names()), quiet=common.quiet) as advance:
        audit = compute_audit(inputs, advance=advance)
    write_report(audit, Path(folder), pdf=pdf)
    for finding in audit.summary():
        if finding.opens:
            click.echo(f"{finding.verdict.value}  {finding.sentence}")
    if audit.scorecard is not None:
        _tell(audit.scorecard)
    common.say(inputs.notes)
    common.say([f"the report is in {Path(folder) / 'audit.html'}"])


def _tell(card: Scorecard) -> None:
    """A line for each label set, and what to do next."""
    width = max(map(len, card.label_sets))
    for name in card.label_sets:
        counts = Counter(cell.verdict for cell in card.of(name))
        verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in _SAID if counts[verdict])
        use = card.uses.get(name, "")
        click.echo(f"{name:<{width}}  {use} ({verdicts or 'no verdict'})".replace("   ", "  "))
    for action in card.actions:
        click.echo(f"{'next':<{width}}  {action.what} {action.why} ({action.cost})")
