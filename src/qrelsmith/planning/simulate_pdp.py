"""The synthetic annotations of the paper on PDP, measured batch by batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Jobs, KeptSweeping, Option, OutputFile, Seed
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judgments.judgment_files import Judgments, write_judgments
from qrelsmith.pairs.preference_files import write_preferences
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.planning.simulated_annotations import MODES, annotation_cells
from qrelsmith.planning.simulation import Design, SyntheticBatch, all_tests, simulate_batch
from qrelsmith.planning.simulation.design import BIASES, JUDGING
from qrelsmith.planning.simulation.ranges import parse_range
from qrelsmith.sweep import run_cells

_TRUTH = "simulated-truth"


@dataclass(frozen=True, slots=True)
class BatchPdp:
    """A batch of topics judged on one scale; all values are means over its topics.

    Attributes
    ----------
    batch, topics : int
        The number of the batch, and the number of its topics.
    sigma : float
        The error of its assessors.
    levels : int
        The number of grades on the scale.
    individual, aggregate : float
        PDP in both modes, as in the program of the paper's authors.
    coefficients : mapping of str to float
        Agreement coefficients by name.
    """

    batch: int
    topics: int
    sigma: float
    levels: int
    individual: float
    aggregate: float
    coefficients: Mapping[str, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class SyntheticPdp(Result):
    """PDP and agreement of synthetic annotations.

    Attributes
    ----------
    design : Design
        The design of the simulation.
    rows : tuple of BatchPdp
        One row per batch and scale.
    coefficients : tuple of str
        The names of the coefficients.
    batch : int
        The batch that the command writes.
    """

    design: Design
    seed: int
    rows: tuple[BatchPdp, ...]
    coefficients: tuple[str, ...]
    batch: int = 0

    def table(self) -> Table:
        """Return one row per batch and scale, with PDP and the coefficients."""
        columns = ("batch", "topics", "sigma", "levels", *MODES, *self.coefficients)
        rows: list[tuple[Cell, ...]] = [
            (
                row.batch, row.topics, row.sigma, row.levels, row.individual, row.aggregate,
                *(row.coefficients[name] for name in self.coefficients),
            )
            for row in self.rows
        ]  # fmt: skip
        return Table.of(columns, rows)

    def judgments(self, batch: int = 0, *, levels: int | None = None) -> Judgments:
        """Return the grades of a batch on a scale, by default on the first scale."""
        drawn = simulate_batch(self.design, batch, seed=self.seed)
        return batch_judgments(drawn, self.rows[0].levels if levels is None else levels)

    def preferences(self, batch: int = 0) -> Preferences:
        """Return the true preferences of a batch."""
        return batch_preferences(simulate_batch(self.design, batch, seed=self.seed))


def _range(flag: str, sentence: str, example: str) -> Option:
    return Option(
        f"{sentence}  [{example}]", metavar="LOW:HIGH",
        read=lambda text: parse_range(text, flag=flag, example=example),
    )  # fmt: skip


Ends = tuple[float, float]


@question(
    command="simulate pdp",
    no_audit="it is about simulated annotations",
    example="qrelsmith simulate pdp --topic-count 300 --levels 2 --levels 4 --levels 7",
    doing="simulating",
    short="Simulate the synthetic annotations of the paper on PDP.",
    writes={
        "write_judgments": OutputFile(
            "Write the grades of a batch to this file.",
            lambda result, path, _: write_judgments(result.judgments(result.batch), path),
        ),
        "write_preferences": OutputFile(
            "Write the true preferences of a batch to this file.",
            lambda result, path, _: write_preferences(result.preferences(result.batch), path),
        ),
    },
)
def simulate_pdp(
    *,
    topic_count: Annotated[int, Option(
        "Number of topics; the paper uses 10000.", least=1, was={"topics": {}})] = 1000,
    batch_size: Annotated[int, Option("Number of topics with the same assessors.", least=1)] = 100,
    doc_count: Annotated[int, Option(
        "Number of docs per topic.", least=1, most=20, was={"docs": {}})] = 5,
    assessors: Annotated[int, Option("Number of assessors; each judges every doc.", least=1)] = 15,
    levels: Annotated[int | Sequence[int], Option(
        "Number of grades of the scale; repeat the option for several scales.", least=2)] = 4,
    coefficients: Annotated[str | Sequence[str], Option(
        "Coefficient of agreement; repeatable.", ("--coefficient",),
        choices=COEFFICIENTS.names)] = "alpha-ordinal",
    shape: Annotated[Ends | None, _range("--shape", "Range of alpha and beta of the topics'"
        " distributions.", "2:5")] =
    None,
    sigma: Annotated[
        Ends | None, _range("--sigma", "Range of sigma, the assessors' error.", "0.001:0.3")
    ] = None,
    w: Annotated[
        Ends | None,
        _range("--w", "Range of w: the error of a single annotation is e^w times the assessor's"
            " error.", "-0.5:0.5"),
    ] = None,
    bias: Annotated[str, Option(
        "Unit for which an assessor's error is drawn (not specified in the paper).",
        choices=BIASES)] = "assessor",
    judging: Annotated[str, Option(
        "Whether docs are graded by perceived relevance or at random.", choices=JUDGING)] =
        "perceived",
    batch: Annotated[int, Option(
        "Number of the batch to write; its grades are on the first scale.", least=0)] = 0,
    seed: Seed = 0,
    jobs: Jobs = None,
    sweep: KeptSweeping = None,
) -> SyntheticPdp:  # fmt: skip
    """Draw the synthetic annotations of the paper on PDP, section 4.1, and compute their PDP.

    The relevance of docs in a topic has a beta distribution. Assessors perceive the relevance with
    errors, and a scale cuts the perceived relevance into grades. Every pair of docs is a preference
    test. There is one row per batch and scale. Columns: batch, topics, sigma, levels, individual
    and aggregate (PDP in both modes, as in the program of the paper's authors), and the
    coefficients, all as means over topics.

    Raises
    ------
    UsageError
        If a number is out of range.

    References
    ----------
    Chu et al. 2021, section 4.1.

    Examples
    --------
    >>> found = simulate_pdp(topic_count=4, batch_size=2, levels=(2, 4), jobs=1)
    >>> [(row.batch, row.levels) for row in found.rows]
    [(0, 2), (0, 4), (1, 2), (1, 4)]
    """
    batches = -(-topic_count // batch_size)
    # Report an invalid batch before the long computation.
    if not batch < batches:
        raise UsageError(f"the batch is {batch}; expected 0 to {batches - 1}")
    usual = Design()
    design = Design(
        topics=topic_count,
        batch_size=batch_size,
        docs=doc_count,
        assessors=assessors,
        shape=shape or usual.shape,
        sigma=sigma or usual.sigma,
        w=w or usual.w,
        bias=bias,
        judging=judging,
    )
    scales = (levels,) if isinstance(levels, int) else tuple(dict.fromkeys(levels))
    names = (coefficients,) if isinstance(coefficients, str) else tuple(dict.fromkeys(coefficients))
    cells = annotation_cells(design, levels=scales, coefficients=names, seed=seed)
    tables = run_cells(cells, jobs=jobs) if sweep is None else sweep(cells)
    rows = [_row(row, names) for table in tables for row in table.rows]
    return SyntheticPdp(design=design, seed=seed, rows=tuple(rows), coefficients=names, batch=batch)


def _row(cells: Sequence[Any], names: Sequence[str]) -> BatchPdp:
    """Convert a stored row of results to a `BatchPdp`."""
    known = dict(zip(names, map(float, cells[6:]), strict=True))
    batch, topics, sigma, levels, individual, aggregate = cells[:6]
    return BatchPdp(
        int(batch), int(topics), float(sigma), int(levels), float(individual), float(aggregate),
        known,
    )  # fmt: skip


def batch_judgments(batch: SyntheticBatch, levels: int) -> Judgments:
    """Return the grades of every assessor on a scale of 0 … levels − 1."""
    grades = batch.grades(levels)
    who, topic, doc = (place.ravel() for place in np.indices(grades.shape))
    return Judgments.from_columns(
        {
            "topic": [_topic(batch, place) for place in topic.tolist()],
            "doc": [_doc(place) for place in doc.tolist()],
            "assessor": [f"simulated-{place + 1:03d}" for place in who.tolist()],
            "grade": grades.ravel().tolist(),
        }
    )


def batch_preferences(batch: SyntheticBatch) -> Preferences:
    """Return preferences by the true relevance, for every pair of docs of a topic."""
    tests = all_tests(batch.truth)
    return Preferences.from_rows(
        (_topic(batch, topic), _doc(left), _doc(right), int(outcome), _TRUTH)
        for topic, left, right, outcome in zip(
            tests.topics.tolist(),
            tests.left.tolist(),
            tests.right.tolist(),
            tests.outcomes.tolist(),
            strict=True,
        )
    )


def _topic(batch: SyntheticBatch, place: int) -> str:
    return f"t{batch.topics[place] + 1:06d}"


def _doc(place: int) -> str:
    return f"d{place + 1:03d}"
