"""Model assessors: the assessors of a group with the role `llm`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.campaign.campaign import Campaign, read_campaign
from qrelsmith.web.core.names import check_assessor
from qrelsmith.web.models import Account, Assessor
from qrelsmith.web.project import current_instance

ROLE = "llm"


def model_groups() -> list[str]:
    """Return the groups of models in the current campaign.toml, sorted.

    The file is read again, because a model can be added while the app is running.
    """
    campaign = current_instance().campaign
    try:
        stamp = campaign.settings.stat().st_mtime_ns
        return list(_groups_in(campaign.settings.parent, stamp))
    except (OSError, InputError):  # the file is being written
        return list(_of_models(campaign))


def model_assessors() -> list[Assessor]:
    """Return the model assessors by name, except those with a person's account."""
    found = Assessor.objects.filter(group__in=model_groups(), account=None)
    return list(found.order_by("name"))


def is_model(assessor: Assessor) -> bool:
    """Return whether an assessor is a model."""
    is_person = Account.objects.filter(assessor=assessor).exists()
    return assessor.group in model_groups() and not is_person


def model_assessor(name: str) -> Assessor:
    """Return the model assessor with the given name.

    Raises
    ------
    UsageError
        If there is no model assessor with that name.
    """
    assessor = Assessor.objects.filter(name=name).first()
    if assessor is not None and is_model(assessor):
        return assessor
    names = ", ".join(each.name for each in model_assessors()[:20]) or "there is none yet"
    if assessor is None:
        problem = f"unknown assessor {quoted(name)}"
    elif assessor.group in model_groups():
        problem = f"{quoted(name)} is the pseudonym of a person"
    else:
        problem = (
            f"{quoted(name)} is in the group {quoted(assessor.group)}, which does not have the role"
            " 'llm'"
        )
    raise UsageError(f"{problem}; expected an assessor in a group with the role 'llm' ({names})")


def new_model_assessor(name: str, *, group: str) -> Assessor:
    """Return the model assessor with the given name, created if it does not exist.

    Parameters
    ----------
    name : str
        Its name.
    group : str
        The assessor's group; empty: the only group of models.

    Raises
    ------
    UsageError
        If the assessor is not a model, its name is invalid, or the group is not a group of models.
    """
    groups = model_groups()
    if group and group not in groups:
        listed = ", ".join(groups) or "there is none in campaign.toml"
        raise UsageError(
            f"the group is {quoted(group)}; expected a group with the role 'llm' ({listed})"
        )
    if Assessor.objects.filter(name=name).exists():
        found = model_assessor(name)
        if group and found.group != group:
            raise UsageError(f"{quoted(name)} is in the group {quoted(found.group)}")
        return found
    if not group and len(groups) != 1:
        listed = ", ".join(groups) or 'none; add [groups.llm] with role = "llm" to campaign.toml'
        raise UsageError(
            f"the assessor {quoted(name)} is new; specify its group (groups with the role 'llm':"
            f" {listed})"
        )
    check_assessor(name, group=group or groups[0])
    return Assessor.objects.create(name=name, group=group or groups[0])


@lru_cache(maxsize=8)
def _groups_in(folder: Path, _stamp: int) -> tuple[str, ...]:
    return _of_models(read_campaign(folder))


def _of_models(campaign: Campaign) -> tuple[str, ...]:
    return tuple(sorted(name for name, group in campaign.groups.items() if group.role == ROLE))
