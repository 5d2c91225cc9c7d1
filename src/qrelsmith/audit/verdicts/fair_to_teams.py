"""The scorecard's question `fair-to-teams`: is some team favoured."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.bounds import MOST_UNSEEN
from qrelsmith.audit.verdicts.cells import no_cell, plain_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import count, name_list
from qrelsmith.base.content import CellVerdict, ScorecardCell
from qrelsmith.damages.find_damages import find_damages

_KEY = "fair-to-teams"


@VERDICTS.add(
    _KEY,
    place=60,
    asks="Any team favoured?",
    section="damages",
    warning="favours a team",
    words={"good": "none found", "fair": "perhaps", "bad": "yes"},
)
def fair_to_teams(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Return places that the most favoured team gains; fair where most other methods share it."""
    if reason := _obstacle(inputs):
        return no_cell(name, _KEY, reason)
    rows = [
        row
        for row in inputs.ask(find_damages).examined
        if (row.damage, row.label_set) == ("favoured", name)
    ]
    if not rows:
        return no_cell(name, _KEY, "too little to compare: no team could be looked at")
    topics = len(inputs.label_sets[name].topics)
    record = inputs.campaign.models.get(name)
    own = [] if record is None else sorted(set(record.teams) & {row.team for row in rows})
    circle = (
        f"; {name_list(own)} ranked with the model that gave these labels: a circle, in which"
        " favour is to be expected"
        if own
        else ""
    )
    favoured = sorted((row for row in rows if row.found), key=lambda row: -row.gained)
    unseen = max(rows, key=lambda row: (row.unseen, row.high))
    if not favoured:
        places = count(unseen.unseen, "place", "places")
        sentence = (
            f"None of {count(len(rows), 'team', 'teams')} is found to be favoured, and by a bias"
            f" too small to be found no run gains more than {places}{circle}"
        )
        if unseen.unseen > MOST_UNSEEN * len(inputs.runs):
            sentence = (
                f"None of {count(len(rows), 'team', 'teams')} is found to be favoured, but a bias"
                f" toward {unseen.team} of up to {unseen.high:.2f} standard deviations, by which a"
                f" run gains {places}, would not have been detected here; judging about 100 docs of"
                f" {unseen.team} again, blind, would reveal it{circle}"
            )
        return plain_cell(name, _KEY, "good", 0.0, sentence, topics=topics)
    most = favoured[0]
    teams = name_list([row.team for row in favoured])
    sentence = (
        f"Favoured: {teams}; a run gains {count(most.gained, 'place', 'places')} at most."
        f" {most.sentence}{circle}"
    )
    is_taste = all(row.is_shared for row in favoured)
    verdict: CellVerdict = "fair" if is_taste else "bad"
    return plain_cell(name, _KEY, verdict, float(most.gained), sentence, topics=topics)


def _obstacle(inputs: AuditInputs) -> str:
    """Why nobody can be seen to be favoured; empty where somebody can."""
    if not inputs.runs:
        return "there are no runs"
    if inputs.teams_guessed:
        return "campaign.toml does not say whose the runs are ([teams])"
    if len(set(inputs.teams.values())) < 2:
        return "all runs are of one team"
    return "" if inputs.others else "there is no other label set to hold it against"
