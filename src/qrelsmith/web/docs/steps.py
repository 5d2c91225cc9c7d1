"""Places in a doc to which the page around it can scroll.

A page cannot scroll a frame that is sandboxed, but it can give the frame's address a fragment. The
places lie below one another in a box without height, which neither shows nor lengthens the doc.
"""

from __future__ import annotations

# What a step moves by, as a share of the frame's height, in percent.
STEP = 20
# How many steps there are from a group of words up and down.
_UP, _DOWN = 15, 60
STYLE = f"""
.qrelsmith-steps {{ position: absolute !important; top: 0; left: 0; width: 1px; height: 0;
  overflow: clip; visibility: hidden; pointer-events: none; }}
.qrelsmith-steps#qrelsmith-end {{ top: auto; }}
.qrelsmith-steps.here {{ display: block; top: auto; left: auto;
  margin-top: {-_UP * STEP}vh !important; }}
.qrelsmith-steps i {{ display: block !important; height: {STEP}vh; margin: 0; padding: 0; }}
"""
# A step holds about so many characters on a phone; there are never more steps than these.
_CHARACTERS = 250
_MOST = 500


def steps(length: int) -> str:
    """Return the places of a doc of so many characters; the n-th has the id `qrelsmith-sn`, from 0.

    They belong at the end of the body, where `qrelsmith-end` marks the end of the doc.
    """
    count = min(length // _CHARACTERS + 10, _MOST)
    places = "".join(f'<i id="qrelsmith-s{n}"></i>' for n in range(count))
    return (
        f'<div class="qrelsmith-steps" aria-hidden="true">{places}</div>'
        '<div class="qrelsmith-steps" id="qrelsmith-end" aria-hidden="true"></div>'
    )


def steps_around(name: str) -> str:
    """Return the places from which steps go on, around a place in the midst of a text."""
    places = "".join(f'<i id="{name}s{n}"></i>' for n in range(-_UP, _DOWN + 1))
    return f'<span class="qrelsmith-steps here" aria-hidden="true">{places}</span>'
