"""Start of a campaign from a draft: the folder is written completely or not at all."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from django.utils.translation import gettext

from qrelsmith.base.errors import UsageError
from qrelsmith.campaign.campaign import campaign_toml
from qrelsmith.formats.new_campaign import init_campaign
from qrelsmith.judgments.judgment_files import labels_form
from qrelsmith.web.setup.drafts import Draft
from qrelsmith.web.setup.planned import lay_out, plan_of
from qrelsmith.web.setup.uploads import paths_of

_NAME = re.compile("[a-z0-9][a-z0-9-]{0,39}")


def folder_name(root: Path, title: str) -> str:
    """Return an unused folder name for a campaign, derived from its title."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name = re.sub("[^a-z0-9]+", "-", plain).strip("-")[:36].strip("-") or "campaign"
    names = (name, *(f"{name}-{number}" for number in range(2, 1000)))
    return next(each for each in names if not (root / each).exists())


def start_campaign(draft: Draft, root: Path, name: str) -> Path:
    """Write a draft as a campaign into a folder of campaigns; return the new folder.

    The folder appears with all its files or not at all. The draft is kept.

    Raises
    ------
    UsageError
        If data is missing, or the name of the folder is invalid or taken.
    InputError
        If a file is invalid, or the folder cannot be written.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            gettext("A folder name can contain only lower-case letters a–z, digits and hyphens.")
        )
    target = root / name
    if target.exists():
        raise UsageError(
            gettext("The folder %(name)s exists already. Choose another name.") % {"name": name}
        )
    problems = plan_of(draft).problems
    if problems:
        raise UsageError(problems[0])
    choices, parts = draft.choices, paths_of(draft)
    campaign = choices.campaign(target, label_file=_label_file(parts["qrels"]))
    documents = parts["documents"][0]

    def finish(part: Path) -> None:
        if choices.kind == "graded":
            lay_out(part, choices, sorted((part / "runs").glob("*")), documents)

    init_campaign(
        target,
        runs=parts["runs"],
        qrels=parts["qrels"],
        topics=parts["topics"][0],
        documents=documents,
        settings=campaign_toml(campaign),
        finish=finish,
    )
    return target


def _label_file(files: list[Path]) -> str:
    """Return the name of the first label file in the campaign; empty if there is none."""
    graded = [path for path in files if labels_form(path) == "qrels"]
    return f"qrels/{graded[0].name}" if graded else ""
