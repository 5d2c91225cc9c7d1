"""The smallest data problem that each verdict detects, simulated in copies of the reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

import qrelsmith.audit.verdicts  # noqa: F401 - fills the registry
from qrelsmith.audit.held_inputs import HeldInputs
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.content import CellVerdict
from qrelsmith.base.rng import rng_for
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels
from qrelsmith.damages.planting import shift, with_slips

DRAWS = 10
# Shares of labels that are one level off, and numbers of topics whose labels are shifted by one
# or two docs.
SLIPS = (0.02, 0.05, 0.1, 0.2, 0.4)
SHIFTED = (1, 2, 4, 8)
# A verdict detects a data problem if it changes in at least this share of the copies.
SEEN = 0.8
VERDICT_WORDS: tuple[CellVerdict, ...] = get_args(CellVerdict)
_WITNESS = 0.1  # share of slips in the third label set, which helps to find the source of a problem
_LAGS = (-2, -1, 1, 2)


@dataclass(frozen=True, slots=True)
class CalibratedVerdict:
    """Verdicts on copies of the reference with one kind of simulated error.

    Attributes
    ----------
    question, damage : str
        The question; `slips` or `shifted`.
    amount : float
        The share of labels that slipped, or the number of topics that were shifted.
    verdicts : mapping of str to int
        Number of copies with each verdict.
    """

    question: str
    damage: str
    amount: float
    verdicts: Mapping[CellVerdict, int]

    def count_of(self, verdict: CellVerdict) -> int:
        """Return the number of copies that got the given verdict."""
        return self.verdicts.get(verdict, 0)

    def share_of(self, *verdicts: CellVerdict) -> float:
        """Return the share of the copies with one of the given verdicts."""
        return sum(map(self.count_of, verdicts)) / max(sum(self.verdicts.values()), 1)


def calibrated_questions() -> tuple[str, ...]:
    """Return the scorecard's questions about a label set other than the reference, in order."""
    entries = sorted(VERDICTS.entries(), key=lambda entry: entry.about["place"])
    return tuple(e.name for e in entries if e.about["purpose"] or e.about["warning"])


def calibrated_scale(inputs: AuditInputs) -> Scale | None:
    """Return the reference's scale, or None if it has no levels."""
    text = inputs.scale_text(inputs.reference)
    return None if text == "real" else Scale.parse(text)


def calibrate(
    inputs: AuditInputs, scale: Scale, *, draws: int = DRAWS
) -> tuple[CalibratedVerdict, ...]:
    """Compute the audit's verdicts for copies of the reference with simulated errors.

    Parameters
    ----------
    inputs : AuditInputs
        The campaign.
    scale : Scale
        The reference's scale.
    draws : int
        Number of copies with each kind and amount of error.
    """
    questions = calibrated_questions()
    truth = inputs.label_sets[inputs.reference]
    labels = _PlacedLabels.of(truth, scale)
    calibrated: list[CalibratedVerdict] = []
    for damage, amount in _damages(len(truth.topics)):
        counts: dict[str, Counter[CellVerdict]] = {asked: Counter() for asked in questions}
        for number in range(draws):
            rng = rng_for(inputs.seed, "calibration", damage, str(amount), str(number))
            sets = {
                inputs.reference: truth,
                "damaged": labels.plant(damage, amount, rng),
                "witness": labels.plant("slips", _WITNESS, rng),
            }
            held = HeldInputs(
                sets, inputs.runs, levels=scale.levels, teams=inputs.campaign.teams,
                measures=inputs.measures[:1], seed=inputs.seed,
            )  # fmt: skip
            for asked in questions:
                counts[asked][VERDICTS.get(asked)(held, "damaged").verdict] += 1
        calibrated += [
            CalibratedVerdict(asked, damage, amount, counts[asked]) for asked in questions
        ]
    return tuple(calibrated)


def least_seen(
    calibrated: Sequence[CalibratedVerdict], question: str, damage: str, *verdicts: CellVerdict
) -> float | None:
    """Return the least amount that, like all larger amounts, gets one of the verdicts, or None."""
    least = None
    of_damage = [c for c in calibrated if (c.question, c.damage) == (question, damage)]
    for one in reversed(of_damage):
        if one.share_of(*verdicts) < SEEN:
            break
        least = one.amount
    return least


def _damages(topics: int) -> Iterator[tuple[str, float]]:
    yield from (("slips", share) for share in SLIPS)
    yield from (("shifted", float(count)) for count in SHIFTED if count <= topics)


@dataclass(frozen=True, slots=True, eq=False)
class _PlacedLabels:
    """A label set as levels [topic, doc], with the position of each label."""

    qrels: Qrels
    scale: Scale
    levels: FloatArray
    column: IntArray

    @classmethod
    def of(cls, qrels: Qrels, scale: Scale) -> _PlacedLabels:
        sizes = np.bincount(qrels.topic, minlength=len(qrels.topics))
        starts = np.cumsum(sizes) - sizes
        column = np.arange(len(qrels)) - starts[qrels.topic]
        levels = np.full((len(qrels.topics), int(sizes.max())), np.nan)
        places = np.searchsorted(np.asarray(scale.levels), qrels.grade).astype(float)
        levels[qrels.topic, column] = np.where(qrels.grade < 0, np.nan, places)
        return cls(qrels, scale, levels, column)

    def plant(self, damage: str, amount: float, rng: np.random.Generator) -> Qrels:
        """Return a copy with simulated errors; codes that are not grades are not changed."""
        top = len(self.scale.levels) - 1.0
        levels = self.levels
        if damage == "slips":
            levels = with_slips(levels, amount, top=top, rng=rng)
        else:
            # Labels of a real judge differ from the reference in more than the simulated errors.
            levels = with_slips(levels, _WITNESS, top=top, rng=rng)
            places = np.where(np.isnan(levels), -1, np.arange(levels.shape[1]))
            for topic in rng.choice(len(levels), int(amount), replace=False).tolist():
                levels = shift(levels, topic, int(rng.choice(_LAGS)), places=places)
        values = levels[self.qrels.topic, self.column]
        known = ~np.isnan(values)
        grades = self.qrels.grade.copy()
        grades[known] = np.asarray(self.scale.levels)[values[known].astype(np.int64)]
        return replace(self.qrels, grade=grades)
