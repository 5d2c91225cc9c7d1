"""The source and reason of a label: kept if the target can store them, else named as lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qrelsmith import read_judgments
from qrelsmith.base.errors import InputWarning
from qrelsmith.formats.convert import convert

LABELS = [
    {"query_id": "1", "doc_id": "a", "relevance": 2, "model": "m-1", "reason": "Says so."},
    {"query_id": "1", "doc_id": "b", "relevance": 0, "model": "m-1", "reason": ""},
]


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(label) + "\n" for label in LABELS))
    return path


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_judgments_keep_model_and_reason(labels: Path, form: str) -> None:
    target = labels.with_name(f"judgments.{form}")
    convert(labels, target, kind="judgments", to=form, of="jsonl")
    found = read_judgments(target)
    assert found.assessors == ("m-1",)
    assert list(found.note) == ["Says so.", ""]


def test_qrels_name_what_they_lose(labels: Path) -> None:
    expected = r"labels\.jsonl: ignored: model, reason"
    with pytest.warns(InputWarning, match=expected):
        convert(labels, labels.with_name("q.qrels"), kind="qrels", to="trec", of="jsonl")
