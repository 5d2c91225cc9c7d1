"""Decoding of a page's bytes by the HTML Standard's rules, as in browsers."""

from __future__ import annotations

import re

from qrelsmith.io.web_encodings import web_encoding, web_text

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
# Browsers scan this many bytes first. They also scan the whole head and restart if necessary.
_LOOKED_AT = 1024
_LONGEST_HEAD = 1 << 16
_HEAD_END = re.compile(rb"<(?:/head|body)\b", re.IGNORECASE)
_BLANK = rb"\t\n\f\r "
_TOKEN = re.compile(
    rb"<!--(?P<comment>)|<meta(?P<meta>[%b/])|</?[a-z][^%b>]*(?P<tag>)|<[!/?][^>]*>"
    % (_BLANK, _BLANK),
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    rb"""[%b/]*([^%b/>][^%b/>=]*)(?:[%b]*=[%b]*(?:"([^"]*)"|'([^']*)'|([^%b>"'][^%b>]*|)))?"""
    % ((_BLANK,) * 7)
)
_IN_CONTENT = re.compile(
    rb"""charset[%b]*=[%b]*(?:"([^"]*)"|'([^']*)'|([^%b;"'][^%b;]*))""" % ((_BLANK,) * 4),
    re.IGNORECASE,
)
_XML = re.compile(rb"""<\?xml[^>]*?encoding[\x00-\x20]*=[\x00-\x20]*(?:"([^">]*)"|'([^'>]*)')""")


def decoded_page(content: bytes, *, is_html: bool, charset: str = "") -> tuple[str, bool]:
    """Decode a page, and also return whether every byte was valid.

    A byte-order mark has precedence, then the given charset, then the declaration in the page's
    head. Encoding names that are not in the standard are ignored. A page without a declaration is
    UTF-8 if it is valid UTF-8; otherwise its encoding is guessed as in Firefox.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return web_text(content.removeprefix(mark), encoding)
    encoding = web_encoding(charset) or (declared_encoding(content) if is_html else "") or ""
    if encoding:
        return web_text(content, encoding)
    return web_text(content, _guess(content))


def declared_encoding(content: bytes) -> str | None:
    """Return the encoding that a page without a byte-order mark declares, by `<meta>` or as XML."""
    body = _HEAD_END.search(content, _LOOKED_AT, _LONGEST_HEAD)
    head = content[: body.start() if body else _LONGEST_HEAD]
    if head.startswith(b"<\0?\0x\0"):
        return "utf-16le"
    if head.startswith(b"\0<\0?\0x"):
        return "utf-16be"
    place = 0
    while token := _TOKEN.search(head, place):
        place = token.end()
        if token["comment"] is not None:
            # The opening dashes of a comment may also be its closing dashes.
            end = head.find(b"-->", place - 2)
            place = len(head) if end < 0 else end + 3
        elif token["meta"] is not None or token["tag"] is not None:
            attributes, place = _attributes(head, place)
            encoding = _of_meta(attributes) if token["meta"] is not None else None
            if encoding:
                return encoding
    xml = _XML.match(head)
    return _usable(xml[1] or xml[2] or b"") if xml else None


def _attributes(head: bytes, place: int) -> tuple[dict[bytes, bytes], int]:
    """Return the attributes of a tag (the first of each name) and their end position."""
    attributes: dict[bytes, bytes] = {}
    while attribute := _ATTRIBUTE.match(head, place):
        value = next((part for part in attribute.groups()[1:] if part is not None), b"")
        attributes.setdefault(attribute[1].lower(), value)
        place = attribute.end()
    return attributes, place


def _of_meta(attributes: dict[bytes, bytes]) -> str | None:
    if b"charset" in attributes:
        return _usable(attributes[b"charset"])
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    found = _IN_CONTENT.search(attributes.get(b"content", b""))
    return _usable(found[1] or found[2] or found[3] or b"") if found else None


def _guess(content: bytes) -> str:
    import chardetng_py

    name = chardetng_py.detect(content, allow_utf8=True)
    # For this encoding, chardetng returns Python's name.
    return web_encoding(name.replace("cp874", "windows-874")) or "windows-1252"


def _usable(label: bytes) -> str | None:
    """Return a declared encoding; a declared UTF-16 becomes UTF-8, as in the standard."""
    encoding = web_encoding(label.decode("latin-1"))
    if encoding in ("utf-16le", "utf-16be"):
        return "utf-8"
    return "windows-1252" if encoding == "x-user-defined" else encoding
