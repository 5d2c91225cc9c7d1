"""Model runs over the campaign as jobs: the options allowed in a browser, and the command."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from qrelsmith.models.lexical import ENDPOINT
from qrelsmith.web.jobs.programs import run_command
from qrelsmith.web.jobs.queue import ask
from qrelsmith.web.jobs.runner import JobWork, background, work_now
from qrelsmith.web.models import Job
from qrelsmith.web.organiser.model_keys import key_of
from qrelsmith.web.project import current_instance

ENDPOINTS = "QRELSMITH_ENDPOINTS"
"""The environment variable with the endpoints allowed in a browser, separated by blanks"""
RUN = "model-run"
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class ModelRun:
    """A requested run.

    Attributes
    ----------
    endpoint, model : str
        The endpoint, and its name of the model.
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
    # By a pipe: lists of processes show arguments and environments.
    command += [] if key is None else ["--key-file", "-"]
    with TemporaryDirectory() as folder:
        labels = Path(folder, "labels.csv")
        run_command([*command, "-o", str(labels)], work, log=Path(folder, "log"), given=key or "")
        lines = labels.read_text(encoding="utf-8").count("\n")
    return str(max(lines - 1, 0))
