"""The artefacts of topk: on small collections in the layout of the data, and on the data."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.content import Finding, Section, Verdict
from qrelsmith.base.errors import InputError
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.runs import Run, write_run
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs, paper_named
from qrelsmith.studies.reproduction import kind_of
from qrelsmith_papers.topk_preferences.collection import Folder
from qrelsmith_papers.topk_preferences.dl2021 import human_results, llm_results
from qrelsmith_papers.topk_preferences.published import BEST, COMBINED, GRADED, TABLE1, TABLE3, TOP

Make = Callable[..., Section]
TOPICS, DOCS, RUNS = 8, 30, 15
NAMES = [
    "table1", "fig4", "tuning", "table2", "counts", "costs", "fig5", "fig7", "fig8", "fig9",
    "table3", "fig10", "fig11",
]  # fmt: skip


@pytest.fixture(scope="module")
def make() -> Make:
    def made(name: str, data: Path | None) -> Section:
        inputs = StudyInputs(data=data, seed=0, paper_size=False, sweep=lambda cells: [])
        section: Section = paper_named("topk").artefacts.get(name)(inputs)
        return section

    return made


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both data sets with few docs: the more its number, the better a doc is."""
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
    # GPT-4o's rounds: all with their neighbours, then the eight that are left with each other.
    near = "".join(f"{t} {a} {b} {b}\n" for t in topics for a, b in pairwise(docs))
    (dl / "prefs" / "gpt-4o.round00.prefs").write_text(near)
    (dl / "prefs" / "gpt-4o.round01.prefs").write_text(text)
    for number in range(2, 6):  # rounds of another topic, without grades
        (dl / "prefs" / f"gpt-4o.round0{number}.prefs").write_text("else a b a\n")
    return top


def verdicts(section: Section) -> list[Verdict]:
    return [finding.verdict for finding in section.findings]


def words(findings: tuple[Finding, ...]) -> str:
    return "\n".join(finding.sentence for finding in findings)


def test_the_artefacts_stand_in_the_order_of_the_paper() -> None:
    assert list(paper_named("topk").artefacts.names()) == NAMES


@pytest.mark.parametrize("name", [name for name in NAMES if name != "costs"])
@pytest.mark.parametrize("there", [True, False])
def test_without_the_data_sets_each_section_says_what_is_missing(
    make: Make, tmp_path: Path, name: str, there: bool
) -> None:
    section = make(name, tmp_path if there else None)
    assert section.missing.startswith("the data set")
    assert (section.tables, section.figures, section.findings) == ((), (), ())


@pytest.mark.parametrize("name", NAMES)
def test_every_artefact_is_made_of_small_collections(make: Make, small: Path, name: str) -> None:
    section = make(name, small)
    assert not section.missing
    assert section.tables or section.figures
    assert section.findings
    assert all(finding.section == name for finding in section.findings)
    files = {named.key for named in (*section.tables, *section.figures)}
    assert len(files) == len(section.tables) + len(section.figures)


def test_with_as_many_runs_as_the_paper_s_its_conclusions_are_recomputed(
    make: Make, small: Path, tmp_path: Path
) -> None:
    few, many = small / "trec-cast-2019", tmp_path / "of-any-name"
    assert "fewer than the paper's" in make("fig4", few).paragraphs[0]
    assert make("fig4", few).findings == ()
    shutil.copytree(few, many)
    for number in range(42 - RUNS):
        text = (many / "runs" / "s00.run").read_text().replace("s00", f"z{number}")
        (many / "runs" / f"z{number}.run").write_text(text)
    for name in ("table1", "fig4", "table3", "fig9", "fig10", "fig11"):
        section = make(name, many)
        inputs = StudyInputs(data=many, seed=0, paper_size=False, sweep=lambda _: [])
        assert kind_of(paper_named("topk").artefacts.get(name), inputs) is ClaimKind.RECOMPUTED
        assert {(one.kind, "CAsT 2019" in one.sentence) for one in section.findings} == {
            ("recomputed", True)
        }, name


def test_the_best_five_are_those_that_win_their_pairs(small: Path) -> None:
    folder = Folder(small / "trec-dl-2021-passage")
    graded = read_qrels(folder.file("qrels/nist.qrels"))
    for results in (human_results(folder, graded), llm_results(folder, graded)):
        assert len(results.topics) == TOPICS
        for result in results.topics:
            assert {place.doc: place.rank for place in result.places} == {
                "d29": 1, "d28": 2, "d27": 3, "d26": 4, "d25": 5,
            }  # fmt: skip


def test_figure_7_counts_the_topics_whose_best_docs_are_the_same(make: Make, small: Path) -> None:
    (named,) = make("fig7", small).tables
    assert [row[1:] for row in named.table.rows] == [(TOPICS, TOPICS - 1, TOPICS, 0)] * 2


def test_table_3_has_all_rows_of_an_assessor_on_the_same_topics(make: Make, small: Path) -> None:
    (named,) = make("table3", small).tables
    obtained = named.table.rows[len(TABLE3) :]
    ideals = [f"{what}, GPT-4o" for what in (GRADED, GRADED, COMBINED, COMBINED, TOP, BEST)]
    assert [row[1] for row in obtained if "GPT-4o" in str(row[1])] == ideals
    assert {row[3] for row in obtained} == {TOPICS}
    assert all(0 <= share <= 1 for row in obtained for share in row[6:8])


def test_a_packed_file_is_found_and_a_folder_without_runs_is_named(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    (tmp_path / "a.qrels.gz").touch()
    assert folder.file("a.qrels").name == "a.qrels.gz"
    (tmp_path / "a.qrels").touch()
    assert folder.file("a.qrels").name == "a.qrels"
    with pytest.raises(InputError, match="there are no runs"):
        folder.runs()


# Tables 1 and 3: what of both is the same stands in both.
def test_the_published_numbers() -> None:
    assert [row.compat for row in TABLE1] == [0.710, 0.735, 0.765, 0.794]
    assert [row.tau for row in TABLE3] == [0.907, 0.851, 0.814, 0.775, 0.920, 0.851]
    assert (TABLE3[0], TABLE3[4]) == TABLE1[:2]


@pytest.fixture(scope="module")
def real(shared: Path) -> Path:
    for name in ("trec-cast-2019", "trec-dl-2021-passage"):
        if not (shared / "data" / name).is_dir():
            pytest.skip(f"needs the data set {name}, which is not here")
    return shared / "data"


# SPEC 8: Table 2 exactly; 57 questions are 80; 12 % is 27.8 % or 10.9 %.
def test_on_the_paper_s_data_what_it_counted_and_what_it_miscounted(make: Make, real: Path) -> None:
    holds, differs = Verdict.HOLDS, Verdict.DIFFERS
    assert verdicts(make("table2", real)) == [holds] * 3
    assert verdicts(make("fig5", real)) == [holds] * 2
    assert verdicts(make("fig7", real)) == [holds]
    assert verdicts(make("fig8", real)) == [holds] * 2
    counted = make("counts", real)
    assert verdicts(counted) == [holds, holds, *[differs] * 4]
    assert "192 to 26,842,725, mean 2,189,217" in words(counted.findings)
    assert verdicts(make("costs", None)) == [holds, differs]
    assert "Here 80 have F = 9 candidates or fewer, and 57 have 7" in words(counted.findings)
    *_, (_, draws, fails, lost) = counted.tables[0].table.rows
    assert draws == 10_000
    assert fails == pytest.approx(10 / 36, abs=0.03)
    assert lost == pytest.approx(31_300 / 286_884, abs=0.02)


def test_gpt_4o_s_last_rounds_settle_every_topic_and_the_crowd_s_answers_some(real: Path) -> None:
    folder = Folder(real / "trec-dl-2021-passage")
    graded = read_qrels(folder.file("qrels/nist.qrels"))
    llm = llm_results(folder, graded)
    assert len(llm.topics) == len(graded.topics) == 53
    assert all(result.ranks_settled and result.complete for result in llm.topics)
    human = human_results(folder, graded)
    # Of the 50 topics of the crowd NIST judged 46.
    assert len(human.topics) == 46
    assert 0 < sum(bool(result.places) for result in human.topics) < 46
