"""The scorecard's question `fair-to-teams`: bias toward a team."""

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
    """Return the most favoured team's rank gain; the verdict is fair if most methods favour it."""
    if reason := _obstacle(inputs):
        return no_cell(name, _KEY, reason)
    rows = [
        row
        for row in inputs.ask(find_damages).examined
        if (row.damage, row.label_set) == ("favoured", name)
    ]
    if not rows:
        return no_cell(name, _KEY, "there are too few data to test any team")
    topics = len(inputs.label_sets[name].topics)
    record = inputs.campaign.models.get(name)
    own = [] if record is None else sorted(set(record.teams) & {row.team for row in rows})
    circle = (
        f". A bias toward runs of {name_list(own)} is likely, because the model that gave the"
        " labels also ranked docs in these runs"
        if own
        else ""
    )
    favoured = sorted((row for row in rows if row.found), key=lambda row: -row.gained)
    unseen = max(rows, key=lambda row: (row.unseen, row.high))
    if not favoured:
        places = count(unseen.unseen, "place", "places")
        lifted = (
            f"could lift a run by at most {places}" if unseen.unseen else "cannot change any rank"
        )
        sentence = (
            f"No bias toward any of {count(len(rows), 'team', 'teams')} was found. A bias that is"
            f" too small to be detected {lifted}{circle}"
        )
        if unseen.unseen > MOST_UNSEEN * len(inputs.runs):
            sentence = (
                f"No bias toward any of {count(len(rows), 'team', 'teams')} was found. A"
                f" bias toward {unseen.team} of up to {unseen.high:.2f} standard deviations of the"
                f" grades could remain undetected and lift a run by {places}. A second, blind"
                f" judgment of about 100 docs from runs of {unseen.team} would reveal a bias"
                f" toward {unseen.team}{circle}"
            )
        return plain_cell(name, _KEY, "good", 0.0, sentence, topics=topics)
    most = favoured[0]
    teams = name_list([row.team for row in favoured])
    most_ranks = f"at most {count(most.gained, 'rank', 'ranks')}" if most.gained else "no rank"
    sentence = f"A bias favours runs of {teams}; they gain {most_ranks}. {most.sentence}{circle}"
    is_taste = all(row.is_shared for row in favoured)
    verdict: CellVerdict = "fair" if is_taste else "bad"
    return plain_cell(name, _KEY, verdict, float(most.gained), sentence, topics=topics)


def _obstacle(inputs: AuditInputs) -> str:
    """Return the reason why bias cannot be tested; empty if it can be tested."""
    if not inputs.runs:
        return "there are no runs"
    if inputs.teams_guessed:
        return "campaign.toml names no teams of the runs (in [teams])"
    if len(set(inputs.teams.values())) < 2:
        return "all runs are by the same team"
    return "" if inputs.others else "there is no other label set for a comparison"
