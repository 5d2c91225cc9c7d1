"""The questions of the scorecard, each in a file of its own; importing this fills the registry."""

from qrelsmith.audit.verdicts import (  # noqa: F401
    agrees,
    complete,
    fair_to_new,
    fair_to_teams,
    finds_differences,
    picks_the_best,
    ranks_all,
    ranks_top,
    uncontested,
    undamaged,
)
