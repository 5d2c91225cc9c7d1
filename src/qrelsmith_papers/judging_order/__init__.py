"""Sakai et al. (2023): the ordering of pooled docs, Gold and Bronze assessors."""

# The order of the imports is that of the artefacts, which is the paper's.
# ruff: isort: off
from qrelsmith_papers.judging_order import topic_set_size  # noqa: F401 - fills the registry
from qrelsmith_papers.judging_order import table1  # noqa: F401
from qrelsmith_papers.judging_order import table2  # noqa: F401
from qrelsmith_papers.judging_order import table3  # noqa: F401
from qrelsmith_papers.judging_order import figure1  # noqa: F401
from qrelsmith_papers.judging_order import table4  # noqa: F401
from qrelsmith_papers.judging_order import figure2  # noqa: F401
from qrelsmith_papers.judging_order import table5  # noqa: F401
from qrelsmith_papers.judging_order import table6  # noqa: F401
from qrelsmith_papers.judging_order import table7  # noqa: F401
from qrelsmith_papers.judging_order import table8  # noqa: F401
from qrelsmith_papers.judging_order import table9  # noqa: F401
from qrelsmith_papers.judging_order import table10  # noqa: F401
from qrelsmith_papers.judging_order import table11  # noqa: F401
from qrelsmith_papers.judging_order import table12  # noqa: F401
from qrelsmith_papers.judging_order import letters  # noqa: F401
from qrelsmith_papers.judging_order import table14  # noqa: F401
from qrelsmith_papers.judging_order import table15  # noqa: F401
from qrelsmith_papers.judging_order import table16  # noqa: F401
from qrelsmith_papers.judging_order import table17  # noqa: F401
from qrelsmith_papers.judging_order import table18  # noqa: F401
from qrelsmith_papers.judging_order import intervals  # noqa: F401
from qrelsmith_papers.judging_order import draws  # noqa: F401
