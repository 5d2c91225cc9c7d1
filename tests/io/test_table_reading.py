"""Tables read as text: every format, every error with its line."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from tests.examples import examples
from tests.faults import assert_refused, file_writer

from qrelsmith.base.errors import InputWarning, UnknownNameError, UsageError
from qrelsmith.io.csv_records import CsvRecords
from qrelsmith.io.table_reading import Columns, TextTable, read_table
from qrelsmith.io.table_writing import FORMS, form_of, table_bytes, write_table

COLUMNS = Columns(required=("topic", "doc", "grade"), optional=("note",), ids=("topic", "doc"))


def cells(table: TextTable) -> dict[str, list[str]]:
    return {name: list(column) for name, column in table.columns.items()}


file = file_writer("t.csv")


def refused(path: Path, line: int | None, *words: str, columns: Columns = COLUMNS) -> None:
    assert_refused(lambda: read_table(path, columns), path, line, *words)


EXPECTED = {
    "topic": ["001", "NA"],
    "doc": ["d,1", "1e5"],
    "grade": ["2", "0.5"],
    "note": ['he said "no"\n# and left', ""],
}
CSV = 'topic,doc,grade,note\n001,"d,1",2,"he said ""no""\n# and left"\nNA,1e5,0.5,\n'
TSV = 'topic\tdoc\tgrade\tnote\n001\td,1\t2\t"he said ""no""\n# and left"\nNA\t1e5\t0.5\t\n'
JSONL = (
    '{"topic": "001", "doc": "d,1", "grade": 2, "note": "he said \\"no\\"\\n# and left"}\n'
    '{"topic": "NA", "doc": "1e5", "grade": 0.5}\n'
)


@pytest.mark.parametrize(
    ("content", "lines"),
    [(CSV, [2, 4]), (TSV, [2, 4]), (JSONL, [1, 2])],
    ids=["csv", "tsv", "jsonl"],
)
def test_every_text_format_contains_the_same_table(
    tmp_path: Path, content: str, lines: list[int]
) -> None:
    table = read_table(file(tmp_path, content, "anything"), COLUMNS)
    assert cells(table) == EXPECTED
    assert list(table.lines) == lines


def test_parquet_contains_the_same_table(tmp_path: Path) -> None:
    path = tmp_path / "t"
    columns = {**EXPECTED, "grade": [2.0, 0.5], "note": [EXPECTED["note"][0], None]}
    parquet.write_table(pyarrow.table(columns), path)
    table = read_table(path, COLUMNS)
    assert cells(table) == EXPECTED
    assert list(table.lines) == [1, 2]


@pytest.mark.parametrize("form", FORMS)
def test_written_tables_are_read_back_unchanged(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"t.{form}"
    write_table(path, EXPECTED, numbers={"grade": "float"})
    assert cells(read_table(path, COLUMNS)) == EXPECTED
    if form != "parquet":
        assert path.read_text(encoding="utf-8") == {"csv": CSV, "tsv": TSV, "jsonl": JSONL}[form]


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("form", FORMS)
def test_every_format_may_be_compressed(tmp_path: Path, form: str, compress: object) -> None:
    content = table_bytes(EXPECTED, form=form, numbers={"grade": "float"})
    path = file(tmp_path, compress(content), "t.packed")  # type: ignore[operator]
    assert cells(read_table(path, COLUMNS)) == EXPECTED


def test_zstd_is_read_too(tmp_path: Path) -> None:
    with pyarrow.CompressedOutputStream(str(tmp_path / "t.zst"), "zstd") as out:
        out.write(CSV.encode())
    assert cells(read_table(tmp_path / "t.zst", COLUMNS)) == EXPECTED


IDS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1)
NOTES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\x00"))


@given(st.lists(st.tuples(IDS, IDS, NOTES), min_size=1), st.sampled_from(FORMS))
@examples(150)
def test_any_id_without_control_characters_survives(
    rows: list[tuple[str, str, str]], form: str
) -> None:
    topics, docs, notes = (list(column) for column in zip(*rows, strict=True))
    columns = {"topic": topics, "doc": docs, "grade": ["1"] * len(rows), "note": notes}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t"
        write_table(path, columns, form=form, numbers={"grade": "int"})
        first = path.read_bytes()
        table = read_table(path, COLUMNS)
        read = {name: table.columns.get(name, [""] * len(rows)) for name in columns}
        assert {name: list(column) for name, column in read.items()} == columns
        write_table(path, read, form=form, numbers={"grade": "int"})
        assert path.read_bytes() == first


def test_byte_order_mark_crlf_blank_lines_comments_and_a_missing_newline_are_accepted(
    tmp_path: Path,
) -> None:
    content = (
        "\ufeff# made by hand\r\n\r\ntopic,doc,grade\r\n \t\r\n# half\r\nt1,d1,1\r\n\r\nt1,d2,2"
    )
    table = read_table(file(tmp_path, content), COLUMNS)
    assert cells(table) == {"topic": ["t1", "t1"], "doc": ["d1", "d2"], "grade": ["1", "2"]}
    assert list(table.lines) == [6, 8]


PLAIN = st.text(st.sampled_from("ab#,\t \n"))


@given(PLAIN, st.sampled_from(",\t"))
def test_text_without_quotes_gives_the_same_rows_on_the_fast_path(
    text: str, delimiter: str
) -> None:
    plain, quoted = CsvRecords(text, delimiter, "t"), CsvRecords(text, delimiter, "t")
    quoted._may_quote = True
    assert [(plain.first, row) for row in plain] == [(quoted.first, row) for row in quoted]


def test_a_comment_that_looks_like_a_row_is_reported(tmp_path: Path) -> None:
    path = file(tmp_path, "topic,doc,grade\n#1,d1,1\n# so, what\nt1,d1,1\n#2,d1,1\n")
    with pytest.warns(InputWarning) as told:
        assert len(read_table(path, COLUMNS)) == 1
    assert str(told[0].message).startswith(f"{path}:2: 2 lines with 3 cells begin with #")


def test_a_first_cell_with_a_number_sign_is_quoted_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_table(path, {"topic": ["#1"], "doc": ["#2"], "grade": ["1"]})
    assert path.read_text(encoding="utf-8") == 'topic,doc,grade\n"#1",#2,1\n'
    assert cells(read_table(path, COLUMNS))["topic"] == ["#1"]


def test_line_ends_inside_cells_become_line_feeds(tmp_path: Path) -> None:
    path = file(tmp_path, '{"topic": "t", "doc": "d", "grade": 1, "note": "a\\r\\nb\\rc"}')
    assert cells(read_table(path, COLUMNS))["note"] == ["a\nb\nc"]
    assert table_bytes({"a": ["x\r\ny\rz"]}) == b'a\n"x\ny\nz"\n'


def test_numeric_ids_keep_their_text(tmp_path: Path) -> None:
    huge = "9" * 5000
    path = file(tmp_path, f'{{"topic": 1e5, "doc": {huge}, "grade": 1.50}}')
    assert cells(read_table(path, COLUMNS)) == {"topic": ["1e5"], "doc": [huge], "grade": ["1.50"]}


def test_only_a_jsonl_file_may_be_empty(tmp_path: Path) -> None:
    assert len(read_table(file(tmp_path, "", "t.jsonl"), COLUMNS)) == 0
    assert len(read_table(file(tmp_path, gzip.compress(b""), "t.jsonl.gz"), COLUMNS)) == 0
    expected = "expected the columns topic, doc, grade and, if you like, note"
    refused(file(tmp_path, ""), None, "the file is empty", expected)
    refused(file(tmp_path, "\n# nothing\n"), None, "the file is empty")


def test_a_table_may_have_only_a_header(tmp_path: Path) -> None:
    table = read_table(file(tmp_path, "topic,doc,grade"), COLUMNS)
    assert cells(table) == {"topic": [], "doc": [], "grade": []}


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("topic,doc\nt,d\n", 1, ["the column grade is missing", "expected the columns topic"]),
        ("# x\ntopic,doc,grade,topic\n", 2, ["the column 'topic' appears twice; expected it once"]),
        ("topic,doc,grades\n", 1, ["unknown column 'grades'", "did you mean grade?", "note"]),
        ("topic;doc;grade\nt;d;1\n", 1, ["unknown column 'topic;doc;grade'"]),
        (",topic,doc,grade\n0,t,d,1\n", 1, ["unknown column ''"]),
        ("topic,doc,grade\nt,d,1\n\nt,d\n", 4, ["2 cells; expected 3: topic,doc,grade"]),
        ("topic,doc,grade\nt,d,1,x\n", 2, ["4 cells; expected 3"]),
        ("topic,doc,grade\nt,,1\nt,d,1\n", 2, ["the doc is empty; expected a value"]),
        ('topic,doc,grade\nt,"d\n1",2\n', 2, ["the doc 'd\\n1' contains a control character"]),
        ("topic,doc,grade\nt,d\t,2\n", 2, ["the doc 'd\\t' contains a control character"]),
        ('topic,doc,grade\nt,d"1,2\n', 2, ["an unquoted cell contains a quote", "'t,d\"1,2'"]),
        ('topic,doc,grade\nt,"d"1,2\n', 2, ["the record cannot be read", "expected quotes around"]),
        ('topic,doc,grade\nt,d,1\nt,"d,2\nt,d,3\n', 3, ["the record cannot be read", "'t,\"d,2'"]),
        ("topic,doc,grade\nt,d\r1,2\n", 2, ["a carriage return without line feed"]),
        (
            "topic,doc,grade\nt,d\x001,2\n",
            2,
            ["the line contains a NUL character", "expected UTF-8 text"],
        ),
        (b"topic,doc,grade\nt,d,1\nt,\xff\xfe,2\n", 3, ["the line is not UTF-8"]),
        (b"\xff\xfet\x00", 1, ["UTF-16"]),
    ],
)
def test_csv_errors_name_their_line(
    tmp_path: Path, content: bytes | str, line: int, words: Sequence[str]
) -> None:
    refused(file(tmp_path, content), line, *words)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('{"topic": "t", "doc": "d"}', ["the column grade is missing"]),
        ('{"topic": "t", "doc": null, "grade": 1}', ["the doc is empty"]),
        ('{"topic": "t", "doc": "d", "grade": 1, "Note": ""}', ["unknown column 'Note'"]),
        ('{"topic": "t", "doc": "d", "doc": "e", "grade": 1}', ["the key 'doc' appears twice"]),
        ('{"topic": "t", "doc": ["d"], "grade": 1}', ["the value of 'doc' is '[\"d\"]'"]),
        ('{"topic": "t", "doc": true, "grade": 1}', ["'true'; expected text or a number"]),
        ('{"topic": "t", "doc": "d", "grade": NaN}', ["NaN is not a JSON number"]),
        ('{"topic": "t", "doc": "d", "grade": -Infinity}', ["-Infinity is not a JSON number"]),
        ('{"topic": "t", "doc": "\\ud800", "grade": 1}', ["an unpaired surrogate"]),
        ('{"topic": "t", "doc": "d", "grade": 1, "note": "\\u0000"}', ["contains a NUL"]),
        ('{"topic": "t", "doc": "d\\u0007", "grade": 1}', ["contains a control character"]),
        (
            "{" + "".join(f'"k{n}": 1, ' for n in range(300_000)) + '"k299999": 1}',
            ["the key 'k299999' appears twice in the same object"],
        ),
        ('["t", "d", 1]', ["not a JSON object", "expected one JSON object per line"]),
        ('{"topic": "t", "doc": "d", "grade": 1', ["invalid JSON:", "character 38"]),
        ('{"topic": "t"} {"doc": "d"}', ["invalid JSON: Extra data, character 16"]),
        ('{"topic": ' + "[" * 100_000, ["invalid JSON: nested too deeply"]),
        ('{"a": ' * 100_000, ["invalid JSON: nested too deeply"]),
    ],
)
def test_jsonl_errors_name_their_line(tmp_path: Path, row: str, words: Sequence[str]) -> None:
    content = '{"topic": "t", "doc": "c", "grade": 1}\n\n' + row + "\n"
    refused(file(tmp_path, content), 3, *words)


def test_cells_of_several_megabytes_are_refused_in_every_format(tmp_path: Path) -> None:
    long = "x" * 10_000_000
    refused(file(tmp_path, f"topic,doc,grade\nt,{long},1\n"), 2, "the doc has 10000000 characters")
    refused(file(tmp_path, f'topic,doc,grade\nt,"{long},1\n'), 2, "field larger than field limit")
    refused(file(tmp_path, long), 1, "unknown column 'xxx")
    row = json.dumps({"topic": "t", "doc": long, "grade": 1})
    refused(file(tmp_path, row), 1, "the doc has 10000000 characters; expected at most 131072")
    columns = pyarrow.table({"topic": ["t"], "doc": [long], "grade": [1]})
    parquet.write_table(columns, tmp_path / "p")
    refused(tmp_path / "p", 1, "the doc has 10000000 characters")
    with pytest.raises(UsageError, match="a NUL character or more than 131072 characters"):
        table_bytes({"note": [long]})


def test_the_longest_cell_survives(tmp_path: Path) -> None:
    long = "x" * 131_072
    path = tmp_path / "t.csv"
    write_table(path, {"topic": ["t"], "doc": [long], "grade": ["1"]})
    assert cells(read_table(path, COLUMNS))["doc"] == [long]


def test_a_parquet_column_of_nulls_is_empty_in_every_row(tmp_path: Path) -> None:
    columns = {"topic": ["t", "t"], "doc": ["c", "d"], "grade": [1, 2], "note": pyarrow.nulls(2)}
    parquet.write_table(pyarrow.table(columns), tmp_path / "p")
    assert cells(read_table(tmp_path / "p", COLUMNS))["note"] == ["", ""]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"topic": [1], "doc": ["d"], "grade": [1]}, ["the column topic has the type int64"]),
        ({"topic": ["t"], "doc": ["d"], "grade": [True]}, ["grade has the type bool"]),
        ({"topic": ["t"], "doc": ["d"], "grade": [[1]]}, ["the column grade has the type list"]),
        ({"topic": ["t"], "doc": ["d"]}, ["the column grade is missing"]),
        ({"topic": ["t"], "doc": ["d"], "grade": [1], "x": [1]}, ["unknown column 'x'"]),
        ({}, ["the Parquet file has no columns"]),
    ],
)
def test_parquet_errors_name_the_column(
    tmp_path: Path, columns: dict[str, list[object]], words: Sequence[str]
) -> None:
    parquet.write_table(pyarrow.table(columns), tmp_path / "p")
    refused(tmp_path / "p", None, *words)


def test_parquet_with_a_repeated_column_missing_cells_or_broken_bytes_is_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "p"
    twice = pyarrow.Table.from_arrays([pyarrow.array(["t"])] * 2, names=["topic", "topic"])
    parquet.write_table(twice, path)
    refused(path, None, "the column 'topic' appears twice")
    parquet.write_table(
        pyarrow.table({"topic": ["t"] * 2, "doc": ["d", None], "grade": [1, 2]}), path
    )
    refused(path, 2, "the doc is empty")
    parquet.write_table(
        pyarrow.table({"topic": ["t"], "doc": ["d"], "grade": [float("nan")]}), path
    )
    refused(path, 1, "the grade is empty")
    content = path.read_bytes()
    refused(file(tmp_path, content[:-20], "cut"), None, "unreadable Parquet")
    refused(file(tmp_path, b"PAR1", "mark"), None, "unreadable Parquet")
    refused(file(tmp_path, gzip.compress(content)[:-40], "cut.gz"), None)


def test_a_truncated_gzip_file_a_folder_and_a_missing_file_are_reported(tmp_path: Path) -> None:
    packed = gzip.compress(("topic,doc,grade\n" + "t,d,1\n" * 10_000).encode())
    refused(file(tmp_path, packed[: len(packed) // 2]), None, "cannot be read or decompressed")
    refused(tmp_path, None, "this is a folder; expected a file")
    refused(tmp_path / "none", None, "no such file")


def test_the_suffix_determines_the_written_format(tmp_path: Path) -> None:
    assert [form_of(f"x.{suffix}") for suffix in ("csv", "TSV", "jsonl", "ndjson", "parquet")] == [
        "csv",
        "tsv",
        "jsonl",
        "jsonl",
        "parquet",
    ]
    with pytest.raises(UsageError, match=r"'x\.csv\.gz' has an unknown suffix"):
        write_table("x.csv.gz", {"a": ["1"]})
    with pytest.raises(UnknownNameError, match="unknown form 'xlsx'"):
        table_bytes({"a": ["1"]}, form="xlsx")


def test_content_that_no_file_can_store_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for wrong in ("\ud800", "\x00"):
        with pytest.raises(UsageError, match="a cell of the column note"):
            write_table(path, {"topic": ["t"], "note": [wrong]})
    assert list(tmp_path.iterdir()) == []


def test_a_row_of_empty_cells_is_still_a_row() -> None:
    assert table_bytes({"a": ["", "x"]}) == b'a\n""\nx\n'
    assert table_bytes({"a": [""], "b": [""]}, form="tsv") == b'a\tb\n""\t\n'
    assert table_bytes({"a": [" "]}) == b'a\n" "\n'
