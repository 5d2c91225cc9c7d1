"""Efficiency of assessors, and differences between groups of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from qrelsmith.base.content import Section, ShownAnswer
from qrelsmith.base.errors import InputError, UndefinedError, UnknownNameError, UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale, grade_text, levels_seen
from qrelsmith.base.tables import Table
from qrelsmith.io.cells import OffScale
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
from qrelsmith.judgments.environments import KEYS, in_environments
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.own_consistency import (
    CONSISTENCY,
    OwnConsistency,
    consistency_table,
    repeats_in_rounds,
)
from qrelsmith.judgments.rejudged_rounds import read_rejudged_rounds
from qrelsmith.judgments.sources import check_any, judgments_of
from qrelsmith.judgments.topic_sources import TopicSet, of_topics

Compare = Literal["group", "ordering", "environment", "assessor"]
Test = Literal["student", "welch", "tukey"]
TESTS: dict[str, str] = {
    "student": "two-sample-t",
    "welch": "welch-t",
    "tukey": "unpaired-tukey",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Efficiency(Result):
    """Efficiency of assessors.

    Attributes
    ----------
    judging : JudgingEfficiency
        The criteria of every assessor and topic.
    judgments : Judgments
        What they are made of.
    compare : str or None
        What makes a group, if groups are compared.
    compared : tuple of GroupComparison
        Every two groups, criterion by criterion.
    repeats : mapping of int to sequence of OwnConsistency
        How often assessors gave docs that came again the same grade, by round.
    shows_repeats : bool
        Whether the table is that of the repeats.
    """

    judging: JudgingEfficiency
    judgments: Judgments
    compare: Compare | None = None
    compared: tuple[GroupComparison, ...] = ()
    repeats: Mapping[int, Sequence[OwnConsistency]] = field(default_factory=dict)
    shows_repeats: bool = False

    def table(self) -> Table:
        """Every assessor and topic; or every two groups compared; or what came again."""
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
        """The answer as a section of a report, with its figures."""
        return efficiency_section(
            self.judging,
            self.judgments,
            self.compared,
            by=by or self.compare or "environment",
            answers=answers,
        )


@question(
    command="efficiency",
    audit=("efficiency",),
    flags={"groups": "--group", "orderings": "--ordering"},
)
def efficiency(
    labels: Any,
    *,
    compare: Compare | None = None,
    repeats: bool = False,
    test: Test | None = None,
    control: str | None = None,
    groups: Sequence[str] = (),
    orderings: Sequence[str] = (),
    clock: Clock = "wall",
    judgment_cap: float | None = None,
    found_cap: float | None = None,
    relevant: float = 1.0,
    high: float | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    topic_set: TopicSet | None = None,
) -> Efficiency:
    """Seconds that assessors take, from the times of their judgments; or groups compared by them.

    Parameters
    ----------
    labels : Judgments, campaign, path, or data frame
        The judgments with their times, all revisions.
    compare : {'group', 'ordering', 'environment', 'assessor'}, optional
        Compare every two of these; environment: group and ordering.
    repeats : bool
        Whether the table says how often each assessor gave a doc that came again the same grade:
        of the campaign's rounds for repeats (`assign`, the app's own consistency).
    test : {'student', 'welch', 'tukey'}, optional
        A test over (assessor, topic), as in the paper: Student's t (Table 3), Welch's, Tukey HSD
        (Table 4). By default assessors are the unit: Welch's t over their means (paired where both
        groups are of the same assessors), of three groups or more Games and Howell's test; of
        single assessors Student's t of two and Tukey HSD of more.
    control : str, optional
        The group that is b; by default the last by name.
    groups, orderings : sequence of str
        Only these.
    clock : {'wall', 'active'}
        The times of the judgments, or only the time in which the assessor was active.
    judgment_cap, found_cap : float, optional
        Seconds above which TJ1D and intervals of ATBJ, and TF1RH and TF1H, are dropped; by default
        180 and 600, with the active clock none.
    relevant, high : float
        The grades from which on a doc is relevant, and highly relevant (by default the top of the
        scale, else the highest grade).
    scale, off_scale, topic_set
        As of `agree`.

    Returns
    -------
    Efficiency
        What is not known is nan, and notes say why.

    Raises
    ------
    InputError
        If the campaign has no judgments.
    UsageError
        If there are no judgments, or a group is not there.
    UndefinedError
        If there are no two groups to be compared.

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
    if compare is not None and compare not in KEYS:
        raise UnknownNameError("group of sessions", compare, list(KEYS))
    if compare is None and (test is not None or control is not None):
        raise UsageError("test and control go with compare")
    if repeats and compare is not None:
        raise UsageError("repeats and compare are two tables; expected one of them")
    if test is not None and test not in TESTS:
        raise UnknownNameError("test", test, list(TESTS))
    campaign = campaign_of(labels)
    if campaign is not None and campaign.judgments is None:
        raise InputError("the campaign has no file judgments.*", path=campaign.folder)
    judgments = judgments_of(labels, scale=scale, off_scale=off_scale)
    check_any(judgments, labels)
    judgments = of_topics(judgments, topic_set)
    judgments = in_environments(judgments, groups=groups, orderings=orderings)
    if scale is None and campaign is not None:
        scale = campaign.campaign.scale
    notes = []
    again: dict[int, list[OwnConsistency]] = {}
    if campaign is not None and campaign.campaign.is_folder:
        rounds = read_rejudged_rounds(campaign.campaign.folder)
        again = repeats_in_rounds(judgments, rounds, scale=scale)
        notes += [_in_words(number, rows[-1]) for number, rows in again.items()]
    if repeats and not again:
        raise UndefinedError(
            "no doc came again; expected a campaign with a round for repeats in rejudging/"
        )
    if high is None:
        seen = max(levels_seen(judgments.grade), default=0.0)
        high = max(seen if scale is None else scale.top, relevant)
        notes.append(f"highly relevant is taken to be the grade {grade_text(high)}")
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
        named = None if test is None else TESTS[test]
        compared = tuple(compared_groups(judging, by=compare, test=named, control=control))
    return Efficiency(
        judging=judging,
        judgments=judgments,
        compare=compare,
        compared=compared,
        repeats=again,
        shows_repeats=repeats,
        notes=(*notes, *judging.notes()),
    )


def _in_words(number: int, whole: OwnConsistency) -> str:
    """The repeats of a round in a sentence."""
    return (
        f"round {number}: {whole.same} of {whole.repeats} docs that came again got the same grade"
        f" from the same assessor, a share of {whole.share:.2f} [{whole.low:.2f}, {whole.high:.2f}]"
    )
