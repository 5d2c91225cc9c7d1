"""One question has one answer, on TREC DL 2021: 63 runs, and label sets of NIST and of 19 judges.

The campaign's folder is created from the public files. The command, the function on paths, objects
or data frames, and the audit give the same digits.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas
import polars
import pytest

import qrelsmith
from qrelsmith import read_campaign, read_qrels, read_run
from qrelsmith.audit.campaign_audit import audit_campaign
from qrelsmith.base.questions import QUESTIONS

from .test_questions import printed

pytestmark = pytest.mark.full

SETTINGS = """\
format = 1
title = "DL 2021"

[scale]
range = "0..3"

[groups.gold]
role = "gold"

[qrels."nist.qrels"]
group = "gold"
"""
# Small enough for all six ways of asking.
SETS = ("nist", "umbrela.gpt-4o", "umbrela.llama3.2.run1")
SYSTEMS = ("NLE_P_quick", "TUW_DR_Base", "WLUPassage", "p_bm25", "pash_r1", "watpfd")
TOPICS = (
    "1006728", "1040198", "1104300", "1104447", "1107704", "1107821", "1109840", "1110996",
    "1111577", "1113361", "1117243", "1118716",
)  # fmt: skip
SCALE = qrelsmith.Scale.parse("0..3")
SEED = 3


@pytest.fixture(scope="module")
def data(shared: Path) -> Path:
    return shared / "data" / "trec-dl-2021-passage"


def short(file: Path) -> str:
    return file.name.removesuffix(".gz").removesuffix(".run").removesuffix(".qrels")


def few_topics(file: Path, target: Path) -> None:
    """Return the lines of a dozen topics."""
    read = gzip.open if file.suffix == ".gz" else open
    with read(file, "rt", encoding="utf-8") as lines:
        rows = [line for line in lines if line.split()[0] in TOPICS]
    target.write_text("".join(rows), encoding="utf-8")


def campaign_of(data: Path, folder: Path, *, small: bool) -> Path:
    """Return a campaign folder with the public files, or with some of them."""
    for kind, chosen in (("qrels", SETS), ("runs", SYSTEMS)):
        (folder / kind).mkdir(parents=True)
        for file in (data / kind).iterdir():
            if not small:
                shutil.copy(file, folder / kind)
            elif short(file) in chosen:
                few_topics(file, folder / kind / file.name.removesuffix(".gz"))
    shutil.copy(data / "topics.tsv", folder)
    (folder / "campaign.toml").write_text(SETTINGS, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def small_campaign(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return campaign_of(data, tmp_path_factory.mktemp("small"), small=True)


def test_the_audit_shows_the_results_of_the_commands(data: Path, tmp_path: Path) -> None:
    folder = campaign_of(data, tmp_path / "dl2021", small=False)
    report = audit_campaign(folder, seed=SEED)
    assert {answer.asked.question for answer in report.answers} >= {
        "agree", "compare", "consistency", "disagree", "evaluate", "loto", "pool", "power",
        "significance",
    }  # fmt: skip
    for answer in report.answers:
        command = answer.asked.command(str(folder))
        assert printed(command) == answer.table().text("csv"), command


@dataclass(frozen=True)
class Form:
    """A way to represent the same label sets and runs."""

    labels: Mapping[str, Any]
    runs: Any


def frame_of_runs(files: Sequence[Path]) -> pandas.DataFrame:
    """Return one frame of all runs, with PyTerrier's column names."""
    columns = ["qid", "q0", "docno", "rank", "score", "name"]
    ids = dict.fromkeys(("qid", "docno", "name"), str)
    return pandas.concat(
        [pandas.read_csv(file, sep=r"\s+", names=columns, dtype=ids) for file in files]
    )


def mapping_of_runs(frame: pandas.DataFrame) -> dict[str, dict[str, dict[str, float]]]:
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for name, topic, doc, score in frame[["name", "qid", "docno", "score"]].itertuples(index=False):
        runs.setdefault(name, {}).setdefault(topic, {})[doc] = score
    return runs


@pytest.fixture(scope="module")
def forms(small_campaign: Path) -> Mapping[str, Form]:
    """Return the label sets and runs as paths, as objects, and as data frames."""
    campaign = read_campaign(small_campaign)
    paths = {short(path): path for path in campaign.qrels}
    labels = {name: read_qrels(paths[name], name=name) for name in SETS}
    rows = {name: list(qrels.rows()) for name, qrels in labels.items()}
    frames = {
        name: {
            column: [row[place] for row in of]
            for place, column in enumerate(("query_id", "doc_id", "relevance"))
        }
        for name, of in rows.items()
    }
    runs = frame_of_runs(campaign.runs)
    return {
        "paths": Form({name: str(paths[name]) for name in SETS}, list(campaign.runs)),
        "objects": Form(labels, [read_run(path) for path in campaign.runs]),
        "dicts": Form(
            {name: qrels.to_dict() for name, qrels in labels.items()}, mapping_of_runs(runs)
        ),
        "pandas": Form({name: pandas.DataFrame(of) for name, of in frames.items()}, runs),
        "polars": Form(
            {name: polars.DataFrame(of) for name, of in frames.items()}, polars.from_pandas(runs)
        ),
        "arrow": Form(
            {name: polars.DataFrame(of).to_arrow() for name, of in frames.items()},
            polars.from_pandas(runs).to_arrow(),
        ),
    }


# The questions about a campaign, and about its label sets and runs, and the sets that each needs.
ASKED: Mapping[str, tuple[dict[str, Any], str]] = {
    "aggregate": ({}, "sets"),
    "agree": ({"by": "pair"}, "sets"),
    "compare": ({}, "sets and runs"),
    "consistency": ({"splits": 20}, "sets and runs"),
    "cut": ({"levels": 2, "method": "topicwide"}, "sets"),
    "disagree": ({}, "sets"),
    "evaluate": ({"per_topic": True}, "reference and runs"),
    "loto": ({"depth": 10}, "sets and runs"),
    "plan_topics": ({"difference": 0.1}, "reference and runs"),
    "pool": ({"depth": 3}, "runs"),
    "power": ({"trials": 50}, "sets and runs"),
    "significance": ({"trials": 50}, "reference and runs"),
    "transform": ({"reduce": 2}, "reference"),
}


def ask(name: str, form: Form) -> qrelsmith.Result:
    """Ask a question about loose label sets and runs."""
    options, of = ASKED[name]
    function = getattr(qrelsmith, name)
    labels: Any = form.labels if "sets" in of else form.labels["nist"]
    if "seed" in QUESTIONS[name].options:
        options = options | {"seed": SEED}
    if name == "disagree":
        options = options | {"gold": "nist"}
    if name == "pool":
        return function(form.runs, **options)
    if "scale" in QUESTIONS[name].options:
        options = options | {"scale": SCALE}
    if "runs" in of:
        return function(labels, form.runs, "nDCG@10", **options)
    return function(labels, **options)


@pytest.mark.parametrize("name", sorted(ASKED))
def test_every_form_of_the_inputs_gives_the_same_answer(
    name: str, forms: Mapping[str, Form], small_campaign: Path
) -> None:
    answers = {kind: ask(name, form).table().text("csv") for kind, form in forms.items()}
    expected = answers["paths"]
    for kind, text in answers.items():
        header, _, rows = text.partition("\n")
        # Qrels without a set name in a frame have no name.
        assert f"{header}\n{rows.replace(',qrels,', ',nist,')}" == expected, kind
    options = ASKED[name][0]
    if "seed" in QUESTIONS[name].options:
        options = options | {"seed": SEED}
    of_folder = getattr(qrelsmith, name)(small_campaign, **options)
    of_campaign = getattr(qrelsmith, name)(read_campaign(small_campaign), **options)
    assert of_folder.table().text("csv") == of_campaign.table().text("csv") == expected
    if name not in ("aggregate", "pool", "transform"):  # whose commands print files
        command = of_folder.asked.command(str(small_campaign))
        assert printed(command) == expected, command


def test_every_question_about_labels_and_runs_is_asked(small_campaign: Path) -> None:
    """A new question must be added above, unless it is about other data."""
    others = {name for name in QUESTIONS if name.startswith(("topk_", "simulate_", "read_"))}
    others |= {"assign", "efficiency", "pdp", "pdp_compare", "plan_campaign", "plan_preferences"}
    # The tests of the following questions are in tests/damages, tests/estimation, tests/gates and
    # tests/forms.
    others |= {"find_damages", "sample", "estimate", "plan_sample"}
    others |= {"gate", "drift", "check_files"}
    assert ASKED.keys() | others == QUESTIONS.keys() | others
