"""Clarke, Vtyurina and Smucker (2021): top-k preferences and compatibility."""

# The order of the imports is that of the artefacts, which is the paper's.
# ruff: isort: off
from qrelsmith_papers.topk_preferences import table1  # noqa: F401 - fills the registry
from qrelsmith_papers.topk_preferences import figure4  # noqa: F401
from qrelsmith_papers.topk_preferences import tuning  # noqa: F401
from qrelsmith_papers.topk_preferences import table2  # noqa: F401
from qrelsmith_papers.topk_preferences import counts  # noqa: F401
from qrelsmith_papers.topk_preferences import costs  # noqa: F401
from qrelsmith_papers.topk_preferences import figure5  # noqa: F401
from qrelsmith_papers.topk_preferences import figure7  # noqa: F401
from qrelsmith_papers.topk_preferences import figure8  # noqa: F401
from qrelsmith_papers.topk_preferences import figure9  # noqa: F401
from qrelsmith_papers.topk_preferences import table3  # noqa: F401
from qrelsmith_papers.topk_preferences import figure10  # noqa: F401
from qrelsmith_papers.topk_preferences import figure11  # noqa: F401
