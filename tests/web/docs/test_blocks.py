"""Texts in blocks: flowing paragraphs, and text arranged in columns."""

from __future__ import annotations

from qrelsmith.web.docs.blocks import COLUMNS, FLOW, LINES, text_blocks

PROSE = """A heat pump that was put into an old house
needs less power than one would think, since
its radiators are large.

Short
lines of
a poem"""
MANUAL = """NAME
       bash - GNU Bourne-Again SHell

SYNOPSIS
       bash [options]   [command_string | file]"""


def test_lines_broken_by_a_program_are_joined_and_others_are_kept() -> None:
    longer = PROSE.replace("old house\n", "old house of the years before the war\n")
    longer = longer.replace("since\n", "since all of\n")
    assert [block.form for block in text_blocks(longer)] == [FLOW, LINES]


def test_a_manual_page_keeps_its_columns() -> None:
    assert {block.form for block in text_blocks(MANUAL)} == {COLUMNS}
