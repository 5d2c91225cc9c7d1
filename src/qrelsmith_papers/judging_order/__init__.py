"""Sakai et al. 2023: the ordering of pooled docs, Gold and Bronze assessors."""

# The order of the imports is the order of the artefacts in the paper.
# ruff: isort: off
from qrelsmith_papers.judging_order import printed  # noqa: F401 - fills the registry
from qrelsmith_papers.judging_order import labels  # noqa: F401
from qrelsmith_papers.judging_order import efficiency  # noqa: F401
from qrelsmith_papers.judging_order import table4  # noqa: F401
from qrelsmith_papers.judging_order import positions  # noqa: F401
from qrelsmith_papers.judging_order import agreement  # noqa: F401
from qrelsmith_papers.judging_order import assessors  # noqa: F401
from qrelsmith_papers.judging_order import disagreements  # noqa: F401
from qrelsmith_papers.judging_order import rankings  # noqa: F401
from qrelsmith_papers.judging_order import consistency  # noqa: F401
from qrelsmith_papers.judging_order import second_round  # noqa: F401
from qrelsmith_papers.judging_order import new_systems  # noqa: F401
from qrelsmith_papers.judging_order import contributions  # noqa: F401
from qrelsmith_papers.judging_order import moments  # noqa: F401
