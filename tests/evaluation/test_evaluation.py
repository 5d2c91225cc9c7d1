from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import ir_measures
import numpy as np
import pytest

from qrelsmith import evaluate
from qrelsmith.base.errors import InputError, InputWarning, UnknownNameError, UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.base.scales import Gains
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.evaluation import Evaluation, score_runs, scorer
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.io import sizes

QRELS = Qrels.from_dict(
    {"1": {"a": 2, "b": 1, "c": 0}, "2": {"a": 1, "d": 0}, "3": {"e": 0, "f": -1}}
)
# b is before a; x is unjudged; topic 2 is missing and topic 9 is not judged.
RUN = {"1": {"x": 4.0, "b": 3.0, "a": 2.0}, "3": {"e": 1.0}, "9": {"a": 1.0}}


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def run_text(scores: dict[str, dict[str, float]], tag: str = "tag") -> str:
    return "".join(
        f"{topic} Q0 {doc} {rank} {score!r} {tag}\n"
        for topic, docs in scores.items()
        for rank, (doc, score) in enumerate(docs.items(), start=1)
    )


def row(evaluation: Evaluation, measure: str, system: int = 0) -> list[float]:
    return evaluation.matrix(measure).scores[system].tolist()


def one(qrels: Qrels, run: Run, measure: str, **options: object) -> list[float]:
    return row(score_runs(qrels, [run], [measure], **options), measure)  # type: ignore[arg-type]


# --- topics -------------------------------------------------------------------------------------


def test_every_topic_of_the_qrels_counts_by_default() -> None:
    evaluation = score_runs(QRELS, [Run.from_dict(RUN)], ["RR", "P@2"])
    assert evaluation.topics == ("1", "2", "3")
    assert row(evaluation, "RR") == [0.5, 0.0, 0.0]
    assert evaluation.matrix("RR").means().tolist() == [0.5 / 3]


def test_only_the_topics_of_the_run_count_in_the_intersection() -> None:
    evaluation = score_runs(QRELS, [Run.from_dict(RUN)], ["RR"], missing_topics="drop")
    np.testing.assert_array_equal(row(evaluation, "RR"), [0.5, np.nan, 0.0])
    assert evaluation.matrix("RR").means().tolist() == [0.25]


def test_each_run_has_its_own_topic_intersection() -> None:
    runs = [Run.from_dict(RUN, name="a"), Run.from_dict({"2": {"a": 1.0}}, name="b")]
    matrix = score_runs(QRELS, runs, ["RR"], missing_topics="drop").matrix("RR")
    assert matrix.systems == ("a", "b")
    np.testing.assert_array_equal(matrix.scores, [[0.5, np.nan, 0.0], [np.nan, 1.0, np.nan]])
    assert matrix.means().tolist() == [0.25, 1.0]


def test_a_run_without_any_topic_of_the_qrels_is_scored() -> None:
    run = Run.from_dict({"9": {"a": 1.0}})
    problem = r"no topic of run 'run' is in the qrels '\w+' \(first topics: '9' and '1'\)"
    with pytest.warns(InputWarning, match=problem):
        default = score_runs(QRELS, [run], ["RR"])
    assert row(default, "RR") == [0.0, 0.0, 0.0]
    assert default.notes == ()
    with pytest.warns(InputWarning, match="are the columns swapped"):
        intersection = score_runs(QRELS, [run], ["RR"], missing_topics="drop")
    assert np.isnan(intersection.matrix("RR").means()).all()


def test_a_missing_topic_counts_as_an_empty_result() -> None:
    """As with trec_eval -c: the relevant docs of a missing topic are counted."""
    run = Run.from_dict({"1": {"a": 1.0}})
    measures = ["NumRel", "NumRet", "RBPresidual(p=0.5)", "RBP(p=0.5)", "Judged", "SetP"]
    evaluation = score_runs(QRELS, [run], measures)
    assert row(evaluation, "NumRel") == [2.0, 1.0, 0.0]
    assert row(evaluation, "NumRet") == [1.0, 0.0, 0.0]
    assert row(evaluation, "RBPresidual(p=0.5)") == [0.5, 1.0, 1.0]
    for measure in ("RBP(p=0.5)", "Judged", "SetP"):
        assert row(evaluation, measure)[1:] == [0.0, 0.0]


def test_notes_contain_what_a_reader_must_know() -> None:
    evaluation = score_runs(QRELS, [Run.from_dict(RUN)], ["ERR@10"])
    notes = "\n".join(evaluation.notes)
    assert "the top level is assumed to be 2" in notes
    assert "without a gain above 0, where every measure of relevance is 0: 1 of 3 (3)" in notes
    lacking = "runs that lack topics of the qrels and score 0 there: 1 (most: 'run', 1 of 3 topics)"
    assert lacking in notes
    assert "topics that the qrels lack are ignored: at most 1 per run" in notes
    other = score_runs(QRELS, [Run.from_dict(RUN)], ["RR"], missing_topics="drop")
    assert "are averaged over their own topics" in "\n".join(other.notes)
    assert "top level" not in "\n".join(other.notes)


def test_there_are_no_notes_without_a_reason() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}})
    run = Run.from_dict({"1": {"a": 1.0}})
    assert score_runs(qrels, [run], ["AP"]).notes == ()
    assert score_runs(qrels, [run], ["ERR"], gmax=1).notes == ()
    assert score_runs(qrels, [run], ["RBP(rel=1)"]).notes == ()


# --- arguments ----------------------------------------------------------------------------------


def test_empty_qrels_are_an_error() -> None:
    with pytest.raises(InputError, match="no judgments in the qrels"):
        score_runs(Qrels.from_dict({}), [Run.from_dict(RUN)], ["AP"])


def test_wrong_arguments_are_refused() -> None:
    runs = [Run.from_dict(RUN)]
    with pytest.raises(UsageError, match="no measure given"):
        score_runs(QRELS, runs, [])
    with pytest.raises(UnknownNameError, match="unknown measure 'APP'"):
        score_runs(QRELS, runs, ["AP", "APP"])
    with pytest.raises(UsageError, match="missing_topics='all'; expected 'zero' or 'drop'"):
        score_runs(QRELS, runs, ["AP"], missing_topics="all")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="the grade 2 has no gain"):
        score_runs(QRELS, runs, ["AP"], gains=Gains.parse("1"))
    with pytest.raises(UsageError, match=r"RBP\(p=0.8\): a doc has the gain 2, above the top"):
        score_runs(QRELS, runs, ["AP", "RBP"], gmax=1)
    with pytest.raises(UsageError, match="gmax=-1"):
        score_runs(QRELS, runs, ["RBP"], gmax=-1)
    assert score_runs(QRELS, runs, ["AP"], gmax=1).measures == ("AP",)


def test_an_unknown_order_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "r.run", run_text(RUN))
    with pytest.raises(UnknownNameError, match="run order"):
        score_runs(QRELS, [path], ["AP"], order="score")


def test_measures_have_full_labels_and_are_counted_once() -> None:
    evaluation = score_runs(QRELS, [Run.from_dict(RUN)], ["ndcg@3", "RBP", "nDCG@3", "RBP(p=.8)"])
    assert evaluation.measures == ("nDCG@3", "RBP(p=0.8)")
    assert evaluation.matrix("rbp").measure == "RBP(p=0.8)"
    with pytest.raises(UsageError, match="AP was not evaluated"):
        evaluation.matrix("AP")


def test_no_runs_give_an_empty_evaluation() -> None:
    evaluation = score_runs(QRELS, [], ["AP"])
    assert evaluation.scores.shape == (1, 0, 3)
    assert evaluation.matrix("AP").means().shape == (0,)


def test_two_runs_with_one_tag_are_named_after_their_files(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{name}.run", run_text(RUN)) for name in ("one", "two")]
    with pytest.warns(InputWarning, match="2 run files have the tag 'tag'"):
        evaluation = score_runs(QRELS, paths, ["AP"])
    assert evaluation.systems == ("one.run", "two.run")


def test_runs_with_the_same_names_are_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "one.run", run_text(RUN))
    with (
        pytest.warns(InputWarning, match="have the tag"),
        pytest.raises(UsageError, match="two runs have the name"),
    ):
        score_runs(QRELS, [path, path], ["AP"])
    with pytest.raises(UsageError, match="two runs have the name 'run'"):
        score_runs(QRELS, [Run.from_dict(RUN), Run.from_dict(RUN)], ["AP"])


def test_progress_is_reported_run_by_run() -> None:
    seen: list[int] = []
    runs = [Run.from_dict(RUN, name=name) for name in "abc"]
    score_runs(QRELS, runs, ["AP"], advance=lambda: seen.append(1))
    assert len(seen) == 3


# --- gains and grades ---------------------------------------------------------------------------


def test_a_grade_is_its_own_gain_by_default() -> None:
    qrels = Qrels.from_dict({"1": {"a": 3, "b": 1}})
    run = Run.from_dict({"1": {"b": 2.0, "a": 1.0}})
    ideal = 3 + 1 / np.log2(3)
    assert one(qrels, run, "nDCG") == pytest.approx([(1 + 3 / np.log2(3)) / ideal])


def test_gains_affect_only_measures_with_gains() -> None:
    qrels = Qrels.from_dict({"1": {"a": 3, "b": 1}})
    run = Run.from_dict({"1": {"b": 2.0, "a": 1.0}})
    gains = Gains.parse("0:2:5")
    ideal = 5.0
    assert one(qrels, run, "nDCG", gains=gains) == pytest.approx([5 / np.log2(3) / ideal])
    assert one(qrels, run, "AP", gains=gains) == one(qrels, run, "AP") == [1.0]
    assert one(qrels, run, "RBP(p=0.5,rel=3)", gains=gains) == [0.25]
    assert one(qrels, run, "Judged", gains=gains) == [1.0]
    # The top of the scale has gain 5: 0.5 · 0/5 + 0.25 · 5/5.
    assert one(qrels, run, "RBP(p=0.5)", gains=gains) == [0.25]
    # Best first means best gain first.
    assert one(qrels, run, "Compat(p=0.9)", gains=Gains.parse("9:2:1")) == pytest.approx([1.0])


def test_gmax_is_the_top_of_the_scale_not_of_the_topic() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}, "2": {"b": 3}})
    run = Run.from_dict({"1": {"a": 1.0}, "2": {"b": 1.0}})
    assert one(qrels, run, "ERR") == [0.25, 0.75]
    assert one(qrels, run, "ERR", gmax=4) == [0.2, 0.6]
    assert one(qrels, run, "ERR", gains=Gains.parse("1:2:3:7")) == [1 / 8, 3 / 8]
    assert one(qrels, run, "RBP(p=0.5)", gmax=6) == pytest.approx([0.5 / 6, 0.25])


def test_labels_with_only_grade_0_are_scored() -> None:
    qrels = Qrels.from_dict({"1": {"a": 0, "b": -1}})
    run = Run.from_dict({"1": {"a": 1.0, "b": 0.5}})
    measures = ["AP", "nDCG", "Q@5", "nERR", "niRBU", "RBP", "Compat", "bpref", "infAP", "IPrec@0"]
    assert not score_runs(qrels, [run], measures).scores.any()


def test_real_valued_grades_are_scored() -> None:
    qrels = Qrels.from_dict({"1": {"a": 0.75, "b": 0.5, "c": 0.1}})
    run = Run.from_dict({"1": {"b": 3.0, "a": 2.0, "c": 1.0}})
    ideal = 0.75 + 0.5 / np.log2(3) + 0.1 / 2
    assert one(qrels, run, "nDCG") == pytest.approx([(0.5 + 0.75 / np.log2(3) + 0.05) / ideal])
    assert one(qrels, run, "RBP(p=0.5)") == pytest.approx([0.5 * 2 / 3 + 0.25 + 0.125 * 2 / 15])
    assert one(qrels, run, "P(rel=0.5)@2") == [1.0]
    with pytest.raises(UsageError, match=r"the grade 0\.75 has no gain"):
        one(qrels, run, "nDCG", gains=Gains.parse("1:2"))


def test_condensed_removes_unjudged_docs_and_codes() -> None:
    """This corresponds to NTCIREVAL's ntcir_eval label -j and trec_eval -J."""
    qrels = Qrels.from_dict({"1": {"a": 2, "b": 0, "c": 1, "z": -1}, "2": {"a": 1}})
    run = Run.from_dict({"1": {"x": 6.0, "z": 5.0, "b": 4.0, "y": 3.0, "a": 2.0}, "2": {"x": 1.0}})
    short = Run.from_dict({"1": {"b": 4.0, "a": 2.0}, "2": {}})
    measures = ["AP", "P@2", "nDCG@5", "Q", "RR", "NumRet", "SetP", "Judged@9", "Compat(p=0.9)"]
    condensed = score_runs(qrels, [run], measures, condensed=True)
    expected = score_runs(qrels, [short], measures)
    np.testing.assert_array_equal(condensed.scores, expected.scores)
    assert row(condensed, "RR") == [0.5, 0.0]
    # A topic without remaining docs still counts as a topic of the run.
    both = score_runs(qrels, [run], ["RR"], condensed=True, missing_topics="drop")
    assert row(both, "RR") == [0.5, 0.0]


# --- order of a run -----------------------------------------------------------------------------

TIES = "".join(
    f"1 Q0 {doc} {rank} {score} t\n"
    for doc, rank, score in [
        ("b", 3, "1.0"),
        ("a", 2, "1.0"),
        ("c", 1, "1.00000000001"),
        ("d", 4, "0.5"),
    ]
)


@pytest.mark.parametrize(
    ("order", "ranking"),
    [
        ("trec", "cbad"),
        ("trec32", "cbad"),
        ("file", "bacd"),
        ("rank", "cabd"),
        ("docno-ascending", "cabd"),
    ],
)
def test_every_order_gives_its_own_scores(tmp_path: Path, order: str, ranking: str) -> None:
    path = write(tmp_path / "r.run", TIES)
    for rank, doc in enumerate(ranking, start=1):
        qrels = Qrels.from_dict({"1": {doc: 1}})
        assert row(score_runs(qrels, [path], ["RR"], order=order), "RR") == [1 / rank]


def test_32_bit_scores_can_tie_if_64_bit_scores_do_not(tmp_path: Path) -> None:
    text = "1 Q0 a 1 1.00000000001 t\n1 Q0 b 2 1.0 t\n"
    path = write(tmp_path / "r.run", text)
    qrels = Qrels.from_dict({"1": {"a": 1}})
    assert row(score_runs(qrels, [path], ["RR"], order="trec"), "RR") == [1.0]
    assert row(score_runs(qrels, [path], ["RR"], order="trec32"), "RR") == [0.5]


def test_ties_across_a_cutoff_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "r.run", TIES)
    qrels = Qrels.from_dict({"1": {"a": 1}})
    evaluation = score_runs(qrels, [path], ["P@1", "P@2", "P@3", "IPrec@1", "AP"])
    assert evaluation.cutoffs == (1, 2, 3)
    assert evaluation.ties.tolist() == [[0], [1], [0]]
    assert evaluation.tie_notes() == (
        "run 't': the docs on both sides of rank 2 are tied in 1 topics",
    )


@pytest.mark.parametrize("order", ["trec", "trec32", "file", "rank", "docno-ascending"])
def test_ties_are_by_score_in_every_order(tmp_path: Path, order: str) -> None:
    path = write(tmp_path / "r.run", run_text({"1": {"a": 3.0, "b": 2.0, "c": 2.0, "d": 1.0}}))
    qrels = Qrels.from_dict({"1": {"a": 1}})
    for run in (path, read_run(path, order=order)):
        evaluation = score_runs(qrels, [run], ["P@1", "P@2", "P@3"], order=order)
        assert evaluation.ties.tolist() == [[0], [1], [0]]


# --- files and memory ---------------------------------------------------------------------------


def random_runs(folder: Path, count: int = 3) -> tuple[Qrels, list[Path]]:
    rng = rng_for(0, "test_evaluate")
    docs = [f"doc-{place}" for place in range(80)]
    qrels = Qrels.from_rows(
        (str(topic), doc, float(rng.integers(-1, 4)))
        for topic in range(40)
        for doc in rng.permutation(docs)[:30].tolist()
    )
    paths = []
    for place in range(count):
        scores = {
            str(topic): {
                doc: float(rng.integers(0, 30)) for doc in rng.permutation(docs)[:50].tolist()
            }
            for topic in rng.permutation(45).tolist()
        }
        paths.append(write(folder / f"{place}.run", run_text(scores, f"run{place}")))
    return qrels, paths


ALL = [
    name
    for entry in MEASURES.entries()
    if not (entry.about["aspects"] or entry.about["by"])
    for name in (
        [entry.name + ("@0.5" if entry.about.get("cutoff_is_recall") else "@10")]
        if entry.about.get("needs_cutoff")
        else [entry.name]
    )
]


def test_runs_in_memory_score_as_their_files(tmp_path: Path) -> None:
    qrels, paths = random_runs(tmp_path)
    for order in ("trec", "trec32", "file", "rank", "docno-ascending"):
        files = score_runs(qrels, paths, ALL, order=order)
        memory = score_runs(qrels, [read_run(path, order=order) for path in paths], ALL)
        np.testing.assert_array_equal(files.scores, memory.scores)
        assert files.systems == memory.systems == ("run0", "run1", "run2")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_large_file_has_the_same_scores_as_a_small_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    qrels, paths = random_runs(tmp_path, 2)
    small = score_runs(qrels, paths, ALL)
    monkeypatch.setattr(sizes, "PLAIN_RUN", 2_000)
    monkeypatch.setattr(sizes, "RUN_BLOCK", 3_000)
    assert all(path.stat().st_size > 20_000 for path in paths)
    large = score_runs(qrels, paths, ALL, jobs=jobs)
    assert small.systems == large.systems
    assert small.notes == large.notes
    np.testing.assert_array_equal(small.scores, large.scores)
    np.testing.assert_array_equal(small.ties, large.ties)


def test_topics_may_be_scattered_over_a_large_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, paths = random_runs(tmp_path, 1)
    lines = paths[0].read_text().splitlines(keepends=True)
    mixed = rng_for(1, "mixed").permutation(len(lines)).tolist()
    scattered = write(tmp_path / "s.run", "".join(lines[place] for place in mixed))
    monkeypatch.setattr(sizes, "PLAIN_RUN", 2_000)
    monkeypatch.setattr(sizes, "RUN_BLOCK", 3_000)
    one, other = score_runs(qrels, paths, ALL), score_runs(qrels, [scattered], ALL)
    np.testing.assert_array_equal(one.scores, other.scores)


def test_more_topics_than_fit_into_one_batch_are_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = rng_for(2, "batches")
    docs = [f"d{place}" for place in range(20)]
    qrels = Qrels.from_rows(
        (str(topic), doc, float(rng.integers(0, 4)))
        for topic in range(60)
        for doc in rng.permutation(docs)[: rng.integers(1, 20)].tolist()
    )
    run = Run.from_dict(
        {
            str(topic): dict(zip(docs, rng.random(20).tolist(), strict=True))
            for topic in range(0, 60, 2)
        }
    )
    whole = score_runs(qrels, [run], ALL).scores
    monkeypatch.setattr(scorer, "_BATCH", 7)
    np.testing.assert_allclose(score_runs(qrels, [run], ALL).scores, whole, rtol=0, atol=1e-12)


def test_keeping_only_the_ranks_up_to_the_cutoff_changes_nothing(tmp_path: Path) -> None:
    """If all measures have a cutoff, the rest of a run is not used."""
    qrels, paths = random_runs(tmp_path, 1)
    with_cutoff = [
        f"{entry.name}@5"
        for entry in MEASURES.entries()
        if entry.cutoff and not entry.about.get("cutoff_is_recall") and not entry.about["by"]
    ]
    short = score_runs(qrels, paths, with_cutoff)
    full = score_runs(qrels, paths, [*with_cutoff, "AP", "IPrec@1"])
    np.testing.assert_allclose(short.scores, full.scores[: len(with_cutoff)], rtol=0, atol=1e-12)


def test_an_empty_run_file_is_scored(tmp_path: Path) -> None:
    path = write(tmp_path / "empty.run", "")
    with pytest.warns(InputWarning, match=r"empty\.run: the file has no docs, .* scores 0"):
        evaluation = score_runs(QRELS, [path], ALL, gmax=3)
    assert evaluation.systems == ("empty.run",)
    assert not evaluation.matrix("AP").scores.any()
    assert row(evaluation, "NumRel") == [2.0, 1.0, 0.0]
    assert "has none of the qrels' topics" in "".join(evaluation.notes)


def test_a_topic_without_docs_is_scored() -> None:
    run = Run.from_dict({"1": {}, "2": {"a": 1.0}})
    evaluation = score_runs(QRELS, [run], ["RR"], missing_topics="drop")
    np.testing.assert_array_equal(row(evaluation, "RR"), [0.0, 1.0, np.nan])


def test_ids_are_opaque(tmp_path: Path) -> None:
    qrels = Qrels.from_dict({"01": {"007": 1}, "1": {"7": 1}, "NA": {"1e5": 1}})
    text = "1 Q0 007 1 3 t\n01 Q0 007 1 3 t\nNA Q0 100000 1 2 t\nNA Q0 1e5 2 1 t\n"
    evaluation = score_runs(qrels, [write(tmp_path / "r.run", text)], ["RR"])
    assert evaluation.topics == ("01", "1", "NA")
    assert row(evaluation, "RR") == [1.0, 0.0, 0.5]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bad_line_is_named_whichever_thread_finds_it(tmp_path: Path, jobs: int) -> None:
    good = write(tmp_path / "good.run", run_text(RUN))
    bad = write(tmp_path / "bad.run", run_text(RUN) + "1 Q0 z 9 many tag\n")
    with pytest.raises(InputError, match=r"bad\.run:6: the score is 'many'"):
        score_runs(QRELS, [good, bad], ["AP"], jobs=jobs)


# --- start-up -----------------------------------------------------------------------------------


def test_evaluate_imports_only_what_it_needs(tmp_path: Path) -> None:
    run = write(tmp_path / "r.run", run_text(RUN))
    script = (
        "import sys\n"
        "from qrelsmith.collection.qrels import Qrels\n"
        "from qrelsmith import evaluate\n"
        "qrels = Qrels.from_dict({'1': {'a': 2, 'b': 1}})\n"
        f"evaluate(qrels, [{str(run)!r}], {ALL!r})\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    loaded = set(done.stdout.split())
    assert {"numpy", "qrelsmith"} <= loaded
    heavy = {"scipy", "joblib", "pyarrow", "pandas", "polars", "matplotlib", "django", "rich"}
    assert not heavy & loaded


def test_unusual_input_gives_no_warning_from_numpy() -> None:
    """Warnings are errors in these tests; this test combines all unusual input."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score_runs(QRELS, [Run.from_dict({"3": {"f": 1.0}})], ALL)
        score_runs(QRELS, [Run.from_dict({})], ALL)
        score_runs(Qrels.from_dict({"1": {"a": -2}}), [Run.from_dict(RUN)], ALL)


# --- in a notebook --------------------------------------------------------------------------------


def test_measures_of_ir_measures_are_accepted_by_their_printed_names() -> None:
    asked = [ir_measures.nDCG @ 10, ir_measures.AP(rel=2), ir_measures.RBP(p=0.5), ir_measures.RR]
    evaluation = evaluate(QRELS, [Run.from_dict(RUN)], asked)
    assert evaluation.measures == ("nDCG@10", "AP(rel=2)", "RBP(p=0.5)", "RR")
    assert evaluation.matrix(ir_measures.AP(rel=2)).measure == "AP(rel=2)"
    with pytest.raises(UsageError, match="judged_only"):
        evaluate(QRELS, [Run.from_dict(RUN)], [ir_measures.AP(judged_only=True)])


@pytest.mark.parametrize("measures", ["AP", ir_measures.AP, ["AP"]])
def test_one_run_and_one_measure_need_no_list(measures: object) -> None:
    scores = evaluate(QRELS, Run.from_dict(RUN), measures).scores
    assert (scores == score_runs(QRELS, [Run.from_dict(RUN)], ["AP"]).scores).all()


def test_the_tables_of_an_evaluation_equal_those_of_the_command() -> None:
    evaluation = score_runs(QRELS, [Run.from_dict(RUN)], ["RR", "P@2"], missing_topics="drop")
    rows = evaluation.table(per_topic=True).rows
    assert [row[:3] for row in rows if row[2] == "RR"] == [
        ("run", "1", "RR"), ("run", "3", "RR"), ("run", "all", "RR"),
    ]  # fmt: skip
    assert evaluation.table().rows == tuple(row for row in rows if row[1] == "all")
    assert evaluation.table().notes == evaluation.notes
    assert list(evaluation.to_polars()["score"]) == [row[3] for row in rows]
    wide = evaluation.matrix("RR").to_pandas()
    assert list(wide.columns) == ["topic", "run"]
    assert list(wide["topic"]) == ["1", "2", "3"]
    assert list(wide["run"].dropna()) == [0.5, 0.0]
    assert list(evaluation.matrix("RR").to_polars()["topic"]) == ["1", "2", "3"]
