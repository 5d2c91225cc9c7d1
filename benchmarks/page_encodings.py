"""How many pages are decoded to the same characters as Chromium decodes them to.

    python benchmarks/page_encodings.py

Pages in 20 encodings, each with declarations as they are met: a right one in the header or in the
page, an alias, an unknown one, a wrong one, two, one in a comment or late, a byte-order mark that
says otherwise, bytes that mean nothing, none at all. They are fetched over HTTP, so that Chromium
decides by the same bytes and the same header. Beside `decoded_page` stands what Python's own codecs
give under the standard's labels.
"""

from __future__ import annotations

import argparse
import codecs
import re
import shutil
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import webencodings
from playwright.sync_api import sync_playwright

from qrelsmith.io.page_encoding import declared_encoding, decoded_page

TEXTS = {
    "English": "The pool’s depth was “ten” – as agreed, for 5 €.",
    "German": "Größere Häuser heizen früher: süß, äußerst öde Übung.",
    "Polish": "Zażółć gęślą jaźń; późniejsza ocena źródła.",
    "Greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
    "Russian": "Съешь же ещё этих мягких французских булок.",
    "Hebrew": "דג סקרן שט בים מאוכזב ולפתע מצא חברה.",
    "Japanese": "検索の評価は①と㈱の文書で行う。カタカナも。",
    "Simplified": "朱镕基与信息检索的评价标准。",
    "Traditional": "資訊檢索嘅評價標準與文件。",
    "Korean": "똠방각하와 정보 검색의 평가 기준.",
    "Thai": "การประเมินระบบค้นคืนสารสนเทศ",
    "Turkish": "Pijamalı hasta yağız şoföre çabucak güvendi.",
}
# Encoding, other labels of it, language, and the codec that writes it.
ENCODINGS = (
    ("utf-8", "unicode-1-1-utf-8", "Japanese", "utf-8"),
    ("utf-16le", "utf-16", "Russian", "utf-16-le"),
    ("windows-1252", "iso-8859-1", "English", "cp1252"),
    ("windows-1252", "us-ascii", "German", "cp1252"),
    ("iso-8859-2", "latin2", "Polish", "iso8859-2"),
    ("iso-8859-15", "l9", "German", "iso8859-15"),
    ("windows-1250", "cp1250", "Polish", "cp1250"),
    ("windows-1251", "x-cp1251", "Russian", "cp1251"),
    ("windows-1253", "cp1253", "Greek", "cp1253"),
    ("windows-1254", "iso-8859-9", "Turkish", "cp1254"),
    ("windows-1255", "cp1255", "Hebrew", "cp1255"),
    ("iso-8859-8", "visual", "Hebrew", "iso8859-8"),
    ("koi8-r", "koi", "Russian", "koi8-r"),
    ("windows-874", "tis-620", "Thai", "cp874"),
    ("shift_jis", "windows-31j", "Japanese", "cp932"),
    ("euc-jp", "x-euc-jp", "Japanese", "euc_jp"),
    ("iso-2022-jp", "csiso2022jp", "Japanese", "iso2022_jp"),
    ("gbk", "gb2312", "Simplified", "gbk"),
    ("gb18030", "gb18030", "Simplified", "gb18030"),
    ("big5", "big5-hkscs", "Traditional", "big5hkscs"),
    ("euc-kr", "ks_c_5601-1987", "Korean", "cp949"),
)
WRONG = "windows-1251"


def pages() -> Iterator[tuple[str, str, bytes]]:
    """What is declared, the charset of the header, and the bytes of each page."""
    for name, alias, language, codec in ENCODINGS:
        text = TEXTS[language] * 3

        def page(head: str, text: str = text, codec: str = codec, extra: bytes = b"") -> bytes:
            body = f"<html><head>{head}</head><body><p>{text}"
            return body.encode(codec, "ignore") + extra + "</p></body></html>".encode(codec)

        meta = '<meta charset="{}">'.format
        http = '<meta http-equiv="Content-Type" content="text/html; charset={}">'.format
        label = f"{name}/{alias} in {codec}"
        yield f"{label}: header", name, page("")
        yield f"{label}: meta", "", page(meta(name))
        yield f"{label}: meta by another label", "", page(meta(alias.upper()))
        yield f"{label}: meta as http-equiv", "", page(http(alias))
        yield f"{label}: unknown label, then a right one", "", page(meta("x-none") + meta(name))
        yield f"{label}: unknown in the header, right in the page", "utf-7", page(meta(name))
        yield f"{label}: two metas, the first wrong", "", page(meta(WRONG) + meta(name))
        yield f"{label}: header wrong, meta right", WRONG, page(meta(name))
        yield f"{label}: a meta in a comment", name, page("<!--" + meta(WRONG) + "-->")
        yield f"{label}: comment, then right", "", page("<!--" + meta(WRONG) + "-->" + meta(name))
        yield f"{label}: meta too late", "", page("<!--" + "x" * 1100 + "-->" + meta(name))
        yield f"{label}: lost bytes", name, page("", extra=b"\x81 \xff\xfe\xa1- \x8f\xff\x80b")
        yield f"{label}: UTF-8 mark", name, b"\xef\xbb\xbf" + page(meta(name), codec="utf-8")
        yield f"{label}: says UTF-16", "", page(meta("utf-16"), codec="utf-8")
        yield f"{label}: no declaration", "", page("")
        yield f"{label}: unknown alone", "", page(meta("punycode"))


def by_python(content: bytes, charset: str) -> str:
    """What a plain use of Python's codecs under the standard's labels gives."""
    label = charset if webencodings.lookup(charset) else declared_encoding(content) or ""
    encoding = webencodings.lookup(label)
    if encoding is None:
        encoding = webencodings.lookup("utf-8" if _is_utf_8(content) else "windows-1252")
    return str(webencodings.decode(content, encoding)[0])


def _is_utf_8(content: bytes) -> bool:
    try:
        codecs.decode(content, "utf-8")
    except UnicodeDecodeError:
        return False
    return True


def words(page: str) -> str:
    """The text of the one paragraph; a page that was taken for something else has none."""
    match = re.search(r"<p>(.*?)(?:</p>|\Z)", page, re.DOTALL)
    return match[1].replace("\r", "\n").replace("\0", "") if match else "no paragraph"


@contextmanager
def served(answers: Sequence[tuple[str, bytes]]) -> Iterator[str]:
    """Pages by their numbers, over HTTP; the address that their numbers follow."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            number = self.path.strip("/")
            kind, content = answers[int(number)] if number.isdigit() else ("text/plain", b"")
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    same: Counter[str] = Counter()
    cases = list(pages())
    answers = [
        ("text/html" + (f"; charset={charset}" if charset else ""), content)
        for _, charset, content in cases
    ]
    with served(answers) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"),
            args=["--no-sandbox"],
        )
        page = browser.new_page()
        for number, (name, charset, content) in enumerate(cases):
            page.goto(f"{address}{number}")
            shown = page.evaluate(
                "() => { const p = document.querySelector('p');"
                " return p ? p.textContent : 'no paragraph' }"
            )
            ours = words(decoded_page(content, is_html=True, charset=charset)[0])
            is_same = ours == shown
            declared = "declared" if "no decl" not in name and "alone" not in name else "guessed"
            same["decoded_page"] += is_same
            same["Python's codecs"] += words(by_python(content, charset)) == shown
            same[declared] += is_same
            same[f"of {declared}"] += 1
            if not is_same:
                chromium = page.evaluate("document.characterSet")
                print(f"- {name}: {ascii(ours)[:60]}; {chromium} {ascii(shown)[:60]}")
        print(f"Chromium {browser.version}, {len(cases)} pages")
        browser.close()
    for what in ("decoded_page", "Python's codecs"):
        print(f"{what}: {same[what]} equal, {same[what] / len(cases):.1%}")
    print(f"with a declaration: {same['declared']} of {same['of declared']}")


if __name__ == "__main__":
    main()
