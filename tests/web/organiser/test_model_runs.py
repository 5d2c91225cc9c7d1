"""Runs of models on the organiser's page: started in the browser, and compared over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.organiser.conftest import GRADES, Page
from tests.web.organiser.endpoints import PRICES, Endpoint, run_model

from qrelsmith import judge
from qrelsmith.collection.qrels import Qrels
from qrelsmith.models.anchors import COLUMNS
from qrelsmith.web.models import Event, Job


def test_a_run_of_the_baseline_is_completed_and_shown(lite_app: Any, lite_model: Any) -> None:
    client = lite_app.client("olga", role="organiser")
    run_model(client, endpoint="builtin:lexical")
    assert Event.objects.filter(assessor__name="gpt-x").exists()
    assert "builtin:lexical" in client.get("/organiser/tokens").content.decode()


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/v1", "http://169.254.169.254/v1", "https://example.org/v1", ""]
)
def test_only_listed_endpoints_get_requests_or_keys(
    lite_app: Any, lite_model: Any, endpoint: Endpoint, url: str
) -> None:
    client = lite_app.client("olga", role="organiser")
    run = {"assessor": "gpt-x", "endpoint": url, "model": "m", **PRICES}
    assert client.post("/organiser/tokens/run", run).status_code == 400
    key = {"endpoint": url, "key": "sk-0123456789"}
    assert client.post("/organiser/tokens/key", key).status_code == 400
    assert not Job.objects.filter(kind="model-run").exists()
    assert not (lite_app.folder / ".qrelsmith" / "keys").exists()


def test_a_model_that_changed_on_its_anchors_has_a_picture(judged: Any) -> None:
    client, address = judged.client("olga", role="organiser"), "/organiser/tokens"
    humans = [
        (topic, f"d{place:05}", int(grade))
        for (assessor, topic), grades in GRADES.items()
        for place, grade in enumerate(grades)
        if assessor == "t1" and grade.isdigit()
    ]
    label_anchors(judged.folder, humans)
    assert "Drift" not in client.get(address).content.decode()
    label_anchors(judged.folder, humans)
    spoil_last_run(judged.folder / ".qrelsmith" / "anchors.csv")
    page = Page(client.get(address))
    assert "Drift of baseline-lexical" in page.text
    assert page.html.count("<svg") == 1
    rows = page.rows("Drift of baseline-lexical")
    assert [row[2] for row in rows] == ["alpha", "agreement", "bias", "coverage"] * 2
    assert [row[5] for row in rows[:4]] == ["pass"] * 4
    assert rows[4][5] == "fail"


def label_anchors(folder: Path, humans: list[tuple[str, str, int]]) -> None:
    """Label the docs again with the baseline."""
    judge(folder, endpoint="builtin:lexical", anchors=Qrels.from_rows(humans))


def spoil_last_run(file: Path) -> None:
    """Reverse the grades of the last date."""
    head, *lines = file.read_text("utf-8").splitlines()
    last = max(line.partition(",")[0] for line in lines)
    spoiled = []
    for line in lines:
        before, grade, people = line.rsplit(",", 2)
        spoiled.append(f"{before},{2 - int(grade)},{people}" if line.startswith(last) else line)
    file.write_text("\n".join([head, *spoiled]) + "\n", "utf-8")


def test_a_malformed_file_of_anchors_is_named_on_the_page(lite_judged: Any) -> None:
    file = lite_judged.folder / ".qrelsmith" / "anchors.csv"
    file.write_text(",".join(COLUMNS) + "\nyesterday,m,m,p,1,s,{},q1,d00001,1,1\n", "utf-8")
    page = Page(lite_judged.client("olga", role="organiser").get("/organiser/tokens"))
    assert "anchors.csv:2: expected the columns date,assessor,model" in page.text
