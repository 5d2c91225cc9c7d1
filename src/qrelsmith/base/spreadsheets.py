"""Texts that spreadsheets would interpret as formulas."""

from __future__ import annotations

# Some programs treat full-width signs like the ordinary ones.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def without_formula(text: str) -> str:
    """Add an apostrophe before a text that spreadsheets would interpret as a formula."""
    return f"'{text}" if text.startswith(_FORMULAS) else text
