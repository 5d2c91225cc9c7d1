"""`qrelsmith app migrate`."""

from __future__ import annotations

from qrelsmith.cli.actions import action
from qrelsmith.cli.app import make_app
from qrelsmith.cli.declared_options import CampaignFolder, Quiet
from qrelsmith.cli.options import Common


@action("app migrate", example="qrelsmith app migrate my-campaign")
def command(campaign: CampaignFolder, quiet: Quiet = False) -> None:
    """Migrate the app's database.

    Update the database of CAMPAIGN's app to the schema of this version. The database is backed up
    first. A database from a newer version is rejected.
    """
    with make_app(campaign):
        from qrelsmith.web.project import check_app
        from qrelsmith.web.serving.start import migrate_app

        check_app()
        notes = migrate_app() or ["the database has this program's schema"]
    Common(quiet=quiet).say(notes)
