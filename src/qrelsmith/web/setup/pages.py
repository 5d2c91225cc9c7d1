"""The pages of a new campaign; all of them work without JavaScript."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from qrelsmith.base.errors import QrelsmithError, UsageError
from qrelsmith.campaign.campaign import Level
from qrelsmith.campaign.label_sources import ROLES
from qrelsmith.collection.pools.policies import policies
from qrelsmith.web.accounts.access import ORGANISERS, account_of, page
from qrelsmith.web.hub.admission import INVITES
from qrelsmith.web.hub.forwarding import ask
from qrelsmith.web.hub.models import HubCampaign
from qrelsmith.web.hub.processes import NotReadyError
from qrelsmith.web.hub.registry import register
from qrelsmith.web.models import Account, Role
from qrelsmith.web.project import current_instance
from qrelsmith.web.setup.choices import ChosenGroup, DraftChoices
from qrelsmith.web.setup.drafts import (
    Draft,
    NoDraftError,
    StaleDraftError,
    all_drafts,
    create_draft,
    open_draft,
    read_draft,
)
from qrelsmith.web.setup.inviting import can_mail, default_mail, invite_people, people_of
from qrelsmith.web.setup.planned import plan_of
from qrelsmith.web.setup.starting import folder_name, start_campaign
from qrelsmith.web.setup.steps import (
    FIELD_NAMES,
    GROUP_COLUMNS,
    LEVEL_COLUMNS,
    MOST_GROUPS,
    MOST_LEVELS,
    STEPS,
    DraftStep,
    rows,
)
from qrelsmith.web.setup.uploads import FullError, keep_upload, limits, remove_upload, uploads
from qrelsmith.web.site.parameters import form_text, form_whole

_STEPS = {step.name: step for step in STEPS}
_BOTH = ("GET", "POST")
# How often invites of a new campaign are requested; each request waits until its process starts.
_PATIENCE = 4


@page(ORGANISERS, methods=_BOTH)
def new_campaign(request: HttpRequest) -> HttpResponse:
    """Show the user's drafts, or create a new draft."""
    account = account_of(request)
    problem, title = "", ""
    if request.method == "POST":
        title = form_text(request, "title", longest=200).strip()
        problem = "" if title else gettext("The campaign has no name.")
        if title:
            try:
                draft = create_draft(_root(), _first_choices(title), by=account.login)
                return redirect("new-step", draft.id, "files")
            except QrelsmithError as error:
                problem = str(error)
    mine = [
        each
        for each in all_drafts(_root())
        if account.login in each.people or account.role == Role.ADMIN
    ]
    context = {"drafts": mine, "problem": problem, "title": title}
    return render(request, "setup/new.html", context, status=400 if problem else 200)


@page(ORGANISERS, methods=("POST",))
def delete_draft(request: HttpRequest, name: str) -> HttpResponse:
    """Delete a draft with its files."""
    _draft(name).delete()
    return redirect("new-campaign")


@page(ORGANISERS, methods=_BOTH)
def step(request: HttpRequest, name: str, step_name: str) -> HttpResponse:
    """Show a page of a draft, or save its form."""
    draft, here = _draft(name), _STEPS.get(step_name)
    if here is None:
        raise Http404
    if here.name == "files":
        return _files(request, draft)
    if here.name == "review":
        return _review(request, draft)
    if request.method != "POST":
        return _show(request, draft, here, here.fields(draft.choices))
    form = {key: str(value) for key, value in request.POST.items()}
    try:
        saved = save_step(draft, here, form, form_whole(request, "version"), account_of(request))
    except StaleDraftError as error:
        return _show(request, error.current, here, form, _stale(error), status=409)
    except UsageError as error:
        return _show(request, draft, here, form, str(error), status=400)
    except QrelsmithError as error:
        text = gettext("Nothing was saved: %(reason)s. Try again.") % {"reason": error}
        return _show(request, draft, here, form, text, status=507)
    following = here if "stay" in form else STEPS[STEPS.index(here) + 1]
    return redirect("new-step", saved.id, following.name)


def save_step(
    draft: Draft, here: DraftStep, form: Mapping[str, str], version: int, account: Account
) -> Draft:
    """Save a form that is based on the given version; changes to other pages are kept.

    Raises
    ------
    StaleDraftError
        If another organiser has changed choices of this page since.
    UsageError
        If a field is invalid.
    InputError
        If the disk is full.
    """
    if version != draft.version:
        try:
            seen = read_draft(draft.folder, version)
        except NoDraftError:
            raise UsageError(
                gettext("This page belongs to another draft. Open your draft again.")
            ) from None
        changed = [each for each in draft.choices.differences(seen.choices) if each in here.owns]
        if changed:
            raise StaleDraftError(draft, changed)
    return draft.save(here.read(form, draft.choices), by=account.login)


@page(ORGANISERS)
def preview_docs(request: HttpRequest, name: str) -> HttpResponse:
    """Return docs, hours and cost for a form that is not saved yet."""
    draft = _draft(name)
    form = {key: str(value) for key, value in request.GET.items()}
    try:
        plan = plan_of(draft, _STEPS["docs"].read(form, draft.choices))
    except UsageError as error:
        return render(request, "setup/plan.html", {"problem": str(error)})
    return render(request, "setup/plan.html", {"plan": plan})


@page(ORGANISERS, methods=("POST",))
def preview_instructions(request: HttpRequest) -> HttpResponse:
    """Return instructions as assessors see them."""
    text = form_text(request, "instructions", longest=100_000)
    return render(request, "setup/shown_instructions.html", {"text": text})


def _files(request: HttpRequest, draft: Draft) -> HttpResponse:
    problems = []
    if request.method == "POST":
        if "remove" in request.POST:
            remove_upload(draft, form_text(request, "remove", longest=300))
        sent = request.FILES.getlist("files")
        for file in sent:
            try:
                keep_upload(draft, file.name or "", file.chunks(), limits())
            except FullError as error:
                problems.append(str(error))
        if not sent and "remove" not in request.POST:
            problems.append(gettext("No file was chosen."))
        if not problems:
            return redirect("new-step", draft.id, "files")
    kept = uploads(draft)
    context = {"files": kept, "problems": problems, "limits": limits()}
    context["is_usable"] = any(each.part for each in kept)
    return _page(request, draft, _STEPS["files"], context, status=400 if problems else 200)


def _review(request: HttpRequest, draft: Draft) -> HttpResponse:
    folder, problem = folder_name(_root(), draft.choices.title), ""
    status = 200
    if request.method == "POST":
        folder = form_text(request, "folder", longest=60).strip()
        try:
            if form_whole(request, "version") != draft.version:
                seen = read_draft(draft.folder, form_whole(request, "version"))
                raise StaleDraftError(draft, draft.choices.differences(seen.choices))
            made = start_campaign(draft, _root(), folder)
        except StaleDraftError as error:
            problem, status = _stale(error), 409
        except UsageError as error:
            problem, status = str(error), 400
        except (QrelsmithError, OSError) as error:
            problem = gettext("The campaign was not started: %(reason)s. Try again.")
            problem, status = problem % {"reason": error}, 507
        else:
            return _show_links(request, draft, made)
    context = {
        "plan": plan_of(draft), "folder": folder, "problem": problem,
        "files": [each for each in uploads(draft) if each.part],
        "unused": [each for each in uploads(draft) if not each.part], "can_mail": can_mail(),
    }  # fmt: skip
    return _page(request, draft, _STEPS["review"], context, status=status)


def _show_links(request: HttpRequest, draft: Draft, folder: Path) -> HttpResponse:
    """Show the links of a campaign that has just started; they are shown only once."""
    campaign = register(folder, account_of(request))
    place = request.build_absolute_uri(f"/c/{folder.name}/invite")
    people = people_of(draft.choices)
    links: dict[str, str] = {}
    if people:
        names = "\n".join(f"{person.name},{person.group}" for person in people)
        with suppress(OSError, HTTPException):
            links = _patient_ask(campaign, {"names": names})
    invited = invite_people(
        draft.choices, {name: f"{place}#{token}" for name, token in links.items()}
    )
    draft.delete()
    context = {
        "title": draft.choices.title, "address": f"/c/{folder.name}/",
        "links": [each for each in invited if each.link],
        "mailed": [each for each in invited if not each.link],
        "unsent": [each for each in invited if each.problem],
        "is_uninvited": bool(people) and not links,
    }  # fmt: skip
    return render(request, "setup/started.html", context)


def _patient_ask(campaign: HubCampaign, names: dict[str, str]) -> dict[str, str]:
    """Return the links of new invites of a campaign, or none if it does not start in time."""
    for _ in range(_PATIENCE):
        with suppress(NotReadyError):
            return ask(campaign, INVITES, names) or {}
    return {}


def _show(
    request: HttpRequest,
    draft: Draft,
    here: DraftStep,
    form: Mapping[str, str],
    problem: str = "",
    *,
    status: int = 200,
) -> HttpResponse:
    """Return the page of a form, with the submitted values."""
    context: dict[str, Any] = {"form": form, "problem": problem}
    if here.name == "asked":
        context["levels"] = rows(form, "level", LEVEL_COLUMNS, most=MOST_LEVELS)
        context["groups"] = rows(form, "group", GROUP_COLUMNS, most=MOST_GROUPS)
        context["roles"] = ("", *ROLES)
    elif here.name == "docs":
        context["orderings"] = ("", *policies())
        context["overlaps"] = [
            (each, form.get(f"per_doc-{each.name}", "1"))
            for each in draft.choices.groups
            if each.role != "gold"
        ]
        context["plan"] = plan_of(draft)
    elif here.name == "people":
        context["people"] = [
            (group.name, who, form.get(f"email-{who}", ""))
            for group in draft.choices.groups
            for who in group.people
        ]
        context |= {"can_mail": can_mail(), "default_mail": default_mail()}
    return _page(request, draft, here, context, status=status)


def _page(
    request: HttpRequest, draft: Draft, here: DraftStep, context: dict[str, Any], *, status: int
) -> HttpResponse:
    place = STEPS.index(here)
    context |= {
        "draft": draft, "choices": draft.choices, "steps": STEPS, "here": here,
        "following": STEPS[place + 1] if place + 1 < len(STEPS) else None,
    }  # fmt: skip
    return render(request, f"setup/{here.name}.html", context, status=status)


def _stale(error: StaleDraftError) -> str:
    what = ", ".join(str(FIELD_NAMES[each]) for each in error.fields)
    return gettext(
        "%(who)s has changed this draft since you opened the page (%(what)s). Your changes were"
        " not saved. Compare your version with the saved version, then save again."
    ) % {"who": error.current.by, "what": what}


def _draft(name: str) -> Draft:
    try:
        return open_draft(_root(), name)
    except NoDraftError:
        raise Http404 from None


def _first_choices(title: str) -> DraftChoices:
    return DraftChoices(
        title=title,
        levels=(
            Level(
                0, gettext("Not relevant"), gettext("Contains nothing that helps with the topic.")
            ),
            Level(1, gettext("Partly relevant"), gettext("Answers part of the topic.")),
            Level(2, gettext("Relevant"), gettext("Answers the topic.")),
        ),
        groups=(ChosenGroup(gettext("assessors")),),
    )


def _root() -> Path:
    return current_instance().campaign.folder
