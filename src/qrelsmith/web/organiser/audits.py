"""Audits of the campaign as it is now: made by a program of its own, shown inside the app."""

from __future__ import annotations

from qrelsmith.base.errors import InputError
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.jobs.programs import run_command
from qrelsmith.web.jobs.runner import JobWork, background
from qrelsmith.web.maintenance.backup import back_up
from qrelsmith.web.organiser.exports import making
from qrelsmith.web.project import current_instance

PAGE = "audit.html"
AUDIT, BACKUP = "audit", "backup"


@background(AUDIT)
def _audit(work: JobWork) -> str:
    """Export the campaign, audit the export by a process of its own, and let the report appear."""
    with making(work, AUDIT) as (part, target):
        content, report = part / "campaign", part / "report"
        export(current_instance().campaign, content, WantedExport(), step=work.step)
        # One process, so that the app stays quick.
        command = ["audit", str(content), "-o", str(report), "--jobs", "1", "--quiet"]
        run_command(command, work, log=part / "log")
        if not (report / PAGE).is_file():
            raise InputError("the audit wrote no page", path=report)
        report.replace(target)
    return target.name


@background(BACKUP)
def _back_up(work: JobWork) -> str:
    """Write a backup beside the others."""
    work.step()
    return back_up().name
