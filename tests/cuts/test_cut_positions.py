from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts import CutSets
from qrelsmith.cuts.cut_positions import (
    CutPositions,
    HighestCuts,
    cut_positions,
    highest_cuts,
    relevant_shares,
    width_correlations,
)
from qrelsmith.cuts.cut_topics import CutTopics, Filling
from qrelsmith.cuts.label_cuts import CutOptions, LabelCuts
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.planning.simulated_labels import crowd_judgments, expert_qrels
from qrelsmith.planning.simulation import (
    AssessorDesign,
    MultiscaleDesign,
    Systems,
    simulate_multiscale,
)


@pytest.fixture(scope="module")
def search() -> LabelCuts:
    design = MultiscaleDesign(
        topics=3, docs=90, scales=(11,), crowd=AssessorDesign(count=50), systems=Systems(count=2)
    )
    collection = simulate_multiscale(design, seed=1)
    topics = CutTopics.of(
        crowd_judgments(collection, 11), target=expert_qrels(collection, 4), filling=Filling()
    )
    return LabelCuts(topics, CutSets.of(range(11), targets=4), CutOptions("doc-at"))


def test_groups_contain_the_sets_with_the_highest_and_the_lowest_alpha(search: LabelCuts) -> None:
    found = cut_positions(search, size=20)
    assert found.topics == search.topics.topics
    for place in range(3):
        alpha = search.alphas(place).alpha
        of_cuts = {
            search.sets.cuts(one).values: value
            for one, value in enumerate(alpha.tolist())
            if value == value
        }
        ordered = sorted(of_cuts.values(), reverse=True)
        best = [of_cuts[tuple(cuts)] for cuts in found.cuts["best"][place].tolist()]
        worst = [of_cuts[tuple(cuts)] for cuts in found.cuts["worst"][place].tolist()]
        assert best == ordered[:20]
        assert worst == ordered[-20:]


def test_widths_extend_from_the_first_cut_to_the_last() -> None:
    positions = CutPositions(
        ("a", "b"), {"best": (np.array([[1.0, 2, 9], [0, 5, 6]]), np.empty((0, 3)))}
    )
    assert positions.widths()["best"] == pytest.approx([7.0, np.nan], nan_ok=True)
    wide = CutPositions(
        tuple("abc"), {"best": tuple(np.array([[0.0, 1, end]]) for end in (3, 5, 9))}
    )
    assert width_correlations(wide, np.array([0.3, 0.5, 0.9]))["best"].r == pytest.approx(1)


@pytest.mark.parametrize("values", [1, 4, 10])
def test_all_sets_of_cuts_with_one_of_the_highest_values_are_counted(
    search: LabelCuts, values: int
) -> None:
    found = highest_cuts(search, values=values)
    for place in range(3):
        alpha = search.alphas(place).alpha
        known = sorted({round(value, 8) for value in alpha.tolist() if value == value})[-values:]
        counts = np.zeros(found.counts.shape[1:])
        for one, value in enumerate(alpha.tolist()):
            if value == value and round(value, 8) in known:
                for cut, at in enumerate(search.sets.cuts(one).values):
                    counts[cut, int(at)] += 1
        assert found.counts[place].tolist() == counts.tolist()


def test_ranges_extend_from_the_lowest_to_the_highest_position() -> None:
    counts = np.zeros((2, 1, 5), dtype=np.int64)
    counts[0, 0, [1, 4]] = 3, 1
    found = HighestCuts(("a", "b"), np.array([0.0, 10, 20, 30, 50]), counts)
    assert found.ranges() == pytest.approx(np.array([[40.0], [np.nan]]), nan_ok=True)


def test_topics_without_any_alpha_have_no_sets() -> None:
    # All labels at the bottom: α is 0/0 under every cut.
    same = Judgments.from_qrels({"a": Qrels.from_rows([("t", "d", 0.0), ("t", "e", 0.0)])})
    target = Qrels.from_rows([("t", "d", 0.0), ("t", "e", 0.0)])
    search = LabelCuts(
        CutTopics.of(same, target=target), CutSets.of(range(4), targets=3), CutOptions("doc-at")
    )
    assert highest_cuts(search).counts.sum() == 0
    assert np.isnan(highest_cuts(search).ranges()).all()
    assert np.isnan(cut_positions(search).widths()["best"]).all()


def test_relevant_docs_are_those_above_the_lowest_level() -> None:
    labels = Judgments.from_qrels(
        {"a": Qrels.from_rows([("t", doc, 1.0) for doc in "abcde"] + [("u", "a", 0.0)])}
    )
    target = Qrels.from_rows(
        [("t", "a", 0.0), ("t", "b", 3.0), ("t", "c", 1.0), ("t", "d", 0.0), ("u", "z", 1.0)]
    )
    shares = relevant_shares(CutTopics.of(labels, target=target))
    assert shares == pytest.approx([0.5, np.nan], nan_ok=True)
