"""Reading and storing of the answers in models' replies."""

from __future__ import annotations

from dataclasses import replace

from qrelsmith.models.hidden_keys import hide_key
from qrelsmith.models.replies import ReplyError, Said, parsed_reply, reply_text
from qrelsmith.models.requests import Asking

# Maximum number of characters stored of an invalid answer.
_LONGEST_FAULTY = 20_000


def said_in(asking: Asking, answer: str) -> Said:
    """Parse the answer to the request from a reply.

    Raises
    ------
    ReplyError
        If the reply is not a valid answer.
    """
    prompt = asking.prompt
    return parsed_reply(
        answer, kind=prompt.kind, grades=asking.grades, has_reason=prompt.has_reason
    )


def answer_to_keep(asking: Asking, answer: str, *, key: str) -> str:
    """Return the text of a reply to store: the requested answer, or the invalid text.

    The key is removed from either text; see `hide_key`.
    """
    try:
        said = said_in(asking, answer)
    except ReplyError:
        if len(answer) > _LONGEST_FAULTY:
            return f"[{len(answer)} characters that are not an answer]"
        return hide_key(answer, key)
    said = replace(said, reason=hide_key(said.reason, key))
    return reply_text(said, kind=asking.prompt.kind)
