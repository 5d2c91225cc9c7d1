"""Pictures that a doc brings along: which of them a browser can draw in no time.

A picture in SVG may show a part of itself many times, and that part another one: a few hundred
bytes become a tree of billions of elements, and the page stands still as long as it is built.
"""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote_to_bytes

_SVG = "image/svg"
# What shows other parts again, or names them by entities.
_AGAIN = re.compile(
    rb"<(?:[\w.-]+:)?(?:use|pattern|mask|marker|feimage|foreignobject)\b|<!entity", re.IGNORECASE
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_STYLE = re.compile(r"(<style\b[^>]*>)(.*?)(</style\s*>)", re.IGNORECASE | re.DOTALL)


def is_harmless_picture(address: str) -> bool:
    """Whether an address is that of a picture inside the doc that shows nothing of itself again."""
    # As browsers read addresses: these characters are ignored.
    plain = re.sub(r"[\t\r\n]", "", address).lstrip()
    if not plain.lower().startswith("data:image/"):
        return False
    head, _, data = plain.partition(",")
    if not head.lower().startswith(f"data:{_SVG}"):
        return True
    content = unquote_to_bytes(data)
    if head.lower().rstrip().endswith("base64"):
        try:
            content = base64.b64decode(content + b"==")
        except binascii.Error:
            return False
    # In UTF-16 every other byte is zero.
    return not _AGAIN.search(content.replace(b"\0", b""))


def is_harmless_style(text: str) -> bool:
    """Whether a style brings no picture in SVG along; nobody needs one to judge a doc."""
    return _SVG not in _ESCAPE.sub(_unescape, text).lower()


def drop_harmful_styles(html: str) -> str:
    """Return the HTML without the style sheets that are not harmless."""
    return _STYLE.sub(lambda m: m[0] if is_harmless_style(m[2]) else m[1] + m[3], html)


def _unescape(escape: re.Match[str]) -> str:
    if escape[2] is not None:
        return escape[2]
    code = int(escape[1], 16)
    return chr(code) if 0 < code < 0x110000 else "\ufffd"
