"""Clarke, Vtyurina and Smucker (2021): top-k preferences and compatibility."""

# The order of the imports is the order of the artefacts in the paper.
# ruff: isort: off
from qrelsmith_papers.topk_preferences import runs  # noqa: F401 - fills the registry
from qrelsmith_papers.topk_preferences import preferred  # noqa: F401
from qrelsmith_papers.topk_preferences import tuning  # noqa: F401
from qrelsmith_papers.topk_preferences import counts  # noqa: F401
from qrelsmith_papers.topk_preferences import answers  # noqa: F401
