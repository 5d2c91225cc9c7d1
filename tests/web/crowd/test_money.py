"""Codes are used once, payments are for organisers only, and a worker can be forgotten."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.web.crowd.conftest import open_batch, set_up

from qrelsmith.cli import run
from qrelsmith.web.models import Account, CrowdWorker, Hit, OrganiserAction, Sitting


@pytest.fixture(scope="session")
def finished_once(
    ready_folder: Path, tmp_path_factory: pytest.TempPathFactory, open_app: Callable[..., Any]
) -> Any:
    """Return a worker who has submitted one HIT; the campaign is to be copied."""
    folder = shutil.copytree(ready_folder, tmp_path_factory.mktemp("finished") / "campaign")
    with open_app(folder, is_ready=True) as app:
        worker = open_batch(set_up(app, training=False)).worker("A1")
        worker.begin()
        worker.answer_all()
        return worker


@pytest.fixture(scope="session")
def finished_once_folder(finished_once: Any) -> Path:
    folder: Path = finished_once.crowd.app.folder
    return folder


@pytest.fixture
def finished(finished_once: Any, copied_app: Callable[..., Any]) -> Iterator[Any]:
    """Return the same worker in a copy of the campaign."""
    with copied_app("finished_once", on="sqlite") as app:
        client = app.client(csrf=True)
        client.cookies = deepcopy(finished_once.client.cookies)
        crowd = replace(finished_once.crowd, app=app)
        yield replace(finished_once, crowd=crowd, client=client)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, str]]:
    capsys.readouterr()
    assert run([*arguments, "--quiet"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_a_code_is_approved_once(finished: Any, capsys: pytest.CaptureFixture[str]) -> None:
    folder, code = str(finished.crowd.app.folder), finished.code()
    (row,) = said(capsys, "crowd", "approve", folder, code)
    assert (row["state"], row["assessor"], row["pay"]) == ("approved", finished.pseudonym, "2.0")
    lower = code.replace("-", " ").lower()
    assert said(capsys, "crowd", "approve", folder, lower)[0]["state"] == "used"
    (row,) = said(capsys, "crowd", "approve", folder, "AAAA-AAAA-AAAA")
    assert (row["state"], row["assessor"]) == ("unknown", "")


def test_codes_are_not_in_the_database(finished: Any) -> None:
    code = finished.code()
    files = (finished.crowd.app.folder / ".qrelsmith").glob("app.sqlite3*")
    content = b"".join(path.read_bytes() for path in files)
    assert finished.pseudonym.encode() in content
    assert code.encode() not in content
    assert code.replace("-", "").encode() not in content


def test_codes_differ_and_are_easy_to_read(lite_pairs: Any) -> None:
    codes = set()
    for number in range(3):
        worker = lite_pairs.worker(f"A{number}")
        worker.begin()
        worker.answer_all()
        codes.add(worker.code())
    assert len(codes) == 3
    for code in codes:
        parts = code.split("-")
        assert [len(part) for part in parts] == [4, 4, 4]
        assert not set("".join(parts)) & set("01IOio-")


@pytest.mark.parametrize(
    ("worker", "code", "state"),
    [("AA100000", "own", "approved"), ("AZ900000", "own", "other worker"),
     ("AA100000", "WRONG", "approved"), ("AA100000", "", "approved")],
)  # fmt: skip
def test_results_of_mechanical_turk_are_compared_with_the_workers(
    finished: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    worker: str,
    code: str,
    state: str,
) -> None:
    """If the code is mistyped, the assignment identifies the worker."""
    text = finished.code() if code == "own" else code
    results = tmp_path / "results.csv"
    results.write_text(
        f'"HITId","AssignmentId","WorkerId","Answer.code"\n"H","{finished.reference}",'
        f'"{worker}","{text}"\n'
    )
    folder = str(finished.crowd.app.folder)
    (row,) = said(capsys, "crowd", "approve", folder, "--results", str(results))
    assert row["state"] == state


def test_submissions_of_prolific_are_recognised_without_our_codes(
    lite_app: Any,
    make_crowd: Callable[..., Any],
    again: Callable[..., Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make_crowd(lite_app, training=False)
    crowd = again(lite_app, "docs", "prolific", study_code="C0FFEE")
    worker = crowd.worker("P1")
    worker.begin()
    worker.answer_all()
    link = "https://app.prolific.com/submissions/complete?cc=C0FFEE"
    assert link in worker.page.content.decode()
    ids = worker.query
    path = tmp_path / "export.csv"
    path.write_text(
        "Submission id,Participant id,Status,Completion code\n"
        f"{ids['SESSION_ID']},{ids['PROLIFIC_PID']},AWAITING REVIEW,C0FFEE\n"
        f"{'0' * 24},{ids['PROLIFIC_PID']},AWAITING REVIEW,C0FFEE\n"
    )
    rows = said(capsys, "crowd", "approve", str(lite_app.folder), "--results", str(path))
    assert [row["state"] for row in rows] == ["approved", "unknown"]


def test_a_file_of_no_platform_is_refused(finished: Any, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "x.csv"
    path.write_text("worker,code\na,b\n")
    folder = str(finished.crowd.app.folder)
    assert run(["crowd", "approve", folder, "--results", str(path)]) == 2
    assert "the columns match no platform; expected WorkerId" in capsys.readouterr().err
    assert run(["crowd", "approve", folder]) == 2


def test_payments_contain_the_platforms_ids_and_are_logged(
    finished: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(finished.crowd.app.folder)
    (row,) = said(capsys, "crowd", "payments", folder)
    assert (row["worker_id"], row["reference"]) == ("AA100000", finished.reference)
    assert (row["assessor"], row["pay"], row["currency"]) == (finished.pseudonym, "2.00", "USD")
    assert OrganiserAction.objects.filter(action="crowd payments").count() == 1
    (row,) = said(capsys, "crowd", "money", folder)
    assert (row["pay"], row["not_approved"], row["fees"]) == ("2.0", "2.0", "0.4")
    assert said(capsys, "crowd", "workers", folder)[0]["approved"] == "0"
    said(capsys, "crowd", "approve", folder, finished.code())
    assert said(capsys, "crowd", "workers", folder)[0]["approved"] == "1"
    assert said(capsys, "crowd", "money", folder)[0]["not_approved"] == "0.0"


def test_a_worker_can_be_forgotten_when_everything_is_paid(
    finished: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, name = str(finished.crowd.app.folder), finished.pseudonym
    assert run(["forget", folder, name]) == 2
    assert "has 1 unpaid sessions" in capsys.readouterr().err
    assert run(["crowd", "approve", folder, finished.code(), "--quiet"]) == 0
    assert run(["forget", folder, name, "--quiet"]) == 0
    worker, sitting = CrowdWorker.objects.get(), Sitting.objects.get()
    assert (worker.platform_id, worker.digest) == ("", None)
    assert (sitting.reference, sitting.study, sitting.nonce) == ("", "", "")
    assert not Account.objects.filter(login=name).exists()
    assert run(["verify", folder, "--quiet"]) == 0
    assert finished.get("/work").status_code == 302
    # A worker with the same id is a new worker.
    finished.client = finished.crowd.app.client(csrf=True)
    finished.begin()
    assert finished.pseudonym != name


def test_the_organisers_pages_show_pseudonyms_and_accept_codes(finished: Any) -> None:
    olga = finished.crowd.app.client("olga", role="organiser")
    batch = finished.crowd.batch.pk
    pages = [olga.get(path).content.decode() for path in ("/organiser/crowd",
             f"/organiser/crowd/{batch}", "/organiser/people", "/organiser/")]  # fmt: skip
    assert finished.pseudonym in pages[1]
    assert finished.crowd.address in pages[1]
    for page in pages:
        assert "AA100000" not in page
        assert finished.reference not in page
    assert finished.pseudonym not in pages[2]
    answer = olga.post("/organiser/crowd/codes", {"code": finished.code()}, follow=True)
    assert f"Approved: {finished.pseudonym}" in answer.content.decode()
    answer = olga.post("/organiser/crowd/codes", {"code": finished.code()}, follow=True)
    assert "was already approved" in answer.content.decode()
    answer = olga.post("/organiser/crowd/codes", {"code": "x" * 30}, follow=True)
    assert "Code not found" in answer.content.decode()
    answer = olga.post(f"/organiser/crowd/{batch}/payments")
    assert b"AA100000" in answer.content
    assert answer["Content-Disposition"] == 'attachment; filename="payments-pairs-1.csv"'
    assert OrganiserAction.objects.filter(action="crowd payments", target="pairs-1").exists()
    olga.post(f"/organiser/crowd/{batch}/switch")
    other = finished.crowd.worker("B1")
    assert b"This work has ended" in other.land().content


def test_the_data_to_copy_into_the_platform_is_shown(
    lite_pairs: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = said(capsys, "crowd", "publish", str(lite_pairs.app.folder), "pairs-1",
                "--url", "https://judge.example.org/")  # fmt: skip
    told = {row["what"]: row["value"] for row in rows}
    assert told["address"] == f"https://judge.example.org{lite_pairs.address}"
    assert told["places"] == "3"
    assert told["reward"] == "2.00 USD"
    assert told["approval rate above, per cent"] == "95"
    assert (told["tasks completed, at least"], told["countries"]) == ("1000", "US")


def test_batches_hits_and_workers_are_listed(
    lite_pairs: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(lite_pairs.app.folder)
    careless, busy = lite_pairs.worker("C1"), lite_pairs.worker("A1")
    careless.begin()
    careless.answer_all(careful=False)
    busy.begin()
    busy.answer()
    (row,) = said(capsys, "crowd", "batches", folder)
    assert (row["open"], row["taken"], row["discarded"]) == ("2", "1", "1")
    states = {each["state"]: each for each in said(capsys, "crowd", "hits", folder, "pairs-1")}
    assert (states["taken"]["done"], states["taken"]["assessor"]) == ("1", busy.pseudonym)
    assert int(states["discarded"]["missed"]) > 0
    workers = {each["assessor"]: each for each in said(capsys, "crowd", "workers", folder)}
    assert workers[careless.pseudonym]["excluded"] == "yes"
    assert workers[careless.pseudonym]["pay"] == "2.0"
    assert run(["crowd", "release", folder, "pairs-1", "--minutes", "0", "--quiet"]) == 0
    assert said(capsys, "crowd", "batches", folder)[0]["abandoned"] == "1"
    assert run(["crowd", "close", folder, "pairs-1", "--quiet"]) == 0
    assert said(capsys, "crowd", "batches", folder)[0]["is_open"] == "no"
    assert run(["crowd", "hits", folder, "nothing"]) == 2
    assert run(["verify", folder, "--quiet"]) == 0


def test_an_organiser_excludes_a_worker(finished: Any, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(finished.crowd.app.folder)
    arguments = ["crowd", "exclude", folder, finished.pseudonym, "--reason", "a script"]
    assert run([*arguments, "--quiet"]) == 0
    assert Hit.objects.filter(state="discarded").count() == 1
    assert Hit.objects.filter(state="open").count() == 3
    assert run(["crowd", "exclude", folder, "nobody", "--reason", "x"]) == 2
    assert "unknown crowd worker 'nobody'" in capsys.readouterr().err
    assert run(["verify", folder, "--quiet"]) == 0
