"""Audits of the current campaign: computed by a separate process, shown within the app."""

from __future__ import annotations

from qrelsmith.base.errors import InputError
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.jobs.programs import run_command
from qrelsmith.web.jobs.runner import JobWork, background
from qrelsmith.web.maintenance.backup import back_up
from qrelsmith.web.organiser.exports import making, publish
from qrelsmith.web.project import current_instance

PAGE = "audit.html"
AUDIT, BACKUP = "audit", "backup"


@background(AUDIT)
def _audit(work: JobWork) -> str:
    """Export the campaign, audit the export in a separate process, and publish the report."""
    with making(work, AUDIT) as (part, target):
        content, report = part / "campaign", part / "report"
        export(current_instance().campaign, content, WantedExport(), step=work.step)
        # Only one process, so that the app stays responsive.
        command = ["audit", str(content), "-o", str(report), "--jobs", "1", "--quiet"]
        run_command(command, work, log=part / "log")
        if not (report / PAGE).is_file():
            raise InputError("the audit did not write a report", path=report)
        publish(work, report, target)
    return target.name


@background(BACKUP)
def _back_up(work: JobWork) -> str:
    """Write a backup to the folder of backups."""
    work.step()
    return back_up().name
