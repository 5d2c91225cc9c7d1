"""Submissions as reported by Mechanical Turk and Prolific."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError
from qrelsmith.topk.crowd.platform_submissions import PlatformSubmission, read_platform_submissions


def test_columns_of_mechanical_turk_are_found_among_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "Batch_results.csv"
    path.write_text(
        '"HITId","Title","AssignmentId","WorkerId","Answer.surveycode"\n'
        '"H1","Compare, please","A1","W1"," ABCD-EFGH-JKLM "\n"H2","x","A2","W2",""\n'
    )
    assert read_platform_submissions(path) == [
        PlatformSubmission("W1", "A1", "ABCD-EFGH-JKLM", 2),
        PlatformSubmission("W2", "A2", "", 3),
    ]


def test_columns_of_prolific_are_found_in_either_spelling(tmp_path: Path) -> None:
    path = tmp_path / "prolific.csv"
    for header in (
        "Submission id,Participant id,Completion code",
        "Submission Id,Participant Id,Completion Code",
    ):
        path.write_text(f"{header}\ns1,p1,CODE\n")
        assert read_platform_submissions(path) == [PlatformSubmission("p1", "s1", "CODE", 2)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty; expected the columns WorkerId"),
        ("WorkerId,AssignmentId\n", "the columns match no platform"),
        ("WorkerId,AssignmentId,Answer.code\na,b\n", "2 cells; expected 3"),
    ],
)
def test_a_file_of_another_kind_is_reported(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=problem):
        read_platform_submissions(path)


def test_a_repeated_column_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("WorkerId,WorkerId,AssignmentId,Answer.code\na,b,c,d\n")
    with pytest.raises(InputError, match="1: the column 'WorkerId' appears twice"):
        read_platform_submissions(path)
