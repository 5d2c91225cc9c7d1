"""Section 3.2: how many topics the collection needs."""

from __future__ import annotations

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.rankings.topic_set_size import Aim, Variance, planned_topics, topic_curves
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING

_KEY = "topics"
_TOPICS = 50
# The residual variances of WWW-3 in footnote 12, and the differences that are to be detected.
_DESIGNS = (
    (Variance("nERR", 0.0284), Aim("anova", 0.1)),
    (Variance("iRBU", 0.00716), Aim("anova", 0.05)),
)


@ORDERING.add(_KEY, kind=ClaimKind.FROM_PRINT)
def topics(inputs: StudyInputs) -> Section:  # noqa: ARG001 - every artefact takes them
    """Topic set size for two systems, and the power of the paper's 50 topics."""
    enough = [planned_topics([variance], [aim])[0] for variance, aim in _DESIGNS]
    planned = [planned_topics([variance], [aim], topics=[_TOPICS])[0] for variance, aim in _DESIGNS]
    columns = (
        "measure", "V_E2", "difference", "topics for power .8", f"power of {_TOPICS} topics",
        f"difference detected by {_TOPICS} topics",
    )  # fmt: skip
    rows = [
        (
            least.variance.measure, least.variance.value, least.aim.target, least.topics, of.power,
            of.reached,
        )
        for least, of in zip(enough, planned, strict=True)
    ]  # fmt: skip
    powers = [one.power for one in planned]
    return Section(
        key=_KEY,
        title="Section 3.2: number of topics",
        paragraphs=(
            "The paper: with 50 topics the power is above .8 to detect a difference of 0.1 in nERR"
            " or 0.05 in iRBU between two systems (one-way analysis of variance, α = .05, residual"
            " variances of WWW-3).",
        ),
        tables=(NamedTable(_KEY, "Topics and power", Table.of(columns, rows)),),
        figures=(
            topic_curves(
                [variance for variance, _ in _DESIGNS[:1]], [aim for _, aim in _DESIGNS[:1]]
            ),
        ),
        findings=(
            claim(
                min(powers) > 0.8,
                f"50 topics have a power above .8, as the paper says: {powers[0]:.3f} (nERR) and"
                f" {powers[1]:.3f} (iRBU); {enough[0].topics} and {enough[1].topics} topics are"
                " enough.",
                section=_KEY,
            ),
        ),
    )
