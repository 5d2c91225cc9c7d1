"""Decoding by the web's encodings, as in the WHATWG Encoding Standard.

The standard's names of encodings come from `webencodings`, and its tables mostly from Python's
codecs. This module defines the differences: characters missing in a codec are added when decoding
fails, different characters are replaced afterwards, and invalid bytes become U+FFFD. By the
standard's rule, a lead byte and its trail bytes become one U+FFFD. Three characters stay as in
Python, because other bytes also encode these characters: A2 41 and A2 42 of Big5, 8F A2 B7 of
EUC-JP.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

_LOST = "\ufffd"


def web_encoding(label: str) -> str | None:
    """Return the name of the encoding for any of its names in the standard, or None.

    >>> web_encoding(" Latin1 "), web_encoding("sjis"), web_encoding("utf-7")
    ('windows-1252', 'shift_jis', None)
    """
    import webencodings

    try:
        encoding = webencodings.lookup(label)
    except UnicodeError:
        return None
    return None if encoding is None else str(encoding.name)


def web_text(content: bytes, encoding: str) -> tuple[str, bool]:
    """Decode bytes, and also return whether every byte was valid.

    Parameters
    ----------
    content : bytes
        The bytes, without a byte-order mark.
    encoding : str
        A name that `web_encoding` returned.
    """
    if encoding == "replacement":
        # Scripts could hide in these bytes; the standard decodes none of them.
        return (_LOST, False) if content else ("", True)
    if encoding == "iso-2022-jp":
        return _text_and_loss(_stateful_japanese(content))
    if encoding.startswith("utf-"):
        try:
            return content.decode(encoding), True
        except UnicodeDecodeError:
            return content.decode(encoding, "replace"), False
    table = _TABLES.get(encoding) or _single_byte(encoding)
    text = content.decode(table.codec, f"qrelsmith-{encoding}")
    return _text_and_loss(text.translate(table.replaced) if table.replaced else text)


def _text_and_loss(text: str) -> tuple[str, bool]:
    return text, _LOST not in text


@dataclass(frozen=True, slots=True)
class _Table:
    """Python's codec of an encoding, and its differences from the standard.

    Attributes
    ----------
    codec : str
        Python's name of the codec.
    lacked : callable
        Returns the text of bytes unknown to the codec and their number; None if they are invalid.
    leads : pattern of bytes
        Invalid bytes that are replaced together: a lead byte and its trail bytes.
    replaced : dict
        Characters that differ from the codec's, for `str.translate`.
    """

    codec: str
    lacked: Callable[[bytes], tuple[str, int] | None]
    leads: re.Pattern[bytes]
    replaced: Mapping[int, int | str]

    def repair(self, error: UnicodeError) -> tuple[str, int]:
        """Return the text for bytes unknown to the codec, and the position of the next byte."""
        if not isinstance(error, UnicodeDecodeError):
            raise error
        sequence = error.object[error.start : error.start + 4]
        text, length = self.lacked(sequence) or (_LOST, 0)
        if not length:
            lost = self.leads.match(sequence)
            length = lost.end() if lost else 1
        return text, error.start + length


def _register(
    encoding: str,
    codec: str,
    lacked: Callable[[bytes], tuple[str, int] | None],
    *,
    leads: bytes = rb"[\x81-\xfe][\x80-\xff]?",
    replaced: Mapping[int, int | str] = MappingProxyType({}),
) -> _Table:
    table = _Table(codec, lacked, re.compile(leads), replaced)
    codecs.register_error(f"qrelsmith-{encoding}", table.repair)
    return _TABLES.setdefault(encoding, table)


def _single_byte(encoding: str) -> _Table:
    import webencodings

    if encoding == "x-user-defined":
        return _register(encoding, "ascii", _private, leads=b".")
    codec = webencodings.PYTHON_NAMES.get(encoding, encoding)
    lacked = _control if encoding.startswith("windows-") else _nothing
    if encoding == "windows-1255":
        lacked = _hebrew
    replaced = str.maketrans("╝╬", "ўЎ") if encoding == "koi8-u" else {}
    return _register(encoding, codec, lacked, leads=b".", replaced=replaced)


def _nothing(sequence: bytes) -> None:
    """Return None: the codec has all characters of the standard."""


def _control(sequence: bytes) -> tuple[str, int] | None:
    """Map bytes without a character to the C1 controls, as Windows' code pages do."""
    return (chr(sequence[0]), 1) if sequence[0] < 0xA0 else None


def _hebrew(sequence: bytes) -> tuple[str, int] | None:
    return ("\u05ba", 1) if sequence[0] == 0xCA else _control(sequence)


def _private(sequence: bytes) -> tuple[str, int]:
    return chr(0xF700 + sequence[0]), 1


def _pair(codec: str, sequence: bytes) -> tuple[str, int] | None:
    """Decode two bytes with another codec."""
    try:
        text = sequence[:2].decode(codec)
    except UnicodeDecodeError:
        return None
    return (text, 2) if len(text) == 1 else None


def _rows_of_vendors(sequence: bytes) -> tuple[str, int] | None:
    """Decode NEC's and IBM's characters outside JIS X 0208, by their codes in code page 932."""
    if len(sequence) < 2 or not all(0xA1 <= byte <= 0xFE for byte in sequence[:2]):
        return None
    row, cell = sequence[0] - 0xA1, sequence[1] - 0xA1
    lead = row // 2 + (0x81 if row < 62 else 0xC1)
    trail = cell + 0x9F if row % 2 else cell + 0x40 + (cell >= 63)
    return _pair("cp932", bytes([lead, trail]))


def _hong_kong(sequence: bytes) -> tuple[str, int] | None:
    """Decode the characters added by IBM and ETEN before 2008, and by Hong Kong in 2008."""
    added = _BIG5.get(sequence[:2])
    return (added, 2) if added else None


def _four_bytes(sequence: bytes) -> tuple[str, int] | None:
    if sequence[0] == 0x80:
        return "€", 1
    four = _FOUR.match(sequence)
    return (_LOST, four.end()) if four else None


def _stateful_japanese(content: bytes) -> str:
    """Decode ISO-2022-JP, which switches by escape sequences between four character sets."""
    parts, end, decode = [], 0, _SETS[b"(B"]
    for escape in _ESCAPE.finditer(content):
        parts.append(decode(content[end : escape.start()]))
        decode, end = _SETS[escape[1]], escape.end()
    return "".join([*parts, decode(content[end:])])


def _seven_bits(codec: str, content: bytes) -> str:
    text = content.decode(codec, "replace")
    return _SHIFTS.sub(_LOST, text)


def _roman(content: bytes) -> str:
    return _seven_bits("ascii", content).replace("\\", "¥").replace("~", "‾")


def _kana(content: bytes) -> str:
    return "".join(chr(0xFF40 + byte) if 0x21 <= byte <= 0x5F else _LOST for byte in content)


def _kanji(content: bytes) -> str:
    """Decode byte pairs of the table that EUC-JP uses with the high bits set; keep line ends."""
    parts = []
    for pair in _PAIR.findall(content):
        if pair[0] < 0x21:
            parts.append(pair.decode("ascii"))
        elif len(pair) == 1:
            parts.append(_LOST)
        else:
            parts.append(web_text(bytes(byte | 0x80 for byte in pair), "euc-jp")[0])
    return "".join(parts)


_ESCAPE = re.compile(rb"\x1b(\([BJI]|\$[@B])")
_SHIFTS = re.compile("[\x0e\x0f\x1b]")
_PAIR = re.compile(rb"[\x21-\x7e][\x21-\x7e]|[\x09\x0a\x0c\x0d\x20]|[\s\S]")
_SETS: dict[bytes, Callable[[bytes], str]] = {
    b"(B": partial(_seven_bits, "ascii"), b"(J": _roman, b"(I": _kana, b"$@": _kanji, b"$B": _kanji,
}  # fmt: skip
# At the end of the input, the sequence may be incomplete.
_FOUR = re.compile(rb"[\x81-\xfe][0-9](?:[\x81-\xfe](?:[0-9]|\Z)|\Z)")
# The rows of the standard's Big5 index that Python's HKSCS-2004 codec lacks.
_BIG5_BYTES = bytes.fromhex(
    "877a877b877c877d877e87a187a287a387a487a587a687a787a887a987aa87ab87ac87ad87ae87af87b087b1"
    "87b287b387b487b587b687b787b887b987ba87bb87bc87bd87be87bf87c087c187c287c387c487c587c687c7"
    "87c887c987ca87cb87cc87cd87ce87cf87d087d187d287d387d487d587d687d787d887d987da87db87dc87dd"
    "87de87df8e698e6f8e7e8eab8eb48ecd8ed08f578f698f6e8fcb8fcc8ffe906d907a90dc90f191bf924492af"
    "92b092b192b292c892d1944794ca95d9964496ed96fc9b769b789b7b9bc69bde9bec9bf69c429c539c629c68"
    "9c6b9c779cbc9cbd9cd09d579d5a9dc49ea99eef9efd9f609f669fcb9fd8a063a077a0d5a0dfa0e4a3c0a3c1"
    "a3c2a3c3a3c4a3c5a3c6a3c7a3c8a3c9a3caa3cba3cca3cda3cea3cfa3d0a3d1a3d2a3d3a3d4a3d5a3d6a3d7"
    "a3d8a3d9a3daa3dba3dca3dda3dea3dfa3e0a3e1c6cfc6d3c6d5c6d7c6dec6dffa5ffa66fabdfac5fad5fb48"
    "fbb8fbf3fbf9fc4ffc6cfcb9fce2fcf1fdb7fdb8fdbbfdf1fe52fe6ffeaafedd"
)
_BIG5_CHARACTERS = (
    "㡵𡵓𣚞𦀡㻬𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏"
    "䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋箸簆糎緒縝者耨菁蒨萏覦覩起都銹靜響鼖蔃兙兛兝兞鍮瑹浧禛邗"
    "靝瀞嬨爁矗纇駖釔惞澶輶侻營鄄鷰菏尐秣婧輋筑拐恢痹汊鬮鼗僭弌蠏拎瑨煢牐␀␁␂␃␄␅␆␇␈␉␊␋␌␍"
    "␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡€廴无癶隶〃仝倩偽包卄卿嘅婷幵廐彘悤撐晴杞沜渝港煮猪瑜瓩砉"
)
_BIG5 = {
    _BIG5_BYTES[2 * place : 2 * place + 2]: character
    for place, character in enumerate(_BIG5_CHARACTERS)
}
_TABLES: dict[str, _Table] = {}
_register(
    "shift_jis",
    "cp932",
    _nothing,
    leads=rb"[\x81-\x9f\xe0-\xfc][\x80-\xff]?",
    replaced=dict.fromkeys(range(0xF8F0, 0xF8F4), _LOST),
)
_register(
    "euc-jp",
    "euc_jp",
    _rows_of_vendors,
    leads=rb"\x8f[\xa1-\xfe][\x80-\xff]?|[\x8e\x8f\xa1-\xfe][\x80-\xff]?",
    replaced=str.maketrans("〜‖−¢£¬", "～∥－￠￡￢"),
)
_register("euc-kr", "cp949", _nothing)
_register("big5", "big5hkscs", _hong_kong, replaced=str.maketrans("•､‾∼♁☉¥¢£", "‧﹑¯～⊕⊙￥￠￡"))
for _encoding in ("gbk", "gb18030"):
    _register(
        _encoding,
        "gb18030",
        _four_bytes,
        # The 2022 edition gave these code points of the private use area their own characters.
        replaced=str.maketrans(
            "\ue5e5\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796\ue7c7"
            "\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864",
            "\u3000\ufe10\ufe12\ufe11\ufe13\ufe14\ufe15\ufe16\ufe17\ufe18\ufe19\u1e3f"
            "\u9fb4\u9fb5\u9fb6\u9fb7\u9fb8\u9fb9\u9fba\u9fbb",
        ),
    )
