"""Aspects of answers judged by a model: nuggets, citations and criteria, ten per request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qrelsmith.answers.answer_files import write_answers
from qrelsmith.answers.answers import Sentence, SystemAnswer, Turn
from qrelsmith.answers.aspects import Aspect, write_aspects
from qrelsmith.base.errors import UsageError
from qrelsmith.cli import run
from qrelsmith.evaluation.scored_runs import evaluate
from qrelsmith.models.judge import judge
from qrelsmith.models.prompts import library
from qrelsmith.models.replies import ReplyError, parsed_reply


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """Return two answers to a topic with twelve nuggets, a criterion and two cited docs."""
    (tmp_path / "campaign.toml").write_text(
        'format = 1\ntitle = "x"\n[aspects.criterion.fluency]\nrange = "1..4"\n', "utf-8"
    )
    (tmp_path / "topics.jsonl").write_text('{"topic": "t1", "title": "colours"}\n', "utf-8")
    docs = [{"doc_id": f"d{n}", "text": f"the colour red {n}"} for n in range(2)]
    (tmp_path / "documents.jsonl").write_text("".join(json.dumps(d) + "\n" for d in docs), "utf-8")
    said = Sentence("the colour red", ("d0", "d1")), Sentence("word4 word5", ("d1",))
    write_answers([SystemAnswer("t1", run, said) for run in "ab"], tmp_path / "answers.jsonl")
    nuggets = [Aspect("t1", f"n{n:02}", "nugget", f"word{n}") for n in range(12)]
    write_aspects([*nuggets, Aspect("", "fluency", "criterion", "reads well")],
                  tmp_path / "aspects.csv")  # fmt: skip
    return tmp_path


@pytest.mark.parametrize(
    ("prompt", "requests", "labels"), [("nuggets", 4, 24), ("citations", 4, 6), ("criterion", 2, 2)]
)
def test_each_kind_of_aspect_has_separate_requests(
    campaign: Path, prompt: str, requests: int, labels: int
) -> None:
    result = judge(campaign, endpoint="builtin:lexical", prompt=prompt)
    assert (len(result.outcomes), len(result.table().rows)) == (requests, labels)
    answered = f"labels: {labels} from {requests} of {requests} replies, error records: 0"
    assert any(note.startswith(answered) for note in result.notes)
    cost = dict(
        judge(campaign, endpoint="builtin:lexical", prompt=prompt, dry_run=True).table().rows
    )
    assert (cost["labels"], cost["known"], cost["requests"]) == (labels, labels, 0)
    judgments = result.judgments
    assert judgments.aspect is not None
    assert len(set(zip(judgments.doc.tolist(), strict=True))) == labels


def test_missing_files_of_cited_docs_are_a_one_line_error(campaign: Path, capsys) -> None:
    (campaign / "documents.jsonl").unlink()
    words = ["judge", str(campaign), "--endpoint", "builtin:lexical", "--prompt", "citations"]
    assert run(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "the cited docs are missing; expected documents.jsonl" in line


def test_a_models_labels_of_nuggets_are_scored(campaign: Path) -> None:
    result = judge(campaign, endpoint="builtin:lexical", prompt="nuggets")
    scores = evaluate(
        result.judgments, None, "NuggetRecall(variant='A')", aspects=campaign / "aspects.csv"
    )
    # Two of the twelve words are in the answers.
    assert scores.matrix(scores.measures[0]).means() == pytest.approx([2 / 12, 2 / 12])


def test_a_request_contains_the_texts_and_asks_for_the_same_number_of_grades(
    campaign: Path,
) -> None:
    result = judge(campaign, endpoint="builtin:lexical", prompt="nuggets", dry_run=True)
    unit = next(iter(result.work.units()))
    body = json.loads(result.session.asking.body(unit))
    system, user = (message["content"] for message in body["messages"])
    assert "1. word0\n2. word1" in user
    assert "[doc " in user
    assert "-3: contradicts" in system
    grades = body["response_format"]["json_schema"]["schema"]["properties"]["grades"]
    assert (grades["minItems"], grades["maxItems"]) == (10, 10)
    assert grades["items"]["enum"] == [-3, 0, 1, 2]


@pytest.mark.parametrize(
    ("text", "problem"),
    [('{"grades": 2}', "expected a list"), ('{"grades": [3]}', "expected a level of the scale"),
     ('{"grades": []}', "expected a list"), ('{"grade": 1}', "expected 'grades'")],
)  # fmt: skip
def test_replies_without_grades_are_refused(text: str, problem: str) -> None:
    with pytest.raises(ReplyError, match=problem):
        parsed_reply(text, kind="aspects", grades=(0, 1, 2))


def test_topics_and_criteria_come_from_answers_and_settings(campaign: Path) -> None:
    (campaign / "topics.jsonl").unlink()
    (campaign / "aspects.csv").unlink()
    asked = Turn("user", "which colours?"), Turn("agent", "Where?"), Turn("user", "in the sky")
    write_answers([SystemAnswer("t1", "a", (Sentence("red"),), (), asked)],
                  campaign / "answers.jsonl")  # fmt: skip
    result = judge(campaign, endpoint="builtin:lexical", prompt="criterion")
    assert [(row[0], row[1], row[2]) for row in result.table().rows] == [("t1", "a", "fluency")]
    (topic,) = result.work.topics.values()
    assert (topic.title, topic.narrative) == ("in the sky", "user: which colours?\nagent: Where?")


def test_criteria_on_several_scales_are_refused(campaign: Path) -> None:
    with (campaign / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write('[aspects.criterion.tone]\nrange = "0..1"\n')
    aspects = [Aspect("", name, "criterion", name) for name in ("fluency", "tone")]
    write_aspects(aspects, campaign / "aspects.csv")
    with pytest.raises(UsageError, match="the criteria have no common scale"):
        judge(campaign, endpoint="builtin:lexical", prompt="criterion")


def test_the_library_has_a_prompt_for_each_kind() -> None:
    kinds = {prompt.aspects for prompt in library() if prompt.kind == "aspects"}
    assert kinds == {"nugget", "rubric", "citation", "criterion"}
