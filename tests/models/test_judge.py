"""`judge` with the baseline: from a campaign's folder to labels that the audit reads."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from qrelsmith import audit_campaign, judge, read_judgments
from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.cli import run
from qrelsmith.models.cache import open_cache

LEXICAL = "builtin:lexical"


def test_the_command_writes_labels_qrels_and_records(
    campaign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, qrels, replies = (tmp_path / name for name in ("l.csv", "l.qrels", "r.csv"))
    words = ["judge", str(campaign), "--endpoint", LEXICAL, "-o", str(out)]
    assert run([*words, "--write-qrels", str(qrels), "--write-replies", str(replies)]) == 0
    said = capsys.readouterr().err
    assert "is a baseline" in said
    assert "labels: 5 of 5, error records: 0; requests sent: 5" in said
    labels = read_judgments(out)
    assert labels.assessors == ("baseline-lexical",)
    assert set(labels.group or ()) == {"baseline"}
    assert qrels.read_text("utf-8").splitlines()[0].split()[:3] == ["t1", "0", "d1"]
    with replies.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["topic"], row["doc"]) for row in rows] == [
        ("t1", "d1"), ("t1", "d2"), ("t1", "d4"), ("t2", "d1"), ("t2", "d3"),
    ]  # fmt: skip
    assert json.loads(rows[0]["answer"]) == {"grade": float(rows[0]["value"])}
    assert rows[0]["prompt"] == "grade"
    by_doc = {(row["topic"], row["doc"]): float(row["value"]) for row in rows}
    assert by_doc["t2", "d3"] > by_doc["t2", "d1"] == 0
    first = out.read_bytes()
    assert run(words) == 0
    assert "requests sent: 0" in capsys.readouterr().err
    assert out.read_bytes() == first


def test_pools_are_judged_before_runs_and_docs_without_text_are_named(campaign: Path) -> None:
    (campaign / "pools").mkdir()
    pool = "# pool format=1 ordering=docno depth=1\nt1 d2 1\nt1 gone 2\n"
    (campaign / "pools" / "p.txt").write_text(pool, encoding="utf-8")
    judged = judge(campaign, endpoint=LEXICAL)
    assert [outcome.key for outcome in judged.outcomes] == [("t1", "d2")]
    assert judged.notes[-1] == "docs without a text were not judged: 1 (first: gone)"
    assert len(judge(campaign, endpoint=LEXICAL, depth=1).outcomes) == 2
    assert len(judge(campaign, endpoint=LEXICAL, depth=9, topic_set=["t2"]).outcomes) == 2


def test_long_docs_are_truncated_and_counted(campaign: Path) -> None:
    judged = judge(campaign, endpoint=LEXICAL, most_characters=20)
    assert judged.notes[-1] == "docs that were cut after 20 characters: 2"


def test_two_simultaneous_runs_are_refused(campaign: Path) -> None:
    with (
        open_cache(campaign),
        pytest.raises(InputError, match="another process is sending requests for this campaign"),
    ):
        judge(campaign, endpoint=LEXICAL)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"endpoint": "http://h/v1"}, "no model given"),
        ({"endpoint": LEXICAL, "model": "m"}, "is not a language model"),
        ({"endpoint": "builtin:lexcial"}, "did you mean builtin:lexical"),
        ({"endpoint": "ftp://h", "model": "m"}, "expected http://HOST:PORT/v1"),
        ({"endpoint": "http://u:secret@h/v1", "model": "m"}, "contains a password"),
        ({"endpoint": "http://h/v1?key=secret", "model": "m"}, "contains a password or a query"),
        ({"endpoint": "http://h/v1", "model": "m", "spend": 1}, "needs --price-in"),
        ({"endpoint": LEXICAL, "prompt": "pair"}, "the prompt pair compares pairs"),
        (
            {"endpoint": LEXICAL, "topic_set": ["t9"]},
            "the topic 't9' has no docs to judge; expected at least one",
        ),
        ({"endpoint": LEXICAL, "concurrency": 0}, "concurrency is 0"),
        ({"endpoint": "http://h/v1", "model": "m", "price_in": -1}, "price_in is -1"),
    ],
)
def test_wrong_options_are_refused(campaign: Path, options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said) as error:
        judge(campaign, **options)  # type: ignore[arg-type]
    assert "secret" not in str(error.value)


def test_a_campaign_without_a_scale_or_docs_is_a_one_line_error(campaign: Path) -> None:
    (campaign / "documents.jsonl").unlink()
    with pytest.raises(InputError, match="the docs are missing"):
        judge(campaign, endpoint=LEXICAL)
    (campaign / "campaign.toml").write_text("format = 1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"\[scale\] is missing"):
        judge(campaign, endpoint=LEXICAL)


def test_the_audits_manifest_names_models_with_prompt_and_cost(campaign: Path) -> None:
    (campaign / "qrels").mkdir()
    gold = "t1 0 d1 2\nt1 0 d2 0\nt1 0 d4 1\nt2 0 d3 2\nt2 0 d1 0\n"
    (campaign / "qrels" / "gold.qrels").write_text(gold, encoding="utf-8")
    before = json.loads(audit_campaign(campaign).manifest)
    assert "models" not in before["parameters"]
    judged = judge(campaign, endpoint=LEXICAL)
    (model,) = json.loads(audit_campaign(campaign).manifest)["parameters"]["models"]
    assert (model["assessor"], model["model"]) == ("baseline-lexical", LEXICAL)
    assert (model["labels"], model["errors"], model["replies"], model["money"]) == (5, 0, 5, 0)
    assert model["prompt_sha256"] == judged.session.asking.prompt.sha256
    assert json.loads(model["parameters"])["endpoint"] == LEXICAL
