"""Damages: what is broken in labels, and whose it is.

A damage is one function under `DAMAGES.add`: arrays in, `Evidence` out. `find_damages` lays out
label sets and runs, asks all of them, and says whose fault it is.
"""

from qrelsmith.base.registration import load_modules
from qrelsmith.damages.assessor_faults import copied, hurried, outlying_assessor
from qrelsmith.damages.constant import constant
from qrelsmith.damages.drift import drift
from qrelsmith.damages.favoured import favoured
from qrelsmith.damages.leans_on import leans_on
from qrelsmith.damages.off_scale import off_scale
from qrelsmith.damages.one_grade import constant_assessor, constant_set
from qrelsmith.damages.order_effects import anchoring, position
from qrelsmith.damages.plain_facts import follows_docno, missing_positives, unrelated
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.damages.repeats import duplicate_runs, same_model
from qrelsmith.damages.reversed_scale import reversed_scale
from qrelsmith.damages.shifted import shifted
from qrelsmith.damages.swapped import swapped
from qrelsmith.damages.tail import tail
from qrelsmith.damages.unexplained import unexplained
from qrelsmith.damages.unused_level import unused_level

__all__ = [
    "DAMAGES",
    "anchoring",
    "constant",
    "constant_assessor",
    "constant_set",
    "copied",
    "drift",
    "duplicate_runs",
    "favoured",
    "follows_docno",
    "hurried",
    "leans_on",
    "missing_positives",
    "off_scale",
    "outlying_assessor",
    "position",
    "reversed_scale",
    "same_model",
    "shifted",
    "swapped",
    "tail",
    "unexplained",
    "unrelated",
    "unused_level",
]

# A new file needs no line above; those fix the order.
load_modules(__name__, __path__, "@DAMAGES.add(")
