"""A question about rankings has one answer for all forms of labels and runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas
import polars
import pytest

from qrelsmith import (
    Gains,
    Scale,
    compare,
    consistency,
    evaluate,
    loto,
    power,
    read_campaign,
    read_qrels,
    read_runs,
    significance,
)
from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.base.results import Result
from qrelsmith.campaign.campaign import write_campaign_toml
from qrelsmith.collection.qrels import write_qrels
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.planning.simulated_campaign import write_simulated_campaign
from qrelsmith.planning.simulation import simulate_campaign
from qrelsmith.planning.simulation.designs import DESIGNS

MEASURES = ["nDCG@10", "nERR@10"]
GOLD = "simulated-gold"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a campaign with qrels only, one of them unfinished."""
    path = tmp_path_factory.mktemp("rankings") / "campaign"
    small = replace(DESIGNS.get("www4")(), topics=9, docs=60, run_depth=20, depth=10)
    write_simulated_campaign(simulate_campaign(small, seed=5), path, title="Nine topics")
    labels = CampaignLabels(read_campaign(path))
    (path / "qrels").mkdir(exist_ok=True)
    for name, qrels in labels.label_sets.items():
        topics = qrels.topics[:4] if name == "simulated-truth" else qrels.topics
        write_qrels(qrels.restricted_to(topics), path / "qrels" / f"{name}.qrels")
    (path / "judgments.csv").unlink()
    campaign = read_campaign(path)
    write_campaign_toml(replace(campaign, measures=tuple(MEASURES)), path / "campaign.toml")
    return path


Questions = list[tuple[Callable[..., Result], dict[str, Any]]]
ASKED: Questions = [
    (compare, {}),
    (compare, {"common": "all"}),
    (consistency, {"splits": 20, "trials": 50}),
    (power, {"trials": 60, "tests": ["randomised-tukey", "bootstrap", "permutation"]}),
    (significance, {"beside": True, "trials": 60}),
    (loto, {"depth": 10}),
]


def forms(path: Path) -> dict[str, tuple[Any, Any]]:
    """Return label sets and runs as paths, objects, frames and mappings."""
    files = {file.stem: file for file in sorted((path / "qrels").iterdir())}
    names = [GOLD, *(name for name in files if name != GOLD)]
    labels = {name: read_qrels(files[name]) for name in names}
    runs = read_runs(path / "runs")
    frames = [run.to_pandas(names="pyterrier").assign(name=run.name) for run in runs]
    return {
        "paths": ({name: files[name] for name in names}, path / "runs"),
        "objects": (labels, runs),
        "pandas": ({n: q.to_pandas() for n, q in labels.items()}, pandas.concat(frames)),
        "polars": (
            {n: q.to_polars(names="qrelsmith") for n, q in labels.items()},
            {run.name: run.to_polars() for run in runs},
        ),
        "mappings": (
            {n: q.to_dict() for n, q in labels.items()},
            {run.name: {t: dict(zip(d, run.scores[t].tolist(), strict=True))
                        for t, d in run.docs.items()} for run in runs},
        ),
    }  # fmt: skip


@pytest.mark.parametrize(("question", "options"), ASKED)
def test_a_campaign_and_its_contents_give_the_same_digits(
    folder: Path, question: Callable[..., Result], options: dict[str, Any]
) -> None:
    csv = question(folder, reference=GOLD, **options).table().text("csv")
    opened = question(read_campaign(folder), reference=GOLD, **options)
    assert opened.table().text("csv") == csv
    scale = read_campaign(folder).scale
    for name, (labels, runs) in forms(folder).items():
        found = question(labels, runs, MEASURES, scale=scale, **options)
        assert found.table().text("csv") == csv, name


def test_evaluate_uses_the_reference_or_the_named_label_set(folder: Path) -> None:
    scale = read_campaign(folder).scale
    expected = evaluate(folder, reference=GOLD).table().text("csv")
    for name, (labels, runs) in forms(folder).items():
        found = evaluate(labels[GOLD], runs, MEASURES, scale=scale)
        assert found.table().text("csv") == expected, name
    other = evaluate(folder, label_set="simulated-truth", measures="nDCG@10")
    assert other.topics == evaluate(folder).topics[:4]
    assert other.label_set == "simulated-truth"


def test_an_unfinished_label_set_reduces_only_its_own_comparisons(folder: Path) -> None:
    found = compare(folder, reference=GOLD, measures="nDCG@10")
    topics = {(one.first, one.second): one.topics for one in found.comparisons}
    assert {n for pair, n in topics.items() if "simulated-truth" in pair} == {4}
    assert {n for pair, n in topics.items() if "simulated-truth" not in pair} == {9}
    lacking = "topics left out of comparisons with simulated-truth, which lacks them: 5 ("
    assert any(note.startswith(lacking) for note in found.notes)
    assert any("no interval over topics: found 4 topics" in note for note in found.notes)
    together = compare(folder, reference=GOLD, measures="nDCG@10", common="all")
    assert {one.topics for one in together.comparisons} == {4}


def test_random_results_depend_only_on_topics_and_seed(folder: Path) -> None:
    options = {"tests": ["randomised-tukey", "bootstrap", "permutation"], "trials": 60}
    every = power(folder, reference=GOLD, **options)  # type: ignore[arg-type]
    for name in every.names:
        for measure in MEASURES:
            alone = power(folder, reference=GOLD, label_set=name, measures=measure, **options)  # type: ignore[arg-type]
            for one in alone.powers:
                assert repr(one.power) == repr(every.of(name, measure, one.power.test)), name
    other = power(folder, reference=GOLD, seed=1, **options)  # type: ignore[arg-type]
    assert [one.power.delta for one in other.powers] != [one.power.delta for one in every.powers]


def test_the_command_of_an_answer_is_available(folder: Path) -> None:
    found = compare(folder, None, ["nDCG@10"], reference=GOLD, over="systems", jobs=2)
    assert found.asked is not None
    assert found.asked.command("C") == (
        f"qrelsmith compare C -m nDCG@10 --over systems --reference {GOLD}"
    )
    assert set(found.asked.inputs) == {str(f) for f in folder.rglob("*") if f.is_file()}


def test_the_top_of_a_scale_does_not_depend_on_the_selected_topics() -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 3}}
    runs = {"r": {"1": {"a": 1.0}, "2": {"a": 1.0}}}
    # Prsat of grade 1 is 1/4 if the top is 3, although topic 1 has no 3.
    alone = evaluate(qrels, runs, "ERR", topic_set=["1"])
    assert alone.scores.tolist() == [[[0.25]]]
    assert evaluate(qrels, runs, "ERR").scores.tolist() == [[[0.25, 0.75]]]
    given = evaluate(qrels, runs, "ERR", scale=Scale.parse("0..4"))
    assert given.scores.tolist() == [[[0.2, 0.6]]]
    with pytest.warns(DeprecationWarning, match="use scale"):
        assert (evaluate(qrels, runs, "ERR", gmax=4.0).scores == given.scores).all()


Q = {"1": {"a": 1.0}}
R = {"r": {"1": {"a": 1.0}}}


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: evaluate(Q, None, "AP"), "no runs given"),
        (lambda: evaluate(Q, R), "no measure given"),
        (lambda: evaluate({"x": Q, "y": Q}, R, "AP"), "found 2 label sets"),
        (lambda: evaluate({"x": Q}, R, "AP", label_set="z"), "unknown label set 'z'"),
        (lambda: evaluate(Q, R, "AP", scale=Scale.parse("0..3"), gains=Gains.parse("1:2")),
         "do not fit the scale"),
        (lambda: evaluate({"1": {"a": 7}}, R, "AP", scale=Scale.parse("0..3")),
         "expected a level of the scale"),
        (lambda: evaluate(Q, R, "AP", ordering="randomised"), "ordering needs a campaign"),
        (lambda: compare({"x": Q}, R, "AP"), "expected at least two label sets"),
        (lambda: significance(Q, R, "AP", test="welch-t"), "is for independent samples"),
        (significance, "expected labels and runs, a campaign"),
        (lambda: loto(Q, R, "AP"), "no depth given"),
        (lambda: evaluate(Q, [1], "AP"), "expected runs"),
    ],
)  # fmt: skip
def test_invalid_input_is_refused(ask: Callable[[], Result], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ask()


def test_label_sets_without_a_common_topic_are_reported() -> None:
    apart = {"x": Q, "y": {"2": {"a": 1.0}}}
    strange = pytest.warns(InputWarning, match="no topic of run 'r' is in the qrels 'y'")
    with strange, pytest.raises(InputError, match="no topic is in all label sets"):
        compare(apart, R, "AP")
    with pytest.warns(InputWarning, match="are the columns swapped"):
        three = compare({**apart, "z": {"1": {"a": 1.0}, "2": {"a": 0.0}}}, R, "AP")
    assert {(one.first, one.second) for one in three.comparisons} == {("x", "z"), ("y", "z")}
    assert "x and y have no topic in common and are not compared" in three.notes


def test_a_frame_of_several_systems_is_not_one_run_but_several() -> None:
    columns = {
        "qid": ["1", "1", "1"], "docno": ["a", "b", "a"], "score": [2.0, 1.0, 1.0],
        "name": ["x", "x", "y"],
    }  # fmt: skip
    from qrelsmith import Run

    for frame in (pandas.DataFrame(columns), polars.DataFrame(columns), columns):
        with pytest.raises(UsageError, match=r"2 systems \(column name: 'x', 'y'\).*read_runs"):
            Run.from_frame(frame)
        runs = read_runs(frame)
        assert [(run.name, dict(run.docs)) for run in runs] == [
            ("x", {"1": ("a", "b")}), ("y", {"1": ("a",)}),
        ]  # fmt: skip
        assert evaluate(Q, frame, "RR").systems == ("x", "y")


def test_independent_samples_can_be_mappings_and_frames() -> None:
    groups = {"fast": [1.0, 2.0, 3.0], "slow": [4.0, 5.0, 7.0]}
    rows = [(group, value) for group, values in groups.items() for value in values]
    frame = pandas.DataFrame(rows, columns=["group", "value"])
    expected = significance(samples=groups).table()
    assert significance(samples=frame).table() == expected
    assert expected.rows[0][:3] == ("value", "fast", "slow")
