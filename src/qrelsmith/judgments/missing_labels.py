"""The error for a campaign without labels, with the command that exports them from the app."""

from __future__ import annotations

import shlex

from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.campaign_folder import APP_FOLDER


def no_labels(campaign: Campaign) -> str:
    """Return the error text for a campaign without labels, with the app's export command."""
    problem = "the campaign has no labels; expected qrels/ or judgments.*"
    if not campaign.is_folder or not (campaign.folder / APP_FOLDER).exists():
        return problem
    exported = f"{campaign.folder}-export"
    export = shlex.join(("qrelsmith", "app", "export", str(campaign.folder), "-o", exported))
    audit = shlex.join(("qrelsmith", "audit", exported))
    return f"{problem}. Export the judging app's labels: {export} && {audit}"
