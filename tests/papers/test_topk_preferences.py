"""The artefacts of topk on small collections in the layout of the data, and on the data."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.content import Verdict
from qrelsmith.base.errors import InputError
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import paper_named
from qrelsmith.studies.reproduction import kind_of
from qrelsmith_papers.data_files import packed_or_not, run_files
from qrelsmith_papers.topk_preferences.dl2021 import human_results, llm_results
from qrelsmith_papers.topk_preferences.published import BEST, COMBINED, GRADED, TABLE1, TABLE3, TOP

from .conftest import Artefacts, small

TOPICS, DOCS, RUNS = 8, 30, 15


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return both data sets with few docs: a doc with a higher number is better."""
    top = tmp_path_factory.mktemp("data")
    rng = np.random.default_rng(4)
    topics = [f"t{number}" for number in range(TOPICS)]
    docs = [f"d{number:02d}" for number in range(DOCS)]
    grades = {t: {doc: float(place // 6) for place, doc in enumerate(docs)} for t in topics}
    best = {t: {docs[-1 - (place == 0)]: 1.0} for place, t in enumerate(topics)}
    for folder in ("trec-cast-2019", "trec-dl-2021-passage"):
        (top / folder / "runs").mkdir(parents=True)
        for system in range(RUNS):
            scores = np.arange(DOCS) + (2 + 3 * system) * rng.normal(size=(TOPICS, DOCS))
            ranked = {
                t: dict(zip(docs, scores[n].tolist(), strict=True)) for n, t in enumerate(topics)
            }
            name = f"s{system:02d}"
            write_run(Run.from_dict(ranked, name=name), top / folder / "runs" / f"{name}.run")
    cast, dl = top / "trec-cast-2019", top / "trec-dl-2021-passage"
    (dl / "qrels").mkdir()
    (dl / "prefs").mkdir()
    combined = {
        t: of_topic | {doc: 50.0 - 10 * rank for rank, doc in enumerate(docs[:-6:-1])}
        for t, of_topic in grades.items()
    }
    write_qrels(Qrels.from_dict(grades), cast / "graded.qrels")
    write_qrels(Qrels.from_dict(combined), cast / "combined.qrels")
    write_qrels(Qrels.from_dict(best), cast / "local-best.qrels")
    write_qrels(Qrels.from_dict(grades), dl / "qrels" / "nist.qrels")
    write_qrels(Qrels.from_dict(best), dl / "prefs" / "human.Combined-I+II+III.qrels")
    pairs = [(one, two) for two in range(DOCS) for one in range(two) if one >= DOCS - 8]
    text = "".join(
        f"{t} {docs[one]} {docs[two]} {docs[two]}\n" for t in topics for one, two in pairs
    )
    (dl / "prefs" / "human.crowd.prefs").write_text(text)
    # GPT-4o's rounds: all docs with their neighbours, then the remaining eight with each other.
    near = "".join(f"{t} {a} {b} {b}\n" for t in topics for a, b in pairwise(docs))
    (dl / "prefs" / "gpt-4o.round00.prefs").write_text(near)
    (dl / "prefs" / "gpt-4o.round01.prefs").write_text(text)
    for number in range(2, 6):  # rounds of another topic, without grades
        (dl / "prefs" / f"gpt-4o.round0{number}.prefs").write_text("else a b a\n")
    return top


NAMES = [name for name in paper_named("topk").artefacts.names() if name != "costs"]


@pytest.mark.parametrize("name", NAMES)
def test_every_artefact_is_computed_from_small_collections(
    made: Artefacts, twin: Path, name: str
) -> None:
    section = made("topk", name, twin)
    assert section.tables or section.figures
    assert section.findings
    files = {one.key for one in (*section.tables, *section.figures)}
    assert len(files) == len(section.tables) + len(section.figures)


def test_with_as_many_runs_as_in_the_paper_its_conclusions_are_recomputed(
    made: Artefacts, twin: Path, tmp_path: Path
) -> None:
    few, many = twin / "trec-cast-2019", tmp_path / "of-any-name"
    assert "fewer than in the paper" in made("topk", "fig4", few).paragraphs[0]
    assert {one.kind for one in made("topk", "fig4", few).findings} == {"from print"}
    shutil.copytree(few, many)
    for number in range(42 - RUNS):
        text = (many / "runs" / "s00.run").read_text().replace("s00", f"z{number}")
        (many / "runs" / f"z{number}.run").write_text(text)
    for name in ("table1", "fig4", "table3", "fig9", "fig10", "fig11"):
        artefact = paper_named("topk").artefacts.get(name)
        assert kind_of(artefact, small(many)) is ClaimKind.RECOMPUTED
        assert {
            (one.kind, "CAsT 2019" in one.sentence) for one in made("topk", name, many).findings
        } == {("recomputed", True)}, name


def test_the_best_five_docs_are_those_that_win_their_pairs(twin: Path) -> None:
    folder = twin / "trec-dl-2021-passage"
    graded = read_qrels(packed_or_not(folder / "qrels/nist.qrels"))
    for results in (human_results(folder, graded), llm_results(folder, graded)):
        assert len(results.topics) == TOPICS
        for result in results.topics:
            assert {place.doc: place.rank for place in result.places} == {
                "d29": 1, "d28": 2, "d27": 3, "d26": 4, "d25": 5,
            }  # fmt: skip


def test_figure_7_counts_topics_with_the_same_best_docs(made: Artefacts, twin: Path) -> None:
    (named,) = made("topk", "fig7", twin).tables
    assert [row[1:] for row in named.table.rows] == [(TOPICS, TOPICS - 1, TOPICS, 0)] * 2


def test_table_3_has_all_rows_of_an_assessor_on_the_same_topics(
    made: Artefacts, twin: Path
) -> None:
    (named,) = made("topk", "table3", twin).tables
    obtained = named.table.rows[len(TABLE3) :]
    ideals = [f"{what}, GPT-4o" for what in (GRADED, GRADED, COMBINED, COMBINED, TOP, BEST)]
    assert [row[1] for row in obtained if "GPT-4o" in str(row[1])] == ideals
    assert {row[3] for row in obtained} == {TOPICS}
    assert all(0 <= share <= 1 for row in obtained for share in row[6:8])


def test_a_compressed_file_is_found_and_a_folder_without_runs_is_named(tmp_path: Path) -> None:
    folder = tmp_path
    (tmp_path / "a.qrels.gz").touch()
    assert packed_or_not(folder / "a.qrels").name == "a.qrels.gz"
    (tmp_path / "a.qrels").touch()
    assert packed_or_not(folder / "a.qrels").name == "a.qrels"
    with pytest.raises(InputError, match="no runs found"):
        run_files(folder)


# Tables 1 and 3: their common numbers are equal.
def test_the_published_numbers_are_copied_correctly() -> None:
    assert [row.compat for row in TABLE1] == [0.710, 0.735, 0.765, 0.794]
    assert [row.tau for row in TABLE3] == [0.907, 0.851, 0.814, 0.775, 0.920, 0.851]
    assert (TABLE3[0], TABLE3[4]) == TABLE1[:2]


# Table 2 is exact; 57 questions should be 80; 12% should be 27.8% or 10.9%; "just over 1%" should
# be 1.68.
@pytest.mark.parametrize(
    ("name", "verdicts"),
    [
        ("table2", "hhh"), ("fig5", "hd"), ("fig7", "h"), ("fig8", "hh"), ("counts", "hhdddd"),
        ("costs", "hd"),
    ],
)  # fmt: skip
def test_counts_of_the_paper_hold_or_differ_on_its_data(
    made: Artefacts, public: Path, name: str, verdicts: str
) -> None:
    found = [one.verdict for one in made("topk", name, public).findings if one.kind]
    assert found == [{"h": Verdict.HOLDS, "d": Verdict.DIFFERS}[word] for word in verdicts]
    if name == "counts":
        assert (
            "192 to 26,842,725 (mean 2,189,217)" in made("topk", name, public).findings[-1].sentence
        )
        *_, (_, draws, fails, lost) = made.rows("topk", name, "counts-losses", public)
        assert draws == 10_000
        assert fails == pytest.approx(10 / 36, abs=0.03)
        assert lost == pytest.approx(31_300 / 286_884, abs=0.02)


def test_last_rounds_of_gpt_4o_decide_every_topic_and_the_crowds_answers_some(public: Path) -> None:
    folder = public / "trec-dl-2021-passage"
    graded = read_qrels(packed_or_not(folder / "qrels/nist.qrels"))
    llm = llm_results(folder, graded)
    assert len(llm.topics) == len(graded.topics) == 53
    assert all(result.ranks_settled and result.complete for result in llm.topics)
    human = human_results(folder, graded)
    # NIST judged 46 of the crowd's 50 topics.
    assert len(human.topics) == 46
    assert 0 < sum(bool(result.places) for result in human.topics) < 46
