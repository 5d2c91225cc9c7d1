"""Topics in every format, and every error with its line."""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.examples import examples
from tests.faults import assert_refused, file_writer

from qrelsmith.base.errors import InputWarning, UsageError
from qrelsmith.collection.topics import Topic, read_topics, topics_text, write_topics
from qrelsmith.forms.column_names import topic_fields

TREC = """\
<top>

<num> Number: 301
<title> International Organized
Crime & <more>

<desc> Description:
Identify organizations.

<narr> Narrative:
A relevant document must
name one.

Lists of names are not relevant.
</top>

<top> <num> Number: MB02 </num>
<title>Topic: Closed</title>
<desc>Description</desc>
<creator>ann</creator>
<dom> Domain: Law
</top>
"""
NTCIR = """\
<?xml version="1.0" encoding="UTF-8"?>
<queries>
<query>
<qid>0001</qid>
<content>halloween &amp; picture</content>
<description>Halloween is
 coming. <![CDATA[You <want>]]> pictures.</description>
<creator>ann</creator>
</query>
<query number="0002" kind="web"><query>other</query></query>
</queries>
"""


file = file_writer("topics.txt")


def refused(path: Path, line: int | None, words: str) -> None:
    assert_refused(lambda: read_topics(path), path, line, words)


def test_trec_topics_are_read_with_closed_or_open_tags(tmp_path: Path) -> None:
    assert read_topics(file(tmp_path, "# comment\n" + TREC)) == read_topics(file(tmp_path, TREC))
    assert read_topics(file(tmp_path, TREC)) == (
        Topic(
            "301",
            title="International Organized Crime & <more>",
            description="Identify organizations.",
            narrative="A relevant document must name one.\n\nLists of names are not relevant.",
        ),
        Topic(
            "MB02", title="Closed", description="Description", creator="ann", others={"dom": "Law"}
        ),
    )


def test_ntcir_topics_are_read_from_xml(tmp_path: Path) -> None:
    assert read_topics(file(tmp_path, NTCIR, "topics.xml")) == (
        Topic(
            "0001",
            title="halloween & picture",
            description="Halloween is coming. You <want> pictures.",
            creator="ann",
        ),
        Topic("0002", title="other", others={"kind": "web"}),
    )


def test_tab_separated_topics_have_a_header_or_two_columns(tmp_path: Path) -> None:
    plain = file(tmp_path, '\ufeff31_1\tWhat is "throat cancer"?\r\n\r\n# no\r\n001\tNA', "t.tsv")
    assert read_topics(plain) == (
        Topic("31_1", title='What is "throat cancer"?'),
        Topic("001", title="NA"),
    )
    headed = file(tmp_path, "qid\tquery\tnarrative\tlang\n7\ta b\t\ten\n", "t.tsv")
    with pytest.warns(InputWarning, match="topic from qid, title from query"):
        assert read_topics(headed) == (Topic("7", title="a b", others={"lang": "en"}),)
    with pytest.warns(InputWarning, match="tabs inside titles were read as spaces; titles: 1"):
        assert read_topics(file(tmp_path, "1\ta\tb\n")) == (Topic("1", title="a b"),)
    # A topic with the id topic is not a header.
    assert read_topics(file(tmp_path, "topic\tsports\n")) == (Topic("topic", title="sports"),)


def test_jsonl_topics_keep_other_fields_in_order(tmp_path: Path) -> None:
    content = (
        '{"query_id": 1e5, "text": "x", "z": "last", "a": 2.50, "description": null}\n'
        '{"topic": "P01", "title": "y", "description": "d", "narrative": "n", "creator": "ann"}\n'
    )
    first, second = read_topics(file(tmp_path, content, "topics.jsonl"))
    assert first == Topic("1e5", title="x", others={"z": "last", "a": "2.50"})
    assert list(first.others) == ["z", "a"]
    assert second == Topic("P01", title="y", description="d", narrative="n", creator="ann")


def test_topics_are_written_as_sorted_and_stable_jsonl(tmp_path: Path) -> None:
    topics = [
        Topic("b", title="ü\u2028", others={"z": "1", "a": "2"}),
        Topic("a", description="d\n", creator="ann"),
    ]
    path = tmp_path / "topics.jsonl"
    write_topics(topics, path)
    assert path.read_text(encoding="utf-8") == (
        '{"topic": "a", "title": "", "description": "d\\n", "creator": "ann"}\n'
        '{"topic": "b", "title": "ü\u2028", "a": "2", "z": "1"}\n'
    )
    assert topics_text(read_topics(path)) == path.read_text(encoding="utf-8")
    assert set(read_topics(path)) == set(topics)
    for content in (TREC, NTCIR):
        read = read_topics(file(tmp_path, content))
        write_topics(read, path)
        assert read_topics(path) == read


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("", None, "the file is empty; expected topics"),
        ("\n# only\n", None, "the file is empty"),
        ("topic\ttitle\n", None, "the file has no topics"),
        ("1\ta\n2\tb\n1\tc\n", 3, "the topic '1' appears twice (first on line 1)"),
        ("1\ta\n\tb\n", 2, "the topic is ''; expected an id without control characters"),
        ("1\ta\n2\n", 2, "'2' has no tab; expected a topic, a tab and its title"),
        ("topic\ttitle\ttitle\n", 1, "the column 'title' appears twice"),
        ("topic\ttitle\n1\ta\tb\n", 2, "3 cells; expected 2: topic\\ttitle"),
        ("1\ta\n\ufeff2\tb\n", 2, "a byte-order mark precedes '2\\tb'"),
        ("1\ta\n2\tb\x00\n", 2, "the line contains a NUL character"),
        (b"1\ta\n2\t\xe9\n", 2, "the line is not UTF-8"),
        ("1 a\n", 1, "'1 a' has no tab"),
        ("x" * 10_000_000, 1, "has no tab"),
        ('{"topic": "1"}\n{"title": "a"}\n', 2, "the topic is ''"),
        ('{"topic": "1"}\n{"topic": "2", "titl', 2, "with which the file ends, as if it were cut"),
        ('{"topic": "1"}\n{"topic": "2"', 2, "with which the file ends, as if it were cut off"),
        ('{"topic": "1"\n{"topic": "2"}', 1, 'character 14 of \'{"topic": "1"\'; expected one'),
        ('{"topic": "1"}}', 1, 'Extra data, character 15 of \'{"topic": "1"}}\'; expected one'),
        ('{"topic": "1\\n"}\n', 1, "the topic is '1\\n'"),
        ('{"topic": "1"}\n{"topic": "1"}\n', 2, "the topic '1' appears twice"),
        ('{"topic": "1"\n', 1, "invalid JSON"),
        ('{"topic": ' * 100_000, 1, "invalid JSON: nested too deeply"),
        (gzip.compress(TREC.encode(), mtime=0)[:60], None, "cannot be read or decompressed"),
    ],
)
def test_errors_in_text_name_their_line(
    tmp_path: Path, content: str | bytes, line: int | None, words: str
) -> None:
    refused(file(tmp_path, content), line, words)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("<top>\n<num> 1\n", 1, "the <top> on line 1 has no closing tag; expected </top>"),
        ("<top>\n<num> 1\n<top>\n<num> 2\n</top>\n", 3, "found a <top> inside the <top> on line 1"),
        ("<top>\n<num> 1\n</top>\nstray\n", 4, "'stray' is outside <top>…</top>"),
        ("<top>\n<num> 1\n<num> 2\n</top>\n", 3, "found another <num> in the <top> on line 1"),
        ("<top>\nstray\n</top>\n", 2, "'stray' is outside every field"),
        ("<top>\n<title> a\n</top>\n", 1, "the topic is ''; expected an id"),
        ("<top>\n<num> 1\n</top>\n<top>\n<num> 1\n</top>\n", 4, "the topic '1' appears twice"),
        ("<top>\n<num>" + "</a>" * 500_000, 1, "the <top> on line 1 has no closing tag"),
    ],
)
def test_errors_in_trec_markup_name_their_line(
    tmp_path: Path, content: str, line: int, words: str
) -> None:
    refused(file(tmp_path, content), line, words)


BOMB = '<!DOCTYPE q [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {name} "{f"&{before};" * 10}">'
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (f"{BOMB}]>\n<q><t><qid>&i;</qid></t></q>", 1, "the file declares the entity 'a'"),
        (
            '<?xml version="1.0"?>\n<!DOCTYPE q [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<q/>',
            2,
            "the file declares the entity 'x'",
        ),
        ("<q>\n<t><qid>&x;</qid></t></q>", 2, "invalid XML (undefined entity)"),
        ("<q>\n<t><qid>1</qid></t>\n", 3, "invalid XML (no element found)"),
        ("<q><t><qid>1</t></q>", 1, "invalid XML (mismatched tag)"),
        ("<q><t>\n<qid>1</qid><qid>2</qid></t></q>", 2, "the field qid appears twice"),
        ("<q>\n<t>stray<qid>1</qid></t></q>", 2, "'stray' is outside every field"),
        ("<q>stray</q>", 1, "'stray' is outside every field"),
        ("<q>\n<t><content>a</content></t></q>", 2, "the topic is ''"),
        ("<q>\n<t><qid>1</qid></t>\n<t><qid>1</qid></t></q>", 3, "the topic '1' appears twice"),
        ("<q></q>", None, "the file has no topics"),
        ("<a>" * 1_000_000, 1, "invalid XML (no element found)"),
        ("<q><t><qid>\x01</qid></t></q>", 1, "invalid XML"),
    ],
)
def test_errors_in_xml_name_their_line(
    tmp_path: Path, content: str, line: int | None, words: str
) -> None:
    refused(file(tmp_path, content), line, words)


def test_a_topic_in_xml_without_fields_consists_of_its_title(tmp_path: Path) -> None:
    # The form of https://www.trec-cds.org/topics2021.xml.
    text = '<topics task="t"><topic number="1">\n A man of 45.\n He is ill.\n</topic></topics>'
    assert read_topics(file(tmp_path, text)) == (Topic("1", title="A man of 45. He is ill."),)


def test_a_long_field_in_xml_is_read_quickly(tmp_path: Path) -> None:
    long = "word " * 2_000_000
    content = f"<q><t><qid>1</qid><description>{long}</description></t></q>"
    assert read_topics(file(tmp_path, content))[0].description == long.strip()


def test_a_folder_is_not_accepted_as_a_file(tmp_path: Path) -> None:
    refused(tmp_path, None, "this is a folder; expected a file")


def test_a_topic_is_checked_on_creation() -> None:
    for topic in ("", "a\tb"):
        with pytest.raises(UsageError, match="expected an id without control characters"):
            Topic(topic)
    with pytest.raises(
        UsageError, match="an additional field of topic 'a' has the reserved name title"
    ):
        Topic("a", others={"title": "x"})
    with pytest.raises(UsageError, match="the topic 'a' appears twice"):
        topics_text([Topic("a"), Topic("a")])
    with pytest.raises(UsageError, match="the topic 'a' contains an unpaired surrogate"):
        topics_text([Topic("a", title="\ud800")])


@pytest.mark.parametrize(
    ("name", "count", "first"),
    [
        ("trec-dl-2021-passage/topics.tsv", 53, "2082"),
        ("trec-dl-2021-passage/prefs/human.questions.tsv", 50, "540006"),
        ("trec-cast-2019/topics.resolved.tsv", 479, "31_1"),
        ("llmjudge-dl23/topics.tsv", 50, "q18"),
    ],
)
def test_published_topics_are_read_completely(
    shared: Path, tmp_path: Path, name: str, count: int, first: str
) -> None:
    topics = read_topics(shared / "data" / name)
    assert len(topics) == count
    assert topics[0].topic == first
    path = tmp_path / "topics.jsonl"
    write_topics(topics, path)
    assert {topic.topic: topic for topic in read_topics(path)} == {t.topic: t for t in topics}


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
IDS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1)
# Names of fields that match none of ours: other names would be read as one of our fields.
NAMES = TEXT.filter(lambda name: not topic_fields([name]))
TOPICS = st.lists(
    st.builds(
        Topic,
        topic=IDS,
        title=TEXT,
        description=TEXT,
        narrative=TEXT,
        creator=TEXT,
        others=st.dictionaries(NAMES, TEXT.filter(bool), max_size=3),
    ),
    min_size=1,
    unique_by=lambda topic: topic.topic,
)


@given(TOPICS)
@example([Topic("1", title="a", others={"METADATA.0": "b", "meta.topic ": "c"})])
@examples(100)
def test_all_topics_survive_writing(topics: list[Topic]) -> None:
    text = topics_text(topics)
    assert all(json.loads(line) for line in text.split("\n") if line)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "topics.jsonl"
        write_topics(topics, path)
        again = read_topics(path)
        assert {topic.topic: topic for topic in again} == {t.topic: t for t in topics}
        assert topics_text(again) == text == path.read_bytes().decode("utf-8")
