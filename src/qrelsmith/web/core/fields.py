"""The fields of judgments as sent by programs, each declared once.

Pages, the API for models and its OpenAPI document use these declarations.
"""

from __future__ import annotations

from qrelsmith.web.openapi.composites import Fields, Items
from qrelsmith.web.openapi.schemas import Choice, Number, Schema, Text, Whole

# One month: no judgment takes longer or waits longer for a connection.
_MOST_MS = 31 * 24 * 3600 * 1000
_OUTCOME = 2

OP_ID = Text(
    "The client's id of this judgment. A judgment sent again under the same id counts once.",
    longest=64,
    pattern="^[0-9A-Za-z_-]{8,64}$",
    like="8 to 64 letters, digits, _ or -",
)
TOPIC = Text("The topic.", shortest=1, longest=500)
DOC = Text("The doc.", shortest=1, longest=500)
NUMBER = Whole("The number of the doc or pair.")
GRADE = Number("A grade on the scale, or a code below 0.", examples=(1.0,))
OUTCOME = Whole("−2 (left much better) to 2 (right much better).", least=-_OUTCOME, most=_OUTCOME)
ROUND = Whole("The round of judging; 1 is the first.", least=1)
REVISION = Whole(
    "The revision of the label that the client saw; 0 (the default) if the doc had no label."
    " The revision prevents accidental second judgments."
)
SHA256 = Text(
    "The SHA-256 of the doc's version.",
    longest=64,
    pattern="^[0-9a-f]{64}$",
    like="the SHA-256 of a doc's version in 64 hexadecimal digits",
)
VERSION = Whole("The version, counted from 1.", least=1)
NOTE = Text("The reason, in words.", longest=10_000)
EXCERPT = Text("The passage of the doc that supports the grade.", longest=20_000)
INPUT = Choice(("key", "click", "touch", "slider", "number", "form"))
DURATION = Whole("The duration in milliseconds.", most=_MOST_MS)
CLOCK = Whole("The client's clock, in milliseconds.", most=2**53)

_MOST_PASSAGES = 50
_PASSAGE: dict[str, Schema] = {
    "start": Whole("The position of the first character in the shown text, in code points."),
    "quote": Text(
        "The words of the passage.",
        shortest=1,
        longest=20_000,
        pattern=r"^[\s\S]*\S[\s\S]*$",
        like="words, at most 20000 characters",
    ),
    "sha256": Text(
        "The SHA-256 of the shown text.",
        longest=64,
        pattern="^[0-9a-f]{64}$",
        like="the SHA-256 of the shown text in 64 hexadecimal digits",
    ),
}
_SIDE = Choice(("left", "right"), "The doc of the pair: left or right.")
PASSAGES = Items(
    Fields("Passage", _PASSAGE), "The passages that support the judgment.", most=_MOST_PASSAGES
)
PAIR_PASSAGES = Items(
    Fields("PairPassage", _PASSAGE | {"side": _SIDE}), PASSAGES.about, most=_MOST_PASSAGES
)
