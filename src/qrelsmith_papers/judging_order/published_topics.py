"""Table 1 of the paper: who judged which topic, from which pool file."""

from __future__ import annotations

from typing import NamedTuple


class AssignedTopic(NamedTuple):
    """A row of Table 1: docs, and the number of the Gold, BronzeW and BronzeT assessor."""

    topic: str
    docs: int
    gold: int
    pool: str
    hasty: int
    careful: int


# From topic 0201 on.
_ROWS = (
    (140, 1, "PRI", 5, 3), (210, 1, "RND", 1, 4), (232, 1, "RND", 2, 3), (215, 1, "PRI", 4, 5),
    (211, 1, "PRI", 4, 3), (276, 1, "RND", 2, 1), (247, 1, "RND", 4, 2), (223, 1, "PRI", 5, 1),
    (199, 2, "PRI", 5, 3), (184, 2, "RND", 3, 4), (180, 2, "RND", 1, 5), (162, 2, "PRI", 1, 5),
    (173, 2, "PRI", 3, 5), (157, 2, "PRI", 4, 2), (197, 2, "RND", 2, 2), (176, 3, "RND", 5, 2),
    (266, 3, "PRI", 1, 4), (179, 3, "PRI", 3, 1), (305, 3, "PRI", 2, 3), (244, 3, "RND", 4, 4),
    (211, 3, "RND", 5, 4), (179, 3, "PRI", 1, 2), (203, 4, "PRI", 3, 5), (187, 4, "RND", 1, 1),
    (163, 4, "PRI", 3, 3), (164, 4, "RND", 3, 4), (179, 4, "RND", 3, 1), (254, 4, "PRI", 2, 2),
    (249, 4, "PRI", 5, 2), (227, 5, "RND", 1, 3), (210, 5, "PRI", 5, 4), (221, 5, "RND", 5, 3),
    (235, 5, "RND", 2, 2), (272, 5, "RND", 1, 4), (210, 5, "PRI", 2, 1), (183, 5, "PRI", 1, 5),
    (213, 6, "RND", 4, 3), (171, 6, "RND", 4, 2), (171, 6, "PRI", 2, 5), (184, 6, "RND", 4, 5),
    (237, 6, "RND", 2, 4), (168, 6, "PRI", 5, 1), (159, 6, "RND", 3, 3), (185, 7, "RND", 3, 5),
    (201, 7, "PRI", 1, 1), (238, 7, "PRI", 5, 4), (255, 7, "RND", 2, 1), (196, 7, "PRI", 3, 1),
    (274, 7, "PRI", 4, 2), (158, 7, "RND", 4, 5),
)  # fmt: skip
TABLE_1 = tuple(AssignedTopic(f"{number:04d}", *row) for number, row in enumerate(_ROWS, start=201))
