"""Texts that spreadsheets take for formulas."""

from __future__ import annotations

# Some programs read the wide signs as the others.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def without_formula(text: str) -> str:
    """Return the text, with an apostrophe before it if spreadsheets take it for a formula."""
    return f"'{text}" if text.startswith(_FORMULAS) else text
