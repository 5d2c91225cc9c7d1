"""The names of the groups of assessors, orderings and measures."""

from __future__ import annotations

# The paper's names. BronzeW are students paid by the hour, BronzeT professional labellers; here
# they stand for the group that took less care, and for the one that took more.
GOLD, HASTY, CAREFUL = "Gold", "BronzeW", "BronzeT"
GROUPS = (GOLD, HASTY, CAREFUL)
PRI, RND = "PRI", "RND"
ORDERINGS = {"prioritised": PRI, "randomised": RND}
MEASURES = {"nDCG": "nDCG@10", "Q": "Q@10", "nERR": "nERR@10", "iRBU": "iRBU@10"}
# What nERR and iRBU look at, and what nDCG and Q do: the paper calls the former shallow.
SHALLOW, DEEP = ("nERR", "iRBU"), ("nDCG", "Q")


def environment(name: str) -> str:
    """Return an environment as the paper calls it.

    >>> environment("Gold/prioritised"), environment("BronzeW")
    ('PRI-Gold', 'BronzeW')
    """
    group, _, ordering = name.partition("/")
    return f"{ORDERINGS.get(ordering, ordering)}-{group}" if ordering else group
