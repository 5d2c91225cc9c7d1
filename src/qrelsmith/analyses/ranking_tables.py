"""The rankings of systems under several label sets as a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from qrelsmith.analyses.loaded_runs import deepest_rank, load_runs
from qrelsmith.analyses.ranking_comparison import RankingComparison, compared_rankings
from qrelsmith.data.qrels import Qrels
from qrelsmith.data.runs import Run
from qrelsmith.data.text import FilePath
from qrelsmith.errors import UsageError
from qrelsmith.evaluation import evaluate
from qrelsmith.scales import Gains
from qrelsmith.tables import Table


def compare(
    label_sets: Mapping[str, Qrels],
    runs: Sequence[Run | FilePath],
    measures: Sequence[object],
    *,
    order: str = "trec",
    gains: Gains | None = None,
    gmax: float | None = None,
    condensed: bool = False,
    jobs: int | None = None,
) -> Table:
    """Compare the rankings of the systems under several label sets, as `qrelsmith compare` does.

    Parameters
    ----------
    label_sets : mapping of str to Qrels
        Two or more. Only the topics that all of them have count; a note names the others.
    runs, measures, order, gains, gmax, condensed, jobs
        As of `evaluate`.

    Returns
    -------
    Table
        measure, qrels_a, qrels_b, systems, tau_a, tau_b, tau_ap, tau_low, tau_high, interval: a row
        for each measure, pair of label sets and kind of interval (`fieller`: of tau_b;
        `consistent`, Long and Cliff 1997: of tau_a). There is no interval, and nan stands there,
        for fewer than five systems and where τ is 1 or −1.

    Raises
    ------
    UsageError
        If there are fewer than two label sets, or no topic is in all of them.
    InputError
        As of `evaluate`.

    Examples
    --------
    >>> from qrelsmith import Qrels, Run, compare
    >>> gold = Qrels.from_dict({"t1": {"d1": 2, "d2": 1}})
    >>> crowd = Qrels.from_dict({"t1": {"d1": 1, "d2": 2}})
    >>> runs = [
    ...     Run.from_dict({"t1": {"d1": 1.0}}, name="a"),
    ...     Run.from_dict({"t1": {"d2": 1.0}}, name="b"),
    ... ]
    >>> print(compare({"gold": gold, "crowd": crowd}, runs, ["nDCG@10"]).to_pandas()["tau_b"][0])
    -1.0
    """
    if len(label_sets) < 2:
        raise UsageError(f"there are {len(label_sets)} label sets; expected two or more")
    shared, notes = _shared_topics([qrels.topics for qrels in label_sets.values()])
    paths = [run for run in runs if not isinstance(run, Run)]
    depth = deepest_rank([str(name) for name in measures], condensed=condensed)
    if depth is not None and len(paths) == len(runs):
        # They are looked at once for each label set; their tops are small.
        runs = load_runs(paths, depth=depth, order=order, jobs=jobs)
    results = {}
    for name, qrels in label_sets.items():
        results[name] = evaluate(
            qrels if shared == set(qrels.topics) else qrels.restricted_to(shared),
            runs,
            measures,
            order=order,
            gains=gains,
            gmax=gmax,
            condensed=condensed,
            jobs=jobs,
        )
        notes += [f"{name}: {note}" for note in results[name].notes]
    found: list[RankingComparison] = []
    for measure in next(iter(results.values())).measures:
        found += compared_rankings([(name, one.matrix(measure)) for name, one in results.items()])
    return comparison_table(found, [*notes, *undefined_notes(found)])


def comparison_table(found: Iterable[RankingComparison], notes: Sequence[str] = ()) -> Table:
    """Comparisons under their header, sorted by measure and label sets."""
    columns = (
        "measure", "qrels_a", "qrels_b", "systems", "tau_a", "tau_b", "tau_ap", "tau_low",
        "tau_high", "interval",
    )  # fmt: skip
    # The sort is stable: inside a pair the kinds of intervals keep their order.
    ordered = sorted(found, key=lambda one: (one.measure, one.first, one.second))
    rows = [
        (
            one.measure, one.first, one.second, one.systems, one.tau_a, one.tau_b, one.tau_ap,
            one.low, one.high, one.interval,
        )
        for one in ordered
    ]  # fmt: skip
    return Table.of(columns, rows, notes=notes)


def undefined_notes(found: Iterable[RankingComparison]) -> list[str]:
    """Why there is no τ-b, where there is none; each reason once."""
    return list(dict.fromkeys(_undefined(one) for one in found if math.isnan(one.tau_b)))


def _undefined(one: RankingComparison) -> str:
    if one.systems < 2:
        return f"{one.measure}: there is one system only, and nothing to rank"
    return f"{one.measure}: {one.first} or {one.second} ties all systems; tau_b is undefined"


def _shared_topics(topics: Sequence[Sequence[str]]) -> tuple[set[str], list[str]]:
    """The topics that are in all lists, and a note on the others."""
    shared = reduce(set.intersection, map(set, topics[1:]), set(topics[0]))
    if not shared:
        raise UsageError("no topic is in all label sets; expected at least one in common")
    dropped = sorted(set().union(*topics) - shared)
    if not dropped:
        return shared, []
    listed = f"{len(dropped)} ({', '.join(dropped)})"
    return shared, [f"topics that are not in all label sets do not count: {listed}"]
