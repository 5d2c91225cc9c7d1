"""Efficiency of assessors, and differences between groups of assessors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Unpack

from qrelsmith.base.content import Report, Section, ShownAnswer
from qrelsmith.base.errors import InputError, UndefinedError, UsageError
from qrelsmith.base.options import Option, ReportFolder, Source, check_scale
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import grade_text, levels_seen
from qrelsmith.base.tables import Table
from qrelsmith.judging_times import NO_CAPS, PAPER_CAPS, Caps
from qrelsmith.judging_times.efficiency_report import comparison_table, efficiency_section, sessions
from qrelsmith.judging_times.judging_efficiency import (
    GroupComparison,
    JudgingEfficiency,
    compared_groups,
    judging_efficiency,
)
from qrelsmith.judging_times.judging_logs import Clock
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.environments import in_environments
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_options import LabelScope, LowestHigh, LowestRelevant
from qrelsmith.judgments.own_consistency import (
    CONSISTENCY,
    OwnConsistency,
    consistency_table,
    repeats_in_rounds,
)
from qrelsmith.judgments.rejudged_rounds import read_rejudged_rounds
from qrelsmith.judgments.sources import check_any, judgments_of
from qrelsmith.judgments.topic_sources import of_topics

Compare = Literal["group", "ordering", "environment", "assessor"]
Test = Literal["two-sample-t", "welch-t", "unpaired-tukey"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Efficiency(Result):
    """Efficiency of assessors.

    Attributes
    ----------
    judging : JudgingEfficiency
        The criteria of every assessor and topic.
    judgments : Judgments
        The judgments with the times.
    compare : str or None
        The key of the groups, if groups are compared.
    compared : tuple of GroupComparison
        The comparisons of every two groups, by criterion.
    repeats : mapping of int to sequence of OwnConsistency
        How often assessors gave repeated docs the same grade, by round.
    shows_repeats : bool
        Whether the table shows the repeats.
    """

    judging: JudgingEfficiency
    judgments: Judgments
    compare: Compare | None = None
    compared: tuple[GroupComparison, ...] = ()
    repeats: Mapping[int, Sequence[OwnConsistency]] = field(default_factory=dict)
    shows_repeats: bool = False

    def table(self) -> Table:
        """Return rows of assessors and topics, of comparisons of two groups, or of repeats."""
        if self.shows_repeats:
            tables = [(number, consistency_table(rows)) for number, rows in self.repeats.items()]
            cells = [(number, *row) for number, table in tables for row in table.rows]
            return Table(("round", *CONSISTENCY), tuple(cells), self.notes)
        if self.compare is None:
            table = sessions(self.judging).sorted()
        else:
            table = comparison_table(self.compared)
        return Table(table.columns, table.rows, self.notes)

    def section(
        self,
        *,
        by: Compare | None = None,
        answers: tuple[ShownAnswer | None, ShownAnswer | None] = (None, None),
    ) -> Section:
        """Return the result as a section of a report, with its figures."""
        return efficiency_section(
            self.judging,
            self.judgments,
            self.compared,
            by=by or self.compare or "environment",
            answers=answers,
        )


def _report(result: Efficiency, inputs: Sequence[str]) -> Report:
    from qrelsmith.io.manifest import manifest_for, manifest_text

    campaign = campaign_of(inputs[0])
    file = inputs[0] if campaign is None else campaign.campaign.judgments
    judging, judgments = result.judging, result.judgments
    manifest = manifest_for(
        ("qrelsmith", "efficiency", str(file)),
        parameters={
            "clock": judging.clock,
            "caps": [judging.caps.judgment, judging.caps.found],
            "relevant": judging.relevant,
            "high": judging.high,
        },
        inputs=[] if file is None else [file],
    )
    return Report(
        title="Efficiency of the assessors",
        subtitle=f"{len(judgments.assessors)} assessors, {len(judgments.topics)} topics",
        notices=(),
        sections=(result.section(),),
        manifest=manifest_text(manifest),
        kind="Times of judgments",
    )


@question(
    command="efficiency",
    heading="labels",
    audit=("efficiency",),
    example="qrelsmith efficiency judgments.csv --ordering prioritised --compare group",
    writes={
        "figures": ReportFolder(
            "Also write a page with figures (SVG, PDF) and tables to this folder.",
            _report,
            "efficiency.html",
            "the figures are in {folder}: efficiency.html shows them",
            metavar="FOLDER",
        )
    },
)
def efficiency(
    labels: Annotated[Any, Source(
        "The judgments with their times, all revisions: an object, a campaign, a path or a data"
        " frame.", "JUDGMENTS|CAMPAIGN", many=False, required=True)],
    *,
    compare: Annotated[Compare | None, Option(
        "Print comparisons of groups instead of times; `environment` means group and ordering."
    )] = None,
    self_agreement: Annotated[bool, Option(
        "Print how often each assessor gave a repeated doc the same grade.",
        was={"repeats": {}})] = False,
    test: Annotated[Test | None, Option(
        "Run the tests of --compare over (assessor, topic) pairs, as in the paper on ordering; by"
        " default, the unit is the assessor (Welch's t-test of means).",
        was={"test": {
            "student": "two-sample-t", "welch": "welch-t", "tukey": "unpaired-tukey"
        }})] = None,
    control: Annotated[str | None, Option(
        "Group in column b; default: the last group by name.", metavar="NAME")] = None,
    groups: Annotated[Sequence[str], Option(
        "Use only this group; repeatable.", ("--group",), metavar="NAME")] = (),
    orderings: Annotated[Sequence[str], Option(
        "Use only this ordering; repeatable.", ("--ordering",), metavar="NAME")] = (),
    clock: Annotated[Clock, Option(
        "Use the total time, or only the time in which the assessor was active (active_ms)."
    )] = "wall",
    judgment_cap: Annotated[float | None, Option(
        "Maximum in seconds of tj1d and of single intervals of atbj; default: 180, or no maximum"
        " with --clock active.",
        metavar="SECONDS", above=0)] = None,
    found_cap: Annotated[float | None, Option(
        "Maximum of tf1rh and tf1h in seconds; default: 600, or no maximum with --clock active.",
        metavar="SECONDS",
        above=0)] = None,
    relevant: LowestRelevant = 1.0,
    high: LowestHigh = None,
    **scope: Unpack[LabelScope],
) -> Efficiency:  # fmt: skip
    """Measure how fast assessors judge.

    Judging times are computed from a JUDGMENTS file.

    Columns: assessor, group, ordering, topic, docs, tj1d, tf1rh, tf1h, atbj, nrej. `tj1d` is the
    time in seconds from opening the topic to the first judgment. `tf1rh` and `tf1h` are the times
    to the first relevant and the first highly relevant doc. `atbj` is the mean time between the
    first judgments of docs, and `nrej` is the number of changed labels. Times above a cap (tj1d,
    tf1rh, tf1h and single intervals of atbj) are dropped, but topics are never dropped. Unknown
    values are nan, with a note. Columns with --compare: criterion, a, b, n_a, n_b, mean_a, mean_b,
    sd_a, sd_b, difference, test, p, effect_size, effect, glass_delta, residual_variance. Columns
    with --self-agreement: round, assessor, repeats, same, higher, lower, share, low, high.

    Returns
    -------
    Efficiency
        Unknown values are nan, with notes on the reason.

    Raises
    ------
    InputError
        If the campaign has no judgments.
    UsageError
        If there are no judgments, or a group does not exist.
    UndefinedError
        If there are fewer than two groups to compare.

    Examples
    --------
    >>> from qrelsmith import efficiency
    >>> times = ["2024-01-08T09:00:00Z", "2024-01-08T09:00:20Z", "2024-01-08T09:00:30Z"]
    >>> log = {
    ...     "topic": ["t"] * 2,
    ...     "doc": ["a", "b"],
    ...     "assessor": ["x"] * 2,
    ...     "grade": [1, 0],
    ...     "shown_at": times[:2],
    ...     "judged_at": times[1:],
    ... }
    >>> result = efficiency(log)
    >>> result.judging.criteria.of("TJ1D"), result.judging.criteria.of("ATBJ")
    (array([20.]), array([10.]))
    """
    if compare is None and (test is not None or control is not None):
        raise UsageError("--test and --control need --compare")
    if self_agreement and compare is not None:
        raise UsageError("found --self-agreement and --compare; expected one of them")
    campaign, scale = campaign_of(labels), scope["scale"]
    if campaign is None:
        check_scale(scope)
    if campaign is not None and campaign.judgments is None:
        raise InputError(
            "the campaign has no judgments; expected a file judgments.*", path=campaign.folder
        )
    judgments = judgments_of(campaign or labels, scale=scale, off_scale=scope["off_scale"])
    check_any(judgments, labels)
    judgments = of_topics(judgments, scope["topic_set"])
    judgments = in_environments(judgments, groups=groups, orderings=orderings)
    if scale is None and campaign is not None:
        scale = campaign.campaign.scale
    notes = []
    again: dict[int, list[OwnConsistency]] = {}
    if campaign is not None and campaign.campaign.is_folder:
        rounds = read_rejudged_rounds(campaign.campaign.folder)
        again = repeats_in_rounds(judgments, rounds, scale=scale)
        notes += [_in_words(number, rows[-1]) for number, rows in again.items()]
    if self_agreement and not again:
        raise UndefinedError(
            "no doc was judged again; expected a campaign with a round of repeats in rejudging/"
        )
    if high is None:
        seen = max(levels_seen(judgments.grade), default=0.0)
        high = max(seen if scale is None else scale.top, relevant)
        notes.append(f"docs are assumed to be highly relevant from grade {grade_text(high)}")
    plain = PAPER_CAPS if clock == "wall" else NO_CAPS
    judging = judging_efficiency(
        judgments,
        relevant=relevant,
        high=high,
        clock=clock,
        caps=Caps(judgment_cap or plain.judgment, found_cap or plain.found),
    )
    compared: tuple[GroupComparison, ...] = ()
    if compare is not None:
        compared = tuple(compared_groups(judging, by=compare, test=test, control=control))
    return Efficiency(
        judging=judging,
        judgments=judgments,
        compare=compare,
        compared=compared,
        repeats=again,
        shows_repeats=self_agreement,
        notes=(*notes, *judging.notes()),
    )


def _in_words(number: int, whole: OwnConsistency) -> str:
    """Describe the repeats of a round in a sentence."""
    return (
        f"round {number}: {whole.same} of {whole.repeats} hidden repeats got the same grade from"
        f" the same assessor ({whole.share:.2f} [{whole.low:.2f}, {whole.high:.2f}])"
    )
