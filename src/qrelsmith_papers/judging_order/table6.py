"""Table 6: agreement of each Gold assessor with the Bronze groups."""

from __future__ import annotations

import math
from itertools import zip_longest

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.assessor_agreement import assessor_means
from qrelsmith_papers.judging_order.collection import CAREFUL, GOLD, HASTY
from qrelsmith_papers.judging_order.judged import judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.published_judging import TABLE_6
from qrelsmith_papers.judging_order.www4 import labels_read

_KEY = "table6"
_NONE = (math.nan, math.nan)


@ORDERING.add(_KEY, kind=kind_of_labels, reads=labels_read, sized=True)
def table6(inputs: StudyInputs) -> Section:
    """Mean κ of each Gold assessor with BronzeW and with BronzeT."""
    campaign = judged_collection(inputs)
    means = assessor_means(campaign, GOLD, (HASTY, CAREFUL))
    rows = [
        (f"AssessorG{number}", *printed, *obtained)
        for number, (printed, obtained) in enumerate(
            zip_longest(TABLE_6, means.values(), fillvalue=_NONE), start=1
        )
    ]
    columns = (
        "assessor", "with BronzeW, published", "with BronzeT, published",
        f"with BronzeW, {campaign.short}", f"with BronzeT, {campaign.short}",
    )  # fmt: skip
    closer = sum(careful > hasty for hasty, careful in means.values())
    return Section(
        key=_KEY,
        title="Table 6: agreement of Gold assessors",
        paragraphs=(
            "Mean κ over an assessor's topics. Simulated assessors are others than the"
            " paper's; they stand in the same rows to save space.",
        ),
        tables=(NamedTable(_KEY, "Mean κ of each Gold assessor", Table.of(columns, rows)),),
        findings=(
            campaign.claim(
                closer >= len(means) - 1,
                "The paper: six of seven Gold assessors agree more with BronzeT than with BronzeW."
                f" On {campaign.name} {closer} of {len(means)} do.",
                section=_KEY,
            ),
        ),
    )
