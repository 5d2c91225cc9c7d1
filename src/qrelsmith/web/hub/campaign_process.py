"""The process of one campaign on a server of several: the app, accessible only to the server.

The server writes one line of JSON to the process's standard input and keeps the input open. The
process ends when its input is closed, explicitly or because the server ends. It prints its port.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import QrelsmithError
from qrelsmith.web.hub.claims import COOKIE
from qrelsmith.web.instance import find_instance
from qrelsmith.web.settings import MIDDLEWARE, pool_settings

_AFTER = "django.contrib.auth.middleware.AuthenticationMiddleware"


def main(folder: str) -> int:
    """Serve a campaign until standard input ends."""
    given = json.loads(sys.stdin.readline())
    try:
        _serve(Path(folder), given)
    except QrelsmithError as error:
        _say({"problem": str(error)})
        return 1
    return 0


def mount_settings(prefix: str, secret: str, *, is_https: bool) -> dict[str, object]:
    """Return the settings that differ from those of a campaign served alone."""
    place = MIDDLEWARE.index(_AFTER) + 1
    admission = "qrelsmith.web.hub.admission.AdmitMembers"
    return {
        "MIDDLEWARE": [*MIDDLEWARE[:place], admission, *MIDDLEWARE[place:]],
        "QRELSMITH_HUB_SECRET": secret.encode(),
        "FORCE_SCRIPT_NAME": prefix,
        "SESSION_COOKIE_NAME": COOKIE,
        "SESSION_COOKIE_PATH": f"{prefix}/",
        # The server has checked the host; only requests of the server are accepted.
        "ALLOWED_HOSTS": ["*"],
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https") if is_https else None,
    }


def _serve(folder: Path, given: dict[str, Any]) -> None:
    from qrelsmith.web.project import check_connection, current_instance, use

    url = str(given["public_url"])
    others = mount_settings(given["prefix"], given["secret"], is_https=url.startswith("https:"))
    instance = find_instance(folder)
    others |= pool_settings(instance, int(given["connections"]))
    use(instance, public_url=url, others=others)
    check_connection()
    from qrelsmith.web.core.alive import hold_in_use, note_address
    from qrelsmith.web.serving.logs import log_to
    from qrelsmith.web.serving.server import serve
    from qrelsmith.web.serving.start import prepare

    log_to()
    prepare()
    threading.Thread(target=_end_with_input, daemon=True).start()

    def ready(port: int) -> None:
        note_address(given["address"])
        _say({"port": port})

    with hold_in_use(current_instance()):
        serve(
            host="127.0.0.1", port=0, threads=int(given["threads"]), proxy="127.0.0.1", ready=ready
        )


def _say(words: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def _end_with_input() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
