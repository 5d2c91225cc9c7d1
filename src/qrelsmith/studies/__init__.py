"""The papers' experiments: one paper, one package; each table or figure one artefact, one file.

An artefact holds no formula: it lays out data or a simulation, calls what a user's own data would
call, and puts what was published beside what came out.
"""

from qrelsmith.studies import papers  # noqa: F401 - fills the registry of papers
