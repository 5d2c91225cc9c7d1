"""The worked example of section 3.5: five images, three assessors, two scales."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.agreement import expected_precision
from qrelsmith.agreement.label_agreement import AgreementOptions, LabelAgreement
from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.rng import rng_for
from qrelsmith.base.scales import Scale
from qrelsmith.base.tables import Table
from qrelsmith.discrimination import Setting, collection_pdp
from qrelsmith.discrimination.label_pdp import GradedDocs
from qrelsmith.discrimination.preferences.grade_matrix import PAPER_CLIP, GradeMatrix
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import PDP

_KEY = "example"


@dataclass(frozen=True, slots=True)
class _Scale:
    """One of the two scales: its labels in Figure 1, its matrix, and what the paper prints."""

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


@PDP.add(
    _KEY,
    kind=ClaimKind.FROM_PRINT,
    deviation=(
        "The paper's run of gradient descent stops before the optimum, and its entropy is sampled."
    ),
)
def example(inputs: StudyInputs) -> Section:
    """The worked example of 3.5: PDP, α and Φ of Figure 1's labels."""
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
    return Section(
        key=_KEY,
        title="The worked example (3.5)",
        paragraphs=(
            "Five images judged by three assessors on 4 and on 7 grades (Figure 1), with the"
            " grade-level matrices of Eq. 13 and 14. The paper's run stops its gradient descent"
            " short of the optimum and samples 50,000 rankings; the optimum itself was computed"
            " apart from this program.",
        ),
        tables=(
            NamedTable(
                key=_KEY,
                title="PDP of the example",
                table=Table.of(("scale", "mode", "published", "at the optimum", "obtained"), rows),
            ),
            NamedTable(
                key=f"{_KEY}-agreement",
                title="Agreement of the example's labels",
                table=Table.of(("scale", "alpha, published", "alpha", "Φ", "E[φ]"), agreement),
                note="Krippendorff's α (ordinal); Φ and the mean precision E[φ] behind it. On each"
                " scale there are images on which all three agree, and the others differ by little:"
                " Φ is close to 1.",
            ),
        ),
        findings=_findings(rows, agreement),
    )


def _judgments(labels: tuple[str, ...]) -> Judgments:
    """The labels of Figure 1: a digit for each assessor."""
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


def _findings(
    rows: list[tuple[str, Mode, float, float, float]],
    agreement: list[tuple[str, float, float, float, float]],
) -> tuple[Finding, ...]:
    """The printed numbers, beside what came out."""
    exact = max(abs(found - optimum) for *_, optimum, found in rows)
    apart = max(abs(found - published) for _, _, published, _, found in rows)
    coarse, fine = (
        {mode: found for name, mode, _, _, found in rows if name == scale.name} for scale in _SCALES
    )
    return (
        claim(
            exact < 5e-6 and apart < 0.01,
            f"The worked example: the four values are within {exact:.0e} of the optimum, and within"
            f" {apart:.4f} of the paper's run, which descends and samples.",
            section=_KEY,
        ),
        claim(
            all(fine[mode] < coarse[mode] for mode in coarse),
            "The paper: PDP is lower with 7 grades than with 4, though α is lower too. Here PDP is"
            f" {fine['individual']:.3f} and {coarse['individual']:.3f} in individual mode, α"
            f" {agreement[1][2]:.4f} and {agreement[0][2]:.4f}.",
            section=_KEY,
        ),
    )
