"""Headings under which help and the reference list commands."""

from __future__ import annotations

from dataclasses import dataclass

HEADINGS = {
    "score": "score systems, and see which differ",
    "trust": "know whether a ranking can be trusted",
    "labels": "know how good labels are",
    "select": "decide what to judge, by whom, in which order",
    "plan": "try a design before you pay for it",
    "judge": "judge: grades, pairs, crowds, language models",
    "best": "find the best k by preferences, with few judgments",
    "convert": "make qrels of labels, change their scale, convert files",
    "show": "see an example, or reproduce a paper",
}
"""The headings, by the keys declared by commands."""


@dataclass(frozen=True, slots=True)
class CommandGroup:
    """Commands with common first words, such as `plan topics` and `plan campaign`.

    Attributes
    ----------
    help : str
        The help of the group; its first line is also listed.
    heading : str
        A key of `HEADINGS`; "" for a group inside another group.
    everyday : bool
        Whether the first page of help lists the group.
    """

    help: str
    example: str
    heading: str = ""
    everyday: bool = False


GROUPS = {
    "app": CommandGroup(
        "Manage the judging app: progress, accounts, passwords, files, backups, crowds.",
        "qrelsmith app invite my-campaign --role assessor --assessor gold-1",
        "judge", everyday=True,
    ),
    "app crowd": CommandGroup(
        "Publish HITs on a crowd platform, and manage codes and payments.\n\n"
        "The terms are set in the table [hits] of campaign.toml. Except in `payments`, workers"
        " are shown by pseudonym.",
        "qrelsmith app crowd open my-campaign pairs --on mturk",
    ),
    "plan": CommandGroup(
        "Plan topics, preference tests, a sample, or a whole campaign with its cost.",
        "qrelsmith plan preferences nist.qrels --per-pair 100 -o tests.csv",
        "plan", everyday=True,
    ),
    "prompts": CommandGroup(
        "List, show and check the prompts for models.\n\n"
        "A prompt is a built-in file or your own file, with a name, a version and a hash.",
        "qrelsmith prompts show criteria",
        "judge",
    ),
    "simulate": CommandGroup(
        "Simulate topics, systems and assessors.",
        "qrelsmith simulate campaign www4 -o simulated",
        "plan",
    ),
    "topk": CommandGroup(
        "Find the best k docs of each topic by preferences.\n\n"
        "Grades determine the candidates (`pool`), and a scheduler selects the pairs to judge"
        " (`pairs`). Answers are added to a log (`answer`, or `hits` for crowds), from which the"
        " ranking is computed (`result`). A session resumes from the files of grades and answers."
        " `plan` and `simulate` forecast the cost.",
        "qrelsmith topk result graded.qrels crowd.pref --write-combined combined.qrels",
        "best",
    ),
    "topk hits": CommandGroup(
        "Create HITs with attention checks, write them for a platform, and read the results.",
        "qrelsmith topk hits make graded.qrels answers.csv -o round1.hits.csv",
    ),
}  # fmt: skip
"""The groups of commands; the words of a command determine its group."""
