"""The app exports only current answers: PDP and the audit never see the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qrelsmith.web.exporting.preferences import write_preferences


@pytest.fixture
def work(app: Any, contests_of: Any, comparing: Any) -> Any:
    contest = contests_of(app, share="pair", scheduler="round-robin", choices=5)[0]
    return comparing(app, "b1", contest)


def test_replaced_and_withdrawn_answers_are_not_exported(work: Any, tmp_path: Path) -> None:
    import qrelsmith as qs

    def exported(name: str) -> qs.Preferences:
        write_preferences(tmp_path / name)
        return qs.read_preferences(tmp_path / name)

    for _ in range(6):
        work.answer(work.next(), -1)
    clean = exported("clean.csv")
    task = work.next()
    work.answer(task, 2)
    work.undo()
    assert exported("undone.csv").digest() == clean.digest()
    work.answer(work.next(), 2)
    task = work.next()
    work.answer(task, 2)
    task.refresh_from_db()
    work.answer(task, -2)
    replaced = exported("replaced.csv")
    assert len(replaced.current()) == len(replaced) == 8
    said = {(row.left, row.right): row.outcome for row in replaced.rows()}
    assert said[task.left.name, task.right.name] == -2
    docs = sorted({doc for pair in said for doc in pair})
    labels = {clean.topics[0]: {doc: place % 2 for place, doc in enumerate(docs)}}
    once = list(replaced.rows())
    first = once[-1]._replace(outcome=2)
    log = qs.Preferences.from_rows([first, *once])
    assert qs.pdp(labels, replaced).table() == qs.pdp(labels, log).table()
