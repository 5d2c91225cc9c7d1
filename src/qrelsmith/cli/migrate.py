"""`qrelsmith app migrate`."""

from __future__ import annotations

import click

from qrelsmith.cli.actions import action
from qrelsmith.cli.app import make_app
from qrelsmith.cli.options import Common


@action("app migrate", example="qrelsmith app migrate my-campaign")
@click.argument("campaign", type=click.Path())
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(campaign: str, quiet: bool) -> None:
    """Migrate the app's database.

    The database of CAMPAIGN's app is brought to this program's schema.

    What it holds is backed up first; a database of a newer program is refused.
    """
    with make_app(campaign):
        from qrelsmith.web.project import check_app
        from qrelsmith.web.serving.start import migrate_app

        check_app()
        notes = migrate_app() or ["the database has this program's schema"]
    Common(None, None, 0, None, quiet).say(notes)
