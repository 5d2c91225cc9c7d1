"""Fixtures for every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of specification, papers, data and oracles that lies beside the repository."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("QRELSMITH_SHARED", beside))
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}: set QRELSMITH_SHARED to the shared material")
    return folder
