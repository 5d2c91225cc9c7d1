"""Table 7: agreement of each Bronze assessor with Gold and with the other Bronze group."""

from __future__ import annotations

import math
from itertools import zip_longest

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.assessor_agreement import assessor_means
from qrelsmith_papers.judging_order.collection import CAREFUL, GOLD, HASTY
from qrelsmith_papers.judging_order.judged import judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.published_judging import TABLE_7
from qrelsmith_papers.judging_order.www4 import labels_read

_KEY = "table7"
_NONE = (math.nan, math.nan)


@ORDERING.add(_KEY, kind=kind_of_labels, reads=labels_read, sized=True)
def table7(inputs: StudyInputs) -> Section:
    """Mean κ of each Bronze assessor with Gold and with the other Bronze group."""
    campaign = judged_collection(inputs)
    rows: list[tuple[Cell, ...]] = []
    with_gold: dict[str, list[float]] = {}
    for group, other in ((HASTY, CAREFUL), (CAREFUL, HASTY)):
        found = assessor_means(campaign, group, (GOLD, other))
        with_gold[group] = [gold for gold, _ in found.values()]
        pairs = zip_longest(TABLE_7[group], found.values(), fillvalue=_NONE)
        rows += [
            (f"Assessor{group[-1]}{number}", group, *printed, *obtained)
            for number, (printed, obtained) in enumerate(pairs, start=1)
        ]
    columns = (
        "assessor", "group", "with Gold, published", "with other Bronze, published",
        f"with Gold, {campaign.short}", f"with other Bronze, {campaign.short}",
    )  # fmt: skip
    highest, lowest = max(with_gold[HASTY]), min(with_gold[CAREFUL])
    printed = [min(gold for gold, _ in TABLE_7[CAREFUL]), max(gold for gold, _ in TABLE_7[HASTY])]
    mean = {group: sum(values) / len(values) for group, values in with_gold.items()}
    return Section(
        key=_KEY,
        title="Table 7: agreement of Bronze assessors",
        paragraphs=("Mean κ over an assessor's topics; as for Table 6.",),
        tables=(NamedTable(_KEY, "Mean κ of each Bronze assessor", Table.of(columns, rows)),),
        findings=(
            campaign.claim(
                mean[CAREFUL] > mean[HASTY],
                "The paper: BronzeT assessors tend to agree more with Gold than BronzeW assessors"
                f" do (the lowest of the former {printed[0]}, the highest of the latter"
                f" {printed[1]}). On {campaign.name} the means are {mean[CAREFUL]:.3f} and"
                f" {mean[HASTY]:.3f} (lowest {lowest:.3f}, highest {highest:.3f}).",
                section=_KEY,
            ),
        ),
    )
