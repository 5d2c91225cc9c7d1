"""Table 2 and the numbers in the text of sections 3.1, 4 and 5: pools, rounds and costs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith.topk.crowd_simulation import CrowdDesign
from qrelsmith.topk.reliability import Constant
from qrelsmith.topk.topk_losses import round_losses
from qrelsmith.topk.topk_pool import TopkPool
from qrelsmith.topk.topk_sessions import TopkSetting, topic_pools
from qrelsmith.topk.topk_tables import effort_table
from qrelsmith.topk.tournament_simulation import simulate_tournaments
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences import cast2019
from qrelsmith_papers.topk_preferences.both import on_both
from qrelsmith_papers.topk_preferences.collection import TopkCollection
from qrelsmith_papers.topk_preferences.published import (
    COST,
    GRADED_JUDGMENTS,
    HIT_COST,
    HIT_PAIRS,
    IDEALS,
    PREFERENCES,
    TABLE2,
)

_SMALL, _FIRST_ROUND = 57, 2_498


def _table_2(k: int, published: int) -> c.Claim[dict[int, int]]:
    part = ("judgments", lambda extra: float(extra[k]), c.equal_to(published))
    return c.claim(f"At most {published:,} extra judgments identify the top {k}.", part)


@on_both(
    "table2",
    title="Table 2: extra effort",
    claims=tuple(_table_2(k, published) for k, published in TABLE2.items()),
)
def table2(there: Sequence[TopkCollection]) -> Made:
    """Compute upper bounds on dedicated assessors' comparisons for k = 3, 5 and 10."""
    tables = {data.name: effort_table(data.graded, tuple(TABLE2)) for data in there}
    own = tables.get(cast2019.NAME)
    rows = [
        (name, *row, published if name == cast2019.NAME else None)
        for name, table in tables.items()
        for row, published in zip(table.rows, TABLE2.values(), strict=True)
    ]
    held = []
    if own is not None:
        extra = {k: int(str(row[4])) for k, row in zip(TABLE2, own.rows, strict=True)}
        held = [c.Held(cast2019.NAME, c.ClaimKind.RECOMPUTED, extra)]
    columns = "|".join(["collection", *next(iter(tables.values())).columns, "published"])
    about = (
        "The bound is |C| + (k − 1)⌈log2 |C|⌉, summed over topics, with each k's own candidates."
    )
    return Made(
        held=held,
        paragraphs=[about],
        tables=[table_of("table2", "Judgments, candidates and bound", columns, rows)],
    )


class _Counts(NamedTuple):
    """Counts of the grades, and the losses of a round."""

    judged: int
    positive: int
    candidates: int
    largest: int
    largest_topic: str
    small: int
    comparisons: int
    orders: tuple[float, float]
    fails: float
    lost: float


_COUNTS: tuple[c.Claim[_Counts], ...] = (
    c.claim(
        "29,350 passages were judged, 8,120 of them positive.",
        ("judged", lambda of: float(of.judged), c.equal_to(29_350)),
        ("positive", lambda of: float(of.positive), c.equal_to(8_120)),
    ),
    c.claim(
        "There are 2,673 candidates, up to 112 for question 67.8.",
        ("candidates", lambda of: float(of.candidates), c.equal_to(2_673)),
        ("largest number for one question", lambda of: float(of.largest), c.equal_to(112)),
        ("number for question 67.8", lambda of: float(of.largest_topic == "67_8"), c.equal_to(1)),
    ),
    c.claim(
        f"{_SMALL} questions had |C| ≤ F.",
        ("questions with 9 candidates or fewer", lambda of: float(of.small), c.equal_to(_SMALL)),
    ),
    c.claim(
        f"The first round of the tournament takes {_FIRST_ROUND:,} judgments.",
        ("judgments", lambda of: float(of.comparisons), c.equal_to(_FIRST_ROUND)),
    ),
    c.claim(
        f"A question has {IDEALS[0]} to {IDEALS[1]:,} ideal rankings.",
        ("digits of the smallest number", lambda of: of.orders[0], c.equal_to(len(str(IDEALS[0])))),
        ("digits of the largest number", lambda of: of.orders[1], c.equal_to(len(str(IDEALS[1])))),
    ),
    c.claim(
        "There is more than a 12 % chance that the fifth-best of ten is paired with all top four"
        " and fails to win a majority.",
        ("share that fails to win a majority", lambda of: of.fails, c.within(0.12, 0.13)),
        ("share that is lost under the floor rule", lambda of: of.lost, c.within(0.12, 0.13)),
    ),
)


@TOPK.add(
    "counts",
    title="Sections 3 to 5: the numbers in the text",
    claims=_COUNTS,
    kind=c.ClaimKind.RECOMPUTED,
    reads=cast2019.CAST.read,
    deviation="57 questions have |C| ≤ P; 2,498 is 2,671 − 173; the 12 % is 10/36 or 10.9 %; the"
    " numbers of ideal rankings lack factorials and count grade 0.",
)
def counts(inputs: StudyInputs) -> Made:
    """Count judged and positive passages, candidates, small pools, and losses of the fifth-best."""
    data = cast2019.cast2019(inputs)
    if data is None:
        return Made(missing=cast2019.CAST.missing)
    setting = TopkSetting()
    pools = topic_pools(data.graded, k=setting.k)
    sizes = {pool.topic: len(pool.candidates) for pool in pools}
    largest = max(sizes, key=sizes.__getitem__)
    trees = simulate_tournaments([p.grades for p in pools], 1, Constant(1.0), campaigns=1, seed=0)
    draws = 100_000 if inputs.paper_size else 10_000
    losses = round_losses(setting.finalists + 1, CrowdDesign(), draws=draws, seed=inputs.seed)
    *_, (_, _, fails, lost) = losses.rows
    products, orders = _ideal_rankings(data)
    result = _Counts(
        len(data.graded), int((data.graded.grade > 0).sum()), sum(sizes.values()), sizes[largest],
        largest, sum(size <= setting.finalists for size in sizes.values()),
        int(trees.judgments.sum()), (min(orders), max(orders)), float(str(fails)), float(str(lost)),
    )  # fmt: skip
    return Made(
        held=[data.hold(result)],
        facts=[
            "The products of the numbers of docs per grade, including grade 0, range from"
            f" {min(products):,} to {max(products):,} (mean {sum(products) / len(products):,.0f}):"
            " these are the paper's numbers of ideal rankings."
        ],
        paragraphs=[
            "Thinning the herd on the grades of TREC CAsT 2019, k = 5, F = 9, P = 7, and a round"
            f" of {draws:,} random pairings with right answers. Counting all 286,884 pairings"
            " gives 27.8 % for the fifth-best to fail its majority and 10.9 % to be lost, since at"
            " least k are kept."
        ],
        tables=[
            table_of(
                "counts-losses",
                "The five best of ten candidates in a round with P = 7",
                "|".join(losses.columns),
                losses.rows,
                "fails: wins no majority of its own pairings; lost: and is not kept to have five"
                " stay.",
            ),
            table_of(
                "counts-pools",
                "Candidates of each question",
                "|".join(TopkPool(pools=pools).table().columns),
                TopkPool(pools=pools).table().rows,
            ),
        ],
    )


def _ideal_rankings(data: TopkCollection) -> tuple[list[int], list[float]]:
    """Return the product of docs per grade, and the digits in the number of orders, by question."""
    levels: dict[str, Counter[float]] = {}
    for topic, _, grade in data.graded.rows():
        levels.setdefault(topic, Counter())[grade] += 1
    products = [math.prod(of.values()) for of in levels.values()]
    orders = [math.prod(math.factorial(n) for n in of.values()) for of in levels.values()]
    return products, [float(len(str(number))) for number in orders]


class _Costs(NamedTuple):
    """Costs derived from the printed sums."""

    price: float
    more: float
    every: float
    hits: float


_COSTS: tuple[c.Claim[_Costs], ...] = (
    c.claim(
        "A preference judgment cost just over $0.25, preferences were 52.3 % more judgments, and"
        " the full exercise would have cost under $12K.",
        ("dollars per judgment", lambda of: of.price, c.within(0.25, 0.26)),
        ("preferences per graded judgment", lambda of: round(of.more, 3), c.equal_to(0.523)),
        ("dollars for all judgments", lambda of: of.every, c.under(12_000)),
    ),
    c.claim(
        f"${COST:,.2f} were paid at ${HIT_COST:.2f} for a HIT of {HIT_PAIRS} pairs.",
        ("fraction of an incomplete HIT", lambda of: of.hits % 1, c.equal_to(0)),
        ("pairs in this number of HITs", lambda of: of.hits * HIT_PAIRS, c.at_least(PREFERENCES)),
        erratum="$3,879.60 is not a whole number of HITs; some HITs may have had another price.",
    ),
)


@TOPK.add(
    "costs", title="Section 4.3: what the crowd cost", claims=_COSTS, kind=c.ClaimKind.FROM_PRINT
)
def costs(inputs: StudyInputs) -> Made:  # noqa: ARG001 - every artefact takes them
    """Compute the price of a preference judgment, and of all judging."""
    price = COST / PREFERENCES
    every = price * (GRADED_JUDGMENTS + PREFERENCES)
    result = _Costs(price, PREFERENCES / GRADED_JUDGMENTS, every, COST / HIT_COST)
    rows = [
        ("dollars a preference judgment", "just over 0.25", result.price),
        ("preferences per graded judgment", "52.3 %", result.more),
        ("dollars for grades and preferences", "under 12,000", result.every),
        (f"HITs at {HIT_COST:.2f} dollars", None, result.hits),
        (f"pairs in so many HITs of {HIT_PAIRS}", f"{PREFERENCES:,}", result.hits * HIT_PAIRS),
    ]
    return Made(
        held=[c.on_print(result)],
        paragraphs=[
            f"A HIT of {HIT_PAIRS} pairs cost 2.00 dollars for the worker and 0.40 for the"
            f" platform; in all {COST:,.2f} dollars for {PREFERENCES:,} judgments were paid."
        ],
        tables=[table_of("costs", "Costs", "what|published|from the printed sums", rows)],
    )
