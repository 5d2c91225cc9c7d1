"""`qrelsmith app verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from qrelsmith.base.errors import InputError
from qrelsmith.base.options import Option
from qrelsmith.base.tables import Table
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import CampaignFolder
from qrelsmith.cli.options import Common, common_options


@action(
    "app verify", example="qrelsmith app verify my-campaign", renamed={"--against": "--kept-copy"}
)
@common_options()
def command(
    common: Common,
    campaign: CampaignFolder,
    rebuild: Annotated[bool, Option("Rebuild the current labels from the events first.")] = False,
    against: Annotated[Path | None, Option(
        "Also check that all logs start with the events in this export or backup.",
        ("--kept-copy",), metavar="EXPORT|BACKUP", file=True)] = None,
) -> None:  # fmt: skip
    """Verify the app's current labels against its events.

    The labels of CAMPAIGN's app are rebuilt from the events and compared with the current labels. A
    chain of digests reveals changes inside a log. A log could also be replaced, or its end could be
    removed. To detect a replaced or shortened log, compare the logs with a copy that you keep
    elsewhere (--kept-copy). The table has one row per check, with the number of checked records and
    the number of failures. The exit status is 2 if a check fails.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.maintenance.kept_copies import check_against_copy
    from qrelsmith.web.verification.late_events import take_back_late_events
    from qrelsmith.web.verification.whole import rebuilt, verified

    if rebuild:
        common.say(take_back_late_events())
        common.say([f"labels that were rebuilt: {rebuilt()}"])
    checks = verified()
    if against is not None:
        checks.append(check_against_copy(against))
    rows = [(check.name, check.rows, check.wrong) for check in checks]
    common.emit(Table.of(("check", "rows", "wrong"), rows))
    faults = [sentence for check in checks for sentence in check.examples]
    if faults:
        common.explain(faults)
        raise InputError(f"{sum(check.wrong for check in checks)} rows fail a check", path=campaign)
