"""Damages: data problems in labels, and their sources.

A damage is a function that is registered with `DAMAGES.add`, takes arrays and returns `Evidence`.
`find_damages` converts label sets and runs to arrays, calls all of the functions, and determines
the source of each problem.
"""

from qrelsmith.base.registration import load_modules
from qrelsmith.damages.registry import DAMAGES

__all__ = ["DAMAGES"]

load_modules(__name__, __path__, "@DAMAGES.add(")
