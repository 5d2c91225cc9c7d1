"""The demo collection, for contracts that hold on a campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.audit.campaign_audit import audit_campaign
from qrelsmith.base.content import Report


@pytest.fixture(scope="session")
def demo_campaign(small_demo: Path) -> Path:
    """The folder of a small demo collection, to be read."""
    return small_demo


@pytest.fixture(scope="session")
def demo_audit(demo_campaign: Path) -> Report:
    """Its audit."""
    return audit_campaign(demo_campaign)
