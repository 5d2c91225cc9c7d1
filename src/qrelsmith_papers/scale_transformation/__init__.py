"""Han et al. 2019: transforming relevance scales."""

# The order of the imports is the order of the artefacts: the paper's, then two real collections.
# ruff: isort: off
from qrelsmith_papers.scale_transformation import collection_cut  # noqa: F401 - fills the registry
from qrelsmith_papers.scale_transformation import two_levels  # noqa: F401
from qrelsmith_papers.scale_transformation import four_levels  # noqa: F401
from qrelsmith_papers.scale_transformation import figure10  # noqa: F401
from qrelsmith_papers.scale_transformation import table4  # noqa: F401
from qrelsmith_papers.scale_transformation import truthfulness  # noqa: F401
from qrelsmith_papers.scale_transformation import llm_labels  # noqa: F401
