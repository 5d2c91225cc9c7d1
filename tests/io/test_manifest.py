"""Manifests: stable bytes, and every possible error of a file."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.faults import assert_refused

import qrelsmith
from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.io.checkout import checkout_commit
from qrelsmith.io.manifest import (
    InputFile,
    Manifest,
    manifest_for,
    manifest_text,
    read_manifest,
    write_manifest,
)

ABC = hashlib.sha256(b"abc").hexdigest()
COMMIT = "0123456789abcdef0123456789abcdef01234567"
TEXT = """\
{
  "format": 1,
  "version": "0.1.0",
  "commit": null,
  "command": [
    "qrelsmith",
    "agree",
    "ü.csv"
  ],
  "parameters": {
    "alpha": 0.05,
    "weights": [
      1,
      null,
      true
    ]
  },
  "seed": 0,
  "inputs": [
    {
      "path": "ü.csv",
      "sha256": "%s",
      "size": 3
    }
  ]
}
""" % hashlib.sha256(b"abc").hexdigest()  # noqa: UP031 - JSON is full of braces


def small() -> Manifest:
    return Manifest(
        version="0.1.0",
        commit=None,
        command=("qrelsmith", "agree", "ü.csv"),
        parameters={"weights": [1, None, True], "alpha": 0.05},
        seed=0,
        inputs=(InputFile("ü.csv", ABC, 3),),
    )


def refused(path: Path, line: int | None, words: str) -> None:
    assert_refused(lambda: read_manifest(path), path, line, words)


def test_a_manifest_is_written_and_read(tmp_path: Path) -> None:
    assert manifest_text(small()) == TEXT
    write_manifest(small(), tmp_path / "m.json")
    assert (tmp_path / "m.json").read_text(encoding="utf-8") == TEXT
    assert read_manifest(tmp_path / "m.json") == small()


def test_a_manifest_contains_the_inputs_of_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "b").write_bytes(b"abc")
    (tmp_path / "a").write_bytes(b"")
    manifest = manifest_for(
        ["qrelsmith", "pool"],
        parameters={"w": float("inf"), "out": Path("x/y"), "nested": {"b": (1,), "a": None}},
        seed=7,
        inputs=[Path("in/b"), tmp_path / "a", "./in/b"],
    )
    assert manifest == Manifest(
        version=qrelsmith.__version__,
        commit=checkout_commit(),
        command=("qrelsmith", "pool"),
        parameters={"w": "inf", "out": "x/y", "nested": {"a": None, "b": [1]}},
        seed=7,
        inputs=(InputFile("a", hashlib.sha256(b"").hexdigest(), 0), InputFile("in/b", ABC, 3)),
    )
    assert "created" not in manifest_text(manifest)
    again = manifest_for(["qrelsmith"], created="2024-05-01T12:00:00Z")
    assert manifest_text(again).endswith('  "created": "2024-05-01T12:00:00Z"\n}\n')


def test_the_same_work_in_another_folder_gives_the_same_bytes(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "run").write_bytes(b"abc")
        manifest = manifest_for(["q"], inputs=[folder / "run"], folder=folder)
        texts.append(manifest_text(manifest))
    assert texts[0] == texts[1]
    outside = manifest_for(["q"], inputs=[tmp_path / "one" / "run"], folder=tmp_path / "two")
    assert outside.inputs[0].path == (tmp_path / "one" / "run").as_posix()


def test_inputs_and_parameters_are_checked(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a folder; expected a file"):
        manifest_for(["q"], inputs=[tmp_path])
    with pytest.raises(InputError, match="cannot be read: No such file"):
        manifest_for(["q"], inputs=[tmp_path / "none"])
    with pytest.raises(UsageError, match=r"the parameter f is .*, a ndarray; expected text, a num"):
        manifest_for(["q"], parameters={"f": np.zeros(2)})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_named_but_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    manifest = manifest_for(["q"], inputs=[tmp_path / "pipe"], folder=tmp_path)
    assert manifest.inputs == (InputFile("pipe", None, None),)
    write_manifest(manifest, tmp_path / "m")
    assert read_manifest(tmp_path / "m") == manifest


def changed(**fields: Any) -> str:
    return json.dumps(json.loads(TEXT) | fields)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("", 1, "invalid JSON: Expecting value"),
        ('{\n"format": 1,\n', 3, "invalid JSON"),
        ("[1]", None, "this is not a manifest; expected an object with format = 1"),
        ('{"format": true}', None, "not a manifest"),
        ('{"format": 2, "new": 1}', None, "found format 2; expected 1"),
        ('{"format": 1}', None, "missing key version; expected format, version, commit, command"),
        (changed(extra=1), None, "unknown key 'extra'"),
        (changed(version=1), None, "version is '1'; expected text"),
        (changed(commit="abc"), None, "commit is 'abc'; expected a commit or null"),
        (changed(command="qrelsmith"), None, "command is 'qrelsmith'; expected a list of strings"),
        (changed(parameters=[]), None, "parameters is '[]'; expected an object"),
        (changed(seed=0.5), None, "seed is '0.5'; expected a whole number or null"),
        (changed(inputs=[{"path": "a"}]), None, "expected a list of path, sha256 and size"),
        (
            changed(inputs=[{"path": "a", "sha256": "x", "size": 1}]),
            None,
            "expected a list of path, sha256 and size",
        ),
        (
            changed(inputs=[{"path": "a", "sha256": ABC, "size": None}]),
            None,
            "expected a list of path, sha256 and size",
        ),
        (changed(created=None), None, "created is 'None'; expected text"),
        (changed(seed=0).replace('"seed": 0', '"seed": NaN'), None, "has an invalid number"),
        ('{"format": ' + "[" * 100_000, None, "nested too deep"),
        ('{"format": ' + "9" * 10_000 + "}", None, "has an invalid number"),
        (b"\xff{}", 1, "the line is not UTF-8"),
        (gzip.compress(TEXT.encode(), mtime=0)[:60], None, "cannot be read or decompressed"),
    ],
)
def test_errors_are_reported(
    tmp_path: Path, content: str | bytes, line: int | None, words: str
) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    refused(path, line, words)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "src" / "qrelsmith").mkdir(parents=True)
    (tmp_path / "pyproject.toml").touch()
    return tmp_path / "src" / "qrelsmith"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_the_commit_is_read_from_the_checkout(package: Path) -> None:
    git = package.parents[1] / ".git"
    assert checkout_commit(package) is None
    write(git / "HEAD", f"{COMMIT}\n")
    assert checkout_commit(package) == COMMIT
    write(git / "HEAD", "ref: refs/heads/main\n")
    assert checkout_commit(package) is None
    write(git / "packed-refs", f"# pack-refs\n{'f' * 40} refs/heads/x\n{COMMIT} refs/heads/main\n")
    assert checkout_commit(package) == COMMIT
    write(git / "refs/heads/main", "a" * 40 + "\n")
    assert checkout_commit(package) == "a" * 40
    write(git / "refs/heads/main", "no commit\n")
    assert checkout_commit(package) is None


def test_the_commit_of_a_second_working_tree_is_found(package: Path, tmp_path: Path) -> None:
    write(tmp_path / ".git", "gitdir: store/worktrees/w\n")
    write(tmp_path / "store/worktrees/w/HEAD", "ref: refs/heads/w\n")
    write(tmp_path / "store/worktrees/w/commondir", "../..\n")
    write(tmp_path / "store/refs/heads/w", COMMIT)
    assert checkout_commit(package) == COMMIT


def test_an_installed_package_has_no_commit(tmp_path: Path) -> None:
    write(tmp_path / ".git" / "HEAD", COMMIT)
    write(tmp_path / "pyproject.toml", "")
    assert checkout_commit(tmp_path / "lib" / "site-packages" / "qrelsmith") is None


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(
    st.lists(st.text()),
    st.dictionaries(st.text(max_size=5), JSON, max_size=4),
    st.none() | st.integers(),
)
@examples(100)
def test_all_manifests_survive_writing(
    tmp_path_factory: pytest.TempPathFactory,
    command: list[str],
    parameters: dict[str, Any],
    seed: int | None,
) -> None:
    path = tmp_path_factory.mktemp("m") / "m.json"
    manifest = manifest_for(command, parameters=parameters, seed=seed)
    write_manifest(manifest, path)
    assert read_manifest(path) == manifest
    assert manifest_text(read_manifest(path)).encode() == path.read_bytes()
