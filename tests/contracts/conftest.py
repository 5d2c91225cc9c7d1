"""The demo collection, for contracts that hold on a campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.audit.campaign_audit import audit_campaign
from qrelsmith.base.content import Report


@pytest.fixture(scope="session")
def demo_campaign(small_demo: Path) -> Path:
    """Return the folder of a small demo collection, for reading only."""
    return small_demo


@pytest.fixture(scope="session")
def demo_audit(demo_campaign: Path) -> Report:
    """Return the audit of the demo collection."""
    return audit_campaign(demo_campaign)
