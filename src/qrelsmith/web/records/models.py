"""Settings of models as records, out and in. Tokens are none: they never leave the database."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.lines import Cell, Kind, Record, read_records
from qrelsmith.web.model_assessors.settings import canonical, digest_of
from qrelsmith.web.models import Assessor, ModelSetting
from qrelsmith.web.records.parts import Part

MODELS = Kind(
    "models.jsonl",
    texts=("assessor", "model", "prompt", "prompt_sha256", "parameters"),
    numbers=("version",),
    times=("created_at",),
)
_TEXTS = ("model", "prompt", "prompt_sha256", "parameters")


def model_records() -> Iterator[Mapping[str, Cell]]:
    """All settings of all models."""
    settings = ModelSetting.objects.select_related("assessor")
    for each in settings.order_by("assessor__name", "version"):
        yield {name: getattr(each, name) for name in _TEXTS} | {
            "assessor": each.assessor.name,
            "version": each.version,
            "created_at": each.created_at,
        }


def import_models(folder: Path) -> Counts:
    """Record settings that are not there yet.

    Raises
    ------
    InputError
        At one of an unknown assessor, whose digest is not the prompt's, or that is another one
        here.
    """
    counts = Counts("models")
    assessors = {each.name: each for each in Assessor.objects.all()}
    there = {(each.assessor_id, each.version): each for each in ModelSetting.objects.all()}
    for record in read_records(folder, MODELS):
        name, version = record.text("assessor"), record.need("version")
        assessor = assessors.get(name)
        if assessor is None:
            raise record.fault(f"the assessor {quoted(name)} is unknown")
        _check(record)
        recorded = there.get((assessor.pk, version))
        if recorded is None:
            counts.new += 1
            there[assessor.pk, version] = ModelSetting.objects.create(
                assessor=assessor,
                version=version,
                created_at=record.need_time("created_at"),
                **{field: record.text(field) for field in _TEXTS},
            )
        elif any(getattr(recorded, field) != record.text(field) for field in _TEXTS):
            raise record.fault(f"version {version} of {quoted(name)} is another one here")
        else:
            counts.same += 1
    return counts


def _check(record: Record) -> None:
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
        raise record.fault(f"parameters is {held}; expected a JSON object as text, keys sorted")


PART = Part(((MODELS, model_records),), lambda coming: import_models(coming.folder))
