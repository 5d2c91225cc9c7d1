"""Export and import of model settings as records. Tokens are never exported."""

from __future__ import annotations

import json
from typing import Any

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.lines import Kind, Record
from qrelsmith.web.model_assessors.settings import canonical, digest_of
from qrelsmith.web.models import ModelSetting
from qrelsmith.web.records.rows import Rows, part

_TEXTS = ("model", "prompt", "prompt_sha256", "parameters")


def _check(record: Record, columns: dict[str, Any]) -> None:
    """Raise an error if a digest does not match its prompt, or parameters are not a JSON object."""
    digest = digest_of(record.text("prompt"))
    if record.text("prompt_sha256") != digest:
        held = quoted(record.text("prompt_sha256"))
        raise record.fault(f"prompt_sha256 is {held}; expected {digest}, the prompt's digest")
    try:
        parameters = json.loads(record.text("parameters"))
    except (ValueError, RecursionError):
        parameters = None
    if not isinstance(parameters, dict) or canonical(parameters) != record.text("parameters"):
        held = quoted(record.text("parameters"))
        raise record.fault(f"'parameters' is {held}; expected a JSON object with sorted keys")


PART = part(
    "models",
    Rows(
        Kind(
            "models.jsonl", texts=("assessor", *_TEXTS), numbers=("version",), times=("created_at",)
        ),
        ModelSetting,
        key=("assessor", "version"),
        names={"assessor": {"assessor": "name"}},
        order=("assessor__name", "version"),
        fixed=_TEXTS,
        finish=_check,
    ),
)
