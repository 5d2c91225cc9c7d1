"""The scorecard's question `uncontested`: disputed non-relevant labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qrelsmith.agreement.contested_zeros import contested_zeros, independent_votes
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.agrees import agrees
from qrelsmith.audit.verdicts.bounds import LEAST_JUDGED, LIKELY, SAME_VOTE
from qrelsmith.audit.verdicts.cells import JudgedFigure, no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import count, name_list
from qrelsmith.base.content import ScorecardCell
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.judgments.judgment_events import Judgments

_KEY = "uncontested"


@VERDICTS.add(
    _KEY,
    place=90,
    asks="Non-relevant labels disputed?",
    of="reference",
    section="disagreements",
    words={
        "good": "few",
        "probably good": "probably few",
        "fair or better": "some or fewer",
        "fair": "some",
        "fair or worse": "some or more",
        "probably bad": "probably many",
        "bad": "many",
    },
)
def uncontested(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Compute the share of zeros that at most half of the votes grade highly relevant.

    A careless judge has no vote, and all passes of one model share one vote. A single vote never
    counts against the reference, because either the vote or the reference may be wrong.
    """
    voters = [
        other
        for other in inputs.others
        if inputs.is_on_reference_scale(other)
        and agrees(inputs, other).verdict not in ("bad", "none")
    ]
    if not voters:
        return no_cell(name, _KEY, "no other label set agrees well enough to vote")
    sets = {voter: inputs.label_sets[voter] for voter in (name, *voters)}
    ratings = Judgments.from_qrels(sets).ratings()
    rows = dict(zip(ratings.assessors, ratings.values, strict=True))
    zeros = rows[name] == 0
    if not zeros.any():
        return no_cell(name, _KEY, f"{name} has no non-relevant docs")
    voters = [voter for voter in voters if np.mean(~np.isnan(rows[voter][zeros])) >= LEAST_JUDGED]
    if not voters:
        return no_cell(
            name,
            _KEY,
            "no other label set that agrees well has judged half of the non-relevant docs",
        )
    labels = np.array([rows[voter] for voter in voters])
    together = independent_votes(
        rows[name], labels, [inputs.family(voter) for voter in voters], same=SAME_VOTE
    )
    votes = np.array([AGGREGATIONS.get("median")(labels[list(places)]) for places in together])
    top = inputs.top(name)
    high = float(np.nanmax(rows[name])) if top is None else top
    topics = [topic for topic, _ in ratings.units]
    contest = contested_zeros(rows[name], votes, topics, high=high)
    if not contest.zeros:
        return no_cell(name, _KEY, f"no other label set has judged a non-relevant doc of {name}")
    share = contest.share
    judged = JudgedFigure(
        name, _KEY, name, float(share.value), float(share.low), float(share.high), contest.topics
    )
    number = int(contest.contested.sum())
    named = [" with ".join(voters[place] for place in places) for places in together]
    come = "The votes come" if len(named) > 1 else "The only votes come"
    also = (
        f"{number:,} of {count(contest.zeros, 'non-relevant doc is', 'non-relevant docs are')}"
        f" disputed by more than half of the votes. {come} from {name_list(named)}"
    )
    docs = f"a second blind judgment of {count(number, 'doc', 'docs')} (qrelsmith disagree)"
    chances = judged.probabilities
    if len(named) == 1 and chances[0] < LIKELY:
        also += ". If there is only one vote, either of the two label sets may be wrong"
        chances = np.nan, np.nan
    cell = judged.cell(also=also, probabilities=chances, decide=docs)
    return replace(cell, contested=number)
