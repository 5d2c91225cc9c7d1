"""Escaping of special characters for Markdown and LaTeX."""

from __future__ import annotations

import re

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # In TeX's old encoding, these codes are other characters.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
# Characters that are markup in Markdown.
_MARKDOWN = re.compile(
    r"[\\`*|$]|<(?=[A-Za-z/!?])|&(?=[A-Za-z#])|(?<![^\W_])_|_(?![^\W_])|~(?=\S)|(?<=\S)~"
    r"|(?<=\])[(\[]"
)


def markdown_text(text: str) -> str:
    """Escape a text for Markdown."""
    return _MARKDOWN.sub(r"\\\g<0>", text)


def latex_text(text: str) -> str:
    """Escape a text for LaTeX."""
    return "".join(_LATEX.get(letter, letter) for letter in text)
