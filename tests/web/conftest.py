"""Common setup of the app's tests: the fixtures of `fixtures/`, and a clean database per test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from tests.web.fixtures.answer_campaigns import make_answers
from tests.web.fixtures.apps import (
    app,
    blank,
    blank_database,
    blank_folder,
    copied_app,
    give_tables,
    let_go,
    lite_app,
    open_app,
    ready_database,
    ready_folder,
)
from tests.web.fixtures.assessors import at_work, comparing, contests_of
from tests.web.fixtures.campaigns import make_campaign
from tests.web.fixtures.databases import (
    database,
    database_url,
    fresh_database,
    make_database,
    own_postgres,
    postgres,
)
from tests.web.fixtures.exports import comes_back
from tests.web.fixtures.model_assessors import lite_model, make_model, model
from tests.web.fixtures.races import race, tries
from tests.web.fixtures.servers import browser, log_in, start_server
from tests.web.fixtures.small_disk import small_disk

pytest.importorskip("django", reason="needs the extra web")

import django
from django.conf import settings
from django.contrib.auth.hashers import ScryptPasswordHasher

from qrelsmith.web import settings as of_the_app
from qrelsmith.web.instance import Instance

# Tests import the app's parts at module level; `use` configures the campaign and the database.
if not settings.configured:
    ours = {name: value for name, value in vars(of_the_app).items() if name.isupper()}
    settings.configure(**ours, QRELSMITH_INSTANCE=None)
    django.setup()
# The durability of SQLite is not tested here: commits of tests do not wait for the disk. Servers
# that tests start as processes have the app's own settings.
real_database_settings = of_the_app.database_settings


def _without_waits(instance: Instance) -> dict[str, Any]:
    values = real_database_settings(instance)
    options = values["OPTIONS"]
    if "init_command" in options:
        options["init_command"] = options["init_command"].replace("=FULL", "=OFF")
    return values


of_the_app.database_settings = _without_waits
# The strength of passwords is not tested here.
ScryptPasswordHasher.work_factor = 2


@pytest.fixture(autouse=True)
def without_database_url() -> Iterator[None]:
    """Give tests without a database SQLite, and leave nothing for the next test.

    The fixture does not use `monkeypatch`, which is undone earlier: a database set by another
    fixture could then come back.
    """
    before = os.environ.pop("DATABASE_URL", None)
    yield
    os.environ.pop("DATABASE_URL", None)
    if before is not None:
        os.environ["DATABASE_URL"] = before
