"""The deployment files: units, nginx before two processes, container files, old backups."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from qrelsmith.campaign.server_settings import ServerSettings, variable_of
from qrelsmith.cli import run
from qrelsmith.web.project import current_instance

ROOT = Path(__file__).resolve().parents[3]
KIT = ROOT / "deploy"
BACKUPS = ("20260101T030000Z", "20260102T030000Z", "20260102T030000Za", "20260103T030000Z")
HOST = "judge.example.org"
# The address from which nginx connects.
OF_KIT = "127.0.0.2"


def has(program: str) -> pytest.MarkDecorator:
    found = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    return pytest.mark.skipif(found is None, reason=f"needs {program}, which is not installed")


@has("systemd-analyze")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    # The program is where these tests run; everything else is as in the deployment files.
    program = f"{sys.prefix}/bin/qrelsmith"
    for unit in (KIT / "systemd").iterdir():
        text = unit.read_text(encoding="utf-8")
        text = text.replace("/srv/qrelsmith/.venv/bin/qrelsmith", program)
        (tmp_path / unit.name.replace("@", "@8000")).write_text(text, encoding="utf-8")
    units = sorted(str(path) for path in tmp_path.iterdir())
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True
    )
    about_ours = [line for line in checked.stderr.splitlines() if "qrelsmith" in line]
    assert (checked.returncode, about_ours) == (0, [])
    (tmp_path / "qrelsmith-backup.timer").write_text("[Timer]\nOnCalendar=whenever\n")
    wrong = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True)
    assert b"whenever" in wrong.stderr


def test_all_services_read_the_file_with_the_database_address() -> None:
    services = sorted((KIT / "systemd").glob("*.service"))
    assert len(services) == 3
    for service in services:
        lines = service.read_text(encoding="utf-8").splitlines()
        assert "EnvironmentFile=/etc/qrelsmith/campaign.env" in lines, service.name
    settings = (KIT / "campaign.env").read_text(encoding="utf-8")
    assert re.search("^#?DATABASE_URL=", settings, re.MULTILINE)
    assert f"QRELSMITH_PROXY={OF_KIT}\n" in settings


@pytest.fixture
def proxy(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    start_server: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Any]:
    """Run two processes of the app behind nginx, with these settings and a new certificate."""
    monkeypatch.setenv("QRELSMITH_PUBLIC_URL", f"https://{HOST}")
    monkeypatch.setenv("QRELSMITH_PROXY", OF_KIT)
    folder = make_campaign(tmp_path / "campaign")
    ports = free_ports(4)
    servers = [start_server(folder, port=port) for port in ports[:2]]
    nginx, certificate = started_nginx(tmp_path, ports)
    try:
        yield Proxy(servers, certificate, ports)
    finally:
        nginx.terminate()
        nginx.wait(timeout=20)


def started_nginx(folder: Path, ports: list[int]) -> tuple[subprocess.Popen[bytes], Path]:
    """Start nginx with the deployed settings and a new certificate of `HOST`.

    `ports` are the ports of two processes of the app, of TLS and of plain HTTP.
    """
    certificate, key = folder / "judge.pem", folder / "judge.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
         f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST},DNS:localhost",
         "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    text = (KIT / "nginx" / "qrelsmith.conf").read_text(encoding="utf-8")
    changes = {
        "127.0.0.1:8000": f"127.0.0.1:{ports[0]}",
        "127.0.0.1:8001": f"127.0.0.1:{ports[1]}",
        "listen 443": f"listen 127.0.0.1:{ports[2]}",
        "listen 80": f"listen 127.0.0.1:{ports[3]}",
        "/etc/ssl/judge.pem": str(certificate),
        "/etc/ssl/judge.key": str(key),
    }
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    site = folder / "site.conf"
    site.write_text(text, encoding="utf-8")
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "scgi", "uwsgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    settings = folder / "nginx.conf"
    settings.write_text(
        f"{user}worker_processes 1;\ndaemon off;\npid {folder}/nginx.pid;\n"
        f"error_log {folder}/error.log;\nevents {{ worker_connections 4096; }}\n"
        f"http {{ access_log off;\n{places}include {site};\n}}\n",
        encoding="utf-8",
    )
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or ""
    subprocess.run([program, "-t", "-q", "-c", str(settings)], check=True)
    nginx = subprocess.Popen([program, "-c", str(settings)])
    wait_for(ports[2])
    return nginx, certificate


def wait_for(port: int) -> None:
    """Wait until a process listens at a port."""
    deadline = time.monotonic() + 30
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=30).close()
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


class Proxy:
    """A running nginx and the processes behind it."""

    def __init__(self, servers: list[Any], certificate: Path, ports: list[int]) -> None:
        self.servers = servers
        self.own, self.port, self.plain = ports[:2], ports[2], ports[3]
        self._trust = ssl.create_default_context(cafile=certificate)

    def ask(self, path: str, headers: str = "") -> tuple[int, str]:
        """Return the status and the text of a response over TLS."""
        deadline = time.monotonic() + 20
        while True:
            try:
                raw = socket.create_connection(("127.0.0.1", self.port), timeout=30)
                break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.05)
        with self._trust.wrap_socket(raw, server_hostname=HOST) as connection:
            request = f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n{headers}Connection: close\r\n\r\n"
            connection.sendall(request.encode())
            answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
        return int(answer.split(" ", 2)[1]), answer


@has("nginx")
@has("openssl")
def test_two_processes_behind_nginx_answer_over_tls_and_one_is_enough(proxy: Any) -> None:
    status, answer = proxy.ask("/health")
    assert (status, answer.endswith("ok\n")) == (200, True)
    # The app reports HTTPS only if the proxy says that browsers use it.
    assert "Strict-Transport-Security: max-age=" in answer
    status, answer = proxy.ask("/login")
    assert status == 200
    assert "frame-ancestors 'none'" in answer
    assert "; Secure" in answer
    # Metrics are not public, and a claim to be this machine does not help.
    assert proxy.ask("/metrics")[0] == 404
    assert proxy.ask("/metrics", "X-Forwarded-For: 127.0.0.1\r\n")[0] == 404
    answers = [count(port) for port in proxy.own]
    assert min(answers) >= 1, "both processes have answered"
    proxy.servers[0].kill()
    assert [proxy.ask("/health")[0] for _ in range(6)] == [200] * 6
    plain = socket.create_connection(("127.0.0.1", proxy.plain), timeout=30)
    with plain:
        plain.sendall(f"GET /x?y=1 HTTP/1.0\r\nHost: {HOST}\r\n\r\n".encode())
        moved = plain.recv(4096).decode()
    assert " 301 " in moved
    assert f"Location: https://{HOST}/x?y=1" in moved


@has("nginx")
@has("openssl")
def test_only_the_proxy_reports_client_addresses_and_it_limits_requests(proxy: Any) -> None:
    claimed = [proxy.ask("/login", f"X-Forwarded-For: 192.0.2.{n}\r\n")[0] for n in range(200)]
    assert set(claimed) == {200, 429}
    assert claimed.count(200) >= 120
    assert proxy.ask("/health")[0] == 200
    # Another program on this machine connects to a process directly, and claims many addresses.
    wrong = [wrong_login(proxy.own[0], f"192.0.2.{n}") for n in range(7)]
    assert wrong == [403] * 5 + [429] * 2


def wrong_login(port: int, claimed: str) -> int:
    """Log in with a wrong password and a claimed address; return the status."""
    token = "0" * 32
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/login",
        f"login=ben&password=wrong&csrfmiddlewaretoken={token}".encode(),
        {"X-Forwarded-For": claimed, "Cookie": f"qrelsmith_csrf={token}"},
    )
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - our own server
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def count(port: int) -> float:
    """Return the number of responses of a process."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        text = answer.read().decode()
    return sum(map(float, re.findall(r"^qrelsmith_answers_total{.*} (\S+)$", text, re.MULTILINE)))


def free_ports(number: int) -> list[int]:
    """Return ports that are probably unused."""
    sockets = [socket.socket() for _ in range(number)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [int(each.getsockname()[1]) for each in sockets]
    for each in sockets:
        each.close()
    return ports


def test_container_files_name_existing_files() -> None:
    compose = yaml.safe_load((KIT / "container" / "compose.yaml").read_text(encoding="utf-8"))
    known = {variable_of(name) for name in ServerSettings.__dataclass_fields__}
    known |= {"PGPASSWORD", "QRELSMITH_METRICS_TOKEN", "QRELSMITH_SECRET"}
    assert set(compose["services"]["app"]["environment"]) <= known
    file = compose["services"]["app"]["build"]["dockerfile"]
    text = (ROOT / file).read_text(encoding="utf-8")
    extras = set(re.findall(r"\[([a-z,]+)\]\"", text)[0].split(","))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert extras <= set(project["optional-dependencies"])
    settings = (KIT / "campaign.env").read_text(encoding="utf-8")
    named = set(re.findall(r"^#?([A-Z_]+)=", settings, re.MULTILINE))
    assert named - {"CAMPAIGN"} <= known


def test_old_backups_are_deleted_and_other_files_kept(
    app: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = current_instance().backups
    folder.mkdir(exist_ok=True)
    suffix = "sqlite3" if current_instance().database is None else "pgdump"
    for name in BACKUPS:
        (folder / f"{name}.{suffix}").touch()
    (folder / "friday.sqlite3").touch()
    assert run(["backup", str(app.folder), "--newest", "2"]) == 0
    said = capsys.readouterr()
    kept = {path.name for path in folder.iterdir()}
    assert kept == {Path(said.out.strip()).name, f"{BACKUPS[-1]}.{suffix}", "friday.sqlite3"}
    assert said.err.count("deleted ") == 3
    assert run(["backup", str(app.folder), "--newest", "0"]) == 2


def test_a_backup_dated_in_the_future_is_not_counted(
    app: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = current_instance().backups
    folder.mkdir()
    (folder / "29990101T030000Z.sqlite3").touch()
    assert run(["backup", str(app.folder), "--newest", "1"]) == 0
    said = capsys.readouterr()
    kept = {path.name for path in folder.iterdir()}
    assert kept == {Path(said.out.strip()).name, "29990101T030000Z.sqlite3"}
    assert "29990101T030000Z.sqlite3: is dated in the future" in said.err
