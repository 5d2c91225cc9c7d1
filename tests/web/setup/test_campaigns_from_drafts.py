"""Drafts: files, versions, plans, and the resulting campaign folder."""

from __future__ import annotations

import resource
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from tests.web.fixtures.exports import tree
from tests.web.fixtures.loose_files import write_loose_files

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.campaign.campaign import Level, read_campaign
from qrelsmith.web.setup.choices import ChosenGroup, DraftChoices
from qrelsmith.web.setup.drafts import Draft, StaleDraftError, create_draft, open_draft
from qrelsmith.web.setup.planned import plan_of
from qrelsmith.web.setup.starting import folder_name, start_campaign
from qrelsmith.web.setup.uploads import FullError, Limits, keep_upload, remove_upload, uploads

CHOICES = DraftChoices(
    title="Heat pumps",
    levels=(Level(0, "Not relevant"), Level(1, "Relevant", "Answers the topic.")),
    groups=(ChosenGroup("readers", people=("r1", "r2", "r3"), per_doc=2),),
    depth=5,
    instructions="Read the *topic* first.\n",
)


@pytest.fixture
def draft(tmp_path: Path) -> Draft:
    """Return a draft with four runs, 200 docs and 10 topics."""
    made = create_draft(tmp_path, CHOICES, by="ada")
    for path in write_loose_files(tmp_path / "loose"):
        keep_upload(made, path.name, [path.read_bytes()], Limits())
    return made


def qrelsmith(*words: object) -> None:
    """Run a command."""
    subprocess.run([sys.executable, "-m", "qrelsmith", *map(str, words)], check=True)


@pytest.mark.slow
def test_commands_create_the_same_campaign(draft: Draft, tmp_path: Path) -> None:
    made = start_campaign(draft, tmp_path, "heat")
    by_hand = tmp_path / "by-hand"
    qrelsmith("init", by_hand, *sorted((tmp_path / "loose").iterdir()))
    (by_hand / "campaign.toml").write_text(
        """format = 1
title = "Heat pumps"

[scale]
levels = [
  { grade = 0, label = "Not relevant" },
  { grade = 1, label = "Relevant", text = "Answers the topic." },
]

[judging]
instructions = "Read the *topic* first.\\n"

[groups.readers]
assessors = ["r1", "r2", "r3"]
per_doc = 2
"""
    )
    qrelsmith("pool", by_hand, "--depth", 5, "-o", f"{by_hand}/pools/")
    qrelsmith("assign", by_hand, "-o", by_hand / "assignments.csv")
    assert tree(made) == tree(by_hand)
    assert read_campaign(made).groups["readers"].per_doc == 2


def test_the_plan_shows_docs_hours_and_cost(draft: Draft) -> None:
    plan = plan_of(draft)
    assert (plan.problems, plan.topics) == ((), 10)
    assert plan.judgments == 2 * plan.docs == sum(docs for *_, docs in plan.shares)
    assert plan.hours == pytest.approx(plan.judgments * 25 / 3600)
    assert plan.cost == pytest.approx(plan.hours * 12)
    everything = plan_of(draft, replace(CHOICES, depth=0))
    assert everything.docs == 10 * 200


def test_a_grade_without_a_meaning_is_reported(draft: Draft) -> None:
    note = "Grades without a meaning (assessors see only the name): 0."
    assert note in plan_of(draft).notes
    nameless = replace(CHOICES, levels=(*CHOICES.levels, Level(2)))
    assert plan_of(draft, nameless).problems == ("The grade 2 has neither a name nor a meaning.",)


def test_wrong_files_are_named_and_refused(draft: Draft, tmp_path: Path) -> None:
    for name, content in (
        ("page.html", b"<html><p>x</p></html>"),
        ("more-topics.jsonl", b'{"topic": "x", "title": "y"}\n'),
        ("bad.run", b"T01 Q0 d001 1 30 x\nT01 Q0 d002 2\n"),
        ("pairs.txt", b"T01 d001 d002 d001\n"),
    ):
        keep_upload(draft, name, [content], Limits())
    problems = {each.name: each.problem for each in uploads(draft) if each.problem}
    assert sorted(problems) == ["bad.run", "page.html", "pairs.txt", "topics.jsonl"]
    assert problems["bad.run"].startswith("bad.run:2: ")
    remove_upload(draft, "more-topics.jsonl")
    remove_upload(draft, "../1.json")
    assert plan_of(draft).problems == ()


@pytest.mark.parametrize(
    ("name", "size", "limits", "expected"),
    [
        ("big.run", 3 << 20, Limits(file=2), "the limit of 2 MB per file"),
        ("big.run", 2 << 20, Limits(campaign=2), "the limit of 2 MB per campaign"),
        ("big.run", 2 << 20, Limits(server=2), "limit of 2 MB"),
        ("../.secret", 1, Limits(), "cannot be used"),
        ("amber.run", 1, Limits(), "Another file is already called amber.run"),
    ],
)
def test_uploads_over_a_limit_store_nothing(
    draft: Draft, name: str, size: int, limits: Limits, expected: str
) -> None:
    before = tree(draft.folder)
    with pytest.raises(FullError, match=expected):
        keep_upload(draft, name, [b"x" * size], limits)
    assert tree(draft.folder) == before


def test_a_full_disk_leaves_everything_unchanged(draft: Draft, tmp_path: Path) -> None:
    before = tree(tmp_path)
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, old[1]))
    try:
        with pytest.raises(FullError, match=r"more\.run was not saved"):
            keep_upload(draft, "more.run", [b"x" * 1000], Limits())
        with pytest.raises(InputError, match="cannot write"):
            draft.save(replace(CHOICES, instructions="x" * 1000), by="ada")
        with pytest.raises((InputError, UsageError), match="File too large"):
            start_campaign(draft, tmp_path, "heat")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert tree(tmp_path) == before
    start_campaign(draft, tmp_path, "heat")


def test_if_two_organisers_save_one_is_told_about_the_changes_of_the_other(draft: Draft) -> None:
    stale: list[list[str]] = []
    barrier = threading.Barrier(2)

    def save(depth: int) -> None:
        mine = open_draft(draft.folder.parents[1], draft.id)
        barrier.wait()
        try:
            mine.save(replace(mine.choices, depth=depth), by=f"organiser {depth}")
        except StaleDraftError as error:
            stale.append(error.fields)

    threads = [threading.Thread(target=save, args=(depth,)) for depth in (7, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stale == [["depth"]]
    assert open_draft(draft.folder.parents[1], draft.id).version == 2


def test_an_existing_folder_is_unchanged(draft: Draft, tmp_path: Path) -> None:
    assert folder_name(tmp_path, "Heat pumps!") == "heat-pumps"
    (tmp_path / "heat-pumps").mkdir()
    assert folder_name(tmp_path, "Heat pumps!") == "heat-pumps-2"
    assert folder_name(tmp_path, "暖房") == "campaign"
    for name in ("heat-pumps", "../x", ""):
        with pytest.raises(UsageError):
            start_campaign(draft, tmp_path, name)
