"""Pictures inside a doc, and a check that browsers can draw them without delay.

A picture in SVG may repeat one of its parts many times, and this part may repeat other parts. A few
hundred bytes can thus become a tree of billions of elements, which freezes the page.
"""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote_to_bytes

_SVG = "image/svg"
# Elements that show other parts again, or entities that name such parts.
_AGAIN = re.compile(
    rb"<(?:[\w.-]+:)?(?:use|pattern|mask|marker|feimage|foreignobject)\b|<!entity", re.IGNORECASE
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_STYLE = re.compile(r"(<style\b[^>]*>)(.*?)(</style\s*>)", re.IGNORECASE | re.DOTALL)


def is_harmless_picture(address: str) -> bool:
    """Return whether an address is a `data:` picture in which no part is repeated."""
    # Browsers ignore these characters in addresses.
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
    # In UTF-16, every second byte is zero.
    return not _AGAIN.search(content.replace(b"\0", b""))


def is_harmless_style(text: str) -> bool:
    """Return whether a style contains no SVG picture; docs can be judged without such pictures."""
    return _SVG not in _ESCAPE.sub(_unescape, text).lower()


def drop_harmful_styles(html: str) -> str:
    """Return the HTML without harmful style sheets."""
    return _STYLE.sub(lambda m: m[0] if is_harmless_style(m[2]) else m[1] + m[3], html)


def _unescape(escape: re.Match[str]) -> str:
    if escape[2] is not None:
        return escape[2]
    code = int(escape[1], 16)
    return chr(code) if 0 < code < 0x110000 else "\ufffd"
