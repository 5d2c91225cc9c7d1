"""`qrelsmith export`."""

from __future__ import annotations

import click

from qrelsmith.cli.app import open_app
from qrelsmith.cli.options import Common


@click.command(name="export", epilog="Example: qrelsmith export my-campaign -o exported")
@click.argument("campaign", type=click.Path())
@click.option("-o", "--output", type=click.Path(), required=True, help="The folder to write.")
@click.option("--documents", is_flag=True, help="Write the docs, too.")
@click.option("--without-runs", is_flag=True, help="Leave the runs and qrels of the folder out.")
@click.option(
    "--spreadsheet", is_flag=True,
    help="Add a copy of the judgments whose cells no spreadsheet takes for formulas.",
)  # fmt: skip
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(
    campaign: str,
    output: str,
    documents: bool,
    without_runs: bool,
    spreadsheet: bool,
    quiet: bool,
) -> None:
    """Export what the judging app holds as a campaign folder.

    It has judgments.csv with every revision, qrels of each assessor and group, topics, pools, runs,
    and in app/ the records from which an import makes the same app again. Only pseudonyms occur in
    it. The app may go on meanwhile.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.exporting.folder import WantedExport, export
    from qrelsmith.web.project import current_instance

    wanted = WantedExport(documents=documents, runs=not without_runs, spreadsheet=spreadsheet)
    events = export(current_instance().campaign, output, wanted)
    note_command("export", f"{events} events")
    Common(None, None, 0, None, quiet).say([f"{events} events are in {output}"])
