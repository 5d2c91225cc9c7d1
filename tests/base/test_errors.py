from __future__ import annotations

import copy
import json
import pickle
import shlex
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.base.errors import (
    InputError,
    InputWarning,
    MissingDependencyError,
    QrelsmithError,
    ShapeError,
    UndefinedError,
    UnknownNameError,
    UsageError,
    quoted,
)
from qrelsmith.base.installation import install_command

ERRORS: list[QrelsmithError] = [
    InputError("the score is 'x'; expected a number", path=Path("a.run"), line=3),
    InputError("is empty"),
    UsageError("jobs=0; expected 1 or more"),
    UnknownNameError("measure", "nDGC", ["AP", "nDCG"]),
    ShapeError("two shapes"),
    UndefinedError("no answer"),
    MissingDependencyError("bm25s", extra="demo", purpose="the demo"),
]


def test_every_error_is_a_qrelsmith_error_and_the_matching_python_error() -> None:
    assert all(isinstance(error, QrelsmithError) for error in ERRORS)
    assert issubclass(UsageError, ValueError)
    assert issubclass(UnknownNameError, UsageError)
    assert issubclass(ShapeError, UsageError)
    assert issubclass(MissingDependencyError, ImportError)
    assert issubclass(InputWarning, UserWarning)
    assert not issubclass(InputError, UsageError)


def test_an_input_error_names_file_and_line() -> None:
    error = InputError("the score is 'x'", path=Path("runs") / "a.run", line=3)
    assert str(error) == f"{Path('runs') / 'a.run'}:3: the score is 'x'"
    assert (error.problem, error.path, error.line) == (
        "the score is 'x'",
        str(Path("runs") / "a.run"),
        3,
    )


def test_an_input_error_names_the_known_parts() -> None:
    assert str(InputError("no such file", path="a.run")) == "a.run: no such file"
    assert str(InputError("is empty")) == "is empty"


@pytest.mark.parametrize("path", ["a\nb", "a\r\nb", "a\x1b[2Jb", "a\u2028b", "a\udc80b"])
def test_an_unusual_file_name_leaves_the_error_in_one_printable_line(path: str) -> None:
    error = InputError("no such file", path=path)
    assert str(error).isprintable()
    assert str(error).endswith(": no such file")
    assert error.path == path


def test_file_names_in_any_script_are_shown_unchanged() -> None:
    assert str(InputError("is empty", path="実験 1/é.run")) == "実験 1/é.run: is empty"


def test_an_unknown_name_is_reported_with_the_nearest_name_and_all_choices() -> None:
    error = UnknownNameError("measure", "nDGC", ["AP", "nDCG"])
    assert str(error) == "unknown measure 'nDGC'; did you mean nDCG? (choices: AP, nDCG)"
    assert str(UnknownNameError("measure", "?", ["AP"])) == "unknown measure '?' (choices: AP)"


def test_a_missing_package_is_reported_with_the_extra_that_installs_it() -> None:
    error = MissingDependencyError("bm25s", extra="demo", purpose="the demo")
    assert str(error) == f"the demo needs the package bm25s: {install_command('demo')}"


@pytest.mark.parametrize(
    ("record", "source"),
    [
        (None, "qrelsmith[web]"),
        ({"url": "file:///a%20b/clone", "dir_info": {"editable": True}}, "/a b/clone[web]"),
        ({"url": "file:///w/qrelsmith-0.2.1-py3-none-any.whl", "archive_info": {}},
         "/w/qrelsmith-0.2.1-py3-none-any.whl[web]"),
        ({"url": "https://h/q.git", "vcs_info": {"vcs": "git", "commit_id": "ab12"}},
         "qrelsmith[web] @ git+https://h/q.git@ab12"),
        ({"url": "https://h/q.whl", "archive_info": {}}, "qrelsmith[web] @ https://h/q.whl"),
    ],
)  # fmt: skip
def test_the_install_command_of_an_extra_names_the_source_of_the_program(
    record: dict[str, object] | None, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "qrelsmith-9.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: qrelsmith\nVersion: 9\n")
    if record is not None:
        (folder / "direct_url.json").write_text(json.dumps(record))
    monkeypatch.syspath_prepend(tmp_path)
    assert shlex.split(install_command("web")) == ["pip", "install", source]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_from_another_process_are_unchanged(error: QrelsmithError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):  # noqa: S301
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


@settings(deadline=None)
@given(st.one_of(st.text(), st.binary()))
def test_a_quoted_value_is_one_printable_line(value: str | bytes) -> None:
    assert quoted(value).isprintable()


def test_a_long_value_is_shortened_in_quotes() -> None:
    assert quoted("x" * 80) == repr("x" * 80)
    assert quoted("x" * 81) == repr("x" * 79 + "…")
    assert quoted("x" * 10, limit=5) == "'xxxx…'"


def test_bytes_are_quoted_as_text() -> None:
    assert quoted("é".encode()) == "'é'"
    assert quoted(b"a\xff") == r"'a\\xff'"
