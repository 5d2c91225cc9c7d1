"""A model's run that the organiser starts in the browser."""

from __future__ import annotations

import time
from typing import Any

from qrelsmith.web.jobs.queue import UNFINISHED
from qrelsmith.web.models import Event, Job


def test_a_run_of_the_baseline_is_made_and_shown(lite_app: Any, lite_model: Any) -> None:
    client = lite_app.client("olga", role="organiser")
    given = {"assessor": "gpt-x", "endpoint": "builtin:lexical"}
    assert client.post("/organiser/tokens/run", given).status_code == 302
    jobs = Job.objects.filter(kind="model-run")
    deadline = time.monotonic() + 120
    while jobs.get().state in UNFINISHED:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    job = jobs.get()
    assert (job.state, job.problem) == (Job.State.DONE, "")
    assert Event.objects.filter(assessor__name="gpt-x").exists()
    assert "builtin:lexical" in client.get("/organiser/tokens").content.decode()
