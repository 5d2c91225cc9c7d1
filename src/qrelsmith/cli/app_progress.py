"""`qrelsmith app progress`."""

from __future__ import annotations

import math

from qrelsmith.base.tables import Table
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import CampaignFolder
from qrelsmith.cli.options import Common, common_options

COLUMNS = ("assessor", "group", "assignments", "docs", "judged", "left", "hours")


@action("app progress", example="qrelsmith app progress my-campaign")
@common_options()
def command(common: Common, campaign: CampaignFolder) -> None:
    """Show the progress of judging and the remaining hours.

    There is one row per assessor of CAMPAIGN's app; the first row, `all`, is the sum. Columns:
    assessor, group, assignments, docs, judged, left (unjudged docs in open assignments), hours
    (estimated from the current mean seconds per doc or aspect; nan if unknown). In campaigns of
    answers, the column `docs` counts the aspects to judge.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.organiser.progress import progress

    result = progress()
    parts = [("all", "", result.everything), *((p.name, p.group, p) for p in result.assessors)]
    rows = [
        (
            name, group, part.assignments, part.total, part.judged, part.left,
            math.nan if part.forecast.without else part.forecast.mean,
        )
        for name, group, part in parts
    ]  # fmt: skip
    common.emit(Table.of(COLUMNS, rows))
    if result.everything.forecast.without:
        common.say(["hours are unknown for assessors without timed judgments"])
