"""Damages: what is broken in labels, and whose it is.

A damage is one function under `DAMAGES.add`: arrays in, `Evidence` out. `find_damages` lays out
label sets and runs, asks all of them, and says whose fault it is.
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

# A new file needs no line above; those fix the order.
load_modules(__name__, __path__, "@DAMAGES.add(")
