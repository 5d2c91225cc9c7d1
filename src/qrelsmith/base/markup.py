"""Texts as Markdown and LaTeX show them: characters that these would take for markup escaped."""

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
    # In TeX's old encoding these are other letters.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
# What Markdown would take for markup, and not show as it stands.
_MARKDOWN = re.compile(
    r"[\\`*|$]|<(?=[A-Za-z/!?])|&(?=[A-Za-z#])|(?<![^\W_])_|_(?![^\W_])|~(?=\S)|(?<=\S)~"
    r"|(?<=\])[(\[]"
)


def markdown_text(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return _MARKDOWN.sub(r"\\\g<0>", text)


def latex_text(text: str) -> str:
    """Return a text that LaTeX prints as it is."""
    return "".join(_LATEX.get(letter, letter) for letter in text)
