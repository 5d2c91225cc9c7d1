"""Chu et al. (2021): pairwise discriminative power."""

# The order of the imports is that of the artefacts.
from qrelsmith.studies.judgment_quality import (  # noqa: F401 - fills the registry
    example,
    figure4,
    figure5,
    figure5_readings,
    figure6,
    figure7,
    table2,
)
