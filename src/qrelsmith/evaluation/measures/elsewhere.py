"""Measures computed by ir_measures (extra `ir_measures`), which qrelsmith does not compute itself.

Names, parameters and defaults are those of ir_measures. Subtopic measures need qrels with a
subtopic in the second field. Without `max_rel`, the top of the scale is the highest grade. The
parameter `judged_only` is not supported; use the option `--condensed`.
"""

from __future__ import annotations

from inspect import Parameter, Signature

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.evaluation.measures.registry import MEASURES

_SUBTOPICS = {"rel": 1}
_ALPHA = {"alpha": 0.5, **_SUBTOPICS}
_RANGE = {"min_rel": 0, "max_rel": None}
_OF_SUBTOPICS = (
    "alpha_nDCG", "alpha_DCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall",
)  # fmt: skip
# Name, meaning, whether it takes a cutoff (True: it needs one), parameters.
_MEASURES = (
    ("alpha_nDCG", "nDCG with less gain for repeated subtopics (Clarke et al. 2008)", True, _ALPHA),
    ("alpha_DCG", "DCG with less gain for repeated subtopics (Clarke et al. 2008)", True, _ALPHA),
    ("ERR_IA", "Mean ERR over subtopics (Chapelle et al. 2009)", True, _SUBTOPICS),
    ("nERR_IA", "ERR-IA divided by the ERR-IA of the ideal ranking", True, _SUBTOPICS),
    ("NRBP", "Novelty- and rank-biased precision (Clarke et al. 2009)", None,
     {"rel": 1, "alpha": 0.5, "beta": 0.5}),
    ("nNRBP", "NRBP divided by the NRBP of the ideal ranking", None,
     {"rel": 1, "alpha": 0.5, "beta": 0.5}),
    ("AP_IA", "Mean AP over subtopics", None, _SUBTOPICS),
    ("P_IA", "Mean precision over subtopics", True, _SUBTOPICS),
    ("StRecall", "Share of subtopics covered by the first k docs", True, _SUBTOPICS),
    ("SDCG", "DCG divided by the DCG of k docs with the top grade", True, _RANGE),
    ("BPM", "Bejeweled player model (Zhang et al. 2017)", True, {"T": 1.0, **_RANGE}),
    ("INST", "INST with T expected useful docs (Bailey et al. 2015)", None, {"T": 1.0, **_RANGE}),
    ("INSQ", "INSQ with T expected useful docs (Moffat et al. 2013)", None, {"T": 1.0, **_RANGE}),
    ("NERR8", "Not (but nearly) ERR, gain-based stopping (Azzopardi et al. 2021)", True, _RANGE),
    ("NERR9", "Not (but nearly) ERR, discounted like DCG (Azzopardi et al. 2021)", True, _RANGE),
    ("NERR10", "Not (but nearly) ERR, discounted like RBP (Azzopardi et al. 2021)", None,
     {"p": 0.9, **_RANGE}),
    ("NERR11", "Not (but nearly) ERR, discounted like INST (Azzopardi et al. 2021)", None,
     {"T": 1.0, **_RANGE}),
    ("Accuracy", "Share of pairs of a relevant and a non-relevant doc in the right order", False,
     {"rel": 1}),
    ("SetAP", "Precision of the returned docs times their recall", None, {"rel": 1}),
)  # fmt: skip


def _register(
    name: str, meaning: str, needs_cutoff: bool | None, parameters: dict[str, float | None]
) -> None:
    def score(grades: FloatArray, ideal: FloatArray) -> FloatArray:
        raise UsageError(f"{name} cannot be computed from grades. Use evaluate or score_runs")

    placed = [Parameter(word, Parameter.POSITIONAL_OR_KEYWORD) for word in ("grades", "ideal")]
    options = {**({} if needs_cutoff is None else {"cutoff": None}), **parameters}
    options |= {"gmax": None} if "max_rel" in parameters else {}
    named = [Parameter(key, Parameter.KEYWORD_ONLY, default=of) for key, of in options.items()]
    score.__signature__ = Signature([*placed, *named])  # type: ignore[attr-defined]
    score.__doc__ = f"{meaning}."
    MEASURES.add(
        name, source="ir_measures (extra `ir_measures`)", by="ir_measures", bounded=False,
        needs_cutoff=bool(needs_cutoff), always=("T",) if "T" in parameters else (),
        aliases=(name.replace("_", "-"),) if "_" in name else (),
        subtopics=name in _OF_SUBTOPICS,
    )(score)  # fmt: skip


for _measure in _MEASURES:
    _register(*_measure)
