"""The demo collection, for contracts that hold on a campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.audit.campaign_audit import audit_campaign
from qrelsmith.base.content import Report


@pytest.fixture(scope="session")
def demo_campaign(made_demo: Path) -> Path:
    """The folder of the demo collection, to be read."""
    return made_demo


@pytest.fixture(scope="session")
def demo_audit(demo_campaign: Path) -> Report:
    """Its audit."""
    return audit_campaign(demo_campaign)
