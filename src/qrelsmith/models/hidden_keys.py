"""Removal of keys from an endpoint's texts, in plain text and in the usual encodings."""

from __future__ import annotations

import base64
import codecs
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from urllib.parse import unquote

# Replacements of a key in plain text, and of a text with an encoded key.
_KEY, _HIDDEN = "[key]", "[hidden: this text holds the key]"
# A text must not contain this many consecutive characters of a secret. Shorter keys are
# placeholders for servers without keys, such as EMPTY, and only exact copies are replaced.
_PIECE, _SECRET = 8, 12
_ROUNDS = 8
_SIGNS = re.compile(r"[^0-9a-z]")
_ESCAPE = re.compile(r"\\(?:u\{?([0-9a-fA-F]{1,6})\}?|x([0-9a-fA-F]{2})|([0-7]{3})|(.))", re.DOTALL)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)(?:"(\s{0,9}:)?|\\?\Z)', re.DOTALL)
_NUMBER = re.compile(r"[0-9]{2,3}")


def hide_key(text: str, key: str) -> str:
    """Remove the key from a text.

    The search covers plain text and reversed text, base64, base32, hexadecimal and rot13. Each form
    is also found in escapes of JSON, HTML and URLs, as character codes, split by other characters,
    and spread over the strings of a JSON object. The search is not complete: an endpoint can use a
    different encoding.

    Parameters
    ----------
    text : str
        A text from an endpoint.
    key : str
        The key; empty: none.

    Returns
    -------
    str
        The text with `[key]` in place of the key, or a note if it contains an encoded key.
    """
    if not key:
        return text
    plain = text.replace(key, _KEY)
    return _HIDDEN if _holds(plain, key) else plain


def _holds(text: str, key: str) -> bool:
    pieces, is_secret = _pieces(key)
    for view in _views(text):
        if view is None:
            return True
        if not is_secret:
            if any(piece in view for piece in pieces):
                return True
            continue
        signs = _squeeze(view)
        ends = range(_PIECE, len(signs) + 1)
        if not pieces.isdisjoint(signs[end - _PIECE : end] for end in ends):
            return True
    return False


@lru_cache(maxsize=8)
def _pieces(key: str) -> tuple[frozenset[str], bool]:
    """Return the forbidden strings, and whether to compare only letters and digits."""
    if len(_squeeze(key)) < _SECRET:
        return frozenset({key, *_encodings(key)}), False
    forms = {_squeeze(form) for plain in (key, key[::-1]) for form in (plain, *_encodings(plain))}
    ends = {form: range(_PIECE, len(form) + 1) for form in forms}
    return frozenset(form[end - _PIECE : end] for form in forms for end in ends[form]), True


def _encodings(plain: str) -> Iterator[str]:
    """Yield the encoded forms of a text, for every position that it can have in a longer text."""
    content = plain.encode("ascii")
    yield codecs.encode(plain, "rot13")
    yield content.hex()
    for encode, size, bits in ((base64.b64encode, 3, 6), (base64.b32encode, 5, 5)):
        for before in range(size):
            # The first and last characters also encode bits of the text around the key.
            whole = encode(bytes(before) + content).decode("ascii").rstrip("=")
            last = len(whole) - (8 * (before + len(content)) % bits > 0)
            yield whole[-(-8 * before // bits) : last]


def _views(text: str) -> Iterator[str | None]:
    """Yield a text unchanged and decoded; a final None means that escapes are nested too deeply."""
    for _ in range(_ROUNDS):
        yield text
        yield text.replace("0x", "")
        yield "".join(chr(int(number)) for number in _NUMBER.findall(text))
        strings = _STRING.findall(text)
        yield "".join(string for string, _ in strings)
        yield "".join(string for string, is_name in strings if not is_name)
        decoded = unquote(unescape(_ESCAPE.sub(_character, text)))
        if decoded == text:
            return
        text = decoded
    yield None


def _character(escape: re.Match[str]) -> str:
    if escape[4] is not None:
        return escape[4]
    code = int(escape[3], 8) if escape[3] else int(escape[1] or escape[2], 16)
    return chr(code) if code < 0x110000 else "\ufffd"


def _squeeze(text: str) -> str:
    """Return only the letters and digits of a text, in lower case."""
    return _SIGNS.sub("", unicodedata.normalize("NFKC", text).lower())
