"""Words as a page holds them: no letters that it must not hold, figures kept in one line."""

from __future__ import annotations

import re

from qrelsmith.base.figure_text import true_minus

# An equation with a number, an interval: they are read at one glance.
_GLUED = re.compile(r"\S{1,3} [=<>≤≥] [-−]?[\d.]+|\[[-−]?[\d.]+, [-−]?[\d.]+\]")


def clean(text: str) -> str:
    """Return the text without letters that a page must not hold."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)


def prose(text: str) -> str:
    """Return the text with figures and intervals kept in one line."""
    glued = _GLUED.sub(lambda found: found[0].replace(" ", "\xa0"), true_minus(clean(text)))
    return re.sub(r"(?<=\d) (?=%)", "\xa0", glued)


def breakable(name: str) -> list[str]:
    """Return the parts of a name after which its line may break.

    >>> breakable("umbrela.llama3.2.run-1")
    ['umbrela.', 'llama3.2.', 'run-1']
    """
    return re.findall(r".+?(?:[._/-]+(?![\d._/-])|$)", name, re.DOTALL)
