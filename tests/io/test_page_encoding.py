"""Pages are decoded to the characters that browsers show."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.io.page_encoding import declared_encoding, decoded_page
from qrelsmith.io.web_encodings import web_encoding, web_text

# Encoding Standard, index gb18030 and others; compared pair by pair with what Chromium 156 shows.
CHARACTERS = [
    ("latin1", b"\x92", "’"),
    ("us-ascii", b"\x80\x81", "€\x81"),
    ("shift_jis", b"\x87\x40\x87\x8a", "①㈱"),
    ("x-sjis", b"\x5c\x7e\x80\xa0\xfd", "\\~\x80\ufffd\ufffd"),
    ("euc-jp", b"\xad\xa1\xad\xea\xa1\xc1\x8f\xb0\xa1", "①㈱～丂"),
    ("gb2312", b"\xe9F\x80\xa6\xd9\x81\x30\x81\x30", "镕€︐\x80"),
    ("ks_c_5601-1987", b"\x8c\x63", "똠"),
    ("big5", b"\x9d\xef\x87\x7a\xa1\x45", "嘅㡵‧"),
    ("windows-1255", b"\xca", "\u05ba"),
    ("windows-1253", b"\x81\xaa", "\x81\ufffd"),
    ("koi8-u", b"\xae\xbe", "ўЎ"),
    ("csiso2022jp", b"\x1b$B-!!!\x1b(JA\\~\x1b(I1\x1b(B~\xff", "①\u3000A¥‾ｱ~\ufffd"),
    ("x-user-defined", b"a\x80\xff", "a\uf780\uf7ff"),
    ("hz-gb-2312", b"abc", "\ufffd"),
]
PAGES = [
    ("", b"\xef\xbb\xbf<meta charset=koi8-r>\xc3\xa9"),
    ("x-none", b"<meta charset=utf-16><p>\xc3\xa9"),
    ("utf-8", b"<meta charset=koi8-r>\xc3\xa9 \xe2\x82 \xff"),
    ("", b"<meta name=x content='text/html; charset=koi8-r'><meta charset=euc-kr>\x8c\x63"),
    (
        "",
        b"<!-- <meta charset=koi8-r> --><META HTTP-EQUIV=content-type CONTENT='charset=sjis'>\x83A",
    ),
    ("", b"<p title='<meta charset=koi8-r>'><meta charset=x-none><meta charset=latin2>\xb1\xe6"),
    ("", b"<head><!--" + b"x" * 2000 + b"--><meta charset=windows-1251></head>\xcf\xf0\xe8"),
    ("", b"<?xml version='1.0' encoding='big5'?><p>\xb4\xfa\xb8\xd5"),
    ("", b"<!--><meta charset=macintosh>-->\x8e"),
    ("", b"<meta charset='shift_jis'>\x81a\x81\xad\x81- \xfc\xfc\x81"),
    ("", b"<meta charset=gb18030>\x81\x30\x81- \xff\x81\x30 \x84\x31\xa5\x30 \x81"),
    ("", b"<meta charset=euc-jp>\x8f\xa1- \x8f\xa1\xff \x8e\xff \xa1"),
]


@pytest.mark.parametrize(("label", "content", "text"), CHARACTERS)
def test_labels_and_characters_are_those_of_the_standard(
    label: str, content: bytes, text: str
) -> None:
    encoding = web_encoding(label)
    assert encoding is not None
    assert web_text(content, encoding)[0] == text


@pytest.mark.parametrize("label", ["utf-7", "punycode", "rot13", "hex", "idna", "cp037", "é", ""])
def test_encodings_that_only_python_can_decode_are_not_web_encodings(label: str) -> None:
    assert web_encoding(label) is None


@pytest.mark.parametrize(
    ("content", "charset", "text", "is_whole"),
    [
        (b"<p>\xe9", "", "<p>é", True),
        (b"it\x92s", "latin-1", "it’s", True),
        ("<p>é".encode(), "", "<p>é", True),
        ("é".encode("utf-16"), "", "é", True),
        (b"\xef\xbb\xbfx", "latin-1", "x", True),
        (b"<meta charset=utf-16><p>a", "", "<meta charset=utf-16><p>a", True),
        (b"<meta charset=utf-7>+ADw-", "utf-7", "<meta charset=utf-7>+ADw-", True),
        ("Ещё этих мягких булок".encode("cp1251"), "", "Ещё этих мягких булок", True),
        (b"<meta charset=nosuch>x", "", "<meta charset=nosuch>x", True),
        (b"a\xff", "utf-8", "a\ufffd", False),
        (b"a\x81\xff", "sjis", "a\ufffd", False),
        (b"", "", "", True),
    ],
)
def test_the_encoding_of_a_page_is_declared_or_guessed(
    content: bytes, charset: str, text: str, is_whole: bool
) -> None:
    assert decoded_page(content, is_html=True, charset=charset) == (text, is_whole)


def test_a_text_file_declares_no_encoding() -> None:
    assert decoded_page(b"<meta charset=koi8-r>x", is_html=False)[0] == "<meta charset=koi8-r>x"


def test_a_large_page_with_a_slow_codec_of_python_is_decoded_quickly() -> None:
    # As punycode, each letter after the last hyphen moves half a page: 19 s of processor time.
    content = b"<meta charset=punycode>" + b"a" * 400_000 + b"-" + b"a" * 400_000
    start = time.process_time()
    assert decoded_page(content, is_html=True)[0].endswith("a-" + "a" * 400_000)
    assert time.process_time() - start < 5


@given(st.binary(max_size=80), st.sampled_from(["", "utf-8", "sjis", "iso-2022-jp", "big5", "gbk"]))
def test_any_bytes_make_a_page(content: bytes, charset: str) -> None:
    text, _ = decoded_page(content, is_html=True, charset=charset)
    assert text.isascii() or text.encode("utf-8")


@pytest.mark.parametrize("content", [b"<" * 60_000, b"<meta " * 10_000, b"<a " + b"b=" * 30_000])
def test_the_search_for_a_declaration_is_limited_to_the_head(content: bytes) -> None:
    start = time.process_time()
    declared_encoding(content)
    assert time.process_time() - start < 2


def test_chromium_shows_the_same(chromium_path: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        page = browser.new_page()
        for charset, content in PAGES:
            kind = "text/html" + (f";charset={charset}" if charset else "")
            address = f"data:{kind};base64,{base64.b64encode(content).decode()}"
            page.goto(address, timeout=60_000)
            shown = page.evaluate("document.documentElement.textContent")
            ours, _ = decoded_page(content, is_html=True, charset=charset)
            page.set_content(ours.replace("\r", "\n"), timeout=60_000)
            assert page.evaluate("document.documentElement.textContent") == shown, content
        browser.close()
