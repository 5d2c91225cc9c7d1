"""Every size threshold at 1 kB: plain and compressed files take the fast paths of large files."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qrelsmith import (
    compare,
    consistency,
    evaluate,
    read_judgments,
    read_qrels,
    read_run,
    significance,
)
from qrelsmith.collection.documents import read_documents
from qrelsmith.collection.run_parts import sections_of

PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress,
}  # fmt: skip
RUNS = ("a", "bb", "ccc")


def run_text(name: str) -> str:
    rng = np.random.default_rng(len(name))
    return "".join(
        f"t{topic} Q0 d{doc} {rank} {round(-rank / 3)} {name}\n"
        for topic in range(40)
        for rank, doc in enumerate(rng.permutation(30)[:12].tolist(), start=1)
    )


TEXTS = {name: run_text(name) for name in RUNS} | {
    "qrels": "".join(f"t{t} 0 d{d} {(t + d) % 3}\n" for t in range(40) for d in range(20)),
    "more": "".join(f"t{t} 0 d{d} {t * d % 3}\n" for t in range(40) for d in range(20)),
    "judgments.csv": "topic,doc,assessor,grade\n"
    + "".join(f"t{t},d{t},a{t % 3},{t % 4}\n" for t in range(200)),
    "archive.warc": "".join(
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <d{n}>\r\n"
        "WARC-Target-URI: http://x.example/\r\nContent-Type: application/http\r\n"
        f"Content-Length: {45 + 9 * n}\r\n\r\n"
        f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{'some text' * n}\r\n\r\n"
        for n in range(60)
    ),
    "documents.jsonl": "".join(
        json.dumps({"doc_id": f"d{n}", "text": "é" * n}) + "\n" for n in range(100)
    ),
}


@pytest.fixture(params=PACKINGS)
def packed(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a folder of files, each compressed in two streams."""
    pack = PACKINGS[request.param]
    (tmp_path / "plain").mkdir()
    for name, text in TEXTS.items():
        content = text.encode()
        (tmp_path / "plain" / name).write_bytes(content)
        half = len(content) // 2 + 7
        (tmp_path / name).write_bytes(pack(content[:half]) + pack(content[half:]))
    return tmp_path


READERS: dict[str, Callable[[Path], Any]] = {
    "run": lambda folder: [read_run(folder / name, order="rank").digest() for name in RUNS],
    "qrels": lambda folder: read_qrels(folder / "qrels").digest(),
    "judgments": lambda folder: read_judgments(folder / "judgments.csv").digest(),
    "documents": lambda folder: list(read_documents(folder / "documents.jsonl")),
    "archive": lambda folder: list(read_documents(folder / "archive.warc")),
}


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_gives_the_same_result(
    packed: Path, request: pytest.FixtureRequest, reader: str
) -> None:
    usual = READERS[reader](packed / "plain")
    assert READERS[reader](packed) == usual
    request.getfixturevalue("kilobyte_sizes")
    assert READERS[reader](packed) == usual


MEASURES = ["nDCG@10", "AP", "Compat(p=0.9)"]
QUESTIONS: dict[str, Callable[..., Any]] = {
    "evaluate": lambda qrels, _, runs, **jobs: evaluate(qrels, runs, MEASURES, **jobs),
    "by rank": lambda qrels, _, runs, **jobs: evaluate(qrels, runs, "AP", order="rank", **jobs),
    "significance": lambda qrels, _, runs, **jobs: significance(qrels, runs, MEASURES, **jobs),
    "compare": lambda *files, **jobs: compare(files[:2], files[2], MEASURES, **jobs),
    "consistency": lambda qrels, _, runs, **jobs: consistency(qrels, runs, "AP", **jobs),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_two_processes_give_the_same_answer_as_one(
    packed: Path, request: pytest.FixtureRequest, question: str
) -> None:
    def answer(jobs: int) -> str:
        files = packed / "qrels", packed / "more", [packed / name for name in RUNS]
        result = QUESTIONS[question](*files, jobs=jobs)
        return repr((result.table(), result.notes))

    alone = answer(1)
    request.getfixturevalue("kilobyte_sizes")
    assert answer(2) == alone


@pytest.mark.usefixtures("kilobyte_sizes")
def test_only_an_uncompressed_file_is_split_into_sections(packed: Path) -> None:
    is_plain = (packed / "a").read_bytes().startswith(b"t0")
    assert len(sections_of(packed / "a", 4)) == (4 if is_plain else 0)
