"""Scripts, styles and fonts: read once and addressed by content, so that browsers cache them.

A page loads one script and one style sheet, each including all imports and compressed once when the
app starts. The digest in an address covers all files.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from django.urls import reverse

from qrelsmith.web.site.bundles import bundled

_FOLDER = Path(__file__).parents[1] / "static"
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
    """A static file; `packed` is its content after gzip compression."""

    content: bytes
    kind: str
    digest: str
    packed: bytes


@lru_cache(maxsize=1)
def assets() -> dict[str, Asset]:
    """Return all static files by their path below `static/`; no other file is served."""
    paths = [path for path in sorted(_FOLDER.rglob("*")) if path.suffix in _TYPES]
    contents = {path.relative_to(_FOLDER).as_posix(): path.read_bytes() for path in paths}
    sources = {
        name: content.decode("utf-8")
        for name, content in contents.items()
        if name.endswith((".js", ".css"))
    }
    # Only files directly in this folder belong to a page; files in subfolders are parts of such
    # files.
    contents |= {
        name: bundled(name, sources).encode("utf-8") for name in sources if "/" not in name
    }
    joint = hashlib.sha256()
    for name, content in contents.items():
        joint.update(f"{name}\n{len(content)}\n".encode())
        joint.update(content)
    digest = joint.hexdigest()[:12]
    return {
        name: Asset(
            content, _TYPES[PurePosixPath(name).suffix], digest, gzip.compress(content, mtime=0)
        )
        for name, content in contents.items()
    }


def address(name: str) -> str:
    """Return the address of a static file.

    Raises
    ------
    KeyError
        If the file does not exist.
    """
    return reverse("asset", args=[assets()[name].digest, name])
