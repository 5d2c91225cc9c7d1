"""Scripts, styles and fonts: read once, addressed by their content, so that browsers keep them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.urls import reverse

_FOLDER = Path(__file__).parent / "static"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file."""

    content: bytes
    kind: str
    digest: str


@lru_cache(maxsize=1)
def assets() -> dict[str, Asset]:
    """All static files by their path below `static/`; nothing else is ever served."""
    found = {}
    for path in sorted(_FOLDER.rglob("*")):
        if path.is_file() and path.suffix in _TYPES:
            content = path.read_bytes()
            digest = hashlib.sha256(content).hexdigest()[:12]
            found[path.relative_to(_FOLDER).as_posix()] = Asset(
                content, _TYPES[path.suffix], digest
            )
    return found


def address(name: str) -> str:
    """The address of a static file.

    Raises
    ------
    KeyError
        If there is no such file.
    """
    return reverse("asset", args=[assets()[name].digest, name])
