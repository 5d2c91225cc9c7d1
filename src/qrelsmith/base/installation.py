"""The command that installs an extra, from the source of this installation."""

from __future__ import annotations

import json
import shlex
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import unquote, urlsplit

_PACKAGE = "qrelsmith"


def install_command(extra: str) -> str:
    """Return the pip command that adds an extra.

    The command names the folder or wheel recorded by pip (PEP 610), because the package may not be
    in an index.
    """
    try:
        record = distribution(_PACKAGE).read_text("direct_url.json")
    except PackageNotFoundError:
        record = None
    origin = {} if record is None else json.loads(record)
    url = origin.get("url", "")
    if "vcs_info" in origin:
        vcs, commit = origin["vcs_info"]["vcs"], origin["vcs_info"]["commit_id"]
        source = f"{_PACKAGE}[{extra}] @ {vcs}+{url}@{commit}"
    elif url.startswith("file:"):
        source = f"{unquote(urlsplit(url).path)}[{extra}]"
    else:
        source = f"{_PACKAGE}[{extra}]" + (f" @ {url}" if url else "")
    return f"pip install {shlex.quote(source)}"
