"""The page where an organiser archives or deletes a campaign."""

from __future__ import annotations

import shutil

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext

from qrelsmith.web.accounts.access import EVERYBODY, ORGANISERS, account_of, page
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.core.database import writing
from qrelsmith.web.hub.processes import PROCESSES
from qrelsmith.web.hub.registry import campaign_named, folder_of, role_in, title_of
from qrelsmith.web.hub.schemas import drop_schema
from qrelsmith.web.site.parameters import choice, form_text

_ACTIONS = ("archive", "reopen", "delete")


@page(EVERYBODY, methods=("GET", "POST"))
def manage(request: HttpRequest, name: str) -> HttpResponse:
    """Archive, reopen or delete a campaign; deletion requires typing its name."""
    campaign = campaign_named(name)
    member = role_in(campaign, account_of(request)) if campaign else None
    if campaign is None or member is None or member.role not in ORGANISERS:
        raise Http404
    context = {"campaign": campaign, "title": title_of(campaign)}
    if request.method != "POST":
        return render(request, "hub/campaign.html", context)
    action = choice(request.POST.get("action", ""), "action", _ACTIONS)
    if action == "delete" and form_text(request, "name").strip() != name:
        problem = gettext("To delete the campaign, type the name %(name)s.") % {"name": name}
        return render(request, "hub/campaign.html", context | {"problem": problem}, status=400)
    with writing():
        note_action(request, action, name)
        # Archived before the process ends, so that no request restarts the process.
        campaign.archived_at = None if action == "reopen" else timezone.now()
        campaign.save(update_fields=["archived_at"])
    if action != "reopen":
        PROCESSES.end(name)
    if action == "delete":
        folder = folder_of(campaign)
        drop_schema(folder)
        # An atomic step: after a crash, the rest is no longer a campaign.
        gone = folder.with_name(f".deleted-{name}")
        folder.replace(gone)
        campaign.delete()
        shutil.rmtree(gone)
    return redirect("home")
