"""A HIT of pairs from the landing page to the code."""

from __future__ import annotations

from typing import Any

from qrelsmith.web.crowd.tokens import code_digest
from qrelsmith.web.models import Hit, PairTask, Sitting


def test_a_worker_arrives_does_the_training_compares_and_gets_a_code(taught: Any) -> None:
    worker = taught.worker()
    first = worker.begin()
    assert first.request["PATH_INFO"] == "/work/training/1"
    worker.learn()
    assert worker.page.request["PATH_INFO"].startswith("/prefer/")
    done = worker.answer_all()
    assert done.request["PATH_INFO"] == "/work"
    code = worker.code()
    sitting = Sitting.objects.get()
    assert sitting.code_sha256 == code_digest(code)
    assert (sitting.result, sitting.pay) == ("finished", 2.0)
    hit = Hit.objects.get(worker__assessor__name=worker.pseudonym)
    assert (hit.state, hit.missed) == ("finished", 0)
    tasks = PairTask.objects.filter(hit=hit.key)
    assert sorted(tasks.values_list("purpose", flat=True)) == ["challenge"] * 2 + ["search"] * 5
    assert all(task.is_judged and task.assessor.name == worker.pseudonym for task in tasks)


def test_progress_counts_the_pairs_of_the_hit(pairs: Any) -> None:
    worker = pairs.worker()
    page = worker.begin().content.decode()
    done, total = progress(page)
    assert (done, total > 1) == (0, True)
    assert progress(worker.answer().content.decode()) == (1, total)


def progress(page: str) -> tuple[int, int]:
    """Return the progress of the HIT, as shown on its page."""
    import re

    found = re.search(r'<span id="progress-text">Pairs: (\d+) of (\d+) compared</span>', page)
    assert found is not None
    return int(found[1]), int(found[2])
