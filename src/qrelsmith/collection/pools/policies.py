"""By which orderings the docs of a group's topics are shown."""

from __future__ import annotations

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.collection.pools.orderings import ORDERINGS

# The policy that gives each assessor as many topics in the one order as in the other.
BALANCED = "balanced"
_BALANCED_BETWEEN = ("prioritised", "randomised")


def policies() -> tuple[str, ...]:
    """Return the names of the policies: every ordering, and `balanced` between two of them."""
    return (*ORDERINGS.names(), BALANCED)


def check_policy(policy: str) -> None:
    """Raise `UsageError` at what is no policy."""
    if policy not in policies():
        raise UsageError(
            f"{quoted(policy)} is not an ordering policy (choices: {', '.join(policies())})"
        )


def orderings_of(policy: str) -> tuple[str, ...]:
    """Return the orderings that topics are shown in under a policy."""
    return _BALANCED_BETWEEN if policy == BALANCED else (policy,)
