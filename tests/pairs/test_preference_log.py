from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import InputError
from qrelsmith.pairs.preference_files import add_to_log, log_text, read_preferences
from qrelsmith.pairs.preferences import Preference, Preferences

EVENTS = [
    Preference("2", "b", "a", 1, "w", 2),
    Preference("1", "a", "b", -2, "", 0),
    Preference("2", "b", "a", None, "w", 2),
]
TEXT = "topic,left,right,outcome,assessor,round\n2,b,a,1,w,2\n1,a,b,-2,,\n2,b,a,undo,w,2\n"


JSONL = """\
{"topic": "1", "left": "b", "right": "a", "outcome": 1}
{"topic": "1", "left": "a", "right": "c", "outcome": -1}
{"topic": "1", "left": "c", "right": "d", "outcome": 0}
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.csv"


def test_a_log_keeps_the_order_of_the_answers(log: Path) -> None:
    add_to_log(log, Preferences.from_rows(EVENTS))
    assert log.read_text() == TEXT
    assert list(read_preferences(log).rows()) == EVENTS


def test_events_are_added_at_the_end_and_nothing_else_changes(log: Path) -> None:
    log.write_text("# mine\n" + TEXT.removesuffix("\n"))
    add_to_log(log, Preferences.from_rows(EVENTS[:1]))
    assert log.read_text() == "# mine\n" + TEXT + "2,b,a,1,w,2\n"


def test_a_file_that_is_not_a_log_is_not_extended(log: Path) -> None:
    log.write_text("1 a b a\n")
    with pytest.raises(InputError, match="expected a log with the header"):
        add_to_log(log, Preferences.from_rows(EVENTS))
    assert log.read_text() == "1 a b a\n"
    log.write_text(TEXT + "1,a,a,0,,\n")
    with pytest.raises(InputError, match=r"log\.csv:5: the doc 'a' is compared with itself"):
        add_to_log(log, Preferences.from_rows(EVENTS))


# The three ways to write outcomes, and the three text formats.
@pytest.mark.parametrize(
    "content",
    [
        "topic,left,right,outcome\n1,b,a,1\n1,a,c,-1\n1,c,d,0\n",
        "topic\tleft\tright\toutcome\n1\tb\ta\tright\n1\ta\tc\tleft\n1\tc\td\ttie\n",
        "topic,left,right,outcome\n1,b,a,a\n1,a,c,a\n1,c,d,tie\n",
        "1 b a a\n1 a c a\n1 c d tie\n",
        JSONL,
    ],
)
def test_preferences_in_every_format_are_a_log_without_rounds(log: Path, content: str) -> None:
    log.write_text(content)
    assert list(read_preferences(log).rows()) == [
        Preference("1", "b", "a", 1),
        Preference("1", "a", "c", -1),
        Preference("1", "c", "d", 0),
    ]


def test_a_winner_before_a_loser_was_on_the_left(log: Path) -> None:
    log.write_text("1 b a\n")
    assert list(read_preferences(log).rows()) == [Preference("1", "b", "a", -1)]


def test_a_doc_with_the_name_undo_takes_precedence_over_the_word(log: Path) -> None:
    log.write_text("topic,left,right,outcome\n1,undo,a,undo\n")
    assert list(read_preferences(log).rows()) == [Preference("1", "undo", "a", -1)]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("1,a,b,0,w,x", "the round is 'x'"),
        ("1,a,b,3,w,1", "the outcome is '3'"),
        ("1,a,a,0,w,1", "compared with itself"),
        (",a,b,0,w,1", "the topic is empty"),
    ],
)
def test_a_malformed_line_is_named(log: Path, row: str, problem: str) -> None:
    log.write_text(f"{TEXT}{row}\n")
    with pytest.raises(InputError, match=rf"log\.csv:5: .*{problem}"):
        read_preferences(log)


def test_an_empty_file_is_reported(log: Path) -> None:
    log.write_text("")
    with pytest.raises(InputError, match="the file is empty"):
        read_preferences(log)


ids = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=4)


@given(
    st.lists(
        st.builds(
            Preference, topic=ids, left=ids.map("l".__add__), right=ids.map("r".__add__),
            outcome=st.sampled_from([-2, -1, 0, 1, 2, None]),
            assessor=st.one_of(st.just(""), ids), round=st.integers(0, 9),
            revision=st.integers(0, 9), judged_at=st.none(),
        )
    )
)  # fmt: skip
def test_written_logs_are_read_back(tmp_path_factory, events: list[Preference]) -> None:
    path = tmp_path_factory.mktemp("log") / "log.csv"
    path.write_text(log_text(Preferences.from_rows(events)), encoding="utf-8", newline="\n")
    assert list(read_preferences(path).rows()) == events


def test_a_log_with_more_columns_keeps_them_in_new_lines(log: Path) -> None:
    header = "topic,left,right,outcome,assessor,round,revision\n"
    log.write_text(header + "1,a,b,-1,w,1,4\n")
    add_to_log(log, Preferences.from_rows([("1", "a", "b", 1, "w", 1)]))
    assert log.read_text() == header + "1,a,b,-1,w,1,4\n1,a,b,1,w,1,\n"
    assert [row.outcome for row in read_preferences(log).current().rows()] == [1]
