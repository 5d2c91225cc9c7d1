"""The damages of label sets as sentences, with the names of the sources of the damages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from qrelsmith.base.registry_entries import Entry
from qrelsmith.damages.damage_rows import DamageRow, Damages, Leaning, RunPlaces, most_gained
from qrelsmith.damages.examined import Examined
from qrelsmith.damages.favoured import LEAST_EFFECT
from qrelsmith.damages.layout import Layout
from qrelsmith.damages.leans_on import error_bins, lean_of
from qrelsmith.damages.places_gained import corrected_places
from qrelsmith.damages.registry import DamageTest
from qrelsmith.damages.whose import ALPHA, examine, level_of


def report_damages(
    layout: Layout,
    entries: Sequence[Entry[DamageTest]],
    *,
    groups: Collection[str] = (),
    alpha: float = ALPHA,
    notes: Sequence[str] = (),
    advance: Callable[[], None] = lambda: None,
) -> Damages:
    """Return all tests of all possible sources; the first label set is the reference.

    Parameters
    ----------
    layout : Layout
        Label sets and runs.
    groups : collection of str
        The label sets that are groups of assessors.
    alpha, advance
        As in `examine`.
    notes : sequence of str
        Additional notes.
    """
    rows = examine(layout.arrays, entries, reference=0, alpha=alpha, advance=advance)
    named = (_damage_row(layout, groups, row) for row in rows)
    return Damages(
        examined=tuple(sorted(named, key=_by_place)),
        reference=layout.label_sets[0],
        label_sets=layout.label_sets,
        kinds=tuple(dict.fromkeys(map(kind_name, entries))),
        leanings=tuple(_leanings(layout)),
        level=level_of(entries, len(layout.label_sets), alpha),
        notes=tuple(notes),
    )


def _leanings(layout: Layout) -> Iterator[Leaning]:
    """Yield the errors of every label set except the reference, by each property of docs."""
    grades = layout.arrays.grades
    for label_set, name in enumerate(layout.label_sets[1:], start=1):
        for of, values in layout.arrays.properties.items():
            slope, error = lean_of(grades[label_set], grades[0], values)
            if error > 0:
                yield Leaning(name, of, slope, *error_bins(grades[label_set], grades[0], values))


def kind_name(entry: Entry[DamageTest]) -> str:
    """Return the name of a kind of damage as it is shown in results."""
    return str(entry.about["reported_as"] or entry.name)


def _places(layout: Layout, row: Examined, effect: float) -> tuple[RunPlaces, ...]:
    """Return the ranks of a team's runs, with and without the bias toward the team."""
    now, corrected = corrected_places(layout.arrays, row.label_set, row.culprit[0], effect=effect)
    return tuple(
        RunPlaces(layout.runs[run], int(now[run]), int(corrected[run]))
        for run in range(len(layout.runs))
        if layout.arrays.team[run] == row.culprit[0]
    )


def _damage_row(layout: Layout, groups: Collection[str], row: Examined) -> DamageRow:
    """Return a row with the names of the source, and a sentence about the problem."""
    entry = row.entry
    name = layout.label_sets[row.label_set]
    kind = entry.about["culprit"]
    names = " ".join(_names(layout, row, kind))
    is_team = kind == "team"
    # For every team, because even a small bias may change ranks if other runs have similar scores.
    may_be = is_team and not row.found and row.high >= LEAST_EFFECT
    places = _places(layout, row, row.value) if is_team and row.found else ()
    named = DamageRow(
        damage=f"{row.damage}:{names}" if kind == "property" else kind_name(entry),
        label_set=name,
        group=name if name in groups else "",
        assessor=names if kind == "assessor" else "",
        topic=names if kind == "topic" else "",
        team=names if kind == "team" else "",
        value=row.value,
        low=row.low,
        high=row.high,
        p=row.p,
        found=row.found,
        counts=entry.about["counts"],
        blamed="" if row.blamed < 0 else layout.label_sets[row.blamed],
        sharing=row.sharing,
        others=row.others,
        places=places,
        sentence="",
        unseen=most_gained(_places(layout, row, row.high)) if may_be else 0,
        culprit_kind=kind,
        action=entry.about["action"],
    )
    return _describe(layout, entry, row, named, names)


def _names(layout: Layout, row: Examined, kind: str) -> list[str]:
    if kind == "property":
        all_names = tuple(layout.arrays.properties)
    elif kind == "assessor":
        session = layout.arrays.session_of(row.label_set)
        all_names = () if session is None else session.names
    else:
        all_names = {
            "topic": layout.topics,
            "team": layout.teams,
            "set": layout.label_sets,
            "run": layout.runs,
        }[kind]
    return [all_names[at] for at in row.culprit]


def _describe(
    layout: Layout, entry: Entry[DamageTest], row: Examined, named: DamageRow, names: str
) -> DamageRow:
    if not (row.found or row.blamed != row.label_set):
        kind = entry.about["culprit"]
        of_whom = f" ({kind} {names})" if names and kind not in ("set", "property") else ""
        nothing = f"{named.label_set} shows no sign of “{named.damage}”{of_whom}"
        return replace(named, sentence=nothing)
    both = " and ".join(_names(layout, row, entry.about["culprit"]))
    seen = entry.about["sentence"].format(names=both, value=row.value, detail=row.detail)
    against = layout.label_sets[row.other] if row.other >= 0 else "most other label sets"
    compared = f" (compared with {against})" if row.other != -1 else ""
    is_fact = not entry.about["counts"]
    parts = [
        f"{seen[0].upper()}{seen[1:]}{compared}"
        if is_fact
        else f"In {named.label_set}{compared}, {seen}"
    ]
    if row.blamed == -1:
        parts.append(f"The problem may be in {named.label_set} or in {against}")
    elif row.blamed != row.label_set:
        parts.append(f"The other label sets suggest that the problem is in {named.blamed}")
    if named.places:
        moved = [run for run in named.places if run.corrected != run.place]
        runs = ", ".join(f"{run.run} from {run.corrected} to {run.place}" for run in moved)
        parts.append(
            f"The bias changes ranks: {runs}" if moved else f"No run of {names} gains a rank"
        )
    if named.sharing:
        parts.append(
            f"{named.sharing} of {named.others} label sets by other methods show the same problem"
        )
    if (row.label_set, *row.culprit) in layout.arrays.ranks_with:
        parts.append(f"Team {names} ranks docs with the model that created the labels")
    if entry.about["otherwise"]:
        parts.append(f"Another possible cause: {entry.about['otherwise']}")
    return replace(named, sentence=". ".join(parts))


def _by_place(row: DamageRow) -> tuple[str, ...]:
    return row.damage, row.label_set, row.assessor, row.topic, row.team
