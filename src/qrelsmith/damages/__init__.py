"""Damages: data problems in labels, and their sources.

A damage is one function under `DAMAGES.add`: arrays in, `Evidence` out. `find_damages` lays out
label sets and runs, calls all of the functions, and determines the source of each problem.
"""

from qrelsmith.base.registration import load_modules
from qrelsmith.damages import (  # noqa: F401
    assessor_faults,
    constant,
    drift,
    favoured,
    leans_on,
    off_scale,
    one_grade,
    order_effects,
    plain_facts,
    repeats,
    reversed_scale,
    shifted,
    swapped,
    tail,
    unexplained,
    unused_level,
)
from qrelsmith.damages.registry import DAMAGES

__all__ = ["DAMAGES"]

# A new file needs no line above; the imports above fix the order.
load_modules(__name__, __path__, "@DAMAGES.add(")
