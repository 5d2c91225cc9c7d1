"""Checks of the whole database, and rebuilding of labels from the events."""

from __future__ import annotations

from qrelsmith.web.core.campaign_chain import campaign_chain_check
from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.database import snapshot, writing
from qrelsmith.web.crowd.verification import crowd_checks
from qrelsmith.web.judging.chain import chain_check, hold_all
from qrelsmith.web.judging.verification import judgment_checks, rebuilt_labels
from qrelsmith.web.model_assessors.verification import reply_check, setting_faults
from qrelsmith.web.verification.late_events import late_check


def verified() -> list[Check]:
    """Check every event and every label in a consistent snapshot, without changing anything."""
    with snapshot():
        return [
            *judgment_checks(), _of_models(), reply_check(), *crowd_checks(),
            late_check(), chain_check(), campaign_chain_check(),
        ]  # fmt: skip


def rebuilt() -> int:
    """Rebuild current labels from the log; return the number corrected."""
    with writing():
        hold_all()
        return rebuilt_labels()


def _of_models() -> Check:
    """Check that model settings are unchanged, and belong to the judgments' assessors."""
    check = Check("model settings are unchanged")
    check.rows, faults = setting_faults()
    for fault in faults:
        check.fault(fault)
    return check
