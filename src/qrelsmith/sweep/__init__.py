"""Sweeps: many cells with parameters and seeds, computed in parallel, stored and resumed."""

from qrelsmith.sweep.cells import Cell
from qrelsmith.sweep.parts import Parts
from qrelsmith.sweep.running import Sweep, run_cells

__all__ = ["Cell", "Parts", "Sweep", "run_cells"]
