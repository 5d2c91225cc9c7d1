"""The worked example of section 3.5: five images, three assessors, two scales."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qrelsmith.agreement import expected_precision
from qrelsmith.agreement.label_agreement import AgreementOptions, LabelAgreement
from qrelsmith.base.rng import rng_for
from qrelsmith.base.scales import Scale
from qrelsmith.discrimination import Setting, collection_pdp
from qrelsmith.discrimination.label_pdp import GradedDocs
from qrelsmith.discrimination.preferences.grade_matrix import PAPER_CLIP, GradeMatrix
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import PDP

_KEY = "example"


@dataclass(frozen=True, slots=True)
class _Scale:
    """One of the two scales: its labels in Figure 1, its matrix, and the printed numbers."""

    name: str
    labels: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...]
    alpha: float
    pdp: dict[Mode, float]
    optimum: dict[Mode, float]


_SCALES = (
    _Scale(
        name="4 grades",
        labels=("333", "233", "222", "333", "333"),
        matrix=(
            (0.50, 0.15, 0.10, 0.05),
            (0.85, 0.50, 0.15, 0.10),
            (0.90, 0.85, 0.50, 0.15),
            (0.95, 0.90, 0.85, 0.50),
        ),
        alpha=0.68,
        pdp={"individual": 4.2142, "aggregate": 4.1705},
        optimum={"individual": 4.21752, "aggregate": 4.16448},
    ),
    _Scale(
        name="7 grades",
        labels=("565", "455", "353", "666", "554"),
        matrix=(
            (0.50, 0.20, 0.15, 0.10, 0.06, 0.03, 0.01),
            (0.80, 0.50, 0.20, 0.15, 0.10, 0.06, 0.03),
            (0.85, 0.80, 0.50, 0.20, 0.15, 0.10, 0.06),
            (0.90, 0.85, 0.80, 0.50, 0.20, 0.15, 0.10),
            (0.94, 0.90, 0.85, 0.80, 0.50, 0.20, 0.15),
            (0.97, 0.94, 0.90, 0.85, 0.80, 0.50, 0.20),
            (0.99, 0.97, 0.94, 0.90, 0.85, 0.80, 0.50),
        ),
        alpha=0.57,
        pdp={"individual": 4.0249, "aggregate": 3.8180},
        optimum={"individual": 4.02394, "aggregate": 3.81306},
    ),
)


class _Example(NamedTuple):
    """Computed and published PDP, and computed α and E[φ], by scale and mode."""

    found: Mapping[tuple[str, Mode], float]
    alpha: Sequence[float]

    def farthest(self, of: Callable[[_Scale], Mapping[Mode, float]]) -> float:
        """Return the largest difference between computed PDP and the numbers returned by `of`."""
        return max(
            abs(self.found[scale.name, mode] - value)
            for scale in _SCALES
            for mode, value in of(scale).items()
        )

    def lead(self, mode: Mode) -> float:
        """Return the PDP of the coarse scale minus the PDP of the fine scale."""
        coarse, fine = (self.found[scale.name, mode] for scale in _SCALES)
        return coarse - fine


_CLAIMS: tuple[c.Claim[_Example], ...] = (
    c.claim(
        "PDP of the example is 4.2142 and 4.1705 with 4 grades, 4.0249 and 3.8180 with 7.",
        ("largest distance", lambda e: e.farthest(lambda s: s.pdp), c.under(0.01)),
        (
            "largest distance from a separately computed optimum",
            lambda e: e.farthest(lambda s: s.optimum),
            c.under(5e-6),
        ),
    ),
    c.claim(
        "PDP is lower with 7 grades than with 4, though α is lower too: .57 and .68.",
        ("lead of 7 grades, individual mode", lambda e: e.lead("individual"), c.over(0)),
        ("lead of 7 grades, aggregate mode", lambda e: e.lead("aggregate"), c.over(0)),
        ("α with 4 grades", lambda e: round(e.alpha[0], 2), c.equal_to(_SCALES[0].alpha)),
        ("α with 7 grades", lambda e: round(e.alpha[1], 2), c.equal_to(_SCALES[1].alpha)),
    ),
)


@PDP.add(
    _KEY,
    title="The worked example (3.5)",
    claims=_CLAIMS,
    kind=c.ClaimKind.FROM_PRINT,
    deviation=(
        "The paper's run of gradient descent stops before the optimum, and its entropy is sampled."
    ),
)
def example(inputs: StudyInputs) -> Made:
    """Compute the worked example of 3.5: PDP, α and Φ of Figure 1's labels."""
    rows = []
    agreement = []
    for scale in _SCALES:
        judgments = _judgments(scale.labels)
        for mode in scale.pdp:
            found = _pdp(judgments, scale, mode, seed=inputs.seed)
            rows.append((scale.name, mode, scale.pdp[mode], scale.optimum[mode], found))
        levels = Scale(tuple(float(level) for level in range(len(scale.matrix))))
        alpha, phi = (
            LabelAgreement(judgments, AgreementOptions(name, scale=levels, resamples=0)).overall()
            for name in ("alpha-ordinal", "phi")
        )
        precision = expected_precision(judgments.ratings().values, scale=levels.levels)
        agreement.append((scale.name, scale.alpha, alpha.value, phi.value, precision))
    evidence = _Example({(row[0], row[1]): row[4] for row in rows}, [row[2] for row in agreement])
    return Made(
        held=[c.on_print(evidence)],
        paragraphs=(
            "Five images judged by three assessors (Figure 1), with the matrices of Eq. 13 and 14."
            " The optimum was computed independently of this program.",
        ),
        tables=(
            table_of(
                _KEY, "PDP of the example", "scale|mode|published|at the optimum|obtained", rows
            ),
            table_of(
                f"{_KEY}-agreement",
                "Agreement of the example's labels",
                "scale|alpha, published|alpha|Φ|E[φ]",
                agreement,
                "α is ordinal; E[φ] is the mean precision behind Φ.",
            ),
        ),
    )


def _judgments(labels: tuple[str, ...]) -> Judgments:
    """Return the labels of Figure 1, given as one digit per assessor."""
    rows = [
        ("butterfly stroke leg movement", f"d{number}", assessor, float(grade))
        for number, of_doc in enumerate(labels, start=1)
        for assessor, grade in zip("xyz", of_doc, strict=True)
    ]
    names = ("topic", "doc", "assessor", "grade")
    return Judgments.from_columns(dict(zip(names, zip(*rows, strict=True), strict=True)))


def _pdp(judgments: Judgments, scale: _Scale, mode: Mode, *, seed: int) -> float:
    setting = Setting(
        grades=GradedDocs.of(judgments).grades,
        evidence=GradeMatrix.from_values(scale.matrix, mode=mode, clip=PAPER_CLIP),
    )
    return collection_pdp(setting, rng=rng_for(seed, _KEY), resamples=0).mean
