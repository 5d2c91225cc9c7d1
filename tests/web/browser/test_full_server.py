"""An assessor whose server has a full disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.fixtures.small_disk import SmallDisk

pytestmark = [
    pytest.mark.slow,
    pytest.mark.full,
    pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small disk"),
]


def test_the_page_names_the_full_disk_and_sends_everything_later(
    small_disk: SmallDisk, give_tables: Callable[[Path], Path], judging: Any, conftest: Any
) -> None:
    folder = small_disk.folder / "campaign"
    conftest.write_site(folder, conftest.plain_docs(8), sizes=(8,), people=1)
    site = conftest.Site(give_tables(folder))
    try:
        at = judging(site).open()
        small_disk.fill()
        for _ in range(7):  # SQLite may have some pages left
            at.judge("1")
        said = at.state("lost")
        assert said.startswith("The server's disk is full: ")
        assert said.endswith(". Keep this page open")
        small_disk.free()
        at.page.set_default_timeout(100_000)  # the page waits longer after each failure
        at.saved()
        assert site.labels(at.assessor) == dict.fromkeys(range(1, 8), 1)
        assert site.verify() == ""
    finally:
        site.kill()
