from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.cuts import CutSets
from qrelsmith.cuts.cut_topics import CutTopics, Filling
from qrelsmith.cuts.label_cuts import CutOptions, LabelCuts
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.judgments.label_transforms import transform_labels
from qrelsmith.judgments.published_labels import PublishedLabels, read_published
from qrelsmith.judgments.scale_operations import Reduction
from qrelsmith.planning.simulated_labels import crowd_judgments, doc_names, expert_qrels
from qrelsmith.planning.simulation import (
    AssessorDesign,
    MultiscaleCollection,
    MultiscaleDesign,
    Systems,
    simulate_multiscale,
)


@pytest.fixture(scope="module")
def collection() -> MultiscaleCollection:
    design = MultiscaleDesign(
        topics=5, docs=200, crowd=AssessorDesign(count=60), systems=Systems(count=8)
    )
    return simulate_multiscale(design, seed=0)


@pytest.fixture(scope="module")
def s100(collection: MultiscaleCollection) -> CutTopics:
    return CutTopics.of(crowd_judgments(collection, 101))


@pytest.fixture(scope="module")
def truthfulness(shared: Path) -> PublishedLabels:
    return read_published(shared / "data" / "truthfulness-multiscale" / "S100.csv")


def test_the_published_cut_of_truthfulness_into_two_is_found(truthfulness: PublishedLabels) -> None:
    # PolitiFact's half-true and above, mean of the two middle labels, nominal: 75, α .3881.
    target = transform_labels(truthfulness.experts["politifact"], Reduction(3), source=None)
    topics = CutTopics.of(truthfulness.judgments[""], target=target)
    options = CutOptions("doc-at", by="median-mean", level="nominal")
    ((chosen, _),) = LabelCuts(topics, CutSets.of(range(101), targets=2), options).per_topic()
    assert str(chosen.cuts) == "75"
    assert chosen.alpha == pytest.approx(0.3881, abs=5e-5)
    assert (chosen.topic, chosen.tied, chosen.units) == ("Politifact", 1, 120)


def test_the_published_cuts_of_truthfulness_into_three_are_found(
    truthfulness: PublishedLabels,
) -> None:
    # ABC's three levels, ordinal: (54, 68), α .4492.
    topics = CutTopics.of(truthfulness.judgments[""], target=truthfulness.experts["abc"])
    options = CutOptions("doc-at", by="median-mean")
    ((chosen, _),) = LabelCuts(topics, CutSets.of(range(101), targets=3), options).per_topic()
    assert str(chosen.cuts) == "54:68"
    assert chosen.alpha == pytest.approx(0.4492, abs=5e-5)
    assert (chosen.topic, chosen.units, chosen.of) == ("ABC", 60, 60)


def test_an_experts_scale_is_cut_at_the_left_if_the_other_expert_is_liberal(
    collection: MultiscaleCollection,
) -> None:
    # Table 3: So4 against TR2, whose lowest threshold is the left cut; with unjudged docs as not
    # relevant, agreement rises (3.4). So4 judged only docs of TR2; then all docs count.
    four = Judgments.from_qrels({"So4": expert_qrels(collection, 4)})
    two = expert_qrels(collection, 2)
    both, either = expert_qrels(collection, 4), two
    sets, options = CutSets.of(range(4), targets=2), CutOptions("doc-at")
    found = {}
    for filling in (None, Filling(source=0.0), Filling(source=0.0, also=doc_names(collection))):
        topics = CutTopics.of(four, target=two, filling=filling).pool_topics()
        alphas = LabelCuts(topics, sets, options).alphas(0)
        assert int(np.argmax(alphas.alpha)) == 0
        found[alphas.of] = alphas.alpha[0]
    assert list(found) == [len(both), len(either), 200]
    assert min(found.values()) == found[len(both)]


def test_the_best_cut_of_each_topic_is_better_than_the_single_best(s100: CutTopics) -> None:
    search = LabelCuts(s100, CutSets.of(range(101), targets=2), CutOptions("hit-at"))
    chosen = [one for one, _ in search.per_topic()]
    single, found = search.single()
    assert [one.topic for one in chosen] == list(s100.topics)
    assert single.topic == "all"
    of_topics = [search.alphas(place).alpha[single.place] for place in range(5)]
    assert single.alpha == pytest.approx(np.mean(of_topics))
    assert found.topics[single.place] == 5
    assert all(one.alpha >= alpha for one, alpha in zip(chosen, of_topics, strict=True))
    assert np.mean([one.alpha for one in chosen]) > single.alpha


def test_the_mean_excludes_topics_without_a_value_and_counts_the_others() -> None:
    rows = {"topic": ["1"] * 4 + ["2"] * 4, "doc": list("aabb") * 2, "assessor": list("xyxy") * 2}
    labels = Judgments.from_columns(rows | {"grade": [0, 0, 3, 3, 1, 1, 1, 1]})
    search = LabelCuts(
        CutTopics.of(labels), CutSets.of(range(4), targets=2), CutOptions("topicwide")
    )
    found = search.mean()
    assert found.alpha.tolist() == [1.0, 1.0, 1.0]
    assert found.topics.tolist() == [1, 1, 1]
    assert found.degenerate.tolist() == [1, 1, 1]
    first, second = (one for one, _ in search.per_topic())
    assert (str(first.cuts), first.tied, first.degenerate) == ("1", 3, 0)
    assert (second.cuts, second.place, second.units, second.of) == (None, -1, 0, 2)
    assert np.isnan(second.alpha)


def test_equal_labels_agree_perfectly_as_in_the_paper(s100: CutTopics) -> None:
    # 4.2: if nobody gave the top level, the cut below it merges all levels of the topic and wins.
    labels = s100.labels[0]
    low = type(labels)(np.minimum(labels.grade, 98.0), labels.doc, labels.unit, labels.target)
    topics = CutTopics(("402",), s100.docs[:1], (low,), hits=True)
    sets = CutSets.of(range(101), targets=2)
    ((chosen, _),) = LabelCuts(topics, sets, CutOptions("hit-ta", undefined="one")).per_topic()
    assert (str(chosen.cuts), chosen.degenerate, chosen.tied) == ("98", 1, 2)
    assert chosen.alpha == pytest.approx(1.0, abs=1e-12)
    ((chosen, _),) = LabelCuts(topics, sets, CutOptions("hit-ta")).per_topic()
    assert chosen.degenerate == 0


def test_the_closest_cut_has_the_alpha_nearest_to_that_of_the_source(s100: CutTopics) -> None:
    sets = CutSets.of(range(101), targets=2)
    search = LabelCuts(s100, sets, CutOptions("topicwide", select="closest"))
    for place, (chosen, found) in enumerate(search.per_topic()):
        distance = np.abs(found.alpha - search.source_alpha(place))
        assert abs(chosen.alpha - search.source_alpha(place)) == pytest.approx(np.nanmin(distance))
    single, found = search.single()
    source = np.mean([search.source_alpha(place) for place in range(5)])
    assert abs(single.alpha - source) == pytest.approx(np.nanmin(np.abs(found.alpha - source)))


def test_impossible_options_are_errors(s100: CutTopics) -> None:
    with pytest.raises(UsageError, match="no α on the source scale"):
        CutOptions("doc-at", select="closest")
    with pytest.raises(UnknownNameError, match="max, closest, tau"):
        CutOptions("doc-at", select="best")
    with pytest.raises(UnknownNameError, match="hit-ta"):
        CutOptions("hit-tta", select="closest")
    with pytest.raises(UsageError, match="needs runs and reference"):
        LabelCuts(s100, CutSets.of(range(101), targets=2), CutOptions("hit-ta", select="tau"))
