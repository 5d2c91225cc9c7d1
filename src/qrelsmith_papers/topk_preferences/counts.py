"""The numbers in the text of sections 4.1, 4.2 and 5: pools, and what rounds may lose."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.topk.crowd_simulation import CrowdDesign
from qrelsmith.topk.reliability import Constant
from qrelsmith.topk.topk_losses import round_losses
from qrelsmith.topk.topk_pool import TopkPool
from qrelsmith.topk.topk_sessions import TopicPool, TopkSetting, topic_pools
from qrelsmith.topk.tournament_simulation import simulate_tournaments
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences.cast2019 import MISSING, cast2019, files_read
from qrelsmith_papers.topk_preferences.collection import TopkCollection
from qrelsmith_papers.topk_preferences.published import IDEALS

_KEY = "counts"
_TITLE = "Sections 4 and 5: the numbers in the text"
_SEVEN, _FIRST_ROUND = 7, 2_498


@TOPK.add(
    "counts",
    kind=ClaimKind.RECOMPUTED,
    reads=files_read,
    sized=True,
    deviation=(
        "The paper's 57 questions are those with P = 7 candidates or fewer, not F; its 12 % "
        "follows neither from failing the majority (10/36) nor from being lost (10.9 %); a "
        "tree of n candidates has n − 1 comparisons; its numbers of ideal rankings are no orders."
    ),
)
def counts(inputs: StudyInputs) -> Section:
    """Judged and positive passages, candidates, small pools, and the fifth-best of ten."""
    data = cast2019(inputs)
    if data is None:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    setting = TopkSetting()
    pools = topic_pools(data.graded, k=setting.k)
    draws = 100_000 if inputs.paper_size else 10_000
    losses = round_losses(setting.finalists + 1, CrowdDesign(), draws=draws, seed=inputs.seed)
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            "Thinning the herd on the grades of TREC CAsT 2019, k = 5, F = 9, P = 7. What a round"
            f" does to the best of ten candidates is seen on {draws:,} random pairings with right"
            " answers; counting all 286,884 pairings there are gives 10/36 = 27.8 % for the"
            " fifth-best to fail its majority and 31,300/286,884 = 10.9 % for it to be lost, since"
            " a round that would leave fewer than k keeps those with the most wins, ties included.",
        ),
        tables=(
            NamedTable(
                key=f"{_KEY}-losses",
                title="The five best of ten candidates in a round with P = 7",
                table=losses,
                note="fails: wins no majority of its own pairings; lost: and is not kept to have"
                " five stay.",
            ),
            NamedTable(
                key=f"{_KEY}-pools",
                title="Candidates of each question",
                table=TopkPool(pools=pools).table(),
            ),
        ),
        findings=(*_pool_findings(data, pools, setting), _loss_finding(losses)),
    )


def _pool_findings(
    data: TopkCollection, pools: Sequence[TopicPool], setting: TopkSetting
) -> tuple[Finding, ...]:
    sizes = {pool.topic: len(pool.candidates) for pool in pools}
    judged, positive = len(data.graded), int((data.graded.grade > 0).sum())
    largest = max(sizes, key=sizes.__getitem__)
    small = sum(size <= setting.finalists for size in sizes.values())
    seven = sum(size <= _SEVEN for size in sizes.values())
    trees = simulate_tournaments(
        [pool.grades for pool in pools], 1, Constant(1.0), campaigns=1, seed=0
    )
    comparisons = int(trees.judgments.sum())
    return (
        claim(
            (judged, positive) == (29_350, 8_120),
            "The paper: 29,350 passages were judged, 8,120 of them positive. Here"
            f" {judged:,} and {positive:,}.",
            section=_KEY,
            any_size=True,
        ),
        claim(
            (sum(sizes.values()), largest, sizes[largest]) == (2_673, "67_8", 112),
            "The paper: 2,673 candidates, up to 112 for question 67.8. Here"
            f" {sum(sizes.values()):,}, up to {sizes[largest]} for {largest}.",
            section=_KEY,
            any_size=True,
        ),
        claim(
            small == 57,
            f"The paper: 57 questions had |C| ≤ F. Here {small} have F = {setting.finalists}"
            f" candidates or fewer, and {seven} have {_SEVEN} or fewer.",
            section=_KEY,
            any_size=True,
        ),
        claim(
            comparisons == _FIRST_ROUND,
            f"The paper: the first round of the tournament takes {_FIRST_ROUND:,} judgments. Here"
            f" {comparisons:,}, one for each candidate but the best of each question;"
            f" {_FIRST_ROUND:,} is {_FIRST_ROUND + len(pools):,} − {len(pools)}, which two"
            " candidates lack.",
            section=_KEY,
            any_size=True,
        ),
        _ideal_rankings(data),
    )


def _ideal_rankings(data: TopkCollection) -> Finding:
    """The paper's numbers of ideal rankings are products of the numbers of docs of each grade."""
    levels: dict[str, Counter[float]] = {}
    for topic, _, grade in data.graded.rows():
        levels.setdefault(topic, Counter())[grade] += 1
    products = [math.prod(of.values()) for of in levels.values()]
    orders = [math.prod(math.factorial(n) for n in of.values()) for of in levels.values()]
    mean = sum(products) / len(products)
    return claim(
        (min(orders), max(orders)) == IDEALS,
        f"The paper: a question has {IDEALS[0]} to {IDEALS[1]:,} ideal rankings, over two million"
        f" on average. Here, by the orders within each grade, 10^{len(str(min(orders))) - 1} or"
        " more. The printed numbers are products of the numbers of docs of each grade, 0 too:"
        f" {min(products)} to {max(products):,}, mean {mean:,.0f}.",
        section=_KEY,
        any_size=True,
    )


def _loss_finding(losses: Table) -> Finding:
    """The paper's 12 % for the fifth-best."""
    *_, (_, _, fails, lost) = losses.rows
    shares = [float(str(share)) for share in (fails, lost)]
    return claim(
        any(0.12 < share < 0.13 for share in shares),
        "The paper: with P = 7 there is more than a 12 % chance that the fifth-best of ten meets"
        " all of the top four and fails to win a majority. Here it fails its majority in"
        f" {shares[0]:.1%} of the pairings and is lost in {shares[1]:.1%}.",
        section=_KEY,
        any_size=True,
    )
