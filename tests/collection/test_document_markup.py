"""Docs in TREC's markup: text, titles, pages, places of errors, folders."""

from __future__ import annotations

import bz2
import gzip
import lzma
import warnings
from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.collection.document import Document
from qrelsmith.collection.documents import read_documents, roughly
from qrelsmith.formats.checking import check_files
from qrelsmith.formats.new_campaign import init_campaign

NEWS = """
<DOC>
<DOCNO> FT911-1 </DOCNO>
<PROFILE>_AN-BENBQAD8FT</PROFILE>
<HEADLINE>
FT  14 MAY 91 / Fish &amp; chips
</HEADLINE>
<TEXT>
First line
second line, a &lt;b&gt; and 3 &hyph; 1.
<P>
If x < y & y <z, AT&T <F P=105> stays </F>.
</P>
</TEXT>
</DOC>
"""
FIRST = Document(
    "FT911-1",
    "text",
    "_AN-BENBQAD8FT\n\nFirst line\nsecond line, a <b> and 3 - 1.\n\nIf x < y & y <z, AT&T  stays .",
    title="FT 14 MAY 91 / Fish & chips",
)
READ_AS = "read as trec: doc_id from DOCNO, title from HEADLINE; removed tags: F, P, PROFILE, TEXT"


def docs(path: Path) -> list[Document]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return list(read_documents(path))


def file(folder: Path, content: str | bytes, name: str = "docs") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_doc_consists_of_its_text_without_tags_and_its_headline(tmp_path: Path) -> None:
    path = file(tmp_path, NEWS)
    with pytest.warns(InputWarning) as caught:
        assert list(read_documents(path)) == [FIRST]
    assert [str(each.message) for each in caught] == [f"{path}: {READ_AS}"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_docs_are_read(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    assert docs(file(tmp_path, pack(NEWS.encode()))) == [FIRST]


@pytest.mark.parametrize("end", ["", "\n", "\r\n\r\n"])
def test_many_docs_are_read_across_blocks(tmp_path: Path, kilobyte_sizes: None, end: str) -> None:
    """Blocks of 1 kB end inside docs, between docs and in the middle of long lines."""
    del kilobyte_sizes
    texts = [f"{n} " + "word " * (37 * n % 700) for n in range(60)]
    path = file(tmp_path, end.join(
        f"<doc><docno>d{n}</docno>{end}{text}</doc>" for n, text in enumerate(texts)
    ))  # fmt: skip
    assert docs(path) == [Document(f"d{n}", "text", text.rstrip()) for n, text in enumerate(texts)]
    assert roughly(file(tmp_path, NEWS * 3)) == 3


@pytest.mark.parametrize(
    ("markup", "title", "text"),
    [
        ("<HEAD>A</HEAD><HEAD>B</HEAD>x", "A", "B\n\nx"),
        ("<H3> <TI>  A\n b</TI></H3>x", "A b", "x"),
        ("<TITLE>A <TEXT>x", "", "A\n\nx"),
        ("<TTL></TTL>x&blank;y &unknown; &#233;", "", "x y &unknown; é"),
        ("<!-- PJG ITAG l=1 g=1 f=1 -->x<br/>y", "", "x\n\ny"),
        ("<john@x.example> wrote: a<b> c", "", "<john@x.example> wrote: a c"),
        ("x\n\n\n\ny\n  z", "", "x\n\ny\n  z"),
        ("", "", ""),
    ],
)
def test_tags_and_entities_are_resolved(tmp_path: Path, markup: str, title: str, text: str) -> None:
    path = file(tmp_path, f"<DOC><DOCNO>1</DOCNO>{markup}</DOC>")
    assert docs(path) == [Document("1", "text", text, title=title)]


def test_an_attribute_can_be_the_id(tmp_path: Path) -> None:
    """As in AQUAINT-2 and Gigaword."""
    path = file(tmp_path, '<DOC id="APW_ENG_20041001.0001" type="story" >\n<P>x</P>\n</DOC>\n')
    assert docs(path) == [Document("APW_ENG_20041001.0001", "text", "x")]


def test_a_crawled_page_is_html_with_its_address(tmp_path: Path) -> None:
    """As in GOV2; WT10g has more fields after the address."""
    page = "<html><title>Caf\xe9</title>&lt;p&gt;<p>x".encode("latin-1")
    content = (
        b"<DOC>\n<DOCNO>GX000-00-1</DOCNO>\n<DOCOLDNO>IA1</DOCOLDNO>\n<DOCHDR>\n"
        b"http://x.example/a 1.2.3.4\nHTTP/1.1 200 OK\nContent-Type: text/html; charset=latin1\n"
        b"</DOCHDR>\n" + page + b"\n</DOC>\n<DOC><DOCNO>2</DOCNO><!DOCTYPE html><p>y</DOC>"
    )
    html = "<html><title>Café</title>&lt;p&gt;<p>x"
    assert docs(file(tmp_path, content)) == [
        Document("GX000-00-1", "html", html, title="Café", url="http://x.example/a"),
        Document("2", "html", "<!DOCTYPE html><p>y"),
    ]


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ("<DOC>\nx</DOC>", 4, "the DOCNO of the doc is none; expected one <DOCNO>id</DOCNO>"),
        ("<DOC><DOCNO>1</DOC>", 4, "the DOCNO of the doc is none"),
        ("<DOC><DOCNO>1</DOCNO><DOCNO>2</DOCNO></DOC>", 4, "is '1' and '2'; expected one"),
        ("<DOC><DOCNO>1</DOCNO><DOCNO>2</DOC>", 4, "is '1'; expected one"),
        ("<DOC><DOCNO> </DOCNO></DOC>", 4, "the <DOCNO> is empty"),
        ("<DOC><DOCNO>a b</DOCNO></DOC>", 4, "the doc is 'a b'; expected an id without spaces"),
        ("<DOC>\n<DOC>", 5, "found <DOC> inside the <DOC> of line 4; expected </DOC>"),
        ("<DOC><DOCNO>1</DOCNO>\n\n", 4, "the <DOC> has no closing tag; expected </DOC>"),
        ("</DOC>", 4, "found </DOC> outside a doc; expected <DOC>"),
        ("\n stray <b>\nx", 5, "'stray <b>' is outside <DOC>…</DOC>; expected <DOC>"),
        (b"<DOC><DOCNO>\n1\n</DOCNO>\nx\ncaf\xe9\n</DOC>", 8,
         "the line is not UTF-8: 'caf\\\\\\\\xe9'; expected UTF-8. Convert the file, for example"),
        (b"<DOC><DOCNO>\xe9</DOCNO></DOC>", 4, "the line is not UTF-8"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("sizes", ["usual", "small"])
def test_a_faulty_doc_is_one_error_with_its_line(
    tmp_path: Path,
    request: pytest.FixtureRequest,
    sizes: str,
    content: str | bytes,
    line: int,
    problem: str,
) -> None:
    if sizes == "small":
        request.getfixturevalue("kilobyte_sizes")
    begin = f"<DOC><DOCNO>d</DOCNO>\n{'x ' * 3000}\n</DOC>\n".encode()
    path = file(tmp_path, begin + (content.encode() if isinstance(content, str) else content))
    with pytest.raises(InputError, match=problem) as caught:
        docs(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("inside", [b"x" * 1_000 + b"\n", b"<", b"<TITLE>", b"<DOCHDR>", b"&#1"])
def test_a_large_doc_is_refused_in_time_proportional_to_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: bytes
) -> None:
    monkeypatch.setattr("qrelsmith.collection.document_markup.LARGEST", 1_000_000)
    begin = b"<DOC><DOCNO>1</DOCNO>"
    whole = file(tmp_path, begin + inside * (900_000 // len(inside)) + b"\n</DOC>")
    assert len(docs(whole)) == 1
    path = file(tmp_path, gzip.compress(begin + inside * (2_000_000 // len(inside)) + b"\n</DOC>"))
    with pytest.raises(InputError, match="the doc has more than 1000000 bytes"):
        docs(path)


def test_a_folder_of_files_without_suffix_is_a_collection(tmp_path: Path) -> None:
    """As on TREC's disks: ft/ft911/ft911_1."""
    folder = tmp_path / "ft"
    file(folder, NEWS, "ft911/ft911_1")
    file(folder, gzip.compress(NEWS.replace("-1", "-2").encode()), "ft911/ft911_2.gz")
    file(folder, NEWS.replace("-1", "-3"), "ft912/a.txt")
    with pytest.warns(InputWarning) as caught:
        assert [doc.doc_id for doc in read_documents(folder)] == ["FT911-1", "FT911-2", "FT911-3"]
    assert [str(each.message) for each in caught] == [f"{folder}: {READ_AS}"]
    (check,) = check_files(folder).files
    assert (check.kind, check.form, check.holds) == ("documents", "trec", f"3 docs; {READ_AS}")
    file(folder, "read this first", "readme")
    with pytest.raises(InputError, match=r"readme: the suffix is ''; expected .*, or a file with"):
        docs(folder)


def test_a_campaign_is_created_from_a_file_of_docs_and_from_a_folder(tmp_path: Path) -> None:
    topics = file(tmp_path, '{"topic": "1", "title": "fish"}\n', "topics.jsonl")
    one = file(tmp_path, NEWS, "docs.trec")
    (check,) = check_files(one).files
    assert (check.kind, check.form) == ("documents", "trec")
    page = file(tmp_path, "<p>x", "pages/a.html").parent
    found = []
    for place, source in enumerate((one, page)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)
            init_campaign(tmp_path / str(place), runs=[], qrels=[], topics=topics, documents=source)
        found += docs(tmp_path / str(place) / "documents.jsonl")
    assert found == [FIRST, Document("a", "html", "<p>x")]


def test_a_repeated_docno_is_refused_if_ids_must_be_unique(tmp_path: Path) -> None:
    from qrelsmith.formats.convert import read_as

    path = file(tmp_path, NEWS * 2)
    with pytest.raises(InputError, match=r":17: the doc 'FT911-1' appears twice"):
        list(read_as(path, "documents"))
