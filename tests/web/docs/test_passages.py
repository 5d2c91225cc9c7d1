"""Passages in requests and records: one declaration defines both."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.base.errors import InputError
from qrelsmith.web.core.lines import Record
from qrelsmith.web.records.judgments import passages_of_record

GOOD = {"start": 5, "quote": "word", "sha256": "0" * 64}


def sent(client: Any, body: dict[str, Any], stream: str) -> Any:
    return client.post(
        f"/api/{stream}/judgments", json.dumps(body), content_type="application/json",
        headers={"Accept-Language": "ja"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("passages", "named"),
    [
        ({}, "passages"),
        ([GOOD] * 51, "passages"),
        (["word"], "passages"),
        ([{"start": 5, "quote": "word"}], "sha256"),
        ([GOOD | {"side": "left"}], "passages"),
        ([GOOD, GOOD | {"start": -1}], "start"),
        ([GOOD | {"start": 1.5}], "start"),
        ([GOOD | {"quote": " \n"}], "quote"),
        ([GOOD | {"quote": "x" * 20_001}], "quote"),
        ([GOOD | {"quote": "a\x00b"}], "quote"),
        ([GOOD | {"sha256": "0" * 63}], "sha256"),
    ],
)
def test_passages_in_a_wrong_format_are_refused_in_the_language_of_the_page(
    lite_app: Any, at_work: Any, passages: Any, named: str
) -> None:
    b1 = at_work(lite_app)
    doc = b1.doc(1)
    body = {
        "op_id": "operation-1", "doc": doc.pk, "value": 1, "sha256": doc.current_sha256,
        "base_revision": 0, "passages": passages,
    }  # fmt: skip
    answer = sent(lite_app.client("b1"), body, f"assignments/{b1.assignment.pk}")
    assert answer.status_code == 400
    message = answer.json()["message"]
    assert named in message
    assert re.search("[\u3040-\u30ff]", message), message


def test_a_passage_of_a_pair_must_name_its_side(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(lite_app)[0]
    b1 = comparing(lite_app, "b1", contest)
    pair = b1.next()
    body = {
        "op_id": "operation-1", "pair": pair.pk, "outcome": 1, "base_revision": 0,
        "left_sha256": pair.left.versions.get().sha256,
        "right_sha256": pair.right.versions.get().sha256,
    }  # fmt: skip
    client = lite_app.client("b1")
    for passage in (GOOD, GOOD | {"side": "top"}):
        answer = sent(client, body | {"passages": [passage]}, f"contests/{contest.pk}")
        assert (answer.status_code, "side" in answer.json()["message"]) == (400, True)
    # Its format is right, but it is not in the doc.
    answer = sent(client, body | {"passages": [GOOD | {"side": "left"}]}, f"contests/{contest.pk}")
    assert (answer.status_code, answer.json()["error"]) == (422, "passage")


@pytest.mark.parametrize(
    ("passage", "fault"),
    [
        (GOOD | {"start": -1}, r"passages\[0\]\[start\] is -1; expected a whole number from 0"),
        (GOOD | {"quote": ""}, r"passages\[0\]\[quote\] is \"\"; expected words"),
        (GOOD | {"note": "x"}, r'passages\[0\] is the key "note"; expected one of the keys start'),
    ],
)
def test_a_record_names_the_place_of_a_wrong_passage(
    lite_app: Any, passage: dict[str, Any], fault: str
) -> None:
    cells = {"passages": json.dumps([passage]), "left": ""}
    record = Record(cells, path=Path("events.jsonl"), line=3)
    with pytest.raises(InputError, match=f"events.jsonl:3: {fault}"):
        passages_of_record(record)
