"""The command `sample`: docs to judge for valid intervals of system scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Unpack

import numpy as np

from qrelsmith.base.arrays import BoolArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.items import MARK, item_parts
from qrelsmith.base.options import Option, Seed
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.estimation.decisions import FEWEST_LABELS, few_labels
from qrelsmith.estimation.design import (
    combined,
    draw_units,
    inclusion,
    pilot_of,
    recover_probabilities,
)
from qrelsmith.estimation.estimation_options import (
    EstimationScope,
    ModelLabels,
    NewRuns,
    PeoplesLabels,
    SumMeasures,
)
from qrelsmith.estimation.new_runs import is_only_new, names_of_new, with_new
from qrelsmith.estimation.sample_files import COLUMNS, SampleRows, sample_rows
from qrelsmith.estimation.sources import EstimationSources, sources_of
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.run_options import Runs


@dataclass(frozen=True, eq=False, kw_only=True)
class SampledDocs(Result):
    """Sampled docs with known inclusion probabilities.

    Attributes
    ----------
    rows_drawn : SampleRows
        The docs of all waves.
    wave : int
        The number of the latest wave.
    """

    rows_drawn: SampleRows = field(repr=False)
    wave: int

    def table(self) -> Table:
        """Columns: topic, doc, wave (the doc's first wave), probability (over all waves), check.

        For answers, the column `aspect` follows the column `doc`.

        All rows have the same value in the column `check`, so a file with missing or extra rows is
        rejected.
        """
        rows, check = self.rows_drawn, self.rows_drawn.check
        numbers = zip(rows.keys, rows.wave.tolist(), rows.probability.tolist(), strict=True)
        if any(MARK in key for _, key in rows.keys):
            columns = (*COLUMNS[:2], "aspect", *COLUMNS[2:])
            cells = (
                (t, *item_parts(key), wave, chance, check) for (t, key), wave, chance in numbers
            )
            return Table.of(columns, cells).sorted()
        return Table.of(
            COLUMNS, ((*key, wave, chance, check) for key, wave, chance in numbers)
        ).sorted()


@question(
    "sample",
    heading="select",
    everyday=True,
    no_audit="it says what to judge, before there is anything to audit",
    example="qrelsmith sample runs/*.run --label-set llm.qrels -m nDCG@10 --budget 300 -o"
    " sample.csv",
)
def sample(
    labels: ModelLabels = None,
    runs: Runs = None,
    measures: SumMeasures = None,
    *,
    budget: Annotated[int, Option("Total number of docs that people can"
                                  " judge.", metavar="N", least=1)],
    after: Annotated[FilePath | SampledDocs | None, Option(
        "Earlier sample to which the next wave is added.", metavar="SAMPLE", file=True)] = None,
    judgments: PeoplesLabels = None,
    wave: Annotated[int | None, Option(
        "Number of docs in this wave; default: 30% of the budget, then the remaining budget.",
        metavar="N", least=1)] = None,
    focus: Annotated[str | Sequence[str], Option(
        "With --after: draw docs that separate these runs, or one run from all other runs. The"
        " runs must be the same in all waves. Default: all runs.", metavar="RUN")] = (),
    new: NewRuns = None,
    seed: Seed = 0,
    **scope: Unpack[EstimationScope],
) -> SampledDocs:  # fmt: skip
    """Draw a sample of docs for human judgment, for valid conclusions from few labels.

    Columns: topic, doc, wave (the first wave with this doc), probability (over all waves in the
    file), check. The value of `check` is the same in all rows, so that incomplete files can be
    refused. Without --after, a pilot wave is drawn, in which docs with more weight in the scores
    have a higher probability. With --after and --judgments, the next wave draws docs whose labels
    separate systems. The output contains all waves. Judge all docs, then run `estimate`. With fewer
    than 50 labels, no pair of systems is decided. With --new, docs that only new runs return are
    sampled in one wave; `estimate --new` then ranks the new runs among the old runs.

    Returns
    -------
    SampledDocs
        topic, doc, wave, probability, check for every doc of all waves.

    Raises
    ------
    InputError
        If a file is malformed, or a drawn doc has no grade.
    UsageError
        If the measure is not a sum over docs, no docs are left to draw, or the inputs differ from
        those of the earlier sample.

    Examples
    --------
    >>> from qrelsmith import sample
    >>> runs = {"a": {"t1": {"d1": 2.0, "d2": 1.0}}, "b": {"t1": {"d3": 2.0, "d1": 1.0}}}
    >>> print(sample(runs=runs, measures="P@1", budget=2, wave=2).table())
    topic  doc  wave  probability  check
    ─────  ───  ────  ───────────  ────────────
    t1     d1      1       1.0000  d51fa82e433b
    t1     d3      1       1.0000  d51fa82e433b
    """
    if new is not None and after is not None:
        raise UsageError("--new draws all docs in one wave, so it cannot be used with --after")
    sources = sources_of(
        labels, with_new(labels, runs, new), measures, judgments=judgments, **scope
    )
    names = () if new is None else names_of_new(new, sources, scope["order"])
    if len(sources.measures) != 1:
        raise UsageError(
            f"found {len(sources.measures)} measures; expected one, because a sample is drawn "
            "for one measure"
        )
    before = None if after is None else sample_rows(after)
    named = (focus,) if isinstance(focus, str) else tuple(focus)
    among = is_only_new(sources, names) if names else None
    if among is not None:
        named, wave = named or names, wave or min(budget, int(among.sum()))
    rows, number = _draw_wave(
        sources, before, budget=budget, wave=wave, focus=named, seed=seed, among=among
    )
    new = int((rows.wave == number).sum())
    units = len(sources.units.keys)
    notes = [
        *sources.notes,
        f"wave {number} has {new} of {units} docs; the whole sample has {len(rows.keys)}",
    ]
    if budget < min(FEWEST_LABELS, units):
        notes.append(few_labels(budget))
    return SampledDocs(rows_drawn=rows, wave=number, notes=tuple(notes))


def _draw_wave(
    sources: EstimationSources,
    before: SampleRows | None,
    *,
    budget: int,
    wave: int | None,
    focus: Sequence[str],
    seed: int,
    among: BoolArray | None = None,
) -> tuple[SampleRows, int]:
    """Return all waves including the next wave, and the number of the next wave."""
    (measure,) = sources.measures
    population, keys = sources.population(measure, focus), sources.units.keys
    first = np.zeros(len(keys), dtype=np.int64)
    sizes = [population.importance]
    chances = []
    if before is not None:
        places, level = sources.places(before), sources.levels(before)
        first[places] = before.wave
        for number in range(1, before.waves + 1):
            known = before.wave <= number
            sizes.append(population.wave_size(places[known], level[known]))
        try:
            chances = recover_probabilities(sizes[:-1], places, before.probability)
        except UsageError as error:
            raise UsageError(f"{before.path or 'the sample'}: {error}") from None
    left = budget - int((first > 0).sum())
    wanted = wave or (pilot_of(budget) if before is None else left)
    is_open = first == 0 if among is None else among
    if wanted < 1 or not is_open.any():
        raise UsageError(
            f"{(first > 0).sum()} docs are already drawn; expected a budget larger than {budget}"
        )
    if wanted > left:
        raise UsageError(
            f"the wave has {wanted} docs; expected at most {left}, the rest of a budget of {budget}"
        )
    number = len(chances) + 1
    chance = inclusion(sizes[-1], wanted, among=is_open)
    chances.append(chance if among is None else np.where(among, chance, 0.0))
    rest = np.where(first == 0, chances[-1], 0.0)
    first[draw_units(rest, keys, seed=seed, wave=number)] = number
    chosen = np.flatnonzero(first)
    rows = SampleRows(
        keys=tuple(keys[place] for place in chosen.tolist()),
        wave=first[chosen],
        probability=combined(chances)[chosen],
        path=None,
        lines=range(1, chosen.size + 1),
    )
    return rows, number
