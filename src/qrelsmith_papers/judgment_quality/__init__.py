"""Chu et al. 2021: pairwise discriminative power."""

# The order of the imports is the order of the artefacts in the paper.
# ruff: isort: off
from qrelsmith_papers.judgment_quality import example  # noqa: F401 - fills the registry
from qrelsmith_papers.judgment_quality import figure4  # noqa: F401
from qrelsmith_papers.judgment_quality import figure5  # noqa: F401
from qrelsmith_papers.judgment_quality import figure6  # noqa: F401
from qrelsmith_papers.judgment_quality import settings  # noqa: F401
from qrelsmith_papers.judgment_quality import figure7  # noqa: F401
