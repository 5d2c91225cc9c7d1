"""Figures 9 to 11: runs ranked by preferences above grades, and by only the top docs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from qrelsmith.base.content import Figure, Intervals
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.intervals import t_interval
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made
from qrelsmith_papers.topk_preferences.beside import compare_with_ndcg, lowest_step
from qrelsmith_papers.topk_preferences.both import kind_of_runs, on_both, runs_text
from qrelsmith_papers.topk_preferences.collection import TopkCollection, of_docs
from qrelsmith_papers.topk_preferences.published import BEST, COMBINED, TOP
from qrelsmith_papers.topk_preferences.runs import OTHER_RUNS, figure_key

_LEADERS = 4

# Pairs of runs separated only by compatibility, minus pairs separated only by nDCG, by cutoff.
_FIGURE_9: tuple[c.Claim[Mapping[int, float]], ...] = (
    c.claim(
        "With preferences, compatibility recognises significant differences that NDCG does not"
        " capture.",
        (
            "fewest additional pairs that only compatibility separates (k = 3 and 5)",
            lambda more: min(more.values()),
            c.over(0),
        ),
    ),
)


@on_both(
    "fig9",
    title="Figure 9: preferences above grades",
    claims=_FIGURE_9,
    kind=kind_of_runs,
    deviation="Runs and preferences differ.",
)
def figure9(there: Sequence[TopkCollection]) -> Made:
    """Compare runs under nDCG and compatibility with combined ideal rankings, with intervals."""
    figures, held = [], []
    for data in there:
        for preferred in data.preferred:
            name = f"{COMBINED}, {preferred.who}"
            more = {}
            for entry in compare_with_ndcg(data, preferred.combined, name, (3, 5)):
                key = figure_key("fig9", data.name, preferred.who, str(entry.cutoff))
                figures.append(entry.figure(key))
                figures += [
                    _intervals(f"{key}-{what}", data.name, preferred.who, scores)
                    for what, scores in (("compat", entry.compat), ("ndcg", entry.ndcg))
                ]
                more[entry.cutoff] = float(len(entry.power.only) - len(entry.power.only_other))
            if data.has_systems:
                held.append(data.hold(more, who=preferred.who))
    return Made(
        held=held,
        paragraphs=[
            runs_text(there),
            "The top five by preferences are levels of their own above the grades. Intervals are"
            " Student's, 95%, over the topics that have a top five.",
        ],
        figures=figures,
    )


def _intervals(key: str, collection: str, who: str, scores: ScoreMatrix) -> Figure:
    """Return a chart of the runs with intervals of the mean scores, the best run first."""
    means = scores.means()
    lows, highs = t_interval(scores.scores)
    order = sorted(range(len(means)), key=lambda run: (-means[run], scores.systems[run]))
    return Figure(
        key=key,
        title=f"{collection}: {scores.measure} of each run, topics with a top five ({who})",
        drawing=Intervals(
            names=[scores.systems[run] for run in order],
            values=means[order].tolist(),
            lows=lows[order].tolist(),
            highs=highs[order].tolist(),
            label=scores.measure,
        ),
        caption=f"Means over {len(scores.topics)} topics and their 95% intervals.",
    )


class _Leaders(NamedTuple):
    """The four best runs by combined ideal rankings, and all runs by a smaller ideal ranking."""

    combined: list[str]
    alone: list[str]

    def leaders_kept(self) -> float:
        """Return how many of the four best runs stay among the four best with the smaller ideal."""
        return float(len(set(self.combined) & set(self.alone[:_LEADERS])))

    def order(self) -> float:
        """Return the smallest step between the new ranks of consecutive runs."""
        return lowest_step([float(self.alone.index(name)) for name in self.combined])


_FIGURE_10: tuple[c.Claim[_Leaders], ...] = (
    c.claim(
        "The separation between the top four runs and the rest remains with the top five alone.",
        ("top-four runs that stay there", _Leaders.leaders_kept, c.equal_to(_LEADERS)),
    ),
)
_FIGURE_11: tuple[c.Claim[_Leaders], ...] = (
    c.claim(
        "With the single best answer alone the relative ordering of the top four runs has not"
        " changed.",
        ("smallest step between their ranks", _Leaders.order, c.over(0)),
    ),
)


@on_both(
    "fig10",
    title="Figure 10: the top five alone",
    claims=_FIGURE_10,
    kind=kind_of_runs,
    deviation=OTHER_RUNS,
)
def figure10(there: Sequence[TopkCollection]) -> Made:
    """Compare runs under nDCG@3 and compatibility with ideal rankings of only the top five."""
    about = (
        "Ideal rankings hold the top five by preferences and nothing else. Compatibility is"
        " normalised (Eq. 3), since such ideal rankings are short."
    )
    return _smaller_ideal(there, "fig10", about)


@on_both(
    "fig11",
    title="Figure 11: the single best",
    claims=_FIGURE_11,
    kind=kind_of_runs,
    deviation="There are only 31 topics, with one doc each.",
)
def figure11(there: Sequence[TopkCollection]) -> Made:
    """Compare runs under nDCG@3 and compatibility with the single best doc as ideal ranking."""
    about = (
        "Ideal rankings hold one doc a topic (or ties): the research team's on CAsT 2019, the"
        " crowd's best passage on DL 2021, and the first of each top five."
    )
    return _smaller_ideal(there, "fig11", about)


def _smaller_ideal(there: Sequence[TopkCollection], figure: str, about: str) -> Made:
    """Return compatibility with only the top five, or only the best doc."""
    figures, held = [], []
    for data in there:
        named_best = data.best if figure == "fig11" else ()
        for who, best in named_best:
            (entry,) = compare_with_ndcg(data, best, f"{BEST}, {who}", (3,))
            figures.append(entry.figure(figure_key(figure, data.name, f"best-{who}")))
        for item in data.preferred:
            ideal, name, start = item.top, f"{TOP}, {item.who}", ""
            if figure == "fig11":
                ideal = of_docs(item.top, item.first(), name=item.who)
                name, start = f"first of the top 5, {item.who}", "first-"
            (entry,) = compare_with_ndcg(data, ideal, name, (3,))
            (combined,) = compare_with_ndcg(data, item.combined, COMBINED, (3,))
            figures.append(entry.figure(figure_key(figure, data.name, f"{start}{item.who}")))
            if data.has_systems:
                held.append(data.hold(_Leaders(combined.top(_LEADERS), entry.top()), who=item.who))
    return Made(held=held, paragraphs=[runs_text(there), about], figures=figures)
