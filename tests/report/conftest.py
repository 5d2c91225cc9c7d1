"""An artificial audit with the size of a real one: 17 label sets, 63 systems."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.content import (
    Boxes,
    Figure,
    Finding,
    HeatMap,
    Intervals,
    Line,
    Lines,
    NamedTable,
    Points,
    RankLines,
    Report,
    Section,
    StackedShares,
    Verdict,
)
from qrelsmith.base.tables import Table
from qrelsmith.report import write_report

LABEL_SETS = (
    "nist",
    "umbrela.gpt-4",
    "umbrela.gpt-4o",
    "umbrela.llama3.2.run1",
    "umbrela.llama3.2.run2",
    "umbrela.llama3.2.run3",
    "umbrela.llama3.2.run4",
    "binary.gpt-4",
    "binary.gpt-4o",
    "binary.llama3.2",
    "exam-binary-mean.gpt-4",
    "exam-binary-mean.gpt-4o",
    "exam-binary-mean.llama3.2",
    "exam-graded-max.gpt-4",
    "exam-graded-max.gpt-4o",
    "nuggets-vital.gpt-4o",
    "nuggets-weighted.gpt-4o",
)
STEMS = ("NLE_P_v", "pash_f", "p_f10_mdt5", "uogTrPC", "ielab-robertav", "watprf", "bl_bcai_wloo_p")
SYSTEMS = tuple(f"{STEMS[place % len(STEMS)]}{place // len(STEMS) + 1}" for place in range(63))


@pytest.fixture(scope="session")
def audit() -> Report:
    return sample()


@pytest.fixture(scope="session")
def folder(audit: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder to which the audit was written."""
    target = tmp_path_factory.mktemp("report") / "audit"
    write_report(audit, target)
    return target


@pytest.fixture(scope="session")
def page(folder: Path) -> str:
    return (folder / "audit.html").read_text(encoding="utf-8")


def sample(*, simulated: bool = True) -> Report:
    """Return the audit, the same at every call."""
    rng = np.random.default_rng(7)
    return Report(
        title="TREC 2021 Deep Learning, passages",
        subtitle="17 label sets on the same 10,828 pairs of 53 topics, 63 systems, nDCG@10",
        notices=(
            ("These data are simulated: three groups of assessors that do not exist.",)
            if simulated
            else ()
        ),
        sections=(
            _inventory(rng),
            _labels(rng),
            _agreement(rng),
            _rankings(rng),
            _significance(rng),
            Section(
                key="efficiency",
                title="Efficiency of the assessors",
                missing="judgments.csv with the columns shown_at and judged_at",
            ),
            Section(
                key="preferences",
                title="Preferences and PDP",
                missing="preferences.csv, or any other file of preference judgments",
            ),
        ),
        manifest=json.dumps(
            {
                "format": 1,
                "version": "0.1.0",
                "command": "qrelsmith audit campaign -o report",
                "seed": 0,
                "inputs": {
                    f"qrels/{name}.qrels": f"{place:064x}" for place, name in enumerate(LABEL_SETS)
                },
            },
            indent=2,
        )
        + "\n",
    )


def _inventory(rng: np.random.Generator) -> Section:
    rows = [
        (name, int(rng.integers(9_000, 10_829)), 53, int(rng.integers(0, 4))) for name in LABEL_SETS
    ]
    return Section(
        key="inventory",
        title="Inventory and integrity",
        paragraphs=(
            (
                "The campaign holds 63 runs of 1,000 documents a topic and 17 label sets. Every "
                "label set covers all 53 topics; pairs that only some label sets hold are left out "
                "of what compares label sets."
            ),
        ),
        tables=(
            NamedTable(
                key="inventory",
                title="Label sets and what they hold",
                table=Table.of(("label set", "pairs", "topics", "levels unused"), rows),
                note="A pair is a topic and a document.",
            ),
        ),
        findings=(
            Finding(
                "whole-files",
                Verdict.FACT,
                "63 runs, 17 label sets and 53 topics were read; no file has an error.",
                "inventory",
            ),
            Finding(
                "same-pairs",
                Verdict.DOUBTFUL,
                "Of 10,828 pairs, 9,412 (86.9 %) bear a label in every label set; rankings are "
                "compared on the topics that all have.",
                "inventory",
            ),
        ),
    )


def _labels(rng: np.random.Generator) -> Section:
    shares = rng.dirichlet((6, 3, 2, 1), size=len(LABEL_SETS))
    shares /= shares.sum(axis=1, keepdims=True)
    return Section(
        key="labels",
        title="Distribution of the labels",
        paragraphs=(
            "How often each level is used. A lenient label set calls more documents relevant.",
        ),
        figures=(
            Figure(
                key="label-shares",
                title="Shares of the levels in each label set",
                drawing=StackedShares(
                    LABEL_SETS,
                    ("0 irrelevant", "1 related", "2 highly relevant", "3 perfect"),
                    shares.tolist(),
                    "share of the pairs",
                ),
                caption="Each bar is a label set; its parts are levels, the lowest on the left, "
                "the highest on the right.",
            ),
        ),
        tables=(
            NamedTable(
                key="label-shares",
                title="Pairs by level",
                table=Table.of(
                    ("label set", "level 0", "level 1", "level 2", "level 3"),
                    [
                        (name, *(float(x) for x in row))
                        for name, row in zip(LABEL_SETS, shares, strict=True)
                    ],
                ),
            ),
        ),
        findings=(
            Finding(
                "level-in-use",
                Verdict.GOOD,
                "Every level is used by every label set; the least used is level 3 of "
                "binary.llama3.2 with 2.1 % of the pairs.",
                "labels",
            ),
        ),
    )


def _agreement(rng: np.random.Generator) -> Section:
    quality = rng.uniform(0.45, 0.93, len(LABEL_SETS))
    alpha = np.outer(quality, quality) + rng.normal(0, 0.03, (17, 17))
    alpha = (alpha + alpha.T) / 2
    np.fill_diagonal(alpha, 1.0)
    alpha[9, 3] = alpha[3, 9] = math.nan
    pairs = []
    for i in range(17):
        for j in range(i + 1, 17):
            value = float(alpha[i, j])
            half = float(rng.uniform(0.01, 0.04))
            pairs.append(
                (
                    LABEL_SETS[i],
                    LABEL_SETS[j],
                    value,
                    value - half,
                    value + half,
                    int(rng.integers(9000, 10828)),
                )
            )
    gold = alpha[0, 1:]
    half = rng.uniform(0.008, 0.05, 16)
    groups = [
        "LLM, umbrela"
        if "umbrela" in name
        else "LLM, binary"
        if name.startswith("binary")
        else "LLM, rubric"
        for name in LABEL_SETS[1:]
    ]
    return Section(
        key="agreement",
        title="Agreement of the label sets",
        paragraphs=(
            (
                "Krippendorff's α for ordinal data over the pairs that both label sets hold; the "
                "intervals come from a bootstrap over documents."
            ),
            "An α of 1 is perfect agreement, 0 what chance would give.",
        ),
        figures=(
            Figure(
                "alpha-matrix",
                "Ordinal α of every pair of label sets",
                HeatMap(LABEL_SETS, LABEL_SETS, alpha.tolist(), 0.0, 1.0, "ordinal α"),
                "The scale runs from none to perfect agreement. A struck cell is a pair without "
                "common documents.",
            ),
            Figure(
                "alpha-gold",
                "Agreement with the gold labels (nist)",
                Intervals(
                    LABEL_SETS[1:],
                    gold.tolist(),
                    (gold - half).tolist(),
                    (gold + half).tolist(),
                    "ordinal α with nist, 95 % interval",
                    0.667,
                    groups,
                ),
                "The dashed line is the threshold of the rule agreement-with-gold.",
            ),
        ),
        tables=(
            NamedTable(
                "agreement-pairs",
                "α of every pair",
                Table.of(("label set a", "label set b", "alpha", "low", "high", "units"), pairs),
                "Sorted by label set; nan where two label sets have no pair in common.",
            ),
        ),
        findings=(
            Finding(
                "agreement-with-gold",
                Verdict.GOOD,
                "umbrela.gpt-4o agrees with the gold labels: ordinal α = 0.6604 [0.6489, 0.6718], "
                "above the threshold 0.6.",
                "agreement",
            ),
            Finding(
                "agreement-with-gold",
                Verdict.BAD,
                "umbrela.llama3.2.run3 does not agree with the gold labels: ordinal α = 0.3984 "
                "[0.3812, 0.4155], below the threshold 0.6.",
                "agreement",
            ),
            Finding(
                "agreement-with-gold",
                Verdict.CANNOT_TELL,
                "It cannot be told whether exam-graded-max.gpt-4 agrees with the gold labels: .602 "
                "[0.5903, 0.6138] crosses the threshold 0.6.",
                "agreement",
            ),
        ),
    )


def _rankings(rng: np.random.Generator) -> Section:
    truth = np.sort(rng.beta(6, 4, len(SYSTEMS)))[::-1]
    scores = truth[:, None] + rng.normal(0, 0.012, (63, 17)) * np.linspace(0.4, 2.2, 17)
    order = np.argsort(-scores, axis=0)
    ranks = np.empty_like(scores)
    for column in range(17):
        ranks[order[:, column], column] = np.arange(1, 64)
    ranks[10:12, 0] = 11.5
    half = rng.uniform(0.02, 0.05, 63)
    tau = 1 - np.abs(np.subtract.outer(np.linspace(0, 0.4, 17), np.linspace(0, 0.4, 17)))
    tau[5] = tau[:, 5] = -0.2
    tau[5, 5] = 1.0
    few = [0, 1, 2, 7, 10, 15]
    return Section(
        key="rankings",
        title="Rankings of the systems",
        paragraphs=(
            "Each label set ranks the 63 systems by their mean nDCG@10 over the 53 topics.",
        ),
        figures=(
            Figure(
                "tau-matrix",
                "Kendall's τ between the rankings",
                HeatMap(LABEL_SETS, LABEL_SETS, tau.tolist(), -1.0, 1.0, "Kendall's τ-b"),
                "Blue: the rankings agree; orange: they are reversed.",
            ),
            Figure(
                "ranks",
                "Rank of each system under six label sets",
                RankLines(SYSTEMS, [LABEL_SETS[c] for c in few], ranks[:, few].tolist()),
                "A line for each system, rank 1 on top. The six that move most are coloured.",
            ),
            Figure(
                "means",
                "Mean nDCG@10 under nist",
                Intervals(
                    SYSTEMS,
                    truth.tolist(),
                    (truth - half).tolist(),
                    (truth + half).tolist(),
                    "nDCG@10, mean over 53 topics, 95 % interval",
                ),
                "Systems from best to worst.",
            ),
            Figure(
                "scatter",
                "Two label sets and the same systems",
                Points(
                    SYSTEMS,
                    scores[:, 0].tolist(),
                    scores[:, 2].tolist(),
                    "nDCG@10 under nist",
                    "nDCG@10 under umbrela.gpt-4o",
                    diagonal=True,
                ),
                "Each point is a system; on the line both label sets give it the same score.",
            ),
        ),
        tables=(
            NamedTable(
                "means",
                "Mean nDCG@10 under every label set",
                Table.of(
                    ("system", *LABEL_SETS),
                    [
                        (name, *(float(x) for x in row))
                        for name, row in zip(SYSTEMS, scores, strict=True)
                    ],
                ),
            ),
        ),
        findings=(
            Finding(
                "ranking-agrees",
                Verdict.GOOD,
                "umbrela.gpt-4o ranks the systems as the gold labels do: τ = 0.902 [0.853, 0.936], "
                "above the threshold 0.8.",
                "rankings",
            ),
        ),
    )


def _significance(rng: np.random.Generator) -> Section:
    rows = []
    for i in range(63):
        for j in range(i + 1, 63):
            p = float(rng.beta(0.3, 1.2)) ** 3
            rows.append(
                (
                    "nDCG@10",
                    SYSTEMS[i],
                    SYSTEMS[j],
                    float(rng.normal(0, 0.1)),
                    p,
                    float(rng.normal(0, 1)),
                )
            )
    return Section(
        key="significance",
        title="Significance of the differences",
        paragraphs=("Randomised Tukey HSD, B = 10,000, for every pair of systems.",),
        figures=(
            Figure(
                "power",
                "Share of significant pairs against the number of topics",
                _power_lines(),
                "A line for each label set; those of one model share a colour.",
            ),
            Figure(
                "differences",
                "How much the systems differ under each label set",
                Boxes(
                    LABEL_SETS,
                    [rng.gamma(2, 0.03, size=1_953).tolist() for _ in LABEL_SETS],
                    "difference of two systems, nDCG@10",
                    ["gold", *["other"] * 16],
                    0.05,
                ),
                "A box reaches from quartile to quartile.",
            ),
        ),
        tables=(
            NamedTable(
                "significance",
                "Every pair of systems",
                Table.of(("measure", "run a", "run b", "difference", "p", "effect size"), rows),
            ),
        ),
    )


def _power_lines() -> Lines:
    """Return 17 lines that rise with the number of topics, some with a band."""
    topics = [5, 10, 20, 40, 53]
    lines = []
    for place, name in enumerate(LABEL_SETS):
        share = [0.8 - (0.9 + place / 40) / math.sqrt(count) for count in topics]
        band = place < 2
        lines.append(
            Line(
                name,
                topics,
                share,
                [value - 0.04 for value in share] if band else (),
                [value + 0.04 for value in share] if band else (),
                name.split(".")[0],
            )
        )
    marks = [(53, lines[0].y[-1], "all topics"), (10, lines[16].y[1], "too few")]
    return Lines(lines, "topics", "share of pairs", marks, logarithmic=True, reference=0.5)
