"""Labels that a model gave, into the log of the campaign's app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qrelsmith.base.errors import UsageError
from qrelsmith.cli.app import open_app

if TYPE_CHECKING:
    from qrelsmith.models.judge import Judged


def needs_log(campaign: str, group: str) -> bool:
    """Whether the campaign has an app, whose log takes the labels; told before anything is asked.

    Raises
    ------
    UsageError
        If it has one, and no group for models.
    """
    from qrelsmith.campaign.campaign import read_campaign
    from qrelsmith.web.instance import find_instance

    instance = find_instance(campaign)
    kept_in = instance.sqlite if instance.database is None else instance.identity
    if not kept_in.is_file():
        return False
    groups = [name for name, each in read_campaign(campaign).groups.items() if each.role == "llm"]
    if (group and group not in groups) or (not group and len(groups) != 1):
        listed = ", ".join(groups) or 'none; add [groups.llm] with role = "llm" to campaign.toml'
        raise UsageError(
            f"the campaign has an app: expected --group with one with the role llm ({listed})"
        )
    return True


def log_labels(result: Judged) -> str:
    """Record the labels in the app as the model's; a note on how many were new."""
    campaign = result.work.campaign
    open_app(campaign.folder, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.model_assessors.label_files import import_labels
    from qrelsmith.web.model_assessors.settings import GivenSetting

    session = result.session
    setting = GivenSetting(session.asking.model, session.asking.prompt.text, session.parameters)
    *_, labels = import_labels(
        result.judgments,
        setting,
        assessor=session.assessor,
        group=session.group,
        campaign=campaign,
        path=session.terms.endpoint,
    )
    note_command("judge", session.assessor)
    return (
        f"in the app's log, as {session.assessor}: {labels.new} new labels, {labels.changed}"
        f" changed, {labels.same} there already"
    )
