"""Measures computed by ir_measures equal its own numbers, in whatever order runs are read."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from qrelsmith import evaluate, read_qrels
from qrelsmith.base.errors import InputWarning, MissingDependencyError, UsageError
from qrelsmith.cli import run
from qrelsmith.collection.qrels import write_qrels
from qrelsmith.collection.subtopics import docs_of_subtopics
from qrelsmith.evaluation import score_runs
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.formats.new_campaign import init_campaign
from qrelsmith.judgments.campaign_sources import campaign_of

ir_measures = pytest.importorskip("ir_measures", reason="the extra ir_measures is not installed")
pytest.importorskip("pyndeval", reason="the extra ir_measures is not installed")

OF_SUBTOPICS = [
    "alpha_nDCG@20", "alpha_nDCG(alpha=0.2)@5", "alpha_DCG@10", "ERR_IA@20", "ERR_IA(rel=2)@7",
    "nERR_IA@10", "NRBP", "nNRBP(beta=0.3)", "AP_IA", "P_IA@5", "StRecall@5", "StRecall(rel=2)@10",
]  # fmt: skip
OF_DOCS = ["SDCG(max_rel=2)@10", "INST(T=2.0,max_rel=2)", "BPM(T=1.0,max_rel=2)@10", "Accuracy"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Write grades of four subtopics, and a run with unjudged docs, ties and a missing topic."""
    draw = random.Random(5)
    labels = [
        f"{topic} {subtopic} doc-{doc} {draw.choice([0, 0, 0, 1, 2])}\n"
        for topic in range(1, 7)
        for doc in range(30)
        for subtopic in range(1, 5)
    ]
    ranked = [
        f"{topic} Q0 doc-{doc} 1 {draw.randrange(30)} sys\n"
        for topic in range(1, 6)
        for doc in draw.sample(range(45), 40)
    ]
    (tmp_path / "web.qrels").write_text("".join(labels))
    (tmp_path / "sys.run").write_text("".join(ranked))
    return tmp_path / "web.qrels", tmp_path / "sys.run"


def test_subtopics_are_read_kept_and_written_unchanged(files: tuple[Path, Path]) -> None:
    labels, _ = files
    with pytest.warns(InputWarning, match="read as ndeval"):
        qrels = read_qrels(labels)
    again = labels.with_name("again.qrels")
    write_qrels(qrels, again)
    assert sorted(again.read_text().split("\n")) == sorted(labels.read_text().split("\n"))
    highest: dict[tuple[str, str], float] = {}
    for line in labels.read_text().splitlines():
        topic, _, doc, grade = line.split()
        highest[topic, doc] = max(highest.get((topic, doc), 0.0), float(grade))
    assert {row[:2]: row[2] for row in docs_of_subtopics(qrels).rows()} == highest


@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
def test_the_scores_equal_those_of_ir_measures(files: tuple[Path, Path]) -> None:
    labels, ranked = files
    names = [*OF_SUBTOPICS, *OF_DOCS, "nDCG@10"]
    found = evaluate(labels, ranked, names, order="trec32")
    note = f"computed by ir_measures {ir_measures.__version__}: alpha_nDCG@20, "
    assert any(each.startswith(note) for each in found.notes)
    qrels = list(ir_measures.read_trec_qrels(str(labels)))
    docs = [
        ir_measures.Qrel(t, d, int(g)) for t, d, g in docs_of_subtopics(read_qrels(labels)).rows()
    ]
    scored = list(ir_measures.read_trec_run(str(ranked)))
    for name in names:
        measure = ir_measures.parse_measure(name)
        judged = docs if name in OF_DOCS or name == "nDCG@10" else qrels
        # Ties are ranked by docno, descending, as in trec_eval.
        rows = sorted(scored, key=lambda row: (row.query_id, row.score, row.doc_id), reverse=True)
        rows = [row._replace(score=-float(place)) for place, row in enumerate(rows)]
        theirs = {
            each.query_id: each.value for each in ir_measures.iter_calc([measure], judged, rows)
        }
        matrix = found.matrix(name)
        ours = dict(zip(matrix.topics, matrix.scores[0].tolist(), strict=True))
        assert ours == pytest.approx(dict.fromkeys(matrix.topics, 0.0) | theirs, abs=1e-12), name


@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
def test_aspects_of_labels_become_subtopics(files: tuple[Path, Path]) -> None:
    labels, ranked = files
    measures = ["alpha_nDCG@20", "ERR_IA@20", "StRecall@5"]
    table = ["topic,doc,assessor,grade,aspect"]
    for line in labels.read_text().splitlines():
        topic, subtopic, doc, grade = line.split()
        table.append(f"{topic},{doc},ann,{grade},s{subtopic}")
    other = [f"{topic},doc-44,ann,2,fluency" for topic in range(1, 7)]
    aspects = labels.with_name("aspects.csv")
    aspects.write_text("aspect,kind\nfluency,criterion\n" + "".join(
        f"s{each},subtopic\n" for each in range(1, 5)))  # fmt: skip
    (judged := labels.with_name("judgments.csv")).write_text("\n".join(table) + "\n")
    (mixed := labels.with_name("mixed.csv")).write_text("\n".join([*table, *other]) + "\n")
    theirs = evaluate(labels, ranked, measures).scores.tolist()
    assert evaluate(judged, ranked, measures).scores.tolist() == theirs
    assert evaluate(mixed, ranked, measures, aspects=aspects).scores.tolist() == theirs


@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
def test_our_measures_have_the_same_values_together_with_those_of_ir_measures(
    files: tuple[Path, Path],
) -> None:
    labels, ranked = files
    for condensed in (False, True):
        alone = evaluate(labels, ranked, ["nDCG@10", "AP"], condensed=condensed)
        beside = evaluate(labels, ranked, ["nDCG@10", "ERR_IA@10", "AP"], condensed=condensed)
        assert beside.scores[[0, 2]].tolist() == alone.scores.tolist()


@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
def test_a_campaign_uses_docs_and_for_subtopic_measures_the_subtopics(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    labels, ranked = files
    init_campaign(tmp_path / "made", runs=[ranked], qrels=[labels])
    campaign = campaign_of(tmp_path / "made")
    assert campaign is not None
    assert campaign.label_sets["web"].docs == docs_of_subtopics(read_qrels(labels)).docs
    for measure in ("ERR_IA@10", "nDCG@10"):
        found = evaluate(tmp_path / "made", measures=[measure])
        assert found.scores.tolist() == evaluate(labels, ranked, [measure]).scores.tolist()


def test_every_measure_of_ir_measures_is_available() -> None:
    from ir_measures.measures import registry

    known = {name.lower().replace("-", "_") for name in MEASURES.names()}
    aliases = {
        "map",
        "ap_ia",
        "mrr",
        "precision",
        "recall",
        "ndcg",
        "setrelp",
        "numrelret",
        "map_ia",
    }
    lacking = {name.lower() for name in registry if name.isascii()} - known - aliases
    assert lacking == {"numq"}


def test_measures_that_cannot_be_computed_are_reported(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    labels, ranked = map(str, files)
    assert run(["evaluate", labels, ranked, "-m", "ERR-IA"]) == 2
    assert "needs a cutoff: ERR_IA@10" in capsys.readouterr().err
    with pytest.raises(UsageError, match="takes whole-number grades; topic 't' doc 'd' has"):
        score_runs(read_qrels({"t": {"d": 0.5}}), [], ["INST"])
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(MissingDependencyError, match="StRecall@5 needs the package ir_measures"):
        score_runs(read_qrels({"t": {"d": 1}}), [], ["StRecall@5"])
