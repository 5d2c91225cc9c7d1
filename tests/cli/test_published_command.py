from __future__ import annotations

from pathlib import Path

import pytest

LABELS = """\
topic_id,unit_id,document_id,worker_id,relevance_score,trec,gold,relevance_scale
402,u1,a,w1,30,1,0,S100
402,u1,b,w1,0,0,1,S100
402,u2,a,w2,1,1,0,S2
"""
COMMAND = "published"
FILES = {"all.csv": LABELS}


def test_each_scale_and_expert_has_a_file(folder: Path, printed) -> None:
    out, err = printed("all.csv out/new")
    assert out == (
        "file,topics,docs,assessors,labels\n"
        "judgments-S100.csv,1,2,1,2\n"
        "judgments-S2.csv,1,1,1,1\n"
        "trec.qrels,1,2,1,2\n"
    )
    assert err == "qrelsmith: note: rows marked as gold: 1\n"
    assert (folder / "out/new/judgments-S100.csv").read_text() == (
        "topic,doc,assessor,grade,hit\n402,a,w1,30,u1\n402,b,w1,0,u1\n"
    )
    assert (folder / "out/new/trec.qrels").read_text() == "402 0 a 1\n402 0 b 0\n"


def test_gold_can_be_excluded(printed) -> None:
    assert "judgments-S100.csv,1,1,1,1" in printed("all.csv out --gold-labels drop --quiet")[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("missing.csv out", "missing.csv: no such file"),
        ("all.csv all.csv", "all.csv: cannot be created"),
        ("all.csv out --score normalized", "normalized_relevance_score is missing"),
    ],
)
def test_bad_input_is_a_one_line_error(refused, arguments: str, message: str) -> None:
    assert message in refused(arguments)
