"""Prompts: those of the library, and the requirements for custom prompts."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, UnknownNameError
from qrelsmith.models.prompts import checked_prompt, library, read_prompt

SOUND = """name = "mine"
version = 2
kind = "grade"
system = "Grade it. {levels}"
user = "{title} {doc}"
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_library_keeps_docs_out_of_the_system_message() -> None:
    assert [(each.name, each.kind) for each in library()] == [
        ("citations", "aspects"),
        ("criteria", "grade"),
        ("criterion", "aspects"),
        ("grade", "grade"),
        ("nuggets", "aspects"),
        ("pair", "pair"),
        ("rubric", "aspects"),
    ]
    assert not any("{doc" in each.system for each in library())


def test_a_shown_prompt_is_valid_and_has_the_same_digest(tmp_path: Path) -> None:
    for prompt in library():
        assert checked_prompt(written(tmp_path, prompt.source)).sha256 == prompt.sha256


def test_a_custom_prompt_file_is_read(tmp_path: Path) -> None:
    prompt = read_prompt(written(tmp_path, SOUND))
    assert (prompt.name, prompt.version, prompt.has_reason) == ("mine", 2, False)
    assert prompt.fill_in({"levels": "{doc}", "title": "{title}", "doc": "{x}"}) == (
        "Grade it. {doc}",
        "{title} {x}",
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"mine"', '"a b"', ":1: the name is missing or invalid"),
        ("version = 2", "version = 0", ":2: the version is 0"),
        ('"grade"', '"vote"', ":3: unknown kind 'vote'"),
        ("{levels}", "{doc} {levels}", ":4: {doc} is in the system message"),
        ("{doc}", "{doc} {doc}", ":5: {doc} appears 2 times in the user message; expected 1"),
        ("{doc}", "{doc_a}", ":5: {doc} appears 0 times"),
        ("{title} ", "", ":5: no message contains {topic} or {title}"),
        ("{levels}", "levels", ":5: no message contains {levels} or {grades}"),
        ("{title}", "{titel}", ":5: unknown field 'titel'; did you mean title?"),
        ("version", "versoin", ":2: unknown key 'versoin'; did you mean version?"),
    ],
)
def test_an_error_is_named_with_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        read_prompt(written(tmp_path, SOUND.replace(old, new)))
    assert said in str(error.value)


def test_an_unknown_name_is_reported_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean grade"):
        read_prompt("grades")
