from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.rng import digest_key
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.discrimination.common_docs import LISTS_DRAWN, CommonDocs, on_common_docs
from qrelsmith.discrimination.label_set_pdp import Sampling, pdp_of_label_sets
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.pairs.preferences import Preferences

TOPICS = ("1", "2")
NO_DRAWS = Sampling(resamples=0)


def grades(*, docs: int = 8, levels: int = 3, shift: int = 0) -> dict[str, dict[str, float]]:
    return {
        topic: {f"d{doc}": float((doc + shift) % levels) for doc in range(docs)} for topic in TOPICS
    }


def qrels(name: str, labels: dict[str, dict[str, float]]) -> Judgments:
    return Judgments.from_qrels({name: Qrels.from_dict(labels)})


def preferences(*, docs: int = 8) -> Preferences:
    """Return noisy preferences for all doc pairs of both topics: the higher number is better."""
    rng = np.random.default_rng(0)
    rows = []
    for topic in TOPICS:
        for left in range(docs):
            for right in range(left + 1, docs):
                felt = right % 3 - left % 3 + rng.normal()
                rows.append((topic, f"d{left}", f"d{right}", int(np.sign(felt)), "a"))
    return Preferences.from_rows(rows)


def common(
    sets: dict[str, Judgments], *, runs: tuple[Run, ...] = (), depth: int = 3, within: int = 10
) -> CommonDocs:
    return on_common_docs(
        sets, preferences(), topics=TOPICS, runs=runs, depth=depth, within=within, seed=0
    )


def run(*docs: str, topics: tuple[str, ...] = TOPICS) -> Run:
    ranked = {doc: float(-place) for place, doc in enumerate(docs)}
    return Run.from_dict(dict.fromkeys(topics, ranked))


def test_only_docs_graded_by_every_label_set_are_used() -> None:
    part = grades()
    del part["1"]["d0"]
    part["2"]["d3"] = -1.0  # unjudged
    found = common({"whole": qrels("whole", grades()), "part": qrels("part", part)})
    assert found.docs == 14
    for one in found.graded.values():
        assert one.docs[0] == tuple(f"d{doc}" for doc in range(1, 8))
        assert one.docs[1] == ("d0", "d1", "d2", "d4", "d5", "d6", "d7")
    assert len(found.tests) == 2 * 21
    assert (found.graded["whole"].grades == found.graded["part"].grades).sum() == 14


def test_lists_are_the_first_common_docs_among_the_first_docs_of_each_run() -> None:
    runs = (run("x", "d5", "d1", "d2", "d0"), run("d7", "x", "y", "d3", "d4", topics=("1",)))
    found = common({"a": qrels("a", grades())}, runs=runs, within=4)
    assert found.lists.docs.tolist() == [[5, 1, 2], [5, 1, 2]]
    assert found.lists.topics.tolist() == [0, 1]
    assert (found.short, found.drawn, found.size) == (1, False, 3)


def test_without_runs_the_drawn_lists_never_change() -> None:
    found = common({"a": qrels("a", grades())})
    assert found.drawn
    assert found.lists.docs.shape == (2 * LISTS_DRAWN, 3)
    assert all(len(set(row)) == 3 for row in found.lists.docs.tolist())
    first = sorted(range(8), key=lambda doc: digest_key(0, "pdp", "1", 0, f"d{doc}"))[:3]
    assert found.lists.docs[0].tolist() == first
    few = common({"a": qrels("a", grades(docs=3))})
    assert few.lists.docs.shape == (2, 3)


def test_the_lack_of_common_docs_is_reported() -> None:
    other = {topic: {"z": 1.0} for topic in TOPICS}
    with pytest.raises(
        UndefinedError, match="no doc has a grade in every label set; expected at least one"
    ):
        common({"a": qrels("a", grades()), "b": qrels("b", other)})
    with pytest.raises(UndefinedError, match="no preference compares two docs"):
        common({"a": qrels("a", {topic: {"d0": 1.0, "y": 0.0} for topic in TOPICS})})
    with pytest.raises(UndefinedError, match="no doc of the 1 runs"):
        common({"a": qrels("a", grades())}, runs=(run("x", "y"),))
    with pytest.raises(UndefinedError, match="no run has two docs of a topic"):
        common({"a": qrels("a", grades())}, runs=(run("x", "d1"), run("d2", "y")))


def test_equal_labels_have_no_difference_and_coarser_labels_leave_more_undecided() -> None:
    coarse = {t: {d: min(g, 1.0) for d, g in docs.items()} for t, docs in grades().items()}
    sets = {name: qrels(name, grades()) for name in ("one", "same")}
    found = pdp_of_label_sets(
        common({**sets, "coarse": qrels("coarse", coarse)}),
        reference="one",
        scales={},
        sampling=Sampling(resamples=50),
    )
    assert [row.name for row in found.sets] == ["one", "coarse", "same"]
    one, less, same = found.sets
    assert one.comparison is None
    assert less.comparison is not None
    assert same.comparison is not None
    assert less.comparison.difference > 0 == same.comparison.difference
    assert less.comparison.same_tests
    assert found.accuracies["one"].share == found.accuracies["same"].share


def test_a_group_has_two_modes_and_is_compared_with_the_reference_in_each() -> None:
    columns: dict[str, list[object]] = {name: [] for name in ("topic", "doc", "assessor", "grade")}
    for topic, docs in grades().items():
        for doc, grade in docs.items():
            for assessor, worse in (("a", 0), ("b", 1)):
                row = (topic, doc, assessor, min(grade + worse, 2.0))
                for name, value in zip(columns, row, strict=True):
                    columns[name].append(value)
    sets = {"group": Judgments.from_columns(columns), "single": qrels("single", grades())}
    found = pdp_of_label_sets(
        common(sets), reference="single", scales={}, sampling=Sampling(resamples=20)
    )
    assert [(row.name, row.mode, row.assessors) for row in found.sets] == [
        ("single", "aggregate", 1), ("group", "aggregate", 2), ("group", "individual", 2),
    ]  # fmt: skip
    assert set(found.single()) == {"single", "group"}
    against_group = pdp_of_label_sets(
        common(sets), reference="group", scales={}, sampling=Sampling(resamples=20)
    )
    assert [row.comparison is None for row in against_group.sets] == [True, True, False]


def test_topics_of_different_assessors_are_pooled_only_if_there_are_too_few_tests() -> None:
    def judged(assessors: dict[str, str]) -> Judgments:
        columns: dict[str, list[object]] = {
            name: [] for name in ("topic", "doc", "assessor", "grade")
        }
        for topic, docs in grades().items():
            for doc, grade in docs.items():
                row = (topic, doc, assessors[topic], grade)
                for name, value in zip(columns, row, strict=True):
                    columns[name].append(value)
        return Judgments.from_columns(columns)

    sets = {"gold": judged({"1": "a", "2": "b"})}
    apart = pdp_of_label_sets(common(sets), reference="gold", scales={}, sampling=NO_DRAWS)
    assert len(apart.sets[0].pdp.matrix.p) == 2
    first_only = Preferences.from_rows(row for row in preferences().rows() if row[0] == "1")
    together = on_common_docs(sets, first_only, topics=TOPICS, runs=(), depth=3, within=10, seed=0)
    pooled = pdp_of_label_sets(together, reference="gold", scales={}, sampling=NO_DRAWS)
    assert len(pooled.sets[0].pdp.matrix.p) == 1


def test_only_a_set_that_needs_other_tests_is_reported_as_lacking_tests() -> None:
    wide = {t: {d: 5.0 + int(d[1:]) for d in docs} for t, docs in grades().items()}
    sets = {"coarse": qrels("coarse", grades()), "wide": qrels("wide", wide)}
    few = Preferences.from_rows(row for row in preferences().rows() if row[1:3] != ("d0", "d1"))
    on_docs = on_common_docs(sets, few, topics=TOPICS, runs=(), depth=8, within=10, seed=0)
    found = pdp_of_label_sets(
        on_docs, reference="wide", scales={"coarse": Scale((0.0, 1.0, 2.0))}, sampling=NO_DRAWS
    )
    assert [row.name for row in found.sets] == ["coarse"]
    assert found.sets[0].comparison is None  # the reference lacks none
    assert found.lacking["wide"].startswith(
        "no preference test compares docs of the grades 5 and 6"
    )
    assert "choose" not in found.lacking["wide"]
    assert set(found.accuracies) == {"coarse", "wide"}
