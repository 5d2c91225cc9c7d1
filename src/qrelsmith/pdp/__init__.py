"""Pairwise discriminative power: how open judgments leave the ideal ranking (pdp 3.3)."""

from qrelsmith.pdp.collection import CollectionPdp, collection_pdp
from qrelsmith.pdp.comparison import PdpComparison, compare_pdp
from qrelsmith.pdp.coverage import untested_pairs
from qrelsmith.pdp.setting import DocLists, Setting
from qrelsmith.pdp.several import HeldAgainst, compare_each
from qrelsmith.pdp.topics import Pdp, topic_pdp
from qrelsmith.pdp.weighted import weighted_pdp

__all__ = [
    "CollectionPdp",
    "DocLists",
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
