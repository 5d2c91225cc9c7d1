"""Judgments of the docs in some lists, such as the tops of runs."""

from __future__ import annotations

import numpy as np

from qrelsmith.discrimination import DocLists
from qrelsmith.discrimination.label_pdp import GradedDocs
from qrelsmith.judgments.judgment_events import Judgments


def pool_judgments(judgments: Judgments, graded: GradedDocs, lists: DocLists) -> Judgments:
    """Return the judgments of the docs that are in any of the lists.

    Parameters
    ----------
    graded : GradedDocs
        The grades of the docs.
    lists : DocLists
        Lists of docs that have a grade.
    """
    row, column = np.nonzero(lists.docs >= 0)
    pairs = np.unique(np.column_stack([lists.topics[row], lists.docs[row, column]]), axis=0)
    place = {doc: number for number, doc in enumerate(judgments.docs)}
    topic = {name: number for number, name in enumerate(judgments.topics)}
    wanted = [
        topic[graded.topics[one]] * len(place) + place[graded.docs[one][other]]
        for one, other in pairs.tolist()
    ]
    return judgments.select(np.isin(judgments.topic * len(place) + judgments.doc, wanted))
