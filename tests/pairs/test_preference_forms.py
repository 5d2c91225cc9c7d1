from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.io.table_writing import FORMS
from qrelsmith.pairs.preference_files import (
    TEXTS,
    preferences_bytes,
    read_preferences,
    write_preferences,
)
from qrelsmith.pairs.preferences import Preferences

PREFERENCES = Preferences.from_rows(
    [("1", "a", "b", -1, "x"), ("1", "a", "c", 0, "y"), ("2", "b", "a", 2, "x")]
)


@pytest.mark.parametrize("way", ["numbers", "sides", "winner"])
@pytest.mark.parametrize("form", FORMS)
def test_every_table_is_read_back(tmp_path: Path, form: str, way) -> None:
    path = tmp_path / f"p.{form}"
    write_preferences(PREFERENCES, path, form=form, way=way)
    rows = [row[:5] for row in read_preferences(path).rows()]
    expected = [(t, a, b, o if way == "numbers" else (o > 0) - (o < 0), w)
                for t, a, b, o, w, *_ in PREFERENCES.rows()]  # fmt: skip
    assert rows == expected
    assert preferences_bytes(read_preferences(path), form=form, way=way) == path.read_bytes()


# Two forms: `topic a b winner` and `topic winner loser`.
@pytest.mark.parametrize(
    ("form", "content"),
    [("winner", "1 a b a\n1 a c tie\n2 b a a\n"), ("signs", "@ 1 a b !\n@ 1 a c =\n@ 2 a b !\n")],
)
def test_lines_of_text_are_read(form: str, content: str) -> None:
    assert preferences_bytes(PREFERENCES, form=form).decode() == content


def test_winners_before_losers_cannot_express_a_tie() -> None:
    without = Preferences.from_rows(row for row in PREFERENCES.rows() if row[3])
    assert preferences_bytes(without, form="pairs").decode() == "1 a b\n2 a b\n"
    with pytest.raises(UsageError, match="'a' and 'c' are tied"):
        preferences_bytes(PREFERENCES, form="pairs")


@given(st.lists(st.tuples(st.sampled_from("12"), st.sampled_from(["ab", "ba", "bc"]),
                          st.sampled_from([-1, 1])), min_size=1))  # fmt: skip
@pytest.mark.parametrize("form", TEXTS.names())
def test_every_text_format_names_the_better_doc(
    tmp_path_factory, form: str, rows: list[tuple[str, str, int]]
) -> None:
    given = Preferences.from_rows((t, docs[0], docs[1], o, "") for t, docs, o in rows)
    path = tmp_path_factory.mktemp("forms") / "p.txt"
    write_preferences(given, path, form=form)

    def better(preferences: Preferences) -> list[tuple[str, str, str]]:
        return sorted(
            (t, *((left, right) if outcome < 0 else (right, left)))
            for t, left, right, outcome, *_ in preferences.rows()
        )

    assert better(read_preferences(path)) == better(given)


def test_no_preferences_give_an_empty_table() -> None:
    assert preferences_bytes(Preferences.from_rows([])).decode() == (
        "topic,left,right,outcome,assessor\n"
    )


def test_inexpressible_preferences_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown form"):
        preferences_bytes(PREFERENCES, form="xml")
    with pytest.raises(UsageError, match="unknown notation"):
        preferences_bytes(PREFERENCES, way="words")  # type: ignore[arg-type]
    tie = Preferences.from_rows([("1", "tie", "b", 0, "")])
    with pytest.raises(UsageError, match="the doc 'tie'"):
        preferences_bytes(tie, form="winner")
    with pytest.raises(InputError, match="expected no space"):
        preferences_bytes(Preferences.from_rows([("1", "a b", "c", -1, "")]), form="winner")
