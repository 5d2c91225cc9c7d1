"""A row for each label and error record: request, model, cost and answer."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Table
from qrelsmith.models.cache import BILLIONTHS, ReplyCache, SessionCost, open_cache
from qrelsmith.models.kept_answers import answer_to_keep
from qrelsmith.models.runner import UnitOutcome
from qrelsmith.models.session import ModelSession
from qrelsmith.models.work import Work

_ABOUT = (
    "assessor", "value", "fault", "attempts", "model", "prompt", "prompt_version",
    "prompt_sha256", "parameters", "tokens_in", "tokens_out", "money", "latency_ms", "request",
    "injection", "answer",
)  # fmt: skip


def reply_table(session: ModelSession, work: Work, outcomes: Sequence[UnitOutcome]) -> Table:
    """Return a row for each outcome, with the cached reply of its last attempt.

    Columns: topic and doc (for pairs, left and right), assessor, value (empty in an error record),
    fault, attempts, model, prompt, prompt_version, prompt_sha256, parameters, tokens_in,
    tokens_out, money, latency_ms, request (its digest), injection
    (`true` if a doc contains instructions for its judge), answer.
    """
    asking, prompt = session.asking, session.asking.prompt
    of_pairs, of_aspects = ("topic", "left", "right"), ("topic", "doc", "aspect")
    ids = {"grade": ("topic", "doc"), "pair": of_pairs, "aspects": of_aspects}[prompt.kind]
    rows = []
    with open_cache(work.campaign.folder, is_shared=True) as cache:
        for outcome in outcomes:
            row = cache.find(outcome.digest)
            cost = (None, None, None, None) if row is None else (
                row.tokens_in, row.tokens_out, row.money / BILLIONTHS, row.latency_ms,
            )  # fmt: skip
            rows.append((
                *outcome.key[: len(ids) - 1], " ".join(outcome.key[len(ids) - 1 :]),
                session.assessor, _value(outcome), outcome.fault,
                outcome.attempts, asking.model, prompt.name, prompt.version, prompt.sha256,
                session.parameters_text, *cost, outcome.digest,
                str(not work.suspects.isdisjoint(outcome.key[1:])).lower(),
                answer_to_keep(asking, row.answer, key=session.terms.key) if row else "",
            ))  # fmt: skip
    return Table.of((*ids, *_ABOUT), rows)


def _value(outcome: UnitOutcome) -> str | None:
    if outcome.said is None:
        return None
    return " ".join(map(grade_text, outcome.said.values or (outcome.said.value,)))


def keep_session(cache: ReplyCache, session: ModelSession, outcomes: Sequence[UnitOutcome]) -> None:
    """Store a model's labels and the cost of all attempts, for audits."""
    replies = tokens = money = 0
    for digest in {digest for outcome in outcomes for digest in outcome.digests}:
        row = cache.find(digest)  # one at a time, because answers are long and numerous
        if row is not None:
            replies, tokens, money = replies + 1, tokens + row.tokens, money + row.money
    prompt = session.asking.prompt
    labels = sum(outcome.said is not None for outcome in outcomes)
    cache.set_session(
        SessionCost(
            session.assessor, session.asking.model, prompt.name, prompt.version, prompt.sha256,
            session.parameters_text, labels, len(outcomes) - labels, replies, tokens, money,
        )
    )  # fmt: skip
