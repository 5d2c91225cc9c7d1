"""Preference tasks judged by a model: its answers are events, its replies are in the log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.models.hostile import HostileServer, running
from tests.web.model_assessors.test_label_files import LLM, is_verified

from qrelsmith.cli import run
from qrelsmith.web.models import Contest, ModelReply, PairTask, PreferenceEvent
from qrelsmith.web.pairs.searches import state_of


@pytest.fixture
def truthful(lite_app: Any) -> Any:
    """Return an app whose docs contain their quality: later docs are better."""
    path = lite_app.folder / "documents.jsonl"
    docs = [json.loads(line)["doc_id"] for line in path.read_text("utf-8").splitlines()]
    lines = [
        json.dumps({"doc_id": doc, "text": f"truth {place}"}) + "\n"
        for place, doc in enumerate(docs)
    ]
    path.write_text("".join(lines), encoding="utf-8")
    with (lite_app.folder / "campaign.toml").open("a", encoding="utf-8") as out:
        out.write(LLM)
    return lite_app


def asked(app: Any, server: HostileServer, out: Path) -> list[str]:
    words = ["judge", str(app.folder), "--pairs", "--endpoint", server.address, "--model", "m"]
    return [*words, "-o", str(out)]


def test_a_model_judges_preference_tasks_and_its_replies_are_in_the_log(
    truthful: Any, contests_of: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contests_of(truthful, groups=("llm",))
    with running(HostileServer(bias=0.3)) as server:
        first, second = tmp_path / "first.csv", tmp_path / "second.csv"
        assert run(asked(truthful, server, first)) == 0
        assert "recorded in the app as m.pair" in capsys.readouterr().err
        sent = len(server.bodies)
        assert run(asked(truthful, server, second)) == 0
        assert len(server.bodies) == sent
    assert first.read_bytes() == second.read_bytes()
    events = PreferenceEvent.objects.all()
    assert {each.assessor.name for each in events} == {"m.pair"}
    assert ModelReply.objects.count() == 2 * events.count() == sent
    assert len(first.read_text("utf-8").splitlines()) == 1 + events.count()
    assert is_verified()

    for contest in Contest.objects.select_related("topic"):
        assert (contest.is_done, contest.judged) == (True, contest.total)
        assert len(state_of(contest).result) >= 2


def test_preference_tasks_of_people_are_not_given_to_models(
    truthful: Any, contests_of: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contests_of(truthful, grades={f"d{number:05}": int(number > 0) for number in range(6)})
    with running(HostileServer()) as server:
        assert run([*asked(truthful, server, tmp_path / "p.csv"), "--label-set", "thin"]) == 0
    assert "the app has no preference task for this model" in capsys.readouterr().err
    assert not PreferenceEvent.objects.exists()
    assert not PairTask.objects.filter(assessor__name="m.pair").exists()


def test_unanswered_pairs_block_only_their_topic(
    truthful: Any, contests_of: Any, tmp_path: Path
) -> None:
    contests_of(truthful, groups=("llm",))
    with running(HostileServer({"off-scale": 1})) as server:
        assert run(asked(truthful, server, tmp_path / "p.csv")) == 0
        assert len(server.bodies) == 2 * 2 * 3
    assert not PreferenceEvent.objects.exists()
    assert ModelReply.objects.exclude(fault="").count() == 12
    assert is_verified()
