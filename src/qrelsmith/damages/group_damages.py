"""Damages in the judgments of groups of assessors, found during judging."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from qrelsmith.collection.pools.pool_sets import PoolSet
from qrelsmith.damages.damage_report import report_damages
from qrelsmith.damages.damage_rows import Damages
from qrelsmith.damages.layout import lay_out
from qrelsmith.damages.origins import Origins
from qrelsmith.damages.registry import tests_for
from qrelsmith.judgments.group_labels import label_set_of
from qrelsmith.judgments.judgment_events import Judgments

_NO_GROUP = "assessors"  # as in a campaign's label sets


def group_damages(
    judgments: Judgments,
    kinds: Sequence[str],
    *,
    reference: str | None = None,
    models: Collection[str] = (),
    pools: PoolSet | None = None,
    lowest: float | None = None,
) -> Damages | None:
    """Return groups' damages, as `find_damages` does; None if there are no judgments.

    Parameters
    ----------
    judgments : Judgments
        The judgments, with their groups.
    kinds : sequence of str
        The damages to look for.
    reference : str, optional
        The group with which the other groups are compared; by default, or if this group has no
        judgments, the first group.
    models : collection of str
        The groups that are models.
    pools : PoolSet, optional
        The pools from which docs are shown.
    lowest : float, optional
        The lowest grade of the scale.
    """
    by_group = {name or _NO_GROUP: of for name, of in judgments.by_group().items()}
    sets = {group: label_set_of(of, group) for group, of in sorted(by_group.items())}
    sets = {group: qrels for group, qrels in sets.items() if len(qrels.grade)}
    if not sets:
        return None
    first = reference if reference in sets else next(iter(sets))
    ordered = {first: sets[first], **sets}
    origins = Origins(
        judgments=by_group,
        people=frozenset(group for group in ordered if group not in models),
        models={},
        ranking_teams={},
        lowest=lowest,
        off_scale={},
    )
    layout = lay_out(ordered, (), {}, pools, origins)
    return report_damages(layout, tests_for(kinds), groups=ordered)
