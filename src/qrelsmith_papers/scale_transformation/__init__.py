"""Han et al. (2019): from one relevance scale to another."""

# The order of the imports is that of the artefacts: the paper's, then two real collections.
# ruff: isort: off
from qrelsmith_papers.scale_transformation import table3  # noqa: F401 - fills the registry
from qrelsmith_papers.scale_transformation import figure1  # noqa: F401
from qrelsmith_papers.scale_transformation import figure2  # noqa: F401
from qrelsmith_papers.scale_transformation import figure3  # noqa: F401
from qrelsmith_papers.scale_transformation import figure4  # noqa: F401
from qrelsmith_papers.scale_transformation import figure5  # noqa: F401
from qrelsmith_papers.scale_transformation import figure6  # noqa: F401
from qrelsmith_papers.scale_transformation import figure7  # noqa: F401
from qrelsmith_papers.scale_transformation import figure8  # noqa: F401
from qrelsmith_papers.scale_transformation import figure9  # noqa: F401
from qrelsmith_papers.scale_transformation import figure10  # noqa: F401
from qrelsmith_papers.scale_transformation import table4  # noqa: F401
from qrelsmith_papers.scale_transformation import truthfulness  # noqa: F401
from qrelsmith_papers.scale_transformation import llm_labels  # noqa: F401
