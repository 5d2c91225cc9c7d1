"""Table 6: agreement of each Gold assessor with the Bronze groups."""

from __future__ import annotations

import math
from itertools import zip_longest

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.assessor_agreement import assessor_means
from qrelsmith_papers.judging_order.collection import CAREFUL, GOLD, HASTY
from qrelsmith_papers.judging_order.published_judging import TABLE_6
from qrelsmith_papers.judging_order.simulated import simulated_campaign

_KEY = "table6"
_NONE = (math.nan, math.nan)


@ORDERING.add(_KEY, sized=True)
def table6(inputs: StudyInputs) -> Section:
    """Mean κ of each Gold assessor with BronzeW and with BronzeT."""
    means = assessor_means(simulated_campaign(inputs).collection, GOLD, (HASTY, CAREFUL))
    rows = [
        (f"AssessorG{number}", *printed, *obtained)
        for number, (printed, obtained) in enumerate(
            zip_longest(TABLE_6, means.values(), fillvalue=_NONE), start=1
        )
    ]
    columns = (
        "assessor", "with BronzeW, published", "with BronzeT, published",
        "with BronzeW, simulated", "with BronzeT, simulated",
    )  # fmt: skip
    closer = sum(careful > hasty for hasty, careful in means.values())
    return Section(
        key=_KEY,
        title="Table 6: agreement of Gold assessors",
        paragraphs=(
            "Mean κ over an assessor's topics. The simulated assessors are others than the paper's;"
            " they stand in the same rows to save space.",
        ),
        tables=(NamedTable(_KEY, "Mean κ of each Gold assessor", Table.of(columns, rows)),),
        findings=(
            claim(
                closer >= len(means) - 1,
                "The paper: six of seven Gold assessors agree more with BronzeT than with BronzeW."
                f" On the simulated campaign {closer} of {len(means)} do.",
                section=_KEY,
            ),
        ),
    )
