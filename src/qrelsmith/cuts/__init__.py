"""Cuts of a scale: the exact α of every set of cuts, computed fast, and selection of cuts."""

# Importing a module registers its methods.
from qrelsmith.base.registration import load_modules
from qrelsmith.cuts.choice import TIE_RULES, CutChoice, best_cuts, closeness, cut_groups
from qrelsmith.cuts.cut_sets import CutSets
from qrelsmith.cuts.direct import direct_alpha
from qrelsmith.cuts.doc_centric import doc_at, doc_ta
from qrelsmith.cuts.doc_levels import distinct_sets, doc_levels
from qrelsmith.cuts.hit_centric import hit2, hit_at, hit_ta
from qrelsmith.cuts.merged import LEVELS_OF_MEASUREMENT
from qrelsmith.cuts.registry import CUT_METHODS, CutAlphas, CutMethod
from qrelsmith.cuts.source_agreement import source_alpha
from qrelsmith.cuts.topic_labels import AGGREGATED_BY, ASSESSOR, TopicLabels
from qrelsmith.cuts.topicwide import topicwide

__all__ = [
    "AGGREGATED_BY",
    "ASSESSOR",
    "CUT_METHODS",
    "LEVELS_OF_MEASUREMENT",
    "TIE_RULES",
    "CutAlphas",
    "CutChoice",
    "CutMethod",
    "CutSets",
    "TopicLabels",
    "best_cuts",
    "closeness",
    "cut_groups",
    "direct_alpha",
    "distinct_sets",
    "doc_at",
    "doc_levels",
    "doc_ta",
    "hit2",
    "hit_at",
    "hit_ta",
    "source_alpha",
    "topicwide",
]

# This also loads modules that are not imported above.
load_modules(__name__, __path__, "@CUT_METHODS.add(")
