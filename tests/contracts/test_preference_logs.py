"""A log with a replaced or withdrawn answer means the same as a log without that answer.

This is tested for PDP on every interface, and for the best docs.
"""

from __future__ import annotations

import csv
import io
import shlex
import shutil
from pathlib import Path

import pytest

import qrelsmith as qs
from qrelsmith.audit.campaign_audit import audit_campaign
from qrelsmith.cli import run

TOPICS, DOCS = (
    tuple(f"t{number}" for number in range(9)),
    tuple(f"d{number}" for number in range(6)),
)
HEADER = "topic,left,right,outcome,assessor,round\n"
# The first answer, and the event that replaced or withdrew it.
REPLACED = (
    "t0,d0,d5,left,ann,1\nt3,d1,d4,tie,bob,1\n",
    "t0,d5,d0,left,ann,1\nt3,d1,d4,right,bob,1\n",
)
UNDONE = ("t0,d1,d2,left,eve,2\n", "t0,d2,d1,undo,eve,2\n")


def answers(*, without: tuple[str, ...] = ()) -> list[str]:
    """Answers to every pair: the doc with the higher number is better, with some exceptions."""
    rows = []
    for number, topic in enumerate(TOPICS):
        for low, left in enumerate(DOCS):
            for high in range(low + 1, len(DOCS)):
                said = "left" if (number + low * high) % 4 == 0 else "right"
                who = "bob" if number % 2 else "ann"
                rows.append(f"{topic},{left},{DOCS[high]},{said},{who},1\n")
    return [row for row in rows if not row.startswith(without)] if without else rows


LAST = REPLACED[1].splitlines(keepends=True)
LOGS = {
    "clean": [*answers(without=("t0,d0,d5", "t3,d1,d4")), *LAST],
    "replaced": [REPLACED[0], *answers(without=("t0,d0,d5", "t3,d1,d4")), *LAST],
    "undone": [UNDONE[0], *answers(without=("t0,d0,d5", "t3,d1,d4")), *LAST, UNDONE[1]],
}


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("logs")
    first = folder / "clean"
    (first / "qrels").mkdir(parents=True)
    (first / "runs").mkdir()
    (first / "campaign.toml").write_text(
        "format = 1\n[scale]\nlevels = [{ grade = 0, gain = 0 }, { grade = 1, gain = 1 },"
        " { grade = 2, gain = 2 }]\n"
    )
    for name, shift in (("gold", 0), ("other", 1)):
        rows = [
            f"{topic} 0 {doc} {(place // 2 + shift * (place + number) % 2) % 3}\n"
            for number, topic in enumerate(TOPICS)
            for place, doc in enumerate(DOCS)
        ]
        (first / "qrels" / f"{name}.qrels").write_text("".join(rows))
    for name, docs in (("up", DOCS), ("down", DOCS[::-1])):
        rows = [
            f"{topic} Q0 {doc} {rank} {-rank} {name}\n"
            for topic in TOPICS
            for rank, doc in enumerate(docs, start=1)
        ]
        (first / "runs" / f"{name}.run").write_text("".join(rows))
    found = {name: folder / name for name in LOGS}
    for name in ("replaced", "undone"):
        shutil.copytree(first, found[name])
    for name, log in LOGS.items():
        (found[name] / "preferences.csv").write_text(HEADER + "".join(log))
    return found


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run([*map(str, arguments), "--quiet"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ["replaced", "undone"])
def test_a_replaced_or_withdrawn_answer_has_no_effect(
    campaigns: dict[str, Path], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log, clean = (campaigns[each] / "preferences.csv" for each in (name, "clean"))
    gold = campaigns["clean"] / "qrels" / "gold.qrels"
    for command in (
        ("pdp", gold, "--intervals", "-B", 50, "--preferences"),
        ("topk", "result", gold, "-k", 2),
    ):
        assert printed(capsys, *command, log) == printed(capsys, *command, clean)
    assert qs.pdp(gold, log).table() == qs.pdp(gold, clean).table()
    frames = [qs.read_preferences(path).to_pandas() for path in (log, clean)]
    assert qs.pdp(gold, frames[0]).table() == qs.pdp(gold, frames[1]).table()
    assert qs.read_preferences(log).note


@pytest.mark.parametrize("name", list(LOGS))
def test_audit_command_and_notebook_give_the_same_result(
    campaigns: dict[str, Path], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = qs.pdp(campaigns["clean"])
    assert {row.name for row in found.sets} == {"gold", "other"}
    assert qs.pdp(campaigns[name]).table() == found.table()
    rows = list(csv.DictReader(io.StringIO(printed(capsys, "pdp", campaigns[name]))))
    means = {row["label_set"]: row for row in rows if row["topic"] == "all"}
    report = audit_campaign(campaigns[name])
    of_preferences = {
        answer.asked.question: answer
        for answer in report.answers
        if answer.asked.question in ("pdp", "pdp_compare", "topk_result")
    }
    assert len(of_preferences) == 3
    for question, answer in of_preferences.items():
        command = shlex.split(answer.asked.command(str(campaigns[name])))[1:]
        text = answer.table().text("csv")
        assert printed(capsys, *command) == text
        again = getattr(qs, question)(campaigns[name], **answer.asked.options)
        assert again.table().text("csv") == text
    audited = {row[0]: row for row in report.table("pdp").rows}
    shown = report.table("pdp").columns
    for of_set in found.sets:
        row = audited[of_set.name]
        for column, value in (
            ("pdp", of_set.pdp.mean), ("low", of_set.pdp.low), ("high", of_set.pdp.high),
        ):  # fmt: skip
            assert row[shown.index(column)] == value
            assert float(means[of_set.name][column]) == value
        assert of_set.pdp.low < of_set.pdp.mean < of_set.pdp.high


def test_other_questions_do_not_change_an_interval(campaigns: dict[str, Path]) -> None:
    """Draws depend on the seed and the topics, not on the label sets."""
    every, alone = qs.pdp(campaigns["clean"]), qs.pdp(campaigns["clean"], label_set=["gold"])
    assert every.sets[0].pdp.low == alone.sets[0].pdp.low
    assert every.sets[0].pdp.high == alone.sets[0].pdp.high
