"""Drift of model assessors on their anchors over time, as `qrelsmith drift` computes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.utils.safestring import SafeString, mark_safe

from qrelsmith.base.errors import InputError
from qrelsmith.campaign.campaign_folder import APP_FOLDER
from qrelsmith.gates.drift import JudgedAnchors, drift
from qrelsmith.models.anchors import FILE, read_anchors
from qrelsmith.report.picture import picture
from qrelsmith.web.project import current_instance


@dataclass(frozen=True, slots=True)
class ModelDrift:
    """The drift of a model on its anchors.

    Attributes
    ----------
    assessor : str
        The model assessor.
    svg : SafeString
        The differences from the model's first run over time.
    caption : str
        How to read the picture.
    dates : sequence of JudgedAnchors
        The results of the gate at each date.
    """

    assessor: str
    svg: SafeString
    caption: str
    dates: Sequence[JudgedAnchors]


def drift_pictures() -> tuple[Sequence[ModelDrift], str]:
    """Return the drift of each model with several runs on its anchors, and any problem."""
    folder = current_instance().campaign.folder
    file = Path(folder) / APP_FOLDER / FILE
    if not file.is_file():
        return (), ""
    try:
        return _pictures(str(folder), file.stat().st_mtime_ns), ""
    except InputError as error:
        return (), f"{FILE}:{error.line}: {error.problem}"


@lru_cache(maxsize=4)
def _pictures(folder: str, _changed: int) -> tuple[ModelDrift, ...]:
    """Draw the pictures once per version of the file; a model with one run has no drift yet."""
    names = sorted({label.assessor for label in read_anchors(Path(folder))})
    found = ((name, drift(folder, assessor=name)) for name in names)
    return tuple(
        ModelDrift(name, mark_safe(made.inline), made.about, result.dates)  # noqa: S308 - our SVG
        for place, (name, result) in enumerate(found)
        if len(result.dates) > 1
        for made in [picture(result.figure(), name=f"drift-{place}")]
    )
