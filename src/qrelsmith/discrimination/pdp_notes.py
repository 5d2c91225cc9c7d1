"""Notes on PDP: omitted items, and small numbers of tests."""

from __future__ import annotations

import numpy as np

from qrelsmith.discrimination import CollectionPdp
from qrelsmith.discrimination.label_pdp import CodedLists, CodedTests, GradedDocs
from qrelsmith.discrimination.pdp_result import PdpOfLabels
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.stats.population import FEWEST_TOPICS, few_topics_note


def exclusion_notes(
    graded: GradedDocs,
    coded: CodedTests | None,
    lists: CodedLists | None,
    depth: int,
    result: CollectionPdp,
) -> list[str]:
    """Return notes on labels, docs and lists that were left out."""
    notes = []
    if graded.ungraded:
        notes.append(f"docs with judgments, but without a grade, are left out: {graded.ungraded}")
    if coded is not None:
        if coded.other_topics:
            notes.append(
                f"topics with preferences, but without judgments: {coded.other_topics}; their"
                " preferences are ignored"
            )
        if coded.untested_topics:
            notes.append(
                f"topics with judgments, but without preferences: {coded.untested_topics}; their"
                " PDP uses the preferences of other topics"
            )
        if coded.ungraded_docs:
            notes.append(
                f"docs with preferences, but without a grade: {coded.ungraded_docs}; the"
                f" {coded.ungraded_tests} doc pairs with them are ignored"
            )
    if len(result.matrix.p) > 1:
        notes.append(
            f"the topics form {len(result.matrix.p)} batches that share no assessors; each has its"
            " own grade matrix"
        )
    if lists is not None:
        if lists.passed_over:
            notes.append(f"docs of runs without a grade were ignored: {lists.passed_over}")
        if lists.short:
            notes.append(f"lists with fewer than {depth} graded docs: {lists.short}")
        if lists.lacking:
            notes.append(f"pairs of a run and a topic without any graded doc: {lists.lacking}")
    undefined = int(np.isnan(result.topics).sum())
    if undefined:
        notes.append(
            f"topics without PDP, not in the mean: {undefined} (no doc, or a pair of docs that no"
            " assessor graded)"
        )
    if not result.lists.converged.all():
        notes.append(f"scores are not at the optimum in {(~result.lists.converged).sum()} lists")
    return notes


def fewest_tests_notes(result: CollectionPdp) -> list[str]:
    """Return a note on the smallest number of tests in a cell of the grade matrix."""
    tests = result.lists.tests
    if np.isnan(result.matrix.tests).all():
        return []
    needed = tests[np.isfinite(tests)]
    if not needed.size:
        return ["no preference was needed: the docs of each topic have equal grades"]
    cells = result.matrix.tests[:, *np.triu_indices(len(result.matrix.levels), 1)]
    fewest = f"{needed.min():g} (median over the grade matrix: {np.median(cells):g})"
    return [f"smallest number of preference tests in a cell used for PDP: {fewest}"]


def campaign_notes(result: PdpOfLabels, preferences: Preferences) -> tuple[str, ...]:
    """Return notes on the label sets of a campaign."""
    common = result.common
    notes = [preferences.note] if preferences.note else []
    if common is not None:
        drawn = ", drawn at random, because there are no runs" if common.drawn else ""
        notes.append(
            f"lists of {common.size} docs that every label set grades: {len(common.lists.topics)}"
            f"{drawn}"
        )
        if common.short:
            notes.append(f"shorter lists, which are left out: {common.short}")
        if common.left_out:
            notes.append(
                "compared pairs that are ignored because not every label set grades both docs:"
                f" {common.left_out}"
            )
    notes += [f"{name} has no PDP: {why}" for name, why in result.lacking.items()]
    fewest = min((row.pdp.defined for row in result.sets), default=FEWEST_TOPICS)
    if result.has_intervals and fewest < FEWEST_TOPICS:
        notes.append(few_topics_note(fewest))
    return tuple(notes)
