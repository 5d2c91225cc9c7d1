"""The measure compatibility beside the campaign's measures: rankings and significance."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import ALPHA
from qrelsmith.audit.wording import count, figures_finding
from qrelsmith.base.content import Figure, Finding, NamedTable, Points, Section, Verdict
from qrelsmith.base.tables import Cell, Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.evaluation import Evaluation, score_runs
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.rankings.measure_power import MeasurePower, measure_power
from qrelsmith.stats.tau_intervals import FEWEST
from qrelsmith.topk.topk_result import topk_result

_KEY = "compatibility"
_TITLE = "Compatibility"
# topk-preferences 3.4: the p whose ranking is most similar to that of nDCG with a cutoff.
_P = {3: 0.8, 5: 0.85, 10: 0.9}
_DEEPEST = 0.95
_MOST_PAIRS = 50


@SECTIONS.add("compatibility", place=75, apart=True, of="docs")
def compatibility(inputs: AuditInputs) -> Section:
    """Report system rankings by compatibility, and the pairs that only compatibility separates."""
    if missing := inputs.missing_to_rank:
        return Section(key=_KEY, title=_TITLE, missing=missing)
    ideal = _ideal(inputs)
    if not (ideal.qrels.grade > 0).any():
        return Section(
            key=_KEY,
            title=_TITLE,
            missing=f"a doc with a grade above 0 under {inputs.reference}; none exists",
        )
    scored, powers = _powers(inputs, ideal)
    tables = [
        NamedTable(
            "compatibility",
            f"Compatibility compared with the measures under {inputs.reference}",
            _table(powers),
            f"Numbers of system pairs with p < {ALPHA} (paired t-test, uncorrected). Only:"
            " significant by compatibility alone. Only measure: significant by the measure alone."
            " Both: significant by both measures. Opposite: significant in opposite directions.",
        )
    ]
    tables += [_only(power, place) for place, power in enumerate(powers, 1) if power.only]
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(_ideal_text(inputs, ideal),),
        tables=tuple(tables),
        figures=tuple(
            _figure(inputs, scored, power, place) for place, power in enumerate(powers, 1)
        ),
        findings=_findings(powers[0], ideal),
    )


@dataclass(frozen=True, slots=True)
class _Ideal:
    """Ideal rankings as `qrels`, and the number of topics that are ordered by preferences."""

    qrels: Qrels
    preferred: int


def _ideal(inputs: AuditInputs) -> _Ideal:
    """Return the reference's grades; docs preferred in tests get higher grades than other docs."""
    qrels = inputs.label_sets[inputs.reference]
    if not inputs.preferences or not (qrels.grade > 0).any():
        return _Ideal(qrels, 0)
    found = inputs.ask(topk_result)
    preferred = sum(bool(one.places) and one.compared for one in found.topics)
    return _Ideal(found.combined(qrels, name=qrels.name), preferred)


def _powers(inputs: AuditInputs, ideal: _Ideal) -> tuple[Evaluation, list[MeasurePower]]:
    """Return the scores of compatibility, and the comparison of compatibility with each measure."""
    # The inventory's runs are cut at the depth of the measures. Compatibility needs 1,000 ranks.
    wanted = {measure: MEASURES.label(f"Compat(p={_p(measure)})") for measure in inputs.measures}
    scored = score_runs(
        ideal.qrels, inputs.campaign.runs, sorted(set(wanted.values())), order=inputs.order
    )
    return scored, [
        measure_power(
            scored.matrix(wanted[measure]), inputs.scores(inputs.reference, measure), alpha=ALPHA
        )
        for measure in inputs.measures
    ]


def _p(measure: str) -> float:
    """Return the parameter p of compatibility that corresponds to a measure's cutoff."""
    cutoff = MEASURES.get(measure).cutoff
    if not isinstance(cutoff, int):
        return _DEEPEST
    return next((p for rank, p in _P.items() if cutoff <= rank), _DEEPEST)


def _ideal_text(inputs: AuditInputs, ideal: _Ideal) -> str:
    if ideal.preferred:
        order = (
            f"preferences (in {count(ideal.preferred, 'topic', 'topics')}) and then by the grades"
            f" of {inputs.reference}"
        )
    else:
        order = f"the grades of {inputs.reference}"
    return (
        "Compatibility is the rank-biased overlap of a run with an ideal ranking (Clarke et al."
        f" 2021). The ideal ranking is ordered by {order}."
    )


def _table(powers: list[MeasurePower]) -> Table:
    columns = (
        "compatibility", "measure", "systems", "topics", "pairs", "sensitivity",
        "sensitivity measure", "only", "only measure", "both", "opposite", "tau_b", "low", "high",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            one.measure, one.other, one.systems, one.topics, one.pairs, one.sensitivity,
            one.other_sensitivity, len(one.only), len(one.only_other), one.both, one.opposite,
            one.tau, one.low, one.high,
        )
        for one in powers
    ]  # fmt: skip
    return Table.of(columns, rows)


def _only(power: MeasurePower, place: int) -> NamedTable:
    shown = power.only[:_MOST_PAIRS]
    more = (
        "" if len(shown) == len(power.only) else f" Only the {len(shown)} clearest pairs are shown."
    )
    return NamedTable(
        f"compatibility-only-{place}",
        f"Pairs of systems that differ significantly by {power.measure} but not by {power.other}",
        Table.of(
            ("a", "b", "difference", "p", "difference measure", "p measure"),
            [
                (one.first, one.second, one.difference, one.p, one.other_difference, one.other_p)
                for one in shown
            ],
        ),
        f"Difference: score of system a minus score of system b.{more}",
    )


def _figure(inputs: AuditInputs, scored: Evaluation, power: MeasurePower, place: int) -> Figure:
    mine = scored.matrix(power.measure).sorted()
    other = inputs.scores(inputs.reference, power.other).sorted()
    return Figure(
        f"compatibility-{place}",
        f"{power.measure} and {power.other} of the systems",
        Points(
            names=mine.systems,
            x=other.means().tolist(),
            y=mine.means().tolist(),
            x_label=f"{power.other} ({inputs.reference})",
            y_label=power.measure,
        ),
        "Systems at the same x and a different y are separated only by compatibility.",
    )


def _findings(power: MeasurePower, ideal: _Ideal) -> tuple[Finding, ...]:
    ends = (power.low, power.high)
    if abs(power.tau) == 1 and power.systems >= FEWEST:
        ends = (power.tau, power.tau)  # no interval for identical rankings
    same = {power.measure: (power.tau, *ends)}
    shares = Finding(
        _KEY,
        Verdict.FACT,
        f"{power.measure} separates {power.sensitivity:.1%} and {power.other} separates"
        f" {power.other_sensitivity:.1%} of {count(power.pairs, 'pair', 'pairs')} of systems."
        f" Only {power.measure} separates {count(len(power.only), 'pair', 'pairs')}, and only"
        f" {power.other} separates {len(power.only_other)}.",
        _KEY,
    )
    ideal_of = "preferences and grades" if ideal.preferred else "grades"
    words = f"τ between the rankings by {power.other} and compatibility (ideal from {ideal_of})"
    ranks = figures_finding(words, same, section=_KEY)
    return ranks, shares
