"""The agreement of each assessor of a group with two other groups (Tables 6 and 7)."""

from __future__ import annotations

import math

from qrelsmith_papers.judging_order.agreement import kappas, mean_kappa, sides
from qrelsmith_papers.judging_order.collection import JudgedCollection


def assessor_means(
    collection: JudgedCollection, group: str, others: tuple[str, str]
) -> dict[str, tuple[float, float]]:
    """Mean κ over topics of each assessor with two other groups; nan where there is none."""
    means = {
        sides(values): mean_kappa(values, collection).value
        for values in kappas(collection, "assessor-group")
    }
    members = sorted(set(collection.judgments.by_group()[group].assessors))
    return {
        who: (means.get((who, others[0]), math.nan), means.get((who, others[1]), math.nan))
        for who in members
    }
