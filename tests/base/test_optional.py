from __future__ import annotations

import math

import pytest

from qrelsmith.base.errors import MissingDependencyError
from qrelsmith.base.optional import optional_package


def test_an_installed_package_is_imported() -> None:
    assert optional_package("math", purpose="a number") is math


def test_a_missing_package_is_reported_with_the_extra_that_installs_it() -> None:
    wanted = r"a picture needs the package no_such_package: pip install .*\[report\]"
    with pytest.raises(MissingDependencyError, match=wanted):
        optional_package("no_such_package", purpose="a picture", extra="report")
