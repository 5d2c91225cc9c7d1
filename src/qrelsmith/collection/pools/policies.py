"""Policies: the orderings in which a group of assessors sees the docs of topics."""

from __future__ import annotations

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.collection.pools.orderings import ORDERINGS

# The policy that gives each assessor the same number of topics in each of two orders.
BALANCED = "balanced"
_BALANCED_BETWEEN = ("prioritised", "randomised")


def policies() -> tuple[str, ...]:
    """Return the policy names: every ordering, and `balanced`, which combines two orderings."""
    return (*ORDERINGS.names(), BALANCED)


def check_policy(policy: str) -> None:
    """Raise `UsageError` if a policy is unknown."""
    if policy not in policies():
        raise UsageError(
            f"{quoted(policy)} is not an ordering policy (choices: {', '.join(policies())})"
        )


def orderings_of(policy: str) -> tuple[str, ...]:
    """Return the orderings in which topics are shown under a policy."""
    return _BALANCED_BETWEEN if policy == BALANCED else (policy,)
