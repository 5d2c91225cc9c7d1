"""A campaign with crowd work, and workers who arrive, do the training, answer and submit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.web.crowd.worlds import world
from tests.web.fixtures.campaigns import TOML as SMALL_TOML

from qrelsmith.cli import run
from qrelsmith.web.crowd.opening import WantedBatch
from qrelsmith.web.crowd.opening import open_batch as opened
from qrelsmith.web.crowd.tokens import address_of, worker_digest
from qrelsmith.web.instance import find_instance
from qrelsmith.web.models import Batch, CrowdWorker, PairTask
from qrelsmith.web.pairs.contests import open_contests
from qrelsmith.web.project import current_instance, use

TOML = f"""\
{SMALL_TOML}
[preferences]
choices = 3
k = 2
finalists = 4
pairings = 3
source = "qrels/graded.qrels"
share = "pair"
groups = ["crowd"]
instructions = "Which doc answers the topic better?"

[groups.crowd]
hit_size = 3
per_doc = 2

[hits]
pairs = 5
challenges = 2
reward = 2.0
fee = 0.4
training_reward = 0.5
challenge_docs = 1
contact = "crowd@example.org"
"""
# Four docs of each topic are candidates, so that all six pairs of them are compared; two are not.
GRADES = (2, 2, 2, 2, 0, 0)


def write_crowd_files(folder: Path, *, toml: str = TOML, training: bool = True) -> None:
    """Write the files that a campaign of two topics and six docs needs for crowd work."""
    (folder / "campaign.toml").write_text(toml, encoding="utf-8")
    (folder / "qrels").mkdir(exist_ok=True)
    rows = [
        f"q{topic} 0 d{doc:05} {grade}\n" for topic in (1, 2) for doc, grade in enumerate(GRADES)
    ]
    (folder / "qrels" / "graded.qrels").write_text("".join(rows))
    (folder / "challenge_docs.csv").write_text(
        "topic,doc,lowest,highest\n"
        + "".join(f"q{topic},d{doc:05},0,0\n" for topic in (1, 2) for doc in range(6))
    )
    if training:
        (folder / "training_pairs.csv").write_text(
            "topic,left,right,answer,feedback\n"
            "q1,d00000,d00004,left,The right doc does not name the topic.\n"
            "q1,d00005,d00001,right,\n"
            "q2,d00001,d00004,left,Only the left doc helps.\n"
            "q2,d00002,d00003,tie,Both say the same.\n"
        )
        (folder / "training_docs.csv").write_text(
            "topic,doc,lowest,highest,feedback\n"
            "q1,d00000,1,2,It helps.\nq1,d00005,0,0,It does not.\n"
        )


@dataclass
class Crowd:
    """An app with a batch, and its workers."""

    app: Any
    batch: Any
    workers: dict[str, Worker] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"/hit/{address_of(self.batch)}"

    def worker(self, name: str = "A1", **options: Any) -> Worker:
        """Return a worker in a separate browser."""
        return Worker(self, name, **options)


@dataclass
class Worker:
    """A worker of Mechanical Turk or Prolific; the test client shows the pages."""

    crowd: Crowd
    name: str
    reference: str = ""
    client: Any = None
    page: Any = None

    def __post_init__(self) -> None:
        self.client = self.client or self.crowd.app.client(csrf=True)
        self.reference = self.reference or f"{self.name}REF00000001"

    @property
    def query(self) -> dict[str, str]:
        if self.crowd.batch.platform == "mturk":
            return {
                "workerId": f"A{self.name}00000",
                "assignmentId": self.reference,
                "hitId": "HIT0000000001",
                "turkSubmitTo": "https://workersandbox.mturk.com",
            }
        ids = {"PROLIFIC_PID": self.name, "SESSION_ID": self.reference, "STUDY_ID": "study"}
        return {key: value.encode().hex().ljust(24, "0")[:24] for key, value in ids.items()}

    @property
    def pseudonym(self) -> str:
        platform = self.crowd.batch.platform
        ident = self.query["workerId" if platform == "mturk" else "PROLIFIC_PID"]
        found = CrowdWorker.objects.get(digest=worker_digest(platform, ident))
        return str(found.assessor.name)

    def get(self, path: str, **query: str) -> Any:
        self.page = self.client.get(path, query)
        return self.page

    def post(self, path: str, **fields: Any) -> Any:
        """Send the form of the last page."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.page.content.decode())
        assert token is not None, self.page.content.decode()
        return self.client.post(path, fields | {"csrfmiddlewaretoken": token[1]})

    def follow(self, answer: Any) -> Any:
        """Return the last page of a chain of redirects."""
        while answer.status_code == 302:
            answer = self.get(answer["Location"])
        self.page = answer
        return answer

    def land(self) -> Any:
        return self.get(self.crowd.address, **self.query)

    def begin(self) -> Any:
        """Arrive, agree, and open the first page."""
        assert self.land().status_code == 200
        from urllib.parse import urlencode

        return self.follow(self.post(f"{self.crowd.address}?{urlencode(self.query)}", agree="yes"))

    def learn(self, *, right: bool = True) -> Any:
        """Do the training, with all answers right or all wrong."""
        items = Batch.objects.get(pk=self.crowd.batch.pk).training
        for number, known in enumerate(items, start=1):
            if "answer" in known:
                value = {"left": -1, "tie": 0, "right": 1}[known["answer"]]
                value = value if right else (1 if value < 1 else -1)
            else:
                value = known["lowest"] if right else 2 - known["lowest"] * 2
            path = f"/work/training/{number}"
            assert self.get(path).status_code == 200
            self.follow(self.post(path, value=f"{value:g}"))
        return self.follow(self.get("/work"))

    def state(self) -> dict[str, Any]:
        """Return the data of the page for its script."""
        found = re.search(
            r'<script id="state" type="application/json">(.*?)</script>', self.page.content.decode()
        )
        assert found is not None, self.page.content.decode()
        state: dict[str, Any] = json.loads(found[1])
        return state

    def answer(self, *, careful: bool = True) -> Any:
        """Answer the page with its form; a careful worker passes the attention checks."""
        path = self.page.request["PATH_INFO"]
        state, text = self.state(), self.page.content.decode()
        if "items" in state:
            self.judge_aspects(state["items"], careful=careful)
            return self.follow(self.get("/work"))
        op_id = re.search(r'name="op_id" value="(\w+)"', text)
        assert op_id is not None
        if "pair" in state:
            fields = {"left_sha256": state["pair"]["left"]["sha256"],
                      "right_sha256": state["pair"]["right"]["sha256"],
                      "base_revision": state["pair"]["revision"],
                      "outcome": _outcome(state["pair"]["pair"], careful)}  # fmt: skip
        else:
            fields = {"sha256": state["doc"]["sha256"], "base_revision": state["doc"]["revision"],
                      "value": 0 if careful else 2}  # fmt: skip
        return self.follow(self.post(path, op_id=op_id[1], **fields))

    def judge_aspects(self, rows: Iterable[dict[str, Any]], *, careful: bool = True) -> None:
        """Judge aspects of the answers on the page, like its script."""
        number, text = self.state()["assignment"], self.page.content.decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text)
        assert token is not None
        for row in rows:
            if row["importance"] == "dropped":
                continue  # like the script
            low = 1 if row["family"].startswith("criterion") else 0
            body = {"op_id": f"aspect-{row['aspect']:08}-{row['revision']}",
                    "aspect": row["aspect"], "value": 2 if careful else low,
                    "wording": row["text"], "sha256": row["sha256"],
                    "base_revision": row["revision"]}  # fmt: skip
            sent = self.client.post(
                f"/api/answers/{number}/judgments", body, content_type="application/json",
                headers={"X-CSRFToken": token[1]},
            )  # fmt: skip
            assert sent.status_code == 200, sent.content

    def answer_all(self, *, careful: bool = True) -> Any:
        """Answer until everything is answered, and submit."""
        self.follow(self.get("/work"))
        while b'id="state"' in self.page.content:
            self.answer(careful=careful)
            if b'id="state"' in self.page.content and "doc" in self.state():
                # The page of graded docs stays at the last doc.
                self.follow(self.get("/work"))
        return self.follow(self.post("/work/hand-in"))

    def code(self) -> str:
        found = re.search(r"<output[^>]*>([^<]+)</output>", self.page.content.decode())
        assert found is not None, self.page.content.decode()
        return found[1]


def _outcome(pair: int, careful: bool) -> int:
    task = PairTask.objects.get(pk=pair)
    if task.better:
        right = -1 if task.better == "left" else 1
        return right if careful else -right
    return -1 if task.left.name < task.right.name else 1


def set_up(app: Any, **options: Any) -> Any:
    """Add crowd work to an app of two topics."""
    write_crowd_files(app.folder, **options)
    use(find_instance(app.folder))
    open_contests(current_instance().campaign)
    return app


def open_batch(app: Any, kind: str = "pairs", platform: str = "mturk", **more: Any) -> Crowd:
    campaign = current_instance().campaign
    if kind != "pairs" and not (app.folder / "assignments.csv").exists():
        path = str(app.folder / "assignments.csv")
        assert run(["assign", str(app.folder), "--group", "crowd", "-o", path, "--quiet"]) == 0
    return Crowd(app, opened(campaign, WantedBatch(kind, platform, **more)))


ANSWERS_TOML = """
[groups.crowd]
hit_size = 2
per_doc = 2

[hits]
challenge_aspects = 2
aspect_seconds = 15
"""


def publish_answers(app: Any, toml: str = ANSWERS_TOML, more: str = "") -> Crowd:
    """Open HITs of the answers of a campaign, for Prolific."""
    folder = app.folder
    settings = folder / "campaign.toml"
    settings.write_text(settings.read_text() + toml, encoding="utf-8")
    (folder / "challenge_aspects.csv").write_text(
        "topic,run,aspect,lowest,highest\n"
        + "".join(
            f"{topic},{run_id},n{nugget},2,2\n"
            for topic in ("heat", "attic", "solar")
            for run_id in ("garden", "harbour", "island", "kettle")
            for nugget in (1, 2)
        )
        + more
    )
    use(find_instance(folder))
    return open_batch(app, "answers", "prolific")


@pytest.fixture
def of_answers(
    database_url: str, tmp_path: Path, make_answers: Callable[..., Path], open_app: Any
) -> Iterator[Crowd]:
    """Return a batch of answers, on both databases."""
    with open_app(make_answers(tmp_path / "answers")) as app:
        yield publish_answers(app)


@pytest.fixture
def crowd_toml() -> str:
    """Return the campaign.toml of crowd work."""
    return TOML


@pytest.fixture
def write_crowd() -> Callable[..., None]:
    """Return `write_crowd_files`, which writes the files for crowd work."""
    return write_crowd_files


@pytest.fixture
def make_crowd() -> Callable[..., Crowd]:
    """Return a function that adds crowd work to an app and opens a batch."""

    def make(app: Any, kind: str = "pairs", platform: str = "mturk", **options: Any) -> Crowd:
        return open_batch(set_up(app, **options), kind, platform)

    return make


@pytest.fixture
def again() -> Callable[..., Crowd]:
    """Return a function that opens a further batch of an app."""
    return open_batch


@pytest.fixture
def pairs(app: Any, make_crowd: Callable[..., Crowd]) -> Crowd:
    """Return a batch of pairs for Mechanical Turk, without training, on both databases."""
    return make_crowd(app, training=False)


@pytest.fixture
def taught(app: Any, make_crowd: Callable[..., Crowd]) -> Crowd:
    """Return the same batch with training."""
    return make_crowd(app)


@pytest.fixture
def docs(app: Any, make_crowd: Callable[..., Crowd]) -> Crowd:
    """Return a batch of docs for Prolific, without training, on both databases."""
    return make_crowd(app, "docs", "prolific", training=False)


@pytest.fixture
def lite_pairs(lite_app: Any, make_crowd: Callable[..., Crowd]) -> Crowd:
    """Return a batch of pairs on SQLite, without training."""
    return make_crowd(lite_app, training=False)


@pytest.fixture
def lite_taught(lite_app: Any, make_crowd: Callable[..., Crowd]) -> Crowd:
    """Return a batch of pairs on SQLite, with training."""
    return make_crowd(lite_app)
