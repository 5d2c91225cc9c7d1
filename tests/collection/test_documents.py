"""Docs from JSONL, folders and WARC files, read strictly."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import warnings
from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.collection.document import Document
from qrelsmith.collection.documents import read_documents, roughly


def docs(path: Path) -> list[Document]:
    return list(read_documents(path))


def lines(path: Path, *objects: object) -> Path:
    text = "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in objects)
    path.write_text(text, encoding="utf-8")
    return path


def test_jsonl_contains_text_or_html(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "documents.jsonl",
        {"doc_id": "a", "text": "plain", "title": "A"},
        "# a remark",
        {"doc_id": "001", "html": "<p>x", "url": "http://x.example/"},
        {"doc_id": 7, "text": ""},
    )
    assert docs(path) == [
        Document("a", "text", "plain", title="A"),
        Document("001", "html", "<p>x", url="http://x.example/"),
        Document("7", "text", ""),
    ]


def test_the_digest_covers_form_title_and_content_each_with_its_length() -> None:
    written = b"4\nhtml1\nT2\nxy"
    document = Document("d", "html", "xy", title="T", url="http://x.example/")
    assert document.sha256 == hashlib.sha256(written).hexdigest()
    assert document.sha256 != Document("d", "html", "y", title="Tx").sha256


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"text": "x"}', "the doc has no doc_id; expected doc_id and text or html"),
        ('{"doc_id": "", "text": "x"}', "expected an id without spaces"),
        ('{"doc_id": "a b", "text": "x"}', "expected an id without spaces"),
        ('{"doc_id": "a\\u0000", "text": "x"}', "expected an id without spaces"),
        ('{"doc_id": "a"}', "neither text nor html"),
        ('{"doc_id": "a", "text": "x", "html": "y"}', "text and html"),
        ('{"doc_id": "a", "text": ["x"]}', "expected text or a number"),
        ("[1]", "not a JSON object"),
        ("{", "invalid JSON"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = lines(tmp_path / "documents.jsonl", {"doc_id": "ok", "text": "x"}, line)
    with pytest.raises(InputError, match=problem) as caught:
        docs(path)
    assert str(caught.value).startswith(f"{path}:2: ")


def test_lines_are_counted_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qrelsmith.io.sizes.TEXT_BLOCK", 64)
    good = [{"doc_id": f"d{n}", "text": "x" * n} for n in range(50)]
    path = lines(tmp_path / "documents.jsonl", *good, "{")
    with pytest.raises(InputError) as caught:
        docs(path)
    assert caught.value.line == 51


def test_invalid_utf_8_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_bytes(b'{"doc_id": "a", "text": "x"}\n{"doc_id": "b", "text": "\xff"}\n')
    with pytest.raises(InputError) as caught:
        docs(path)
    assert caught.value.line == 2


def test_unknown_keys_are_reported_once(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "documents.jsonl",
        {"doc_id": "a", "text": "x", "year": 1},
        {"doc_id": "b", "text": "x", "year": 2, "by": "me"},
    )
    with pytest.warns(InputWarning, match=r"are ignored: by, year$"):
        assert len(docs(path)) == 2


def test_a_folder_contains_pages_and_texts_by_path(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "page.html").write_text("<title> A  &amp; B </title><p>x")
    (tmp_path / "note.txt").write_text("x\r\ny")
    (tmp_path / ".hidden").write_text("x")
    assert docs(tmp_path) == [
        Document("b/page", "html", "<title> A  &amp; B </title><p>x", title="A & B"),
        Document("note", "text", "x\ny"),
    ]


def test_other_files_in_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no docs"):
        docs(tmp_path)
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    with pytest.raises(InputError, match=r"expected \.html, \.htm, \.txt"):
        docs(tmp_path)


def test_a_page_in_utf_16_is_read_as_in_browsers(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes("<p>é".encode("utf-16"))
    assert docs(tmp_path) == [Document("a", "html", "<p>é")]


def test_no_link_points_outside_a_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("what no assessor is to see")
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.txt").write_text("x")
    (folder / "b.txt").symlink_to(folder / "a.txt")
    assert [each.doc_id for each in docs(folder)] == ["a", "b"]
    (folder / "c.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(InputError, match=r"c\.txt: the link points outside the folder"):
        docs(folder)


@pytest.mark.parametrize("name", ["a.jsonl.gz", "folder", "a.warc.gz"])
def test_a_small_file_cannot_become_a_huge_doc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("qrelsmith.collection.document.LARGEST", 100_000)
    monkeypatch.setattr("qrelsmith.collection.document_folders.LARGEST", 100_000)
    monkeypatch.setattr("qrelsmith.collection.document_archives.LARGEST", 100_000)
    monkeypatch.setattr("qrelsmith.collection.document_lines._LONGEST", 600_000)
    monkeypatch.setattr("qrelsmith.io.sizes.TEXT_BLOCK", 1 << 16)
    path, bomb = tmp_path / name, b"x" * 10_000_000
    if name == "folder":
        path.mkdir()
        (path / "a.txt").write_bytes(gzip.compress(bomb))
        problem = r"a\.txt: the file has more than 100000 bytes"
    elif name == "a.warc.gz":
        warc(path, ("c-1", "200 OK", "text/html", bomb))
        problem = "the doc 'c-1' has more than 100000 bytes"
    else:
        path.write_bytes(gzip.compress(b'{"doc_id": "a", "text": "x"}\n{"text": "' + bomb))
        problem = r"a\.jsonl\.gz:2: the line has more than 600000 bytes"
    with pytest.raises(InputError, match=problem):
        docs(path)


def test_a_doc_has_a_maximum_size() -> None:
    with pytest.raises(UsageError, match="has more than 20000000 characters"):
        Document("a", "text", "x" * 20_000_001)


@pytest.mark.parametrize("name", ["documents.xml", "documents", "documents.gz"])
def test_a_name_without_a_known_form_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("x")
    with pytest.raises(InputError, match="the file does not contain docs"):
        docs(tmp_path / name)


def test_broken_pages_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<meta charset=utf-8>\xff")
    with pytest.warns(InputWarning, match="1 docs contain bytes"):
        assert docs(tmp_path)[0].content.endswith("\ufffd")


def warc(path: Path, *responses: tuple[str, str, str, bytes]) -> Path:
    """Write a WARC 1.0 file (ISO 28500, section 5); a response is (id, status, type, body)."""
    pytest.importorskip("warcio", reason="needs the extra web")
    records = []
    for name, status, kind, body in responses:
        http = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n".encode() + body
        head = (
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
            f"WARC-TREC-ID: {name}\r\nWARC-Target-URI: http://x.example/{name}\r\n"
            "WARC-Date: 2021-01-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\n"
            f"Content-Length: {len(http)}\r\n\r\n"
        )
        record = head.encode() + http + b"\r\n\r\n"
        records.append(gzip.compress(record) if path.suffix == ".gz" else record)
    path.write_bytes(b"".join(records))
    return path


@pytest.mark.parametrize("name", ["documents.warc", "documents.warc.gz"])
def test_pages_are_read_from_warc(tmp_path: Path, name: str) -> None:
    path = warc(
        tmp_path / name,
        ("clueweb-1", "200 OK", "text/html; charset=shift_jis", "日本".encode("shift_jis")),
        ("clueweb-2", "404 Not Found", "text/html", b"gone"),
        ("clueweb-3", "200 OK", "image/png", b"png"),
        ("clueweb-4", "200 OK", "text/plain", b"text"),
    )
    with pytest.warns(InputWarning, match="ignored 2 records"):
        assert docs(path) == [
            Document("clueweb-1", "html", "日本", url="http://x.example/clueweb-1"),
            Document("clueweb-4", "text", "text", url="http://x.example/clueweb-4"),
        ]


def test_a_file_that_is_not_warc_is_an_error(tmp_path: Path) -> None:
    pytest.importorskip("warcio", reason="needs the extra web")
    path = tmp_path / "documents.warc"
    path.write_text("this is no archive\n")
    with pytest.raises(InputError, match="invalid WARC"):
        docs(path)


@pytest.mark.parametrize(
    ("whole", "made", "told"),
    [
        (b"", b"what\r\nis this\r\n\r\n", r"what\r\n"),
        (b"Content-Length: ", b"Content-Length: 1\r\n2", ""),
        (b"WARC-TREC-ID: ", b"WARC-TREC-ID: a\r\n b", "expected an id without spaces"),
        (b"WARC-TREC-ID: ", b"WARC-TREC-ID: a\rb", r"'a\rbc-1'"),
        (b"WARC/1.0\r\n", b"WARC/7\r\nx\r\n", ""),
    ],
)
@pytest.mark.parametrize("name", ["documents.warc", "documents.warc.gz"])
def test_no_line_of_a_warc_file_breaks_the_line_of_an_error(
    tmp_path: Path, name: str, whole: bytes, made: bytes, told: str
) -> None:
    content = warc(tmp_path / "a.warc", ("c-1", "200 OK", "text/html", b"<p>x")).read_bytes()
    content = content.replace(whole, made, 1) if whole else content + made
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    with pytest.raises(InputError) as caught:
        docs(tmp_path / name)
    assert len(str(caught.value).splitlines()) == 1
    assert told in str(caught.value)


@pytest.mark.parametrize("name", ["documents.warc", "documents.warc.gz"])
def test_a_damaged_warc_file_is_one_error_and_every_lost_page_is_reported(
    tmp_path: Path, name: str
) -> None:
    rows = [(f"c-{n}", "200 OK", "text/html", b"<p>" + b"word " * 40) for n in range(3)]
    whole = warc(tmp_path / name, *rows).read_bytes()
    rng = random.Random(5)
    outcomes = set()
    for _ in range(150):
        content = bytearray(whole)
        place = rng.randrange(len(content))
        if rng.random() < 0.5:
            del content[place:]
        else:
            content[place] ^= 1 << rng.randrange(8)
        (tmp_path / name).write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)
            try:
                outcomes.add(len(docs(tmp_path / name)))
            except InputError:
                outcomes.add(-1)
    assert -1 in outcomes


def test_a_truncated_warc_record_is_refused(tmp_path: Path) -> None:
    path = warc(tmp_path / "a.warc", ("c-1", "200 OK", "text/html", b"<p>relevant, as follows"))
    path.write_bytes(path.read_bytes()[:-15])
    with pytest.raises(InputError, match="the doc 'c-1' is truncated"):
        docs(path)


@pytest.mark.parametrize("which", [0, 1])
def test_a_warc_record_longer_than_its_declared_length_is_refused(
    tmp_path: Path, which: int, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [(f"c-{n}", "200 OK", "text/html", b"<p>relevant, as follows") for n in range(2)]
    path = warc(tmp_path / "a.warc", *rows)
    records = path.read_bytes().split(b"WARC/1.0")[1:]
    length = int(records[which].split(b"Content-Length: ")[1].split(b"\r\n")[0])
    said = b"Content-Length: %d" % length
    records[which] = records[which].replace(said, b"Content-Length: %d" % (length - 9))
    path.write_bytes(b"".join(b"WARC/1.0" + record for record in records))
    with pytest.raises(InputError, match="a record is longer than stated in its header"):
        docs(path)
    assert capsys.readouterr().err == ""


def test_a_doc_needs_an_id_and_a_form() -> None:
    for arguments in (("", "text", "x"), ("a\tb", "text", "x"), ("a", "pdf", "x")):
        with pytest.raises(UsageError):
            Document(*arguments)


def test_the_number_of_docs_can_be_estimated(tmp_path: Path) -> None:
    path = lines(tmp_path / "documents.jsonl", {"doc_id": "a", "text": "x"}, {"doc_id": "b"})
    assert roughly(path) == 2
    (tmp_path / "documents.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert roughly(tmp_path / "documents.jsonl.gz") == 2
    assert roughly(tmp_path) == 2
    assert roughly(tmp_path / "documents.warc.gz") == 0
