"""Text for a page, without invalid characters or line breaks inside numbers and intervals."""

from __future__ import annotations

import re

from qrelsmith.base.figure_text import true_minus

# An equation with a number, or an interval; these should not be broken.
_GLUED = re.compile(r"\S{1,3} [=<>≤≥] [-−]?[\d.]+|\[[-−]?[\d.]+, [-−]?[\d.]+\]")


def clean(text: str) -> str:
    """Return the text without characters that are invalid on a page."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)


def prose(text: str) -> str:
    """Return the text without line breaks inside equations, intervals and percentages."""
    glued = _GLUED.sub(lambda found: found[0].replace(" ", "\xa0"), true_minus(clean(text)))
    return re.sub(r"(?<=\d) (?=%)", "\xa0", glued)


def breakable(name: str) -> list[str]:
    """Split a name into parts between which a line may break.

    >>> breakable("umbrela.llama3.2.run-1")
    ['umbrela.', 'llama3.2.', 'run-1']
    """
    return re.findall(r".+?(?:[._/-]+(?![\d._/-])|$)", name, re.DOTALL)
