"""One campaign from runs to its audit by commands and HTTP: every step uses the one before."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.cli import run
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.pairs.preference_files import read_preferences

TOPICS, DOCS, DEPTH, BEST = 3, 10, 8, 4
TOML = """\
format = 1
title = "From runs to the audit"
measures = ["nDCG@10"]

[scale]
levels = [{ grade = 0 }, { grade = 1 }, { grade = 2 }]

[preferences]
scheduler = "tournament"
k = 4
groups = ["silver"]
swapped = 0.2

[groups.bronze]
role = "bronze"
assessors = ["b1", "b2"]
per_doc = 2

[groups.silver]
role = "silver"
assessors = ["s1", "s2"]

[seeds]
assignments = 3
preferences = 5
"""


def worth(doc: str) -> int:
    """Return the quality of a doc: in every topic, a doc with a lower number is better."""
    return DOCS - int(doc.partition("-")[2])


def grade(doc: str) -> int:
    """Return the grade: three docs of a topic have the same grade, and so have all others."""
    return 2 if worth(doc) > DOCS - 3 else 1


def made_up(folder: Path) -> Path:
    """Write a campaign with topics, docs and runs of four systems, without pools or judgments."""
    (folder / "runs").mkdir(parents=True)
    (folder / "pools").mkdir()
    (folder / "campaign.toml").write_text(TOML, encoding="utf-8")
    topics = [f"q{n}" for n in range(1, TOPICS + 1)]
    docs = {topic: [f"{topic}-{n}" for n in range(DOCS)] for topic in topics}
    (folder / "topics.jsonl").write_text(
        "".join(json.dumps({"topic": topic, "title": f"about {topic}"}) + "\n" for topic in topics)
    )
    (folder / "documents.jsonl").write_text(
        "".join(
            json.dumps({"doc_id": doc, "text": f"The words of {doc}."}) + "\n"
            for names in docs.values()
            for doc in names
        )
    )
    for noise in (1, 4, 8, 20):
        rng = random.Random(noise)
        lines = []
        for topic, names in docs.items():
            scores = {doc: worth(doc) + rng.uniform(0, noise) for doc in names}
            ranked = sorted(names, key=lambda doc, of=scores: -of[doc])
            lines += [
                f"{topic} Q0 {doc} {rank} {scores[doc]:.4f} system{noise}\n"
                for rank, doc in enumerate(ranked, start=1)
            ]
        (folder / "runs" / f"system{noise}.run").write_text("".join(lines))
    return folder


def graded(page: Any) -> int:
    """Grade all assigned docs; return their number."""
    count = 0
    for each in page.get("/api/assignments")["assignments"]:
        path = f"/api/assignments/{each['assignment']}"
        for doc in page.get(f"{path}/docs")["docs"]:
            status, _ = page.post(
                f"{path}/judgments",
                {
                    "op_id": f"grade-{doc['doc']:08}", "doc": doc["doc"],
                    "value": grade(doc["name"]), "sha256": doc["sha256"],
                    "base_revision": doc["revision"],
                },
            )  # fmt: skip
            assert status == 200
            count += 1
    return count


def compared(page: Any) -> int:
    """Compare pairs until all topics are done; the better doc wins; return the number of pairs."""
    count = 0
    for each in page.get("/api/contests")["contests"]:
        path = f"/api/contests/{each['contest']}"
        while pair := page.get(f"{path}/next")["pair"]:
            words = [
                page.get(f"/api/pairs/{pair['pair']}/{side}/text")["text"]
                for side in ("left", "right")
            ]
            left, right = (worth(text.strip(" .\n").rpartition(" ")[2]) for text in words)
            status, _ = page.post(
                f"{path}/judgments",
                {
                    "op_id": f"compare-{pair['pair']:08}", "pair": pair["pair"],
                    "outcome": -1 if left > right else 1, "base_revision": pair["revision"],
                    "left_sha256": pair["left"]["sha256"],
                    "right_sha256": pair["right"]["sha256"],
                },
            )  # fmt: skip
            assert status == 200
            count += 1
    return count


@pytest.mark.slow
def test_a_campaign_works_from_runs_to_the_audit(
    tmp_path: Path,
    database_url: str,
    start_server: Callable[..., Any],
    log_in: Callable[..., Any],
    browser: Callable[..., Any],
) -> None:
    folder = made_up(tmp_path / "campaign")
    runs = [str(path) for path in sorted((folder / "runs").iterdir())]
    pool, table = str(folder / "pools" / "prioritised.pool"), str(folder / "assignments.csv")
    assert run(["pool", *runs, "--depth", str(DEPTH), "-o", pool, "--quiet"]) == 0
    assert run(["assign", str(folder), "-o", table, "--group", "bronze", "--quiet"]) == 0

    server = start_server(folder, database_url=database_url)
    server.run("prefer", "--dry-run")
    logins = log_in(folder, "b1", "b2")
    pages = [browser(server.url, login) for login in logins]
    judgments = sum(map(graded, pages))
    assert judgments >= 2 * DEPTH * TOPICS
    # The server keeps running while the preference tasks are opened.
    opened = server.run("prefer")
    assert opened.splitlines()[1] == f"contests,{TOPICS},0,0"
    pages = [browser(server.url, login) for login in log_in(folder, "s1", "s2")]
    pairs = sum(map(compared, pages))
    server.run("verify")
    out = tmp_path / "exported"
    server.run("export", "-o", str(out), "--documents")
    server.close()

    # Two assessors gave each doc its grade, so the median is that grade.
    grades = read_qrels(out / "labels" / "all.qrels")
    assert all(value == grade(doc) for _, doc, value in grades.rows())
    preferences = read_preferences(out / "preferences.csv")
    # Three docs with grade 2 are too few for four places, so all others are candidates, too, and
    # none of them is eliminated before it has lost. Repeats do not count.
    assert (DEPTH - 1) * TOPICS <= len(preferences) < pairs
    assert set(preferences.assessors) == {"s1", "s2"}
    best, combined = tmp_path / "best.csv", tmp_path / "combined.qrels"
    topk = [
        "topk", "result", str(out / "labels" / "all.qrels"), str(out / "preferences.csv"),
        "-k", str(BEST), "--scheduler", "tournament", "--seed", "5", "--quiet",
    ]  # fmt: skip
    assert run([*topk, "-o", str(best), "--write-combined", str(combined)]) == 0
    pooled = {topic: sorted(docs, key=worth, reverse=True) for topic, docs in _pools(out).items()}
    found = [line.split(",") for line in best.read_text().splitlines()]
    ranks = [dict(zip(found[0], row, strict=True)) for row in found[1:]]
    for topic, docs in pooled.items():
        places = [(row["doc"], row["rank"]) for row in ranks if row["topic"] == topic]
        assert places == [(doc, str(rank)) for rank, doc in enumerate(docs[:BEST], start=1)]
    assert run(["evaluate", str(combined), *runs, "-m", "Compat(p=0.8)", "--quiet"]) == 0
    assert run(["audit", str(out), "--quiet"]) == 0
    report = (out / "audit" / "audit.html").read_text(encoding="utf-8")
    assert "From runs to the audit" in report
    # Preferences distinguish docs that graders could not: the audit shows how well.
    pdps = (out / "audit" / "tables" / "pdp.csv").read_text()
    assert "bronze" in pdps


def _pools(folder: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (folder / "pools" / "prioritised.pool").read_text().splitlines()[1:]:
        topic, doc, _ = line.split()
        found.setdefault(topic, []).append(doc)
    return found
