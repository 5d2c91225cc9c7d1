"""Every command on the papers' pages works as printed."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.cli import run
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.judgments.judgment_files import write_judgments
from qrelsmith.planning.simulated_campaign import write_simulated_campaign
from qrelsmith_papers.judging_order.second_round import second_round_of
from qrelsmith_papers.judging_order.simulated import simulated_campaign

from .conftest import small

PAGES = Path(__file__).resolve().parents[2] / "docs" / "papers"
SPAN = re.compile(r"`([^`\n]+)`")
# The beginnings of the commands in the table of artefacts; C is a campaign.
OF_CAMPAIGN = re.compile(r"(?:[a-z]+ C\b|plan topics ).*")
SMALL = small()


def commands(page: str) -> Iterator[list[str]]:
    """Return the words after `qrelsmith`, of blocks and of inline code, in order."""
    for line in (PAGES / f"{page}.md").read_text("utf-8").splitlines():
        for text in [line, *SPAN.findall(line)]:
            if text.startswith("qrelsmith "):
                yield shlex.split(text)[1:]
            elif OF_CAMPAIGN.fullmatch(text):
                yield shlex.split(text)


def carried_out(words: list[str]) -> int:
    """Return the exit status; slow commands only list artefacts, or are run by other tests."""
    if words[0] == "reproduce":
        return run([*words, "--list-artefacts"])
    return 0 if words[0] in ("audit", "simulate") else run([*words, "--quiet"])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_commands_on_the_page_of_ordering_work(folder: Path) -> None:
    simulated = simulated_campaign(SMALL)
    write_simulated_campaign(simulated.campaign, folder / "C", title="C")
    again = second_round_of(SMALL)
    assert again is not None
    docs: dict[str, list[str]] = {}
    for topic, doc in again.listed.docs:
        docs.setdefault(topic, []).append(doc)
    write_judgments(simulated.judged_again(docs), folder / "rejudged.csv")
    (folder / "CAMPAIGN").symlink_to(folder / "C")
    asked = list(commands("ordering"))
    assert len(asked) > 15
    for words in asked:
        assert carried_out(words) == 0, words


def test_commands_on_the_page_of_pdp_work(folder: Path) -> None:
    labels = {"four": ("333", "233", "222"), "seven": ("565", "455", "353")}  # Figure 1
    rows = [f"t,d{n},{who},{g}\n" for n, of in enumerate(labels["four"])
            for who, g in zip("xyz", of, strict=True)]  # fmt: skip
    (folder / "figure1.csv").write_text("topic,doc,assessor,grade\n" + "".join(rows))
    (folder / "eq13.csv").write_text(".5,.15,.1,.05\n.85,.5,.15,.1\n.9,.85,.5,.15\n.95,.9,.85,.5\n")
    rng = np.random.default_rng(0)
    topics, docs = [f"t{n}" for n in range(20)], [f"d{n:02d}" for n in range(24)]
    truth = {topic: rng.random(len(docs)) for topic in topics}
    for name, levels in (("four", 4), ("seven", 7)):
        grades = {t: {d: float(int(v * levels)) for d, v in zip(docs, of, strict=True)}
                  for t, of in truth.items()}  # fmt: skip
        write_qrels(Qrels.from_dict(grades), folder / f"{name}.qrels")
    lines = [
        f"{topic},{docs[a]},{docs[b]},{-1 if of[a] > of[b] else 1},x\n"
        for topic, of in truth.items()
        for b in range(len(docs))
        for a in range(b)
    ]
    (folder / "judged.csv").write_text("topic,left,right,outcome,assessor\n" + "".join(lines))
    (folder / "runs").mkdir()
    ranked = {t: dict(zip(docs, of.tolist(), strict=True)) for t, of in truth.items()}
    write_run(Run.from_dict(ranked, name="s"), folder / "runs" / "s.run")
    asked = list(commands("pdp"))
    assert len(asked) >= 4
    for words in asked:
        assert carried_out(words) == 0, words


def test_commands_on_the_pages_of_scales_and_topk_work(folder: Path, shared: Path) -> None:
    published = shared / "data" / "truthfulness-multiscale" / "S100.csv"
    if not published.is_file():
        pytest.skip("needs the data set truthfulness-multiscale, which is not here")
    shutil.copy(published, folder / "S100.csv")
    for words in [*commands("scales"), *commands("topk")]:
        assert carried_out(words) == 0, words
