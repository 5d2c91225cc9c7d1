"""Repeats: a sample of each assessor's docs, judged again without a notice."""

from __future__ import annotations

from collections.abc import Iterator

from qrelsmith.assigning.repeats import SEED, repeat_place
from qrelsmith.web.models import AssignedDoc
from qrelsmith.web.organiser.first_looks import FirstLook, looks
from qrelsmith.web.project import current_instance


def repeated_looks(share: float, *, round_number: int) -> Iterator[FirstLook]:
    """Draw a share of the docs that each assessor graded in the first round, in a new order.

    The docs are drawn as by `assign`. Crowd workers and models have no repeats.

    Parameters
    ----------
    share : float
        The probability of each doc, above 0 and at most 1.
    round_number : int
        Number of the new round; each round draws different docs.
    """
    seed = current_instance().campaign.seeds.get(SEED, 0)
    graded = AssignedDoc.objects.filter(
        value__gte=0, assignment__assessor__crowd_worker=None, assignment__crowd_hit=None
    ).exclude(assignment__assessor__group="llm")
    for look in looks(graded):
        keys = (look.assessor_name, look.topic_name, look.doc_name)
        place = repeat_place(keys, share=share, seed=seed, round_number=round_number)
        if place is not None:
            yield look._replace(hit="", position=place)
