"""What is broken in labels, and whose it is.

A damage is one function under `DAMAGES.add`: arrays in, `Evidence` out. `find_damages` lays out
label sets and runs, asks all of them, and says whose fault it is.
"""

from qrelsmith.damages.favoured import favoured
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.damages.shifted import shifted
from qrelsmith.damages.swapped import swapped

__all__ = ["DAMAGES", "favoured", "shifted", "swapped"]
