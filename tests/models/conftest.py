"""A small campaign in two languages for model assessors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TOPICS = [
    {"topic": "t1", "title": "sorting in place", "narrative": "Algorithms, not fruit."},
    {"topic": "t2", "title": "部分文字列", "description": "文字列を探す方法。"},
]
DOCS = {
    "d1": {"text": "Quicksort sorts an array in place."},
    "d2": {"text": "Sorting fruit in a factory."},
    "d3": {"title": "探索", "text": "部分文字列を速く探す。"},
    "d4": {"html": "<p>Merge sort <b>copies</b>.</p><script>let x</script>"},
}
RUNS = {"t1": ["d1", "d2", "d4"], "t2": ["d3", "d1"]}
SETTINGS = """
format = 1
title = "models"

[scale]
levels = [
  { grade = 0, label = "not relevant" },
  { grade = 1, label = "helps", text = "Helps somewhat." },
  { grade = 2, label = "answers" },
]
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    folder = tmp_path / "campaign"
    (folder / "runs").mkdir(parents=True)
    (folder / "campaign.toml").write_text(SETTINGS, encoding="utf-8")
    (folder / "topics.jsonl").write_text(
        "".join(json.dumps(topic) + "\n" for topic in TOPICS), encoding="utf-8"
    )
    (folder / "documents.jsonl").write_text(
        "".join(json.dumps({"doc_id": doc} | DOCS[doc]) + "\n" for doc in DOCS), encoding="utf-8"
    )
    lines = [
        f"{topic} Q0 {doc} {rank} {10 - rank} run\n"
        for topic, docs in RUNS.items()
        for rank, doc in enumerate(docs, start=1)
    ]
    (folder / "runs" / "a.run").write_text("".join(lines), encoding="utf-8")
    return folder
