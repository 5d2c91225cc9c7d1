"""The registries of the four papers' artefacts."""

from __future__ import annotations

from qrelsmith.studies.registry import artefacts_of

PDP = artefacts_of("pdp")
TOPK = artefacts_of("topk")
SCALES = artefacts_of("scales")
ORDERING = artefacts_of("ordering")
