"""The number of system pairs that each label set separates, and its prediction by PDP."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from qrelsmith.audit.inputs import LIST_MEASURE, AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import count, figure
from qrelsmith.base.content import Figure, Finding, NamedTable, Points, Section, Verdict
from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.figure_text import short
from qrelsmith.base.tables import Cell, Table
from qrelsmith.discrimination.pdp import pdp as pdp_of
from qrelsmith.rankings.discriminative_powers import DiscriminativePowers, power
from qrelsmith.stats.tau_intervals import fieller

_KEY, _TITLE = "discriminative_power", "Discriminative power"
_TESTS = ("bootstrap", "paired-t", "randomised-tukey")


@SECTIONS.add("discriminative_power", place=95)
def discriminative_power_section(inputs: AuditInputs) -> Section:
    """Report the share of significant pairs, and the score difference needed for significance."""
    if missing := inputs.missing_to_rank:
        return Section(key=_KEY, title=_TITLE, missing=missing)
    beside_pdp = _pdp_values(inputs)
    main = inputs.measures[0]
    measures = tuple(dict.fromkeys((main, LIST_MEASURE) if beside_pdp else (main,)))
    powers = inputs.ask(power, measures=measures, tests=_TESTS)
    heat_map = powers.figure()
    figures = [] if heat_map is None else [heat_map]
    paragraphs = [
        "Discriminative power is the share of system pairs that differ significantly. Only Tukey"
        " HSD corrects for the number of pairs. The section “Significance” shows the direction of"
        " the differences."
    ]
    if beside_pdp:
        points, words = _against_pdp(beside_pdp, powers)
        figures.append(points)
        paragraphs.append(words)
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=tuple(paragraphs),
        tables=tuple(_table(powers, measure, place) for place, measure in enumerate(measures, 1)),
        figures=tuple(figures),
        findings=(_finding(inputs, main, powers),),
    )


def _table(result: DiscriminativePowers, measure: str, place: int) -> NamedTable:
    rows: list[tuple[Cell, ...]] = [
        (
            row.label_set, row.power.test, row.topics, row.power.pairs, row.power.significant,
            row.power.power, row.power.delta, row.power.smallest,
        )
        for row in result.powers
        if row.measure == measure
    ]  # fmt: skip
    columns = (
        "label set", "test", "topics", "pairs", "significant", "power", "delta", "smallest",
    )  # fmt: skip
    trials = {
        row.power.test: row.power.trials for row in result.powers if row.power.trials is not None
    }
    return NamedTable(
        key=f"discriminative-power-{place}",
        title=f"Discriminative power of {measure}",
        table=Table.of(columns, rows),
        note=f"α = {result.powers[0].power.alpha:g}. The bootstrap test is that of Sakai (2006)."
        f" Trials: {', '.join(f'{number:,} ({test})' for test, number in trials.items())}. Delta:"
        " differences above it are significant. Smallest: smallest significant difference.",
        answer=result,
    )


def _finding(inputs: AuditInputs, measure: str, found: DiscriminativePowers) -> Finding:
    own = {test: found.of(inputs.reference, measure, test) for test in _TESTS}
    pairs = own["bootstrap"]
    shares = {name: found.of(name, measure, "bootstrap").power for name in found.names}
    least, best = (choose(shares, key=lambda name: shares[name]) for choose in (min, max))
    others = (
        f" By the bootstrap test, the share of significant pairs ranges from {short(shares[least])}"
        f" ({least}) to {short(shares[best])} ({best})."
        if len(shares) > 1
        else ""
    )
    return Finding(
        "discriminative power",
        Verdict.FACT,
        f"Under {inputs.reference}, {measure} separates {pairs.significant:,} of"
        f" {count(pairs.pairs, 'system pair', 'system pairs')} by the bootstrap test"
        f" (a share of {short(pairs.power)}), and {own['randomised-tukey'].significant:,} by"
        " randomised Tukey HSD. By Tukey HSD, differences of at least"
        f" {short(own['randomised-tukey'].delta)} are significant.{others}",
        _KEY,
    )


def _pdp_values(inputs: AuditInputs) -> dict[str, float]:
    """Return the PDP of the label sets for which PDP is defined."""
    try:
        found = None if inputs.preferences is None else inputs.ask(pdp_of)
    except UndefinedError:
        return {}
    if found is None:
        return {}
    return {name: row.pdp.mean for name, row in found.single().items()}


def _against_pdp(pdp: Mapping[str, float], powers: DiscriminativePowers) -> tuple[Figure, str]:
    """Compare PDP with discriminative power, and report their correlation."""
    names = [name for name in pdp if not math.isnan(pdp[name])]
    shares = [powers.of(name, LIST_MEASURE, "bootstrap").power for name in names]
    values = [pdp[name] for name in names]
    together = "too few label sets"
    if len(names) > 2:
        found = fieller(-np.array(values), np.array(shares))
        together = figure(float(found.tau), float(found.low), float(found.high))
    drawing = Points(
        names, values, shares, "PDP in nats", f"share of pairs that {LIST_MEASURE} separates"
    )
    return (
        Figure(
            key="pdp-power",
            title=f"PDP and the discriminative power of {LIST_MEASURE}",
            drawing=drawing,
            caption="Each point is a label set. If PDP and discriminative power agree, points"
            " descend to the right.",
        ),
        f"Kendall's τ between low PDP and high discriminative power of {LIST_MEASURE}, over the"
        f" {len(names)} label sets with a PDP: {together}.",
    )
