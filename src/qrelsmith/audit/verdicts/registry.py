"""The registry of the scorecard's questions."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.base.content import ScorecardCell
from qrelsmith.base.registry import REQUIRED, Registry

VerdictFunction = Callable[[AuditInputs, str], ScorecardCell]
"""The campaign, and the name of a label set → its cell"""

# Of an entry `place` says which column it is, `asks` its question in the words of the page, `of`
# which label sets are asked: `all`, the `reference`, or the `others`, which are compared with it;
# `section` where the numbers stand, `purpose` what a good answer lets a set do in place of the
# reference, `warning` what is said of a set where the answer is bad; `words` what the page calls a
# verdict whose own word does not answer the question.
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
