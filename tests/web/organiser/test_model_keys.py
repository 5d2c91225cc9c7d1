"""Keys of endpoints entered by organisers: encrypted, sent to their endpoint, never shown."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.web.fixtures.exports import exported
from tests.web.organiser.conftest import Page
from tests.web.organiser.endpoints import PRICES, Endpoint, ended_run, run_model

from qrelsmith.web.maintenance.backup import back_up
from qrelsmith.web.models import Job
from qrelsmith.web.organiser.model_keys import encrypt_earlier_keys, key_of
from qrelsmith.web.serving.start import prepare

KEY = "sk-0123456789abcdefghij"
CHANGE, MODELS = "/organiser/tokens/key", "/organiser/tokens"


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the server's secret, which does not exist yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "qrelsmith" / "secret.key"


@pytest.fixture
def client(lite_app: Any, lite_model: Any, secret: Path) -> Any:
    return lite_app.client("olga", role="organiser")


def key_files(app: Any) -> list[Path]:
    return sorted((app.folder / ".qrelsmith" / "keys").iterdir())


def holders(folder: Path, key: str = KEY) -> list[Path]:
    """Return the files that contain the bytes of a key."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path for path in files if key.encode() in path.read_bytes()]


def test_a_key_is_sent_to_its_endpoint_and_readable_nowhere(
    lite_app: Any,
    client: Any,
    endpoint: Endpoint,
    secret: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG):
        answer = client.post(CHANGE, {"endpoint": endpoint.url, "key": KEY})
        assert answer.status_code == 302
        run_model(client, endpoint=endpoint.url, model="m", **PRICES)
    assert set(endpoint.keys) == {f"Bearer {KEY}"}
    assert KEY not in str([vars(record) for record in caplog.records])
    assert endpoint.processes
    assert not [text for text in endpoint.processes if KEY.encode() in text]
    for page in (MODELS, "/organiser/log", "/metrics"):
        answer = client.get(page, REMOTE_ADDR="127.0.0.1")
        assert answer.status_code == 200
        assert KEY not in answer.content.decode()
    for path in (secret, *key_files(lite_app)):
        assert path.stat().st_mode & 0o777 == 0o600
    back_up()
    exported(lite_app.folder, tmp_path / "export")
    assert holders(tmp_path) == []
    # The secret, without which no key is readable, is in none of these files.
    assert holders(tmp_path, secret.read_text().strip()) == [secret]


def test_a_text_that_is_not_a_key_keeps_the_earlier_key(client: Any, endpoint: Endpoint) -> None:
    client.post(CHANGE, {"endpoint": endpoint.url, "key": KEY})
    for wrong in ("", "two words"):
        answer = client.post(CHANGE, {"endpoint": endpoint.url, "key": wrong})
        assert answer.status_code == 400
        assert "The key is empty or contains spaces." in answer.content.decode()
    assert key_of(endpoint.url) == KEY


def test_a_deleted_key_leaves_no_file(lite_app: Any, client: Any, endpoint: Endpoint) -> None:
    client.post(CHANGE, {"endpoint": endpoint.url, "key": KEY})
    client.post(CHANGE, {"endpoint": endpoint.url, "delete": "1"})
    assert key_files(lite_app) == []
    assert key_of(endpoint.url) is None


@pytest.mark.parametrize("change", ["another secret", "moved server"])
def test_after_a_change_of_the_secret_a_key_must_be_entered_again(
    client: Any, endpoint: Endpoint, secret: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    client.post(CHANGE, {"endpoint": endpoint.url, "key": KEY})
    if change == "another secret":
        monkeypatch.setenv("QRELSMITH_SECRET", "x" * 32)
    else:
        secret.unlink()
    sentence = (
        f"The key of {endpoint.url} cannot be decrypted, because the server's secret has changed."
        " Enter the key again."
    )
    assert sentence in Page(client.get(MODELS)).text
    job = ended_run(client, endpoint=endpoint.url, model="m", **PRICES)
    assert (job.state, job.problem) == (Job.State.FAILED, sentence)
    assert endpoint.keys == []
    client.post(CHANGE, {"endpoint": endpoint.url, "key": KEY})
    assert Page(client.get(MODELS)).text.count(sentence) == 1  # of the failed run
    run_model(client, endpoint=endpoint.url, model="m", **PRICES)
    assert set(endpoint.keys) == {f"Bearer {KEY}"}


def test_a_key_file_renamed_to_another_endpoint_is_not_sent(
    lite_app: Any, client: Any, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = "https://api.example.org/v1"
    monkeypatch.setenv("QRELSMITH_ENDPOINTS", f"{endpoint.url} {other}")
    client.post(CHANGE, {"endpoint": other, "key": KEY})
    (file,) = key_files(lite_app)
    client.post(CHANGE, {"endpoint": endpoint.url, "key": "sk-of-the-endpoint"})
    (target,) = set(key_files(lite_app)) - {file}
    shutil.copy(file, target)
    assert ended_run(client, endpoint=endpoint.url, model="m", **PRICES).state == Job.State.FAILED
    assert endpoint.keys == []


def test_keys_of_earlier_versions_are_encrypted_at_the_next_start(
    lite_app: Any, client: Any, endpoint: Endpoint, tmp_path: Path
) -> None:
    client.post(CHANGE, {"endpoint": endpoint.url, "key": KEY})
    (file,) = key_files(lite_app)
    plain, half = file.with_suffix(""), file.with_name(".0123456789abcdef.part")
    file.unlink()
    for path in (plain, half):  # as written by version 0.2.0, one of them when it was killed
        path.write_text(f"{KEY}\n")
        path.chmod(0o600)
    notes = prepare()
    assert "keys of endpoints that are now encrypted: 1" in notes
    assert key_files(lite_app) == [file]
    assert holders(tmp_path) == []
    assert key_of(endpoint.url) == KEY
    assert encrypt_earlier_keys() == []


def test_an_earlier_key_without_a_secret_file_is_reported(
    lite_app: Any, client: Any, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post(CHANGE, {"endpoint": endpoint.url, "key": KEY})
    (file,) = key_files(lite_app)
    file.unlink()
    file.with_suffix("").write_text(f"{KEY}\n")
    monkeypatch.setenv("QRELSMITH_SECRET_FILE", "/proc/secret.key")
    (note,) = [note for note in prepare() if "keys of endpoints" in note]
    assert "are not encrypted, and are not used: " in note
    assert "/proc/secret.key" in note
    assert KEY not in note


def test_a_secret_in_the_campaigns_folder_is_refused(
    lite_app: Any, client: Any, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = lite_app.folder / "secret.key"
    monkeypatch.setenv("QRELSMITH_SECRET_FILE", str(file))
    answer = client.post(CHANGE, {"endpoint": endpoint.url, "key": KEY})
    assert answer.status_code == 400
    assert "is in the campaign" in answer.content.decode()
    assert KEY not in answer.content.decode()
    assert not file.exists()


def test_a_short_secret_stops_the_start_in_one_line(blank_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    shutil.copytree(blank_folder, folder)
    done = subprocess.run(
        [sys.executable, "-m", "qrelsmith", "serve", folder, "--port", "0"],
        capture_output=True, text=True, timeout=60, env=os.environ | {"QRELSMITH_SECRET": "short"},
    )  # fmt: skip
    assert done.returncode == 2
    expected = "QRELSMITH_SECRET is too short; expected at least 32 random characters"
    assert done.stderr.strip() == f"qrelsmith: error: {expected}"


def test_a_key_of_the_operator_is_sent_only_to_its_own_host(
    client: Any, endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-of-the-operator"
    monkeypatch.setenv("QRELSMITH_KEY_FOLDER", str(tmp_path))
    for host, is_shown in (("localhost", False), ("127.0.0.1", True)):
        (tmp_path / host).write_text(f"{key}\n")
        (tmp_path / host).chmod(0o600)
        shown = client.get(MODELS).content.decode()
        assert ("set by the operator" in shown, key in shown) == (is_shown, False)
    run_model(client, endpoint=endpoint.url, model="m", **PRICES)
    assert set(endpoint.keys) == {f"Bearer {key}"}


def test_a_full_disk_keeps_the_earlier_key(lite_app: Any, client: Any, endpoint: Endpoint) -> None:
    given = {"endpoint": endpoint.url}
    client.post(CHANGE, given | {"key": "first"})
    with full_disk():
        answer = client.post(CHANGE, given | {"key": "second"})
    assert answer.status_code == 400
    assert "The key was not saved: No space left on device." in answer.content.decode()
    assert len(key_files(lite_app)) == 1
    assert key_of(endpoint.url) == "first"


@contextmanager
def full_disk() -> Iterator[None]:
    def refuse(handle: int, *_: object) -> None:
        os.close(handle)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fdopen", refuse)
        yield
