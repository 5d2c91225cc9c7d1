from __future__ import annotations

import csv
import io
import json
import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import MissingDependencyError, UnknownNameError, UsageError
from qrelsmith.base.tables import FORMATS, Table

TABLE = Table.of(("run", "score", "n"), [("b|_x", 0.1 + 0.2, 3), ("a,c", math.nan, 12)])


def test_csv_prints_floats_in_full_and_quotes_only_where_needed() -> None:
    assert TABLE.text("csv") == 'run,score,n\nb|_x,0.30000000000000004,3\n"a,c",nan,12\n'


def test_jsonl_has_null_for_nan() -> None:
    rows = [json.loads(line) for line in TABLE.text("jsonl").splitlines()]
    assert rows == [
        {"run": "b|_x", "score": 0.30000000000000004, "n": 3},
        {"run": "a,c", "score": None, "n": 12},
    ]


def test_markdown_escapes_vertical_bars() -> None:
    assert TABLE.text("markdown") == (
        "| run | score | n |\n| --- | --- | --- |\n"
        "| b\\|\\_x | 0.3000 | 3 |\n| a,c | not defined | 12 |\n"
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("*c*", r"\*c\*"),
        ("_b_", r"\_b\_"),
        ("`x`", r"\`x\`"),
        ("a\\b", r"a\\b"),
        ("~x~", r"\~x\~"),
        ("$x$", r"\$x\$"),
        ("&lt;b", r"\&lt;b"),
        ("<img src=x>", r"\<img src=x>"),
        ("[a](http://b)", r"[a]\(http://b)"),
        ("tau_b", "tau_b"),
        ("a ~ b & c", "a ~ b & c"),
        ("p < .05 [.01, .09]", "p < .05 [.01, .09]"),
    ],
)
def test_markdown_escapes_text_that_would_be_markup(name: str, written: str) -> None:
    # Backslash escapes of CommonMark 0.31, section 2.4; other text stays readable.
    assert Table.of(("run",), [(name,)]).text("markdown").splitlines()[2] == f"| {written} |"


def test_latex_escapes_text_that_the_line_before_would_take_as_an_argument() -> None:
    rows = Table.of(("run",), [("a",), ("*b",), ("[c]",)]).text("latex").splitlines()
    assert rows[4:7] == ["a \\\\", "{}*b \\\\", "{}[c] \\\\"]


def test_latex_escapes_special_characters() -> None:
    text = TABLE.text("latex")
    assert "b\\textbar{}\\_x & 0.3000 & 3 \\\\" in text
    assert text.startswith("\\begin{tabular}{lrr}\n\\toprule\n")


def test_numbers_are_right_aligned() -> None:
    assert TABLE.text("table").splitlines() == [
        "run         score   n",
        "────  ───────────  ──",
        "b|_x       0.3000   3",
        "a,c   not defined  12",
    ]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2.4e-7, "2.40e-07"),
        (-3e-5, "-3.00e-05"),
        (4.99e-5, "4.99e-05"),
        (5.01e-5, "0.0001"),
        (0.0, "0.0000"),
        (2e12, "2.00e+12"),
        (math.inf, "inf"),
    ],
)
@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_zero_is_shown_only_for_exact_zeros(form: str, value: float, shown: str) -> None:
    table = Table.of(("p",), [(value,)])
    assert shown in table.text(form).replace("|", " ").split()
    assert table.text("csv") == f"p\n{value!r}\n"


def test_a_row_with_a_wrong_number_of_cells_is_refused() -> None:
    with pytest.raises(UsageError, match="does not fit"):
        Table.of(("a", "b"), [(1,)])


def test_an_unknown_format_names_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="markdown"):
        TABLE.text("markdwon")


def test_rows_are_sorted_by_their_cells() -> None:
    rows = [("b", 2), ("a", 10), ("a", 9)]
    assert Table.of(("x", "y"), rows).sorted().rows == (("a", 9), ("a", 10), ("b", 2))


def test_nan_is_sorted_after_numbers_and_before_text() -> None:
    rows = [(1.0, "c"), (float("nan"), "b"), ("x", "a"), (0.5, "d"), (float("nan"), "a")]
    for turned in (rows, rows[::-1], rows[2:] + rows[:2]):
        names = [row[1] for row in Table.of(("x", "y"), turned).sorted().rows]
        assert names == ["d", "c", "a", "b", "a"]


@pytest.mark.parametrize("form", FORMATS.names())
def test_every_format_can_write_an_empty_table(form: str) -> None:
    assert isinstance(Table.of(("a", "b"), []).text(form), str)


@given(st.lists(st.tuples(st.text(st.characters(exclude_characters="\r")), st.floats())))
def test_csv_is_read_back_unchanged(rows: list[tuple[str, float]]) -> None:
    text = Table.of(("name", "value"), rows).text("csv")
    back = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert [row[0] for row in back] == [name for name, _ in rows]
    assert [repr(float(row[1])) for row in back] == [repr(value) for _, value in rows]


# --- data frames, and what is printed ------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_table_becomes_a_data_frame_with_one_type_per_column(library: str) -> None:
    rows = [("a", 1, 2.5, "x", None), ("b", 2, 3, 4, 0.5)]
    table = Table.of(("text", "whole", "mixed", "both", "gap"), rows)
    frame = table.to_pandas() if library == "pandas" else table.to_polars()
    assert type(frame).__module__.startswith(library)
    assert list(frame["text"]) == ["a", "b"]
    assert list(frame["whole"]) == [1, 2]
    assert list(frame["mixed"]) == [2.5, 3.0]
    assert list(frame["both"]) == ["x", "4"]
    assert list(frame["gap"])[1] == 0.5
    assert [str(frame[name].dtype).lower() for name in ("whole", "mixed", "gap")] == [
        "int64",
        "float64",
        "float64",
    ]


def test_a_table_with_two_columns_of_one_name_cannot_become_a_data_frame() -> None:
    with pytest.raises(UsageError, match=r"two columns of .* have the same name"):
        Table.of(("a", "a"), [(1, 2)]).to_pandas()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_missing_library_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingDependencyError, match=f"a {library} data frame needs the package"):
        TABLE.to_pandas() if library == "pandas" else TABLE.to_polars()


def test_a_printed_table_ends_with_its_notes_but_no_format_contains_them() -> None:
    table = Table.of(("a",), [(2,), (1,)], notes=["look out"]).sorted()
    assert str(table) == "a\n─\n1\n2\nnote: look out"
    assert all("look out" not in table.text(form) for form in FORMATS.names())
