"""Two servers of one campaign on PostgreSQL work on one queue, and are killed meanwhile."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from tests.web.fixtures.apps import App
from tests.web.fixtures.servers import Login, Server, open_session
from tests.web.jobs.test_jobs import until

from qrelsmith.web.instance import find_instance
from qrelsmith.web.jobs.queue import ask
from qrelsmith.web.models import Job
from qrelsmith.web.organiser.exports import export_path
from qrelsmith.web.project import use

pytestmark = [pytest.mark.slow, pytest.mark.full]
JOBS = 12


class Site:
    """A judged campaign, its servers, and an organiser who is logged in at both servers."""

    def __init__(self, folder: Path, login: Login, start: Callable[[], Server]) -> None:
        self.folder = folder
        self.login = login
        self.start = start
        self.servers = [start(), start()]

    def click(self, server: Server, path: str) -> None:
        """Send the form of a button, as the organiser."""
        connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=60)
        headers = {"Cookie": self.login.cookie, "X-CSRFToken": self.login.csrf}
        connection.request("POST", path, b"", headers)
        assert connection.getresponse().status == 302
        connection.close()

    def audit_begun(self) -> tuple[Job, Server]:
        """Start an audit; return the job and its server once the audit's program runs."""
        self.click(self.servers[0], "/organiser/audits/make")
        at_work: list[Server] = []

        def is_at_work() -> bool:
            at_work[:] = [each for each in self.servers if programs_of(each.process.pid)]
            return bool(at_work)

        until(is_at_work, "the program runs")
        (server,) = at_work
        return Job.objects.get(kind="audit"), server

    def audit_is_whole(self, job: Job) -> bool:
        """Return whether the audit is ready, and no partial files are left."""
        job.refresh_from_db()
        if job.state != "done":
            return False
        there = [path.name for path in (self.folder / ".qrelsmith" / "audits").iterdir()]
        return there == [job.result] and export_path(job.result, "audit") is not None


def programs_of(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in lists for child in path.read_text().split()]


def is_running(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


@pytest.fixture
def site(
    tmp_path: Path,
    fresh_database: str,
    make_campaign: Callable[..., Path],
    open_app: Callable[..., Any],
    at_work: Any,
    start_server: Callable[..., Server],
) -> Site:
    folder = make_campaign(tmp_path / "campaign", topics=2, docs=6)
    with open_app(folder) as app:
        for name in ("b1", "b2"):
            judge = at_work(app, name)
            for position in range(1, 7):
                judge.judge(position, position % 3)
        login = open_session(App(folder).account("olga", role="organiser"))
    use(find_instance(folder))
    return Site(folder, login, lambda: start_server(folder, database_url=fresh_database))


def test_each_of_many_jobs_is_done_once(site: Site) -> None:
    names = [f"20260101T0000{number:02}Z-abcd.zip" for number in range(JOBS)]
    asked = [ask("export", {"name": name}) for name in names]
    until(lambda: Job.objects.filter(state="done").count() == JOBS, "all are done", 300)
    assert [
        (job.result, job.attempts) for job in Job.objects.filter(kind="export").order_by("pk")
    ] == [(job.options["name"], 1) for job in asked]
    made = sorted(path.name for path in (site.folder / ".qrelsmith" / "exports").iterdir())
    assert made == names


def test_an_audit_of_a_killed_server_is_resumed_once_by_the_other_server(site: Site) -> None:
    job, server = site.audit_begun()
    (program,) = programs_of(server.process.pid)
    server.kill()
    until(lambda: site.audit_is_whole(job), "the other server has made the audit", 180)
    assert job.attempts == 2
    assert not is_running(program)


def test_an_audit_of_the_only_server_is_resumed_after_its_restart(site: Site) -> None:
    site.servers.pop().close()
    job, server = site.audit_begun()
    server.kill()
    site.servers = [site.start()]
    until(lambda: site.audit_is_whole(job), "the server has resumed the audit", 180)
    assert job.attempts == 2


def test_a_click_at_the_other_server_cancels_an_audit(site: Site) -> None:
    job, server = site.audit_begun()
    (program,) = programs_of(server.process.pid)
    (other,) = (each for each in site.servers if each is not server)
    site.click(other, f"/organiser/jobs/{job.pk}/cancel")
    until(lambda: Job.objects.get().state == "cancelled", "the job is cancelled")
    until(lambda: not is_running(program), "its program has ended")
    assert list((site.folder / ".qrelsmith" / "audits").iterdir()) == []
    connections.close_all()
