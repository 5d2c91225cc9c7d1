"""The registry of the scorecard's questions."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.base.content import ScorecardCell
from qrelsmith.base.registry import REQUIRED, Registry

VerdictFunction = Callable[[AuditInputs, str], ScorecardCell]
"""The campaign and the name of a label set → its cell"""

# Facts of an entry: `place` is its column, `asks` the question on the page, and `of` the label sets
# to which it applies: `all`, the `reference`, or the `others` (compared with it). `section` is the
# section with the numbers. `purpose` is the purpose for which a set with a good answer can replace
# the reference, and `warning` is the text for a bad answer. `words` replaces verdicts that do not
# answer the question.
VERDICTS: Registry[VerdictFunction] = Registry(
    "question of the scorecard",
    arguments=("inputs", "name"),
    facts={
        "place": REQUIRED,
        "asks": REQUIRED,
        "section": REQUIRED,
        "of": "all",
        "purpose": "",
        "warning": "",
        "words": {},
    },
)
