"""Invites, logins and sessions."""

from __future__ import annotations

import re
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connections
from django.utils import timezone

from qrelsmith.cli import run
from qrelsmith.web.accounts import entrance
from qrelsmith.web.accounts.invites import make_invite
from qrelsmith.web.accounts.limits import WINDOW
from qrelsmith.web.accounts.login import PER_ADDRESS, PER_NAME, PER_NAME_ANYWHERE, attempt
from qrelsmith.web.accounts.sessions import SessionStore
from qrelsmith.web.models import Account, Assessor, Invite, LoginFailure, OrganiserAction, Role

PASSWORD = "a long enough phrase"  # noqa: S105 - of nobody
GIVEN = {"login": "Ben", "password": PASSWORD, "again": PASSWORD}


def invited(app: Any, role: str = "assessor", **named: Any) -> str:
    assessor = Assessor.objects.get(name="b1") if role == "assessor" else None
    return make_invite(Role(role), assessor=assessor, **named)


def opened(client: Any, token: str, **fields: str) -> Any:
    """Return the response to an invite's form: with the secret only, or with name and password."""
    return client.post("/invite", {"token": token} | fields)


def test_an_invite_creates_one_account_and_logs_in(app: Any) -> None:
    token, client = invited(app), app.client()
    assert opened(client, token).status_code == 200
    assert opened(client, token).status_code == 200, "looking at it must not use it up"
    answer = opened(client, token, **GIVEN)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    account = Account.objects.get()
    assert (account.login, account.role, account.assessor.name) == ("Ben", "assessor", "b1")
    assert client.get("/").status_code == 200


def test_an_invite_works_once(app: Any) -> None:
    token = invited(app)
    assert opened(app.client(), token, **GIVEN).status_code == 302
    assert opened(app.client(), token).status_code == 410
    assert opened(app.client(), token, **(GIVEN | {"login": "Eve"})).status_code == 410
    assert Account.objects.count() == 1


def test_an_invite_stays_open_after_a_change_of_language(lite_app: Any) -> None:
    token, client = invited(lite_app), lite_app.client()
    assert f'name="invite" value="{token}"' in opened(client, token).text
    referer = {"referer": "http://127.0.0.1/invite"}
    answer = client.post("/language", {"language": "ja", "invite": token}, headers=referer)
    assert (answer.status_code, answer["Location"]) == (302, f"/invite#{token}")
    referer = {"referer": "http://127.0.0.1/login"}
    answer = client.post("/language", {"language": "ja", "invite": token}, headers=referer)
    assert answer["Location"] == "/login"


def test_only_one_of_two_invites_of_an_assessor_creates_the_account(app: Any) -> None:
    first, second = invited(app), invited(app)
    assert opened(app.client(), first, **GIVEN).status_code == 302
    assert opened(app.client(), second).status_code == 410
    assert opened(app.client(), second, **(GIVEN | {"login": "Eve"})).status_code == 410
    assert Account.objects.count() == 1


def test_two_people_who_choose_the_same_name_get_one_account_and_one_error_message(
    app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:

    # The other account is created between the check of the name and the creation.
    monkeypatch.setattr(entrance, "account_problems", lambda *_, **__: [])
    app.account("Ben", role="viewer")
    token = invited(app)
    answer = opened(app.client(), token, **GIVEN)
    assert answer.status_code == 400
    assert "The name is taken, or the invite has already been used." in answer.content.decode()
    assert opened(app.client(), token, **(GIVEN | {"login": "Eve"})).status_code == 302
    assert Account.objects.count() == 2


def test_an_invite_expires(lite_app: Any) -> None:
    token = invited(lite_app, valid_for=timedelta(seconds=-1))
    assert opened(lite_app.client(), token).status_code == 410
    assert opened(lite_app.client(), token, **GIVEN).status_code == 410


def test_without_an_invite_there_is_no_account(lite_app: Any) -> None:
    assert opened(lite_app.client(), "guessed", **GIVEN).status_code == 410
    assert not Account.objects.exists()


def test_the_database_contains_neither_token_nor_password(lite_app: Any) -> None:
    token = invited(lite_app)
    opened(lite_app.client(), token, **GIVEN)
    content = b"".join(
        path.read_bytes() for path in (lite_app.folder / ".qrelsmith").glob("app.sqlite3*")
    )
    assert token.encode() not in content
    assert PASSWORD.encode() not in content
    assert b"scrypt$" in content


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"again": "something else"}, "The two passwords do not match."),
        ({"password": "short", "again": "short"}, "too short"),
        ({"password": "password123", "again": "password123"}, "too common"),
        ({"login": ""}, "Choose a name."),
        ({"login": "a\nb"}, "Choose a name."),
        ({"login": "taken"}, "This name is taken."),
    ],
)
def test_errors_in_the_form_are_reported(
    lite_app: Any, change: dict[str, str], problem: str
) -> None:
    lite_app.account("taken", role="viewer")
    token = invited(lite_app)
    answer = opened(lite_app.client(), token, **(GIVEN | change))
    assert answer.status_code == 400
    assert problem in answer.content.decode()
    assert opened(lite_app.client(), token).status_code == 200, "the invite must still be good"


def test_a_new_password_keeps_the_account_and_ends_its_sessions(lite_app: Any) -> None:
    client = lite_app.client()
    opened(client, invited(lite_app), **GIVEN)
    account = Account.objects.get()
    token = make_invite(Role.ASSESSOR, account=account)
    new = "another long phrase"
    answer = opened(lite_app.client(), token, password=new, again=new)
    assert answer.status_code == 302
    assert client.get("/").status_code == 302, "whoever knew the old password is out"
    assert lite_app.client().post("/login", GIVEN).status_code == 403
    answer = lite_app.client().post("/login", {"login": "Ben", "password": new})
    assert answer.status_code == 302
    logged = OrganiserAction.objects.exclude(account=None).order_by("id")
    assert list(logged.values_list("action", "account", "target")) == [
        ("join", account.pk, "b1"), ("new password", account.pk, "b1"),
    ]  # fmt: skip


def test_login_redirects_to_the_requested_page_but_not_to_other_sites(lite_app: Any) -> None:
    opened(lite_app.client(), invited(lite_app), **GIVEN)
    for target, expected in (
        ("/instructions", "/instructions"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("javascript:alert(1)", "/"),
    ):
        answer = lite_app.client().post("/login", GIVEN | {"next": target})
        assert (answer.status_code, answer["Location"]) == (302, expected)


@pytest.mark.parametrize("typed", ["Zoë", "ZOË", "zoë"])
def test_a_name_may_be_typed_in_upper_or_lower_case(app: Any, typed: str) -> None:
    opened(app.client(), invited(app), **(GIVEN | {"login": "Zoë"}))
    form = {"login": typed, "password": PASSWORD}
    assert app.client().post("/login", form).status_code == 302


def test_two_names_that_differ_only_in_case_log_in_exactly(app: Any) -> None:
    for login in ("zoë", "Zoë"):
        account = Account(login=login, role=Role.VIEWER)
        account.set_password(f"{login} {PASSWORD}")
        account.save()
    for login, typed, status in (("zoë", "zoë", 302), ("Zoë", "Zoë", 302), ("Zoë", "ZOË", 403)):
        form = {"login": typed, "password": f"{login} {PASSWORD}"}
        assert app.client().post("/login", form).status_code == status


def test_a_new_name_must_differ_from_others_in_more_than_case(lite_app: Any) -> None:
    Account.objects.create(login="ben", role=Role.VIEWER)
    assert "This name is taken." in opened(lite_app.client(), invited(lite_app), **GIVEN).text


def test_a_name_shares_its_attempts_across_upper_and_lower_case(app: Any) -> None:
    for n in range(PER_NAME):
        assert attempt("Zoë" if n % 2 else "ZOË", "192.0.2.1") is not None
    assert attempt("zoë", "192.0.2.1") is None


def test_wrong_names_and_wrong_passwords_are_indistinguishable(lite_app: Any) -> None:
    opened(lite_app.client(), invited(lite_app), **GIVEN)
    texts = set()
    for name in ("Ben", "Nobody"):
        answer = lite_app.client().post("/login", {"login": name, "password": "wrong"})
        assert answer.status_code == 403
        page = answer.content.decode().replace(name, "")
        texts.add(re.sub(r'csrfmiddlewaretoken" value="\w+', "", page))
    assert len(texts) == 1


def test_a_forgotten_person_is_logged_out_and_cannot_log_in_again(lite_app: Any) -> None:
    client = lite_app.client()
    opened(client, invited(lite_app), **GIVEN)
    Account.objects.update(is_active=False)
    assert client.get("/").status_code == 302
    assert lite_app.client().post("/login", GIVEN).status_code == 403


def test_repeated_wrong_passwords_have_to_wait(app: Any) -> None:
    opened(app.client(), invited(app), **GIVEN)
    wrong = {"login": "Ben", "password": "wrong"}
    for _ in range(PER_NAME):
        assert app.client().post("/login", wrong).status_code == 403
    assert app.client().post("/login", wrong).status_code == 429
    assert app.client().post("/login", GIVEN).status_code == 429, "even with the right password"
    LoginFailure.objects.update(at=timezone.now() - WINDOW - timedelta(seconds=1))
    assert app.client().post("/login", GIVEN).status_code == 302


def test_many_names_from_one_address_have_to_wait_too(lite_app: Any) -> None:
    for number in range(PER_ADDRESS):
        assert attempt(f"name-{number}", "192.0.2.7")
    assert attempt("name-0", "192.0.2.7") is None
    assert attempt("somebody", "192.0.2.7"), "a house is not locked out by one of it"
    assert attempt("somebody", "192.0.2.7") is None
    assert attempt("somebody", "192.0.2.8")


def test_thirty_wrong_logins_do_not_lock_out_others_at_the_same_address(lite_app: Any) -> None:
    opened(lite_app.client(), invited(lite_app), **GIVEN)
    for number in range(30):
        wrong = {"login": f"name-{number}", "password": "wrong"}
        assert lite_app.client().post("/login", wrong).status_code in (403, 429)
    assert lite_app.client().post("/login", GIVEN).status_code == 302


def test_one_name_tried_from_many_addresses_has_to_wait(lite_app: Any) -> None:
    for number in range(PER_NAME_ANYWHERE):
        assert attempt("Ben", f"192.0.2.{number}")
    assert attempt("Ben", "198.51.100.1") is None
    assert attempt("Cora", "198.51.100.1")


def test_an_ipv6_network_counts_as_one_address(lite_app: Any) -> None:
    """RFC 4291, section 2.5.4: the host chooses the last 64 bits."""
    for number in range(PER_NAME):
        assert attempt("Ben", f"2001:db8:1:2::{number:x}")
    assert attempt("Ben", "2001:db8:1:2:ffff::1%eth0") is None
    assert attempt("Ben", "2001:db8:1:3::1")
    assert attempt("Ben", "::ffff:192.0.2.1")
    for address in ("", "unix:", "no address"):
        assert attempt("Ben", address)


def test_simultaneous_attempts_are_counted_too(app: Any) -> None:
    from concurrent.futures import ThreadPoolExecutor

    opened(app.client(), invited(app), **GIVEN)

    def guess(number: int) -> int:
        try:
            wrong = {"login": "Ben", "password": f"wrong-{number}"}
            return int(app.client().post("/login", wrong).status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(guess, range(24)))
    assert set(answers) == {403, 429}
    assert answers.count(403) <= PER_NAME


def test_a_successful_login_after_a_wrong_password_resets_the_count(lite_app: Any) -> None:
    opened(lite_app.client(), invited(lite_app), **GIVEN)
    for _ in range(30):
        assert lite_app.client().post("/login", GIVEN).status_code == 302
    assert not LoginFailure.objects.exists()


def test_a_session_from_before_the_login_is_replaced(lite_app: Any) -> None:
    client = lite_app.client()
    opened(client, invited(lite_app), **GIVEN)
    client.post("/logout")
    session = SessionStore()  # which someone else may have planted
    session.create()
    planted = client.cookies["qrelsmith_session"] = session.session_key
    client.post("/login", GIVEN)
    assert client.cookies["qrelsmith_session"].value != planted
    other = lite_app.client()
    other.cookies["qrelsmith_session"] = planted
    assert other.get("/").status_code == 302


def test_logging_out_ends_the_session(lite_app: Any) -> None:
    client = lite_app.client("b1")
    assert client.get("/logout").status_code == 405, "a link must not log out"
    left = client.post("/logout")
    assert "You are logged out." in client.get(left["Location"]).text
    assert client.get("/").status_code == 302


def test_a_thousand_anonymous_requests_store_no_row(app: Any) -> None:
    for number in range(1000):
        answer = app.client().get(("/login", "/invite", "/", "/health", "/no/such")[number % 5])
        assert answer.status_code in (200, 302, 404)
    assert not Session.objects.exists()


def test_a_login_deletes_expired_sessions(app: Any) -> None:
    app.client("b1")
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    app.client("b2")
    assert Session.objects.count() == 1


def test_the_length_of_a_session_is_a_setting(
    ready_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_app: Any
) -> None:
    folder = tmp_path / "campaign"
    shutil.copytree(ready_folder, folder)
    monkeypatch.setenv("QRELSMITH_SESSION_DAYS", "2")
    with open_app(folder) as app:
        app.client("b1")
        left = Session.objects.get().expire_date - timezone.now()
    assert timedelta(days=1, hours=23) < left < timedelta(days=2)


def test_the_cookie_is_sent_only_to_the_server(lite_app: Any) -> None:
    client = lite_app.client()
    opened(client, invited(lite_app), **GIVEN)
    assert sorted(client.cookies) == ["qrelsmith_csrf", "qrelsmith_session"]
    for cookie in client.cookies.values():
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        (("",), "the assessor name '' in the group '' is empty"),
        (("a\nb",), "contains a control character"),
        (("x" * 201,), "has 201 characters; expected at most 200"),
        (("b1", "--group", "silver"), "'b1' is in the group 'bronze'"),
        (("gpt-x",), "'gpt-x' is a model"),
        (("taken",), "'taken' already has an account"),
    ],
)
def test_invalid_assessors_cannot_be_invited(
    lite_app: Any, named: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with (lite_app.folder / "campaign.toml").open("a") as out:
        out.write('\n[groups.llm]\nrole = "llm"\n')
    Assessor.objects.create(name="gpt-x", group="llm")
    taken = Assessor.objects.create(name="taken", group="bronze")
    Account.objects.create(login="t", role=Role.ASSESSOR, assessor=taken)
    invite = ["invite", str(lite_app.folder), "--role", "assessor", "--assessor", *named]
    assert run(invite) == 2
    said = capsys.readouterr()
    assert problem in said.err
    assert said.out == ""
    assert not Invite.objects.exists()


def test_invites_need_an_existing_app(
    tmp_path: Path, make_campaign: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    assert run(["invite", str(folder), "--role", "assessor", "--assessor", "b1"]) == 2
    assert "the judging app does not exist yet" in capsys.readouterr().err


def test_a_list_invites_all_its_people_or_none(lite_app: Any) -> None:
    olga = lite_app.client("olga", role="organiser")
    wrong = olga.post("/organiser/invites/many", {"names": "b1\nnobody\n"})
    assert (wrong.status_code, Invite.objects.count()) == (400, 0)
    assert "Line 2" in wrong.content.decode()
    names = ["b1", "b2", *(f"new-{n},bronze" for n in range(98))]
    page = olga.post("/organiser/invites/many", {"names": "\n".join(names)})
    assert (page.status_code, Invite.objects.count()) == (200, 100)
    assert page.content.decode().count("/invite#") == 100


@pytest.mark.parametrize(
    "names",
    [
        "b1\nb1",
        "nobody",
        "new,none",
        "b1,gold",
        "gpt-x",
        "taken",
        "a\x07b,bronze",
        f"{'x' * 201},bronze",
        "#",
    ],
)
def test_a_list_is_refused_in_the_language_of_the_user(
    lite_app: Any, make_model: Any, names: str
) -> None:
    make_model(lite_app)
    taken = Assessor.objects.create(name="taken", group="bronze")
    Account.objects.create(login="t", role=Role.ASSESSOR, assessor=taken)
    olga = lite_app.client("olga", role="organiser")
    japanese = {"Accept-Language": "ja"}
    page = olga.post("/organiser/invites/many", {"names": names}, headers=japanese)
    assert page.status_code == 400
    problem = re.search(r'role="alert">([^<]*)<', page.content.decode())
    assert problem is not None
    words = re.sub(r"&#x27;.*?&#x27;|bronze|（選択肢：.*?）", "", problem[1])
    assert not re.search("[A-Za-z]", words), problem[1]
