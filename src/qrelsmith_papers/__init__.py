"""The tables and figures of four papers, made anew: a plug-in of qrelsmith.

An artefact holds no formula: it lays out data or a simulation, calls what a user's own data would
call, and puts what was published beside what came out.
"""
