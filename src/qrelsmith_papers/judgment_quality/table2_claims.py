"""The paper's claims about Table 2, checked on another collection."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np

from qrelsmith.base.content import Finding
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.stats.correlation import kendall_tau_b
from qrelsmith.studies.claims import claim
from qrelsmith_papers.judgment_quality.dl2021 import LOG_SUM, PREFERENCES
from qrelsmith_papers.judgment_quality.label_quality import MEASURES, MeasuredQuality

Values = Mapping[tuple[str, str, str], MeasuredQuality]
_THREE = "three LLMs"
_REDUCED = ("4to2(≥1)", "4to2(≥2)", "4to2(≥3)")


def claims(by_setting: Mapping[tuple[str, int], Values], *, section: str) -> tuple[Finding, ...]:
    """The paper's claims about the table, beside what came out.

    The reductions are looked at on the labels of three LLMs: all their grades were compared.
    """
    return (
        _reductions_harm(by_setting, section),
        _best_reduction(by_setting, section),
        _reliable_but_useless(by_setting, section),
        _consistency(by_setting, section),
        _aggregate_is_lower(by_setting, section),
        _log_sum_is_best(by_setting, section),
    )


def _values_of_reductions(
    found: Mapping[tuple[str, int], Values], depth: int, key: tuple[str, str, str]
) -> list[float]:
    """A value of each reduction and of the four grades."""
    return [found[f"{_THREE}, {name}", depth][key].value for name in (*_REDUCED, "4 grades")]


def _reductions_harm(found: Mapping[tuple[str, int], Values], section: str) -> Finding:
    pdp = np.array([_values_of_reductions(found, depth, key) for depth, key in _pdp_keys(found)])
    power = np.array(
        [
            _values_of_reductions(found, depth, ("power", what, ""))
            for depth in _depths(found)
            for what in MEASURES
        ]
    )
    lower = (pdp[:, 3:] < pdp[:, :3]).mean()
    higher = (power[:, 3:] >= power[:, :3]).mean()
    return claim(
        bool(lower == 1 and higher >= 0.9),
        "The paper: reducing four grades to two costs discriminative power. Here, with the labels"
        f" of three LLMs, the four grades have the lower PDP in {lower:.0%} of the comparisons and"
        f" no lower DP in {higher:.0%}.",
        section=section,
    )


def _best_reduction(by_setting: Mapping[tuple[str, int], Values], section: str) -> Finding:
    pdp = np.array(
        [_values_of_reductions(by_setting, depth, key)[:3] for depth, key in _pdp_keys(by_setting)]
    )
    power = np.array(
        [
            _values_of_reductions(by_setting, depth, ("power", what, ""))[:3]
            for depth in _depths(by_setting)
            for what in MEASURES
        ]
    )
    best = [(pdp.argmin(axis=1) == place).sum() for place in range(3)]
    high = [(power.argmax(axis=1) == place).sum() for place in range(3)]
    last = [(pdp.argmax(axis=1) == place).sum() for place in range(3)]
    return claim(
        bool(best[0] == len(pdp) and last[2] == len(pdp) and high[0] == len(power)),
        "The paper: of the reductions ≥1 discriminates most and ≥3 least, by PDP and by DP. Here,"
        f" with the labels of three LLMs, ≥1, ≥2 and ≥3 have the lowest PDP {best[0]}, {best[1]}"
        f" and {best[2]} times, and the highest {last[0]}, {last[1]} and {last[2]} times; the"
        f" highest DP {high[0]}, {high[1]} and {high[2]} times.",
        section=section,
    )


def _reliable_but_useless(found: Mapping[tuple[str, int], Values], section: str) -> Finding:
    (depth, key), *_ = _pdp_keys(found)
    phi = _values_of_reductions(found, depth, ("agreement", "phi", ""))[:3]
    pdp = _values_of_reductions(found, depth, key)[:3]
    most, lowest = _REDUCED[int(np.argmax(phi))], _REDUCED[int(np.argmin(pdp))]
    return claim(
        most != lowest,
        "The paper: of the reductions, Φ prefers another than PDP does (reliable but useless)."
        f" Here, with the labels of three LLMs and their first {depth} docs, Φ is highest for"
        f" {most} and PDP is lowest for {lowest}.",
        section=section,
    )


def _consistency(by_setting: Mapping[tuple[str, int], Values], section: str) -> Finding:
    """Kendall's τ of PDP and DP over the settings whose grades were all compared."""
    taus: dict[str, list[float]] = {}
    for (depth, what), who in product(product(_depths(by_setting), MEASURES), PREFERENCES):
        tested = [
            (-values["pdp", "individual", who].value, values["power", what, ""].value)
            for (_, at), values in by_setting.items()
            if at == depth and not values["pdp", "individual", who].untested
        ]
        taus.setdefault(who, []).append(float(kendall_tau_b(*zip(*tested, strict=True))))
    ranges = [f"{min(of):.2f} to {max(of):.2f} ({who})" for who, of in taus.items()]
    return claim(
        min(map(min, taus.values())) >= 0.6,
        "The paper: PDP and DP are highly consistent. Here Kendall's τ between individual PDP and"
        " DP, over the settings whose grades were all compared by the preferences, is"
        f" {' and '.join(ranges)}, by measure and depth.",
        section=section,
    )


def _aggregate_is_lower(found: Mapping[tuple[str, int], Values], section: str) -> Finding:
    lower = [
        values["pdp", "aggregate", who].value < values["pdp", "individual", who].value
        for values in found.values()
        for _, mode, who in values
        if mode == "aggregate"
    ]
    return claim(
        all(lower),
        "The paper: PDP is lower in aggregate mode. Here, where there are several assessors, it is"
        f" lower in {np.mean(lower):.0%} of {len(lower)} cases.",
        section=section,
    )


def _log_sum_is_best(found: Mapping[tuple[str, int], Values], section: str) -> Finding:
    """The aggregate PDP and the DP of log-sums, beside those of the grades that are summed."""
    lower, higher = [], []
    for depth in _depths(found):
        summed, grades = (found[name, depth] for name in (LOG_SUM, f"{_THREE}, 4 grades"))
        of_sums = summed["pdp", "individual", "GPT-4o"].value  # of one assessor, both modes
        lower.append(of_sums < grades["pdp", "aggregate", "GPT-4o"].value)
        power = [("power", what, "") for what in MEASURES]
        higher += [summed[key].value > grades[key].value for key in power]
    return claim(
        all(lower) and sum(higher) == len(higher),
        "The paper: the log-sum of eight assessors' grades, 3to5(logS), discriminates most in the"
        " English subtask, by aggregate PDP and by DP. Here the log-sum of three LLMs' grades has a"
        f" lower aggregate PDP than their medians in {sum(lower)} of {len(lower)} and a higher DP"
        f" in {sum(higher)} of {len(higher)} comparisons.",
        section=section,
    )


def _depths(found: Mapping[tuple[str, int], Values]) -> list[int]:
    return sorted({depth for _, depth in found})


def _pdp_keys(
    found: Mapping[tuple[str, int], Values],
) -> list[tuple[int, tuple[str, str, str]]]:
    """Depth, mode and preferences of every PDP of the three LLMs."""
    return [(depth, ("pdp", mode, "GPT-4o")) for depth in _depths(found) for mode in MODES]
