"""`qrelsmith app export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from qrelsmith.base.options import Option
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import CampaignFolder, Quiet
from qrelsmith.cli.options import Common


@action(
    "app export",
    example="qrelsmith app export my-campaign -o exported",
    renamed={"--documents": "--with-documents"},
)
def command(
    campaign: CampaignFolder,
    output: Annotated[str, Option(
        "Folder to write; with --person or --login: file to write.", ("-o", "--output"),
        file=True)],
    documents: Annotated[bool, Option("Also write the docs.", ("--with-documents",))] = False,
    without_runs: Annotated[bool, Option("Leave out the campaign folder's runs and qrels.")] =
        False,
    spreadsheet: Annotated[bool, Option(
        "Add a copy of judgments.csv that is safe to open in a spreadsheet.")] = False,
    person: Annotated[str | None, Option(
        "Write only the data of the person with this pseudonym, as JSON.",
        metavar="ASSESSOR")] = None,
    login: Annotated[str | None, Option(
        "Write only the data of the account with this login, as JSON.")] = None,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Export the judging app's data as a campaign folder.

    The folder contains judgments.csv with every revision, qrels of each assessor and group, topics,
    pools, runs and, in app/, the records from which an import recreates the app. Assessors appear
    only by pseudonym. The app can stay in use during the export. With --person or --login, only one
    person's data are exported: account, sessions, invites, judgments with times and notes,
    payments.
    """
    if person is not None and login is not None:
        raise click.UsageError("found both --person and --login; expected only one")
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.exporting.folder import WantedExport, export
    from qrelsmith.web.importing.held import check_folder
    from qrelsmith.web.maintenance.persons import find_person, write_person
    from qrelsmith.web.project import current_instance

    say = Common(quiet=quiet).say
    name = login or person
    if name is not None:
        found = find_person(name, by_login=login is not None)
        say([f"{write_person(found, Path(output))} records are in {output}"])
        note_command("export person", person or f"account {found.account and found.account.pk}")
        return
    check_folder(current_instance().campaign)
    wanted = WantedExport(documents=documents, runs=not without_runs, spreadsheet=spreadsheet)
    events = export(current_instance().campaign, output, wanted)
    note_command("export", f"{events} events")
    say([f"{events} events are in {output}"])
