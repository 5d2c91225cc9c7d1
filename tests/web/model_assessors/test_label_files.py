"""`qrelsmith app import-labels` and `qrelsmith app token`: models on the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.cli import run
from qrelsmith.web.models import (
    ApiToken,
    Assessor,
    AssignedDoc,
    Assignment,
    Doc,
    Event,
    ModelSetting,
    OrganiserAction,
    Topic,
)
from qrelsmith.web.verification.whole import verified

LLM = '\n[groups.llm]\nrole = "llm"\n'


@pytest.fixture
def prompt(tmp_path: Path) -> Path:
    path = tmp_path / "prompt.txt"
    path.write_text("Is the doc relevant to the topic? 関連度を答えよ。\n", encoding="utf-8")
    return path


@pytest.fixture
def bring(app: Any, prompt: Path) -> Callable[..., int]:
    return bringer(app, prompt)


@pytest.fixture
def lite_bring(lite_app: Any, prompt: Path) -> Callable[..., int]:
    return bringer(lite_app, prompt)


def bringer(app: Any, prompt: Path) -> Callable[..., int]:
    """Return a function that imports labels into an app whose campaign has a group of models."""
    with (app.folder / "campaign.toml").open("a") as out:
        out.write(LLM)

    def bring(content: str, *options: str, name: str = "labels.qrels") -> int:
        path = prompt.parent / name
        path.write_text(content, encoding="utf-8")
        given = {"--assessor": "gpt-x", "--model": "gpt-x-1", "--prompt": str(prompt)}
        for option, value in zip(options[::2], options[1::2], strict=False):
            if option in given:
                given[option] = value
        named = [part for pair in given.items() for part in pair]
        rest = [o for o in options if o not in named]
        return run(["import-labels", str(app.folder), str(path), *named, *rest])

    return bring


def events() -> list[tuple[Any, ...]]:
    rows = Event.objects.order_by("id").values_list(
        "assignment__topic__name", "assigned__doc__name", "assessor__name", "value", "revision",
        "setting__version",
    )  # fmt: skip
    return list(rows)


def is_verified() -> bool:
    return not any(check.wrong for check in verified())


QRELS = "q1 0 d00000 2\nq1 0 d00003 0\nq2 0 d00001 1\n"


def test_qrels_become_labels_of_the_model(
    app: Any, bring: Any, at_work: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    b1 = at_work(app)
    b1.judge(1, 1)
    capsys.readouterr()
    assert bring(QRELS, "--parameter", "temperature=0") == 0
    assert capsys.readouterr().out == (
        "what,new,changed,same\nassignments,2,0,0\nmodels,1,0,0\nlabels,3,0,0\n"
    )
    assert events()[1:] == [
        ("q1", "d00000", "gpt-x", 2, 1, 1),
        ("q1", "d00003", "gpt-x", 0, 1, 1),
        ("q2", "d00001", "gpt-x", 1, 1, 1),
    ]
    setting = ModelSetting.objects.get()
    assert setting.prompt.startswith("Is the doc relevant to the topic? 関連度")
    assert (setting.model, setting.parameters) == ("gpt-x-1", '{"temperature": 0}')
    assert Event.objects.latest("id").judged_at is None
    own = Assignment.objects.filter(assessor__name="gpt-x").order_by("topic__name")
    assert [(each.judged, each.total) for each in own] == [(2, 6), (1, 6)]
    assert own[0].assessor.group == "llm"
    assert b1.values() == [1, None, None, None, None, None]
    assert is_verified()


def test_a_file_imported_again_changes_nothing(
    bring: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bring(QRELS) == 0
    before = events()
    assert bring(QRELS) == 0
    assert capsys.readouterr().out.endswith("assignments,0,0,2\nmodels,0,0,1\nlabels,0,0,3\n")
    assert events() == before


def test_a_changed_label_of_the_model_is_its_next_revision(
    app: Any, bring: Any, prompt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bring(QRELS) == 0
    assert bring(QRELS.replace("d00000 2", "d00000 1")) == 0
    assert capsys.readouterr().out.endswith("labels,0,1,2\n")
    assert bring(QRELS) == 0  # and back again
    prompt.write_text("Another prompt.")
    assert bring("q1 0 d00003 0\n") == 0
    assert events()[3:] == [
        ("q1", "d00000", "gpt-x", 1, 2, 1),
        ("q1", "d00000", "gpt-x", 2, 3, 1),
        ("q1", "d00003", "gpt-x", 0, 2, 2),
    ]
    assert is_verified()


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 201])
def test_a_model_name_that_no_export_can_contain_is_refused(
    bring: Any, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bring(QRELS, "--assessor", name) == 2
    assert (
        "contains a control character" in (said := capsys.readouterr().err) or "at most 200" in said
    )
    assert events() == []


def test_judgments_keep_their_times_and_notes(lite_bring: Any) -> None:
    rows = [
        {"topic": "q1", "doc": "d00000", "assessor": "m", "grade": 1, "revision": 1},
        {"topic": "q1", "doc": "d00000", "assessor": "m", "grade": 2, "revision": 2,
         "note": "says so", "active_ms": 812, "judged_at": "2026-01-02T03:04:05Z"},
        {"topic": "q1", "doc": "d00001", "assessor": "m", "grade": -1, "revision": 2},
        {"topic": "q1", "doc": "d00002", "assessor": "m", "grade": -2, "revision": 1},
    ]  # fmt: skip
    text = "".join(json.dumps(row) + "\n" for row in rows)
    assert lite_bring(text, name="labels.jsonl") == 0
    first, second = Event.objects.order_by("id")
    assert (first.value, first.note, first.active_ms) == (2, "says so", 812)
    assert first.judged_at is not None
    assert first.judged_at.isoformat() == "2026-01-02T03:04:05+00:00"
    assert (second.value, second.judged_at, second.input_kind) == (-2, None, "file")


def test_the_named_assessor_of_several_is_imported(
    lite_bring: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "topic,doc,assessor,grade\nq1,d00000,gpt-x,1\nq1,d00000,other,2\n"
    assert lite_bring(text, name="labels.csv") == 0
    assert events() == [("q1", "d00000", "gpt-x", 1, 1, 1)]
    assert lite_bring(text.replace("gpt-x", "third"), name="labels.csv") == 2
    assert "labels.csv: the labels are by other, third; expected labels by 'gpt-x'" in (
        capsys.readouterr().err
    )


def test_docs_outside_the_pool_join_the_assignment(lite_app: Any, lite_bring: Any) -> None:
    pool = lite_app.folder / "pools" / "prioritised.pool"
    lines = [line for line in pool.read_text().splitlines() if not line.startswith("q1 d00003")]
    lines = [re.sub("^(q1 d0000[45]) (.)", lambda m: f"{m[1]} {int(m[2]) - 1}", x) for x in lines]
    pool.write_text("\n".join(lines) + "\n")
    assert Doc.objects.count() == 6
    assert Topic.objects.count() == 2
    assert lite_bring(QRELS) == 0
    docs = AssignedDoc.objects.filter(
        assignment__assessor__name="gpt-x", assignment__topic__name="q1"
    )
    names = list(docs.order_by("position").values_list("doc__name", flat=True))
    assert names == ["d00000", "d00001", "d00002", "d00004", "d00005", "d00003"]


@pytest.mark.parametrize(
    ("content", "options", "problem"),
    [
        ("q1 0 d00000 9\n", (), "labels.qrels:1: "),
        ("q1 0 d00000 -7\n", (), "grade is -7; expected a level of 0, 1, 2, or a code of -2"),
        ("q9 0 d00000 1\n", (), "labels.qrels: the topic 'q9' is not in the campaign"),
        ("q1 0 d9 1\n", (), "labels.qrels: the doc 'd9' of topic 'q1' is not in the campaign"),
        (
            QRELS,
            ("--assessor", "b1"),
            "'b1' is in the group 'bronze', which does not have the role 'llm'",
        ),
        (
            QRELS,
            ("--group", "bronze"),
            "the group is 'bronze'; expected a group with the role 'llm'",
        ),
        (QRELS, ("--model", ""), 'the model is ""; expected a string of 1 to 200 characters'),
        (QRELS, ("--parameter", "hot"), "--parameter is 'hot'; expected NAME=VALUE"),
        (QRELS, ("--prompt", "no/such/prompt"), "no/such/prompt: no such file"),
    ],
)
def test_files_that_cannot_be_recorded_change_nothing(
    lite_bring: Any,
    capsys: pytest.CaptureFixture[str],
    content: str,
    options: tuple[str, ...],
    problem: str,
) -> None:
    assert lite_bring(content, *options) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert len(error.splitlines()) == 1
    assert not Event.objects.exists()
    assert not ModelSetting.objects.exists()
    assert not Assessor.objects.filter(group="llm").exists()


def test_a_dry_run_records_nothing(lite_bring: Any, capsys: pytest.CaptureFixture[str]) -> None:
    before = OrganiserAction.objects.count()
    assert lite_bring(QRELS, "--dry-run") == 0
    assert "labels,3,0,0" in capsys.readouterr().out
    assert not Event.objects.exists()
    assert not Assessor.objects.filter(name="gpt-x").exists()
    assert OrganiserAction.objects.count() == before


def test_a_campaign_without_models_is_refused_with_the_missing_settings(
    lite_app: Any, prompt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = prompt.parent / "x.qrels"
    path.write_text(QRELS)
    folder = str(lite_app.folder)
    given = ["--assessor", "gpt-x", "--model", "m", "--prompt", str(prompt)]
    assert run(["import-labels", folder, str(path), *given]) == 2
    assert 'add [groups.llm] with role = "llm" to campaign.toml' in capsys.readouterr().err
    assert run(["token", folder, "--assessor", "gpt-x"]) == 2
    error = capsys.readouterr().err
    assert "unknown assessor 'gpt-x'; expected an assessor in a group with the role 'llm'" in error


def test_a_token_is_printed_once_and_can_be_revoked(
    app: Any, model: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(app.folder)
    assert run(["token", folder, "--assessor", "gpt-x", "--days", "2"]) == 0
    printed = capsys.readouterr().out.strip()
    other = type(model)(app.client(), printed)
    assert other.get("/api/work").status_code == 200
    assert run(["token", folder, "--assessor", "gpt-x", "--scope", "work:read"]) == 0
    reader = type(model)(app.client(), capsys.readouterr().out.strip())
    assert reader.judge({"doc": "d00000"}).status_code == 403
    assert run(["token", folder, "--assessor", "gpt-x", "--revoke"]) == 0
    assert "3 tokens are revoked" in capsys.readouterr().err
    assert ApiToken.objects.filter(revoked_at=None).count() == 0
    assert other.get("/api/work").status_code == 401
    log = OrganiserAction.objects.order_by("id").values_list("action", "target")
    assert list(log)[-3:] == [("token", "gpt-x"), ("token", "gpt-x"), ("revoke tokens", "gpt-x")]
    assert run(["token", folder, "--assessor", "b1"]) == 2
