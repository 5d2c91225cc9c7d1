"""Serve a campaign for browser tests: `serve_site.py FOLDER PORT`.

There is an account for each assessor of the campaign, with the same name, for an organiser and for
an admin. The first output line contains the address and a session of each account.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from qrelsmith.cli.app import open_app

PASSWORD = "correct horse battery"  # noqa: S105 - of accounts that live as long as a test


def main(folder: str, port: int) -> None:
    open_app(folder)
    from qrelsmith.web.core.database import writing
    from qrelsmith.web.serving.server import serve
    from qrelsmith.web.serving.start import prepare

    prepare()
    with writing():  # one transaction for all: single ones would each wait for the disk
        cookies = _open_sessions()

    def ready(bound: int) -> None:
        line = {"url": f"http://127.0.0.1:{bound}", "cookies": cookies}
        print(json.dumps(line), flush=True)

    serve(host="127.0.0.1", port=port, ready=ready)


def _open_sessions() -> dict[str, str]:
    from django.contrib.auth.hashers import ScryptPasswordHasher, make_password

    from qrelsmith.web.models import Account, Assessor, Role

    ScryptPasswordHasher.work_factor = 2  # the strength of passwords is not tested here
    password = make_password(PASSWORD)
    people: list[dict[str, Any]] = [
        {"login": each.name, "role": Role.ASSESSOR, "assessor": each}
        for each in Assessor.objects.exclude(group="llm")
    ]
    people += [{"login": role.value, "role": role} for role in (Role.ORGANISER, Role.ADMIN)]
    known = {account.login: account for account in Account.objects.all()}
    return {
        person["login"]: _session(
            known.get(person["login"]) or Account.objects.create(password=password, **person)
        )
        for person in people
    }


def _session(account: Any) -> str:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    from qrelsmith.web.accounts.sessions import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(account.pk)
    session[BACKEND_SESSION_KEY] = "qrelsmith.web.accounts.login.AccountBackend"
    session[HASH_SESSION_KEY] = account.get_session_auth_hash()
    session.create()
    return str(session.session_key)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
