"""Versions of model settings: the same model, prompt and parameters are one version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from qrelsmith.web.models import Assessor, ModelSetting
from qrelsmith.web.openapi.composites import NamedSchema
from qrelsmith.web.openapi.declared import declare
from qrelsmith.web.openapi.schemas import Text

Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class GivenSetting:
    """A submitted setting.

    Attributes
    ----------
    model : str
        The model's name.
    prompt : str
        The complete prompt.
    parameters : mapping of str to scalar
        Temperature, seed and so on.
    """

    model: str = declare(Text("The model.", shortest=1, longest=200, examples=("gpt-x-2026-01",)))
    prompt: str = declare(Text("The complete prompt.", shortest=1, longest=200_000))
    parameters: Mapping[str, Scalar] = declare(
        NamedSchema("Parameters such as temperature and seed."), default_factory=dict, hash=False
    )

    @property
    def prompt_sha256(self) -> str:
        """The digest of the prompt."""
        return digest_of(self.prompt)

    @property
    def parameters_text(self) -> str:
        """The parameters as canonical JSON."""
        return canonical(self.parameters)


def digest_of(prompt: str) -> str:
    """Return the SHA-256 of a prompt."""
    return hashlib.sha256(prompt.encode("utf-8")).hexdigest()


def canonical(parameters: Mapping[str, Scalar]) -> str:
    """Return parameters as JSON with sorted keys."""
    return json.dumps(parameters, ensure_ascii=False, sort_keys=True)


def recorded_setting(declared: GivenSetting, assessor: Assessor) -> ModelSetting:
    """Return the version of a setting; a new setting becomes the next version.

    Raises
    ------
    IntegrityError
        If another setting became the next version meanwhile.
    """
    settings = ModelSetting.objects.filter(assessor=assessor)
    same = settings.filter(
        model=declared.model,
        prompt_sha256=declared.prompt_sha256,
        parameters=declared.parameters_text,
    )
    found = same.order_by("version").first()
    if found is not None:
        return found
    latest = settings.order_by("-version").first()
    return ModelSetting.objects.create(
        assessor=assessor,
        version=latest.version + 1 if latest else 1,
        model=declared.model,
        prompt=declared.prompt,
        prompt_sha256=declared.prompt_sha256,
        parameters=declared.parameters_text,
    )
