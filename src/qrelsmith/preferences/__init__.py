"""From preference tests to preference matrices, and how many tests that takes (pdp 3.4)."""

from qrelsmith.preferences.batches import batches_by_assessor
from qrelsmith.preferences.doc_matrix import DocMatrix, doc_matrix
from qrelsmith.preferences.drawing import DrawnTests, ScaleCounts, draw_tests
from qrelsmith.preferences.grade_matrix import GradeMatrix, grade_matrix
from qrelsmith.preferences.needed import NeededTests, needed_tests
from qrelsmith.preferences.options import Mode, Smoothing, Strength, Untested
from qrelsmith.preferences.outcomes import PreferenceTests, settle

__all__ = [
    "DocMatrix",
    "DrawnTests",
    "GradeMatrix",
    "Mode",
    "NeededTests",
    "PreferenceTests",
    "ScaleCounts",
    "Smoothing",
    "Strength",
    "Untested",
    "batches_by_assessor",
    "doc_matrix",
    "draw_tests",
    "grade_matrix",
    "needed_tests",
    "settle",
]
