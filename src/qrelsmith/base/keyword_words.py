"""Messages that name options on the command line, and keywords in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_AT_COMMAND_LINE = ContextVar("at_command_line", default=False)
# Matches complete commands, which are not changed, and options outside of commands.
_OPTION = re.compile(r"`?\bqrelsmith [^`;:]*`?|(?<![\w-])--[a-z][a-z-]*")


@contextmanager
def command_line() -> Iterator[None]:
    """Name options, not keywords, in messages inside the block, because a command is running."""
    token = _AT_COMMAND_LINE.set(True)
    try:
        yield
    finally:
        _AT_COMMAND_LINE.reset(token)


def is_command_line() -> bool:
    """Return whether a command is running."""
    return _AT_COMMAND_LINE.get()


def keyword_words(text: str, keywords: Mapping[str, str]) -> str:
    """Replace the options of a command in a message by the keywords of its function.

    >>> keyword_words("choose one with --label-set", {"--label-set": "label_set"})
    'choose one with label_set'
    >>> keyword_words("`qrelsmith pool --depth 5` makes them", {"--depth": "depth"})
    '`qrelsmith pool --depth 5` makes them'
    """
    return _OPTION.sub(lambda match: keywords.get(match[0], match[0]), text)
