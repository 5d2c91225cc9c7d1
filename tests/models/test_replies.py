"""Which replies count as an answer, and which do not."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.models.replies import ReplyError, Said, parsed_reply

GRADES = (0.0, 1.0, 2.0, 2.5)


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        ('{"grade": 2}', 2.0),
        (' \n{"grade": 2.0}\n', 2.0),
        ('{"grade":2.5}', 2.5),
        ('```json\n{"grade": 0}\n```', 0.0),
        ('<think>{"grade": 0} no, 1</think>\n\n{"grade": 1}', 1.0),
        ('{"grade": 1, "reason": "unasked"}', 1.0),
    ],
)
def test_replies_with_a_grade_are_parsed(text: str, grade: float) -> None:
    assert parsed_reply(text, kind="grade", grades=GRADES).value == grade


@pytest.mark.parametrize(
    "text",
    [
        "", "2", "grade: 2", '{"grade": 3}', '{"grade": -1}', '{"grade": "2"}', '{"grade": true}',
        '{"grade": null}', '{"grade": [2]}', '{"grade": NaN}', '{"grade": 1, "grade": 2}',
        '{"grade": 2', 'The answer is {"grade": 2}', '{"grade": 2}{"grade": 2}', '{"score": 2}',
        '{"grade": 2, "other": 1}', '{"better": "A"}', '[{"grade": 2}]',
        '{"grade": 2, "reason": 1}', '{"grade": 1e999}', "[" * 100_000,
    ],
)  # fmt: skip
def test_replies_without_a_grade_are_refused(text: str) -> None:
    with pytest.raises(ReplyError):
        parsed_reply(text, kind="grade", grades=GRADES)


def test_the_better_doc_and_the_reason_are_parsed() -> None:
    text = '{"reason": "clear\\n\\ud800er", "better": "B"}'
    assert parsed_reply(text, kind="pair", grades=(), has_reason=True) == Said(1.0, "clear ?er")
    assert parsed_reply('{"better": "tie"}', kind="pair", grades=()).value == 0.0
    for text in ('{"better": "a"}', '{"better": 1}', '{"better": ["A"]}', '{"grade": 1}'):
        with pytest.raises(ReplyError):
            parsed_reply(text, kind="pair", grades=())


@given(st.text(max_size=60))
def test_any_text_is_an_answer_on_the_scale_or_an_error(text: str) -> None:
    with suppress(ReplyError):
        assert parsed_reply(text, kind="grade", grades=GRADES).value in GRADES
