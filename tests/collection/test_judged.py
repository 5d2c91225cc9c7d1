from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.collection.judged import JudgedRun, judged_run
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.io import sizes

QRELS = Qrels.from_dict({"1": {"a": 2, "b": 0, "c": 1, "s": -2}, "2": {"a": 1}, "3": {"z": 1}})
TEXT = (
    "9 Q0 a 1 1 tag\n"
    "2 Q0 u 1 5 tag\n2 Q0 a 2 5 tag\n"
    "1 Q0 b 1 9 tag\n1 Q0 s 2 8 tag\n1 Q0 u 3 7 tag\n1 Q0 a 4 7 tag\n1 Q0 c 5 7 tag\n"
)


def written(folder: Path, text: str) -> Path:
    path = folder / "a.run"
    path.write_bytes(text.encode())
    return path


def as_lists(run: JudgedRun) -> dict[str, object]:
    return {
        "name": run.name,
        "docs": list(zip(run.topic.tolist(), run.rank.tolist(), run.grade.tolist(), strict=True)),
        "retrieved": run.retrieved.tolist(),
        "ties": sorted(zip(run.tied_topic.tolist(), run.tied_rank.tolist(), strict=True)),
        "other": run.other_topics,
    }


def test_judged_docs_have_their_ranks_and_grades(tmp_path: Path) -> None:
    assert as_lists(judged_run(written(tmp_path, TEXT), QRELS)) == {
        "name": "tag",
        # Topic 1 in the order of trec: b, s, u, c, a.
        "docs": [(0, 1, 0.0), (0, 2, -2.0), (0, 4, 1.0), (0, 5, 2.0), (1, 2, 1.0)],
        "retrieved": [5, 2, -1],
        "ties": [(0, 3), (0, 4), (1, 1)],
        "other": 1,
    }


def test_ranks_count_only_judged_docs_if_the_list_is_condensed(tmp_path: Path) -> None:
    # u and s are removed; c and a still tie, at their new ranks.
    assert as_lists(judged_run(written(tmp_path, TEXT), QRELS, condensed=True)) == {
        "name": "tag",
        "docs": [(0, 1, 0.0), (0, 2, 1.0), (0, 3, 2.0), (1, 1, 1.0)],
        "retrieved": [3, 1, -1],
        "ties": [(0, 2)],
        "other": 1,
    }


def test_docs_tie_across_a_removed_doc(tmp_path: Path) -> None:
    path = written(tmp_path, "1 Q0 c 1 1 t\n1 Q0 b5 2 1 t\n1 Q0 a 3 1 t\n")
    assert as_lists(judged_run(path, QRELS))["ties"] == [(0, 1), (0, 2)]
    assert as_lists(judged_run(path, QRELS, condensed=True))["ties"] == [(0, 1)]


def test_ties_at_a_cutoff_are_counted_by_topic(tmp_path: Path) -> None:
    run = judged_run(written(tmp_path, TEXT), QRELS)
    assert [run.topics_tied_at(cutoff) for cutoff in range(6)] == [0, 1, 0, 1, 1, 0]


@pytest.mark.parametrize("order", ["file", "rank"])
def test_ties_are_by_score_in_every_order(tmp_path: Path, order: str) -> None:
    path = written(tmp_path, "1 Q0 a 1 2 t\n1 Q0 b 1 1 t\n1 Q0 c 1 1 t\n1 Q0 u 1 3 t\n")
    assert as_lists(judged_run(path, QRELS, order=order))["ties"] == [(0, 2)]


def test_a_run_in_memory_keeps_its_order() -> None:
    scores = {"1": {"a": 1.0, "b": 2.0, "c": 2.0}, "7": {"a": 1.0}}
    run = Run.from_dict(scores, name="mine", order="docno-ascending")
    assert as_lists(judged_run(run, QRELS)) == {
        "name": "mine",
        "docs": [(0, 1, 0.0), (0, 2, 1.0), (0, 3, 2.0)],
        "retrieved": [3, -1, -1],
        "ties": [(0, 1)],
        "other": 1,
    }


def test_an_empty_run_and_missing_judgments_are_accepted(tmp_path: Path) -> None:
    with pytest.warns(InputWarning, match="a.run: the file has no docs"):
        empty = as_lists(judged_run(written(tmp_path, ""), QRELS))
    assert empty == {"name": "a.run", "docs": [], "retrieved": [-1] * 3, "ties": [], "other": 0}
    for run in (Run.from_dict({}), Run.from_dict({"1": {}})):
        assert as_lists(judged_run(run, QRELS))["docs"] == []
    assert judged_run(Run.from_dict({"1": {}}), QRELS).retrieved.tolist() == [0, -1, -1]
    for condensed in (True, False):
        nothing = judged_run(written(tmp_path, TEXT), Qrels.from_dict({}), condensed=condensed)
        assert (nothing.topic.size, nothing.retrieved.size, nothing.other_topics) == (0, 0, 3)


def test_an_error_names_file_and_line(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT + "1 Q0 x 6 nan tag\n")
    with pytest.raises(InputError) as caught:
        judged_run(path, QRELS)
    assert str(caught.value).startswith(f"{path}:9: the score is 'nan'")


ids = st.sampled_from([*"abcdefg", "seventeen17171717", "Xeventeen17171717", "é"])
runs = st.dictionaries(
    st.sampled_from(["1", "2", "3", "4", "5"]),
    st.dictionaries(ids, st.integers(0, 3), min_size=1, max_size=8),
    max_size=5,
)
judgments = st.dictionaries(
    st.sampled_from(["1", "2", "3", "6"]), st.dictionaries(ids, st.integers(-2, 3), min_size=1)
)


def scores_of(run: Run, topic: str) -> dict[str, float]:
    return dict(zip(run.docs.get(topic, ()), run.scores.get(topic, ()), strict=True))


def by_hand(run: Run, qrels: Qrels, *, condensed: bool) -> dict[str, object]:
    """The same, doc by doc."""
    grades = qrels.to_dict()
    docs, ties, retrieved = [], [], []
    for place, topic in enumerate(qrels.topics):
        # Docs of one group tie: equal scores of neighbours in the run.
        groups = itertools.groupby(run.docs.get(topic, ()), key=scores_of(run, topic).__getitem__)
        ranking = [(doc, number) for number, (_, group) in enumerate(groups) for doc in group]
        if condensed:
            ranking = [pair for pair in ranking if grades[topic].get(pair[0], -1) >= 0]
        retrieved.append(len(ranking) if topic in run.docs else -1)
        for rank, (doc, group) in enumerate(ranking, start=1):
            if doc in grades[topic]:
                docs.append((place, rank, grades[topic][doc]))
            if rank < len(ranking) and ranking[rank][1] == group:
                ties.append((place, rank))
    other = len(set(run.docs) - set(qrels.topics))
    return {
        "name": run.name, "docs": docs, "retrieved": retrieved, "ties": sorted(ties), "other": other
    }  # fmt: skip


@settings(deadline=None)
@given(
    runs,
    judgments,
    st.sampled_from(RUN_ORDERS.names()),
    st.booleans(),
    st.booleans(),
    st.sampled_from([1, 3]),
)
def test_the_result_equals_a_loop_over_the_run(
    scores: dict[str, dict[str, int]],
    table: dict[str, dict[str, int]],
    order: str,
    condensed: bool,
    tiny: bool,
    jobs: int,
) -> None:
    qrels = Qrels.from_dict(table)
    text = "".join(
        f"{topic} Q0 {doc} {len(doc) + score} {score} tag\n"
        for topic, ranking in scores.items()
        for doc, score in ranking.items()
    )
    assume(text)  # a run without docs is a different case
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = written(Path(folder), text)
        run = read_run(path, order=order)
        expected = by_hand(run, qrels, condensed=condensed)
        assert as_lists(judged_run(run, qrels, condensed=condensed)) == expected
        if tiny:
            patch.setattr(sizes, "PLAIN_RUN", 30)
            patch.setattr(sizes, "RUN_BLOCK", 30)
        found = judged_run(path, qrels, order=order, condensed=condensed, jobs=jobs)
    assert as_lists(found) == expected
    assert (np.diff(found.topic) >= 0).all()
    assert (np.diff(found.rank)[np.diff(found.topic) == 0] > 0).all()
