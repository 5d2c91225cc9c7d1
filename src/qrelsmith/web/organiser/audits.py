"""Audits of the current campaign: computed by a separate process, shown within the app."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from qrelsmith.base.errors import InputError
from qrelsmith.collection.qrels import stem
from qrelsmith.judgments.label_sets import NO_GROUP
from qrelsmith.judgments.references import ADJUDICATED
from qrelsmith.web.exporting.evidence import has_verdicts
from qrelsmith.web.exporting.files import qrels_names
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.jobs.programs import run_command
from qrelsmith.web.jobs.runner import JobWork, background
from qrelsmith.web.maintenance.backup import back_up
from qrelsmith.web.models import AnswerAssignment, Assignment
from qrelsmith.web.organiser.exports import making, publish
from qrelsmith.web.project import current_instance

PAGE = "audit.html"
AUDIT, BACKUP = "audit", "backup"


@dataclass(frozen=True, slots=True)
class WantedAudit:
    """The options of an audit, with the meaning and defaults of the command's options.

    Attributes
    ----------
    reference : str
        The label set with which all other label sets are compared; empty for the default.
    measures : tuple of str
        The measures that rank the systems; empty for those of the campaign.
    order : str
        The order of the docs in a run.
    is_calibrated : bool
        Whether to show the smallest data problem that each verdict detects.
    """

    reference: str = ""
    measures: tuple[str, ...] = ()
    order: str = "trec"
    is_calibrated: bool = False

    def options(self) -> dict[str, Any]:
        """Return the options as they are stored with a job."""
        return asdict(self)

    def words(self) -> list[str]:
        """Return the options as arguments of the command."""
        words = [word for name in self.measures for word in ("-m", name)]
        words += ["--reference", self.reference] if self.reference else []
        words += ["--calibrate"] if self.is_calibrated else []
        return [*words, "--order", self.order]


def label_set_names() -> tuple[str, ...]:
    """Return the label sets that an audit of the current campaign can use as the reference."""
    names = {stem(name) for name in qrels_names(current_instance().campaign).values()}
    assigned = (Assignment.objects.filter(round=1), AnswerAssignment.objects.all())
    for begun in (each.filter(judged__gt=0) for each in assigned):
        groups = begun.order_by().values_list("assessor__group", flat=True).distinct()
        names |= {group or NO_GROUP for group in groups}
    return (*sorted(names), *([ADJUDICATED] if has_verdicts() else []))


@background(AUDIT)
def _audit(work: JobWork) -> str:
    """Export the campaign, audit the export in a separate process, and publish the report."""
    with making(work, AUDIT) as (part, target):
        content, report = part / "campaign", part / "report"
        export(current_instance().campaign, content, WantedExport(), step=work.step)
        # Only one process, so that the app stays responsive.
        given = {name: value for name, value in work.options.items() if name != "name"}
        words = WantedAudit(**given).words()
        command = ["audit", str(content), "-o", str(report), "--jobs", "1", "--quiet", *words]
        run_command(command, work)
        if not (report / PAGE).is_file():
            raise InputError("the audit did not write a report", path=report)
        publish(work, report, target)
    return target.name


@background(BACKUP)
def _back_up(work: JobWork) -> str:
    """Write a backup to the folder of backups."""
    work.step()
    return back_up().name
