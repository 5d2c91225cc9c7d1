"""Export and import of model replies as records: answers, their cost, and error records."""

from __future__ import annotations

from qrelsmith.web.core.lines import Kind
from qrelsmith.web.models import ModelReply
from qrelsmith.web.records.rows import Rows, part

PART = part(
    "model replies",
    Rows(
        Kind(
            "model_replies.jsonl",
            texts=("op_id", "request", "answer", "fault", "assessor", "topic", "doc", "other"),
            numbers=("tokens_in", "tokens_out", "tokens", "money", "latency_ms", "setting"),
            times=("accepted_at",),
            is_since_0_1=True,
        ),
        ModelReply,
        key=("op_id", "topic", "doc"),
        names={
            "assessor": {"assessor": "name"},
            "setting": {"assessor": "assessor__name", "setting": "version"},
            "topic": {"topic": "name"},
            "doc": {"doc": "name"},
            "other": {"other": "name"},
        },
    ),
)
