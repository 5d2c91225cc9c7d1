"""Synthetic annotations of the paper on PDP, measured batch by batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.planning.simulated_annotations import MODES, annotation_cells
from qrelsmith.planning.simulation import Design, simulate_batch
from qrelsmith.planning.synthetic_files import batch_judgments, batch_preferences
from qrelsmith.sweep import Sweep, run_cells


@dataclass(frozen=True, slots=True)
class BatchPdp:
    """A batch of topics judged on one scale; all values are means over its topics.

    Attributes
    ----------
    batch, topics : int
        Its number, and how many topics it has.
    sigma : float
        The error of its assessors.
    levels : int
        Grades of the scale.
    individual, aggregate : float
        PDP in both modes, as the authors' program computes it.
    coefficients : mapping of str to float
        Agreement by the names of the coefficients.
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
        What was drawn.
    seed : int
        The seed.
    rows : tuple of BatchPdp
        One for each batch and scale.
    coefficients : tuple of str
        The names of the coefficients.
    """

    design: Design
    seed: int
    rows: tuple[BatchPdp, ...]
    coefficients: tuple[str, ...]

    def table(self) -> Table:
        """Batch, topics, sigma, levels, individual, aggregate, and the coefficients."""
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
        """The grades of a batch on a scale, by default the first one."""
        drawn = simulate_batch(self.design, batch, seed=self.seed)
        return batch_judgments(drawn, self.rows[0].levels if levels is None else levels)

    def preferences(self, batch: int = 0) -> Preferences:
        """The true preferences of a batch."""
        return batch_preferences(simulate_batch(self.design, batch, seed=self.seed))


@question(
    command="simulate pdp",
    no_audit="it is about annotations that do not exist",
    flags={"coefficients": "--coefficient"},
)
def simulate_pdp(
    *,
    topics: int = 1000,
    batch_size: int = 100,
    docs: int = 5,
    assessors: int = 15,
    levels: int | Sequence[int] = 4,
    coefficients: str | Sequence[str] = "alpha-ordinal",
    shape: tuple[float, float] | None = None,
    sigma: tuple[float, float] | None = None,
    w: tuple[float, float] | None = None,
    bias: str = "assessor",
    judging: str = "perceived",
    seed: int = 0,
    jobs: int | None = None,
    sweep: Sweep | None = None,
) -> SyntheticPdp:
    """PDP and agreement of the synthetic annotations of the paper on PDP, section 4.1.

    A topic has relevance from a beta distribution, an assessor perceives it with errors, a scale
    cuts what is perceived into grades. Every pair of docs is a preference test.

    Parameters
    ----------
    topics, batch_size, docs, assessors : int
        Topics, those that share assessors, docs of a topic, and assessors, who judge every doc.
    levels : int, or several
        Grades of the scale; more scales are of the same annotations.
    coefficients : str, or several
        Of agreement: names of `COEFFICIENTS`.
    shape, sigma, w : (float, float), optional
        The ranges of α and β of a topic, of the assessors' error, and of the power of e by which an
        annotation's own error is larger; by default those of the paper (see `Design`).
    bias : {'assessor', 'assessor-topic', 'annotation'}
        What an assessor's error is drawn for, which the paper leaves open.
    judging : {'perceived', 'random'}
        By what is perceived, or at random.
    seed : int
        The seed.
    jobs : int, optional
        How many processes; by default one a processor.
    sweep : callable, optional
        What computes the batches otherwise, such as `run_cells` on a cluster.

    Returns
    -------
    SyntheticPdp

    Raises
    ------
    UsageError
        If a number is out of range.

    References
    ----------
    Chu et al. (2021), section 4.1.

    Examples
    --------
    >>> found = simulate_pdp(topics=4, batch_size=2, levels=(2, 4), jobs=1)
    >>> [(row.batch, row.levels) for row in found.rows]
    [(0, 2), (0, 4), (1, 2), (1, 4)]
    """
    usual = Design()
    design = Design(
        topics=topics,
        batch_size=batch_size,
        docs=docs,
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
    return SyntheticPdp(design=design, seed=seed, rows=tuple(rows), coefficients=names)


def _row(cells: Sequence[Any], names: Sequence[str]) -> BatchPdp:
    """A row of a cell of the sweep, which is kept as a table."""
    known = dict(zip(names, map(float, cells[6:]), strict=True))
    batch, topics, sigma, levels, individual, aggregate = cells[:6]
    return BatchPdp(
        int(batch), int(topics), float(sigma), int(levels), float(individual), float(aggregate),
        known,
    )  # fmt: skip
