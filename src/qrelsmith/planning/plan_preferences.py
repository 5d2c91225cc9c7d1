"""The preference tests that PDP needs, for several scales at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Unpack

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option, Seed, Source, check_scale
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.discrimination.campaign_pdp import WITHIN
from qrelsmith.discrimination.common_docs import compared_pairs
from qrelsmith.discrimination.preferences.drawing import ScaleCounts, draw_tests
from qrelsmith.discrimination.preferences.needed import NeededTests, needed_tests
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.evaluation.held_runs import campaign_runs
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.label_options import ErrorCode, GroupName, LabelScope
from qrelsmith.judgments.label_transforms import aggregated_qrels, of_group
from qrelsmith.judgments.preference_sources import PreferencesLike, preferences_of
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.planning.planned_labels import planned_label_sets, planned_reference, planned_scales
from qrelsmith.planning.preferences_by_need import next_tests

_PAIRS_SHOWN = 55  # most pairs of grades of a scale with a note each; that is 11 levels


@dataclass(frozen=True, eq=False, kw_only=True)
class PlannedTests(Result):
    """Preference tests to be judged.

    Attributes
    ----------
    rows : tuple of (str, str, str)
        Topic, left and right doc of each test, in the intended order.
    scales : mapping of str to ScaleCounts
        For each set of labels, the number of tests for each pair of grades.
    needed : NeededTests
        The number of tests that the requested precision needs.
    """

    rows: tuple[tuple[str, str, str], ...]
    scales: Mapping[str, ScaleCounts]
    needed: NeededTests

    def table(self) -> Table:
        """Return the columns topic, left, right; `pdp` reads this table after you add outcomes."""
        return Table.of(("topic", "left", "right"), self.rows)


def _labels(words: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """Parse a campaign, or label files, each with its scale."""
    del options
    return {"labels": words[0] if len(words) == 1 else list(words)}


@question(
    command="plan preferences",
    no_audit="it draws pairs to judge; the audit's section on PDP names the command",
    example="qrelsmith plan preferences four.qrels seven.qrels --per-pair 100 -o tests.csv",
    short="Draw the preference tests that PDP needs.",
)
def plan_preferences(
    labels: Annotated[Any, Source(
        "A campaign, label sets, paths or frames, each on a scale.", "FILE...", _labels,
        required=True)],
    *,
    per_pair: Annotated[int, Option(
        "Number of tests for each pair of different grades in each FILE.", least=1)] = 100,
    after: Annotated[PreferencesLike, Option(
        "Answers so far: draw only the tests still needed for --per-pair tests of each pair of"
        " grades; repeatable.",
        metavar="LOG", file=True, many=True)] = None,
    budget: Annotated[int | None, Option(
        "With --after: draw the N most useful tests, instead of equal numbers per grade pair.",
        metavar="N", least=1)] = None,
    mode: Annotated[Mode | None, Option(
        "With --budget: PDP by each assessor's grades or by median grades; default: both."
    )] = None,
    delta: Annotated[float, Option(
        "Maximum error of an estimated preference probability.", above=0, below=1)] = 0.05,
    probability: Annotated[float, Option(
        "Probability that the error is at most --delta.", above=0, below=1)] = 0.95,
    label_set: Annotated[Sequence[str], Option(
        "Use only this label set of a campaign; repeatable.", metavar="NAME")] = (),
    group: GroupName = None,
    errors: ErrorCode = "missing",
    seed: Seed = 0,
    **scope: Unpack[LabelScope],
) -> PlannedTests:  # fmt: skip
    """Draw the preference tests that PDP needs: pairs of docs with different grades in one topic.

    Each FILE contains labels on one scale, as qrels or judgments. The lower median of several
    assessors' grades is used. For a CAMPAIGN, all label sets are used. A test can be used for every
    scale. Columns: topic, left, right, in the order in which to judge. If you add a column outcome,
    the table contains preferences for `pdp`. For each grade pair, the numbers of drawn, possible
    and needed tests (for an estimate within --delta) are printed to stderr. The same seed always
    draws the same tests. With --after and --budget, the most useful tests come first. With one
    FILE, the most useful tests are those that most reduce the expected error of the PDP. With
    several FILEs, the most useful tests most reduce the expected error of the differences from the
    first FILE.

    Raises
    ------
    InputError
        If a file is malformed, or contains no judgments.
    UsageError
        If a grade is not on the scale, there are too many levels, or `budget` is given without
        `after`.
    UndefinedError
        If a set of labels has no grade, or, with `budget`, no answer compares docs that all label
        sets grade.

    Examples
    --------
    >>> plan = plan_preferences({"t1": {"d1": 1, "d2": 0, "d3": 0}}, per_pair=1)
    >>> len(plan.rows), plan.scales["qrels"].possible[0, 1]
    (1, np.int64(2))
    """
    scale = scope["scale"]
    check_scale(scope)
    campaign = campaign_of(labels)
    judgments = planned_label_sets(labels, campaign, label_set, **scope)
    named = {
        name: aggregated_qrels(
            own, "median", group=group, errors=errors, scale=scale, name=name
        ).qrels
        for name, own in judgments.items()
    }
    needed = needed_tests(delta=delta, probability=probability)
    before = None if after is None else preferences_of(after)
    if budget is None:
        if mode is not None:
            raise UsageError("--mode needs --budget, because evenly drawn tests serve both modes")
        drawn = _draw_tests(
            list(named.values()), per_pair=per_pair, seed=seed, scale=scale, before=before
        )
    elif before is None:
        raise UsageError(
            "--budget needs --after, because earlier answers determine the most useful tests"
        )
    elif budget < 1:
        raise UsageError(f"budget is {budget}; expected 1 or more")
    else:
        if group is not None:
            judgments = {name: of_group(each, group) for name, each in judgments.items()}
        drawn = next_tests(
            judgments, before, budget=budget, mode=mode,
            reference=planned_reference(campaign, judgments),
            scales=planned_scales(campaign, judgments, scale),
            runs=() if campaign is None else campaign_runs(campaign, depth=WITHIN),
            errors=errors, seed=seed,
        )  # fmt: skip
    counts = dict(zip(named, drawn[1], strict=True))
    notes = [note for name, of_set in counts.items() for note in _notes(name, of_set, per_pair)]
    if budget is not None and len(drawn[0]) < budget:
        notes.append(
            f"only {len(drawn[0])} of {budget} requested tests: no other pair of docs that all"
            " label sets grade affects PDP"
        )
    if before is not None and (outside := _count_outside(before, named.values())):
        notes.append(f"answered pairs with docs in no label set are ignored: {outside}")
    notes.append(
        f"tests in all: {len(drawn[0])}; a preference probability near 0.5 is within ±{delta:g}"
        f" with probability {probability:g} from {needed.tests} tests for a pair on (exact"
        f" binomial: {needed.exact})"
    )
    return PlannedTests(rows=drawn[0], scales=counts, needed=needed, notes=tuple(notes))


def _count_outside(answers: Preferences, sets: Iterable[Qrels]) -> int:
    """Return the number of answered pairs with a doc that is in no label set."""
    known = {(topic, doc) for judgments in sets for topic, doc, _ in judgments.rows()}
    pairs = compared_pairs(answers)
    return sum(any((topic, doc) not in known for doc in docs) for topic, docs in pairs)


def _draw_tests(
    sets: Sequence[Qrels],
    *,
    per_pair: int,
    seed: int,
    scale: Scale | None,
    before: Preferences | None,
) -> tuple[tuple[tuple[str, str, str], ...], tuple[ScaleCounts, ...]]:
    """Return the tests, and their numbers for each pair of grades of each label set."""
    docs_of: dict[str, set[str]] = {}
    for judgments in sets:
        for topic, doc, _ in judgments.rows():
            docs_of.setdefault(topic, set()).add(doc)
    topics = sorted(docs_of)
    docs = [sorted(docs_of[topic]) for topic in topics]
    widest = max(map(len, docs))
    topic_place = {topic: place for place, topic in enumerate(topics)}
    doc_place = [{doc: place for place, doc in enumerate(names)} for names in docs]
    arrays = []
    for judgments in sets:
        grades = np.full((len(topics), widest), np.nan)
        for topic, doc, grade in judgments.rows():
            place = topic_place[topic]
            grades[place, doc_place[place][doc]] = grade
        arrays.append(grades)
    answered = (
        ()
        if before is None
        else (
            (
                topic_place[topic],
                doc_place[topic_place[topic]][left],
                doc_place[topic_place[topic]][right],
            )
            for topic, left, right, *_ in before.current().rows()
            if topic in topic_place and {left, right} <= docs_of[topic]
        )
    )
    drawn = draw_tests(
        arrays,
        per_pair=per_pair,
        seed=seed,
        before=answered,
        levels=None if scale is None else [scale.levels] * len(arrays),
        topic_keys=topics,
        # Integers, which cannot be doc names, fill the places after a topic's docs.
        doc_keys=[[*names, *range(len(names), widest)] for names in docs],
    )
    places = zip(drawn.topics.tolist(), drawn.left.tolist(), drawn.right.tolist(), strict=True)
    rows = tuple((topics[t], docs[t][left], docs[t][right]) for t, left, right in places)
    return rows, drawn.scales


def _notes(name: str, counts: ScaleCounts, per_pair: int) -> list[str]:
    """Return notes on the number of tests for each pair of grades of a scale."""
    count = len(counts.levels)
    pairs = [(low, high) for low in range(count) for high in range(low + 1, count)]
    if not pairs:
        return [
            f"{name}: all grades are {grade_text(counts.levels[0])}: there is no pair of grades"
        ]
    if len(pairs) <= _PAIRS_SHOWN:
        text = [grade_text(level) for level in counts.levels]
        return [
            f"{name}: grades {text[low]} and {text[high]}: {counts.drawn[low, high]} tests of"
            f" {counts.possible[low, high]} possible"
            for low, high in pairs
        ]
    drawn = [int(counts.drawn[pair]) for pair in pairs]
    short = (
        f"{len(counts.short(per_pair))} pairs have fewer than {per_pair}, because no more tests are"
        " possible"
    )
    return [
        f"{name}: {len(pairs)} pairs of grades have {min(drawn)} to {max(drawn)} tests; {short}"
    ]
