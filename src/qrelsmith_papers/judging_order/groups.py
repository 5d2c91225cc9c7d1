"""The names of the groups of assessors, orderings and measures."""

from __future__ import annotations

# The paper's names. BronzeW are students paid by the hour, BronzeT professional labellers. Here
# they are the names of the less careful and the more careful group.
GOLD, HASTY, CAREFUL = "Gold", "BronzeW", "BronzeT"
GROUPS = (GOLD, HASTY, CAREFUL)
PRI, RND = "PRI", "RND"
ORDERINGS = {"prioritised": PRI, "randomised": RND}
MEASURES = {"nDCG": "nDCG@10", "Q": "Q@10", "nERR": "nERR@10", "iRBU": "iRBU@10"}
# The paper calls nERR and iRBU shallow, in contrast to nDCG and Q.
SHALLOW, DEEP = ("nERR", "iRBU"), ("nDCG", "Q")


def environment(name: str) -> str:
    """Return the paper's name of an environment.

    >>> environment("Gold/prioritised"), environment("BronzeW")
    ('PRI-Gold', 'BronzeW')
    """
    group, _, ordering = name.partition("/")
    return f"{ORDERINGS.get(ordering, ordering)}-{group}" if ordering else group
