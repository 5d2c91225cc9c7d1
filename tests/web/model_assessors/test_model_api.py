"""Models that judge through the API: responses, requests, and refusals."""

from __future__ import annotations

import gzip
import json
import threading
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections
from django.test import Client

from qrelsmith.web.graded.assigned import docs_of, stale_parts
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.importing.campaign import import_campaign
from qrelsmith.web.instance import find_instance
from qrelsmith.web.model_assessors.operations import LARGEST_BATCH
from qrelsmith.web.models import AssignedDoc, Assignment, Event, ModelSetting
from qrelsmith.web.project import current_instance, use
from qrelsmith.web.verification.whole import verified


def labels(name: str = "gpt-x", topic: str = "q1") -> dict[str, float | None]:
    found = AssignedDoc.objects.filter(
        assignment__assessor__name=name, assignment__topic__name=topic
    )
    return dict(found.order_by("position").values_list("doc__name", "value"))


def problems(answer: Any) -> list[tuple[int | None, str, str]]:
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == answer.status_code
    return [(p["item"], p["field"], p["reason"]) for p in answer.json()["problems"]]


def is_verified(app: Any) -> bool:
    return not any(check.wrong for check in verified())


def test_a_model_requests_docs_and_sends_labels(app: Any, model: Any) -> None:
    work = model.get("/api/work?topic=q1&limit=4").json()
    assert [doc["doc"] for doc in work["docs"]] == ["d00000", "d00001", "d00002", "d00003"]
    assert work["topics"][0]["title"] == "topic 1"
    assert work["scale"]["levels"][0]["label"] == "not relevant"
    assert work["scale"]["instructions"] == "Read the topic first."
    assert "<p>" not in work["docs"][1]["text"]
    answer = model.judge(
        *(
            {"doc": doc["doc"], "grade": n % 3, "sha256": doc["sha256"], "active_ms": 900 + n,
             "topic_version": doc["topic_version"], "note": f"because {n}"}
            for n, doc in enumerate(work["docs"])
        )
    )  # fmt: skip
    assert answer.status_code == 200, answer.content
    results = answer.json()["results"]
    assert [(each["item"], each["result"], each["revision"]) for each in results] == [
        (n, "accepted", 1) for n in range(4)
    ]
    assert answer.json()["setting"]["version"] == 1
    assert list(labels().values()) == [0, 1, 2, 0, None, None]
    following = model.get(f"/api/work?topic=q1&after={work['next']}").json()
    assert [doc["doc"] for doc in following["docs"]] == ["d00004", "d00005"]
    assert following["next"] is None
    topics = model.get("/api/topics").json()["topics"]
    assert [(t["topic"], t["judged"], t["total"]) for t in topics] == [("q1", 4, 6), ("q2", 0, 6)]
    assert is_verified(app)


def test_every_judgment_names_its_model_and_prompt(app: Any, model: Any) -> None:
    model.judge({"doc": "d00000"}, prompt="one")
    model.judge({"doc": "d00001"}, prompt="two")
    again = model.judge({"doc": "d00002"}, prompt="one")
    assert again.json()["setting"]["version"] == 1
    named = Event.objects.order_by("id").values_list("setting__version", "setting__prompt")
    assert list(named) == [(1, "one"), (2, "two"), (1, "one")]
    body = model.batch({"doc": "d00003"}, prompt="one")
    body["setting"]["parameters"] = {"temperature": 0, "stop": None, "seed": 7, "beam": 0.5}
    assert model.send(body).json()["setting"]["version"] == 3
    event = Event.objects.latest("id")
    assert event.setting is not None
    assert event.setting.parameters == '{"beam": 0.5, "seed": 7, "stop": null, "temperature": 0}'
    assert event.input_kind == "api"


def test_a_batch_sent_again_is_the_same_batch(app: Any, model: Any) -> None:
    body = model.batch({"doc": "d00000"}, {"doc": "d00001", "grade": 2})
    first, second = model.send(body), model.send(body)
    assert [each["result"] for each in first.json()["results"]] == ["accepted"] * 2
    assert [each["result"] for each in second.json()["results"]] == ["repeated"] * 2
    body["judgments"].append({"op_id": "one-more-now", "topic": "q1", "doc": "d00002", "grade": 0})
    third = model.send(body).json()["results"]
    assert [each["result"] for each in third] == ["repeated", "repeated", "accepted"]
    assert Event.objects.count() == 3
    assert ModelSetting.objects.count() == 1
    assert is_verified(app)


def test_a_label_is_changed_only_from_the_revision_that_the_model_saw(app: Any, model: Any) -> None:
    assert model.judge({"doc": "d00000", "grade": 1}).status_code == 200
    stale = model.judge({"doc": "d00000", "grade": 2})
    assert stale.status_code == 409
    assert problems(stale) == [(0, "revision", "stale")]
    assert stale.json()["problems"][0]["expected"].startswith("1, the revision of the current")
    assert labels()["d00000"] == 1
    answer = model.judge({"doc": "d00000", "grade": 2, "revision": 1})
    assert answer.json()["results"][0]["revision"] == 2
    assert labels()["d00000"] == 2
    assert is_verified(app)


def test_every_error_is_reported_and_nothing_is_recorded(app: Any, model: Any) -> None:
    good = {"doc": "d00005"}
    wrong = model.judge(
        good,
        {"doc": "d00000", "grade": 7},
        {"topic": "q9", "doc": "d00000"},
        {"doc": "d9"},
        {"doc": "d00001", "sha256": "0" * 64},
        {"doc": "d00002", "topic_version": 4, "scale_version": 5},
        {"doc": "d00003", "round": 2},
        {"doc": "d00004"},
        {"doc": "d00004"},
    )
    assert wrong.status_code == 422
    assert problems(wrong) == [
        (1, "grade", "value"),
        (2, "topic", "unknown"),
        (3, "doc", "unknown"),
        (4, "sha256", "sha256"),
        (5, "topic_version", "version"),
        (5, "scale_version", "version"),
        (6, "topic", "unknown"),
        (7, "doc", "twice"),
        (8, "doc", "twice"),
    ]
    first = wrong.json()["problems"][0]
    assert (first["found"], first["expected"]) == ("7", "a level of 0, 1, 2, or a code of -2")
    assert "Nothing was recorded" in wrong.json()["detail"]
    assert not Event.objects.exists()
    assert not ModelSetting.objects.exists()
    assert not any(labels().values())


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"grade": "1"}, (0, "grade")),
        ({"grade": True}, (0, "grade")),
        ({"grade": None}, (0, "grade")),
        ({"op_id": "short"}, (0, "op_id")),
        ({"op_id": "with blank s"}, (0, "op_id")),
        ({"doc": ""}, (0, "doc")),
        ({"doc": "\x00"}, (0, "doc")),
        ({"note": "\ud800"}, (0, "note")),
        ({"note": "x" * 10_001}, (0, "note")),
        ({"revision": -1}, (0, "revision")),
        ({"revision": 1.5}, (0, "revision")),
        ({"round": 0}, (0, "round")),
        ({"sha256": "0" * 63 + "G"}, (0, "sha256")),
        ({"rank": 3}, (0, "")),
        ({"\ud800\x00": 3}, (0, "")),
    ],
)
def test_data_that_does_not_match_the_document_is_named(
    lite_model: Any, change: dict[str, Any], place: tuple[int, str]
) -> None:
    answer = lite_model.judge({"doc": "d00000"} | change)
    assert answer.status_code == 400
    assert problems(answer) == [(*place, "schema")]
    assert all(each["found"] and each["expected"] for each in answer.json()["problems"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b" ", 400),
        (b"\xff", 400),
        ("[]", 400),
        ("NaN", 400),
        ("[" * 9000, 400),
        ('{"judgments": [], "setting": {"model": "m", "prompt": "p"}}', 400),
        ('{"judgments": 1e400}', 400),
        (json.dumps({"x": "y" * (1 << 20)}), 413),
        # Nothing decompresses a client's data: a compression bomb is not JSON.
        (gzip.compress(b" " * (1 << 20)), 400),
    ],
)
def test_bodies_without_a_batch_are_refused(lite_model: Any, body: Any, status: int) -> None:
    answer = lite_model.send(body)
    assert answer.status_code == status
    assert problems(answer)


def test_parameters_are_scalars_with_storable_names(lite_model: Any) -> None:
    for wrong in ({"a": []}, {"": 1}, {"\x00": 1}, {"a": {"b": 1}}, {"a": "\ud800"}, [], "x"):
        body = lite_model.batch({"doc": "d00000"})
        body["setting"]["parameters"] = wrong
        assert lite_model.send(body).status_code == 400, wrong


def test_a_batch_with_too_many_judgments_is_refused(lite_model: Any) -> None:
    answer = lite_model.judge(*({"doc": f"d{n}"} for n in range(LARGEST_BATCH + 1)))
    assert (answer.status_code, len(problems(answer))) == (400, 1)


def test_another_content_type_is_refused(lite_model: Any) -> None:
    answer = lite_model.client.post(
        "/api/judgments", "x=1", content_type="application/x-www-form-urlencoded",
        headers={"Authorization": f"Bearer {lite_model.token}"},
    )  # fmt: skip
    assert answer.status_code == 415


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "after=-1", "after=1e3",
                                   "colour=red", "topic=%00", "limit=٣"])  # fmt: skip
def test_parameters_that_do_not_match_the_document_are_refused(lite_model: Any, query: str) -> None:
    assert lite_model.get(f"/api/work?{query}").status_code == 400


def test_an_unassigned_topic_is_not_found(lite_model: Any) -> None:
    answer = lite_model.get("/api/work?topic=q9")
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


def test_a_closed_topic_accepts_no_labels_and_gives_no_docs(lite_model: Any) -> None:
    body = lite_model.batch({"doc": "d00000"})
    lite_model.send(body)
    Assignment.objects.filter(assessor__name="gpt-x", topic__name="q1").update(is_open=False)
    answer = lite_model.judge({"doc": "d00001"})
    assert (answer.status_code, problems(answer)) == (422, [(0, "topic", "closed")])
    assert {doc["topic"] for doc in lite_model.get("/api/work").json()["docs"]} == {"q2"}
    assert lite_model.send(body).json()["results"][0]["result"] == "repeated"


def test_an_operation_id_can_be_used_for_one_judgment_only(
    app: Any, model: Any, at_work: Any
) -> None:
    at_work(app).judge(1, 2, op_id="a-persons-operation")
    model.judge({"doc": "d00000", "op_id": "the-models-own"})
    answer = model.judge(
        {"doc": "d00001", "op_id": "a-persons-operation"},
        {"doc": "d00002", "op_id": "the-models-own"},
        {"doc": "d00003", "op_id": "twice-here"},
        {"doc": "d00004", "op_id": "twice-here"},
    )
    assert answer.status_code == 409
    assert problems(answer) == [(n, "op_id", "op_id") for n in (0, 1, 3)]


def test_a_models_label_never_belongs_to_a_person(app: Any, model: Any, at_work: Any) -> None:
    b1 = at_work(app)
    b1.judge(1, 2)
    assert model.judge({"doc": "d00000", "grade": 0}).status_code == 200
    assert b1.values()[0] == 2
    assert labels("gpt-x")["d00000"] == 0
    assert labels("b1")["d00000"] == 2


def test_a_label_of_an_older_text_is_stale(app: Any, model: Any) -> None:
    model.judge({"doc": "d00000"})
    path = app.folder / "topics.jsonl"
    path.write_text(path.read_text().replace("topic 1", "another title"))
    import_campaign(current_instance().campaign)
    assert model.get("/api/topics").json()["topics"][0]["version"] == 2
    model.judge({"doc": "d00001", "topic_version": 1}, {"doc": "d00002", "topic_version": 2})
    assignment = Assignment.objects.get(assessor__name="gpt-x", topic__name="q1")
    parts = [stale_parts(doc, current_scale()) for doc in docs_of(assignment)]
    assert parts[:4] == [["topic"], ["topic"], [], []]


def test_a_level_that_needs_a_note_needs_one_from_a_model_too(app: Any, model: Any) -> None:
    path = app.folder / "campaign.toml"
    text = path.read_text().replace(
        'text = "Answers." }', 'text = "Answers.", note = "required", excerpt = "required" }'
    )
    path.write_text(text)
    use(find_instance(app.folder))
    import_campaign(current_instance().campaign)
    answer = model.judge({"doc": "d00000", "grade": 2}, {"doc": "d00001", "grade": -2})
    assert problems(answer) == [(0, "note", "value"), (0, "excerpt", "value")]
    full = {"doc": "d00000", "grade": 2, "note": "it says so", "excerpt": "word word"}
    assert model.judge(full, {"doc": "d00001", "grade": -2}).status_code == 200


def test_two_simultaneous_requests_with_one_batch_are_one_batch(app: Any, model: Any) -> None:
    answers: list[Any] = []

    def send(body: str) -> None:
        try:
            client = Client(headers={"host": "127.0.0.1"}, raise_request_exception=False)
            answers.append(
                client.post(
                    "/api/judgments", body, content_type="application/json",
                    headers={"Authorization": f"Bearer {model.token}"},
                )
            )  # fmt: skip
        finally:
            connections.close_all()

    for n in range(6):
        body = json.dumps(model.batch({"doc": f"d{n:05}"}, {"doc": f"d{n:05}", "topic": "q2"}))
        threads = [threading.Thread(target=send, args=(body,)) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [answer.status_code for answer in answers] == [200] * 30
    results = [result["result"] for answer in answers for result in answer.json()["results"]]
    assert results.count("accepted") == 12
    assert Event.objects.count() == 12
    assert is_verified(app)


def test_verify_finds_changes_in_the_database(lite_app: Any, lite_model: Any) -> None:
    lite_model.judge({"doc": "d00000"}, prompt="as it was")
    assert is_verified(lite_app)
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER qrelsmith_web_modelsetting_no_UPDATE")
        cursor.execute("UPDATE qrelsmith_web_modelsetting SET prompt = 'as it never was'")
    wrong = [check for check in verified() if check.wrong]
    expected = "the prompt of version 1 of gpt-x does not match its digest"
    assert [check.examples for check in wrong] == [[expected]]


def test_the_database_itself_refuses_to_change_a_setting(app: Any, model: Any) -> None:
    model.judge({"doc": "d00000"})
    with pytest.raises(DatabaseError, match="never changed"):
        ModelSetting.objects.update(prompt="another")
