"""Scroll positions in a doc for the page around it.

A page cannot scroll a sandboxed frame, but it can give the frame's address a fragment. The
positions are one below another in a box without height, which is invisible and does not lengthen
the doc.
"""

from __future__ import annotations

# Size of a step, in percent of the frame's height.
STEP = 20
# Number of steps up and down from a cluster.
_UP, _DOWN = 15, 60
STYLE = f"""
.qrelsmith-steps {{ position: absolute !important; top: 0; left: 0; width: 1px; height: 0;
  overflow: clip; visibility: hidden; pointer-events: none; }}
.qrelsmith-steps#qrelsmith-end {{ top: auto; }}
.qrelsmith-steps.here {{ display: block; top: auto; left: auto;
  margin-top: {-_UP * STEP}vh !important; }}
.qrelsmith-steps i {{ display: block !important; height: {STEP}vh; margin: 0; padding: 0; }}
"""
# Approximate number of characters per step on a phone, and maximum number of steps.
_CHARACTERS = 250
_MOST = 500


def steps(length: int) -> str:
    """Return the scroll positions of a doc of a given length, with the ids `qrelsmith-s0`, ….

    The steps are inserted at the end of the body, where `qrelsmith-end` marks the end of the doc.
    """
    count = min(length // _CHARACTERS + 10, _MOST)
    places = "".join(f'<i id="qrelsmith-s{n}"></i>' for n in range(count))
    return (
        f'<div class="qrelsmith-steps" aria-hidden="true">{places}</div>'
        '<div class="qrelsmith-steps" id="qrelsmith-end" aria-hidden="true"></div>'
    )


def steps_around(name: str) -> str:
    """Return the steps around a position inside a text."""
    places = "".join(f'<i id="{name}s{n}"></i>' for n in range(-_UP, _DOWN + 1))
    return f'<span class="qrelsmith-steps here" aria-hidden="true">{places}</span>'
