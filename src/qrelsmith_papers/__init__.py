"""The reproduced tables and figures of four papers: a plug-in of qrelsmith.

An artefact has no formulas: it prepares data or a simulation, calls the same functions that a user
would call, and shows the published results next to the reproduced results.
"""
