"""Pictures in a folder of docs, embedded in the pages and Markdown files that name them."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from urllib.parse import unquote

_KINDS = {
    ".avif": "avif", ".gif": "gif", ".jpeg": "jpeg", ".jpg": "jpeg", ".png": "png", ".webp": "webp",
}  # fmt: skip
#: Suffixes of files that are not separate docs.
PICTURE_SUFFIXES = frozenset(_KINDS)
# Larger pictures are left out, so that a doc can be transferred and stored.
_LARGEST = 2_000_000
# The address of a picture in the folder: no scheme, no query, and no delimiter.
_NAME = r"""(?P<name>[^\s"'<>()?#:]{1,500})"""
_IN_HTML = re.compile(rf"""(?P<before><img\b[^<>]{{0,500}}?\ssrc=["']?){_NAME}""", re.IGNORECASE)
_IN_MARKDOWN = re.compile(rf"(?P<before>!\[[^\[\]]{{0,500}}\]\(){_NAME}")


def with_pictures(content: str, form: str, file: Path, folder: Path) -> str:
    """Embed the pictures of the folder in a doc that names them.

    Parameters
    ----------
    content : str
        A page or Markdown.
    form : str
        The form of the doc; other forms cannot name pictures.
    file, folder : Path
        The doc's file, and the resolved folder that must contain its pictures.
    """

    def picture_or_name(found: re.Match[str]) -> str:
        return found["before"] + (
            _picture(file.parent / unquote(found["name"]), folder) or found["name"]
        )

    for pattern in {"html": (_IN_HTML,), "md": (_IN_HTML, _IN_MARKDOWN)}.get(form, ()):
        content = pattern.sub(picture_or_name, content)
    return content


def _picture(path: Path, folder: Path) -> str:
    """Return a picture as a `data:` address; empty if the folder has no such picture."""
    kind = _KINDS.get(path.suffix.lower())
    try:
        place = path.resolve()
        if not kind or not place.is_relative_to(folder) or place.stat().st_size > _LARGEST:
            return ""
        return f"data:image/{kind};base64,{base64.b64encode(place.read_bytes()).decode('ascii')}"
    except (OSError, ValueError):
        return ""
