from __future__ import annotations

import subprocess
import warnings
from pathlib import Path
from typing import Any

import pytest

from qrelsmith import evaluate
from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.collection.qrels import read_qrels_file
from qrelsmith.collection.run_parts import sections_of
from qrelsmith.evaluation import judging_processes
from qrelsmith.evaluation.judging_processes import judged_by_processes
from qrelsmith.io import sizes

MEASURES = ["nDCG@10", "AP", "RBP"]


def lines(topics: range, *, tag: str = "r", docs: int = 300) -> list[str]:
    return [
        f"{topic} Q0 doc-{topic % 7}-{doc:05d} {doc + 1} {docs - doc}.{topic} {tag}\n"
        for topic in topics
        for doc in range(docs)
    ]


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of runs, and use several processes even for a few kilobytes."""
    monkeypatch.setattr(sizes, "PROCESS", 1_000)
    monkeypatch.setattr(sizes, "SECTION_SEARCH", 1 << 16)
    (tmp_path / "runs").mkdir()
    for name in ("a", "b", "c"):
        (tmp_path / "runs" / name).write_text("".join(lines(range(1, 40), tag=name)))
    (tmp_path / "qrels").write_text(
        "".join(f"{t} 0 doc-{t % 7}-{d:05d} {d % 3}\n" for t in range(3, 50) for d in range(20))
    )
    return tmp_path


def scores(folder: Path, *, jobs: int, **options: Any) -> tuple[list[object], ...]:
    """Return the rows, notes, and warnings of an evaluation."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        files = sorted((folder / "runs").iterdir())
        result = evaluate(folder / "qrels", files, MEASURES, jobs=jobs, **options)
    rows: list[object] = list(result.table(per_topic=True).rows)
    return rows, list(result.notes), sorted(str(warning.message) for warning in caught)


def by_two(folder: Path) -> bool:
    """Return whether two processes would work on the runs of a folder."""
    files = sorted((folder / "runs").iterdir())
    qrels = read_qrels_file(folder / "qrels")
    return judged_by_processes(files, qrels, order="trec", condensed=False, jobs=2) is not None


@pytest.mark.parametrize("condensed", [False, True])
@pytest.mark.parametrize("order", ["trec", "rank", "file"])
def test_several_processes_give_the_same_result_as_one(
    many: Path, order: str, *, condensed: bool
) -> None:
    assert by_two(many)
    alone = scores(many, jobs=1, order=order, condensed=condensed)
    assert scores(many, jobs=2, order=order, condensed=condensed) == alone
    assert scores(many, jobs=4, order=order, condensed=condensed) == alone


def test_a_single_file_is_split_at_topic_boundaries(many: Path) -> None:
    for name in ("a", "b"):
        (many / "runs" / name).unlink()
    file = many / "runs" / "c"
    sections = sections_of(file, 4)
    assert len(sections) == 4
    assert sections[0][0] == 0
    assert sections[-1][1] == file.stat().st_size
    content = file.read_bytes()
    for begin, _ in sections[1:]:
        before = content[:begin].splitlines()[-1]
        assert before.split()[0] != content[begin:].split(maxsplit=1)[0]
    assert by_two(many)
    assert scores(many, jobs=2) == scores(many, jobs=1)


@pytest.mark.parametrize(
    "odd",
    [
        lambda text: "<SYSDESC>x</SYSDESC>\n" + text,
        lambda text: text.replace(" c\n", " other\n", 500),
        lambda text: text.replace(" c\n", " c more\n"),
        lambda text: text + "".join(lines(range(1, 2), tag="c", docs=400)[300:]),
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        lambda text: "# c\n\n" + text.replace(" Q0 ", "\tQ0  "),
        lambda text: "".join(sorted(text.splitlines(keepends=True), key=lambda x: x.split()[3])),
        lambda text: text.replace(" c\n", "\n"),
    ],
)
def test_unusual_files_give_the_same_result(many: Path, odd: Any) -> None:
    for name in ("a", "b"):
        (many / "runs" / name).unlink()
    file = many / "runs" / "c"
    file.write_bytes(odd(file.read_text()).encode())
    assert scores(many, jobs=2) == scores(many, jobs=1)


def test_errors_name_file_and_line_in_the_whole_file(many: Path) -> None:
    file = many / "runs" / "b"
    rows = file.read_text().splitlines(keepends=True)
    rows[9_000] = rows[9_000].replace(" r", " ").replace(".3", ".x")
    rows[9_000] = "31 Q0 d\n"
    file.write_text("".join(rows))
    with pytest.raises(InputError, match=r"b:9001: found 3 fields"):
        scores(many, jobs=2)


def test_scores_are_the_same_if_a_process_cannot_start_or_dies(
    many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = scores(many, jobs=1)

    def refuse(*_: object, **__: object) -> None:
        raise OSError("no more processes")

    for program in ("import sys; sys.exit(3)", "print('x' * 100)"):
        monkeypatch.setattr(judging_processes, "_PROGRAM", program)
        assert scores(many, jobs=3) == alone
    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert scores(many, jobs=3) == alone


def test_warnings_are_given_once(many: Path) -> None:
    file = many / "runs" / "a"
    file.write_text(file.read_text().replace(" a\n", " other\n", 5))
    *_, told = scores(many, jobs=2)
    assert len([text for text in told if "different tags" in str(text)]) == 1
    assert all(isinstance(text, str) for text in told)
    with pytest.warns(InputWarning):
        evaluate(many / "qrels", [file], MEASURES, jobs=2)
