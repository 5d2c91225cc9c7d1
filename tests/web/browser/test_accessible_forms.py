"""Pages of logins with a provider, of keys and of audits: accessible, and without overflow."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.complaints import complaints
from tests.web.browser.person import Person
from tests.web.hub.openid_provider import BEGIN, Provider

pytest.importorskip("mozilla_django_oidc", reason="needs the extra openid")
pytest.importorskip("oauth2_provider", reason="needs the extra test")
pytestmark = [pytest.mark.slow, pytest.mark.full]
ENDPOINT = "https://api.example.org/v1"


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[Provider]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.MonkeyPatch.context() as patch:
        provider = Provider(f"http://127.0.0.1:{port}{BEGIN}/answer", tmp_path)
        for name, value in (
            ("QRELSMITH_OIDC_ISSUER", provider.url), ("QRELSMITH_OIDC_CLIENT", "qrelsmith-test"),
            ("QRELSMITH_OIDC_SECRET", "a-secret-of-this-test"), ("QRELSMITH_ENDPOINTS", ENDPOINT),
            ("QRELSMITH_SECRET", "x" * 32), ("PORT", str(port)),
        ):  # fmt: skip
            patch.setenv(name, value)
        yield provider
        provider.close()


@pytest.fixture
def admin(
    provider: Provider,
    chromium: Any,
    make_campaign: Callable[..., Path],
    give_tables: Callable[[Path], Path],
    start_server: Callable[..., Any],
    tmp_path: Path,
) -> Iterator[Person]:
    """Open a browser as the admin of a campaign's server."""
    folder = give_tables(make_campaign(tmp_path / "one"))
    with (folder / "campaign.toml").open("a") as out:
        out.write('\n[groups.gpt]\nrole = "llm"\nassessors = ["gpt-x"]\n')
    server = start_server(folder, port=int(os.environ["PORT"]))
    link = next(line for line in server.said if "/invite#" in line).rpartition(" ")[2]
    with closing(chromium.new_context()) as context:
        person = Person(context, server.url)
        person.register(link, "ada")
        yield person


def check(page: Any) -> None:
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert complaints(page) == [], (page.url, width)
        overflow = "document.documentElement.scrollWidth - innerWidth"
        assert page.evaluate(overflow) <= 0, (page.url, width)


def test_pages_of_logins_keys_and_audits_are_accessible(
    provider: Provider, admin: Person, chromium: Any
) -> None:
    page, url = admin.page, admin.url
    page.goto(f"{url}/organiser/people")
    check(page)
    page.select_option("select[name=role]", "viewer")
    page.click("text=Create link")
    link = page.input_value("input.link")
    page.goto(f"{url}/organiser/audits")
    page.click("summary")
    check(page)
    page.goto(f"{url}/organiser/tokens")
    page.fill("[name=key]", "sk-1")
    page.click("text=Save key")
    check(page)
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{url}/login")
    check(page)
    page.goto(link)
    page.wait_for_selector("#password")
    check(page)
    provider.add("vera", "vera@example.org")
    page.goto(f"{provider.url}/as/vera")
    page.goto(f"{url}{BEGIN}")
    assert "No account here is linked to vera@example.org" in page.inner_text("main")
    check(page)
    page.goto(link)
    page.wait_for_selector("#password")
    check(page)
    page.fill("#login", "vera")
    page.click("text=Start without password")
    page.wait_for_url(f"{url}/")
    page.click("text=Log out")
    page.wait_for_selector("text=Log out at")
    check(page)
    context.close()
