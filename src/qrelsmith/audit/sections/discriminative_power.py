"""How many pairs of systems each label set tells apart, and whether PDP foretells it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from qrelsmith.analyses.pdp import pdp as pdp_of
from qrelsmith.audit.inputs import LIST_MEASURE, AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import ALPHA, TRIALS
from qrelsmith.audit.wording import count, figure, short
from qrelsmith.content import Figure, Finding, HeatMap, NamedTable, Points, Section, Verdict
from qrelsmith.errors import UndefinedError
from qrelsmith.rng import rng_for
from qrelsmith.stats.bootstrap import bootstrap
from qrelsmith.stats.paired_t import paired_t
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.power import DiscriminativePower, discriminative_power
from qrelsmith.stats.randomised_tukey import randomised_tukey
from qrelsmith.stats.tau_intervals import fieller
from qrelsmith.tables import Cell, Table

_KEY, _TITLE = "discriminative_power", "Discriminative power"
_TESTS = ("bootstrap", "paired-t", "randomised-tukey")
_SAMPLES = 1000  # of Sakai 2006

_Powers = Mapping[str, Mapping[str, DiscriminativePower]]


@SECTIONS.add("discriminative_power", place=95)
def discriminative_power_section(inputs: AuditInputs) -> Section:
    """Share of significant pairs and the difference needed, for every label set and test."""
    if len(inputs.runs) < 2 or len(inputs.topics) < 2:
        return Section(
            key=_KEY,
            title=_TITLE,
            missing="two runs or more, and two topics or more that every label set has; there are"
            f" {len(inputs.runs)} and {len(inputs.topics)}",
        )
    beside_pdp = _pdp_values(inputs)
    main = inputs.measures[0]
    measures = dict.fromkeys((main, LIST_MEASURE) if beside_pdp else (main,))
    powers = {measure: _powers(inputs, measure) for measure in measures}
    tables = [_table(inputs, measure, powers[measure]) for measure in measures]
    figures = [_heat_map(inputs, main, powers[main])]
    paragraphs = [
        "Discriminative power is the share of system pairs that differ significantly. More is"
        " better only where the differences point the right way, which the section on significance"
        " asks. The bootstrap and the t test look at each pair alone and so find more than"
        " randomised Tukey HSD, which accounts for all pairs at once.",
    ]
    if beside_pdp:
        points, words = _against_pdp(beside_pdp, powers[LIST_MEASURE])
        figures.append(points)
        paragraphs.append(words)
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=tuple(paragraphs),
        tables=tuple(tables),
        figures=tuple(figures),
        findings=(_finding(inputs, main, powers[main]),),
    )


def _powers(inputs: AuditInputs, measure: str) -> _Powers:
    """Discriminative power by label set and test."""
    return {
        name: {test: discriminative_power(_tested(inputs, name, measure, test)) for test in _TESTS}
        for name in (inputs.reference, *inputs.others)
    }


def _tested(inputs: AuditInputs, name: str, measure: str, test: str) -> PairwiseResult:
    scores = inputs.scores(name, measure).scores.T
    # The same draws for every label set, so that only the labels differ; and those of the section
    # on significance, so that both say the same of Tukey's test.
    rng = rng_for(inputs.seed, "audit", "significance", measure)
    result: PairwiseResult
    if test == "bootstrap":
        result = bootstrap(scores, rng=rng, trials=_SAMPLES, alpha=ALPHA)
    elif test == "paired-t":
        result = paired_t(scores, alpha=ALPHA)
    else:
        result = randomised_tukey(scores, rng=rng, trials=TRIALS, alpha=ALPHA)
    return result


def _table(inputs: AuditInputs, measure: str, powers: _Powers) -> NamedTable:
    rows: list[tuple[Cell, ...]] = [
        (name, test, power.pairs, power.significant, power.power, power.delta, power.smallest)
        for name, by_test in powers.items()
        for test, power in by_test.items()
    ]
    place = [*dict.fromkeys((inputs.measures[0], LIST_MEASURE))].index(measure) + 1
    return NamedTable(
        key=f"discriminative-power-{place}",
        title=f"Discriminative power of {measure}",
        table=Table.of(
            ("label set", "test", "pairs", "significant", "share", "delta", "smallest"), rows
        ),
        note=f"α = {ALPHA}; bootstrap: Sakai 2006, B = {_SAMPLES:,}; randomised Tukey HSD:"
        f" {TRIALS:,} trials. Delta: the difference from which on every pair would be significant;"
        " smallest: the smallest difference that was.",
    )


def _heat_map(inputs: AuditInputs, measure: str, powers: _Powers) -> Figure:
    names = sorted(powers, key=lambda name: -powers[name]["bootstrap"].power)
    values = [[powers[name][test].power for test in _TESTS] for name in names]
    return Figure(
        key="discriminative-power",
        title=f"Share of the system pairs that {measure} tells apart",
        drawing=HeatMap(names, list(_TESTS), values, 0.0, 1.0, "share of pairs with p < .05"),
        caption="Label sets from the most to the least discriminative by the bootstrap test. The"
        f" reference is {inputs.reference}.",
    )


def _finding(inputs: AuditInputs, measure: str, powers: _Powers) -> Finding:
    own = powers[inputs.reference]
    pairs = own["bootstrap"]
    shares = {name: found["bootstrap"].power for name, found in powers.items()}
    least, best = (choose(shares, key=lambda name: shares[name]) for choose in (min, max))
    others = (
        f" Over the label sets the share goes from {short(shares[least])} ({least}) to"
        f" {short(shares[best])} ({best})."
        if len(shares) > 1
        else ""
    )
    return Finding(
        "discriminative power",
        Verdict.FACT,
        f"Under {inputs.reference}, {measure} tells apart {pairs.significant:,} of"
        f" {count(pairs.pairs, 'system pair', 'system pairs')} by the bootstrap test"
        f" ({short(pairs.power)}) and {own['randomised-tukey'].significant:,} by randomised Tukey"
        f" HSD; a difference of {short(own['randomised-tukey'].delta)} is enough for any.{others}",
        _KEY,
    )


def _pdp_values(inputs: AuditInputs) -> dict[str, float]:
    """The PDP of the label sets, if they have one."""
    try:
        found = None if inputs.preferences is None else inputs.ask(pdp_of)
    except UndefinedError:
        return {}
    if found is None:
        return {}
    return {name: row.pdp.mean for name, row in found.single().items()}


def _against_pdp(pdp: Mapping[str, float], powers: _Powers) -> tuple[Figure, str]:
    """PDP against discriminative power, and whether they go together."""
    names = [name for name in pdp if not math.isnan(pdp[name])]
    shares = [powers[name]["bootstrap"].power for name in names]
    values = [pdp[name] for name in names]
    together = "too few label sets to say"
    if len(names) > 2:
        found = fieller(-np.array(values), np.array(shares))
        together = figure(float(found.tau), float(found.low), float(found.high))
    drawing = Points(
        names, values, shares, "PDP in nats", f"share of pairs that {LIST_MEASURE} tells apart"
    )
    return (
        Figure(
            key="pdp-power",
            title=f"PDP and the discriminative power of {LIST_MEASURE}",
            drawing=drawing,
            caption="Each point is a label set. PDP looks at docs and needs no systems; where both"
            " mean the same, points fall from the top left to the bottom right.",
        ),
        f"PDP is meant to foretell discriminative power at its own cutoff, here {LIST_MEASURE}."
        f" Kendall's τ between a low PDP and a high share, over the {len(names)} label sets with a"
        f" PDP: {together}.",
    )
