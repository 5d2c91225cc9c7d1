"""Colours of verdicts on a terminal; no colours in piped output or with NO_COLOR."""

from __future__ import annotations

import os
import re
import sys

import click

# Colours by verdict, the longest words first.
_COLOURS = {
    "fair or better": "yellow", "fair or worse": "yellow", "probably good": "green",
    "probably bad": "red", "unclear": "magenta", "good": "green", "fair": "yellow", "bad": "red",
    "pass": "green", "fail": "red", "open": "yellow",
}  # fmt: skip
_WORDS = re.compile(rf"\b(?:{'|'.join(_COLOURS)})\b")


def has_colours() -> bool:
    """Return whether stdout is a terminal that shows colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def paint_verdicts(text: str) -> str:
    """Colour the verdicts in a text, if the terminal supports colours."""
    if not has_colours():
        return text
    return _WORDS.sub(lambda word: click.style(word[0], fg=_COLOURS[word[0]]), text)


def paint_cell(heading: str, text: str) -> str:
    """Colour the text of a table's cell if its column has verdicts."""
    return paint_verdicts(text) if heading == "verdict" else text
