"""The campaign's own files in an export."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from qrelsmith.campaign.campaign import Campaign, write_campaign_toml
from qrelsmith.campaign.server_settings import ServerSettings
from qrelsmith.collection.qrels import stem
from qrelsmith.web.models import Assessor


def write_files(campaign: Campaign, folder: Path, *, runs: bool) -> None:
    """Copy settings, pools, assignments and a sample; on request, also runs and qrels.

    Qrels with the name of a group that judges here get another name, because the audit identifies
    label sets by name.
    """
    names = qrels_names(campaign) if runs else {}
    renamed = {path.name: name for path, name in names.items()}
    sources = {renamed.get(file, file): source for file, source in campaign.qrels_of.items()}
    sets = {stem(path.name): stem(name) for path, name in names.items()}
    models = {sets.get(name, name): model for name, model in campaign.models.items()}
    settings = replace(campaign, qrels_of=sources, models=models, server=ServerSettings())
    write_campaign_toml(settings, folder / "campaign.toml")
    _copy({path: path.name for path in campaign.pools}, folder / "pools")
    if runs:
        _copy({path: path.name for path in campaign.runs}, folder / "runs")
        _copy(names, folder / "qrels")
    for path in (campaign.assignments, campaign.sample):
        if path is not None:
            shutil.copyfile(path, folder / path.name)


def qrels_names(campaign: Campaign) -> dict[Path, str]:
    """Return the name of each of the campaign's qrels files in an export with runs."""
    groups = set(Assessor.objects.values_list("group", flat=True))
    return {path: _free(path, groups) for path in campaign.qrels}


def _copy(names: dict[Path, str], target: Path) -> None:
    for path, name in names.items():
        target.mkdir(exist_ok=True)
        shutil.copyfile(path, target / name)


def _free(path: Path, taken: set[str]) -> str:
    """Return a file name with a stem that no other file has."""
    name = path.name
    while stem(name) in taken:
        name = f"given-{name}"
    return name
