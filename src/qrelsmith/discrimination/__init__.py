"""Pairwise discriminative power: the uncertainty of the ideal ranking given labels (pdp 3.3)."""

from qrelsmith.discrimination.collection import CollectionPdp, collection_pdp
from qrelsmith.discrimination.comparison import PdpComparison, compare_pdp
from qrelsmith.discrimination.coverage import untested_pairs
from qrelsmith.discrimination.draws import Draws
from qrelsmith.discrimination.setting import DocLists, Setting
from qrelsmith.discrimination.several import HeldAgainst, compare_each
from qrelsmith.discrimination.topics import Pdp, topic_pdp
from qrelsmith.discrimination.weighted import weighted_pdp

__all__ = [
    "CollectionPdp",
    "DocLists",
    "Draws",
    "HeldAgainst",
    "Pdp",
    "PdpComparison",
    "Setting",
    "collection_pdp",
    "compare_each",
    "compare_pdp",
    "topic_pdp",
    "untested_pairs",
    "weighted_pdp",
]
