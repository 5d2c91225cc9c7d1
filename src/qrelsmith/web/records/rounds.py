"""Export and import of later rounds as records."""

from __future__ import annotations

from qrelsmith.web.core.lines import Kind
from qrelsmith.web.models import RejudgingRound
from qrelsmith.web.records.rows import Rows, part

PART = part(
    "rounds",
    Rows(
        Kind(
            "rounds.jsonl",
            texts=("reason", "rule", "reference"),
            numbers=("number", "shows_labels"),
            times=("created_at",),
        ),
        RejudgingRound,
        key=("number",),
        order=("number",),
    ),
)
