"""Repeats: a sample of the docs of each assessor, judged again without a word of why."""

from __future__ import annotations

from collections.abc import Iterator

from qrelsmith.base.rng import digest_key
from qrelsmith.web.models import AssignedDoc
from qrelsmith.web.organiser.first_looks import FirstLook, looks
from qrelsmith.web.project import current_instance

# What campaign.toml calls the seed, and the record that it draws.
SEED = "repeats"


def repeated_looks(share: float, *, round_number: int) -> Iterator[FirstLook]:
    """A share of the docs that each assessor graded in the first round, in an order of its own.

    Which docs come again follows from the seed, the round and the names alone. Crowd workers and
    models have none.

    Parameters
    ----------
    share : float
        The probability of each doc, above 0 and at most 1.
    round_number : int
        The round that is opened: another one draws other docs.
    """
    seed = current_instance().campaign.seeds.get(SEED, 0)
    graded = AssignedDoc.objects.filter(
        value__gte=0, assignment__assessor__crowd_worker=None, assignment__crowd_hit=None
    ).exclude(assignment__assessor__group="llm")
    for look in looks(graded):
        keys = (look.assessor_name, look.topic_name, look.doc_name)
        drawn = digest_key(seed, SEED, round_number, *keys)
        if int.from_bytes(drawn[:8], "big") < share * 2**64:
            yield look._replace(hit="", position=int.from_bytes(drawn[8:12], "big"))
