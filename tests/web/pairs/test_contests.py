"""Preference tasks: candidates, assessors, unchanged tasks, and refusals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.cli import run
from qrelsmith.topk import Tournament
from qrelsmith.web.models import Assessor, Contest, OrganiserAction, PairTask
from qrelsmith.web.pairs.contests import expected_pairs, judging_groups, open_contests
from qrelsmith.web.pairs.searches import search_tasks, state_of
from qrelsmith.web.verification.whole import verified

GRADES = {"d00000": 2, "d00001": 2, "d00002": 1, "d00003": 1, "d00004": 0, "d00005": 0}


def names(contest: Any) -> list[tuple[str, str, int]]:
    """Return the open pairs of a preference task with their slots."""
    tasks = search_tasks(contest).filter(is_judged=False).order_by("number")
    return list(tasks.values_list("left__name", "right__name", "slot"))


def campaign_of(app: Any, **settings: Any) -> Any:
    """Return the app's campaign with other settings of `[preferences]`."""
    campaign = read_campaign(app.folder)
    assert campaign.preference_judging is not None
    return replace(campaign, preference_judging=replace(campaign.preference_judging, **settings))


def test_whole_grades_from_the_top_are_candidates(app: Any, contests_of: Any) -> None:
    # Two docs have grade 2; for a third candidate, all docs with grade 1 are added
    # (topk-preferences 4.1).
    contests = contests_of(app, grades=GRADES, k=3)
    assert [each.topic.name for each in contests] == ["q1", "q2"]
    for contest in contests:
        assert contest.candidates == {"d00000": 2, "d00001": 2, "d00002": 1, "d00003": 1}
        assert contest.nonrelevant == ["d00004", "d00005"]


def test_the_pairs_are_those_of_the_scheduler_on_its_sides(app: Any, contests_of: Any) -> None:
    for contest in contests_of(app):
        topic = contest.topic.name
        tournament = Tournament(sorted(contest.candidates), k=2, seed=0, topic=topic)
        pairs = tournament.replay([]).open_pairs
        assert names(contest) == [(pair.left, pair.right, 1) for pair in pairs]
        assert (contest.total, contest.judged, contest.is_done) == (len(pairs), 0, False)


def test_several_assessors_have_a_slot_each(lite_app: Any, contests_of: Any) -> None:
    contest = contests_of(lite_app, share="pair", per_pair=3, scheduler="round-robin")[0]
    found = names(contest)
    assert len(found) == 15 * 3
    assert [slot for _, _, slot in found[:6]] == [1, 2, 3, 1, 2, 3]


def test_drawn_pairs_are_served_as_listed(lite_app: Any, contests_of: Any) -> None:
    (lite_app.folder / "tests.csv").write_text(
        "topic,left,right\nq1,d00003,d00001\nq1,d00001,d00002\nq2,d00004,d00000\n"
    )
    drawn = {"scheduler": "drawn", "pairs": "tests.csv", "share": "pair", "per_pair": 3}
    first, second = contests_of(lite_app, **drawn)
    pairs = [("d00003", "d00001"), ("d00001", "d00002")]
    assert names(first) == [(*pair, slot) for pair in pairs for slot in (1, 2, 3)]
    assert names(second) == [("d00004", "d00000", slot) for slot in (1, 2, 3)]
    assert first.setting["pairs"] == {"q1": [list(pair) for pair in pairs]}
    assert first.setting["expected"] == 6
    page = lite_app.client("first", role="organiser").get("/organiser/preferences").content.decode()
    assert "<td>drawn</td>" in page
    assert "The answers determine the next pairs" not in page


def test_topics_are_assigned_evenly_and_by_the_seed(
    lite_app: Any, contests_of: Any, give_tables: Any
) -> None:
    contests = contests_of(lite_app)
    owners = {each.topic.name: each.assessor.name for each in contests}
    assert set(owners.values()) == {"b1", "b2"}

    PairTask.objects.all().delete()
    Contest.objects.all().delete()
    again = {each.topic.name: each.assessor.name for each in contests_of(lite_app)}
    assert again == owners


def test_pairs_open_to_all_have_no_owner(lite_app: Any, contests_of: Any) -> None:
    assert [each.assessor for each in contests_of(lite_app, share="pair")] == [None, None]


def test_assessors_of_a_judging_group_need_no_other_work(lite_app: Any, contests_of: Any) -> None:
    path = lite_app.folder / "campaign.toml"
    text = path.read_text() + '\n[groups.silver]\nassessors = ["s1"]\n'
    path.write_text(text)
    contests = contests_of(lite_app, groups=("silver",))
    assert {each.assessor.name for each in contests} == {"s1"}
    assert Assessor.objects.get(name="s1").group == "silver"


def test_models_compare_only_if_their_group_is_named(lite_app: Any, contests_of: Any) -> None:
    path = lite_app.folder / "campaign.toml"
    path.write_text(path.read_text() + '\n[groups.models]\nrole = "llm"\nassessors = ["m1"]\n')
    owners = {each.assessor.name for each in contests_of(lite_app)}
    assert owners == {"b1", "b2"}
    assert judging_groups(campaign_of(lite_app)) == ("bronze",)
    assert judging_groups(campaign_of(lite_app, groups=("models",))) == ("models",)


def test_too_few_assessors_for_a_pair_are_reported(lite_app: Any, contests_of: Any) -> None:
    contests_of(lite_app, share="pair", per_pair=3)
    (note,) = open_contests(campaign_of(lite_app)).notes()
    assert note.startswith("the groups lack 1 assessors; without them, no pair gets as many")


def test_opening_again_changes_nothing(lite_app: Any, contests_of: Any) -> None:
    before = [names(each) for each in contests_of(lite_app)]
    opening = open_contests(campaign_of(lite_app))
    assert (opening.contests.new, opening.contests.changed, opening.contests.same) == (0, 0, 2)
    assert [names(each) for each in contests_of(lite_app)] == before


def test_changed_grades_change_a_task_until_something_is_judged(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    first, second = contests_of(lite_app, share="pair")
    judged = comparing(lite_app, "b1", first)
    judged.answer(judged.next(), -1)
    changed = contests_of(lite_app, share="pair", grades=GRADES)
    assert [sorted(each.candidates) for each in changed] == [
        sorted(first.candidates),
        ["d00000", "d00001"],
    ]
    opening = open_contests(campaign_of(lite_app))
    assert opening.kept == ["q1"]
    assert "q1" in opening.notes()[0]
    assert names(changed[1]) == [("d00000", "d00001", 1)] or names(changed[1]) == [
        ("d00001", "d00000", 1)
    ]
    assert second.pk == changed[1].pk


def test_a_renewed_task_keeps_the_usable_answers(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(lite_app, share="pair", scheduler="round-robin")[0]
    work = comparing(lite_app, "b1", contest)
    while task := work.next():
        work.answer(task, -1 if task.left.name < task.right.name else 1)
    contests_of(lite_app, share="pair", scheduler="round-robin", grades=GRADES)
    open_contests(campaign_of(lite_app), renew=True)
    contest = Contest.objects.select_related("topic").get(pk=contest.pk)
    state = state_of(contest)
    assert (state.done, contest.is_done, state.unused) == (True, True, 14)
    assert [place.doc for place in state.result] == ["d00000", "d00001"]
    assert not [check for check in verified() if check.wrong]


@pytest.mark.parametrize("candidates", [0, 1])
def test_fewer_than_two_candidates_give_no_task(
    lite_app: Any, contests_of: Any, candidates: int
) -> None:
    grades = {f"d{n:05}": int(n < candidates) for n in range(4)}
    assert contests_of(lite_app, grades=grades) == []
    assert open_contests(campaign_of(lite_app)).without == ["q1", "q2"]


def test_a_candidate_must_be_among_the_docs(lite_app: Any, contests_of: Any) -> None:
    with pytest.raises(InputError, match="the doc 'x' of topic 'q1' is a candidate but is missing"):
        contests_of(lite_app, grades={"d00000": 1, "x": 1})
    assert not Contest.objects.exists()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"scheduler": "knockout"}, "unknown scheduler 'knockout'"),
        ({"scheduler": "rounds", "finalists": 3, "pairings": 7}, "F > P > k"),
    ],
)
def test_invalid_settings_are_refused(
    lite_app: Any, contests_of: Any, settings: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError) as caught:
        contests_of(lite_app, **settings)
    assert words in str(caught.value)
    assert "campaign.toml" in str(caught.value)


def test_a_missing_file_is_named(lite_app: Any, contests_of: Any) -> None:
    contests_of(lite_app)
    with pytest.raises(InputError, match=r"gone.qrels: file not found; expected the qrels"):
        open_contests(campaign_of(lite_app, source="qrels/gone.qrels"))


def test_without_the_table_there_is_nothing_to_open(lite_app: Any) -> None:
    with pytest.raises(UsageError, match=r"no table \[preferences\]"):
        open_contests(read_campaign(lite_app.folder))
    assert run(["prefer", str(lite_app.folder), "--quiet"]) == 2


def test_grades_of_the_app_open_a_task_when_a_topic_is_done(
    app: Any, contests_of: Any, at_work: Any
) -> None:
    contests_of(app)

    PairTask.objects.all().delete()
    Contest.objects.all().delete()
    campaign = campaign_of(app, source="judgments")
    assert open_contests(campaign).contests.new == 0
    for name in ("b1", "b2"):
        work = at_work(app, name)
        for position in range(1, 7):
            # The lower median of two equal grades: d00000 … d00003 are candidates.
            work.judge(position, 1 if position < 5 else 0)
    at_work(app, "b1", "q2").judge(1, 2)
    opening = open_contests(campaign)
    assert (opening.contests.new, opening.unfinished) == (1, ("q2",))
    contest = Contest.objects.get()
    assert sorted(contest.candidates) == ["d00000", "d00001", "d00002", "d00003"]
    assert contest.nonrelevant == ["d00004", "d00005"]
    # q2 has only one grade, so it has no pair even if unfinished topics are included.
    assert open_contests(campaign, unfinished=True).without == ["q2"]


def test_the_command_opens_tasks_and_a_dry_run_lists_them(
    lite_app: Any, contests_of: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    contests_of(lite_app)
    PairTask.objects.all().delete()
    Contest.objects.all().delete()
    assert run(["prefer", str(lite_app.folder), "--dry-run"]) == 0
    assert capsys.readouterr().out == "what,new,changed,same\ncontests,2,0,0\n"
    assert not Contest.objects.exists()
    assert run(["prefer", str(lite_app.folder)]) == 0
    assert capsys.readouterr().out == "what,new,changed,same\ncontests,2,0,0\n"
    assert Contest.objects.count() == 2
    action = OrganiserAction.objects.get(action="prefer")
    assert action.target == "2 new, 0 changed"


def test_an_import_opens_tasks_whose_grades_are_in_a_file(
    tmp_path: Path, make_campaign: Callable[..., Path], give_tables: Callable[[Path], Path]
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    with (folder / "campaign.toml").open("a") as out:
        out.write('[preferences]\nscheduler = "tournament"\nk = 1\nsource = "qrels/g.qrels"\n')
    (folder / "qrels").mkdir()
    (folder / "qrels" / "g.qrels").write_text("q1 0 d00000 1\nq1 0 d00001 1\n")
    give_tables(folder)
    source = folder / "qrels" / "g.qrels"
    good = source.read_text()
    source.write_text(good.replace("d00001", "d99999"))
    # A dry run refuses what the app would refuse when served.
    assert run(["import", str(folder), "--quiet", "--dry-run"]) == 2
    source.write_text(good)
    assert run(["import", str(folder), "--quiet", "--dry-run"]) == 0
    assert not Contest.objects.exists()
    assert run(["import", str(folder), "--quiet"]) == 0
    assert Contest.objects.get().topic.name == "q1"


@pytest.mark.parametrize(
    ("scheduler", "candidates", "expected"),
    [
        # topk-preferences 4.2 bounds the tournament of n = 112, k = 5 by 140; all pairs of 9.
        ("tournament", 112, 140),
        ("round-robin", 9, 36),
        ("rounds", 9, 36),
    ],
)
def test_the_expected_number_of_pairs_is_computed(
    lite_app: Any, scheduler: str, candidates: int, expected: int
) -> None:
    setting = {
        "method": scheduler, "k": 5, "finalists": 9, "pairings": 7, "keep": "majority",
        "forced": False, "per_pair": 1,
    }  # fmt: skip
    assert expected_pairs(setting, candidates) == expected
    assert expected_pairs(setting | {"per_pair": 3}, candidates) == 3 * expected
