"""The table [server]: read from campaign.toml, overridden by the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.campaign.campaign import campaign_toml, read_campaign
from qrelsmith.campaign.server_settings import ServerSettings, server_settings

TABLE = """format = 1
title = "T"

[server]
database = "postgresql://judge@127.0.0.1/judge"
public_url = "https://judge.example.org"
port = 8001
"""


def written(folder: Path, text: str) -> Path:
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    return folder


def test_the_table_is_read_back_unchanged(tmp_path: Path) -> None:
    campaign = read_campaign(written(tmp_path, TABLE))
    assert campaign.server.port == 8001
    assert campaign.server.threads == ServerSettings().threads
    assert campaign_toml(campaign) == TABLE


def test_the_environment_overrides_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ServerSettings(public_url="https://a.example", port=8001)
    monkeypatch.setenv("QRELSMITH_PUBLIC_URL", "https://b.example/")
    monkeypatch.setenv("QRELSMITH_THREADS", "3")
    settings = server_settings(table)
    assert (settings.port, settings.threads) == (8001, 3)
    assert settings.address == "https://b.example"
    monkeypatch.setenv("QRELSMITH_PORT", "8x")
    with pytest.raises(UsageError, match="QRELSMITH_PORT is '8x'; expected a whole number"):
        server_settings(table)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('database = "postgresql://judge:secret@127.0.0.1/judge"', "contains a password"),
        ("port = 70000", "port is 70000; expected 0 to 65535"),
        ("threads = 0", "threads is 0; expected 1 to 64"),
        ("session_days = 0", "session_days is 0; expected 1 to 365"),
        ("connections = 1", "connections is 1; expected 2 to 100"),
        ('proxy = "*"', "proxy is '\\*'; expected the IP address of one proxy"),
        ('proxy = "nginx.internal"', "expected the IP address of one proxy"),
        ("workers = 2", "unknown key 'workers'"),
    ],
)
def test_an_error_names_its_line(tmp_path: Path, line: str, problem: str) -> None:
    written(tmp_path, f'format = 1\ntitle = "T"\n\n[server]\n{line}\n')
    with pytest.raises(InputError, match=problem) as caught:
        read_campaign(tmp_path)
    assert caught.value.line == 5
    assert "secret" not in str(caught.value)
