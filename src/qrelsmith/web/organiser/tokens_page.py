"""The organiser's page of model assessors: their settings and tokens."""

from __future__ import annotations

import os
import re
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext

from qrelsmith.models.lexical import ENDPOINT
from qrelsmith.models.session import money_text
from qrelsmith.web.accounts.access import ORGANISERS, account_of, page
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.accounts.assessors import model_assessors
from qrelsmith.web.accounts.tokens import SCOPES, make_token, revoke
from qrelsmith.web.jobs.programs import run_command
from qrelsmith.web.jobs.queue import UNFINISHED, ask
from qrelsmith.web.jobs.runner import JobWork, background, work_now
from qrelsmith.web.model_assessors.spending import campaign_spent, missing_labels, spending
from qrelsmith.web.models import ApiToken, Job, ModelSetting
from qrelsmith.web.organiser.judge_drift import drift_pictures
from qrelsmith.web.organiser.model_keys import (
    delete_key,
    has_own_key,
    is_readable,
    keep_key,
    key_of,
    operators_key,
    undecryptable,
)
from qrelsmith.web.project import current_instance
from qrelsmith.web.site.parameters import ParameterError, choice, form_text, none_of

ENDPOINTS = "QRELSMITH_ENDPOINTS"
"""The environment variable with the endpoints allowed in a browser, separated by blanks"""
RUN = "model-run"
_SHOWN = 10
# Allowed validity of a token, in days.
DAYS = ("1", "7", "30", "90", "365")
_AMOUNTS = ("spend", "price_in", "price_out")
_AMOUNT = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?")
# Seconds between refreshes of a page that shows a run in progress.
_AGAIN_S = 5


@page(ORGANISERS, methods=("GET", "POST"))
def tokens(request: HttpRequest) -> HttpResponse:
    """Show tokens, settings and costs of models; a new token is shown once."""
    if request.method != "POST":
        is_live = "live" in request.GET
        context = _context()
        answer = render(request, "tokens.html", context | {"is_live": is_live})
        if is_live or context["is_running"]:
            answer["Refresh"] = str(_AGAIN_S)
        return answer
    name = form_text(request, "assessor", longest=200)
    assessor = next((each for each in model_assessors() if each.name == name), None)
    if assessor is None:
        raise ParameterError(gettext("Model not found."))
    scopes = [scope for scope in SCOPES if scope in request.POST.getlist("scope")]
    if not scopes:
        raise none_of("scope", SCOPES)
    days = int(choice(request.POST.get("days", "30"), "days", DAYS))
    token = make_token(
        assessor, scopes, created_by=account_of(request), valid_for=timedelta(days=days)
    )
    note_action(request, "token", assessor.name)
    return render(request, "tokens.html", _context() | {"token": token})


@page(ORGANISERS, methods=("POST",))
def revoking(request: HttpRequest, token_id: int) -> HttpResponse:
    """Revoke a token."""
    token = get_object_or_404(ApiToken.objects.select_related("assessor"), pk=token_id)
    if revoke([token]):
        note_action(request, "revoke token", f"{token.assessor.name} {token.pk}")
    return redirect("tokens")


@page(ORGANISERS, methods=("POST",))
def run_model(request: HttpRequest) -> HttpResponse:
    """Start a background job in which a model judges as a model assessor."""
    name = form_text(request, "assessor", longest=200)
    assessor = next((each for each in model_assessors() if each.name == name), None)
    if assessor is None:
        raise ParameterError(gettext("Model not found."))
    endpoint = choice(request.POST.get("endpoint"), "endpoint", endpoints())
    is_free = endpoint == endpoints()[0]
    model = "" if is_free else form_text(request, "model", longest=200).strip()
    amounts = [] if is_free else [form_text(request, amount).strip() for amount in _AMOUNTS]
    if not is_free and not (model and all(map(_AMOUNT.fullmatch, amounts))):
        raise ParameterError(gettext("A run needs a model, token prices and a cost limit."))
    start_run(ModelRun(endpoint, model, assessor.name, assessor.group, *amounts))
    note_action(request, "model-run", f"{assessor.name} {endpoint} {model}".strip())
    return redirect("tokens")


@page(ORGANISERS, methods=("POST",))
def change_key(request: HttpRequest) -> HttpResponse:
    """Store or delete the key of an endpoint; no page shows it again."""
    endpoint = choice(request.POST.get("endpoint"), "endpoint", endpoints()[1:])
    if "delete" in request.POST:
        delete_key(endpoint)
    else:
        keep_key(endpoint, form_text(request, "key", longest=4096).strip())
    note_action(request, "delete-key" if "delete" in request.POST else "key", endpoint)
    return redirect("tokens")


def _context() -> dict[str, object]:
    runs = model_runs()
    settings = ModelSetting.objects.select_related("assessor").annotate(labels=Count("events"))
    spent = campaign_spent()
    drifts, drift_problem = drift_pictures()
    return {
        "spent": spent,
        "money": money_text(spent.money) if spent else "",
        "spending": list(spending()),
        "runs": runs,
        "is_running": any(each.state in UNFINISHED for each in runs),
        "endpoints": endpoints(),
        "keys": [_key_row(each) for each in endpoints()[1:]],
        "drifts": drifts,
        "drift_problem": drift_problem,
        "missing": missing_labels(),
        "assessors": model_assessors(),
        "tokens": ApiToken.objects.select_related("assessor").order_by("-pk"),
        "settings": settings.order_by("assessor__name", "version"),
        "scopes": SCOPES,
        "days": DAYS,
        "now": timezone.now(),
    }


def _key_row(endpoint: str) -> tuple[str, bool, bool, str]:
    """Return an endpoint, whether an organiser or the operator gave a key, and any problem."""
    is_kept = has_own_key(endpoint)
    problem = undecryptable(endpoint) if is_kept and not is_readable(endpoint) else ""
    return endpoint, is_kept, operators_key(endpoint) is not None, problem


@dataclass(frozen=True, slots=True)
class ModelRun:
    """A requested run.

    Attributes
    ----------
    endpoint, model : str
        The endpoint, and the endpoint's name for the model.
    assessor, group : str
        The assessor and group of the judgments.
    spend, price_in, price_out : str
        Limit of the total cost of all runs for the campaign, and the prices of a million tokens
        sent and received; empty for a free endpoint.
    """

    endpoint: str
    model: str
    assessor: str
    group: str
    spend: str = ""
    price_in: str = ""
    price_out: str = ""


def endpoints() -> tuple[str, ...]:
    """Return the allowed endpoints, the baseline without a model first."""
    return (ENDPOINT, *os.environ.get(ENDPOINTS, "").split())


def start_run(run: ModelRun) -> Job:
    """Start a job in which a model judges its remaining docs."""
    job = ask(RUN, asdict(run))
    work_now()
    return job


def model_runs() -> list[Job]:
    """Return the newest requested runs."""
    return list(Job.objects.filter(kind=RUN).defer("result").order_by("-pk")[:_SHOWN])


@background(RUN)
def _run(work: JobWork) -> str:
    """Run the command `judge`; replies are kept, so that an interrupted run can resume."""
    run = ModelRun(**work.options)
    command = ["judge", str(current_instance().campaign.folder), "--endpoint", run.endpoint]
    options = {name: value for name, value in asdict(run).items() if value and name != "endpoint"}
    for name, value in options.items():
        command += [f"--{name.replace('_', '-')}", value]
    key = key_of(run.endpoint)
    # Passed by a pipe, because lists of processes show arguments and environments.
    command += [] if key is None else ["--key-file", "-"]
    with TemporaryDirectory() as folder:
        labels = Path(folder, "labels.csv")
        run_command([*command, "-o", str(labels)], work, given=key)
        lines = labels.read_text(encoding="utf-8").count("\n")
    return str(max(lines - 1, 0))
