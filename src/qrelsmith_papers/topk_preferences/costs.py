"""Section 4.3: what the crowd's judgments cost."""

from __future__ import annotations

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences.published import (
    COST,
    GRADED_JUDGMENTS,
    HIT_COST,
    HIT_PAIRS,
    PREFERENCES,
)

_KEY = "costs"


@TOPK.add(
    _KEY,
    kind=ClaimKind.FROM_PRINT,
    deviation="$3,879.60 is no whole number of HITs; some may have been paid otherwise.",
)
def costs(inputs: StudyInputs) -> Section:  # noqa: ARG001 - every artefact takes them
    """The price of a preference judgment, and of all judging."""
    price, more = COST / PREFERENCES, PREFERENCES / GRADED_JUDGMENTS
    every = price * (GRADED_JUDGMENTS + PREFERENCES)
    hits = COST / HIT_COST
    rows = [
        ("dollars a preference judgment", "just over 0.25", price),
        ("judgments besides the grades", "52.3 %", more),
        ("dollars for grades and preferences", "under 12,000", every),
        (f"HITs at {HIT_COST:.2f} dollars", None, hits),
        (f"pairs in so many HITs of {HIT_PAIRS}", f"{PREFERENCES:,}", hits * HIT_PAIRS),
    ]
    return Section(
        key=_KEY,
        title="Section 4.3: what the crowd cost",
        paragraphs=(
            f"A HIT of {HIT_PAIRS} pairs cost 2.00 dollars for the worker and 0.40 for the"
            f" platform; in all {COST:,.2f} dollars for {PREFERENCES:,} judgments were paid.",
        ),
        tables=(
            NamedTable(
                _KEY, "Costs", Table.of(("what", "published", "from the printed sums"), rows)
            ),
        ),
        findings=(
            claim(
                0.25 < price < 0.26 and round(more, 3) == 0.523 and every < 12_000,
                "The paper: a preference judgment cost just over 0.25 dollars, preferences were"
                " 52.3 % more judgments, and all judging would have cost under 12,000 dollars. From"
                f" its sums: {price:.4f}, {more:.1%} and {every:,.0f}.",
                section=_KEY,
            ),
            claim(
                hits.is_integer(),
                f"The paper: {COST:,.2f} dollars were paid at {HIT_COST:.2f} for a HIT. That is"
                f" {hits:,.1f} HITs.",
                section=_KEY,
            ),
        ),
    )
