from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.base.scales import Gains
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation import score_runs
from qrelsmith.rankings.leave_team_out import Contributors, leave_teams_out
from qrelsmith.stats.kendall import kendall_tau_b


def run(name: str, **docs: str) -> Run:
    """Return a run from topic=docs, best first, one letter per doc."""
    scores = {
        topic: {doc: float(-rank) for rank, doc in enumerate(found)}
        for topic, found in docs.items()
    }
    return Run.from_dict(scores, name=name)


def qrels(**grades: dict[str, float]) -> Qrels:
    return Qrels.from_dict(grades)


RUNS = [run("A-1", t="abcx", u="ab"), run("A-2", t="abdx", u="ac"), run("B-1", t="aefx", u="ad")]
TEAMS = {"A-1": "A", "A-2": "A", "B-1": "B"}
LABELS = qrels(
    t={"a": 1, "b": 2, "c": 0, "d": 1, "e": 1, "f": 0, "x": 0}, u={"a": 0, "b": 1, "d": 0, "z": 1}
)
ALL = [("all", ("t", "u"))]


def test_docs_retrieved_by_one_team_only_are_as_counted_by_hand() -> None:
    found = Contributors.of(RUNS, TEAMS, depth=3)
    assert found.teams == ("A", "B")
    # b is in two runs, but both are A's; x is below the depth everywhere; no run returns z.
    assert found.sole == {
        "t": {"b": 0, "c": 0, "d": 0, "e": 1, "f": 1},
        "u": {"b": 0, "c": 0, "d": 1},
    }
    assert (found.unique(0, ["t", "u"]), found.unique(1, ["t", "u"])) == (5, 3)
    assert (found.unique(0, ["u"]), found.unique(1, ["nosuch"])) == (2, 0)
    assert found.members == ({"A-1", "A-2"}, {"B-1"})
    shallow = Contributors.of(RUNS, TEAMS, depth=1)
    assert shallow.sole == {"t": {}, "u": {}}


def test_the_counts_of_table_16_are_as_computed_by_hand() -> None:
    found = list(
        leave_teams_out(
            [("gold", LABELS)],
            RUNS,
            Contributors.of(RUNS, TEAMS, depth=3),
            ["P@3"],
            topic_sets=[*ALL, ("pri", ("t",))],
        )
    )
    table = {(row.team, row.topic_set): row for row in found}
    whole = table["A", "all"]
    # Of A's five docs the qrels lack c of topic u; b (twice) and d are relevant.
    assert (whole.runs, whole.unique, whole.dropped, whole.dropped_relevant) == (2, 5, 4, 3)
    assert whole.left == len(LABELS) - 4
    assert (table["B", "all"].unique, table["B", "all"].dropped, table["B", "all"].left) == (
        3,
        3,
        8,
    )
    assert (table["A", "pri"].unique, table["A", "pri"].dropped, table["A", "pri"].left) == (
        3,
        3,
        4,
    )


def test_the_ranking_equals_that_of_qrels_without_these_docs() -> None:
    (without_a, without_b) = leave_teams_out(
        [("gold", LABELS)], RUNS, Contributors.of(RUNS, TEAMS, depth=3), ["P@3"], topic_sets=ALL
    )
    # P@3 times 3: A-1 a,b | b = 3, A-2 a,b,d = 3, B-1 a,e = 2; without A's docs 1, 1, 2.
    assert without_a.comparison.tau_b == -1
    # The best system of A falls from rank 1 (shared) to rank 2.
    assert without_a.fall == 1
    # Without B's docs: 3, 3, 1.
    assert without_b.comparison.tau_b == 1
    assert without_b.fall == 0
    assert without_a.comparison.systems == 3
    assert math.isnan(without_a.comparison.low)


def collection(seed: int = 0) -> tuple[Qrels, list[Run], dict[str, str]]:
    rng = np.random.default_rng(seed)
    topics, docs = [f"t{n}" for n in range(6)], [f"d{n:02d}" for n in range(40)]
    truth = rng.choice(3, size=(6, 40), p=[0.6, 0.3, 0.1])
    runs = []
    for system in range(9):
        seen = truth + rng.normal(0, 0.5 + system / 4, truth.shape)
        scores = {
            topic: dict(zip(docs, row, strict=True))
            for topic, row in zip(topics, seen.tolist(), strict=True)
        }
        runs.append(Run.from_dict(scores, name=f"team{system % 4}-{system}"))
    pool = {(topic, doc) for r in runs for topic, ranked in r.docs.items() for doc in ranked[:8]}
    labels = Qrels.from_rows(
        (topic, doc, float(truth[topics.index(topic), docs.index(doc)])) for topic, doc in pool
    )
    return labels, runs, {r.name: r.name.partition("-")[0] for r in runs}


def test_the_result_equals_a_simple_loop() -> None:
    labels, runs, teams = collection()
    found = list(
        leave_teams_out(
            [("gold", labels)],
            runs,
            Contributors.of(runs, teams, depth=8),
            ["nDCG@10", "nERR@10"],
            topic_sets=[("all", labels.topics)],
        )
    )
    assert len(found) == 8
    for row in found:
        kept = []
        for topic, doc, grade in labels.rows():
            brought = {teams[r.name] for r in runs if doc in r.docs[topic][:8]}
            if brought != {row.team}:
                kept.append((topic, doc, grade))
        assert len(kept) == row.left
        assert row.unique == row.dropped == len(labels) - row.left
        means = [
            score_runs(Qrels.from_rows(rows), runs, [row.measure], gmax=2.0)
            .matrix(row.measure)
            .means()
            for rows in (labels.rows(), kept)
        ]
        assert row.comparison.tau_b == pytest.approx(float(kendall_tau_b(*means)))
        assert row.comparison.low <= row.comparison.tau_b or row.comparison.tau_b == 1


def test_the_top_of_the_scale_is_that_of_the_full_qrels() -> None:
    # Only A retrieves the docs of grade 2; without them, nERR must not take 1 as the top.
    labels, runs, _ = collection()
    teams = {r.name: "A" if number < 5 else "B" for number, r in enumerate(runs)}
    contributors = Contributors.of(runs, teams, depth=8)
    sole = contributors.of_judgments(labels)
    top = sole == contributors.teams.index("A")
    raised = Qrels.from_rows(
        (topic, doc, 2.0 if own else min(grade, 1.0))
        for (topic, doc, grade), own in zip(labels.rows(), top, strict=True)
    )
    row = next(
        leave_teams_out(
            [("gold", raised)], runs, contributors, ["ERR@10"],
            topic_sets=[("all", raised.topics)],
        )
    )  # fmt: skip
    rest = Qrels.from_rows(r for r, own in zip(raised.rows(), top, strict=True) if not own)
    means = [
        score_runs(part, runs, ["ERR@10"], gmax=2.0).matrix("ERR@10").means()
        for part in (raised, rest)
    ]
    assert row.comparison.tau_b == pytest.approx(float(kendall_tau_b(*means)))
    assert rest.grade.max() == 1


def test_gains_determine_which_docs_are_relevant() -> None:
    row = next(
        leave_teams_out(
            [("gold", LABELS)], RUNS, Contributors.of(RUNS, TEAMS, depth=3), ["nDCG@3"],
            topic_sets=ALL, gains=Gains.parse("0:1"),
        )
    )  # fmt: skip
    assert row.dropped_relevant == 1


def test_a_topic_that_loses_all_its_docs_still_counts_and_without_any_doc_tau_is_undefined() -> (
    None
):
    runs = [run("A", t="ab", u="a"), run("B", t="ac", u="b")]
    labels = qrels(t={"a": 0, "b": 1, "c": 1}, u={"a": 1})
    without_a, without_b = leave_teams_out(
        [("gold", labels)], runs, Contributors.of(runs, {}, depth=2), ["P@2"], topic_sets=ALL
    )
    # Without A's docs, topic u has no docs: A 0, B 1/2 from t alone.
    assert (without_a.left, without_a.comparison.tau_b, without_a.fall) == (2, -1, 1)
    assert without_b.comparison.tau_b == 1
    only = qrels(t={"b": 1})
    without_a, _ = leave_teams_out(
        [("gold", only)], runs, Contributors.of(runs, {}, depth=2), ["P@2"],
        topic_sets=[("all", ("t",))],
    )  # fmt: skip
    assert without_a.left == 0
    assert math.isnan(without_a.comparison.tau_b)


def test_tied_systems_and_two_systems_are_handled() -> None:
    runs = [run("A", t="ab"), run("B", t="ac")]
    labels = qrels(t={"a": 1, "b": 1, "c": 1})
    without_a, _ = leave_teams_out(
        [("gold", labels)], runs, Contributors.of(runs, {}, depth=2), ["P@2"],
        topic_sets=[("all", ("t",))],
    )  # fmt: skip
    # The full ranking ties both systems.
    assert math.isnan(without_a.comparison.tau_b)
    assert without_a.comparison.systems == 2


def test_one_team_and_a_depth_of_0_are_refused() -> None:
    with pytest.raises(UndefinedError, match="all runs are from the team A; expected runs from"):
        Contributors.of(RUNS, dict.fromkeys(TEAMS, "A"), depth=3)
    with pytest.raises(UndefinedError, match="no runs"):
        Contributors.of([], {}, depth=3)
    with pytest.raises(UsageError, match="depth=0"):
        Contributors.of(RUNS, TEAMS, depth=0)
