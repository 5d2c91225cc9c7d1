"""Damages: data problems in labels, and their sources.

A damage is one function under `DAMAGES.add`: arrays in, `Evidence` out. `find_damages` lays out
label sets and runs, calls all of the functions, and determines the source of each problem.
"""

from qrelsmith.base.registration import load_modules
from qrelsmith.damages.registry import DAMAGES

__all__ = ["DAMAGES"]

load_modules(__name__, __path__, "@DAMAGES.add(")
